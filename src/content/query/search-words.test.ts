import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { parseSearch } from "./search-words.ts";

test("SEA-1 words are terms that must all occur", () => {
  assert.deepEqual(parseSearch("Red  lamp"), { terms: [["red"], ["lamp"]], mode: "and" });
});

test("SEA-3 a quoted phrase is one term, and so are words joined by signs", () => {
  assert.deepEqual(parseSearch('"Red Lamp" desk').terms, [["red", "lamp"], ["desk"]]);
  assert.deepEqual(parseSearch("e-mail").terms, [["e", "mail"]]);
  assert.deepEqual(parseSearch('"red lamp').terms, [["red"], ["lamp"]]);
});

test("SEA-4 or anywhere makes any term enough", () => {
  assert.deepEqual(parseSearch("red lamp OR desk"), { terms: [["red"], ["lamp"], ["desk"]], mode: "or" });
  assert.deepEqual(parseSearch('red "or" desk').mode, "and");
});

test("SEA-5 and is ignored, and nothing but and, or and signs leaves no term", () => {
  assert.deepEqual(parseSearch("red and lamp").terms, [["red"], ["lamp"]]);
  for (const text of ["and", "or AND", '""', "!!! ..."]) assert.deepEqual(parseSearch(text).terms, [], text);
});

test("SEA-6 case and accents are folded", () => {
  assert.deepEqual(parseSearch("CAFÉ Straße").terms, [["cafe"], ["strasse"]]);
});

test("SEA-9 long texts and many terms are refused (T11)", () => {
  assert.throws(() => parseSearch("a".repeat(1_001)), CairnError);
  assert.throws(() => parseSearch("ab ".repeat(17)), CairnError);
  assert.equal(parseSearch("ab ".repeat(16)).terms.length, 16);
  assert.throws(() => parseSearch(`"${"京".repeat(101)}"`), CairnError);
  assert.equal(parseSearch("京".repeat(100)).terms.length, 1);
});
