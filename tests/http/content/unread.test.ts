// Answers that nobody reads: their bytes are bounded, others are served meanwhile, and they end.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { askFrom, askUnread, memoryOf } from "../../support/unread-answers.ts";

const list = "/api/collections/articles";
/** Of 4 MB. */
const page = (number: number) => `${list}?limit=4&offset=0&sort=id:asc&_=${number}`;
const count = 60;
const [silent, other] = ["127.0.0.21", "127.0.0.22"];

let server: Server;
before(async () => {
  server = await startServer({ isFresh: true, env: { CAIRN_ADMIN_BUILD: "false" } });
  await server.makeSchema({ id: "article", properties: { text: { type: "string", field: "textarea" } }, index: [] });
  await server.makeCollection({ id: "articles", name: "Articles", schema: "article", publicOperations: ["read"] });
  for (const id of ["a", "b", "c", "d"])
    assert.equal((await server.request("POST", list, { body: { id, text: id.repeat(1_000_000) } })).status, 201);
});
after(() => server.stop());

test("BOUND-30 BOUND-32 BOUND-34 BOUND-35 who reads nothing is refused and cut off, and harms no other network", async () => {
  const rest = memoryOf(server.pid).now;
  const numbers = Array.from({ length: count }, (_, at) => at);
  const unread = [
    await askUnread(server, silent, [numbers.map(page)]),
    await askUnread(
      server,
      silent,
      numbers.map((at) => [page(at), page(at)]),
    ),
  ];
  const refused = await until(
    () => askFrom(server, silent, `${list}/a`),
    ({ status }) => status === 503,
  );
  assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/);
  assert.ok(refused.headers["x-request-id"]);
  assert.equal(refused.body.error.code, 503);
  assert.equal((await askFrom(server, silent, "/healthz")).status, 200);
  assert.equal((await askFrom(server, other, page(0))).body.data.length, 4);
  assert.equal((await server.request("GET", page(0))).status, 200);
  const grown = memoryOf(server.pid).most - rest;
  assert.ok(grown < 256_000_000, `${Math.round(grown / 1e6)} MB`);
  while ((await askFrom(server, silent, `${list}/a`)).status === 503) await sleep(250);
  for (const each of unread) each.close();
});
