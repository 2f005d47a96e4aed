import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#base/clock.ts";
import { leastTime, until } from "#base/patience.fixture.ts";
import { testStorage } from "#storage/storage.fixture.ts";
import { findJobRow, type JobRow } from "#storage/tables/jobs.ts";
import { enqueue } from "./enqueue.ts";
import type { NewJob } from "./job.ts";
import { createJobs } from "./queue.ts";

const test1 = testStorage();

/** A clock that can be set forward; one that stands goes in no other way, however long the machine takes. */
function createClock({ stands = false } = {}): Clock & { skip(ms: number): void } {
  let ahead = 0;
  const begun = Date.now();
  const now = () => (stands ? begun : Date.now()) + ahead;
  return {
    now,
    iso: () => new Date(now()).toISOString(),
    skip(ms) {
      ahead += ms;
    },
  };
}

function openJobs(clock: Clock = createClock()) {
  return createJobs({ storage: test1.storage, clock, log: test1.log });
}

function queue(job: NewJob): Promise<string> {
  return test1.storage.write((tx) => enqueue(tx, job));
}

async function stored(id: string): Promise<JobRow> {
  return (await findJobRow(test1.storage, id)) as JobRow;
}

test("JOB-1 a job is queued with the write, and not without it", async () => {
  const { storage } = test1;
  let lost = "";
  const work = storage.write(async (tx) => {
    lost = await enqueue(tx, { kind: "one", payload: {} });
    throw new Error("undone");
  });
  await assert.rejects(work, /undone/);
  assert.equal(await findJobRow(storage, lost), undefined);
  const id = await queue({ kind: "one", payload: { a: 1 } });
  assert.equal((await stored(id)).status, "queued");
});

test("JOB-2 of several workers one runs a job", async () => {
  const ran: string[] = [];
  const workers = Array.from({ length: 4 }, () => openJobs());
  for (const jobs of workers)
    jobs.handle("two", async ({ id }) => {
      ran.push(id);
      await sleep(5);
      return null;
    });
  const ids = [];
  for (let at = 0; at < 40; at += 1) ids.push(await queue({ kind: "two", payload: { at } }));
  const done = await Promise.all(workers.map((jobs) => jobs.tick()));
  assert.deepEqual(ran.toSorted(), ids.toSorted());
  assert.equal(
    done.reduce((sum, count) => sum + count),
    40,
  );
});

test("JOB-3 JOB-4 jobs of a dead process are taken over when the lease ends, up to a limit", async () => {
  const id = await queue({ kind: "three", payload: {} });
  const clock = createClock({ stands: true });
  const attempts: number[] = [];
  for (let death = 1; death <= 4; death += 1) {
    // It dies: nothing renews the lease, and nothing is ever heard of it.
    let isDead = false;
    const { storage, log } = test1;
    const write: typeof storage.write = (work) => (isDead ? new Promise(() => {}) : storage.write(work));
    const dead = createJobs({ storage: { ...storage, write }, clock, log });
    dead.handle("three", ({ attempts: attempt }) => {
      isDead = true;
      attempts.push(attempt);
      return new Promise(() => {});
    });
    void dead.tick();
    while (attempts.length < death) await sleep(5);
    const early = openJobs(clock);
    early.handle("three", async () => assert.fail("it is still held"));
    clock.skip(7_000);
    early.start();
    await sleep(50);
    await early.stop();
    clock.skip(60_000);
  }
  const last = openJobs(clock);
  const ended: string[] = [];
  last.handle("three", async () => assert.fail("it was tried often enough"), {
    ended: async ({ error }) => void ended.push(error ?? ""),
  });
  await last.tick();
  const row = await stored(id);
  assert.deepEqual([row.status, row.attempts, row.error], ["failed", 4, "The process ended while the job ran."]);
  assert.deepEqual(attempts, [1, 2, 3, 4]);
  assert.deepEqual(ended, ["The process ended while the job ran."]);
});

test("JOB-2 a process that stood still longer than its lease does not run its job a second time beside the first", async () => {
  const id = await queue({ kind: "still", payload: {} });
  const clock = createClock({ stands: true });
  const jobs = openJobs(clock);
  let runs = 0;
  const end = Promise.withResolvers<null>();
  jobs.handle("still", () => {
    runs += 1;
    return end.promise;
  });
  let hasLooked = false;
  jobs.handle("after", async () => {
    hasLooked = true;
    return null;
  });
  jobs.start();
  await until(() => runs === 1);
  // As on a laptop that was closed: the first look at the queue comes before the renewal.
  clock.skip(60_000);
  await queue({ kind: "after", payload: {} });
  await until(() => hasLooked);
  end.resolve(null);
  await jobs.stop();
  const { status, attempts } = await stored(id);
  assert.deepEqual([status, attempts, runs], ["succeeded", 1, 1]);
});

test("JOB-22 a job whose lease could not be renewed is queued again at once by its process, and that attempt does not count", async () => {
  const id = await queue({ kind: "hung", payload: {} });
  const clock = createClock({ stands: true });
  const { storage, log } = test1;
  // The database hangs: what is written comes through later.
  let wait: Promise<void> | undefined;
  const write: typeof storage.write = async (work) => {
    await wait;
    return storage.write(work);
  };
  const jobs = createJobs({ storage: { ...storage, write }, clock, log });
  const attempts: number[] = [];
  let isAborted = false;
  jobs.handle("hung", (job, { signal }) => {
    attempts.push(job.attempts);
    if (attempts.length > 1) return Promise.resolve(null);
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        isAborted = true;
        reject(new Error("given up"));
      });
    });
  });
  jobs.start();
  await until(() => attempts.length === 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  wait = promise;
  // A renewal hangs soon; the next one finds that the lease is over.
  clock.skip(60_000);
  await until(() => isAborted);
  wait = undefined;
  resolve();
  await until(
    () => stored(id),
    ({ status }) => status === "succeeded",
  );
  await jobs.stop();
  assert.deepEqual(attempts, [1, 1]);
});

test("JOB-5 an error of a handler ends the job, unless the kind retries", async () => {
  const clock = createClock();
  const jobs = openJobs(clock);
  let tries = 0;
  jobs.handle("final", async () => {
    throw new Error("no");
  });
  jobs.handle(
    "patient",
    async () => {
      tries += 1;
      if (tries < 3) throw new Error("not yet");
      return { tries };
    },
    { retriesOnError: true },
  );
  const [final, patient] = [await queue({ kind: "final", payload: {} }), await queue({ kind: "patient", payload: {} })];
  await jobs.tick();
  const row = await stored(final);
  assert.deepEqual([row.status, row.error, row.attempts], ["failed", "no", 1]);
  assert.deepEqual([(await stored(patient)).status, (await stored(patient)).error], ["queued", "not yet"]);
  await jobs.tick();
  assert.equal(tries, 1, "it waits before the next try");
  clock.skip(15_000);
  await jobs.tick();
  clock.skip(70_000);
  await jobs.tick();
  assert.deepEqual([(await stored(patient)).status, (await stored(patient)).result], ["succeeded", '{"tries":3}']);
});

test("JOB-6 of a kind and key one waits and one runs", async () => {
  const [first, same] = await Promise.all([
    queue({ kind: "keyed", key: "a", payload: { at: 1 } }),
    queue({ kind: "keyed", key: "a", payload: { at: 2 } }),
  ]);
  assert.equal(first, same);
  const jobs = openJobs();
  let running = 0;
  let most = 0;
  let second = "";
  jobs.handle("keyed", async ({ payload }) => {
    running += 1;
    most = Math.max(most, running);
    if (payload.at === 1) second = await queue({ kind: "keyed", key: "a", payload: { at: 3 } });
    await sleep(20);
    running -= 1;
    return null;
  });
  await jobs.tick();
  assert.equal(most, 1);
  assert.notEqual(second, first);
  assert.equal((await stored(second)).status, "succeeded");
});

test("JOB-7 JOB-9 a started queue runs queued jobs at once, and kinds do not wait for each other", async () => {
  const jobs = openJobs();
  const { promise: blocked, resolve: free } = Promise.withResolvers<null>();
  let done = 0;
  jobs.handle("slow", () => blocked, { concurrency: 1 });
  jobs.handle("quick", async () => {
    done += 1;
    return null;
  });
  jobs.start();
  await queue({ kind: "slow", payload: {} });
  await queue({ kind: "slow", payload: {} });
  await sleep(30);
  // Sooner than by looking now and then.
  const run = async () => {
    const before = done;
    await queue({ kind: "quick", payload: {} });
    await until(() => done > before);
  };
  assert.ok((await leastTime(500, run)) < 500);
  free(null);
  await jobs.stop();
});

test("JOB-8 stopping lets a running job end; the rest is left for the next process", async () => {
  const jobs = openJobs();
  const { promise: started, resolve } = Promise.withResolvers<void>();
  let ended = false;
  jobs.handle("stopped", async () => {
    resolve();
    await sleep(200);
    ended = true;
    return null;
  });
  jobs.start();
  const id = await queue({ kind: "stopped", payload: {} });
  await started;
  await jobs.stop();
  assert.equal(ended, true);
  assert.equal((await stored(id)).status, "succeeded");

  const endless = openJobs();
  endless.handle("stopped", (_job, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)));
  const left = await queue({ kind: "stopped", payload: {} });
  endless.start();
  while ((await stored(left)).status !== "running") await sleep(5);
  await endless.stop();
  const next = openJobs();
  next.handle("stopped", async ({ attempts }) => attempts);
  await next.tick();
  assert.deepEqual([(await stored(left)).status, (await stored(left)).result], ["succeeded", "2"]);
});

test("JOB-10 finished jobs of a subject are kept up to a number", async () => {
  const jobs = openJobs();
  jobs.handle("kept", async () => null, { keep: 3 });
  const ids = [];
  for (let at = 0; at < 5; at += 1) {
    ids.push(await queue({ kind: "kept", subject: "a", payload: {} }));
    await jobs.tick();
  }
  const left = await Promise.all(ids.map((id) => findJobRow(test1.storage, id)));
  assert.deepEqual(
    left.map((row) => row !== undefined),
    [false, false, true, true, true],
  );
});

test("JOB-12 progress and log lines are stored while it runs and after", async () => {
  const jobs = openJobs();
  jobs.handle("told", async (_job, run) => {
    run.progress(3, 10);
    run.log("a line");
    return null;
  });
  const id = await queue({ kind: "told", payload: {} });
  await jobs.tick();
  const row = await stored(id);
  assert.deepEqual([row.done, row.total, row.log], [3, 10, "a line\n"]);
});

test("JOB-4 a job that its caller waits for is not tried again", async () => {
  const jobs = openJobs();
  jobs.handle("now", async ({ payload }) => {
    if (payload.fails) throw new Error("no");
    return { done: true };
  });
  const good = await jobs.run({ kind: "now", payload: {} });
  assert.deepEqual([good.status, good.result], ["succeeded", { done: true }]);
  const bad = await jobs.run({ kind: "now", payload: { fails: true } });
  assert.deepEqual([bad.status, bad.error], ["failed", "no"]);
  assert.deepEqual([(await stored(bad.job.id)).status, (await stored(bad.job.id)).attempts], ["failed", 1]);
});
