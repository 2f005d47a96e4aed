// What an undo is about, over seals: in ranges of each writer, behind the last seal, and in seals whose writers are not noted.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sealChanges } from "#content/history/seal.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { selectChanges } from "./selection.ts";
import type { UndoOrder } from "./undo-request.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(() => close());

const day = 86_400_000;
const order: UndoOrder = {
  ...{ mark: "writer", id: "7", since: undefined, until: undefined, collections: undefined },
  ...{ limit: 50, offset: 0, apply: undefined, force: [] },
};

interface Written {
  writer: number;
  rid: number;
  at: number;
  id: string;
}

async function write(changes: readonly Written[]): Promise<void> {
  await ctx.storage.write(async (tx) => {
    for (const { writer, rid, at, id } of changes)
      await recordChange(
        tx,
        { at, kind: "update", flags: 0, writer, note: null, props: '["a"]', content: '{"a":1}' },
        { rid, rev: 2, collection: "c", id },
      );
  });
}

/** The objects with their first changes and ids, by number. */
async function select(more: Partial<UndoOrder> = {}, writers = [7]): Promise<[number, number, string][]> {
  const { objects } = await selectChanges(ctx, { ...order, ...more }, writers);
  return objects
    .map(({ rid, first, id }): [number, number, string] => [rid, first, id])
    .sort(([one], [other]) => one - other);
}

test("UND-1 changes of a writer are found in all of its ranges and behind the last seal, others are not", async () => {
  // Three writers over nine seals; the eighth of every ten changes is writer 7's.
  const many = Array.from({ length: 4_200 }, (_, n) => ({
    ...{ writer: n % 10 === 7 ? 7 : n % 2, rid: n + 1, id: `o${n + 1}`, at: 100 * day + n },
  }));
  const own = many.filter(({ writer }) => writer === 7).map(({ rid, id }) => [rid, rid, id]);
  await write(many);
  assert.deepEqual(await select(), own);
  assert.equal(await sealChanges(ctx, 0), 4_200);
  assert.deepEqual(await select(), own);

  // An object of before under another id, by the same writer, not sealed; and one by another writer.
  const late = [
    { writer: 7, rid: 8, id: "renamed", at: 200 * day },
    { writer: 1, rid: 18, id: "other", at: 200 * day },
    { writer: 7, rid: 5_000, id: "new", at: 200 * day },
  ];
  await write(late);
  const all = [[8, 8, "renamed"], ...own.slice(1), [5_000, 4_203, "new"]];
  assert.deepEqual(await select(), all);
  assert.deepEqual(await select({ since: 150 * day }), [
    [8, 4_201, "renamed"],
    [5_000, 4_203, "new"],
  ]);
  assert.equal((await select({ since: 100 * day + 4_000 })).length, 22);
  assert.deepEqual(await select({}, [8]), []);
  assert.equal((await select({}, [0, 7])).length, 421 + 2_100);

  await ctx.storage.write(async (tx) => {
    await tx.run("DELETE FROM writer_ranges");
    await tx.run("UPDATE change_log SET noted = 0 WHERE one = 1");
  });
  assert.deepEqual(await select(), all);
  assert.equal(await sealChanges(ctx, 0), 3);
  const noted = await ctx.storage.one<{ noted: number }>("SELECT noted FROM change_log WHERE one = 1");
  assert.equal(noted?.noted, 10);
  assert.deepEqual(await select(), all);
});
