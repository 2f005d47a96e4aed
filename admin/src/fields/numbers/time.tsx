// A time of day, on a clock of 24 hours; it belongs to no day and no zone.

import { type FieldInputProps, type FieldKind, type FieldValue, isNothing, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { TimeInput } from "#ui/TimeInput.tsx";

function Input(props: FieldInputProps) {
  return <TimeInput {...frameProps(props)} value={plainText(props.value)} onChange={props.onChange} />;
}

const accepts = (value: FieldValue) =>
  isNothing(value) || (typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value));

export const timeField: FieldKind = { kinds: ["time"], Input, text: plainText, isEmpty: isNothing, accepts };
