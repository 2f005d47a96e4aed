// The log of changes over all objects, on every engine: one order, and nothing before its turn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { patience } from "#base/patience.fixture.ts";
import { service } from "#lanes/caller.ts";
import type { TestDatabase } from "#storage/contract-samples.ts";
import type { ChangeRecord } from "#storage/log/change-record.ts";
import type { Place, Storage } from "#storage/port.ts";
import * as changes from "./changes.ts";
import { recordChange } from "./changes.ts";
import * as contents from "./contents.ts";
import * as feed from "./feed.ts";
import * as retention from "./retention.ts";
import * as seals from "./seals.ts";
import * as ranges from "./writer-ranges.ts";
import { putWriter } from "./writers.ts";

function record(writer: number, at: number): ChangeRecord {
  return { at, kind: "create", flags: 0, writer, note: null, props: null, content: null };
}

export function feedContract(database: () => Storage, open: () => TestDatabase): void {
  const row = (collection: string, id: string) => ({ rid: 0, rev: 1, collection, id });
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  /** Transactions in other databases of the cluster hold back what is settled. */
  const lastPlace = async () => {
    await database().settle(patience);
    return (await feed.findLastPlace(database())) ?? feed.firstPlace;
  };

  test("FEED-1 readers with any cuts get each change of several processes once, in one order", async () => {
    const other = await open().open();
    try {
      const start = await lastPlace();
      const write = (db: Storage, id: string) => db.write((tx) => recordChange(tx, record(1, 1), row("feed1", id)));
      const writing = Promise.all(
        [database(), other].flatMap((db, process) =>
          [0, 1, 2, 3].map(async (lane) => {
            for (let n = 0; n < 10; n += 1) await write(db, `${process}-${lane}-${n}`);
          }),
        ),
      );
      const readers = [1, 2, 7].map(async (limit) => {
        let place: Place = start;
        const seen: string[] = [];
        while (seen.length < 80) {
          await setImmediate();
          const { rows } = await feed.readTail(database(), place, limit);
          place = rows.at(-1) ?? place;
          seen.push(...ids(rows.filter(({ collection }) => collection === "feed1")));
        }
        return seen;
      });
      const [first = [], ...others] = await Promise.all(readers);
      await writing;
      assert.equal(new Set(first).size, 80);
      for (const seen of others) assert.deepEqual(seen, first);
    } finally {
      await other.close();
    }
  });

  test("FEED-1 transactions come in the order of their numbers, however many digits these have", async () => {
    const db = database();
    if (!db.isShared) return;
    const columns = "(tx, at, rid, rev, kind, flags, writer, collection, id)";
    for (const number of ["10", "9"])
      await db.write((tx) =>
        tx.run(`INSERT INTO changes ${columns} VALUES (?::text::xid8, 1, 0, 1, 1, 0, 1, 'feed1b', ?)`, [
          number,
          number,
        ]),
      );
    const { rows } = await feed.readTail(db, feed.firstPlace, 2);
    assert.deepEqual(ids(rows), ["9", "10"]);
    await db.write((tx) => tx.run("DELETE FROM changes WHERE collection = 'feed1b'"));
  });

  test("FEED-2 a change is read once no commit can come before it", async () => {
    if (!database().isShared) return;
    const start = await lastPlace();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    let begun = () => {};
    const isOpen = new Promise<void>((done) => {
      begun = done;
    });
    const early = database().write(async (tx) => {
      await recordChange(tx, record(1, 1), row("feed2", "early"));
      begun();
      await held;
    });
    await isOpen;
    await database().write((tx) => recordChange(tx, record(1, 1), row("feed2", "late")));
    const waiting = await feed.readTail(database(), start, 10);
    assert.deepEqual([ids(waiting.rows), waiting.isOpen], [[], true]);
    release();
    await early;
    let tail = await feed.readTail(database(), start, 10);
    while (tail.rows.length < 2) tail = await feed.readTail(database(), start, 10);
    assert.deepEqual(ids(tail.rows), ["early", "late"]);
  });

  test("FEED-3 the log is read by collection, writer and time, and no more of it than a page may", async () => {
    const db = database();
    const start = await lastPlace();
    const someone = {
      ...{ actor: "user:eve", userId: "eve", impersonator: null, keyId: null, keyName: null, clientId: null },
      ...{ clientName: null, grantId: "g-3", automation: null, door: "api" as const, run: null, first: 1 },
    };
    const writer = await db.write((tx) => putWriter(tx, { ...someone, mark: "feed3" }));
    for (const [at, id] of ["a", "b", "c", "d"].entries())
      await db.write((tx) =>
        recordChange(tx, record(id === "c" ? writer : 1, 5_000 + at), row(id === "b" ? "x3" : "feed3", id)),
      );
    await lastPlace();
    const page = { after: start, limit: 10, within: 1_000, caller: service };
    const find = async (filter: feed.FeedFilter, more = {}) => feed.askFeed(db, filter, { ...page, ...more });
    assert.deepEqual(ids((await find({ collections: ["feed3"] })).rows), ["a", "c", "d"]);
    assert.deepEqual((await find({ collections: [] })).rows, []);
    assert.deepEqual(ids((await find({ writer: { grantId: "g-3" } })).rows), ["c"]);
    assert.deepEqual(ids((await find({ writer: { door: "api", userId: "eve" } })).rows), ["c"]);
    assert.deepEqual(ids((await find({ since: 5_001, until: 5_002 })).rows), ["b", "c"]);
    const part = await find({ collections: ["feed3"] }, { within: 2 });
    assert.deepEqual(ids(part.rows), ["a"]);
    assert.deepEqual(ids((await find({}, { after: part.last, limit: 1 })).rows), ["c"]);
    const [known] = await feed.askWriters(db, { grantId: "g-3" }, { after: 0, limit: 5, caller: service });
    assert.deepEqual([known?.id, known?.actor, known?.last], [writer, "user:eve", 5_002]);
  });

  test("FEED-3 sealed changes of a writer are found by their ranges, the rest behind the last seal", async () => {
    const db = database();
    const start = await lastPlace();
    const put = (mark: string) =>
      db.write((tx) =>
        putWriter(tx, {
          ...{ actor: "user:zoe", userId: "zoe", impersonator: null, keyId: null, keyName: null, clientId: null, mark },
          ...{ clientName: null, grantId: mark, automation: null, door: "api" as const, run: null, first: 1 },
        }),
      );
    const [zoe, other] = [await put("feed3-a"), await put("feed3-b")];
    const write = (writer: number, id: string) =>
      db.write((tx) => recordChange(tx, record(writer, 5_000 + id.charCodeAt(0)), row("feed3b", id)));
    for (const [writer, id] of [
      ...[[zoe, "a"] as const, [1, "b"] as const, [other, "c"] as const, [zoe, "d"] as const, [1, "e"] as const],
      ...[[1, "f"] as const, [zoe, "g"] as const, [1, "h"] as const],
    ])
      await write(writer, id);
    const noted = async () => {
      const { rows } = await feed.readTail(db, start, 100);
      return rows.filter(({ collection }) => collection === "feed3b");
    };
    let all = await noted();
    while (all.length < 8) all = await noted();
    const rest = { records: 3, rangeHash: "h", root: "r", at: 9, newest: 5, pruned: 0, marks: "m" };
    for (const [number, part] of [all.slice(0, 3), all.slice(3, 5), all.slice(5, 7)].entries())
      await db.write(async (tx) => {
        const { tx: transaction, seq } = part.at(-1) as Place;
        await seals.insertSeal(tx, { ...rest, number: number + 1, tx: transaction, seq, records: part.length });
        await ranges.noteWriters(tx, number + 1, part);
      });
    await write(zoe, "i");
    const page = { limit: 100, within: 1_000, caller: service };
    const find = async (writer: feed.WriterFilter, limit: number) => {
      const found: string[] = [];
      for (let after: Place = start; ; ) {
        const { rows, last } = await feed.askFeed(db, { writer }, { ...page, after, limit });
        found.push(...ids(rows));
        const next = rows.length === limit ? rows.at(-1) : last;
        if (!next) return found;
        after = next;
      }
    };
    while ((await noted()).length < 9);
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(await find({ grantId: "feed3-a" }, limit), ["a", "d", "g", "i"]);
      assert.deepEqual(await find({ userId: "zoe" }, limit), ["a", "c", "d", "g", "i"]);
    }
    const lasts = async () => {
      const known = await feed.askWriters(db, { userId: "zoe" }, { after: 0, limit: 5, caller: service });
      return known.map(({ last }) => last);
    };
    const times = ["i", "c"].map((id) => 5_000 + id.charCodeAt(0));
    assert.deepEqual(await lasts(), times);
    assert.deepEqual(await ranges.findNotedPlace(db), { tx: all[6]?.tx, seq: all[6]?.seq });
    const list = async () => {
      const found = await ranges.listWriterRanges(db, zoe, { upTo: all[7] as Place, limit: 9 });
      // The first range also has what other tests recorded under numbers that they made up.
      return found.map(({ number, first, last, newest }) => (number === 1 ? [last] : [number, first, last, newest]));
    };
    const before = await list();
    assert.equal(await db.write((tx) => ranges.noteWriters(tx, 3, all)), false);
    // Seals of a restored backup, or of a server that knows no ranges.
    await db.write(async (tx) => {
      await tx.run("UPDATE seals SET records = 100000 WHERE number = 1");
      await tx.run("DELETE FROM writer_ranges");
      await tx.run("UPDATE change_log SET noted = 0 WHERE one = 1");
    });
    assert.deepEqual(await find({ grantId: "feed3-a" }, 2), ["a", "d", "g", "i"]);
    assert.deepEqual(await lasts(), times);
    assert.deepEqual([await ranges.noteOlder(db, 2), await ranges.noteOlder(db, 2)], [2, 1]);
    assert.equal(await ranges.noteOlder(db, 2), 0);
    assert.deepEqual([before.length, await list()], [3, before]);
    await db.write(async (tx) => {
      await tx.run("DELETE FROM seals");
      await tx.run("DELETE FROM writer_ranges");
      await tx.run("UPDATE change_log SET noted = 0 WHERE one = 1");
    });
  });

  test("SEAL-1 a seal is stored once, and content that is taken out leaves its hash", async () => {
    const db = database();
    const start = await lastPlace();
    await db.write((tx) =>
      recordChange(tx, { ...record(1, 5), content: '{"a":1}' }, { ...row("seal1", "a"), rid: 77 }),
    );
    const read = async () => {
      for await (const rows of seals.iterateRecords(db, { after: start, upTo: await lastPlace(), limit: 10 }))
        return rows;
      return [];
    };
    let found = await read();
    while (found.length === 0) found = await read();
    const [sealed] = found;
    assert.deepEqual([sealed?.content, sealed?.contentHash, sealed?.id], ['{"a":1}', null, "a"]);
    if (!sealed) return;
    const { tx: transaction, seq } = sealed;
    const rest = { records: 1, rangeHash: "h", root: "r", at: 9, newest: 5, pruned: 0, marks: "m" };
    const seal = { number: 1_000, tx: transaction, seq, ...rest };
    const put = () => db.write((tx) => seals.insertSeal(tx, seal));
    assert.deepEqual([await put(), await put()], [true, false]);
    assert.deepEqual(await seals.findLastSeal(db), seal);
    assert.deepEqual(await seals.listSeals(db, 999, 5), [seal]);
    const empty = { ...sealed, hash: "hash", bytes: 7 };
    const bytes = await contents.readBytes(db);
    assert.equal(await db.write((tx) => contents.changeContents(tx, [empty], true)), 1);
    const [dropped] = await read();
    assert.deepEqual([dropped?.content, dropped?.contentHash], [null, "hash"]);
    // As it was read before: somebody else changed it meanwhile.
    assert.equal(await db.write((tx) => contents.changeContents(tx, [empty], false)), 0);
    assert.equal(await contents.readBytes(db), bytes - 7);
    await db.write(async (tx) => {
      await contents.lockBytes(tx);
      await contents.countBytes(tx, 7);
    });
    assert.equal(await contents.readBytes(db), bytes);
  });

  test("RET-1 walks keep their places, and what is due is found by collection, by object and in the order of commits", async () => {
    const db = database();
    const walk = { tx: "0", seq: 12, rule: "r" };
    for (const name of ["walk:a", "walk:b"]) await db.write((tx) => retention.setWalk(tx, name, walk));
    await db.write((tx) => retention.endWalk(tx, "walk:b"));
    await db.write((tx) => retention.setWalk(tx, "walk:a", { ...walk, seq: 13 }));
    assert.deepEqual(await retention.listWalks(db, "walk:"), ["walk:a"]);
    assert.deepEqual(await retention.findWalk(db, "walk:a"), { ...walk, seq: 13 });

    const after = await lastPlace();
    const add = (kind: "update" | "delete", rev: number, content: string | null) =>
      db.write((tx) => recordChange(tx, { ...record(1, 8), kind, content }, { ...row("ret1", "a"), rid: 91, rev }));
    await add("update", 2, '{"a":1}');
    await add("update", 3, null);
    await add("delete", 4, "{}");
    let upTo = await lastPlace();
    const heads = () => retention.listHeads(db, { after, upTo }, 10);
    while ((await heads()).length < 3) upTo = await lastPlace();
    assert.deepEqual(
      (await heads()).map(({ rev, isKept }) => [rev, isKept]),
      [
        [2, 1],
        [3, 0],
        [4, 1],
      ],
    );
    const kept = async (of: { collection?: string; isAll?: boolean }) => {
      const found: (string | null)[] = [];
      for await (const rows of retention.iterateKept(db, { after, upTo }, of))
        found.push(...rows.map(({ content }) => content));
      return found;
    };
    assert.deepEqual(await kept({}), ['{"a":1}']);
    assert.deepEqual(await kept({ collection: "other" }), []);
    assert.deepEqual(await kept({ isAll: true }), ['{"a":1}', "{}"]);
    const past = await retention.listPastHeads(db, 91, Number.MAX_SAFE_INTEGER, 2);
    assert.deepEqual(
      past.map(({ rev, isKept, isEmptied }) => [rev, isKept, isEmptied]),
      [
        [4, 1, 0],
        [3, 0, 0],
      ],
    );
    const own = await retention.listKeptOf(db, 91, { from: 0, to: past[1]?.seq ?? 0 });
    assert.deepEqual(
      own.map(({ content }) => content),
      ['{"a":1}'],
    );
    assert.equal(await retention.findTrashAfter(db, "ret0"), "ret1");
    const deletions = await retention.listKeptDeletions(db, "ret1", { after: 0, upTo, limit: 10 });
    assert.deepEqual(
      deletions.map(({ at, rid }) => [at, rid]),
      [[8, 91]],
    );
    assert.equal(await db.write((tx) => retention.sumRange(tx, { after, upTo })), 9);
  });

  test("RET-10 the notes of an object and the deletions under its id are found, and a note leaves its hash", async () => {
    const db = database();
    const deletion = { ...record(1, 8), kind: "delete" as const, note: "why" };
    await db.write((tx) => recordChange(tx, deletion, { ...row("ret10", "a"), rid: 92 }));
    const found = await changes.listDeletionsOf(db, { collection: "ret10", id: "a" }, { after: 0, limit: 5 });
    assert.deepEqual(
      found.map(({ rid }) => rid),
      [92],
    );
    const [note] = await contents.listNotes(db, 92, 0, 5);
    assert.equal(note?.note, "why");
    if (note) assert.equal(await db.write((tx) => contents.eraseNote(tx, note, "hash")), 1);
    assert.deepEqual(await contents.listNotes(db, 92, 0, 5), []);
  });

  test("FEED-2 a transaction that holds up the log is found, once it is old enough", async () => {
    const db = database();
    assert.equal(await feed.findHoldUp(db, 60_000), undefined);
    if (!db.isShared) return;
    const other = await open().open();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    let begun = () => {};
    const isOpen = new Promise<void>((done) => {
      begun = done;
    });
    const early = other.write(async (tx) => {
      await recordChange(tx, record(1, 1), row("feed2b", "early"));
      begun();
      await held;
    });
    try {
      await isOpen;
      await db.write((tx) => recordChange(tx, record(1, 1), row("feed2b", "late")));
      const found = await feed.findHoldUp(db, 0);
      assert.ok(found && found.process > 0 && found.seconds >= 0);
      assert.equal(await feed.findHoldUp(db, 60_000), undefined);
    } finally {
      release();
      await early;
      await other.close();
    }
  });

  test("RET-6 a range goes as a whole, its seal stays, and the last range never goes", async () => {
    const db = database();
    // Records of earlier tests are behind the last place once no transaction of the server, whose databases others use, is older.
    let after = await lastPlace();
    const all = { tx: "9223372036854775807", seq: 0 };
    while ((await retention.listHeads(db, { after, upTo: all }, 1)).length > 0) after = await lastPlace();
    await db.write((tx) => recordChange(tx, record(1, 8), row("ret6", "a")));
    let upTo = await lastPlace();
    while ((await retention.listHeads(db, { after, upTo }, 10)).length < 1) upTo = await lastPlace();
    const rest = { records: 1, rangeHash: "h", root: "r", at: 9, newest: 5, pruned: 0, marks: "m" };
    const put = (number: number, place: Place) =>
      db.write((tx) => seals.insertSeal(tx, { number, tx: place.tx, seq: place.seq, ...rest }));
    await db.write((tx) => tx.run("DELETE FROM seals"));
    await put(1, after);
    assert.equal(await retention.findOldestRange(db), undefined);
    await put(2, upTo);
    const first = await retention.findOldestRange(db);
    assert.deepEqual([first?.seal.number, first?.after], [1, { tx: "0", seq: 0 }]);
    await put(3, upTo);
    const remove = () => db.write((tx) => retention.removeRange(tx, { after, upTo, number: 2, mark: "gone" }));
    assert.deepEqual([await remove(), await remove()], [1, 0]);
    assert.deepEqual(await retention.listHeads(db, { after, upTo }, 10), []);
    assert.deepEqual(
      (await seals.listSeals(db, 1, 1)).map(({ pruned, marks }) => [pruned, marks]),
      [[1, "gone"]],
    );
    const { removed } = await feed.readLog(db);
    assert.deepEqual(removed, { tx: upTo.tx, seq: upTo.seq });
    await db.write((tx) => tx.run("DELETE FROM seals"));
  });

  test("FEED-4 a log has an id, and another one after its records were put back", async () => {
    const before = await feed.readLog(database());
    assert.match(before.id, /^[0-9a-f]{16}$/);
    await database().write((tx) => feed.renewLog(tx, "00000000000000aa"));
    assert.deepEqual(await feed.readLog(database()), { id: "00000000000000aa", removed: { tx: "0", seq: 0 } });
  });
}
