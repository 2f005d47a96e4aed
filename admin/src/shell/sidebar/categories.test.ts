import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdminCollection } from "@contract/admin.ts";
import { byCategory, contentCollections } from "./categories.ts";

const collection = (id: string, category = "", name = id) => ({ id, name, category }) as AdminCollection;

test("ADM-121 collections stand under their categories, those without one first", () => {
  const found = byCategory([collection("b", "Zoo"), collection("a"), collection("c", "Art"), collection("d", "Zoo")]);
  const ids = found.map(({ name, collections }) => [name, collections.map(({ id }) => id)]);
  assert.deepEqual(ids, [
    ["", ["a"]],
    ["Art", ["c"]],
    ["Zoo", ["b", "d"]],
  ]);
});

test("ADM-121 the filter looks at name, id and category, in any case", () => {
  const all = [collection("blog", "News", "Journal"), collection("shop")];
  for (const filter of ["BLOG", "jour", " news "]) assert.equal(byCategory(all, filter)[0]?.collections[0]?.id, "blog");
  assert.deepEqual(byCategory(all, "x"), []);
});

test("ADM-121 collections with pages of their own are not among the content", () => {
  assert.deepEqual(contentCollections([collection("auth"), collection("mailer"), collection("blog")]), [
    collection("blog"),
  ]);
});
