// Queued runs under workers that die: every run that was accepted is executed, and none twice at a time.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { amongOthers, until } from "#base/patience.fixture.ts";
import { automate, type Run, runsOf, settledRuns } from "../automations/samples.ts";
import { engine, repeats, root, type Server, startServer } from "../harness.ts";

const [count, kills] = engine === "sqlite" ? [repeats(24, 200), repeats(2, 20)] : [repeats(24, 80), repeats(2, 8)];
const maxAttempts = 4;
const cutOff = "The process ended while the job ran.";
let server: Server;

before(async () => {
  const automations = { webhookLimit: 0, keepRuns: 1_000 };
  server = await startServer({ settings: { automations, api: { rateLimit: 0 }, jobs: { runInServer: false } } });
  await server.makeCollection({ id: "marks", schema: "text" });
  // Marks the beginning and the end of each attempt.
  const mark = (when: string) =>
    `await ctx.objects.create("marks", { id: [run, n, "${when}"].join("-"), text: "${when}" });`;
  const body = `const run = ctx.run.id; const n = ctx.run.attempt; ${mark("begin")} await ctx.sleep(400); ${mark("end")}`;
  await automate(server, "marked", { body, triggers: [{ type: "webhook" }] });
});
after(() => server.stop());

function startTick(): ChildProcess {
  const args = ["--disable-warning=ExperimentalWarning", join(root, "src", "main.ts"), "automations:process"];
  return spawn(process.execPath, args, { cwd: root, env: server.env, stdio: "ignore" });
}

async function listMarks(): Promise<{ id: string; created: string }[]> {
  const marks: { id: string; created: string }[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await server.request(
      "GET",
      `/api/collections/marks?limit=100&offset=${offset}&sort=created&order=asc`,
    );
    marks.push(...page.body.data);
    if (page.body.data.length < 100) return marks;
  }
}

async function countMarks(): Promise<number> {
  return Number((await server.request("GET", "/api/collections/marks?limit=1")).headers.get("x-total-count"));
}

async function allRuns(): Promise<Run[]> {
  const runs: Run[] = [];
  for (let offset = 0; ; offset += 100) {
    const { body } = await server.request("GET", `/api/automations/marked/runs?limit=100&offset=${offset}`);
    runs.push(...body.data);
    if (body.data.length < 100) return runs;
  }
}

test(`ATM-22 JOB-2 JOB-3 JOB-4 ${count} runs under ${kills} kills of two workers: none lost, none twice at a time (F23)`, async () => {
  const accepted: string[] = [];
  const queueMore = async () => {
    const calls = Array.from({ length: 20 }, () => server.request("POST", "/automations/marked", { key: null }));
    accepted.push(...(await Promise.all(calls)).map(({ body }) => body.runId as string));
  };
  while (accepted.length < count) await queueMore();
  let killed = 0;
  const worker = async () => {
    while (killed < kills) {
      const tick = startTick();
      const before = await countMarks();
      const ended = once(tick, "exit");
      // It is killed in the middle of its work, not before it begins.
      while (tick.exitCode === null && (await countMarks()) === before) await sleep(100);
      await sleep(Math.random() * 600);
      if (tick.exitCode === null) killed += 1;
      // It found nothing to do any more: those before it have got further than on other machines.
      else await queueMore();
      tick.kill("SIGKILL");
      await ended;
    }
  };
  await Promise.all([worker(), worker()]);
  assert.ok(killed >= kills, `only ${killed} workers were killed`);

  const last = [startTick(), startTick()];
  await Promise.all(last.map((tick) => once(tick, "exit")));
  const runs = await until(
    async () => {
      const found = await allRuns();
      if (found.some(({ finishedAt }) => finishedAt === null)) await once(startTick(), "exit");
      return found;
    },
    (found) => found.every(({ finishedAt }) => finishedAt !== null),
  );
  assert.deepEqual(new Set(runs.map(({ runId }) => runId)), new Set(accepted));
  // Where kills take long, one may be cut off in each attempt that it has: that alone is a failure, and a rare one.
  const failed = runs.filter(({ status }) => status !== "succeeded");
  for (const { attempts, error } of failed) assert.deepEqual([attempts, error], [maxAttempts, cutOff]);
  assert.ok(failed.length <= kills, `${failed.length} were cut off again and again`);
  assert.ok(
    runs.some(({ attempts }) => attempts > 1),
    "no run was cut off",
  );

  // In order of time the attempts of a run only ever go up: one began after the other could do nothing any more.
  const attempts = new Map<string, number>();
  for (const { id } of await listMarks()) {
    const [, run, n] = /^(.*)-(\d+)-(begin|end)$/.exec(id) as unknown as [string, string, string];
    assert.ok(Number(n) >= (attempts.get(run) ?? 0), `${id} came after attempt ${attempts.get(run)}`);
    attempts.set(run, Number(n));
  }
  assert.equal(attempts.size, accepted.length);
});

test("ATM-22 JOB-3 ADM-70 runs and bulk changes of a killed server are taken over within 10 s of the next start", async () => {
  const other = await startServer({ settings: { automations: { webhookLimit: 0 } } });
  try {
    const bulk = await startBulk(other);
    const body = "await ctx.sleep(ctx.run.attempt === 1 ? 60000 : 10); return ctx.run.attempt";
    await automate(other, "cut-off", { body, triggers: [{ type: "webhook" }] });
    for (let at = 0; at < 3; at += 1) await other.request("POST", "/automations/cut-off", { key: null });
    while ((await runsOf(other, "cut-off")).some(({ status }) => status !== "running")) await sleep(50);
    await bulk.begin();
    await other.kill();
    await other.restart();
    const started = Date.now();
    await bulk.edit();
    const runs = await settledRuns(other, "cut-off", 3);
    assert.ok(Date.now() - started < amongOthers(10_000), `it took ${Date.now() - started} ms`);
    assert.deepEqual(
      runs.map(({ status, attempts }) => [status, attempts]),
      Array(3).fill(["succeeded", 2]),
    );
    await bulk.check();
  } finally {
    await other.stop();
  }
});

/** A bulk change of many objects, and an edit of one that was changed already. */
async function startBulk(other: Server) {
  const total = 1_000;
  const path = "/api/collections/stones";
  await other.makeCollection({ id: "stones", schema: "text" });
  const stones = Array.from({ length: total }, (_, at) => ({ id: `s${at}`, text: "old" }));
  await other.request("POST", "/api/import/collections/stones/json", { body: stones });
  const count = async (text: string) =>
    Number((await other.request("GET", `${path}?limit=1&filter[text]=${text}`)).headers.get("x-total-count"));
  let job = "";
  return {
    /** Until some of it is done. */
    async begin() {
      const body = { operation: "patch", select: {}, expect: total, body: { text: "new" } };
      job = (await other.request("POST", "/api/bulk/stones", { body })).body.data.job;
      await until(() => count("new"));
    },
    async edit() {
      const [first] = (await other.request("GET", `${path}?limit=1&filter[text]=new`)).body.data;
      await other.request("PATCH", `${path}/${first.id}`, { body: { text: "edited" } });
    },
    /** What was changed before the kill is not changed again. */
    async check() {
      const { status, result, attempts } = await until(
        async () => (await other.request("GET", `/api/jobs/${job}`)).body.data,
        (found) => found.status === "succeeded" || found.status === "failed",
      );
      assert.deepEqual([status, attempts, result], ["succeeded", 2, { done: total, failed: [] }]);
      assert.deepEqual([await count("new"), await count("edited")], [total - 1, 1]);
    },
  };
}
