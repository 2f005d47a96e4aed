import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { testStorage } from "#storage/storage.fixture.ts";
import { tryLease, withLease } from "./leases.ts";

const test1 = testStorage();

test("JOB-22 a process that stood still longer than its lease still does that work once at a time", async () => {
  const { storage, log } = test1;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const app = { storage, log, clock: { now, iso: () => new Date(now()).toISOString() } };
  const end = Promise.withResolvers<void>();
  const order: string[] = [];
  const work = (name: string, done: Promise<void>) =>
    withLease(app, "lease", async () => {
      order.push(`${name} begins`);
      await done;
      order.push(`${name} ends`);
    });
  const first = work("first", end.promise);
  await until(() => order.length === 1);
  ahead = 60_000;
  assert.equal(await storage.write((tx) => tryLease(app, tx, "lease")), false);
  const second = work("second", Promise.resolve());
  end.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first begins", "first ends", "second begins", "second ends"]);
});
