import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { createCollection } from "#content/collections/collections.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { findCollectionRow, markDeleting } from "#storage/tables/collections.ts";
import { deleteLease, takeLease } from "#storage/tables/leases.ts";
import { followDeletions } from "./delete-collection.ts";

let ctx: Context;
let close: () => Promise<void>;

before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(() => close());

test("DUR-54 a running server finishes a deletion whose process died, and leaves those that others are at", async () => {
  const stop = followDeletions(ctx, 20);
  const owner = JSON.stringify({ machine: "elsewhere", pid: 1, run: "another" });
  const leaseUntil = new Date(Date.now() + 3_600_000).toISOString();
  for (const id of ["left", "held"]) await createCollection(ctx, { id, schema: "text" });
  await ctx.storage.write((tx) => takeLease(tx, "deletion held", { owner, leaseUntil }));
  for (const id of ["held", "left"]) await ctx.storage.write((tx) => markDeleting(tx, id));
  const isGone = async (id: string) => (await findCollectionRow(ctx.storage, id)) === undefined;
  await until(() => isGone("left"));
  await sleep(100);
  assert.equal(await isGone("held"), false);
  await ctx.storage.write((tx) => deleteLease(tx, "deletion held", owner));
  await until(() => isGone("held"));
  stop();
});
