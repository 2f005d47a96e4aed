// Where the options of a choice come from: written here, values that objects have, other objects, or lists of the site.

import type { Option } from "@contract/admin.ts";
import { isJsonObject, type Json } from "@contract/json.ts";
import type { PropertyDefinition } from "@contract/schemas.ts";
import { onDeleteChoices, onMissingChoices } from "@rules/relations.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useStart } from "#session/start.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Select } from "#ui/Select.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { keyOf, withKey } from "./edit.ts";
import { optionText, readOptions, valuesOf } from "./option-text.ts";
import type { PartProps } from "./part-props.ts";
import css from "./properties.module.css";

const choicesOf = { onMissing: onMissingChoices, onDelete: onDeleteChoices };

/** Settings that say where options come from: one of them at a time. */
const settings = ["propertyOptions", "relationalOptions", "accessGroupOptions", "timezoneOptions"];
const sourceKeys = settings.map((key) => `settings.${key}`);

export function OptionsPart({ definition, onKey, onDefinition }: PartProps) {
  const words = useWords(schemasWords);
  const source = sourceIn(definition);
  const choose = (next: string) => {
    let made = definition;
    for (const key of sourceKeys) made = withKey(made, key, undefined);
    const [key, value] = keyFor(next);
    onDefinition("options", key === "" ? made : withKey(made, key, value));
  };
  return (
    <>
      <Select
        label={words.optionsFrom}
        value={source}
        onChange={choose}
        options={Object.entries(words.sources).map(([value, label]) => ({ value, label }))}
      />
      {source === "written" && <Written definition={definition} onDefinition={onDefinition} />}
      {source === "relation" && <Relation definition={definition} onKey={onKey} />}
      {source === "view" && <Relation definition={definition} onKey={onKey} isView />}
      <Checkbox
        label={words.sortOptions}
        isSelected={keyOf(definition, "settings.sortOptions") === true}
        onChange={(is) => onKey("settings.sortOptions", is || undefined)}
      />
    </>
  );
}

function sourceIn(definition: PropertyDefinition): string {
  if (keyOf(definition, "settings.accessGroupOptions")) return "groups";
  if (keyOf(definition, "settings.timezoneOptions")) return "timezones";
  const related = keyOf(definition, "settings.relationalOptions");
  if (isJsonObject(related)) return related.view === undefined ? "relation" : "view";
  const named = keyOf(definition, "settings.propertyOptions");
  return named === true ? "values" : typeof named === "string" ? named : "written";
}

function keyFor(source: string): [key: string, value: Json] {
  if (source === "written") return ["", null];
  if (source === "groups") return ["settings.accessGroupOptions", true];
  if (source === "timezones") return ["settings.timezoneOptions", true];
  if (source === "view") return ["settings.relationalOptions", { view: "" }];
  if (source === "relation") return ["settings.relationalOptions", { collection: "" }];
  return ["settings.propertyOptions", source === "values" ? true : source];
}

function Written({ definition, onDefinition }: Pick<PartProps, "definition" | "onDefinition">) {
  const words = useWords(schemasWords);
  const { options } = definition;
  // As typed, as long as it says the same.
  const [typed, setTyped] = useState<string>();
  const written = optionText(options ?? definition.enum);
  const isTyped = typed !== undefined && JSON.stringify(readOptions(typed)) === JSON.stringify(options);
  const isStrict = definition.enum !== undefined;
  const set = (text: string) => {
    setTyped(text);
    const next = readOptions(text);
    const made = withKey(definition, "options", next);
    onDefinition("options", isStrict ? withKey(made, "enum", enumOf(next)) : made);
  };
  if (written === undefined) return <p className={css.quiet}>{words.optionsAsJson}</p>;
  return (
    <>
      <TextArea
        label={words.options}
        description={words.optionsHelp}
        value={isTyped ? typed : written}
        onChange={set}
        rows={5}
      />
      <Checkbox
        label={words.onlyThese}
        isSelected={isStrict}
        isDisabled={!isStrict && valuesOf(options).length === 0}
        onChange={(is) => onDefinition("enum", withKey(definition, "enum", is ? enumOf(options) : undefined))}
      />
    </>
  );
}

/** The server takes no empty list. */
function enumOf(options: Json | undefined): Json | undefined {
  const values = valuesOf(options);
  return values.length === 0 ? undefined : values;
}

interface RelationProps extends Pick<PartProps, "definition" | "onKey"> {
  isView?: boolean;
}

function Relation({ definition, onKey, isView = false }: RelationProps) {
  const words = useWords(schemasWords);
  const { collections } = useStart();
  const views = useQuery({
    queryKey: ["options", "views", "all"],
    queryFn: ({ signal }) =>
      askData<Option[]>(routes.options, { path: { source: "views" }, query: { limit: 1_000 }, signal }),
    enabled: isView,
  });
  const from = isView ? "view" : "collection";
  const text = (key: string): string => {
    const value = keyOf(definition, `settings.relationalOptions.${key}`);
    return typeof value === "string" ? value : "";
  };
  const set = (key: string) => (value: string) =>
    onKey(`settings.relationalOptions.${key}`, value === "" && key !== from ? undefined : value);
  const field = (key: string, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      value={text(key)}
      onChange={set(key)}
      autoComplete="off"
      spellCheck={false}
      isMono
    />
  );
  return (
    <div className={css.fields}>
      <Select
        label={isView ? words.relationView : words.relationCollection}
        value={text(from)}
        onChange={set(from)}
        options={
          isView
            ? (views.data ?? []).map(({ value, label }) => ({ value, label, detail: value }))
            : collections.map(({ id, name }) => ({ value: id, label: name, detail: id }))
        }
        isRequired
      />
      {field("label", words.relationLabel)}
      {field("value", words.relationValue)}
      {field("format", words.relationFormat, words.relationFormatHelp)}
      {field("include", words.relationInclude, words.relationIncludeHelp)}
      {!isView &&
        (["onMissing", "onDelete"] as const).map((key) => (
          <Select
            key={key}
            label={words[key]}
            value={typeof definition[key] === "string" ? definition[key] : "keep"}
            onChange={(choice) => onKey(key, choice === "keep" ? undefined : choice)}
            options={choicesOf[key].map((value) => ({ value, label: words.onReference[key][value] as string }))}
          />
        ))}
    </div>
  );
}
