// The schema as JSON text: valid changes go into the editor at once; what is not valid stays as it was typed.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { readJson } from "#fields/code/read-json.ts";
import { codeWords } from "#words/code.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { useDraft, useDraftStore } from "./draft.ts";
import { useSchemaScope } from "./editor-context.ts";
import { partsOf, recordOf } from "./parts.ts";
import { nameForm } from "./properties/edit.ts";

const place = "json";

export function JsonTab() {
  const words = useWords(schemasWords);
  const ofForms = useWords(formWords);
  const ofCode = useWords(codeWords);
  const store = useDraftStore();
  const record = useDraft();
  const { id, isReadOnly, texts, onText } = useSchemaScope();
  const typed = texts[place];
  // A text that says the same as the draft stays as it was typed, with its spaces.
  const [same, setSame] = useState<{ text: string; record: SchemaRecord }>();
  const shown = typed ?? (same?.record === record ? same.text : JSON.stringify(record, null, 2));
  const read = typed === undefined ? undefined : readJson(typed);
  const problemOf = (value: Json): string => {
    if (!isJsonObject(value) || !isJsonObject(value.properties)) return words.jsonNoSchema;
    for (const [name, definition] of Object.entries(value.properties)) {
      if (!nameForm.test(name)) return words.jsonName(name);
      if (!isJsonObject(definition)) return words.jsonNoDefinition(name);
    }
    return id !== undefined && value.id !== id ? words.jsonIdFixed : "";
  };
  const change = (text: string) => {
    const next = readJson(text);
    const isValid = "value" in next && problemOf(next.value) === "";
    if (isValid) {
      store.change("json", () => written(next.value as JsonObject));
      setSame({ text, record: store.record() });
    }
    onText(place, isValid ? undefined : text);
  };
  const error = (() => {
    if (!read) return undefined;
    if ("line" in read) return ofForms.jsonInvalid(ofForms.jsonPlace(read.line, read.column));
    return problemOf(read.value);
  })();
  return (
    <div data-json>
      <CodeEditor
        label={words.json}
        description={isReadOnly ? undefined : words.jsonHelp}
        value={shown}
        onChange={change}
        language="json"
        problems={read && "line" in read ? [{ ...read, message: ofCode.noJsonHere }] : []}
        error={error}
        isReadOnly={isReadOnly}
        rows={20}
        maxHeight="75vh"
      />
    </div>
  );
}

/** Keys that the server writes are left out, as everywhere in the editor. */
function written(value: JsonObject): SchemaRecord {
  return recordOf(partsOf(value));
}
