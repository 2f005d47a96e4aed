// Search -> the query text of each engine's full-text index. Terms come as folded words; each is quoted here,
// so that nothing a caller writes is ever syntax. Both engines find the same; only the weights within a rank differ.

import { lexeme } from "./search-text.ts";
import type { Search } from "./selection.ts";

/** How many of the matches are ranked, where ranking reads each of them; the rest follow by id. */
export const rankedMatches = 2_000;

/** undefined: there is nothing to look for. */
export function findMatchText(search: Search, engine: "sqlite" | "postgres"): string | undefined {
  const spell = engine === "sqlite" ? fts5Phrase : tsqueryPhrase;
  const terms = search.terms.map((words) => words.filter((word) => word !== "")).filter((words) => words.length > 0);
  if (terms.length === 0) return undefined;
  const operator = engine === "sqlite" ? { and: " AND ", or: " OR " } : { and: " & ", or: " | " };
  return terms.map((words) => spell(words, isOpen(words, terms))).join(operator[search.mode]);
}

function fts5Phrase(words: string[], isOpen: boolean): string {
  return `"${words.join(" ").replaceAll('"', '""')}"${isOpen ? " *" : ""}`;
}

function tsqueryPhrase(words: string[], isOpen: boolean): string {
  return `(${words.map(lexeme).join(" <-> ")}${isOpen ? ":*" : ""})`;
}

/** Beside other terms a single letter is a word of its own: as a beginning it would stand for much of the index. */
function isOpen(words: string[], terms: string[][]): boolean {
  return terms.length === 1 || [...(words.at(-1) ?? "")].length > 1;
}
