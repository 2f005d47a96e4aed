// A calendar day: shown and stored as that day in UTC, whatever the zone of the browser.

import { DateInput } from "#ui/DateInput.tsx";
import { formatDay } from "#words/format.ts";
import { type FieldInputProps, type FieldKind, type FieldValue, isNothing, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";

function Input(props: FieldInputProps) {
  const { value, onChange } = props;
  return (
    <DateInput
      {...frameProps(props)}
      value={dayOf(value)}
      onChange={(day) => onChange(day === "" ? "" : `${day}T00:00:00.000Z`)}
    />
  );
}

function dayOf(value: FieldValue): string {
  const date = new Date(plainText(value));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}

export function isDate(value: FieldValue): boolean {
  return isNothing(value) || (typeof value === "string" && !Number.isNaN(Date.parse(value)));
}

export const dateField: FieldKind = {
  kinds: ["date"],
  Input,
  text: (value) => (isNothing(value) ? "" : formatDay(plainText(value))),
  isEmpty: isNothing,
  accepts: isDate,
};
