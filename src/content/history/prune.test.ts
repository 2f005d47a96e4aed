// What is too old is taken out of the log, and the seals still hold.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { ChangeKind } from "#contract/history.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { pruneHistory } from "./prune.ts";
import { sealChanges, verifyHistory } from "./seal.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(() => close());

function add(kind: ChangeKind, rid: number, at: number): Promise<void> {
  const record = { at, kind, flags: 0, writer: 1, note: null, props: '["a"]', content: '{"a":1}' };
  return ctx.storage.write((tx) => recordChange(tx, record, { rid, rev: 2, collection: "c", id: `o${rid}` }));
}

test("RET-2 old values and old deletions lose their content, later ones keep it, and the seals hold", async () => {
  const now = ctx.clock.now();
  const day = 86_400_000;
  await add("update", 1, now - 400 * day);
  await add("delete", 2, now - 31 * day);
  await add("update", 3, now - 31 * day);
  await add("delete", 4, now - 29 * day);
  await sealChanges(ctx, 0);
  assert.deepEqual(await pruneHistory(ctx), { deletions: 1, changes: 1 });
  const kept = await ctx.storage.all<{ rid: number }>(
    "SELECT rid FROM changes WHERE rid IN (1, 2, 3, 4) AND content IS NOT NULL ORDER BY rid",
  );
  assert.deepEqual(
    kept.map(({ rid }) => rid),
    [3, 4],
  );
  assert.deepEqual((await verifyHistory(ctx)).findings, []);
  assert.deepEqual(await pruneHistory(ctx), { deletions: 0, changes: 0 });
});

test("RET-2 values that are not sealed yet stay, however old they are", async () => {
  await add("update", 5, 1);
  assert.deepEqual(await pruneHistory(ctx), { deletions: 0, changes: 0 });
});
