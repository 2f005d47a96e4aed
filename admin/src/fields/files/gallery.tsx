// Several pictures in an order. The editor is loaded when it is shown.

import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { imagesOf, isImage } from "#files/image/is-image.ts";
import { fields } from "#words/en/fields.ts";

const load = () => import("./gallery-input.tsx");

function isEmpty(value: FieldValue): boolean {
  return isNothing(value) || (Array.isArray(value) && value.length === 0);
}

export const galleryField: FieldKind = {
  kinds: ["gallery"],
  Input: lazy(() => load().then(({ GalleryInput }) => ({ default: GalleryInput }))),
  Read: lazy(() => load().then(({ GalleryRead }) => ({ default: GalleryRead }))),
  text: (value) => (isEmpty(value) ? "" : fields.images(imagesOf(value).length)),
  isEmpty,
  accepts: (value) => isEmpty(value) || (Array.isArray(value) && value.every(isImage)),
};
