// Schedules queries. Each starts in the quick lane with a small slice of time; one that needs more goes to the
// slow lane, where callers take turns and never have all runners. Whether a query is quick is tested, not guessed.
// Knows nothing of SQL or threads: an engine runs the queries.

import { CairnError } from "#base/errors.ts";
import type { Answer, Question, ReadCounts } from "#storage/port.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import { service } from "./caller.ts";
import { createPairedQueue } from "./fair-queue.ts";
import { sliceMs, sliceWaitFactor } from "./slice.ts";

/** How long a shape that proved slow goes to the slow lane at once. */
const rememberedMs = 60_000;
const maxShapes = 1_000;
/** So long one judgement stands for all queries of a shape. */
const judgedMs = 1_000;
/** Of callers with a credential, and as many of the public. */
const maxQuickWaiting = 1_000;
const maxSlowWaiting = 64;
const maxSlowWaitingEach = 4;
/** A stopped runner answers a moment after the deadline; one that cannot be stopped is not waited for. */
const graceMs = 500;
const busyRetrySeconds = 2;

export interface ReadLimits extends BudgetLimits {
  /** Time limit of a query, with and without a credential; 0: none. */
  timeoutMs: number;
  publicTimeoutMs: number;
}

export interface ReadOptions {
  /** Number of threads for queries; 0: by the number of cores. Ignored where the database server runs them. */
  threads: number;
  limits(): ReadLimits;
}

export interface Outcome {
  /** Undefined: it was stopped, at the end of its slice or of its time. */
  answer: Answer | undefined;
  /** Time of its own: it does not grow because others are at work. */
  workMs: number;
}

export interface Run {
  outcome: Promise<Outcome>;
  /** No caller waits for it any more. */
  stop(): void;
}

export interface RunTime {
  /** Of work; undefined: all of `ms`. */
  sliceMs: number | undefined;
  /** 0: no limit. */
  ms: number;
  /** It is known to take long. */
  isSlow?: boolean;
  /** Called when it has begun. */
  onBegin(): void;
}

export interface LaneOptions {
  /** Queries that run at once. */
  width: number;
  limits(): ReadLimits;
  budget: Budget;
  run(question: Question, time: RunTime): Run;
  /**
   * Where the time of a query's own work is not known while it runs: whether it is a large one, judged without the clock.
   * Asked when its slice is over. A large one goes on and counts as slow.
   */
  isLarge?(question: Question): Promise<boolean>;
}

export interface Lanes {
  ask(question: Question): Promise<Answer>;
  /** An index was built: slow shapes are tried again. */
  forget(): void;
  counts(): ReadCounts;
}

type Lane = "quick" | "slow";

interface Entry {
  question: Question;
  shape: string;
  ms: number;
  lane: Lane;
  since: number;
  run?: Run;
  timer?: NodeJS.Timeout;
  isSettled: boolean;
  /** Its run is over. */
  isOver: boolean;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  onGone(): void;
}

interface Step {
  /** After the start of its run. */
  atMs: number;
  work(): void;
}

export function createLanes({ width, limits, budget, run, isLarge }: LaneOptions): Lanes {
  const slowWidth = Math.max(1, width - 1);
  const waiting = { quick: createPairedQueue<Entry>(), slow: createPairedQueue<Entry>() };
  /** Number of running slow queries of a caller. */
  const slowCallers = new Map<string, number>();
  const slowShapes = new Map<string, number>();
  const judged = new Map<string, { since: number; isLarge: Promise<boolean> }>();
  const counts = { quick: 0, slow: 0, stopped: 0, cancelled: 0, busy: 0, waitedMs: 0 };
  let running = 0;
  let slowRunning = 0;
  let wasSlow = false;

  async function ask(question: Question): Promise<Answer> {
    const { caller } = question;
    budget.check(caller);
    if (caller.signal?.aborted) throw gone();
    return new Promise((resolve, reject) => {
      const { timeoutMs, publicTimeoutMs } = limits();
      const entry: Entry = {
        question,
        shape: shapeOf(question),
        ms: caller.hasCredential ? timeoutMs : publicTimeoutMs,
        lane: "quick",
        since: performance.now(),
        isSettled: false,
        isOver: false,
        resolve,
        reject,
        onGone: () => cancel(entry),
      };
      caller.signal?.addEventListener("abort", entry.onGone, { once: true });
      if (isKnownSlow(entry.shape)) waitSlow(entry);
      else waitQuick(entry);
    });
  }

  function waitQuick(entry: Entry): void {
    const { caller } = entry.question;
    const queue = waiting.quick.of(caller);
    if (queue.length >= maxQuickWaiting) refuse(entry);
    else queue.push(caller.name, entry);
    dispatch();
  }

  function waitSlow(entry: Entry): void {
    const { caller } = entry.question;
    const { name } = caller;
    const queue = waiting.slow.of(caller);
    entry.lane = "slow";
    entry.since = performance.now();
    const isOwnFull = name !== service.name && queue.lengthOf(name) >= maxSlowWaitingEach;
    const isFull = isOwnFull || queue.length >= maxSlowWaiting;
    if (isFull) {
      refuse(entry);
      return;
    }
    queue.push(name, entry);
    arm(entry, entry.ms, () => {
      queue.remove(name, entry);
      refuse(entry);
    });
    dispatch();
  }

  function dispatch(): void {
    while (running < width) {
      const entry = takeNext();
      if (!entry) return;
      start(entry);
    }
  }

  /** Where both wait, they take turns. */
  function takeNext(): Entry | undefined {
    const slow = wasSlow ? undefined : takeSlow();
    const entry = slow ?? waiting.quick.take(mayStart) ?? takeSlow();
    wasSlow = entry?.lane === "slow";
    return entry;
  }

  /** Where queries are not stopped after a slice, the last runner is left to callers without a slow one. */
  function mayStart(name: string): boolean {
    return !isLarge || width <= 2 || slowRunning < slowWidth || !slowCallers.has(name);
  }

  function takeSlow(): Entry | undefined {
    return slowRunning < slowWidth
      ? waiting.slow.take((name) => name === service.name || !slowCallers.has(name))
      : undefined;
  }

  function start(entry: Entry): void {
    const { question, lane, ms } = entry;
    counts.waitedMs += performance.now() - entry.since;
    running += 1;
    entry.isOver = false;
    if (lane === "slow") noteSlow(entry);
    clearTimeout(entry.timer);
    const isSlice = lane === "quick" && !isLarge;
    const isSlow = lane === "slow";
    entry.run = run(question, { sliceMs: isSlice ? sliceMs : undefined, ms, isSlow, onBegin: () => onBegin(entry) });
    entry.run.outcome
      .then(
        (outcome) => finish(entry, outcome),
        (error) => fail(entry, error),
      )
      .finally(dispatch);
  }

  function onBegin(entry: Entry): void {
    if (entry.isSettled) return;
    const steps: Step[] = [];
    if (isLarge && entry.lane === "quick")
      steps.push(
        { atMs: sliceMs, work: () => judge(entry, findJudged(entry, isLarge)) },
        { atMs: sliceMs * sliceWaitFactor, work: () => becomeSlow(entry, isLarge(entry.question)) },
      );
    if (entry.ms > 0)
      steps.push({ atMs: entry.ms + graceMs, work: () => settle(entry, () => entry.reject(tooLong(entry.ms))) });
    takeSteps(entry, steps);
  }

  /** That it takes long by the clock says nothing about its shape. */
  function becomeSlow(entry: Entry, verdict: Promise<boolean>): void {
    if (entry.lane === "quick") {
      entry.lane = "slow";
      noteSlow(entry);
    }
    judge(entry, verdict);
  }

  /** A large one that would take the last runner starts again when it is its turn. */
  function judge(entry: Entry, verdict: Promise<boolean>): void {
    verdict.then(
      (is) => {
        if (!is) return;
        remember(entry.shape);
        if (entry.lane === "slow" || entry.isOver) return;
        if (slowRunning >= slowWidth && width > 1) entry.run?.stop();
        else {
          entry.lane = "slow";
          noteSlow(entry);
        }
      },
      () => {},
    );
  }

  function findJudged({ shape, question }: Entry, ask: NonNullable<typeof isLarge>): Promise<boolean> {
    const now = performance.now();
    const known = judged.get(shape);
    if (known && now - known.since < judgedMs) return known.isLarge;
    if (judged.size >= maxShapes) judged.clear();
    const found = { since: now, isLarge: ask(question) };
    judged.set(shape, found);
    return found.isLarge;
  }

  function noteSlow({ question }: Entry): void {
    const { name } = question.caller;
    slowRunning += 1;
    slowCallers.set(name, (slowCallers.get(name) ?? 0) + 1);
  }

  /** The run is over. */
  function release(entry: Entry): void {
    const { lane, question } = entry;
    const { name } = question.caller;
    entry.isOver = true;
    running -= 1;
    counts[lane] += 1;
    if (lane === "quick") return;
    const others = (slowCallers.get(name) ?? 1) - 1;
    slowRunning -= 1;
    if (others > 0) slowCallers.set(name, others);
    else slowCallers.delete(name);
  }

  function fail(entry: Entry, error: unknown): void {
    release(entry);
    settle(entry, () => entry.reject(error));
  }

  function finish(entry: Entry, { answer, workMs }: Outcome): void {
    const { caller } = entry.question;
    release(entry);
    budget.spend(caller, workMs);
    if (!answer) counts.stopped += 1;
    if (entry.lane === "slow") learn(entry.shape, workMs);
    if (answer) settle(entry, () => entry.resolve(answer));
    else if (entry.lane === "slow" || entry.isSettled) settle(entry, () => entry.reject(tooLong(entry.ms)));
    else {
      delete entry.run;
      waitSlow(entry);
    }
  }

  /** The caller is answered once, also while the run is not over. */
  function settle(entry: Entry, answer: () => void): void {
    if (entry.isSettled) return;
    entry.isSettled = true;
    clearTimeout(entry.timer);
    entry.question.caller.signal?.removeEventListener("abort", entry.onGone);
    answer();
  }

  function refuse(entry: Entry): void {
    counts.busy += 1;
    settle(entry, () => entry.reject(busy()));
  }

  function cancel(entry: Entry): void {
    counts.cancelled += 1;
    if (entry.run) entry.run.stop();
    else waiting[entry.lane].of(entry.question.caller).remove(entry.question.caller.name, entry);
    settle(entry, () => entry.reject(gone()));
  }

  function isKnownSlow(shape: string): boolean {
    const until = slowShapes.get(shape);
    return until !== undefined && until > performance.now();
  }

  /** A query that was stopped by chance, on a busy machine or with a cold cache, proves nothing about its shape. */
  function learn(shape: string, workMs: number): void {
    if (workMs <= sliceMs) slowShapes.delete(shape);
    else if (!isLarge) remember(shape);
  }

  function remember(shape: string): void {
    if (slowShapes.size >= maxShapes) slowShapes.clear();
    slowShapes.set(shape, performance.now() + rememberedMs);
  }

  return {
    ask,
    forget() {
      slowShapes.clear();
      judged.clear();
    },
    counts: () => ({
      ...counts,
      overBudget: budget.refused(),
      quickWaiting: waiting.quick.length,
      slowWaiting: waiting.slow.length,
      running,
    }),
  };
}

function arm(entry: Entry, ms: number, work: () => void): void {
  clearTimeout(entry.timer);
  if (ms > 0) entry.timer = setTimeout(work, ms);
}

/** Until it is answered. They are in the order of time. */
function takeSteps(entry: Entry, [next, ...others]: readonly Step[], sinceMs = 0): void {
  clearTimeout(entry.timer);
  if (!next) return;
  arm(entry, Math.max(1, next.atMs - sinceMs), () => {
    takeSteps(entry, others, next.atMs);
    next.work();
  });
}

/** The texts of its statements, without values. */
function shapeOf({ wanted }: Question): string {
  let shape = "";
  for (const { attempts } of wanted) for (const { sql } of attempts[0] ?? []) shape += sql;
  return shape;
}

export function busy(): CairnError {
  const error = new CairnError("busy");
  error.retryAfter = busyRetrySeconds;
  return error;
}

function tooLong(ms: number): CairnError {
  const seconds = Math.round(ms / 100) / 10;
  const time = `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  const advice = "Filter and sort by indexed properties, or take a report.";
  return new CairnError("query-too-long", `The query took longer than ${time}. ${advice}`);
}

function gone(): CairnError {
  return new CairnError("unavailable", "The caller did not wait for the answer.");
}
