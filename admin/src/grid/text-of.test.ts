import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, localText, plainText, textOf } from "./text-of.ts";

test("HTML is read as its text", () => {
  assert.equal(plainText("<p>Old <b>stones</b> &amp; maps&#33;</p><script>x()</script>"), "Old stones & maps!");
  assert.equal(plainText("a < b"), "a");
  assert.equal(plainText("&#99999999999;&unknown;"), "&unknown;");
});

test("values are one line of text", () => {
  assert.equal(textOf(["a", 2, null]), "a, 2");
  assert.equal(textOf(undefined), "");
  assert.equal(localText({ en: "", de: "Weg" }), "Weg");
});

test("galleries, decks and depots are counted, folders included", () => {
  assert.equal(countOf([1, 2]), 2);
  assert.equal(countOf({ a: {}, b: {} }), 2);
  assert.equal(countOf({ files: [{ name: "a" }, { mime: "folder", files: [{ name: "b" }, { name: "c" }] }] }), 3);
  assert.equal(countOf(undefined), 0);
});
