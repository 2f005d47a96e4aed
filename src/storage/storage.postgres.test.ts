// The contract on a database server, and what only a server can do: go away, and come back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { CairnError } from "#base/errors.ts";
import { until } from "#base/patience.fixture.ts";
import { seed } from "./contract-samples.ts";
import { administer, log, prepare } from "./engines/fixtures/postgres.fixture.ts";
import { openStorage } from "./open.ts";
import type { Storage, Value } from "./port.ts";
import { storageContract } from "./storage.contract.ts";
import { hasObject } from "./tables/objects.ts";
import { insertDelivery, lockWebhookRow, putWebhook } from "./tables/webhooks.ts";

storageContract("a database server", prepare);

test("STO-78 STO-81 long reads leave a connection, one for each caller, and count for the caller's share of time", async () => {
  const database = await prepare();
  const limits = { timeoutMs: 0, publicTimeoutMs: 0, budgetMs: 0, publicBudgetMs: 0 };
  const db = await openStorage({ ...database.options, log, reads: { threads: 0, limits: () => limits } });
  const open = (name: string, hasCredential = true) => {
    const rows = db.iterate("SELECT n FROM generate_series(1, 100) AS n", [], 10, { name, hasCredential });
    const batches = rows[Symbol.asyncIterator]();
    const first = batches.next();
    first.catch(() => {});
    return { first, leave: async () => void (await batches.return?.()) };
  };
  const streams = () => [db.readCounts?.().streams?.running, db.readCounts?.().streams?.waiting];
  try {
    const public3 = ["ip:1", "ip:2", "ip:3"].map((name) => open(name, false));
    await Promise.all([public3[0]?.first, public3[1]?.first]);
    assert.deepEqual(streams(), [2, 1]);
    const [key, same] = [open("key:1"), open("key:1")];
    await key.first;
    assert.deepEqual(streams(), [3, 2]);
    await db.maintain("ANALYZE objects");
    await public3[0]?.leave();
    await public3[2]?.first;
    await key.leave();
    assert.equal((await same.first).value.length, 10);
    await Promise.all([same, public3[1], public3[2]].map((one) => one?.leave()));
    assert.deepEqual(streams(), [0, 0]);
    limits.budgetMs = 0.001;
    assert.equal((await Array.fromAsync(db.iterate("SELECT 1 AS n", [], 10))).length, 1);
    await open("key:2").first;
    await assert.rejects(open("key:2").first, { word: "rate-limited", status: 429 });
  } finally {
    await db.close();
    await database.remove();
  }
});

test("STO-117 what waits in a busy database is not slow, and 32 of it are answered; what reads much is slow", async () => {
  const database = await prepare();
  const limits = { timeoutMs: 60_000, publicTimeoutMs: 60_000, budgetMs: 0, publicBudgetMs: 0 };
  const db = await openStorage({ ...database.options, log, reads: { threads: 0, limits: () => limits } });
  const ask = (sql: string, params: Value[] = []) =>
    db.ask({ wanted: [{ attempts: [[{ sql, params }]], limit: 1 }], caller: { name: "key:1", hasCredential: true } });
  const counts = () => {
    const { quick = 0, slow = 0, busy = 0 } = db.readCounts?.() ?? {};
    return { quick, slow, busy };
  };
  try {
    const waits = "SELECT pg_sleep(0.06)::text AS waited";
    for (let n = 0; n < 2; n++) await ask(waits);
    await Promise.all(Array.from({ length: 32 }, () => ask(waits)));
    assert.deepEqual(counts(), { quick: 34, slow: 0, busy: 0 });
    // Its values make it large.
    const counted = "SELECT count(*) AS n FROM generate_series(1, ?::int) AS n";
    await ask(counted, [10]);
    assert.equal(counts().slow, 0);
    assert.deepEqual((await ask(counted, [3_000_000])).rows, [[{ n: 3_000_000 }]]);
    assert.equal(counts().slow, 1);
    const many = await Promise.allSettled(Array.from({ length: 32 }, () => ask(counted, [3_000_000])));
    assert.equal(many.filter(({ status }) => status === "rejected").length, counts().busy);
    assert.ok(counts().busy >= 20, `${counts().busy} refused`);
  } finally {
    await db.close();
    await database.remove();
  }
});

test("STO-52 waiting for open transactions covers those that have changed something by then", async () => {
  const database = await prepare();
  const db = await database.open();
  const ends: (() => void)[] = [];
  /** Resolves when the transaction has changed something; it stays open until its turn to end. */
  const open = async (id: string) => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    ends.push(end.resolve);
    const done = db.write(async (tx) => {
      await tx.run("UPDATE objects SET doc = doc WHERE collection = 'open' AND id = ?", [id]);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    return { done, end: end.resolve };
  };
  try {
    await seed(db, "open", [{ id: "a" }, { id: "b" }]);
    // Other test files have transactions in the same server.
    assert.equal(await db.settle(20_000), true);
    const first = await open("a");
    assert.equal(await db.settle(30), false);
    const settled = db.settle(20_000);
    await sleep(100);
    const later = await open("b");
    first.end();
    assert.equal(await settled, true);
    later.end();
    await Promise.all([first.done, later.done]);
  } finally {
    for (const end of ends) end();
    await db.close();
    await database.remove();
  }
});

test("STO-62 a statement that the database server cuts short is unavailable", async () => {
  const database = await prepare();
  // The tables are made without the limit: that takes long on a busy machine.
  await (await database.open()).close();
  const limited = new URL(database.options.databaseUrl);
  limited.searchParams.set("options", "-c statement_timeout=1500");
  const db = await openStorage({ ...database.options, databaseUrl: limited.href, log });
  try {
    const slow = db.all("SELECT pg_sleep(60)");
    await assert.rejects(slow, (error) => error instanceof CairnError && error.word === "unavailable");
  } finally {
    await db.close();
    await database.remove();
  }
});

test("STO-61 a row locked for a change does not block inserts that refer to it", async () => {
  const database = await prepare();
  const db = await database.open();
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  try {
    const more = { previousSecret: null, previousUntil: null, failingSince: null, disabledReason: null };
    const hook = {
      id: "hook",
      name: "",
      url: "",
      events: "[]",
      collections: "[]",
      headers: "[]",
      isActive: 1,
      secret: "",
      ...more,
    };
    await db.write((tx) => putWebhook(tx, { ...hook, created: "", updated: "" }));
    const holding = db.write(async (tx) => {
      await lockWebhookRow(tx, "hook");
      held.resolve();
      await end.promise;
    });
    await held.promise;
    let isAdded: boolean | undefined;
    const delivery = { id: "one", webhook: "hook", event: "", body: "", created: "" };
    const adding = db
      .write((tx) => insertDelivery(tx, delivery))
      .then((is) => {
        isAdded = is;
      });
    await until(() => isAdded);
    end.resolve();
    await Promise.all([holding, adding]);
  } finally {
    end.resolve();
    await db.close();
    await database.remove();
  }
});

/** Ends all connections to a database, and lets none in until it is told. */
async function shutOut(databaseUrl: string): Promise<() => Promise<void>> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  return () => administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}

describe("a database server that goes away", () => {
  test("STO-33, STO-11 statements are unavailable while it is away, and answered when it is back (F22)", async () => {
    const database = await prepare();
    const db = await database.open();
    try {
      await seed(db, "away", [{ id: "before" }]);
      const letIn = await shutOut(database.options.databaseUrl);
      const isUnavailable = (error: unknown) => error instanceof CairnError && error.word === "unavailable";
      await assert.rejects(seed(db, "away", [{ id: "during" }]), isUnavailable);
      await assert.rejects(hasObject(db, "away", "before"), isUnavailable);
      await assert.rejects(db.ping("read"), isUnavailable);
      const isMoving = () => new Set([db.version("keys"), db.version("keys")]).size > 1;
      // The signal that ends a connection arrives at each by itself.
      await until(isMoving);

      await letIn();
      assert.equal(await hasObject(db, "away", "before"), true);
      await seed(db, "away", [{ id: "after" }]);
      assert.equal(await hasObject(db, "away", "during"), false);
      await until(() => !isMoving());
    } finally {
      await db.close();
      await database.remove();
    }
  });

  test("STO-33 a transaction that is cut off is not half there, and not repeated", async () => {
    const database = await prepare();
    const db = await database.open();
    try {
      let runs = 0;
      const attempt = db.write(async (tx) => {
        runs += 1;
        await tx.run("INSERT INTO stamps (scope, stamped) VALUES ('cut', 'off')");
        const letIn = await shutOut(database.options.databaseUrl);
        await letIn();
        await tx.one("SELECT 1 AS one");
      });
      await assert.rejects(attempt, (error) => error instanceof CairnError && error.word === "unavailable");
      assert.equal(runs, 1);
      assert.deepEqual(await db.all("SELECT scope FROM stamps"), []);
    } finally {
      await db.close();
      await database.remove();
    }
  });

  test("STO-33 a server that cannot be reached fails the start", async () => {
    const databaseUrl = "postgres://nobody@127.0.0.1:1/nothing";
    const attempt = openStorage({ dataDir: "", databaseUrl, role: "command", log });
    await assert.rejects(attempt, /cannot be opened.*ECONNREFUSED/);
  });

  test("STO-2 a failed statement that the work passes over fails the transaction", async () => {
    const database = await prepare();
    const db = await database.open();
    try {
      const attempt = db.write(async (tx) => {
        await tx.run("INSERT INTO stamps (scope, stamped) VALUES ('a', 'b')");
        await tx.run("INSERT INTO stamps (scope, stamped) VALUES ('a', 'b')").catch(() => {});
      });
      await assert.rejects(attempt);
      assert.deepEqual(await db.all("SELECT scope FROM stamps"), []);
    } finally {
      await db.close();
      await database.remove();
    }
  });

  test("STO-55 an idle transaction is ended by the server, and its locks are free", async () => {
    const database = await prepare();
    const db = await database.open();
    try {
      const limit = "SELECT current_setting('idle_in_transaction_session_timeout') AS idle";
      assert.deepEqual(await db.write((tx) => tx.one(limit)), { idle: "30s" });
      await seed(db, "still", [{ id: "one" }]);
      const update = "UPDATE objects SET doc = '{}' WHERE collection = 'still'";
      const standing = db.write(async (tx) => {
        await tx.run("SET LOCAL idle_in_transaction_session_timeout = 100");
        await tx.run(update);
        await sleep(300);
        await tx.one("SELECT 1 AS one");
      });
      await Promise.all([
        assert.rejects(standing, (error) => error instanceof CairnError && error.word === "unavailable"),
        sleep(50).then(() => db.write((tx) => tx.run(update))),
      ]);
      // Who looks at one moment for long may.
      assert.deepEqual(await db.view((view) => view.one(limit)), { idle: "0" });
    } finally {
      await db.close();
      await database.remove();
    }
  });

  test("STO-56 maintenance that waits for another process's keeps no long reader from its connection", async () => {
    const database = await prepare();
    const db = await database.open();
    const other = new Client({ connectionString: database.options.databaseUrl });
    try {
      await other.connect();
      await other.query("SELECT pg_advisory_lock(7226002)");
      const waiting = ["objects", "object_index", "collections", "jobs", "mails"].map((table) =>
        db.maintain(`ANALYZE ${table}`),
      );
      await sleep(100);
      assert.deepEqual(await db.view((view) => view.one("SELECT 1 AS one")), { one: 1 });
      await other.query("SELECT pg_advisory_unlock(7226002)");
      await Promise.all(waiting);
    } finally {
      await other.end();
      await db.close();
      await database.remove();
    }
  });

  test("STO-57 a statement without an answer is given up in time; long work is not", async () => {
    const database = await prepare();
    // On a busy machine the limit may be over before it is open.
    const open = () => openStorage({ ...database.options, timeoutMs: 400, log }).catch(() => undefined);
    const db = (await until(open)) as Storage;
    const patient = await database.open();
    try {
      const isUnavailable = (error: unknown) => error instanceof CairnError && error.word === "unavailable";
      const slow = "SELECT pg_sleep(1)::text AS slept";
      await assert.rejects(db.all(slow), isUnavailable);
      let runs = 0;
      const attempt = db.write(async (tx) => {
        runs += 1;
        await tx.run("INSERT INTO stamps (scope, stamped) VALUES ('slow', 'x')");
        await tx.all(slow);
      });
      await assert.rejects(attempt, isUnavailable);
      assert.equal(runs, 1);
      assert.deepEqual(await patient.all("SELECT scope FROM stamps"), []);
      await db.maintain(slow);
      assert.equal((await Array.fromAsync(db.iterate(slow, [], 10))).length, 1);
      await assert.rejects(Array.fromAsync(db.iterate("SELECT pg_sleep(6)::text AS slept", [], 10)), isUnavailable);
    } finally {
      await Promise.all([db.close(), patient.close()]);
      await database.remove();
    }
  });

  test("STO-34 the character U+0000 is bad input", async () => {
    const database = await prepare();
    const db = await database.open();
    try {
      const isInvalid = (error: unknown) => error instanceof CairnError && error.word === "invalid";
      await assert.rejects(seed(db, "nul", [{ id: "one", idx: { title: "a\0b" } }]), isInvalid);
      await assert.rejects(hasObject(db, "nul", "a\0b"), isInvalid);
    } finally {
      await db.close();
      await database.remove();
    }
  });
});
