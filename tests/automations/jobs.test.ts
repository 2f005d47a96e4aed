// Jobs as the admin persona sees them over HTTP, done by ticks beside the server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
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

test("JOB-17 ATM-43 what the server leaves alone is done by one tick", async () => {
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
  const keys = "id kind subject status attempts maxAttempts createdAt runAt startedAt finishedAt progress result error";
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

test("JOB-15 an index rebuild that runs is listed with its progress", async () => {
  await server.makeCollection({ id: "many", schema: "text" });
  const rows = Array.from({ length: 3_000 }, (_, at) => ({ id: `o${at}`, text: `text ${at}` }));
  const headers = { "content-type": "application/json" };
  await server.request("POST", "/api/import/collections/many/json", { raw: JSON.stringify(rows), headers });
  const rebuild = server.request("PUT", "/api/collections/many/index");
  let seen: { id: string; status: string; progress: { done: number; total: number } } | undefined;
  while (!seen) {
    const listed = (await server.request("GET", "/api/jobs?kind=index")).body.data;
    seen = listed[0];
    if (!seen && (await Promise.race([rebuild.then(() => true), sleep(1).then(() => false)]))) break;
  }
  await rebuild;
  assert.deepEqual([seen?.id, seen?.status, seen?.progress.total], ["index:many", "running", 3_000]);
  assert.deepEqual((await server.request("GET", "/api/jobs?kind=index")).body.data, []);
});
