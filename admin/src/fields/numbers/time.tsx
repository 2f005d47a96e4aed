// A time of day, on a clock of 24 hours; it belongs to no day and no zone.

import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing, plainText } from "#fields/field-kind.ts";

const Input = lazy(() => import("./number-inputs.tsx").then((part) => ({ default: part.TimeControl })));

const accepts = (value: FieldValue) =>
  isNothing(value) || (typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value));

export const timeField: FieldKind = { kinds: ["time"], Input, text: plainText, isEmpty: isNothing, accepts };
