// What people read in HTML. Nothing of it is put into the page.

import { type FieldValue, isNothing } from "./field-kind.ts";

/** What is seen without any word: pictures, lines, frames. */
const seen = /<(?:img|hr|iframe|video|audio|picture|svg|object|embed|table|input|[a-z]+-[\w-]+)\b/i;

/** Tags alone are nothing. */
export function isEmptyHtml(value: FieldValue): boolean {
  if (isNothing(value)) return true;
  if (typeof value !== "string") return false;
  return !seen.test(value) && /^(?:\s|&nbsp;|\u00a0|<[^>]*>)*$/.test(value);
}

/** Its words, a block a line. */
export function wordsOfHtml(html: string): string {
  const spaced = html.replace(/<\/(p|h\d|li|div|blockquote|tr|pre|figcaption)>|<br\s*\/?>/gi, "$&\n");
  const text = new DOMParser().parseFromString(spaced, "text/html").body.textContent ?? "";
  return text.replace(/\n{3,}/g, "\n\n").trim();
}
