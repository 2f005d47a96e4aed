// A kind of an extension: its element inside of the frame that every field has, else the editor of its base type.

import { lazy } from "react";
import { type FieldKind, isNothing } from "#fields/field-kind.ts";
import { otherField } from "#fields/other.tsx";

const Input = lazy(() => import("./ExtensionInput.tsx").then((part) => ({ default: part.ExtensionInput })));
const Read = lazy(() => import("./ExtensionInput.tsx").then((part) => ({ default: part.ExtensionRead })));

export const extensionField: FieldKind = {
  kinds: [],
  Input,
  Read,
  text: otherField.text,
  isEmpty: isNothing,
  accepts: () => true,
};
