// One of a few, all in view.

import { lazy } from "react";
import { type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { labelIn } from "#fields/options.ts";
import { ReadChosen } from "./read-chosen.ts";

const Input = lazy(() => import("./choice-inputs.tsx").then((part) => ({ default: part.RadioInput })));

export const radioField: FieldKind = {
  kinds: ["radio"],
  Input,
  Read: ReadChosen,
  text: (value, property) => labelIn(property, plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
