// Search -> the query text of a full-text index. Terms come as folded words; the engine quotes each of them, so that
// nothing a caller writes is ever syntax. What is a term, and where its last word is a prefix, is the same on both engines.

import { markOf } from "./search-text.ts";
import type { Search } from "./selection.ts";

/** How a full-text index spells its queries. */
export interface QuerySpelling {
  /** These words side by side, each with the mark of its collection before it. */
  phrase(words: readonly string[], mark: string, isPrefix: boolean): string;
  and: string;
  or: string;
}

/** The words of objects that were written before words had marks, and are not rebuilt yet. There are none after that. */
export const unmarked = "";

/** undefined: there is nothing to look for. */
export function findMatchText(collection: string, search: Search, spelling: QuerySpelling): string | undefined {
  const texts = [markOf(collection), unmarked].map((mark) => markedMatchText(mark, search, spelling));
  return texts[0] === "" ? undefined : texts.map((text) => `(${text})`).join(spelling.or);
}

export function markedMatchText(mark: string, search: Search, spelling: QuerySpelling): string {
  const all = search.terms.map((words) => words.filter((word) => word !== ""));
  const terms = all.filter((words) => words.length > 0);
  return terms.map((words) => spelling.phrase(words, mark, isPrefix(words, terms))).join(spelling[search.mode]);
}

/** Beside other terms a single letter is a word of its own: as a prefix it would match much of the index. */
function isPrefix(words: string[], terms: string[][]): boolean {
  return terms.length === 1 || [...(words.at(-1) ?? "")].length > 1;
}
