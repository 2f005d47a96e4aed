import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type DiffPart, wordDiff } from "./word-diff.ts";

const marked = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("");

const side = (parts: DiffPart[], without: DiffPart["kind"]) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

test("ADM-311 words that were removed and added are marked, the others are not", () => {
  equal(marked("A path of stones", "A path of old stones"), "A path of {+old +}stones");
  equal(marked("Hut rules, new", "Hut rules, old"), "Hut rules, [-new-]{+old+}");
  equal(marked("one two three four", "one 2 3 four"), "one [-two three-]{+2 3+} four");
  equal(marked("", "New"), "{+New+}");
  equal(marked("Gone", ""), "[-Gone-]");
  deepEqual(wordDiff("Same", "Same"), [{ kind: "same", text: "Same" }]);
  deepEqual(wordDiff("", ""), []);
  equal(marked("Über Größe", "Über Güte"), "Über [-Größe-]{+Güte+}");
});

test("ADM-311 both texts can be read out of the parts, whatever they are", () => {
  const words = ["a", "b", "c", " ", "  ", "\n", ".", "ä", "word", "<p>"];
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % most;
  };
  const text = () => Array.from({ length: next(30) }, () => words[next(words.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const [before, after] = [text(), text()];
    const parts = wordDiff(before, after);
    equal(side(parts, "added"), before);
    equal(side(parts, "removed"), after);
  }
  const long = Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(" ");
  const other = Array.from({ length: 5_000 }, (_, at) => `v${at}`).join(" ");
  deepEqual(
    wordDiff(long, other).map(({ kind }) => kind),
    ["removed", "added"],
  );
});
