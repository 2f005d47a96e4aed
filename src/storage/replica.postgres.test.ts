// Long queries on a real streaming replica: used when it is up to date, passed over when it is behind or away.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { createLog } from "#base/log.ts";
import { until } from "#base/patience.fixture.ts";
import { type StartedServer, startScript } from "./engines/fixtures/servers.fixture.ts";
import { openStorage } from "./open.ts";
import type { Storage } from "./port.ts";

const limits = { timeoutMs: 30_000, publicTimeoutMs: 30_000, budgetMs: 0, publicBudgetMs: 0 };
const caller = { name: "key:1", hasCredential: true };
// Of its own: one that others use has no replica.
let cluster: StartedServer;
let server: StartedServer;
let db: Storage;
let replica: Client;

before(async () => {
  cluster = await startScript("postgres");
  const log = createLog("silent");
  const options = { dataDir: "", databaseUrl: cluster.url, role: "server" as const, log };
  await (await openStorage(options)).close();
  server = await startScript("postgres", "--replica-of", cluster.url);
  replica = new Client({ connectionString: server.url });
  replica.on("error", () => {});
  await replica.connect();
  db = await openStorage({ ...options, databaseReadUrl: server.url, reads: { threads: 0, limits: () => limits } });
});

after(async () => {
  await db.close();
  await replica.end().catch(() => {});
  await server.stop();
  await cluster.stop();
});

const where =
  "pg_is_in_recovery() AS is_replica, (SELECT count(*) FROM stamps) AS total, (SELECT count(*) FROM generate_series(1, 1000000)) AS large";
type Found = { is_replica: boolean; total: number };

const wanted = [{ attempts: [[{ sql: `SELECT ${where}`, params: [] }]], limit: 1 }];

async function ask(): Promise<Found> {
  return (await db.ask({ wanted, caller })).rows[0]?.[0] as unknown as Found;
}

async function stream(): Promise<Found> {
  const batches = await Array.fromAsync(db.iterate<Found>(`SELECT ${where}`, [], 10, caller));
  return batches[0]?.[0] as Found;
}

let stamps = 0;
async function write(): Promise<void> {
  stamps += 1;
  await db.write((tx) => tx.run("INSERT INTO stamps (scope, stamped) VALUES (?, '')", [`n${stamps}`]));
}

test("STO-111 what takes long is answered by the replica, with every write that was acknowledged before", async () => {
  // The first shows that it takes long.
  assert.equal((await ask()).is_replica, false);
  for (let n = 0; n < 12; n++) {
    await write();
    const found = n % 2 === 0 ? await ask() : await stream();
    assert.equal(Number(found.total), stamps);
  }
  // On a busy machine it may be behind now and then.
  await until(async () => (await ask()).is_replica && (await stream()).is_replica);
  const own = await Array.fromAsync(db.iterate<Found>(`SELECT ${where}`, [], 10));
  assert.equal(own[0]?.[0]?.is_replica, false);
});

test("STO-112 a replica of a former primary is passed over, though its position is higher", async () => {
  const promoted = await startScript("postgres", "--replica-of", cluster.url);
  const client = new Client({ connectionString: promoted.url });
  await client.connect();
  await client.query("SELECT pg_promote()");
  const options = { dataDir: "", databaseUrl: promoted.url, role: "server" as const, log: createLog("silent") };
  const other = await openStorage({
    ...options,
    databaseReadUrl: server.url,
    reads: { threads: 0, limits: () => limits },
  });
  try {
    const askOther = () => other.ask({ wanted, caller }).then(({ rows }) => rows[0]?.[0] as unknown as Found);
    assert.equal((await askOther()).is_replica, false);
    // The former primary goes on, and the replica follows it.
    await db.write((tx) =>
      tx.run("CREATE TABLE ahead AS SELECT md5(n::text) FROM generate_series(1, 100000) AS n", []),
    );
    const ahead = await client.query<{ position: string }>("SELECT pg_current_wal_lsn()::text AS position");
    await until(async () => {
      const reached = "SELECT pg_last_wal_replay_lsn() > $1::pg_lsn + 1000000 AS is_true";
      return (await replica.query<{ is_true: boolean }>(reached, [ahead.rows[0]?.position])).rows[0]?.is_true;
    });
    await other.write((tx) => tx.run("INSERT INTO stamps (scope, stamped) VALUES ('other', '')", []));
    const { total } = (await client.query<{ total: string }>("SELECT count(*) AS total FROM stamps")).rows[0] ?? {};
    for (let n = 0; n < 5; n++) {
      const found = await askOther();
      assert.deepEqual([found.is_replica, String(found.total)], [false, total]);
    }
  } finally {
    await other.close();
    await client.end();
    await promoted.stop();
  }
});

test("STO-112 a replica that is behind, or away, is passed over", async () => {
  await replica.query("SELECT pg_wal_replay_pause()");
  await write();
  for (const found of [await ask(), await stream()])
    assert.deepEqual([found.is_replica, Number(found.total)], [false, stamps]);
  await replica.query("SELECT pg_wal_replay_resume()");
  await until(async () => (await ask()).is_replica);
  assert.equal(Number((await ask()).total), stamps);
  await server.stop();
  await write();
  for (const found of [await ask(), await stream()])
    assert.deepEqual([found.is_replica, Number(found.total)], [false, stamps]);
});
