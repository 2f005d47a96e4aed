import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, rankOf, readWish, splitCollection } from "./match.ts";

test("ADM-137 > asks for actions and # for collections", () => {
  assert.deepEqual(readWish(" > save "), { scope: "actions", text: "save" });
  assert.deepEqual(readWish("#blog a b"), { scope: "collections", text: "blog a b" });
  assert.deepEqual(readWish("stones "), { scope: "all", text: "stones" });
  assert.deepEqual(splitCollection("blog old stones"), { name: "blog", words: "old stones" });
});

test("ADM-137 every word must be there; beginnings come first, accents and case do not count", () => {
  const entries = ["Übersicht der Bilder", "Bilder", "Alte Bilder", "Texte"];
  assert.deepEqual(
    pick(entries, "bild", (entry) => entry),
    ["Bilder", "Übersicht der Bilder", "Alte Bilder"],
  );
  assert.deepEqual(
    pick(entries, "BILD uber", (entry) => entry),
    ["Übersicht der Bilder"],
  );
  assert.equal(rankOf("Texte", "x y"), undefined);
  assert.equal(rankOf("Texte", ""), 0);
});
