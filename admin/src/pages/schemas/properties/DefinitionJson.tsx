// A definition as JSON text: valid changes go into the draft at once.

import { isJsonObject } from "@contract/json.ts";
import type { PropertyDefinition } from "@contract/schemas.ts";
import { useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { readJson } from "#fields/code/read-json.ts";
import { useDraftStore } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { codeWords } from "#words/code.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { withDefinition } from "./edit.ts";

interface Props {
  name: string;
  definition: PropertyDefinition;
  isReadOnly?: boolean;
}

export function DefinitionJson({ name, definition, isReadOnly = false }: Props) {
  const words = useWords(schemasWords);
  const ofForms = useWords(formWords);
  const ofCode = useWords(codeWords);
  const store = useDraftStore();
  const { texts, onText } = useSchemaScope();
  const place = `property ${name}`;
  const typed = isReadOnly ? undefined : texts[place];
  const read = typed === undefined ? undefined : readJson(typed);
  // A text that says the same as the draft stays as it was typed, with its spaces.
  const [same, setSame] = useState<{ text: string; definition: PropertyDefinition | undefined }>();
  const written = same?.definition === definition ? same.text : JSON.stringify(definition, null, 2);
  const change = (text: string) => {
    const next = readJson(text);
    const value = "value" in next && isJsonObject(next.value) ? next.value : undefined;
    if (value) {
      store.change(`json ${name}`, (record) => withDefinition(record, name, value));
      setSame({ text, definition: store.record().properties[name] });
    }
    onText(place, value ? undefined : text);
  };
  const error = (() => {
    if (!read) return undefined;
    if ("line" in read) return ofForms.jsonInvalid(ofForms.jsonPlace(read.line, read.column));
    return words.definitionNoObject;
  })();
  return (
    <CodeEditor
      label={words.definition}
      description={isReadOnly ? undefined : words.definitionHelp}
      value={typed ?? written}
      onChange={change}
      language="json"
      problems={read && "line" in read ? [{ ...read, message: ofCode.noJsonHere }] : []}
      error={error}
      isReadOnly={isReadOnly}
      rows={6}
    />
  );
}
