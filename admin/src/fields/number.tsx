// A number. What was typed stays as it is, also when it is none; an empty field is not 0.

import { useState } from "react";
import { NumberInput } from "#ui/NumberInput.tsx";
import { numberText, parseNumber } from "#ui/number-text.ts";
import { formatNumber } from "#words/format.ts";
import { currentLanguage } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, type FieldValue, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { numberOf } from "./property.ts";

function Input(props: FieldInputProps) {
  const { property, value, onChange } = props;
  const { definition, settings } = property;
  const [typed, setTyped] = useState(() => shown(value));
  // "1." and "1.0" are the same number: the typed text stays until the value is another.
  const text = isSameNumber(read(typed), value) ? typed : shown(value);
  const change = (next: string) => {
    setTyped(next);
    onChange(read(next));
  };
  return (
    <NumberInput
      {...frameProps(props)}
      value={text}
      onChange={change}
      placeholder={definition.placeholder}
      step={numberOf(settings.step) ?? numberOf(definition.multipleOf)}
      min={numberOf(definition.minimum) ?? numberOf(settings.min)}
      max={numberOf(definition.maximum) ?? numberOf(settings.max)}
    />
  );
}

/** A text that is no number stays one, so that nothing typed is lost. */
function read(text: string): FieldValue {
  return text.trim() === "" ? undefined : (parseNumber(text, currentLanguage()) ?? text);
}

function shown(value: FieldValue): string {
  return typeof value === "number" ? numberText(value, currentLanguage()) : plainText(value);
}

function isSameNumber(a: FieldValue, b: FieldValue): boolean {
  return a === b || (isNothing(a) && isNothing(b));
}

export const numberField: FieldKind = {
  kinds: ["number"],
  Input,
  text: (value) => (typeof value === "number" ? formatNumber(value) : plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
