// The database server crashes and comes back, under writers. It has a cluster of its own, which only this file restarts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { amongOthers } from "#base/patience.fixture.ts";
import { type Cluster, startCluster } from "../../scripts/postgres.ts";
import { type Server, startServer } from "../harness.ts";
import { compare, openJournal, schema, writeUntilStopped } from "./writers.ts";

let cluster: Cluster;
let server: Server;

before(async () => {
  cluster = await startCluster();
  server = await startServer({ env: { CAIRN_DATABASE_URL: cluster.url } });
  await server.makeSchema(schema);
  await server.makeCollection({ id: "north", schema: schema.id });
});
after(async () => {
  await server.stop();
  await cluster.stop();
});

test("DUR-15 five crashes of the database under four writers lose and double nothing (F22)", async () => {
  const journal = openJournal();
  for (let round = 1; round <= 5; round += 1) {
    journal.isStopped = false;
    const ackedBefore = journal.acked;
    const writers = Array.from({ length: 4 }, () => writeUntilStopped(server, journal, ["north"]));
    await sleep(300);
    await cluster.crash();
    await cluster.resume();
    const back = performance.now();
    let answer = await server.request("GET", "/api/collections/north?limit=1");
    while (answer.status !== 200 && performance.now() - back < amongOthers(5_000)) {
      assert.equal(answer.status, 503, answer.text);
      await sleep(50);
      answer = await server.request("GET", "/api/collections/north?limit=1");
    }
    assert.equal(answer.status, 200, `not back within five seconds of restart ${round}: ${answer.text}`);
    await sleep(200);
    journal.isStopped = true;
    await Promise.all(writers);
    assert.deepEqual(await compare(server, journal, ["north"]), [], `after restart ${round}`);
    assert.ok(journal.acked > ackedBefore);
  }
});

test("DUR-15 while the database is away, reads and writes answer 503 within five seconds (F22)", async () => {
  await cluster.crash();
  for (const [method, path, body] of [
    ["GET", "/api/collections/north", undefined],
    ["POST", "/api/collections/north", { id: "away", title: "x" }],
  ] as const) {
    const started = performance.now();
    const answer = await server.request(method, path, { body });
    assert.equal(answer.status, 503, answer.text);
    assert.equal(answer.body.error.code, 503);
    assert.equal(answer.headers.get("retry-after"), "1");
    assert.ok(performance.now() - started < amongOthers(5_000));
  }
  await cluster.resume();
  await sleep(1_000);
  assert.equal((await server.request("GET", "/api/collections/north/away")).status, 404);
});
