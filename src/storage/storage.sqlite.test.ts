// The contract on the embedded engine, and what it alone has: a log that is taken in beside, and commits that are shared.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { CairnError } from "#base/errors.ts";
import { createLog } from "#base/log.ts";
import { until } from "#base/patience.fixture.ts";
import { service } from "#lanes/caller.ts";
import { operand, seed, selectionOf, where } from "./contract-samples.ts";
import { openStorage } from "./open.ts";
import type { Storage, Tx, Wanted } from "./port.ts";
import { countSelected } from "./query/select.ts";
import { storageContract } from "./storage.contract.ts";

const log = createLog("silent");

const limits = () => ({ timeoutMs: 60_000, publicTimeoutMs: 60_000, budgetMs: 0, publicBudgetMs: 0 });

for (const [name, reads] of [
  ["the embedded engine", undefined],
  ["the embedded engine with threads that read", { threads: 2, limits }],
] as const) {
  storageContract(name, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
    const options = { dataDir, databaseUrl: "", role: "command" as const };
    return {
      open: () => openStorage({ ...options, reads, log }),
      options,
      remove: async () => rmSync(dataDir, { recursive: true }),
    };
  });
}

test("STO-8 a new database that another process is writing to is opened when it has done", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  mkdirSync(join(dataDir, ".system"));
  const source = `const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1]);
    database.exec("BEGIN EXCLUSIVE");
    console.log("held");
    setTimeout(() => database.exec("COMMIT"), 200);`;
  const args = ["--disable-warning=ExperimentalWarning", "--eval", source, join(dataDir, ".system", "cairn.db")];
  const other = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log });
  await storage.ping("write");
  await storage.close();
  rmSync(dataDir, { recursive: true });
});

/** Counts without end, and asks every so many rows whether to go on. */
const endless: Wanted = {
  attempts: [
    [
      {
        sql: `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
          SELECT count(*) AS total FROM numbers WHERE (n & 255 OR past_deadline() = 0)`,
        params: [],
      },
    ],
  ],
  limit: 1,
};
const brief: Wanted = { attempts: [[{ sql: "SELECT 1 AS one", params: [] }]], limit: 1 };
const visitor = { name: "ip:192.0.2.1", hasCredential: false };

async function withThreads(publicTimeoutMs: number, work: (storage: Storage) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const reads = { threads: 2, limits: () => ({ ...limits(), publicTimeoutMs }) };
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "server", reads, log });
  try {
    await work(storage);
  } finally {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  }
}

test("STO-74 a question that takes too long is stopped, and its thread answers the next one", async () => {
  await withThreads(100, async (storage) => {
    for (let n = 0; n < 3; n++) {
      await assert.rejects(storage.ask({ wanted: [endless], caller: visitor }), {
        word: "query-too-long",
        message: "The query took longer than 0.1 seconds. Filter and sort by indexed properties, or take a report.",
      });
      assert.deepEqual((await storage.ask({ wanted: [brief], caller: service })).rows, [[{ one: 1 }]]);
    }
  });
});

test("STO-75 a query without a waiting caller is stopped", async () => {
  await withThreads(0, async (storage) => {
    for (let n = 0; n < 3; n++) {
      const gone = new AbortController();
      const asked = storage.ask({ wanted: [endless], caller: { ...visitor, signal: gone.signal } });
      setTimeout(() => gone.abort(), 50);
      await assert.rejects(asked, { word: "unavailable" });
    }
    // Both threads are free again: without that the last of these would wait for ever.
    await Promise.all([1, 2, 3, 4].map(() => storage.ask({ wanted: [brief], caller: service })));
  });
});

test("STO-75 closing waits for no question", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "server", reads: { threads: 2, limits }, log });
  const asked = assert.rejects(storage.ask({ wanted: [endless], caller: visitor }), { word: "unavailable" });
  await storage.ask({ wanted: [brief], caller: service });
  await storage.close();
  await asked;
  rmSync(dataDir, { recursive: true });
});

test("STO-76 an answer of more than 32 MB is refused", async () => {
  await withThreads(0, async (storage) => {
    const large = { attempts: [[{ sql: "SELECT printf('%.*c', 40000000, 'x') AS text", params: [] }]], limit: 1 };
    await assert.rejects(storage.ask({ wanted: [large], caller: service }), { word: "too-large", status: 413 });
    assert.equal((await storage.ask({ wanted: [brief], caller: service })).rows.length, 1);
  });
});

test("STO-50 the log does not grow with the writes, and all of them are there afterwards", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const options = { dataDir, databaseUrl: "", role: "server" as const, log };
  const storage = await openStorage(options);
  const text = "x".repeat(200_000);
  const rounds = 600;
  const versionBefore = storage.version("collections");
  let largest = 0;
  for (let round = 0; round < rounds; round += 1) {
    await storage.write((tx) => tx.run("INSERT INTO stamps (scope, stamped) VALUES (?, ?)", [`s${round}`, text]));
    largest = Math.max(largest, statSync(join(dataDir, ".system/cairn.db-wal")).size);
  }
  // 120 MB went through it.
  assert.ok(largest < 60_000_000, `the log grew to ${largest} bytes`);
  assert.equal(storage.version("collections"), versionBefore, "what was done beside passed for a change by others");
  await storage.close();
  const again = await openStorage(options);
  const counted = await again.one<{ n: number }>("SELECT count(*) AS n FROM stamps WHERE length(stamped) = 200000");
  assert.equal(counted?.n, rounds);
  await again.close();
  rmSync(dataDir, { recursive: true });
});

test("STO-54 when the disk is full in the middle of a write, only answered writes are stored, and all can be repeated", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "server", log });
  const put = (scope: string, size: number) =>
    storage.write((tx) => tx.run("INSERT INTO stamps (scope, stamped) VALUES (?, ?)", [scope, "x".repeat(size)]));
  const grownTo = (pages: number) => storage.write((tx) => tx.all(`PRAGMA max_page_count = ${pages}`));
  const pages = (await storage.one<{ page_count: number }>("PRAGMA page_count"))?.page_count ?? 0;
  await grownTo(pages + 3);
  const stored = async () =>
    (await storage.all<{ scope: string }>("SELECT scope FROM stamps ORDER BY scope")).map(({ scope }) => scope);
  const sent = { a: 10, large: 200_000, b: 10, c: 10 };
  const sendAll = async () => {
    await storage.write((tx) => tx.run("DELETE FROM stamps"));
    const answers = await Promise.allSettled(Object.entries(sent).map(([scope, size]) => put(scope, size)));
    const isAnswered = (_: string, at: number) => answers[at]?.status === "fulfilled";
    assert.deepEqual(await stored(), Object.keys(sent).filter(isAnswered));
    return answers.map((one) => (one.status === "rejected" ? (one.reason as CairnError).word : "stored")).join(" ");
  };
  // The second one fails with its first statement, and takes the first one along where they share a transaction: they
  // do unless the machine stands still between them.
  await until(sendAll, (words) => words === "storage-full storage-full stored stored");
  await grownTo(1_000_000);
  await Promise.all([put("a", 10), put("large", 200_000)]);
  assert.deepEqual(await stored(), ["a", "b", "c", "large"]);
  await storage.close();
  rmSync(dataDir, { recursive: true });
});

test("STO-91 sixty conditions on a text of the document take no memory for each of the documents", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "server", log });
  const body = "Lorem ipsum dolor sit amet Ärger ".repeat(1_200);
  const samples = Array.from({ length: 300 }, (_, n) => ({ id: `text-${n}`, more: { body } }));
  await seed(storage, "texts", samples);
  const inDocument = operand("body", "text", "document");
  const exclude = Array.from({ length: 60 }, (_, n) => where(inDocument, "contains", `zz${n}`));
  const before = process.resourceUsage().maxRSS;
  assert.equal(await countSelected(storage, selectionOf("texts", { exclude })), samples.length);
  // All texts together have 12 MB; a copy for each condition would be 700.
  const grown = (process.resourceUsage().maxRSS - before) / 1024;
  assert.ok(grown < 64, `the process grew by ${grown} MB`);
  await storage.close();
  rmSync(dataDir, { recursive: true });
});

test("WRK-1 a commit of another process moves the versions of the scopes it touched, and no other", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const options = { dataDir, databaseUrl: "", role: "command" as const, log };
  const [one, other] = [await openStorage(options), await openStorage(options)];
  const scopes = ["objects:a", "objects:b", "keys"] as const;
  const look = async () => {
    // Versions are looked up once in a turn of the loop.
    await new Promise(setImmediate);
    return scopes.map((scope) => one.version(scope));
  };
  let watched = 0;
  one.watch("objects:b", () => {
    watched += 1;
  });
  const before = await look();
  await seed(other, "b", [{ id: "first" }]);
  const [a, b, keys] = await look();
  assert.deepEqual([a, keys], [before[0], before[2]]);
  assert.notEqual(b, before[1]);
  await until(() => watched === 1);
  // Own commits between those of others hide none of them.
  await seed(other, "a", [{ id: "first" }]);
  await seed(one, "b", [{ id: "second" }]);
  await seed(other, "b", [{ id: "third" }]);
  const [movedA, movedB, sameKeys] = await look();
  assert.notEqual(movedA, a);
  assert.notEqual(movedB, b);
  assert.equal(sameKeys, keys);
  await other.write((tx) => tx.run("INSERT INTO stamps (scope, stamped) VALUES ('untouched', '')"));
  assert.deepEqual(await look(), [movedA, movedB, sameKeys]);
  await Promise.all([one.close(), other.close()]);
  rmSync(dataDir, { recursive: true });
});

test("WRK-2 a process that has missed more commits than are recorded takes everything for changed", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const options = { dataDir, databaseUrl: "", role: "command" as const, log };
  const [one, other] = [await openStorage(options), await openStorage(options)];
  const before = one.version("keys");
  const touchMany = (tx: Tx) => {
    for (let n = 0; n < 6_000; n += 1) tx.touch(`objects:c${n}`);
    return Promise.resolve();
  };
  await other.write(touchMany);
  await other.write(touchMany);
  const { rows } = (await other.one<{ rows: number }>("SELECT count(*) AS rows FROM versions")) ?? { rows: 0 };
  assert.ok(rows < 12_000, `${rows} rows are kept`);
  await new Promise(setImmediate);
  assert.notEqual(one.version("keys"), before);
  await Promise.all([one.close(), other.close()]);
  rmSync(dataDir, { recursive: true });
});
