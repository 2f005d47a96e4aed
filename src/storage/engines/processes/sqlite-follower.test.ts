import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { openStorage } from "#storage/open.ts";
import { testStorage } from "#storage/storage.fixture.ts";

const database = testStorage();

test("WRK-11 while the writer is being replaced, a check of writing answers at once, as the last one did", async (t) => {
  const { dataDir, log } = database;
  let isWriting = true;
  const line = {
    isHeld: false,
    async call() {
      if (line.isHeld) throw new Error("This call would wait for the next writer.");
      if (!isWriting) throw new CairnError("unavailable", "The disk is full.");
    },
  };
  const limits = { timeoutMs: 0, publicTimeoutMs: 0, budgetMs: 0, publicBudgetMs: 0 };
  const reads = { threads: 1, limits: () => limits };
  const reader = await openStorage({ dataDir, databaseUrl: "", role: "server", log, reads, worker: { line } });
  t.after(() => reader.close());
  const check = () => reader.ping("write");
  await check();
  line.isHeld = true;
  await check();
  line.isHeld = false;
  isWriting = false;
  await assert.rejects(check, /The disk is full/);
  line.isHeld = true;
  await assert.rejects(check, /The disk is full/);
  line.isHeld = false;
  isWriting = true;
  await check();
});
