// The counters of collections while many write: exact at every moment, and a collection that is deleted takes nobody's object.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { service } from "#lanes/caller.ts";
import { firstPage, objectWrite, selectionOf, type TestDatabase } from "./contract-samples.ts";
import type { Storage, Tx } from "./port.ts";
import { askPage, objectsOf } from "./query/select.ts";
import * as collections from "./tables/collections.ts";
import { deleteObject, insertObject, updateObject } from "./tables/object-writes.ts";
import { lockObject } from "./tables/objects.ts";

const isSoak = process.env.CAIRN_TEST_SOAK === "1";
const writers = 8;

async function insertCollection(db: Storage, id: string): Promise<void> {
  const row = { id, settings: "{}", lastUpdated: "", updated: "", indexedRev: "rev1" };
  await db.write((tx) => collections.insertCollection(tx, row));
}

/** As operations do it: an object first, then the counters. */
async function writeSome(tx: Tx, collection: string, { id, n }: { id: string; n: number }): Promise<void> {
  const now = new Date().toISOString();
  const found = await lockObject(tx, collection, id);
  const schemaRev = "rev1";
  if (!found) {
    // Some number their objects: these lock the counters first.
    if (n % 5 === 0) await collections.lockCounters(tx, collection);
    await insertObject(tx, objectWrite(collection, { id }));
    await collections.bumpCounters(tx, collection, { created: 1, total: 1, lastUpdated: now, schemaRev });
  } else if (n % 3 === 0) {
    await collections.bumpCounters(tx, collection, { created: 0, total: -1, lastUpdated: now });
    await deleteObject(tx, found, undefined);
  } else {
    await updateObject(tx, found, { write: objectWrite(collection, { id, idx: { n } }), record: undefined });
    await collections.bumpCounters(tx, collection, { created: 0, total: 0, lastUpdated: now, schemaRev });
  }
}

export function counterContract(storage: () => Storage, database: () => TestDatabase): void {
  test("STO-104 STO-105 counters and totals equal a count at the same moment, while others write and add them up", async () => {
    const db = storage();
    const other = await database().open();
    const id = "sto104";
    await insertCollection(db, id);
    let isOver = false;
    let written = 0;
    const writing = Array.from({ length: writers }, async (_, writer) => {
      // One process at a time writes to an embedded database.
      const own = db.isShared && writer % 2 === 1 ? other : db;
      for (let n = 1; !isOver; n++) {
        await own.write((tx) => writeSome(tx, id, { id: `w${writer}-${n % 7}`, n }));
        written += 1;
      }
    });
    const folding = (async () => {
      while (!isOver) {
        for (const one of await collections.listUnfolded(db)) await db.write((tx) => collections.foldCounts(tx, one));
        await sleep(2);
      }
    })();
    try {
      for (let n = 0; n < (isSoak ? 10_000 : 100) || written < 200; n++) {
        assert.equal(await collections.findMiscount(db, id), 0);
        const selection = selectionOf(id);
        const page = await askPage(db, {
          selection,
          page: firstPage,
          caller: service,
          shows: objectsOf,
          isCounted: true,
        });
        assert.equal(page.rows.length, page.total);
        await yieldToEventLoop();
      }
    } finally {
      isOver = true;
      await Promise.all([...writing, folding]);
      await other.close();
    }
    const before = await collections.readLastChange(db, id);
    for (const one of await collections.listUnfolded(db)) await db.write((tx) => collections.foldCounts(tx, one));
    assert.deepEqual(await collections.listUnfolded(db), []);
    assert.deepEqual({ ...(await collections.readLastChange(db, id)) }, { ...before });
    const { count, writes = 0 } = before ?? { count: 0 };
    assert.ok(count > 0 && writes > count);
  });

  test("STO-106 each change of a collection is counted, also one with an earlier time", async () => {
    const db = storage();
    await insertCollection(db, "sto106");
    const change = (lastUpdated: string, isLocked = false) =>
      db.write(async (tx) => {
        if (isLocked) await collections.lockCounters(tx, "sto106");
        await collections.bumpCounters(tx, "sto106", { created: 0, total: 0, lastUpdated });
      });
    const marks: unknown[] = [];
    const note = async () => {
      const { lastUpdated, writes } = (await collections.readLastChange(db, "sto106")) as collections.LastChange;
      marks.push([lastUpdated, writes]);
    };
    await change("2026-02-02");
    await note();
    await change("2026-01-01");
    await note();
    await db.write((tx) => collections.foldCounts(tx, "sto106"));
    await note();
    await change("2025-01-01", true);
    await note();
    assert.deepEqual(marks, [
      ["2026-02-02", 1],
      ["2026-01-01", 2],
      ["2026-01-01", 2],
      ["2025-01-01", 3],
    ]);
  });

  test("STO-107 a write to a collection that is gone, or about to go, leaves nothing behind", async () => {
    const db = storage();
    await insertCollection(db, "sto107");
    const create = (id: string) =>
      db.write(async (tx) => {
        await insertObject(tx, objectWrite("sto107", { id }));
        await collections.bumpCounters(tx, "sto107", { created: 1, total: 1, lastUpdated: "now", schemaRev: "rev1" });
      });
    await create("one");
    const before = db.version("objects:sto107");
    await db.write(async (tx) => {
      await collections.lockAllCounters(tx);
      assert.equal((await collections.lockCollectionRow(tx, "sto107"))?.totalObjects, 1);
      await collections.markDeleting(tx, "sto107");
    });
    await assert.rejects(create("two"), { word: "not-found" });
    assert.equal(db.version("objects:sto107"), before);
    await assert.rejects(
      db.write((tx) => collections.lockCounters(tx, "sto107")),
      { word: "not-found" },
    );
    assert.equal((await collections.readCounters(db, "sto107"))?.totalObjects, 1);
    await db.write((tx) => collections.deleteCollectionRow(tx, "sto107"));
    await assert.rejects(create("three"), { word: "not-found" });
    const ids = await db.all<{ id: string }>("SELECT id FROM objects WHERE collection = 'sto107'");
    assert.deepEqual(
      ids.map(({ id }) => id),
      ["one"],
    );
  });

  test("STO-108 a write under another revision than a collection is indexed under makes it be indexed again", async () => {
    const db = storage();
    await insertCollection(db, "sto108");
    const write = async (schemaRev: string) => {
      const change = { created: 0, total: 0, lastUpdated: "", schemaRev };
      await db.write((tx) => collections.bumpCounters(tx, "sto108", change));
      return (await collections.findCollectionRow(db, "sto108"))?.indexedRev;
    };
    assert.equal(await write("rev1"), "rev1");
    await db.write((tx) => collections.beginIndexing(tx, "sto108", "rev2"));
    assert.equal(await write("rev2"), ">rev2");
    assert.equal(await write("rev1"), "");
    assert.equal(await db.write((tx) => collections.beginIndexingUnlessDone(tx, "sto108", "rev1")), true);
    assert.equal(await write("rev1"), ">rev1");
  });
}
