// A node whose machine was suspended: no process of it runs, and its clock stands still. Here the process is stopped, and the
// database's clock goes ahead instead: its search path has a `clock_timestamp` of this test before the one of PostgreSQL.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { type Server, startServer } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";

const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "cairn-suspended-")));
let database: Client;
let drop: () => Promise<void>;
let first: Server;
let second: Server;

before(async () => {
  const made = await createDatabase();
  drop = made.drop;
  database = new Client({ connectionString: made.url });
  await database.connect();
  await database.query(`
    CREATE SCHEMA shifted;
    CREATE TABLE shifted.shift (by INTERVAL);
    INSERT INTO shifted.shift VALUES ('0');
    CREATE FUNCTION shifted.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() + by FROM shifted.shift';
    ALTER DATABASE "${new URL(made.url).pathname.slice(1)}" SET search_path = public, shifted, pg_catalog`);
  const env = { CAIRN_DATABASE_URL: made.url, CAIRN_SITE_KEY: "ab".repeat(32) };
  const start = (dataDir = "") => startServer({ dataDir, env, isFresh: true });
  first = await start(folders[0]);
  second = await start(folders[1]);
});
after(async () => {
  await second?.stop();
  await first?.stop();
  await database.end();
  await drop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test("STO-130 a node that was suspended for five minutes shows nothing from before that", async () => {
  await first.makeSchema({ id: "thing", properties: { title: { type: "string" } } });
  await first.makeCollection({ id: "things", schema: "thing" });
  const made = await first.request("POST", "/api/collections/things", { body: { id: "one", title: "before" } });
  assert.equal(made.status, 201, made.text);
  const ask = async (server: Server, method: string, body?: object) => {
    const options = { key: first.key, ...(body && { body }) };
    const answer = await server.request(method, "/api/collections/things/one", options);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.title;
  };
  for (let turn = 0; turn < 3; turn += 1) assert.equal(await ask(second, "GET"), "before");
  process.kill(second.pid, "SIGSTOP");
  try {
    await ask(first, "PATCH", { title: "after" });
    // What happens in five minutes.
    await database.query("DELETE FROM touched");
    await database.query("UPDATE shifted.shift SET by = '5 minutes 1 second'");
  } finally {
    process.kill(second.pid, "SIGCONT");
  }
  assert.equal(await ask(second, "GET"), "after");
});
