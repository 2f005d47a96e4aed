import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import type { Question } from "#storage/port.ts";
import { createBudget } from "./budget.ts";
import { type Caller, service } from "./caller.ts";
import { createLanes, type LaneOptions, type Lanes, type Outcome, type RunTime } from "./lanes.ts";

const limits = { timeoutMs: 60_000, publicTimeoutMs: 60_000, budgetMs: 0, publicBudgetMs: 0 };
const none = { rows: [] };

/** Runs that end when the test says so. */
interface Held {
  sql: string;
  time: RunTime;
  isStopped: boolean;
  end(outcome?: Partial<Outcome>): void;
}

function heldLanes(more: { width?: number; limits?: Partial<typeof limits>; isLarge?: LaneOptions["isLarge"] } = {}) {
  const held: Held[] = [];
  const ownLimits = () => ({ ...limits, ...more.limits });
  const lanes = createLanes({
    width: more.width ?? 2,
    limits: ownLimits,
    budget: createBudget(ownLimits),
    ...(more.isLarge && { isLarge: more.isLarge }),
    run({ wanted }, time) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const one: Held = {
        sql: wanted[0]?.attempts[0]?.[0]?.sql ?? "",
        time,
        isStopped: false,
        end: (outcome = {}) => resolve({ answer: none, workMs: 1, ...outcome }),
      };
      held.push(one);
      time.onBegin();
      return {
        outcome: promise,
        stop() {
          one.isStopped = true;
          if (more.isLarge) one.end({ answer: undefined });
        },
      };
    },
  });
  return { lanes, held };
}

function question(sql: string, caller: Partial<Caller> = {}): Question {
  return {
    wanted: [{ attempts: [[{ sql, params: [] }]], limit: 1 }],
    caller: { name: "key:one", hasCredential: true, ...caller },
  };
}

/** Takes its slice, and goes on in the slow lane. */
async function makeSlow(lanes: Lanes, held: Held[], sql: string): Promise<void> {
  const asked = lanes.ask(question(sql));
  held.at(-1)?.end({ answer: undefined });
  await until(() => held.at(-1)?.time.sliceMs === undefined);
  held.at(-1)?.end({ workMs: 100 });
  await asked;
}

test("STO-72 a question that needs more than its slice goes on in the slow lane, and so does its shape from then on", async () => {
  const { lanes, held } = heldLanes();
  const first = lanes.ask(question("a"));
  assert.equal(held[0]?.time.sliceMs, 25);
  held[0]?.end({ answer: undefined });
  await until(() => held.length === 2);
  assert.equal(held[1]?.time.sliceMs, undefined);
  held[1]?.end({ workMs: 100 });
  await first;
  const second = lanes.ask(question("a"));
  assert.equal(held[2]?.time.sliceMs, undefined);
  held[2]?.end({ workMs: 100 });
  await second;
  lanes.forget();
  const third = lanes.ask(question("a"));
  assert.equal(held[3]?.time.sliceMs, 25);
  held[3]?.end();
  await third;
});

test("STO-72 STO-117 a question that was stopped by chance makes no other of its shape slow", async () => {
  const { lanes, held } = heldLanes({ width: 3 });
  const first = lanes.ask(question("a"));
  held[0]?.end({ answer: undefined });
  await until(() => held.length === 2);
  const meanwhile = lanes.ask(question("a"));
  assert.equal(held[2]?.time.sliceMs, 25);
  held[2]?.end();
  held[1]?.end({ workMs: 5 });
  await Promise.all([first, meanwhile]);
  const many = Array.from({ length: 32 }, () => lanes.ask(question("a")));
  for (let n = 0; n < many.length; n++) {
    await until(() => held.length > 3 + n);
    assert.equal(held[3 + n]?.time.sliceMs, 25);
    held[3 + n]?.end();
  }
  await Promise.all(many);
  assert.equal(lanes.counts().busy, 0);
});

test("STO-72 slow questions never take all runners", async () => {
  const { lanes, held } = heldLanes();
  await makeSlow(lanes, held, "a");
  const before = held.length;
  const slow = ["one", "two"].map((name) => lanes.ask(question("a", { name })));
  assert.equal(held.length, before + 1);
  const quick = lanes.ask(question("b"));
  assert.equal(held.at(-1)?.sql, "b");
  held.at(-1)?.end();
  await quick;
  assert.equal(held.length, before + 2);
  held[before]?.end();
  await slow[0];
  await until(() => held.length === before + 3);
  held.at(-1)?.end();
  await slow[1];
});

test("STO-73 one caller has one slow question at a time and four that wait; others do not wait for those", async () => {
  const { lanes, held } = heldLanes({ width: 3 });
  await makeSlow(lanes, held, "a");
  const before = held.length;
  const own = Array.from({ length: 5 }, () => lanes.ask(question("a", { name: "greedy" })));
  assert.equal(held.length, before + 1);
  await assert.rejects(lanes.ask(question("a", { name: "greedy" })), { word: "busy", status: 503, retryAfter: 2 });
  const other = lanes.ask(question("a", { name: "other" }));
  assert.equal(held.length, before + 2);
  held.at(-1)?.end();
  await other;
  for (let n = 0; n < own.length; n++) {
    await until(() => held.length >= before + 2 + n);
    held[n === 0 ? before : before + 1 + n]?.end();
    await own[n];
  }
});

test("STO-73 callers whose slow questions wait take turns", async () => {
  const { lanes, held } = heldLanes();
  await makeSlow(lanes, held, "a");
  const order: string[] = [];
  const ask = (name: string) => lanes.ask(question("a", { name })).then(() => order.push(name));
  const before = held.length;
  const all = ["a", "a", "a", "b", "b", "c"].map(ask);
  for (let n = 0; n < all.length; n++) {
    await until(() => held.length > before + n);
    held[before + n]?.end();
  }
  await Promise.all(all);
  assert.deepEqual(order, ["a", "b", "a", "c", "b", "a"]);
});

test("STO-73 however many addresses ask slowly, callers with a credential wait for one of them at most", async () => {
  const { lanes, held } = heldLanes();
  await makeSlow(lanes, held, "a");
  const before = held.length;
  const ask = (name: string, hasCredential: boolean) => lanes.ask(question("a", { name, hasCredential }));
  const crowd = Array.from({ length: 65 }, (_, n) => ask(`ip:${n}`, false));
  await assert.rejects(ask("ip:late", false), { word: "busy" });
  let isAnswered = false;
  const known = ask("key:two", true).then(() => {
    isAnswered = true;
  });
  held[before]?.end();
  await until(() => held.length === before + 2);
  held[before + 1]?.end();
  await known;
  assert.ok(isAnswered);
  for (let n = 2; n < 66; n++) {
    await until(() => held.length > before + n);
    held[before + n]?.end();
  }
  await Promise.all(crowd);
});

test("STO-74 a question is refused when its time is over, also while it cannot be stopped", async () => {
  const { lanes, held } = heldLanes({ limits: { publicTimeoutMs: 10 } });
  const asked = lanes.ask(question("a", { hasCredential: false }));
  await assert.rejects(asked, { word: "query-too-long", status: 503 });
  assert.equal(lanes.counts().running, 1);
  held[0]?.end({ answer: undefined });
  await until(() => lanes.counts().running === 0);
});

test("STO-74 one that waits longer than it may take is busy", async () => {
  const { lanes, held } = heldLanes({ limits: { publicTimeoutMs: 10 } });
  await makeSlow(lanes, held, "a");
  const first = lanes.ask(question("a", { name: "x" }));
  await assert.rejects(lanes.ask(question("a", { name: "y", hasCredential: false })), { word: "busy" });
  held.at(-1)?.end();
  await first;
});

test("STO-75 a caller who disconnects stops its query, and leaves the queue", async () => {
  const { lanes, held } = heldLanes({ width: 1 });
  const gone = new AbortController();
  const { signal } = gone;
  const asked = [lanes.ask(question("a", { signal })), lanes.ask(question("b", { signal }))];
  gone.abort();
  await Promise.all(asked.map((one) => assert.rejects(one)));
  assert.deepEqual([held.length, held[0]?.isStopped, lanes.counts().quickWaiting], [1, true, 0]);
  held[0]?.end({ answer: undefined });
  await until(() => lanes.counts().running === 0);
  await assert.rejects(lanes.ask(question("c", { signal })));
});

test("STO-77 an address without a credential that has used up its time waits for the next minute; others do not", async () => {
  const { lanes, held } = heldLanes({ limits: { publicBudgetMs: 100 } });
  const ask = async (name: string, hasCredential: boolean) => {
    const asked = lanes.ask(question("a", { name, hasCredential }));
    held.at(-1)?.end({ workMs: 100 });
    await asked;
  };
  await ask("ip:1", false);
  await assert.rejects(lanes.ask(question("a", { name: "ip:1", hasCredential: false })), (error: never) => {
    const { word, status, retryAfter } = error as { word: string; status: number; retryAfter: number };
    assert.deepEqual([word, status], ["rate-limited", 429]);
    return retryAfter >= 1 && retryAfter <= 60;
  });
  await ask("ip:2", false);
  await ask("key:1", true);
  await ask("key:1", true);
});

test("STO-81 a credential that has used up its time waits for the next minute; others and the service do not", async () => {
  const { lanes, held } = heldLanes({ limits: { budgetMs: 100 } });
  const ask = async (name: string, hasCredential = true) => {
    const asked = lanes.ask(question("a", { name, hasCredential }));
    held.at(-1)?.end({ workMs: 60 });
    await asked;
  };
  await ask("key:1");
  await ask("key:1");
  await assert.rejects(lanes.ask(question("a", { name: "key:1" })), { word: "rate-limited", status: 429 });
  assert.equal(lanes.counts().overBudget, 1);
  await ask("key:2");
  for (let n = 0; n < 3; n++) await ask("ip:1", false);
  for (let n = 0; n < 3; n++) await ask(service.name);
});

test("STO-117 where a question cannot be run in slices, a large one counts as slow after its slice", async () => {
  const { lanes, held } = heldLanes({ isLarge: async () => true });
  const first = lanes.ask(question("a", { name: "x" }));
  assert.equal(held[0]?.time.sliceMs, undefined);
  await until(async () => {
    const second = lanes.ask(question("a", { name: "x" }));
    const isWaiting = lanes.counts().slowWaiting > 0;
    if (!isWaiting) {
      held.at(-1)?.end();
      await second;
    }
    return isWaiting;
  });
  held[0]?.end();
  await first;
  await until(() => lanes.counts().slowWaiting === 0);
  held.at(-1)?.end();
});

test("STO-117 where it is not large, the clock makes neither its shape slow nor one of 32 refused", async () => {
  let judged = 0;
  const isLarge = async () => {
    judged += 1;
    return false;
  };
  const { lanes, held } = heldLanes({ width: 8, isLarge });
  const first = lanes.ask(question("a"));
  await until(() => judged > 0);
  held[0]?.end({ workMs: 100 });
  await first;
  const many = Array.from({ length: 32 }, () => lanes.ask(question("a")));
  for (let n = 0; n < many.length; n++) {
    await until(() => held.length > 1 + n);
    assert.equal(held[1 + n]?.time.isSlow, false);
    // Each of them takes more than its slice.
    if (n % 8 === 7) {
      await sleep(40);
      for (const one of held) one.end({ workMs: 100 });
    }
  }
  await Promise.all(many);
  assert.deepEqual([lanes.counts().busy, lanes.counts().slow], [0, 0]);
  assert.ok(judged < 33, "one judgement stands for the others of its shape for a second");
});

test("STO-72 large questions that began at once do not take all runners: one is stopped, and waits for its turn", async () => {
  const { lanes, held } = heldLanes({ width: 3, isLarge: async () => true });
  const slow = ["x", "y", "z"].map((name) => lanes.ask(question("a", { name })));
  await until(() => lanes.counts().slowWaiting === 1);
  assert.deepEqual(
    held.map(({ isStopped }) => isStopped),
    [false, false, true],
  );
  const quick = lanes.ask(question("b", { name: "q" }));
  assert.equal(held.at(-1)?.sql, "b");
  held.at(-1)?.end();
  await quick;
  for (const one of held) one.end();
  await until(() => held.length === 5);
  held[4]?.end();
  await Promise.all(slow);
});

test("STO-117 of questions that only the clock finds slow, a caller leaves the last runner to others", async () => {
  const { lanes, held } = heldLanes({ width: 3, isLarge: async () => false });
  const own = Array.from({ length: 2 }, () => lanes.ask(question("a", { name: "greedy" })));
  // After 20 slices by the clock.
  await until(async () => {
    const third = lanes.ask(question("a", { name: "greedy" }));
    const isWaiting = lanes.counts().quickWaiting > 0;
    if (isWaiting) own.push(third);
    else {
      held.at(-1)?.end();
      await third;
    }
    return isWaiting;
  });
  const before = held.length;
  const other = lanes.ask(question("a", { name: "other" }));
  assert.equal(held.length, before + 1);
  held.at(-1)?.end();
  await other;
  assert.deepEqual([held.length, lanes.counts().busy], [before + 1, 0]);
  held[0]?.end();
  await until(() => held.length === before + 2);
  held[1]?.end();
  held.at(-1)?.end();
  await Promise.all(own);
});
