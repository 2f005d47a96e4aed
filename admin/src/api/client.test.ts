// Addresses of requests; what needs a server is in tests/admin.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkAtOnce } from "@contract/admin.ts";
import { addressOf } from "./client.ts";
import { routes } from "./routes.ts";

test("a path's names are filled in and escaped", () => {
  assert.equal(
    addressOf(routes.object, { path: { collection: "blog", id: "a/b?c" } }),
    "/api/collections/blog/a%2Fb%3Fc",
  );
  assert.throws(() => addressOf(routes.object, { path: { collection: "blog" } }), /id is missing/);
});

test("a query is appended; what is undefined is left out", () => {
  assert.equal(
    addressOf(routes.search, { query: { q: "a b", limit: bulkAtOnce, collections: undefined } }),
    "/api/search?q=a+b&limit=100",
  );
  assert.equal(addressOf(routes.recent, { query: {} }), "/api/recent");
});
