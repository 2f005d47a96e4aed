// The log by its writers on every engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { objectWrite } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import * as writes from "#storage/tables/object-writes.ts";
import * as byWriter from "./by-writer.ts";
import { putWriter } from "./writers.ts";

const nobody = { userId: null, impersonator: null, keyId: null, keyName: null, clientId: null, clientName: null };

export function byWriterContract(database: () => Storage): void {
  test("UND-1 writers are found by what they are of, and their changes newest first", async () => {
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
    const rids = await db.write((tx) =>
      writes.insertObjects(
        tx,
        ["a", "b"].map((id) => ({ ...objectWrite("und", { id }), record: created })),
      ),
    );
    // Other tests record under numbers that they make up.
    const list = async (before: number) =>
      (await byWriter.listWriterChanges(db, two, { before, limit: 10 })).filter(
        ({ collection }) => collection === "und",
      );
    const found = await list(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(
      found.map(({ rid, id, at }) => [rid, id, at]),
      [
        [rids[1], "b", 5],
        [rids[0], "a", 5],
      ],
    );
    const [newest] = found;
    assert.equal((await list(newest?.seq ?? 0)).length, 1);
  });
}
