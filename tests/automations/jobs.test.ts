// Jobs as the admin persona sees them over HTTP, done by ticks beside the server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { automate, runsOf, settledRuns } from "./samples.ts";

let server: Server;
before(async () => {
  const settings = { automations: { webhookLimit: 0 }, api: { rateLimit: 0 }, jobs: { runInServer: false } };
  server = await startServer({ settings });
  await automate(server, "good", { body: "return ctx.args.n", triggers: [{ type: "webhook" }] });
  const body = "if (ctx.run.attempt < 2 && !globalThis.x) throw new Error('no')";
  await automate(server, "bad", { body, triggers: [{ type: "webhook" }] });
});
after(() => server.stop());

async function queue(id: string, query = ""): Promise<string> {
  return (await server.request("POST", `/automations/${id}${query}`, { key: null })).body.runId as string;
}

async function json(args: string[]) {
  const { stdout, stderr, code } = await server.cli([...args, "--json"]);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}`);
  return JSON.parse(stdout);
}

test("JOB-17 ATM-43 jobs that the server leaves alone are done by one tick", async () => {
  const id = await queue("good", "?n=1");
  await sleep(1_500);
  assert.equal((await runsOf(server, "good"))[0]?.status, "queued");
  assert.deepEqual(await json(["automations:process"]), { fired: 0, processed: 1 });
  const [run] = await runsOf(server, "good");
  assert.deepEqual([run?.runId, run?.status, run?.result], [id, "succeeded", "1"]);
  assert.deepEqual(await json(["automations:process"]), { fired: 0, processed: 0 });
});

test("ATM-43 two ticks at a time do each job once", async () => {
  for (let n = 0; n < 10; n += 1) await queue("good", `?n=${n}`);
  const ticks = await Promise.all([json(["automations:process"]), json(["automations:process"])]);
  assert.equal(
    ticks.reduce((sum, { processed }) => sum + processed, 0),
    10,
  );
  assert.ok((await settledRuns(server, "good", 11)).every(({ attempts }) => attempts === 1));
});

test("JOB-11 JOB-13 JOB-14 jobs are listed, tried again and cleared", async () => {
  const id = await queue("bad");
  await server.cli(["automations:process"]);
  const { body, headers } = await server.request("GET", "/api/jobs?kind=automation&status=failed");
  assert.deepEqual(
    body.data.map((job: { id: string; subject: string }) => [job.id, job.subject]),
    [[id, "bad"]],
  );
  assert.equal(headers.get("x-total-count"), "1");
  const [job] = body.data;
  const keys =
    "id kind subject status attempts maxAttempts createdAt runAt startedAt finishedAt cancelledAt canCancel progress result error";
  assert.deepEqual(Object.keys(job), keys.split(" "));
  assert.match(job.error, /^Error: no/);
  assert.deepEqual((await server.request("GET", `/api/jobs/${id}`)).body.data, job);

  assert.equal((await server.request("POST", `/api/jobs/${id}/retry`)).body.data.status, "queued");
  assert.equal((await server.request("POST", `/api/jobs/${id}/retry`)).status, 400);
  assert.equal((await server.request("POST", "/api/jobs/none/retry")).status, 404);
  assert.equal((await server.request("GET", "/api/jobs/none")).status, 404);
  assert.equal((await server.request("GET", "/api/jobs?status=odd")).status, 400);
  assert.equal((await server.request("DELETE", "/api/jobs?status=queued")).status, 400);

  assert.deepEqual((await server.request("DELETE", "/api/jobs?subject=good")).body, { data: { cleared: 11 } });
  assert.equal((await server.request("GET", `/api/jobs/${id}`)).body.data.status, "queued");
});

test("JOB-19 JOB-20 a job that waits is cancelled at once, and can be retried", async () => {
  const failed = async () => (await server.request("GET", "/api/jobs?status=failed")).body.data.length as number;
  const before = await failed();
  const id = await queue("good", "?n=2");
  const cancel = (job: string) => server.request("POST", `/api/jobs/${job}/cancel`);
  assert.equal((await server.request("GET", `/api/jobs/${id}`)).body.data.canCancel, true);
  const { status, body } = await cancel(id);
  const { cancelledAt, finishedAt, canCancel, error } = body.data;
  assert.deepEqual(
    [status, body.data.status, error, canCancel],
    [200, "failed", "Cancelled before it started.", false],
  );
  assert.ok(cancelledAt !== null && cancelledAt === finishedAt);
  assert.equal(await failed(), before + 1);
  assert.equal((await cancel(id)).status, 400);
  assert.equal((await cancel("none")).status, 404);
  await server.cli(["automations:process"]);
  assert.equal((await runsOf(server, "good"))[0]?.status, "failed");
  const retried = (await server.request("POST", `/api/jobs/${id}/retry`)).body.data;
  assert.deepEqual([retried.status, retried.cancelledAt, retried.canCancel], ["queued", null, true]);
  await server.cli(["automations:process"]);
  const ended = (await server.request("GET", `/api/jobs/${id}`)).body.data;
  assert.deepEqual([ended.status, ended.result], ["succeeded", "2"]);
  assert.equal((await cancel(id)).status, 400);
});

interface Listed {
  id: string;
  subject: string;
  status: string;
  progress: { done: number; total: number };
  result: unknown;
}

/** The first job of a kind that is listed while the work goes on. */
async function seenDuring(work: Promise<unknown>, kind: string): Promise<Listed | undefined> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const [job] = (await server.request("GET", `/api/jobs?kind=${kind}`)).body.data;
    if (job) return job;
  }
  return undefined;
}

test("JOB-15 JOB-18 imports and index rebuilds are listed while they run", async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) =>
    at === 7 ? "no object" : { id: `o${at}`, text: `text ${at}` },
  );
  const headers = { "content-type": "application/json" };
  let running: Listed | undefined;
  let many = "";
  // Until one was looked at in time.
  for (let round = 1; running?.status !== "running"; round += 1) {
    many = `many-${round}`;
    await server.makeCollection({ id: many, schema: "text" });
    const imported = server.request("POST", `/api/import/collections/${many}/json`, {
      raw: JSON.stringify(rows),
      headers,
    });
    running = await seenDuring(imported, "import");
    await imported;
  }
  assert.equal(running.subject, many);
  const path = `/api/jobs/${running?.id}`;
  const done = (await server.request("GET", path)).body.data as Listed;
  assert.deepEqual([done.status, done.progress], ["succeeded", { done: 3_000, total: 3_000 }]);
  assert.deepEqual(done.result, { created: 2_999, updated: 0, skipped: 0, errorCount: 1 });
  const { stdout } = await server.cli(["jobs:list", "--kind", "import"]);
  assert.match(stdout, new RegExp(`${many} +succeeded +1 +3000/3000`));

  const seen = await until(async () => {
    const rebuild = server.request("PUT", `/api/collections/${many}/index`);
    const job = await seenDuring(rebuild, "index");
    await rebuild;
    return job;
  });
  assert.deepEqual([seen?.id, seen?.status, seen?.progress.total], [`index:${many}`, "running", 2_999]);
  assert.deepEqual((await server.request("GET", "/api/jobs?kind=index")).body.data, []);
});

test("JOB-18 an import that fails is listed with its error, and cannot be started again", async () => {
  const headers = { "content-type": "application/json" };
  const answer = await server.request("POST", "/api/import/collections/many-1/json", { raw: '[{"id":"x"},', headers });
  assert.equal(answer.status, 400);
  const [job] = (await server.request("GET", "/api/jobs?kind=import&status=failed")).body.data;
  assert.equal(job.error, answer.body.error.message);
  assert.equal((await server.request("POST", `/api/jobs/${job.id}/retry`)).status, 200);
  await server.cli(["automations:process"]);
  assert.match((await server.request("GET", `/api/jobs/${job.id}`)).body.data.error, /cannot be started again/);
});

test("ATM-2 ATM-3 rows of an import are looked at like saved automations", async () => {
  const rows = [
    { id: "broken", handler: "export default (((" },
    { id: "never", handler: "export default () => 1", triggers: [{ id: "s", type: "schedule", cron: "x" }] },
    { id: "fine", handler: "export default () => 1" },
  ];
  const { body } = await server.request("POST", "/api/import/collections/automations/json", { body: rows });
  const errors = body.errors.map(({ id, details }: { id: string; details: object }) => [id, Object.keys(details)]);
  assert.deepEqual(errors, [
    ["broken", ["handler"]],
    ["never", ["triggers.s.cron"]],
  ]);
  assert.equal(body.created, 1);
});
