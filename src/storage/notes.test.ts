import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { until } from "#base/patience.fixture.ts";
import type { WriterLine } from "#base/writer-line.ts";
import { createNotes, storeNotes } from "./notes.ts";
import type { Tx } from "./port.ts";
import { testStorage } from "./storage.fixture.ts";

const test1 = testStorage();

const countOne = async (tx: Tx) => {
  await tx.run(
    `INSERT INTO stamps (scope, stamped) VALUES ('counted', '1')
     ON CONFLICT (scope) DO UPDATE SET stamped = CAST(CAST(stamps.stamped AS INTEGER) + 1 AS TEXT)`,
  );
};

async function counted(): Promise<number> {
  const row = await test1.storage.one<{ stamped: string }>("SELECT stamped FROM stamps WHERE scope = 'counted'");
  return Number(row?.stamped ?? 0);
}

test("WRK-22 a note is counted once when an answer of the process that writes is lost, or comes after the next batch", async () => {
  const { storage, log } = test1;
  const sent: unknown[] = [];
  const line: WriterLine = {
    async call(_name, body) {
      // As it arrives.
      const batch: unknown = JSON.parse(JSON.stringify(body));
      sent.push(batch);
      await storeNotes(storage, batch);
      if (sent.length <= 2) throw new Error("the answer is lost");
    },
  };
  const notes = createNotes(storage.dialect, line, log);
  await notes.add(countOne);
  await until(() => sent.length >= 1);
  // Goes with a batch of its own: the first is sent again as it was.
  await notes.add(countOne);
  await until(() => sent.length >= 4);
  await notes.close();
  assert.equal(await counted(), 2);
  await storeNotes(storage, sent[0]);
  assert.equal(await counted(), 2);
  const other = createNotes(storage.dialect, line, log);
  await other.add(countOne);
  await other.close();
  assert.equal(await counted(), 3);
});

test("WRK-22 notes that the process that writes cannot store keep no others waiting", async () => {
  const { storage, log } = test1;
  const before = await counted();
  let calls = 0;
  const line: WriterLine = {
    async call(_name, body) {
      calls += 1;
      if (calls === 1) throw new CairnError("unavailable", "It is being started.");
      await storeNotes(storage, body).catch(() => {
        throw new CairnError("internal", "It failed.");
      });
    },
  };
  const notes = createNotes(storage.dialect, line, log);
  await notes.add(async (tx) => void (await tx.run("INSERT INTO nowhere (a) VALUES (?)", [1])));
  await until(() => calls >= 1);
  await notes.add(countOne);
  await until(async () => (await counted()) === before + 1);
  await notes.close();
  assert.equal(calls, 3);
});

test("WRK-22 notes of workers of the version before are taken", async () => {
  const before = await counted();
  const sql = "UPDATE stamps SET stamped = ? WHERE scope = 'counted'";
  await storeNotes(test1.storage, [{ sql, params: [String(before + 1)] }]);
  assert.equal(await counted(), before + 1);
});
