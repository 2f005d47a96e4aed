// The log of changes on every engine: what each write records, and how it is read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { objectWrite } from "#storage/contract-samples.ts";
import type { ChangeRecord } from "#storage/log/change-record.ts";
import { lastNumber, type OwnNumbers } from "#storage/log/own-numbers.ts";
import { type Storage, UniqueViolation } from "#storage/port.ts";
import { insertCollection, ownsNumber } from "#storage/tables/collections.ts";
import * as writes from "#storage/tables/object-writes.ts";
import * as objects from "#storage/tables/objects.ts";
import * as changes from "./changes.ts";
import { changeContents, lengthOf } from "./contents.ts";
import * as deletions from "./deletions.ts";
import * as together from "./objects-with-changes.ts";
import * as writers from "./writers.ts";

const someone = {
  ...{ actor: "user:ada", userId: "ada", impersonator: null, keyId: null, keyName: null, clientId: null },
  ...{ clientName: null, grantId: null, automation: null, door: "session" as const, run: null, first: 1 },
};

function record(writer: number, more: Partial<ChangeRecord> = {}): ChangeRecord {
  return { at: 1_000, kind: "create", flags: 0, writer, note: null, props: null, content: null, ...more };
}

export function historyContract(database: () => Storage): void {
  const add = (collection: string, ids: string[], writer: number) =>
    database().write((tx) =>
      writes.insertObjects(
        tx,
        ids.map((id) => ({ ...objectWrite(collection, { id }), record: record(writer) })),
      ),
    );
  const pathOf = async (rid: number) =>
    (await changes.listObjectChanges(database(), rid, { limit: 10 })).map(({ kind, rev, hasContent }) => [
      kind,
      rev,
      hasContent,
    ]);

  test("WRI-1 a writer has one number, whichever process asks first", async () => {
    const db = database();
    const put = (mark: string) => db.write((tx) => writers.putWriter(tx, { ...someone, mark }));
    const [first, again, other] = [await put("a"), await put("a"), await put("b")];
    assert.equal(first, again);
    assert.notEqual(first, other);
    assert.deepEqual(await writers.findWriter(db, first), { id: first, mark: "a", ...someone, was: null });
    assert.equal((await writers.findWriters(db, [first, other])).length, 2);
    assert.deepEqual(await writers.findWriters(db, []), []);
    const renamed = { ...someone, id: first, mark: "p", actor: "user:p", userId: "p", was: "w" };
    await db.write((tx) => writers.renameWriter(tx, renamed));
    assert.deepEqual(await writers.findWriter(db, first), renamed);
  });

  test("HIS-1 each write stores its record with it: creation, change and deletion, in the order of their revisions", async () => {
    const db = database();
    const [rid = 0] = await add("his1", ["one"], 7);
    const odd = 'why "so", {1}\n[ü]';
    await db.write(async (tx) => {
      const row = await objects.lockObject(tx, "his1", "one");
      const write = objectWrite("his1", { id: "one", title: "New" });
      const more = { kind: "update" as const, props: '["title"]', content: '{"":["title"]}', note: odd };
      if (row) await writes.updateObject(tx, row, { write, record: record(8, more) });
    });
    const [changed] = await changes.listObjectChanges(db, rid, { limit: 1 });
    assert.deepEqual(
      [changed?.writer, changed?.props, changed?.note, changed?.collection, changed?.id, changed?.at],
      [8, '["title"]', odd, "his1", "one", 1_000],
    );
    const byName = (page: { before?: number | undefined; limit: number }) =>
      changes.listChangesByName(db, { collection: "his1", id: "one" }, page);
    const shown = ({ seq, at, rev, kind, writer, collection, id, note, props, hasContent }: changes.ListedChange) => [
      ...[seq, at, rev, kind, writer, collection, id, note, props, hasContent],
    ];
    const nameOfFirst = (id: string) =>
      db.write((tx) => tx.run("UPDATE changes SET id = ? WHERE rid = ? AND rev = 1", [id, rid]));
    await nameOfFirst("before");
    const all = await changes.listObjectChanges(db, rid, { limit: 5 });
    assert.deepEqual(
      all.map(({ id }) => id),
      ["one", "before"],
    );
    assert.deepEqual((await byName({ limit: 5 })).map(shown), all.map(shown));
    assert.deepEqual(await byName({ before: 1, limit: 5 }), []);
    await nameOfFirst("one");
    assert.deepEqual(
      (await byName({ before: changed?.seq, limit: 5 })).map(({ rev }) => rev),
      [1],
    );
    await db.write((tx) =>
      writes.deleteObject(tx, { rid, collection: "his1" }, { at: 2_000, writer: 9, note: null, keepsContent: true }),
    );
    assert.deepEqual(await pathOf(rid), [
      [3, 3, 1],
      [2, 2, 1],
      [1, 1, 0],
    ]);
    const deletion = await changes.findLastDeletion(db, { collection: "his1", id: "one" });
    const [kept] = await changes.listContents(db, rid, { from: deletion?.seq ?? 0, limit: 1 });
    const bytes = Buffer.byteLength(kept?.content ?? "") + "{}".length;
    assert.deepEqual(await changes.measureContents(db, rid, { from: deletion?.seq ?? 0, limit: 5 }), {
      changes: 1,
      bytes,
    });
    assert.equal((await changes.measureContents(db, rid, { from: 0, limit: 2 })).changes, 2);
    const { document, attic, schemaRev } = JSON.parse(kept?.content ?? "{}");
    assert.deepEqual([document, attic, schemaRev], [{ id: "one" }, {}, "rev1"]);
    assert.equal((await changes.findObjectChange(db, rid, changed?.seq ?? 0))?.rev, 2);
    assert.equal(await changes.findLastDeletion(db, { collection: "his1", id: "two" }), undefined);
    const older = await changes.listObjectChanges(db, rid, { before: changed?.seq, limit: 5 });
    assert.deepEqual(await byName({ limit: 5 }), []);
    assert.deepEqual(
      older.map(({ rev }) => rev),
      [1],
    );
  });

  test("HIS-2 of objects that are stored together each has its record, except where the id was taken or none is kept", async () => {
    const db = database();
    await add("his2", ["a"], 1);
    const rids = await db.write((tx) =>
      writes.insertObjects(tx, [
        { ...objectWrite("his2", { id: "a" }), record: record(2) },
        { ...objectWrite("his2", { id: "b" }), record: record(3, { flags: 2 }) },
        { ...objectWrite("his2", { id: "c" }), record: undefined },
      ]),
    );
    assert.equal(rids[0], undefined);
    assert.deepEqual(await pathOf(rids[1] ?? 0), [[1, 1, 0]]);
    assert.deepEqual(await pathOf(rids[2] ?? 0), []);
    const [second] = await changes.listObjectChanges(db, rids[1] ?? 0, { limit: 1 });
    assert.deepEqual([second?.writer, second?.flags], [3, 2]);
  });

  test("HIS-2 objects are read together with their changes from one on; what is large is left to be read alone", async () => {
    const db = database();
    const [plain = 0, large = 0, gone = 0] = await add("his2r", ["a", "b", "c"], 1);
    const change = (rid: number, content: string) =>
      db.write(async (tx) => {
        const row = await objects.lockObject(tx, "his2r", rid === plain ? "a" : "b");
        const write = objectWrite("his2r", { id: row?.id ?? "" });
        if (row)
          await writes.updateObject(tx, row, { write, record: record(2, { kind: "update", props: "[]", content }) });
      });
    for (const text of ['{"n":1}', '{"n":2}']) await change(plain, text);
    await change(large, JSON.stringify({ text: "x".repeat(40_000) }));
    await db.write((tx) =>
      writes.deleteObject(tx, { rid: gone, collection: "his2r" }, { at: 2, writer: 9, note: null, keepsContent: true }),
    );
    const [newest] = await changes.listObjectChanges(db, plain, { limit: 1 });
    const of = (rid: number, first = 0) => ({ rid, collection: "his2r", first });
    const wanted = [of(plain, newest?.seq), of(large), of(gone)];
    const found = await together.findObjectsWithChanges(db, wanted);
    const shown = (rid: number) => {
      const read = found.get(rid);
      return read && [read.row?.id, read.row?.rev, read.changes.map(({ rev, content }) => [rev, content !== null])];
    };
    assert.deepEqual(shown(plain), ["a", 3, [[3, true]]]);
    assert.deepEqual(shown(gone), [
      undefined,
      undefined,
      [
        [2, true],
        [1, false],
      ],
    ]);
    assert.equal(shown(large), undefined);
    assert.deepEqual(await together.findObjectsWithChanges(db, []), new Map());
    assert.deepEqual(await together.listNumbers(db, "his2r", ["a", "c", "z"]), [{ id: "a", rid: plain }]);
    assert.deepEqual(await together.listNumbers(db, "his2r", []), []);
  });

  test("HIS-3 a collection that is deleted in parts leaves a record of each object", async () => {
    const db = database();
    const rids = await add("his3", ["a", "b", "c"], 1);
    const draft = "UPDATE objects SET doc = '{\"draft\":true}' WHERE collection = 'his3' AND rid = ?";
    await db.write((tx) => tx.run(draft, [rids[1] ?? 0]));
    const deletion = { at: 5, writer: 4, note: null, keepsContent: false };
    for (const limit of [2, 2])
      await db.write((tx) => writes.deleteSomeObjects(tx, { collection: "his3", limit }, deletion));
    const gone = await db.all<{ id: string; flags: number; hasContent: number }>(
      `SELECT ${changes.changeColumns} FROM changes WHERE collection = 'his3' AND kind IN (3, 8) ORDER BY id, seq`,
    );
    assert.deepEqual(
      gone.map(({ id, flags, hasContent }) => [id, flags, hasContent]),
      [
        ["a", 0, 0],
        ["b", 1, 0],
        ["c", 0, 0],
      ],
    );
  });

  test("HIS-27 deletions are found within the numbers of a collection, and those of one writer tell its numbers", async () => {
    const db = database();
    const rids: number[] = [];
    for (const [writer, at] of [
      [91, 1_000],
      [92, 2_000],
    ] as const) {
      const [rid = 0] = await add("his27", ["a"], 1);
      rids.push(rid);
      const kept = { at, writer, note: null, keepsContent: true };
      await db.write((tx) => writes.deleteObject(tx, { rid, collection: "his27" }, kept));
    }
    const [first = 0, second = 0] = rids;
    const named = { collection: "his27", id: "a" };
    const last = async (numbers?: OwnNumbers) => (await changes.findLastDeletion(db, { ...named, numbers }))?.rid;
    assert.deepEqual(
      [await last(), await last([[0, first]]), await last([[first, null]]), await last([])],
      [second, first, second, undefined],
    );
    const after = async (numbers: OwnNumbers) => (await changes.findDeletionAfter(db, { ...named, numbers }, 500))?.rid;
    assert.deepEqual([await after([[0, null]]), await after([[first, null]])], [first, second]);
    const highest = (writer: number, seq: number) =>
      deletions.findHighestDeleted(db, { collection: "his27", writer, seq });
    assert.deepEqual([await highest(91, 0), await highest(92, 0), await highest(90, 0)], [first, second, 0]);
    assert.equal(await highest(90, Number.MAX_SAFE_INTEGER), second);
    const next = await db.write(lastNumber);
    assert.ok(next >= second);
    const row = { id: "his27", settings: "{}", lastUpdated: "", updated: "", indexedRev: "" };
    await db.write((tx) => insertCollection(tx, row, { numbers: [[first, second]], count: 0 }));
    const owns = (rid: number) => ownsNumber(db, "his27", rid);
    assert.deepEqual([await owns(first), await owns(second), await ownsNumber(db, "none", 1)], [false, true, false]);
    assert.ok(((await add("his27", ["b"], 1))[0] ?? 0) > next);
  });

  test("HIS-4 a record that belongs to no object is kept too, and each record moves the version", async () => {
    const db = database();
    const version = db.version("changes");
    await db.write((tx) =>
      changes.recordChange(tx, record(1, { kind: "collection", content: "{}" }), {
        ...{ rid: 0, rev: 0, collection: "his4", id: "" },
      }),
    );
    assert.notEqual(db.version("changes"), version);
    const found = await deletions.findCollectionDeletion(db, "his4");
    const seq = found?.seq ?? 0;
    assert.equal(found?.hasContent, 1);
    assert.equal(await deletions.findCollectionDeletion(db, "his5"), undefined);
    const before = (end: number) => deletions.findCollectionDeletion(db, "his4", end);
    assert.deepEqual([await before(seq), (await before(seq + 1))?.seq], [undefined, seq]);
  });

  test("TRA-1 a deleted object comes back with its number, its next revision and its words; while it is there the log has it once", async () => {
    const db = database();
    const [rid = 0] = await add("tra1", ["a"], 1);
    await db.write((tx) =>
      writes.deleteObject(tx, { rid, collection: "tra1" }, { at: 2_000, writer: 9, note: null, keepsContent: true }),
    );
    const [kept] = await deletions.listTrash(db, { collection: "tra1", limit: 5 });
    const seq = kept?.seq ?? 0;
    assert.deepEqual([kept?.rid, kept?.id, await deletions.lastChangeOf(db, rid)], [rid, "a", seq]);
    assert.ok((await deletions.listTrash(db, { before: seq + 1, limit: 1 })).some((row) => row.seq === seq));
    assert.equal((await deletions.listDeletionsBy(db, 9, { after: seq - 1, limit: 5 })).length, 1);
    const deletion = await deletions.findDeletion(db, seq);
    assert.deepEqual([JSON.parse(deletion?.content ?? "{}").document, deletion?.secrets], [{ id: "a" }, "{}"]);
    assert.equal(await deletions.findStoredObject(db, { rid, collection: "tra1" }), undefined);
    assert.equal(await deletions.findStoredByName(db, "tra1", "a"), undefined);
    const write = { ...objectWrite("tra1", { id: "b", title: "Word" }), record: record(5, { kind: "restore" }) };
    const bringBack = () => db.write((tx) => writes.reinstateObject(tx, { rid, rev: 3, attic: '{"old":1}' }, write));
    await bringBack();
    await assert.rejects(bringBack(), UniqueViolation);
    const { attic, rev, id } = (await deletions.findStoredObject(db, { rid, collection: "tra1" })) ?? {};
    assert.deepEqual([attic, rev, id], ['{"old":1}', 3, "b"]);
    assert.equal((await deletions.findStoredByName(db, "tra1", "b"))?.rid, rid);
    assert.deepEqual(await pathOf(rid), [
      [6, 3, 0],
      [3, 2, 1],
      [1, 1, 0],
    ]);
    assert.deepEqual(await deletions.listTrash(db, { collection: "tra1", limit: 5 }), []);
    const content = await deletions.findKeptDeletion(db, seq);
    assert.equal(content?.rid, rid);
    await db.write((tx) =>
      changeContents(tx, content ? [{ ...content, hash: "hash", bytes: lengthOf(content) }] : [], false),
    );
    assert.equal(await deletions.findDeletion(db, seq), undefined);
  });

  test("HIS-10 a moment finds the life of an id that it falls into", async () => {
    const db = database();
    const [first = 0] = await add("his10", ["a"], 1);
    const deletion = { at: 2_000, writer: 9, note: null, keepsContent: true };
    await db.write((tx) => writes.deleteObject(tx, { rid: first, collection: "his10" }, deletion));
    await add("his10", ["a"], 1);
    const object = { collection: "his10", id: "a" };
    assert.equal((await changes.findDeletionAfter(db, object, 1_500))?.rid, first);
    assert.equal(await changes.findDeletionAfter(db, object, 2_000), undefined);
  });
}
