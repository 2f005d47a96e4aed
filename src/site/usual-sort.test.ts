import assert from "node:assert/strict";
import { test } from "node:test";
import type { Collection } from "#content/collections/collection.ts";
import { usualSort } from "./usual-sort.ts";

test("COL-56 pages are ordered by id when the property of sortBy has left the schema", () => {
  const sortFor = (sortBy: string) =>
    usualSort({ settings: { sortBy }, schema: { properties: new Map([["title", {}]]) } } as unknown as Collection);
  assert.deepEqual(["title", "created", "modified", "id", "gone"].map(sortFor), [
    ...["title", "created", "modified", "id", "id"],
  ]);
});
