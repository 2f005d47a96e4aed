// The object as JSON text: valid changes go into the form at once; what is not valid stays as it was typed.

import { isJsonObject, type Json } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import type { FormStore } from "#form/store.ts";
import { TextArea } from "#ui/TextArea.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { editablePart } from "./edited-object.ts";
import css from "./object.module.css";
import { readJson } from "./read-json.ts";

interface Props {
  store: FormStore;
  schema: SchemaRecord;
  isNew: boolean;
  isReadOnly: boolean;
  /** As typed; undefined until something is. */
  text: string | undefined;
  error: string;
  onText: (text: string) => void;
  onError: (error: string) => void;
}

export function JsonTab({ store, schema, isNew, isReadOnly, text, error, onText, onError }: Props) {
  const words = useWords(formWords);
  const change = (next: string) => {
    onText(next);
    const read = readJson(next);
    if ("line" in read) {
      onError(words.jsonInvalid(words.jsonPlace(read.line, read.column)));
      return;
    }
    const problem = problemOf(read.value);
    onError(problem);
    if (problem !== "" || !isJsonObject(read.value)) return;
    const before = editablePart(store.values());
    const names = new Set([...Object.keys(before), ...Object.keys(read.value)]);
    const changed = [...names].filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(partOf(read.value, name)),
    );
    if (changed.length > 0) store.lay(Object.fromEntries(changed.map((name) => [name, partOf(read.value, name)])));
  };
  const problemOf = (value: Json): string => {
    if (!isJsonObject(value)) return words.jsonNoObject;
    const unknown = Object.keys(value).find((name) => name !== "id" && !Object.hasOwn(schema.properties, name));
    if (unknown !== undefined) return words.jsonUnknown(unknown);
    return !isNew && value.id !== store.base().id ? words.jsonId : "";
  };
  return (
    <div className={css.json} data-json>
      <TextArea
        label={words.json}
        description={isReadOnly ? undefined : words.jsonHelp}
        value={text ?? JSON.stringify(editablePart(store.values()), null, 2)}
        onChange={change}
        error={error === "" ? undefined : error}
        isReadOnly={isReadOnly}
        isMono
        rows={20}
        spellCheck={false}
      />
    </div>
  );
}

function partOf(object: Json, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
