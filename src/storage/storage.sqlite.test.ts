// The contract on the embedded engine, and what it alone has: a log that is taken in beside.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createLog } from "#base/log.ts";
import { openStorage } from "./open.ts";
import { storageContract } from "./storage.contract.ts";

const log = createLog("silent");

storageContract("the embedded engine", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-storage-"));
  const options = { dataDir, databaseUrl: "", role: "command" as const };
  return {
    open: () => openStorage({ ...options, log }),
    options,
    remove: async () => rmSync(dataDir, { recursive: true }),
  };
});

test("STO-50 the log does not grow with what is written, and all of it is there afterwards", async () => {
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
