// Any JSON: objects and lists that have no form of their own are edited as text.

import { lazy } from "react";
import { loadCodeEditor } from "#editor/code/code-editor.ts";
import { type FieldKind, isNothing } from "#fields/field-kind.ts";
import { CodeText } from "./CodeText.tsx";
import { textOfValue } from "./json-text.ts";

const Input = lazy(async () => {
  void loadCodeEditor();
  return { default: (await import("./json-input.tsx")).JsonInput };
});

export const jsonField: FieldKind = {
  kinds: ["json", "array", "object"],
  Input,
  Read: ({ value }) => <CodeText text={textOfValue(value)} />,
  text: textOfValue,
  isEmpty: isNothing,
  accepts: () => true,
};
