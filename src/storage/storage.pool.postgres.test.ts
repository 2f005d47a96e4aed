// PgBouncer in transaction mode, which hands each transaction another connection of the server. In a full run the whole contract
// goes through it; in a normal one faults/pool.postgres writes, reads, imports and exports through it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Prepare } from "./contract-samples.ts";
import { log, prepareOn } from "./engines/fixtures/postgres.fixture.ts";
import { type StartedServer, startScript } from "./engines/fixtures/servers.fixture.ts";
import { prepareRole } from "./engines/pools/session-settings.ts";
import { openStorage } from "./open.ts";
import { storageContract } from "./storage.contract.ts";

let server: StartedServer;
let bouncer: StartedServer;
before(async () => {
  // Of its own: transactions of others in the same server would hold up what the contract reads.
  server = await startScript("postgres");
  bouncer = await startScript("pgbouncer", server.url);
});
after(async () => {
  await bouncer.stop();
  await server.stop();
});

const preparePooled: Prepare = async () => {
  const { options, remove } = await prepareOn(server.url);
  await prepareRole(options.databaseUrl);
  const pooled = {
    ...options,
    databaseUrl: Object.assign(new URL(options.databaseUrl), { port: new URL(bouncer.url).port }).href,
    databaseDirectUrl: options.databaseUrl,
    prepares: false,
  };
  return { open: () => openStorage({ ...pooled, log }), options: pooled, remove };
};

if (process.env.CAIRN_TEST_FULL === "1") storageContract("a pool of connections", preparePooled);

test("STO-115 a query behind a pool is stopped when its caller goes away, and no other one is", async () => {
  const database = await preparePooled();
  const limits = { timeoutMs: 60_000, publicTimeoutMs: 60_000, budgetMs: 0, publicBudgetMs: 0 };
  const db = await openStorage({ ...database.options, log, reads: { threads: 0, limits: () => limits } });
  try {
    const ask = (sql: string, signal?: AbortSignal) => {
      const caller = { name: "key:1", hasCredential: true, ...(signal && { signal }) };
      return db.ask({ wanted: [{ attempts: [[{ sql, params: [] }]], limit: 1 }], caller });
    };
    const going = new AbortController();
    const long = ask("SELECT pg_sleep(300)::text AS slept, 'stopped' AS mark", going.signal);
    const refused = assert.rejects(long);
    const isRunning =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%''stopped''%' AND state = 'active'";
    const observer = new Client({ connectionString: database.options.databaseDirectUrl });
    await observer.connect();
    const count = async () =>
      (await observer.query<{ n: number }>(`${isRunning} AND pid <> pg_backend_pid()`)).rows[0]?.n;
    while ((await count()) === 0) await sleep(10);
    const others = Array.from({ length: 40 }, (_, n) => ask(`SELECT ${n} AS n, pg_sleep(0.01)::text AS slept`));
    going.abort();
    await refused;
    for (const [n, answer] of (await Promise.all(others)).entries())
      assert.equal((answer.rows[0]?.[0] as { n?: number } | undefined)?.n, n);
    while ((await count()) !== 0) await sleep(10);
    await observer.end();
  } finally {
    await db.close();
    await database.remove();
  }
});
