// A collection that the database server's statistics do not know: they follow its growth.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
let database: Client;

before(async () => {
  server = await startServer();
  database = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await database.connect();
  // What the database server does by itself would hide what Cairn does.
  for (const table of ["objects", "object_index"])
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  await server.makeSchema({ id: "note", properties: { title: { type: "string" } }, index: [] });
});
after(async () => {
  await database?.end();
  await server?.stop();
});

async function fill(id: string, count: number): Promise<void> {
  await server.makeCollection({ id, schema: "note" });
  const rows = Array.from({ length: count }, (_, n) => ({ id: `n${n}`, title: `Note ${n}` }));
  const { status, text } = await server.request("POST", `/api/import/collections/${id}/json`, { body: rows });
  assert.equal(status, 200, text);
}

async function knownOf(table: string): Promise<string> {
  const { rows } = await database.query<{ known: string | null }>(
    "SELECT most_common_vals::text AS known FROM pg_stats WHERE tablename = $1 AND attname = 'collection'",
    [table],
  );
  return rows[0]?.known ?? "";
}

test("STO-133 statistics are taken when a collection has grown, also beside one that is much larger", async () => {
  await fill("large", 3_000);
  await until(async () => (await knownOf("object_index")).includes("large"));
  await fill("small", 600);
  for (const table of ["objects", "object_index"]) await until(async () => /large.*small/.test(await knownOf(table)));
  const found = await server.request("GET", "/api/collections/small?filter[title][contains]=Note%205&limit=1");
  assert.equal(found.headers.get("x-total-count"), "111");
});

test("STO-133 statistics that waited for an index build do not put off the next ones", async () => {
  // Ten times that is more than the patience of the test.
  const waiting = 6_000;
  const maintenanceLock = 7_226_002;
  await database.query("SELECT pg_advisory_lock($1)", [maintenanceLock]);
  try {
    await fill("waiting", 700);
    await sleep(waiting);
  } finally {
    await database.query("SELECT pg_advisory_unlock($1)", [maintenanceLock]);
  }
  const isKnown = (id: string) => async () => (await knownOf("object_index")).includes(id);
  await until(isKnown("waiting"));
  await fill("next", 700);
  await until(isKnown("next"));
});

test("STO-133 a server that starts takes statistics of what has changed since", async () => {
  const find = async () => {
    const { rows } = await database.query<{ taken: Date; changed: number }>(
      "SELECT last_analyze AS taken, n_mod_since_analyze::int AS changed FROM pg_stat_user_tables WHERE relname = 'objects'",
    );
    return rows[0] ?? { taken: new Date(0), changed: 0 };
  };
  await server.terminate();
  const { taken } = await find();
  await database.query("UPDATE objects SET modified = modified");
  await until(async () => (await find()).changed >= 3_000);
  await server.restart();
  await until(async () => (await find()).taken > taken);
});
