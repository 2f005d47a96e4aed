import assert from "node:assert/strict";
import { test } from "node:test";
import { testStorage } from "#storage/storage.fixture.ts";
import { findClaim, insertClaim, markClaimWritten } from "#storage/tables/caches/request-claims.ts";
import { addToCounter } from "#storage/tables/counters.ts";
import { countRejects, insertReject } from "#storage/tables/site/form-rejects.ts";
import { deleteExpiredRows } from "./expired-rows.ts";

const test1 = testStorage();
const minute = 60_000;

test("RATE-14 STO-134 expired counters and kept answers are deleted without a request, some hundred at a time", async () => {
  const { storage, log } = test1;
  let now = 1_000_000_000_000;
  const clock = { now: () => now, iso: () => new Date(now).toISOString() };
  await storage.write(async (tx) => {
    for (let n = 0; n < 500; n++) await addToCounter(tx, `rate:${n}`, { amount: 1, now, windowMs: minute });
    await addToCounter(tx, "tries", { amount: 1, now, windowMs: 60 * minute });
  });
  const claim = { name: "c", owner: "o" };
  await storage.write(async (tx) => {
    await insertClaim(tx, { ...claim, digest: "d", expires: now + minute }, now);
    await markClaimWritten(tx, claim, now + minute);
  });
  const names = async () => (await storage.all<{ name: string }>("SELECT name FROM counters")).map(({ name }) => name);
  const sweep = () => deleteExpiredRows({ storage, clock, log }, () => false);
  await sweep();
  assert.equal((await names()).length, 501);
  now += 2 * minute;
  await sweep();
  assert.deepEqual(await names(), ["tries"]);
  // Its request may still be at work.
  assert.notEqual(await findClaim(storage, "c"), undefined);
  now += 10 * minute;
  await sweep();
  assert.equal(await findClaim(storage, "c"), undefined);
});

test("FORM-41 rejected sendings of forms are deleted after 14 days, of every form", async () => {
  const { storage, log } = test1;
  let now = 1_000_000_000_000;
  const clock = { now: () => now, iso: () => new Date(now).toISOString() };
  const add = (id: string, form: string) =>
    storage.write((tx) =>
      insertReject(tx, { id, form, reason: "links", content: "{}", created: clock.iso() }, 1_000_000),
    );
  for (const form of ["c/one", "c/two"]) await add(`${form} old`, form);
  now += 60 * minute;
  await add("young", "c/one");
  now += 14 * 24 * 60 * minute - minute;
  await deleteExpiredRows({ storage, clock, log }, () => false);
  assert.deepEqual([await countRejects(storage, "c/one"), await countRejects(storage, "c/two")], [1, 0]);
});
