import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { createObject, getObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { countTargets, insertTargets, takeTarget } from "#storage/tables/bulk-targets.ts";
import { findJobRow } from "#storage/tables/jobs.ts";
import { enqueueBulk, handleBulkChanges } from "./bulk-job.ts";

let ctx: Context;
let close: () => Promise<void>;

before(async () => {
  ({ ctx, close } = await openTestContext());
  handleBulkChanges(ctx);
  await createCollection(ctx, { id: "stones", schema: "text" });
  for (const id of ["a", "b"]) await createObject(ctx, "stones", { id, text: "old" });
});
after(() => close());

const textOf = async (id: string) => JSON.parse((await getObject(ctx, "stones", id)).text).text;
const patch = (ids: string[], text: string) =>
  enqueueBulk(ctx, { collection: "stones", operation: "patch", body: { text } }, ids);

test("ADM-67 a job whose selection was not stored completely changes nothing", async () => {
  const job = await patch(["a", "b"], "new");
  await ctx.storage.write((tx) => insertTargets(tx, job, [""]));
  await ctx.jobs.tick();
  const row = await findJobRow(ctx.storage, job);
  assert.equal(row?.status, "failed");
  assert.match(row?.error ?? "", /Nothing was changed/);
  assert.deepEqual([await textOf("a"), await textOf("b")], ["old", "old"]);
});

test("ADM-70 an object that another process has changed is not changed again, and counts as done", async () => {
  const job = await patch(["a", "b", "none"], "newer");
  await ctx.storage.write((tx) => takeTarget(tx, { job, id: "a" }));
  await ctx.jobs.tick();
  const row = await findJobRow(ctx.storage, job);
  const result = JSON.parse(row?.result ?? "{}");
  assert.deepEqual([row?.status, result.done, result.failed.length], ["succeeded", 2, 1]);
  assert.deepEqual([await textOf("a"), await textOf("b")], ["old", "newer"]);
  assert.equal(await countTargets(ctx.storage, job), 0);
});

test("ADM-66 the values of a waiting job cannot be read in a copy of the database", async () => {
  const job = await patch(["a"], "very-secret-text");
  assert.doesNotMatch((await findJobRow(ctx.storage, job))?.payload ?? "", /very-secret-text/);
  await ctx.jobs.tick();
  assert.equal(await textOf("a"), "very-secret-text");
});
