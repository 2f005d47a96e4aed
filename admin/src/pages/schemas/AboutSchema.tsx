// The texts of a schema, and the schemas that it inherits from.

import type { SchemaRecord } from "@contract/schemas.ts";
import { useState } from "react";
import { useSummary } from "#form/form-context.ts";
import { idOf } from "#pages/collections/collection-id.ts";
import { MultiSelect } from "#ui/MultiSelect.tsx";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { useDraft, useDraftStore } from "./draft.ts";
import { useSchemaScope } from "./editor-context.ts";
import css from "./schemas.module.css";

type TextPart = "id" | "title" | "description" | "category";

export function AboutSchema() {
  const words = useWords(schemasWords);
  const { isReadOnly } = useSchemaScope();
  return (
    <Slab as="section" className={css.about} aria-label={words.about}>
      {isReadOnly ? <Facts /> : <Fields />}
    </Slab>
  );
}

function Facts() {
  const words = useWords(schemasWords);
  const common = useWords(commonWords);
  const record = useDraft();
  const { all } = useSchemaScope();
  const titleOf = (id: string) => all.find(({ name }) => name === id)?.title ?? id;
  const facts = [
    [words.id, record.id],
    [words.titleLabel, record.title],
    [words.description, record.description],
    [words.category, record.category],
    [words.inheritFrom, (record.inheritFrom ?? []).map(titleOf).join(", ")],
  ].filter(([, text]) => text);
  return (
    <dl className={css.facts}>
      {facts.map(([label, text]) => (
        <div key={label} style={{ display: "contents" }}>
          <dt>{label}</dt>
          <dd>{text || common.none}</dd>
        </div>
      ))}
    </dl>
  );
}

function Fields() {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const record = useDraft();
  const { errors } = useSummary(store.form);
  const { id, all } = useSchemaScope();
  const isNew = id === undefined;
  const [isIdTyped, setIsIdTyped] = useState(record.id !== "");
  const set = (part: TextPart, value: string) =>
    store.change(part, (before): SchemaRecord => {
      const made = part === "title" && isNew && !isIdTyped ? { id: idOf(value) } : {};
      return { ...before, [part]: value, ...made };
    });
  const parents = record.inheritFrom ?? [];
  const titleOf = (name: string) => all.find((one) => one.name === name);
  return (
    <div className={css.fields}>
      <div data-part="title">
        <TextInput
          label={words.titleLabel}
          value={record.title ?? ""}
          onChange={(value) => set("title", value)}
          error={errors.get("title")}
          autoComplete="off"
        />
      </div>
      <div data-part="id">
        <TextInput
          label={words.id}
          value={record.id}
          onChange={(value) => {
            setIsIdTyped(value !== "");
            set("id", value);
          }}
          description={isNew ? words.idHelp : undefined}
          error={errors.get("id")}
          isRequired={isNew}
          isReadOnly={!isNew}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
      </div>
      <div data-part="category">
        <TextInput
          label={words.category}
          value={record.category ?? ""}
          onChange={(value) => set("category", value)}
          error={errors.get("category")}
          autoComplete="off"
        />
      </div>
      <div data-part="description">
        <TextInput
          label={words.description}
          value={record.description ?? ""}
          onChange={(value) => set("description", value)}
          error={errors.get("description")}
          autoComplete="off"
        />
      </div>
      <div data-part="inheritFrom" className={css.wide}>
        <MultiSelect
          label={words.inheritFrom}
          description={words.inheritHelp}
          chosen={parents.map((value) => {
            const found = titleOf(value);
            return { value, label: found?.title ?? value, ...(!found && { isGone: true }) };
          })}
          onChange={(next) =>
            store.change("inheritFrom", ({ inheritFrom: _, ...before }) =>
              next.length === 0 ? before : { ...before, inheritFrom: next },
            )
          }
          options={all
            .filter(({ name }) => name !== record.id)
            .map(({ name, title }) => ({ value: name, label: title, detail: name }))}
          error={errors.get("inheritFrom")}
        />
      </div>
    </div>
  );
}
