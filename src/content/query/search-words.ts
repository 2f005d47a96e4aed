// The text of a search box as terms. Words are folded exactly as in the full-text index.

import { foldWords } from "#base/text.ts";
import type { Search } from "#storage/query/selection.ts";
import { refuse } from "./parameters.ts";

const maxLength = 1_000;
const maxTerms = 16;
/** Of all terms: signs within a term split words, and every character of some scripts is one. */
const maxWords = 100;

/** No terms: the text has no words, and finds nothing. */
export function parseSearch(text: string): Search {
  if (text.length > maxLength) refuse("search", `search may have at most ${maxLength} characters.`);
  const terms: string[][] = [];
  let mode: Search["mode"] = "and";
  for (const [, phrase, word = ""] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const lower = word.toLowerCase();
    if (lower === "or") mode = "or";
    else if (lower !== "and") terms.push(foldWords(phrase ?? word).split(" "));
  }
  const filled = terms.filter((words) => words[0] !== "");
  if (filled.length > maxTerms) refuse("search", `search may have at most ${maxTerms} terms.`);
  if (filled.flat().length > maxWords) refuse("search", `search may have at most ${maxWords} words.`);
  return { terms: filled, mode };
}
