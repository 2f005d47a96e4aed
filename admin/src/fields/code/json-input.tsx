// JSON as text: what was typed stays as it is, also while it is no JSON.

import { Braces } from "lucide-react";
import { useMemo, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import type { FieldInputProps, FieldValue } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { numberOf } from "#fields/property.ts";
import { Button } from "#ui/Button.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { codeWords } from "#words/code.ts";
import { useWords } from "#words/language.ts";
import { placeOfMistake, textOfValue, valueOfText } from "./json-text.ts";

interface Typed {
  text: string;
  /** That the text stands for. */
  value: FieldValue;
}

export function JsonInput(props: FieldInputProps) {
  const { property, value, onChange, isDisabled } = props;
  const words = useWords(codeWords);
  const [typed, setTyped] = useState<Typed>(() => ({ text: textOfValue(value), value }));
  // Undo, a restored version or somebody else's save: the value is no longer the one of the text.
  const isOutdated = typed.value !== value && JSON.stringify(typed.value ?? null) !== JSON.stringify(value ?? null);
  const text = isOutdated ? textOfValue(value) : typed.text;
  const change = (next: string) => {
    const read = valueOfText(next);
    setTyped({ text: next, value: read });
    onChange(read);
  };
  const mistake = placeOfMistake(value);
  const { line, column } = mistake ?? { line: 0, column: 0 };
  const problems = useMemo(
    () => (line === 0 ? [] : [{ line, column, message: words.noJsonHere }]),
    [line, column, words],
  );
  const format = () => {
    setTyped({ text: textOfValue(value), value });
  };
  return (
    <CodeEditor
      {...frameProps(props)}
      value={text}
      onChange={change}
      language="json"
      problems={problems}
      placeholder={property.definition.placeholder}
      rows={numberOf(property.settings.rows)}
      actions={
        <Button variant="quiet" icon={Braces} isDisabled={isDisabled || mistake !== undefined} onPress={format}>
          <span aria-hidden="true">{words.format}</span>
          <VisuallyHidden>{words.formatField(property.label)}</VisuallyHidden>
        </Button>
      }
    />
  );
}
