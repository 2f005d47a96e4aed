import assert from "node:assert/strict";
import { test } from "node:test";
import type { Logger } from "pino";
import { systemClock } from "#base/clock.ts";
import { until } from "#base/patience.fixture.ts";
import type { Storage } from "#storage/port.ts";
import { settleLogs, shareLine, shareLogs } from "./shared-logs.ts";

test("AUD-14 an answer waits for its own lines, not for those that others add meanwhile", async () => {
  /** Each ends one transaction. */
  const ends: (() => void)[] = [];
  const write = () => new Promise<number>((done) => ends.push(() => done(0)));
  const settings = {};
  const storage = { isShared: true, write } as unknown as Storage;
  const close = shareLogs({ settings, storage, clock: systemClock, log: { warn() {} } as unknown as Logger });
  const share = () => shareLine({ settings }, { log: "access", at: systemClock.iso(), line: "{}" });
  const stored = { first: false, second: false };
  const follow = (name: keyof typeof stored) => {
    share();
    void settleLogs({ settings })?.then(() => {
      stored[name] = true;
    });
  };
  follow("first");
  await until(async () => ends.length === 1);
  follow("second");
  ends[0]?.();
  await until(async () => ends.length > 1);
  await new Promise(setImmediate);
  assert.deepEqual(stored, { first: true, second: false });
  await until(async () => {
    for (const end of ends) end();
    return stored.second;
  });
  assert.equal(settleLogs({ settings }), undefined);
  await close();
});
