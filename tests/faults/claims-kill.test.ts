// Sudden death in the middle of a request with an Idempotency-Key: a repeat carries out what was not done, and nothing twice.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { repeats, type Server, startServer } from "../harness.ts";
import { runSql as runSqlOf } from "../support/sql.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({ id: "note", properties: { title: { type: "string" } }, required: [], index: ["title"] });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

const runSql = (sql: string) => runSqlOf(server, sql);
const post = (path: string, body: object, key: string) =>
  server.request("POST", path, { body, headers: { "idempotency-key": key } });

test("HTTP-113 HTTP-117 a collection whose request died before it was stored is made by the repeat", async () => {
  // A process elsewhere has the lock of the schemas, so the request stops between its claim and its work.
  const owner = JSON.stringify({ machine: "elsewhere", pid: 1, run: "none" });
  const holds = "INSERT INTO holds (id, owner, lease_until) VALUES";
  await runSql(`${holds} ('schemas', '${owner}', '2999-01-01T00:00:00.000Z')`);
  const body = { id: "late", schema: "note" };
  const dead = post("/api/collections", body, "kill-1").catch(() => undefined);
  await until(
    () => runSql("SELECT name FROM request_claims WHERE written = 0 AND answer IS NULL"),
    (found) => found === 1,
  );
  // The lock is asked for again and again meanwhile.
  await sleep(200);
  assert.equal(await runSql("SELECT name FROM request_claims WHERE written <> 0"), 0);
  await server.kill();
  await dead;
  await runSql("DELETE FROM holds WHERE id = 'schemas'");
  await server.restart();
  // The dead process is known by its lease: 60 seconds. A test does not wait for them.
  await runSql("UPDATE request_claims SET expires = 0");
  const made = await post("/api/collections", body, "kill-1");
  assert.equal(made.status, 201, made.text);
  assert.equal((await server.request("GET", "/api/collections/late/settings")).status, 200);
  const again = await post("/api/collections", body, "kill-1");
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [201, "true"]);
});

test("HTTP-113 HTTP-117 after a kill under many requests each object was made by exactly one of them", async () => {
  for (let cycle = 1; cycle <= repeats(2, 12); cycle += 1) {
    const send = (at: number) =>
      post("/api/collections/notes", { id: `n-${cycle}-${at}`, title: "x" }, `c${cycle}-${at}`);
    const all = Array.from({ length: 60 }, (_, at) => at);
    const dead = Promise.allSettled(all.map(send));
    await sleep(20 + Math.random() * 150);
    await server.kill();
    await dead;
    await server.restart();
    await runSql("UPDATE request_claims SET expires = 0 WHERE written = 0");
    for (const at of all) {
      const { status, text } = await send(at);
      // Refused because its id is taken: then it was carried out twice.
      assert.ok(status === 201 || (status === 409 && text.includes("was carried out")), `${status} ${text}`);
      const made = await server.request("GET", `/api/collections/notes/n-${cycle}-${at}`);
      assert.equal(made.status, 200, `object ${at} was lost: ${text}`);
    }
  }
});
