// What the log no longer keeps is gone, also from the file; what is promised stays; and the seals hold.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { ChangeKind } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";
import { insertCollection } from "#storage/tables/collections.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { readBytes } from "#storage/tables/history/contents.ts";
import { type Pruned, pruneHistory } from "./prune.ts";
import { sealChanges, verifyHistory } from "./seal.ts";

let ctx: Context;
let close: () => Promise<void>;
const defaults = {
  ...{ "history.keep": "P365D", "history.trash": "P30D", "history.records": "P1095D" },
  ...{ "history.versions": 100, "history.maxBytes": 0 },
};
let own: Record<string, string | number> = {};

before(async () => {
  const opened = await openTestContext();
  close = opened.close;
  const { settings } = opened.ctx;
  const get = (name: string) => own[name] ?? settings.get(name as "history.keep");
  ctx = { ...opened.ctx, settings: Object.assign(Object.create(settings), { get, dataDir: settings.dataDir }) };
});
after(() => close());
beforeEach(async () => {
  own = { ...defaults };
  for (const table of ["changes", "seals", "history_walks"]) await run(`DELETE FROM ${table}`);
  await run("UPDATE change_log SET bytes = 0, seq = 0");
});

const day = 86_400_000;
const run = (sql: string) => ctx.storage.write((tx) => tx.run(sql));

interface Change {
  kind?: ChangeKind;
  rid: number;
  rev?: number;
  /** In days. */
  age: number;
  content?: string;
  collection?: string;
}

function add({ kind = "update", rid, rev = 2, age, content = '{"a":1}', collection = "c" }: Change): Promise<void> {
  const at = ctx.clock.now() - age * day;
  const record = { at, kind, flags: 0, writer: 1, note: null, props: '["a"]', content };
  return ctx.storage.write((tx) => recordChange(tx, record, { rid, rev, collection, id: `o${rid}` }));
}

/** As `{rid}.{rev}`. */
async function kept(): Promise<string[]> {
  const rows = await ctx.storage.all<{ rid: number; rev: number }>(
    "SELECT rid, rev FROM changes WHERE content IS NOT NULL ORDER BY rid, rev",
  );
  return rows.map(({ rid, rev }) => `${rid}.${rev}`);
}

/** Twice: the second run finds nothing to do. The seals hold, and the bytes are those that are there. */
async function prune(): Promise<Pruned> {
  const done = await pruneHistory(ctx);
  assert.deepEqual(await pruneHistory(ctx), { deletions: 0, changes: 0, records: 0, files: 0 });
  assert.deepEqual((await verifyHistory(ctx)).findings, []);
  const row = await ctx.storage.one<{ n: number }>("SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) AS n FROM changes");
  assert.equal(await readBytes(ctx.storage), row?.n);
  return done;
}

test("RET-2 old values and old deletions lose their content, later ones keep it, and the seals hold", async () => {
  await add({ rid: 1, age: 400 });
  await add({ kind: "delete", rid: 2, age: 31 });
  await add({ rid: 3, age: 31 });
  await add({ kind: "delete", rid: 4, age: 29 });
  await sealChanges(ctx, 0);
  assert.deepEqual(await prune(), { deletions: 1, changes: 1, records: 0, files: 0 });
  assert.deepEqual(await kept(), ["3.2", "4.2"]);
});

test("RET-2 deleted objects stay as long as the trash says, also where values are kept for a shorter time", async () => {
  own["history.keep"] = "P7D";
  await add({ rid: 1, age: 10 });
  await add({ kind: "delete", rid: 2, age: 10 });
  await sealChanges(ctx, 0);
  await prune();
  assert.deepEqual(await kept(), ["2.2"]);
});

test("RET-3 values that are not sealed yet stay, however old they are", async () => {
  own["history.maxBytes"] = 1;
  own["history.versions"] = 1;
  await add({ rid: 5, rev: 2, age: 9000 });
  await add({ kind: "delete", rid: 5, rev: 3, age: 9000 });
  assert.deepEqual(await pruneHistory(ctx), { deletions: 0, changes: 0, records: 0, files: 0 });
  assert.deepEqual(await kept(), ["5.2", "5.3"]);
});

test("RET-4 the newest changes of an object keep their values, the others lose them; a lower number reaches all objects", async () => {
  own["history.versions"] = 3;
  for (let rev = 2; rev <= 8; rev += 1) await add({ rid: 1, rev, age: 1 });
  await add({ rid: 2, rev: 2, age: 1 });
  await sealChanges(ctx, 0);
  assert.deepEqual(await prune(), { deletions: 0, changes: 4, records: 0, files: 0 });
  assert.deepEqual(await kept(), ["1.6", "1.7", "1.8", "2.2"]);
  await add({ rid: 1, rev: 9, age: 0.5 });
  await sealChanges(ctx, 0);
  assert.equal((await prune()).changes, 1);
  own["history.versions"] = 1;
  assert.equal((await prune()).changes, 2);
  assert.deepEqual(await kept(), ["1.9", "2.2"]);
});

test("RET-5 the oldest contents go while all of them take up more than the limit", async () => {
  for (let rid = 1; rid <= 5; rid += 1)
    await add({ rid, age: 10 - rid, content: `{"a":"${"x".repeat(92)}"}`, kind: rid === 2 ? "delete" : "update" });
  await sealChanges(ctx, 0);
  assert.equal(await readBytes(ctx.storage), 500);
  await prune();
  assert.equal((await kept()).length, 5);
  own["history.maxBytes"] = 250;
  assert.equal((await prune()).changes, 3);
  assert.deepEqual(await kept(), ["4.2", "5.2"]);
});

test("RET-6 whole ranges older than history.records go and their seals stay; what is promised longer stays longer", async () => {
  await add({ rid: 1, age: 1200 });
  await sealChanges(ctx, 0);
  await add({ rid: 2, age: 1100 });
  await sealChanges(ctx, 0);
  await add({ rid: 3, age: 1 });
  await sealChanges(ctx, 0);
  own["history.keep"] = "P1150D";
  assert.deepEqual(await prune(), { deletions: 0, changes: 0, records: 1, files: 0 });
  assert.deepEqual(await kept(), ["2.2", "3.2"]);
  own["history.keep"] = "P365D";
  assert.deepEqual(await prune(), { deletions: 0, changes: 0, records: 1, files: 0 });
  const { seals, records } = await verifyHistory(ctx);
  assert.deepEqual([seals, records], [3, 1]);
  // Records that somebody else removed are missed, whatever the seal says.
  await run("UPDATE seals SET pruned = 1, marks = 'x' WHERE number = 3");
  await run("DELETE FROM changes");
  assert.deepEqual(
    (await verifyHistory(ctx)).findings.map(({ seal }) => seal),
    [3],
  );
});

test("RET-7 what is gone from the log is gone from the file", async () => {
  await add({ rid: 1, age: 400, content: '{"a":"a-word-that-is-gone"}' });
  await add({ rid: 2, age: 1, content: '{"a":"a-word-that-stays"}' });
  await sealChanges(ctx, 0);
  await prune();
  const copy = join(ctx.settings.dataDir, "copy.db");
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(join(ctx.settings.dataDir, ".system", "cairn.db"));
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  const bytes = readFileSync(copy);
  assert.equal(bytes.includes("a-word-that-is-gone"), false);
  assert.equal(bytes.includes("a-word-that-stays"), true);
});

test("RET-8 a collection keeps less than the installation where it says so, and never more", async () => {
  const put = (id: string, history: JsonObject) => {
    const settings = JSON.stringify({ id, schema: "page", history });
    const row = { id, settings, lastUpdated: "", updated: "", indexedRev: "" };
    return ctx.storage.write((tx) => insertCollection(tx, row));
  };
  await put("short", { mode: "full", keep: "P7D", trash: "P3D", versions: 2 });
  await put("long", { mode: "full", keep: "P900D", trash: "P900D", versions: 900 });
  await add({ collection: "long", rid: 1, age: 400 });
  await add({ collection: "long", kind: "delete", rid: 2, age: 40 });
  await add({ collection: "short", rid: 3, age: 10 });
  await add({ collection: "short", kind: "delete", rid: 4, age: 4 });
  await add({ collection: "c", rid: 5, age: 10 });
  for (let rev = 2; rev <= 4; rev += 1) await add({ collection: "short", rid: 6, rev, age: 1 });
  for (let rev = 2; rev <= 4; rev += 1) await add({ collection: "long", rid: 7, rev, age: 1 });
  await sealChanges(ctx, 0);
  assert.deepEqual(await prune(), { deletions: 2, changes: 3, records: 0, files: 0 });
  assert.deepEqual(await kept(), ["5.2", "6.3", "6.4", "7.2", "7.3", "7.4"]);
});
