import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { createLog } from "#base/log.ts";
import { until } from "#base/patience.fixture.ts";
import { createBudget } from "#lanes/budget.ts";
import type { Caller } from "#lanes/caller.ts";
import { openStreams, type Streams } from "./sqlite-streams.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-streams-"));
const file = join(folder, "test.db");
const database = new DatabaseSync(file);
database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE migrations (name); CREATE TABLE numbers (n INTEGER);
  WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < 1000) INSERT INTO numbers SELECT n FROM some`);
const log = createLog("silent");
const limits = { budgetMs: 0, publicBudgetMs: 0 };
const budget = createBudget(() => limits);
const streams = openStreams({ file: { file }, budget, log });
after(async () => {
  await streams.close();
  database.close();
  rmSync(folder, { recursive: true });
});

const sql = "SELECT n FROM numbers ORDER BY n";
const key = (name: string): Caller => ({ name: `key:${name}`, hasCredential: true });
const visitor = (name: string): Caller => ({ name: `ip:${name}`, hasCredential: false });

interface Opened {
  first: Promise<IteratorResult<{ n: number }[]>>;
  leave(): Promise<unknown>;
}

function open(caller: Caller, from: Streams = streams): Opened {
  const batches = from.iterate<{ n: number }>(sql, [], 10, caller)[Symbol.asyncIterator]();
  const first = batches.next();
  first.catch(() => {});
  return { first, leave: () => batches.return?.() ?? Promise.resolve() };
}

test("STO-78 two long reads run at once, one for each caller, and waiting ones follow", async () => {
  const one = open(key("a"));
  const same = open(key("a"));
  const other = open(key("b"));
  await Promise.all([one.first, other.first]);
  assert.deepEqual([streams.counts().running, streams.counts().waiting], [2, 1]);
  await other.leave();
  assert.deepEqual([streams.counts().running, streams.counts().waiting], [1, 1]);
  await one.leave();
  assert.equal((await same.first).value.length, 10);
  await same.leave();
  assert.equal(streams.counts().running, 0);
});

test("STO-78 callers without a credential leave a thread to the others", async () => {
  const some = ["1", "2"].map((name) => open(visitor(name)));
  const known = open(key("a"));
  await Promise.all([some[0]?.first, known.first]);
  assert.equal(streams.counts().waiting, 1);
  await known.leave();
  assert.equal(streams.counts().running, 1);
  await some[0]?.leave();
  await some[1]?.first;
  await some[1]?.leave();
});

test("STO-98 STO-99 twelve wait for one caller and sixteen in all; one more is refused; a caller that disconnects makes room", async () => {
  const gone = new AbortController();
  const running = [open(key("a")), open(key("b"))];
  const own = Array.from({ length: 12 }, () => open({ ...key("a"), signal: gone.signal }));
  await assert.rejects(open(key("a")).first, { word: "busy", retryAfter: 2 });
  const others = Array.from({ length: 4 }, (_, n) => open(key(`other-${n}`)));
  await assert.rejects(open(key("late")).first, { word: "busy" });
  gone.abort();
  await Promise.all(own.map(({ first }) => assert.rejects(first, { word: "unavailable" })));
  assert.equal(streams.counts().waiting, 4);
  for (const each of [...running, ...others]) {
    assert.equal((await each.first).value.length, 10);
    await each.leave();
  }
});

test("STO-99 a read that is left in the middle of an endless statement makes room", async () => {
  const endless = `WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some)
    SELECT count(*) AS total FROM some WHERE (n & 255 OR past_deadline() = 0)`;
  const own = openStreams({ file: { file }, budget, log });
  const batches = own.iterate(endless, [], 10, key("a"))[Symbol.asyncIterator]();
  batches.next().catch(() => {});
  await until(() => own.counts().running === 1);
  await own.close();
  await assert.rejects(open(key("b"), own).first, { word: "unavailable" });
});

test("STO-79 a read of which nothing is taken is cut off, and its thread is free", async () => {
  const own = openStreams({ file: { file }, budget, log, cutAfterMs: 50 });
  const batches = own.iterate(sql, [], 10, visitor("1"))[Symbol.asyncIterator]();
  assert.equal((await batches.next()).value.length, 10);
  await until(() => own.counts().running === 0);
  await assert.rejects(batches.next(), { word: "unavailable" });
  assert.equal(own.counts().cut, 1);
  const again = open(visitor("1"), own);
  assert.equal((await again.first).value.length, 10);
  await again.leave();
  await own.close();
});

test("STO-81 the time of a long read counts for its caller's budget", async () => {
  const own = openStreams({ file: { file }, budget: createBudget(() => ({ ...limits, budgetMs: 0.001 })), log });
  const first = open(key("a"), own);
  await first.first;
  await first.leave();
  await assert.rejects(open(key("a"), own).first, { word: "rate-limited", status: 429 });
  await own.close();
});

test("STO-82 a read that stays open while the log is large is counted; one while it is small is not", async () => {
  const watch = { afterMs: 5, bytes: 1 };
  const own = openStreams({ file: { file }, budget, log, watch });
  const small = openStreams({ file: { file }, budget, log, watch: { ...watch, bytes: 1024 ** 3 } });
  const [one, other] = [open(key("a"), own), open(key("a"), small)];
  await Promise.all([one.first, other.first]);
  await until(() => (own.counts().holdingLog ?? 0) > 0);
  assert.ok((own.counts().logBytes ?? 0) > 1);
  assert.equal(small.counts().holdingLog, 0);
  await Promise.all([one.leave(), other.leave()]);
  await Promise.all([own.close(), small.close()]);
});
