// The object as JSON text: valid changes go into the form at once; what is not valid stays as it was typed.

import { isJsonObject, type Json } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { Braces } from "lucide-react";
import { useMemo } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { readJson } from "#fields/code/read-json.ts";
import type { FormStore } from "#form/store.ts";
import { Button } from "#ui/Button.tsx";
import { codeWords } from "#words/code.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { editablePart } from "./editable-part.ts";

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
  const ofCode = useWords(codeWords);
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
  const shown = text ?? JSON.stringify(editablePart(store.values()), null, 2);
  const problems = useMemo(() => {
    const read = error === "" ? undefined : readJson(shown);
    return read && "line" in read ? [{ ...read, message: ofCode.noJsonHere }] : [];
  }, [shown, error, ofCode]);
  const format = () => {
    const read = readJson(shown);
    if ("value" in read) onText(JSON.stringify(read.value, null, 2));
  };
  return (
    <div data-json>
      <CodeEditor
        label={words.json}
        description={isReadOnly ? undefined : words.jsonHelp}
        value={shown}
        onChange={change}
        language="json"
        problems={problems}
        error={error === "" ? undefined : error}
        isReadOnly={isReadOnly}
        rows={16}
        maxHeight="75vh"
        actions={
          !isReadOnly && (
            <Button variant="quiet" icon={Braces} isDisabled={problems.length > 0} onPress={format}>
              {ofCode.format}
            </Button>
          )
        }
      />
    </div>
  );
}

function partOf(object: Json, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
