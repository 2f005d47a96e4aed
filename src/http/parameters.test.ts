import assert from "node:assert/strict";
import { test } from "node:test";
import { text, whole } from "#openapi/route-doc.ts";
import { checkParameters } from "./parameters.ts";
import { parseQuery } from "./query-string.ts";

const described = {
  limit: whole("", { minimum: 1, default: 5 }),
  seed: whole("", { maximum: 9 }),
  order: text("", { enum: ["asc", "desc"] }),
  search: text(""),
  filter: { type: "object" },
  fields: { type: ["string", "array"] },
};
const read = (query: string) => ({ ...checkParameters(parseQuery(query), described) });

test("HTTP-64 unknown parameters do not reach the operation", () => {
  assert.deepEqual(read("limit=3&order=asc&search=a"), { limit: "3", order: "asc", search: "a" });
  assert.deepEqual(read("limit=3&secret=1&toString=2&api_key=x"), { limit: "3" });
  assert.deepEqual(read("order="), { order: "" });
  assert.deepEqual(read("fields[]=a&fields[]=b"), { fields: ["a", "b"] });
});

test("HTTP-63 values are checked by the description", () => {
  for (const [query, name] of [
    ["limit=0", "limit"],
    ["limit=", "limit"],
    ["limit=1.5", "limit"],
    ["limit=-1", "limit"],
    ["limit=1&limit=2", "limit"],
    ["limit[a]=1", "limit"],
    ["seed=10", "seed"],
    ["order=up", "order"],
    ["order=asc&order=desc", "order"],
    ["search[]=a", "search"],
  ] as const)
    assert.throws(
      () => read(query),
      (error: { status: number; details: object }) => error.status === 400 && name in error.details,
      query,
    );
});
