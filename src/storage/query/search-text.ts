// The words of the full-text index. They come folded to plain words separated by spaces, so that both engines hold the
// same words. One index serves all collections, and each word carries the mark of its collection: the cost and the
// results of a search depend on the words of that collection alone (decision 022).

import { hash } from "node:crypto";
import { fingerprint } from "#base/text.ts";
import type { SearchText } from "#storage/port.ts";

/** A letter for full-text indexes that is in no folded word (it is folded to `a`): no word begins with another's mark. */
const sign = "ª";
const markLength = 5;

/** What the words of a collection begin with. Two collections may share one by chance; that costs time, and nothing else. */
export function markOf(collection: string): string {
  const number = Number.parseInt(hash("sha1", collection).slice(0, 12), 16) % 36 ** markLength;
  return sign + number.toString(36).padStart(markLength, "0");
}

/** Changes with the words, and with the mark that they are stored under. */
export function textHash({ collection, title, body }: SearchText): string {
  return fingerprint(`${markOf(collection)}\n${title}\n${body}`);
}
