import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { stopReindex } from "#content/collections/reindex.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { findRawSchema } from "#schemas/find-schema.ts";
import { insertPendingFiles, listPendingFiles } from "#storage/tables/pending-files.ts";
import { followImports } from "./pending-files.ts";

let ctx: Context;
let close: () => Promise<void>;

before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(async () => {
  await stopReindex(ctx);
  await close();
});

test("SYNC-72 a running server writes the files of an import whose process died after its commit", async () => {
  const stop = followImports(ctx, 20);
  const record = { id: "left", properties: { title: { type: "string" } }, required: [], index: [] };
  const content = JSON.stringify(record);
  await ctx.storage.write((tx) =>
    insertPendingFiles(tx, [{ kind: "schema", place: "left", content, stamped: ctx.clock.iso() }]),
  );
  await until(async () => (await listPendingFiles(ctx.storage, 1)).length === 0);
  stop();
  assert.deepEqual(await listPendingFiles(ctx.storage, 1), []);
  assert.ok(findRawSchema(ctx, "left"));
});
