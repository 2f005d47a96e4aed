// Search -> the query text of each engine's full-text index. Terms come as folded words; each is quoted here,
// so that nothing a caller writes is ever syntax. Both engines find the same; only the weights within a rank differ.

import { lexeme, markOf } from "./search-text.ts";
import type { Selection } from "./selection.ts";

/** How many of the matches are ranked, where ranking reads each of them; the rest follow by id. */
export const rankedMatches = 2_000;

type Engine = "sqlite" | "postgres";
type Asked = Pick<Selection, "collection" | "search">;

/** The words of objects that were written before words had marks, and are not rebuilt yet. There are none after that. */
const unmarked = "";

/** undefined: there is nothing to look for. */
export function findMatchText(asked: Asked, engine: Engine): string | undefined {
  const texts = [markOf(asked.collection), unmarked].map((mark) => matchText(asked, engine, mark));
  return texts[0] === "" ? undefined : texts.map((text) => `(${text})`).join(engine === "sqlite" ? " OR " : " | ");
}

/** What matches are ranked by, where that is asked for apart. */
export function rankText(asked: Asked): string {
  return matchText(asked, "postgres", markOf(asked.collection));
}

/** For the embedded engine: these words side by side. undefined: there are none. */
export function findWordsMatch(collection: string, words: string[]): string | undefined {
  if (words.every((word) => word === "")) return undefined;
  return [markOf(collection), unmarked].map((mark) => fts5Phrase(words, mark, false)).join(" OR ");
}

function matchText({ search }: Asked, engine: Engine, mark: string): string {
  const all = search?.terms.map((words) => words.filter((word) => word !== "")) ?? [];
  const terms = all.filter((words) => words.length > 0);
  const spell = engine === "sqlite" ? fts5Phrase : tsqueryPhrase;
  const operators = engine === "sqlite" ? { and: " AND ", or: " OR " } : { and: " & ", or: " | " };
  return terms.map((words) => spell(words, mark, isOpen(words, terms))).join(operators[search?.mode ?? "and"]);
}

function fts5Phrase(words: string[], mark: string, isOpen: boolean): string {
  const marked = words.map((word) => mark + word).join(" ");
  return `"${marked.replaceAll('"', '""')}"${isOpen ? " *" : ""}`;
}

function tsqueryPhrase(words: string[], mark: string, isOpen: boolean): string {
  return `(${words.map((word) => lexeme(mark, word)).join(" <-> ")}${isOpen ? ":*" : ""})`;
}

/** SqliteWorker other terms a single letter is a word of its own: as a beginning it would stand for much of the index. */
function isOpen(words: string[], terms: string[][]): boolean {
  return terms.length === 1 || [...(words.at(-1) ?? "")].length > 1;
}
