// One picture. The editor is loaded when it is shown.

import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { isImage } from "#files/image/image-value.ts";

function isEmpty(value: FieldValue): boolean {
  return isNothing(value) || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

export const imageField: FieldKind = {
  kinds: ["image"],
  Input: lazy(() => import("./image-input.tsx").then((module) => ({ default: module.ImageInput }))),
  Read: lazy(() => import("./image-input.tsx").then((module) => ({ default: module.ImageRead }))),
  text: (value) => (isImage(value) ? value.name : ""),
  isEmpty,
  accepts: (value) => isEmpty(value) || isImage(value),
};
