// A number on a slider, with a text field beside it. It has no value until one of them is moved or typed in.

import { lazy } from "react";
import { type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { formatNumber } from "#words/format.ts";

const Input = lazy(() => import("./number-inputs.tsx").then((part) => ({ default: part.RangeControl })));

export const rangeField: FieldKind = {
  kinds: ["range"],
  Input,
  text: (value) => (typeof value === "number" ? formatNumber(value) : plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
