// What a process on a database server knows of the commits of others, and others of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { CairnError } from "#base/errors.ts";
import { until } from "#base/patience.fixture.ts";
import { objectWrite, seed } from "./contract-samples.ts";
import { log, prepare } from "./engines/fixtures/postgres.fixture.ts";
import { openGate } from "./engines/fixtures/postgres-gate.fixture.ts";
import { openStorage } from "./open.ts";
import type { Storage } from "./port.ts";
import { deleteTouchedBefore, readHorizon } from "./tables/caches/touched.ts";
import { bumpCounters, insertCollection } from "./tables/collections.ts";
import { insertKey } from "./tables/keys.ts";
import { updateObject } from "./tables/object-writes.ts";
import { findObject, lockObject } from "./tables/objects.ts";

const isCommit = (bytes: Buffer) => bytes.includes("COMMIT");

const mark = (scope: string) => `INSERT INTO stamps (scope, stamped) VALUES ('${scope}', 'x')`;
const isMarked = async (client: Client, scope: string) =>
  (await client.query("SELECT 1 FROM stamps WHERE scope = $1", [scope])).rowCount;

test("STO-58 nothing that a commit touches is cached from when others can see it until it is answered", async () => {
  const database = await prepare();
  const answers = Promise.withResolvers<void>();
  const gate = await openGate(isCommit, ({ socket, onward, bytes }) => {
    onward.unpipe(socket).pause();
    onward.write(bytes);
    void answers.promise.then(() => onward.pipe(socket));
  });
  const through = Object.assign(new URL(database.options.databaseUrl), { port: gate.port }).href;
  const db = await openStorage({ ...database.options, databaseUrl: through, log });
  const other = new Client({ connectionString: database.options.databaseUrl });
  try {
    await other.connect();
    const isMoving = (scope: "keys" | "groups") => new Set([db.version(scope), db.version(scope)]).size > 1;
    assert.equal(isMoving("keys"), false);
    gate.shut();
    const writing = db.write(async (tx) => {
      await tx.run(mark("seen"));
      tx.touch("keys");
    });
    await until(() => isMarked(other, "seen"));
    assert.deepEqual([isMoving("keys"), isMoving("groups")], [true, false]);
    const before = db.version("keys");
    answers.resolve();
    await writing;
    assert.notEqual(db.version("keys"), before);
    assert.equal(isMoving("keys"), false);
  } finally {
    answers.resolve();
    await db.close();
    await other.end();
    gate.close();
    await database.remove();
  }
});

test("STO-59 a commit whose answer was lost invalidates like that of another process", async () => {
  const database = await prepare();
  const later = Promise.withResolvers<void>();
  const gate = await openGate(isCommit, ({ socket, onward, bytes }) => {
    socket.removeAllListeners("end").destroy();
    void later.promise.then(() => onward.write(bytes));
  });
  const through = Object.assign(new URL(database.options.databaseUrl), { port: gate.port }).href;
  const db = await openStorage({ ...database.options, databaseUrl: through, log });
  const other = new Client({ connectionString: database.options.databaseUrl });
  try {
    await other.connect();
    gate.shut();
    const writing = db.write(async (tx) => {
      await tx.run(mark("late"));
      tx.touch("keys");
    });
    await assert.rejects(writing, (error) => error instanceof CairnError && error.word === "unavailable");
    gate.open();
    await db.catchUp();
    const before = db.version("keys");
    assert.equal(db.version("keys"), before);
    later.resolve();
    await until(() => isMarked(other, "late"));
    await db.catchUp();
    assert.notEqual(db.version("keys"), before);
  } finally {
    later.resolve();
    await db.close();
    await other.end();
    gate.close();
    await database.remove();
  }
});

test("STO-100 a value that another process has changed is read again once the storage has caught up", async () => {
  const database = await prepare();
  const [db, other] = [await database.open(), await database.open()];
  const keys = createVersionedMap<Storage, { total: number }>((storage) => storage.version("keys"), {
    kind: cacheKinds.verdicts,
    capacity: 10,
    unit: 1,
  });
  const count = () => keys.get(db, "all", () => db.one<{ total: number }>("SELECT count(*) AS total FROM api_keys"));
  const add = (id: string) =>
    other.write((tx) =>
      insertKey(tx, { id, name: id, prefix: id, hash: id, methods: "[]", endpoints: "[]", published: 0, ...times }),
    );
  const times = { created: "2026-01-01T00:00:00.000Z", lastUsed: null };
  try {
    assert.equal((await count())?.total, 0);
    assert.ok(!(count() instanceof Promise));
    for (const total of [1, 2, 3]) {
      await add(`key${total}`);
      await db.catchUp();
      assert.equal((await count())?.total, total);
    }
    // Changed while it is read: what was read before the change is answered once, and not kept.
    await add("key4");
    await db.catchUp();
    const early = keys.get(db, "all", async () => {
      const before = await db.one<{ total: number }>("SELECT count(*) AS total FROM api_keys");
      await add("key5");
      await db.catchUp();
      return before;
    });
    assert.equal((await early)?.total, 4);
    assert.equal((await count())?.total, 5);
  } finally {
    await db.close();
    await other.close();
    await database.remove();
  }
});

test("STO-109 no answer is stale after a write that another process has acknowledged", async () => {
  const database = await prepare();
  const all = [await database.open(), await database.open()] as const;
  const tries = process.env.CAIRN_TEST_SOAK === "1" ? 50_000 : 1_500;
  const row = { settings: "{}", lastUpdated: "", updated: "", indexedRev: "" };
  const caches = new Map(all.map((db) => [db, new Map<string, { version: number; rev: number }>()]));
  /** As caches do: under the version from before it was read. */
  const read = async (db: Storage, collection: string): Promise<number> => {
    await db.catchUp();
    const version = db.version(`objects:${collection}`);
    const cached = caches.get(db)?.get(collection);
    if (cached?.version === version) return cached.rev;
    const rev = (await findObject(db, collection, "one"))?.rev ?? 0;
    caches.get(db)?.set(collection, { version, rev });
    return rev;
  };
  let hits = 0;
  /** Each line of writers has a collection of its own; they run side by side, so commits come in any order. */
  const line = async (collection: string) => {
    await all[0].write((tx) => insertCollection(tx, { id: collection, ...row }));
    await seed(all[0], collection, [{ id: "one" }]);
    for (let n = 0; n < tries / 4; n++) {
      const [writer, reader] = n % 2 === 0 ? all : [all[1], all[0]];
      let rev = 0;
      await writer.write(async (tx) => {
        const found = await lockObject(tx, collection, "one");
        if (!found) throw new Error("the object is gone");
        rev = found.rev + 1;
        await updateObject(tx, found, { write: objectWrite(collection, { id: "one" }), record: undefined });
        await bumpCounters(tx, collection, { created: 0, total: 0, lastUpdated: "" });
      });
      for (const db of [reader, writer, reader]) assert.ok((await read(db, collection)) >= rev, `stale at ${n}`);
      const version = reader.version(`objects:${collection}`);
      if (caches.get(reader)?.get(collection)?.version === version) hits += 1;
    }
  };
  try {
    await Promise.all(["a", "b", "c", "d"].map(line));
    assert.ok(hits > tries / 2, `${hits} answers came from memory`);
    // Transactions in other databases of the cluster hold the horizon back.
    let deleted = 0;
    await until(async () => {
      const horizon = (await readHorizon(all[0])) ?? "";
      deleted += await all[0].write((tx) => deleteTouchedBefore(tx, horizon));
      return deleted >= tries;
    });
  } finally {
    for (const db of all) await db.close();
    await database.remove();
  }
});

test("STO-110 a server of the version before, which sends notices with its commits, is heard", async () => {
  const database = await prepare();
  const db = await database.open();
  const other = new Client({ connectionString: database.options.databaseUrl });
  const heard: string[] = [];
  try {
    await other.connect();
    other.on("notification", ({ payload = "" }) => heard.push(payload));
    await other.query("LISTEN cairn");
    const before = [db.version("keys"), db.version("groups")];
    await other.query("SELECT pg_notify('cairn', 'someone keys')");
    await db.catchUp();
    assert.deepEqual([db.version("keys") === before[0], db.version("groups") === before[1]], [false, true]);
    await db.write(async (tx) => tx.touch("groups"));
    await until(() => heard.some((payload) => /^hint:\S+ groups$/.test(payload)));
  } finally {
    await db.close();
    await other.end();
    await database.remove();
  }
});
