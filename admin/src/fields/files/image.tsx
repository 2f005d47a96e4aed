// One picture. The editor is loaded when it is shown.

import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { isImage } from "#files/image/is-image.ts";

const load = () => import("./image-input.tsx");

function isEmpty(value: FieldValue): boolean {
  return isNothing(value) || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

export const imageField: FieldKind = {
  kinds: ["image"],
  Input: lazy(() => load().then(({ ImageInput }) => ({ default: ImageInput }))),
  Read: lazy(() => load().then(({ ImageRead }) => ({ default: ImageRead }))),
  text: (value) => (isImage(value) ? value.name : ""),
  isEmpty,
  accepts: (value) => isEmpty(value) || isImage(value),
};
