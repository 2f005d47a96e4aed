// Code in the language that the schema names. Line breaks and spaces stay as they are.

import { useMemo } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { languageOf } from "#editor/code/modes.ts";
import { problemsInText } from "#editor/code/problem-lines.ts";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { numberOf } from "#fields/property.ts";
import { CodeText } from "./CodeText.tsx";

function Input(props: FieldInputProps) {
  const { property, value, onChange, error } = props;
  const problems = useMemo(() => problemsInText(error), [error]);
  return (
    <CodeEditor
      {...frameProps(props)}
      value={plainText(value)}
      onChange={onChange}
      language={languageOf(property.settings.mode)}
      problems={problems}
      placeholder={property.definition.placeholder}
      rows={numberOf(property.settings.rows)}
    />
  );
}

export const codeField: FieldKind = {
  kinds: ["code"],
  Input,
  Read: ({ value }) => <CodeText text={plainText(value)} />,
  text: plainText,
  isEmpty: isNothing,
  accepts: isScalar,
};
