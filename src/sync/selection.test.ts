import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { fullMirror, readSeeds, readSelection, selectionParams, type Wanted } from "./selection.ts";

test("SYNC-2 no parameter is the full mirror; the key in the address is not a parameter", () => {
  assert.deepEqual(readSelection({}).selection, fullMirror);
  assert.deepEqual(readSelection({ api_key: "x" }).selection, fullMirror);
  assert.deepEqual(readSelection({ objects: "news" }).selection, {});
});

test("SYNC-2 empty is all, else the ids of a comma list", () => {
  const { selection } = readSelection({ schemas: "", pages: " a, b ,", "mcp-prompts": "*" });
  assert.deepEqual(selection, { schemas: "all", pages: ["a", "b"], "mcp-prompts": "all" });
});

test("SYNC-2 an unknown parameter, or one that is there twice, is refused", () => {
  for (const params of [{ page: "" }, { schemas: ["a", "b"] }, { constructor: "" }]) {
    assert.throws(
      () => readSelection(params),
      (error) => error instanceof CairnError && error.status === 400,
    );
  }
});

test("SYNC-40 objects to seed are a collection, or some ids of one, and add up", () => {
  assert.deepEqual(
    [...readSeeds(["news:a,b", "news:b,c", "blog"])],
    [
      ["news", ["a", "b", "c"]],
      ["blog", "all"],
    ],
  );
  assert.deepEqual([...readSeeds(["news:a", "news"])], [["news", "all"]]);
  for (const text of ["", ":a", "news:", "../x", 5]) assert.throws(() => readSeeds([text]), CairnError);
});

test("SYNC-39 the selection reads the same on the other side; a very long list becomes all", () => {
  const seeds = new Map<string, Wanted>([
    ["news", ["a", "b"]],
    ["blog", "all"],
  ]);
  const params = selectionParams({ schemas: "all", pages: ["x", "y"] }, seeds);
  assert.equal(decodeURIComponent(String(params)), "schemas=&pages=x,y&objects=news:a,b&objects=blog");
  const many = Array.from({ length: 1_000 }, (_, n) => `page-${n}`);
  assert.equal(String(selectionParams({ pages: many }, new Map())), "pages=");
});
