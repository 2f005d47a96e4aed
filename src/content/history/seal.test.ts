// Seals of the log: whatever is changed behind them is found.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { changeContents } from "#storage/tables/history/contents.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import { iterateRecords, type SealedRow } from "#storage/tables/history/seals.ts";
import { emptied } from "./empty.ts";
import { sealChanges, verifyHistory } from "./seal.ts";
import { hasherOf } from "./seal-hash.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
  for (let n = 1; n <= 6; n += 1)
    await ctx.storage.write((tx) =>
      recordChange(
        tx,
        { at: n, kind: "update", flags: 1, writer: 1, note: "n", props: '["a"]', content: `{"a":${n}}` },
        { rid: n, rev: 2, collection: "c", id: `o${n}` },
      ),
    );
  // With room between them.
  await run("UPDATE changes SET seq = seq * 10");
  assert.equal(await sealChanges(ctx, 0), 6);
});
after(() => close());

const run = (sql: string) => ctx.storage.write((tx) => tx.run(sql));
const found = async () =>
  (await verifyHistory(ctx)).findings.map(({ what, change }) => `${what} ${change ?? ""}`.trim());
/** Changes back what it changed. */
async function tampered(sql: string): Promise<string[]> {
  await run("CREATE TABLE kept AS SELECT * FROM changes");
  await run(sql);
  const findings = await found();
  await run("DELETE FROM changes");
  await run("INSERT INTO changes SELECT * FROM kept");
  await run("DROP TABLE kept");
  assert.deepEqual(await found(), []);
  return findings;
}

test("SEAL-2 a change of any column of a sealed record is found", async () => {
  assert.deepEqual(await found(), []);
  const numbers = ["at", "rid", "rev", "kind", "flags", "writer"].map((name) => `${name} = ${name} + 1`);
  const texts = ["collection", "id", "note", "props", "content"].map((name) => `${name} = ${name} || 'x'`);
  const more = [
    "approver = 1",
    "proposal = 'p'",
    "layer = 'l'",
    "secrets = '{}'",
    "content_hash = 'x'",
    "content = NULL",
    "note = NULL",
    "note_hash = 'x', note = NULL",
  ];
  for (const change of [...numbers, ...texts, ...more])
    assert.deepEqual(await tampered(`UPDATE changes SET ${change} WHERE seq = 30`), ["altered 30"], change);
});

test("SEAL-3 a record that was removed, added or moved is found", async () => {
  assert.deepEqual(await tampered("DELETE FROM changes WHERE seq = 30"), ["removed"]);
  const columns = "at, rid, rev, kind, flags, writer, collection, id, note, props, content";
  const copy = `INSERT INTO changes (seq, ${columns}) SELECT 35, ${columns.replace("rev", "9")} FROM changes WHERE seq = 20`;
  assert.deepEqual(await tampered(copy), ["added 35"]);
  await run("CREATE TABLE kept AS SELECT * FROM changes");
  await run("UPDATE changes SET seq = CASE seq WHEN 20 THEN -20 ELSE -50 END WHERE seq IN (20, 50)");
  await run("UPDATE changes SET seq = CASE seq WHEN -20 THEN 50 ELSE 20 END WHERE seq < 0");
  assert.deepEqual(await found(), ["moved 20", "moved 50"]);
  await run("DELETE FROM changes");
  await run("INSERT INTO changes SELECT * FROM kept");
  await run("DROP TABLE kept");
});

test("SEAL-6 a writer that was changed is found by its records", async () => {
  const insert =
    "INSERT INTO writers (id, mark, actor, user_id, door, first) VALUES (1, 'm', 'user:eve', 'eve', 'api', 1)";
  await run(insert);
  const all = [10, 20, 30, 40, 50, 60].map((seq) => `altered ${seq}`);
  assert.deepEqual(await found(), all);
  await run("DELETE FROM writers");
});

test("SEAL-4 content that is taken out with its hash leaves the record verifiable, and so does a part of it", async () => {
  const hasher = hasherOf(ctx);
  const rows: SealedRow[] = [];
  for await (const part of iterateRecords(ctx.storage, { after: firstPlace, limit: 10 })) rows.push(...part);
  const [first, second] = rows as [SealedRow, SealedRow];
  await ctx.storage.write((tx) => changeContents(tx, [emptied(hasher, first)], true));
  const rest = { content: "{}", secrets: null };
  const hash = hasher.rest(hasher.content(second), rest);
  await run(`UPDATE changes SET content = '{}', content_hash = '${hash}' WHERE seq = 20`);
  assert.deepEqual(await found(), []);
  await run("UPDATE changes SET content = '{\"a\":9}' WHERE seq = 20");
  assert.deepEqual(await found(), ["altered 20"]);
  await run("UPDATE changes SET content = '{}' WHERE seq = 20");
});

test("SEAL-5 a seal that was changed breaks the chain", async () => {
  await run("UPDATE seals SET root = 'x'");
  assert.deepEqual(await found(), ["seal"]);
});
