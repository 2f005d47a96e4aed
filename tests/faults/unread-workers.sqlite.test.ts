// Answers that nobody reads, from several processes of one server: each has its share of the bounds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { askFrom, askUnread, memoryOf } from "../support/unread-answers.ts";

const list = "/api/collections/articles";
let server: Server;
before(async () => {
  server = await startServer({ isFresh: true, args: ["--workers", "2"], env: { CAIRN_ADMIN_BUILD: "false" } });
  await server.makeSchema({ id: "article", properties: { text: { type: "string", field: "textarea" } }, index: [] });
  await server.makeCollection({ id: "articles", name: "Articles", schema: "article", publicOperations: ["read"] });
  for (const id of ["a", "b", "c", "d"])
    assert.equal((await server.request("POST", list, { body: { id, text: id.repeat(1_000_000) } })).status, 201);
});
after(() => server.stop());

test("BOUND-31 BOUND-35 several processes together keep to the bound, and answer others", async () => {
  const paths = Array.from({ length: 60 }, (_, at) => `${list}?limit=4&sort=id:asc&_=${at}`);
  // Both processes have read it, and kept what they keep.
  for (let n = 0; n < 6; n += 1) await askFrom(server, "127.0.0.32", `${list}?limit=4&sort=id:asc`);
  const rest = memoryOf(server.pid).now;
  const unread = await askUnread(
    server,
    "127.0.0.31",
    paths.map((path) => [path, path]),
  );
  // From both processes: connections go to them in turn.
  for (let n = 0; n < 2; n += 1)
    await until(
      () => askFrom(server, "127.0.0.31", `${list}/a`),
      ({ status }) => status === 503,
    );
  assert.equal((await askFrom(server, "127.0.0.32", `${list}?limit=4`)).body.data.length, 4);
  const grown = memoryOf(server.pid).most - rest;
  assert.ok(grown < 256_000_000, `${Math.round(grown / 1e6)} MB`);
  unread.close();
});
