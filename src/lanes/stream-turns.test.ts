import assert from "node:assert/strict";
import { test } from "node:test";
import type { Logger } from "pino";
import { until } from "#base/patience.fixture.ts";
import { createBudget } from "./budget.ts";
import { createStreamTurns } from "./stream-turns.ts";

const log = { warn() {} } as unknown as Logger;
const budget = createBudget(() => ({ budgetMs: 0, publicBudgetMs: 0 }));

test("STO-79 a reader of the public that takes its time makes room after a minute when others of the public wait", async () => {
  const turns = createStreamTurns({ width: 2, budget, log, cutAfterMs: 20 });
  const ended: string[] = [];
  const enter = (name: string, hasCredential: boolean) => turns.enter({ name, hasCredential }, () => ended.push(name));
  const slow = await enter("ip:slow", false);
  const key = await enter("key:one", true);
  // Takes a little all the time.
  const reading = setInterval(() => {
    slow.takeBack();
    if (!slow.isOver) slow.hand();
  }, 1);
  try {
    const other = await enter("ip:other", false);
    assert.deepEqual([slow.isOver, key.isOver, ended], [true, false, ["ip:slow"]]);
    other.leave();
    key.leave();
    await until(() => turns.counts().running === 0);
    assert.equal(turns.counts().cut, 1);
  } finally {
    clearInterval(reading);
  }
});
