// Size limits of written values. Every count and length is checked before work that grows with it, because that work
// blocks other requests. The limits are listed in docs/spec/limits.md.

import { fail } from "#base/errors.ts";
import type { Json } from "#contract/json.ts";

/** Characters of an id as sent: a stored one has at most 200. */
const maxSentId = 1_000;
/** Elements of a list, items of a deck, images of a gallery, files of a depot's folder, locales of a text. */
export const maxElements = 10_000;
/** Characters of a value with a fixed format: a number, a date, a color, an address. */
export const maxFormed = 2_000;
/** Characters of a text in an indexed property: it is stored twice more, for filters. */
export const maxIndexedText = 1_000_000;
/** Characters of a text that is converted in case, or split into a list. */
export const maxShapedText = 1_000_000;
/** Words of one object that are searched, and characters that are read for them. */
export const maxWords = 20_000;
export const maxSearchedText = 300_000;
/** Characters of HTML and SVG that one write may clean. */
export const maxMarkup = 5_000_000;

export function isShortId(id: string): boolean {
  return id.length <= maxSentId;
}

/** Before any other check of an id. */
export function checkIdLength(id: Json | undefined): void {
  if (typeof id !== "string" || isShortId(id)) return;
  fail("validation-failed", undefined, { id: [`The id must not exceed ${maxSentId} characters`] });
}
