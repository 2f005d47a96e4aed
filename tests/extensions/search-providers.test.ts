// Searches that extensions answer, with the built-in search behind them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const code = `export function register(cairn) {
  cairn.searchProvider("own", {
    async search({ collection, words, limit, offset }) {
      if (words === "throw") throw new Error("a secret of the code");
      if (words === "slow") await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (words === "odd") return { hits: "many" };
      if (words === "none") return { hits: [], total: 0 };
      const all = ["three", "gone", "draft", "one"].slice(offset, offset + limit);
      return { hits: all.map((id, at) => ({ id, score: 10 - at })), total: 4 };
    },
  });
}`;

let server: Server;
const posts = "/api/collections/posts";

before(async () => {
  server = await startServer();
  const searchProviders = [{ name: "own", collections: ["posts"] }];
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/search",
    manifest: { contributes: { searchProviders } },
    files: { "index.ts": code },
  });
  await enableExtension(server, "acme/search");
  const properties = { title: { type: "string", field: "text" }, draft: { field: "toggle" } };
  await server.makeSchema({ id: "post", properties, index: ["title"] });
  for (const id of ["posts", "others"]) await server.makeCollection({ id, schema: "post", publicOperations: ["read"] });
  for (const collection of ["posts", "others"])
    for (const [id, title] of Object.entries({ one: "First", two: "throw slow odd", three: "Third", draft: "Draft" }))
      await server.request("POST", `/api/collections/${collection}`, { body: { id, title, draft: id === "draft" } });
  // On a busy machine the first start of the code may take longer than a search waits for it.
  const warm = () => server.request("GET", `${posts}?search=warm`);
  await until(warm, ({ headers }) => headers.get("x-search") === "acme/search");
});
after(() => server.stop());

const ids = (data: { id: string }[]) => data.map(({ id }) => id);

test("EXT-62 an extension answers searches by ids in its order; rights are the caller's", async () => {
  const list = await server.request("GET", `${posts}?search=anything`);
  assert.deepEqual(ids(list.body.data), ["three", "draft", "one"]);
  assert.deepEqual([list.headers.get("x-search"), list.headers.get("x-total-count")], ["acme/search", "4"]);
  const found = await server.request("GET", `${posts}/query?search=anything&limit=2&offset=2`);
  assert.deepEqual([ids(found.body.data), found.body.meta.search], [["draft", "one"], "acme/search"]);
  const open = await server.request("GET", `${posts}?search=anything`, { key: null });
  assert.deepEqual(ids(open.body.data), ["three", "one"]);
  assert.equal(open.headers.get("x-total-count"), "2", "the number of drafts is not told");
  assert.deepEqual(ids((await server.request("GET", `${posts}?search=none`)).body.data), []);
  const other = await server.request("GET", "/api/collections/others?search=first");
  assert.deepEqual([ids(other.body.data), other.headers.get("x-search")], [["one"], null]);
});

test("EXT-62 the built-in search answers when the extension fails, and searches with filters", async () => {
  for (const word of ["throw", "odd", "slow"]) {
    const answer = await server.request("GET", `${posts}/query?search=${word}`);
    assert.deepEqual([answer.status, ids(answer.body.data), answer.body.meta.search], [200, ["two"], "built-in"], word);
    assert.doesNotMatch(answer.text, /secret/);
  }
  const filtered = await server.request("GET", `${posts}?search=first&filter[title]=First`);
  assert.deepEqual([ids(filtered.body.data), filtered.headers.get("x-search")], [["one"], null]);
  await server.request("POST", "/api/extensions/acme/search/disable");
  const off = await server.request("GET", `${posts}?search=third`);
  assert.deepEqual([ids(off.body.data), off.headers.get("x-search")], [["three"], null]);
});
