// A number. What was typed stays as it is, also when it is none; an empty field is not 0.

import { useState } from "react";
import { NumberInput } from "#ui/NumberInput.tsx";
import { numberText, parseNumber } from "#ui/number-text.ts";
import { formatNumber } from "#words/format.ts";
import { currentLanguage } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, type FieldValue, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { type FieldProperty, numberOf } from "./property.ts";

function Input(props: FieldInputProps) {
  const { definition } = props.property;
  return (
    <NumberInput
      {...frameProps(props)}
      {...useNumberText(props)}
      placeholder={definition.placeholder}
      {...boundsOf(props.property)}
    />
  );
}

/** Text and value of a control that holds a number. */
export function useNumberText(
  { value, onChange }: Pick<FieldInputProps, "value" | "onChange">,
  parse = readNumber,
  write = shown,
) {
  const [typed, setTyped] = useState(() => write(value));
  // "1." and "1.0" are the same number: the typed text stays until the value is another.
  const text = isSameNumber(parse(typed), value) ? typed : write(value);
  const change = (next: string) => {
    setTyped(next);
    onChange(parse(next));
  };
  return { value: text, onChange: change };
}

export function boundsOf({ definition, settings }: FieldProperty) {
  return {
    step: numberOf(settings.step) ?? numberOf(definition.multipleOf),
    min: numberOf(definition.minimum) ?? numberOf(settings.min),
    max: numberOf(definition.maximum) ?? numberOf(settings.max),
  };
}

/** A text that is no number stays one, so that nothing typed is lost. */
export function readNumber(text: string): FieldValue {
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
