// The log by its writers on every engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "#base/patience.fixture.ts";
import { objectWrite } from "#storage/contract-samples.ts";
import { placeBefore } from "#storage/log/writer-range.ts";
import type { Storage } from "#storage/port.ts";
import * as writes from "#storage/tables/object-writes.ts";
import * as byWriter from "./by-writer.ts";
import { findLastPlace, firstPlace } from "./feed.ts";
import * as ranges from "./writer-ranges.ts";
import { putWriter } from "./writers.ts";

const nobody = { userId: null, impersonator: null, keyId: null, keyName: null, clientId: null, clientName: null };

export function byWriterContract(database: () => Storage): void {
  test("UND-1 writers are found by what they are of, and their changes by their ranges", async () => {
    const db = database();
    const put = (mark: string, more: object) =>
      db.write((tx) =>
        putWriter(tx, {
          ...nobody,
          ...{ mark, actor: "user:und", grantId: null, automation: null, door: "api", run: null, first: 1 },
          ...more,
        }),
      );
    const one = await put("und-1", { userId: "und", clientId: "und-c", grantId: "und-g" });
    const two = await put("und-2", { userId: "und", keyId: "und-k", automation: "und-a", run: "und-r" });
    const find = async (mark: byWriter.WriterMark, id: string) =>
      (await byWriter.listWritersBy(db, mark, id, { after: 0, limit: 10 })).map((row) => row.id);
    assert.deepEqual(await find("user", "und"), [one, two]);
    assert.deepEqual([await find("grant", "und-g"), await find("client", "und-c")], [[one], [one]]);
    assert.deepEqual([await find("key", "und-k"), await find("automation", "und-a")], [[two], [two]]);
    assert.deepEqual([await find("run", "und-r"), await find("run", "und-c")], [[two], []]);
    const rest = await byWriter.listWritersBy(db, "user", "und", { after: one, limit: 10 });
    assert.equal(rest.length, 1);
    const created = { at: 5, kind: "create" as const, flags: 0, writer: two, note: null, props: null, content: null };
    // Transactions in other databases of the cluster hold back what is settled.
    await db.settle(patience);
    const start = (await findLastPlace(db)) ?? firstPlace;
    const rids = await db.write((tx) =>
      writes.insertObjects(
        tx,
        ["a", "b", "c"].map((id) => ({
          ...objectWrite("und", { id }),
          record: { ...created, writer: id === "c" ? one : two },
        })),
      ),
    );
    const all = await byWriter.listAllChanges(db, start, 10);
    assert.deepEqual(
      all.map(({ rid, id, at, writer }) => [rid, id, at, writer]),
      [
        [rids[0], "a", 5, two],
        [rids[1], "b", 5, two],
        [rids[2], "c", 5, one],
      ],
    );
    assert.equal((await byWriter.listAllChanges(db, all[0] ?? start, 1))[0]?.id, "b");

    const upTo = all.at(-1) ?? start;
    await db.write((tx) => ranges.noteWriters(tx, 1, all.slice(0, 1)));
    await db.write((tx) => ranges.noteWriters(tx, 2, all.slice(1)));
    const found = await ranges.listWriterRanges(db, two, { upTo, limit: 10 });
    assert.deepEqual(
      found.map(({ number, first, last, newest }) => [number, first.seq, last.seq, newest]),
      [
        [2, all[1]?.seq, all[1]?.seq, 5],
        [1, all[0]?.seq, all[0]?.seq, 5],
      ],
    );
    const [newer] = found;
    const older = await ranges.listWriterRanges(db, two, { upTo: placeBefore(newer?.last ?? upTo), limit: 10 });
    assert.deepEqual(older, found.slice(1));
    const changed = await Promise.all(found.map((range) => byWriter.listWriterChanges(db, two, range)));
    assert.deepEqual(
      changed.flat().map(({ id }) => id),
      ["b", "a"],
    );
    await db.write((tx) => ranges.removeWriterRanges(tx, { after: start, upTo }));
    assert.deepEqual(await ranges.listWriterRanges(db, two, { upTo, limit: 10 }), []);
    await db.write((tx) => tx.run("UPDATE change_log SET noted = 0 WHERE one = 1"));
  });
}
