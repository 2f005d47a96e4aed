// What every engine must do; the test files beside this one run it against each.
// One database serves a whole suite, so each test keeps to a collection of its own.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { leastTime, until } from "#base/patience.fixture.ts";
import { objectWrite, type Prepare, seed, type TestDatabase } from "./contract-samples.ts";
import { counterContract } from "./counters.contract.ts";
import { nameLockContract } from "./name-locks.contract.ts";
import { type Storage, UniqueViolation, type VersionScope } from "./port.ts";
import { formerContract } from "./query/former.contract.ts";
import { indexContract } from "./query/indexes.contract.ts";
import { joinedContract } from "./query/joined.contract.ts";
import { searchContract } from "./query/search.contract.ts";
import { selectContract } from "./query/select.contract.ts";
import { statisticsContract } from "./query/statistics.contract.ts";
import { accessTablesContract } from "./tables/access-tables.contract.ts";
import { deleteTouchedBefore, readHorizon } from "./tables/caches/touched.ts";
import { bumpCounters, insertCollection, listCounters, lockCounters, readCounters } from "./tables/collections.ts";
import { byWriterContract } from "./tables/history/by-writer.contract.ts";
import { feedContract } from "./tables/history/feed.contract.ts";
import { historyContract } from "./tables/history/history.contract.ts";
import { nodeTablesContract } from "./tables/nodes/node-tables.contract.ts";
import * as writes from "./tables/object-writes.ts";
import * as objects from "./tables/objects.ts";
import { queueTablesContract } from "./tables/queue-tables.contract.ts";
import { workTablesContract } from "./tables/work-tables.contract.ts";
import { finishTables, insertRows, listTables } from "./whole-tables.ts";

export function storageContract(engine: string, prepare: Prepare): void {
  describe(`storage on ${engine}`, () => {
    let database: TestDatabase;
    let db: Storage;
    before(async () => {
      database = await prepare();
      db = await database.open();
    });
    after(async () => {
      await db.close();
      await database.remove();
    });

    describe("transactions", () => transactionContract(() => db));
    describe("steps before the commit", () => commitStepsContract(() => db));
    describe("versions", () =>
      versionContract(
        () => db,
        () => database,
      ));
    describe("counters", () =>
      counterContract(
        () => db,
        () => database,
      ));
    describe("locks of names", () =>
      nameLockContract(
        () => db,
        () => database,
      ));
    describe("selection", () => selectContract(() => db));
    describe("former names", () => formerContract(() => db));
    describe("joined documents", () => joinedContract(() => db));
    describe("search", () => searchContract(() => db));
    describe("indexes", () => indexContract(() => db));
    describe("tables of callers", () => accessTablesContract(() => db));
    describe("tables of jobs and mails", () => queueTablesContract(() => db));
    describe("tables of work", () => workTablesContract(() => db));
    describe("statistics", () => statisticsContract(() => db));
    describe("the log of changes", () => historyContract(() => db));
    describe("tables of nodes", () => nodeTablesContract(() => db));
    describe("the log by its writers", () => byWriterContract(() => db));
    describe("the feed of changes", () =>
      feedContract(
        () => db,
        () => database,
      ));
    describe("migrations", () => migrationContract(prepare));
  });
}

function transactionContract(database: () => Storage): void {
  test("STO-1 a write is visible when the promise resolves, and not before", async () => {
    const db = database();
    await db.write(async (tx) => {
      await writes.insertObject(tx, objectWrite("sto1", { id: "one" }));
      assert.equal(await objects.hasObject(tx, "sto1", "one"), true);
      assert.equal(await objects.hasObject(db, "sto1", "one"), false);
    });
    const row = await objects.findObject(db, "sto1", "one");
    assert.deepEqual({ ...row, rid: 0 }, { ...row, rid: 0, id: "one", rev: 1, schemaRev: "rev1", doc: '{"id":"one"}' });
    assert.equal(typeof row?.rid, "number");
  });

  test("STO-1 an update is a new rev, and a delete leaves nothing", async () => {
    const db = database();
    await seed(db, "sto1b", [{ id: "one", idx: { sku: "A1" } }]);
    await db.write(async (tx) => {
      const row = await objects.lockObject(tx, "sto1b", "one");
      const write = objectWrite("sto1b", { id: "one", idx: { sku: "A2" } });
      if (row) await writes.updateObject(tx, row, { write, record: undefined });
    });
    assert.equal((await objects.findObject(db, "sto1b", "one"))?.rev, 2);
    const where = { collection: "sto1b", property: "sku", exceptId: "other" };
    assert.equal(await objects.findByValue(db, where, "A2"), "one");
    assert.equal(await objects.findByValue(db, where, "A1"), undefined);
    await db.write(async (tx) => {
      const row = await objects.lockObject(tx, "sto1b", "one");
      if (row) await writes.deleteObject(tx, row, undefined);
    });
    assert.equal(await objects.findObject(db, "sto1b", "one"), undefined);
    assert.equal(await objects.findByValue(db, where, "A2"), undefined);
  });

  test("STO-12 the look for another object with the same value is exact", async () => {
    const db = database();
    const long = "x".repeat(200);
    await seed(db, "unique", [{ id: "one", idx: { code: "Ab", size: 2, isOpen: true, text: `${long}A` } }]);
    const find = (property: string, value: string | number | boolean, exceptId = "other") =>
      objects.findByValue(db, { collection: "unique", property, exceptId }, value);
    assert.deepEqual(
      [await find("code", "Ab"), await find("code", "AB"), await find("code", "Ab", "one")],
      ["one", undefined, undefined],
    );
    assert.deepEqual([await find("size", 2), await find("size", 3)], ["one", undefined]);
    assert.deepEqual([await find("isOpen", true), await find("isOpen", false)], ["one", undefined]);
    assert.deepEqual([await find("text", `${long}A`), await find("text", `${long}a`)], ["one", undefined]);
  });

  test("STO-2 work that throws leaves nothing behind", async () => {
    const db = database();
    const failure = new Error("on purpose");
    const attempt = db.write(async (tx) => {
      await writes.insertObject(tx, objectWrite("sto2", { id: "one" }));
      throw failure;
    });
    await assert.rejects(attempt, (error) => error === failure);
    assert.equal(await objects.hasObject(db, "sto2", "one"), false);
  });

  test("STO-3 of many writes at once a failing one costs only itself", async () => {
    const db = database();
    const attempts = Array.from({ length: 60 }, (_, n) =>
      db.write(async (tx) => {
        await writes.insertObject(tx, objectWrite("sto3", { id: `object-${String(n % 50).padStart(2, "0")}` }));
        if (n === 7) throw new Error("on purpose");
      }),
    );
    const outcomes = await Promise.allSettled(attempts);
    const total = outcomes.filter(({ status }) => status === "fulfilled").length;
    const rows = await db.all("SELECT id FROM objects WHERE collection = ?", ["sto3"]);
    const entries = await db.all("SELECT id FROM object_index WHERE collection = ?", ["sto3"]);
    // Ten ids are asked for twice; of one pair, the first is rolled back and the second takes its place, or the reverse.
    assert.ok(total === 49 || total === 50, `${total} succeeded`);
    assert.equal(rows.length, total);
    assert.equal(entries.length, total);
  });

  test("STO-4 a taken id is a unique violation", async () => {
    const db = database();
    await seed(db, "sto4", [{ id: "one" }]);
    await assert.rejects(seed(db, "sto4", [{ id: "two" }, { id: "one" }]), UniqueViolation);
    assert.equal(await objects.hasObject(db, "sto4", "two"), false);
  });

  test("STO-4 of objects that are stored together those whose id is taken are passed over, and the rest is found", async () => {
    const db = database();
    await seed(db, "sto4c", [{ id: "one", title: "Old" }]);
    const sent = ["two", "one", "three", "two"].map((id) => objectWrite("sto4c", { id, title: "New" }));
    const rids = await db.write((tx) => writes.insertObjects(tx, sent));
    assert.deepEqual(
      rids.map((rid) => rid === undefined),
      [false, true, false, true],
    );
    assert.equal(new Set(rids).size, 3);
    for (const [at, id] of ["two", "three"].entries())
      assert.equal((await objects.findObject(db, "sto4c", id))?.rid, rids[at * 2]);
    const entries = await db.all<{ id: string }>("SELECT id FROM object_index WHERE collection = 'sto4c' ORDER BY id");
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["one", "three", "two"],
    );
    const texts = `SELECT count(*) AS n FROM object_fts WHERE ${db.dialect.label === "sqlite" ? "rowid" : "rid"} IN (?, ?)`;
    assert.equal((await db.one<{ n: number }>(texts, [rids[0] as number, rids[2] as number]))?.n, 2);
    assert.equal((await db.write((tx) => writes.insertObjects(tx, []))).length, 0);
  });

  test("STO-4 of many that take one id exactly one succeeds (F15)", async () => {
    const db = database();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => seed(db, "sto4b", [{ id: "one" }])));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.ok(outcome.reason instanceof UniqueViolation);
    }
  });

  test("STO-5 changes of one object at the same moment are all kept (F14)", async () => {
    const db = database();
    await seed(db, "sto5", [{ id: "one", idx: { hits: 0 } }]);
    const bump = () =>
      db.write(async (tx) => {
        const row = await objects.lockObject(tx, "sto5", "one");
        const { hits } = JSON.parse(row?.doc ?? "{}");
        const write = objectWrite("sto5", { id: "one", idx: { hits: hits + 1 } });
        if (row) await writes.updateObject(tx, row, { write, record: undefined });
      });
    // No more at once than there are connections: how long one waits for a connection is limited, and a busy machine is slow.
    const writers = Array.from({ length: 8 }, async () => {
      for (let times = 0; times < 12; times++) await bump();
    });
    await Promise.all(writers);
    const row = await objects.findObject(db, "sto5", "one");
    assert.equal(row?.doc, '{"id":"one","hits":96}');
    assert.equal(row?.rev, 97);
  });

  test("STO-6 transactions that wait for each other both come through", async () => {
    const db = database();
    const row = (id: string) => ({ id, settings: "{}", lastUpdated: "", updated: "", indexedRev: "" });
    await db.write(async (tx) => {
      await insertCollection(tx, row("sto6-a"));
      await insertCollection(tx, row("sto6-b"));
    });
    const change = { created: 1, total: 1, lastUpdated: "now" };
    const cross = (first: string, second: string) =>
      db.write(async (tx) => {
        for (const id of [first, second]) {
          await lockCounters(tx, id);
          await bumpCounters(tx, id, change);
        }
      });
    await Promise.all(Array.from({ length: 2 }, () => [cross("sto6-a", "sto6-b"), cross("sto6-b", "sto6-a")]).flat());
    assert.deepEqual({ ...(await readCounters(db, "sto6-a")) }, { count: 4, totalObjects: 4, lastUpdated: "now" });
    assert.deepEqual({ ...(await readCounters(db, "sto6-b")) }, { count: 4, totalObjects: 4, lastUpdated: "now" });
    assert.deepEqual((await listCounters(db)).get("sto6-b"), { totalObjects: 4, lastUpdated: "now" });
  });

  test("STO-7 iteration shows one moment, whatever is written meanwhile", async () => {
    const db = database();
    const samples = Array.from({ length: 25 }, (_, n) => ({ id: `object-${String(n).padStart(2, "0")}` }));
    await seed(db, "sto7", samples);
    const ids: string[] = [];
    const sizes: number[] = [];
    for await (const rows of objects.iterateObjects(db, "sto7", 10)) {
      if (sizes.length === 0) await seed(db, "sto7", [{ id: "object-24-later" }]);
      sizes.push(rows.length);
      ids.push(...rows.map(({ id }) => id));
    }
    assert.deepEqual(sizes, [10, 10, 5]);
    assert.deepEqual(
      ids,
      samples.map(({ id }) => id),
    );
  });

  test("STO-40 a view shows every table as it was at one moment, also when it is left early", async () => {
    const db = database();
    await seed(db, "sto40", [{ id: "one" }, { id: "two" }]);
    const sql = "SELECT id FROM objects WHERE collection = 'sto40' ORDER BY id";
    const seen = await db.view(async (view) => {
      const first = await view.all<{ id: string }>(sql);
      await seed(db, "sto40", [{ id: "later" }]);
      for await (const rows of view.iterate(sql, [], 1)) if (rows.length > 0) break;
      const batches: string[][] = [];
      for await (const rows of view.iterate<{ id: string }>(sql, [], 1)) batches.push(rows.map(({ id }) => id));
      return { first: first.length, batches, one: await view.one(`${sql} LIMIT 1`) };
    });
    assert.deepEqual([seen.first, seen.batches, { ...seen.one }], [2, [["one"], ["two"]], { id: "one" }]);
    assert.equal((await db.all(sql)).length, 3);
    await assert.rejects(
      db.view(() => Promise.reject(new Error("left"))),
      /left/,
    );
  });

  test("STO-41 rows that are put back keep their numbers, and new ones go on behind them", async () => {
    const db = database();
    const table = (await listTables(db)).find(({ name }) => name === "objects");
    assert.ok(table);
    await seed(db, "sto41", [{ id: "first" }]);
    const row = await db.one<{ rid: number }>("SELECT rid FROM objects WHERE collection = 'sto41'");
    const rid = (row?.rid ?? 0) + 1_000;
    const times = { created: "2030-01-01T00:00:00.000Z", modified: "2030-01-01T00:00:00.000Z" };
    const restored = {
      rid,
      collection: "sto41",
      id: "restored",
      ...times,
      rev: 4,
      schema_rev: "x",
      doc: "{}",
      secrets: "{}",
    };
    await db.write((tx) => insertRows(tx, table, [{ ...restored, attic: "{}" }]));
    await finishTables(db, ["sto41"], 0);
    await seed(db, "sto41", [{ id: "after" }]);
    const numberOf = async (id: string) =>
      (await db.one<{ rid: number }>("SELECT rid FROM objects WHERE collection = 'sto41' AND id = ?", [id]))?.rid ?? 0;
    assert.ok((await numberOf("after")) > rid);
    // The log may name objects that are gone.
    await finishTables(db, ["sto41"], rid + 1_000);
    await seed(db, "sto41", [{ id: "last" }]);
    assert.ok((await numberOf("last")) > rid + 1_000);
    assert.equal((await objects.findObject(db, "sto41", "restored"))?.rev, 4);
  });

  test("STO-7 iteration may be left early, again and again", async () => {
    const db = database();
    await seed(db, "sto7b", [{ id: "one" }, { id: "two" }]);
    for (let n = 0; n < 12; n++) {
      for await (const rows of objects.iterateObjects(db, "sto7b", 1)) {
        assert.equal(rows[0]?.id, "one");
        break;
      }
    }
  });
}

function commitStepsContract(storage: () => Storage): void {
  test("STO-60 steps before the commit run after the work, once for each name, in the order of names", async () => {
    const db = storage();
    const done: string[] = [];
    const stamp = (scope: string) => `INSERT INTO stamps (scope, stamped) VALUES ('sto60-${scope}', '')`;
    await db.write(async (tx) => {
      for (const [name, label] of ["b1", "a1", "b2"]) {
        tx.beforeCommit(name as string, async () => {
          done.push(`${name}${label}`);
          await tx.run(stamp(name as string));
        });
      }
      await tx.run(stamp("work"));
      done.push("work");
    });
    assert.deepEqual(done, ["work", "a1", "b1"]);
    const rows = await db.all<{ scope: string }>("SELECT scope FROM stamps WHERE scope LIKE 'sto60-%' ORDER BY scope");
    assert.deepEqual(
      rows.map(({ scope }) => scope),
      ["sto60-a", "sto60-b", "sto60-work"],
    );
  });

  test("STO-60 a last step that fails leaves nothing of the transaction behind", async () => {
    const db = storage();
    const attempt = db.write(async (tx) => {
      tx.beforeCommit("a", () => Promise.reject(new Error("on purpose")));
      await tx.run("INSERT INTO stamps (scope, stamped) VALUES ('sto60-undone', '')");
    });
    await assert.rejects(attempt, /on purpose/);
    assert.deepEqual(await db.all("SELECT scope FROM stamps WHERE scope = 'sto60-undone'"), []);
  });
}

function versionContract(storage: () => Storage, database: () => TestDatabase): void {
  const scopes: VersionScope[] = ["objects:sto9", "objects:sto9-other", "keys"];

  test("STO-9 a commit moves the versions of the scopes it touches, and no other", async () => {
    const db = storage();
    const before = scopes.map((scope) => db.version(scope));
    await seed(db, "sto9", [{ id: "one" }]);
    assert.notEqual(db.version("objects:sto9"), before[0]);
    assert.deepEqual([db.version("objects:sto9-other"), db.version("keys")], before.slice(1));
  });

  test("STO-9 where there is a version of all, each commit moves it, and nothing else does", async () => {
    const db = storage();
    const before = db.anyVersion?.();
    assert.equal(before === undefined, db.isShared);
    assert.equal(db.anyVersion?.(), before);
    await seed(db, "sto9-any", [{ id: "one" }]);
    if (before !== undefined) assert.notEqual(db.anyVersion?.(), before);
  });

  test("STO-9 a transaction that fails moves no version", async () => {
    const db = storage();
    const before = scopes.map((scope) => db.version(scope));
    await assert.rejects(
      db.write(async (tx) => {
        for (const scope of scopes) tx.touch(scope);
        throw new Error("on purpose");
      }),
    );
    assert.deepEqual(
      scopes.map((scope) => db.version(scope)),
      before,
    );
  });

  test("STO-10 another instance's change moves the version within a second", async () => {
    const db = storage();
    const other = await database().open();
    try {
      let writes = 0;
      const hear = async () => {
        const before = db.version("objects:sto10");
        writes += 1;
        await seed(other, "sto10", [{ id: `n${writes}` }]);
        await until(() => db.version("objects:sto10") !== before);
      };
      assert.ok((await leastTime(1_000, hear)) < 1_000);
      const settled = db.version("objects:sto10");
      await sleep(20);
      assert.equal(db.version("objects:sto10"), settled);
    } finally {
      await other.close();
    }
  });

  test("STO-35 a watcher of a scope is notified of each commit that touches it, until the watch ends", async () => {
    const db = storage();
    let told = 0;
    const unwatch = db.watch("objects:sto35", () => {
      told += 1;
    });
    await seed(db, "sto35-other", [{ id: "one" }]);
    await sleep(20);
    assert.equal(told, 0);
    await seed(db, "sto35", [{ id: "one" }]);
    await until(() => told === 1);
    unwatch();
    await seed(db, "sto35", [{ id: "two" }]);
    await sleep(20);
    assert.equal(told, 1);
  });

  test("STO-101 what was touched is kept for others only where they ask for it", async () => {
    const db = storage();
    await seed(db, "sto101", [{ id: "one" }]);
    const deleteOld = async () => {
      const horizon = await readHorizon(db);
      assert.equal(horizon !== undefined, db.isShared);
      return db.write((tx) => deleteTouchedBefore(tx, horizon ?? ""));
    };
    // Transactions in other databases of the cluster hold the horizon back.
    if (db.isShared) await until(async () => (await deleteOld()) > 0);
    else assert.equal(await deleteOld(), 0);
  });

  test("STO-1 a database that answers passes the checks", async () => {
    await storage().ping("read");
    await storage().ping("write");
  });
}

function migrationContract(prepare: Prepare): void {
  const childSource = `import { openStorage } from "./open.ts";
    const db = await openStorage({ ...JSON.parse(process.argv[1]), log: console });
    console.log((await db.all("SELECT name FROM migrations")).length);
    await db.close();`;

  test("STO-8 migrations run once, also by processes that start together", async () => {
    const database = await prepare();
    try {
      const start = async () => {
        const args = ["--input-type=module", "--eval", childSource, JSON.stringify(database.options)];
        const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
        return Number(stdout);
      };
      const [first, second] = await Promise.all([start(), start()]);
      assert.ok(first && first === second);
      const again = await database.open();
      assert.equal((await again.all("SELECT name FROM migrations")).length, first);
      await again.close();
    } finally {
      await database.remove();
    }
  });
}
