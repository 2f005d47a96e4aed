// The commands of automations and jobs. They work on the data, so one engine is enough.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { automate } from "./samples.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await automate(server, "good", { body: "return ctx.args.n", triggers: [{ type: "webhook" }] });
  await automate(server, "bad", { body: "throw new Error('no')", triggers: [{ type: "webhook" }] });
});
after(() => server.stop());

async function json(args: string[]) {
  const { stdout, stderr, code } = await server.cli([...args, "--json"]);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}`);
  return JSON.parse(stdout);
}

test("ATM-44 the commands of automations report", async () => {
  assert.deepEqual((await json(["automations:run", "good", "--args", '{"n": 5}'])).result, 5);
  const failed = await server.cli(["automations:run", "bad"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /failed: Error: no/);
  assert.deepEqual(await json(["automations:disable", "good"]), { id: "good", enabled: false });
  const listed = (await json(["automations:list"])) as { id: string; enabled: boolean; triggers: string[] }[];
  assert.deepEqual(
    listed.map(({ id, enabled, triggers }) => [id, enabled, triggers]),
    [
      ["bad", true, ["webhook"]],
      ["good", false, ["webhook"]],
    ],
  );
  await automate(server, "closed", { body: "return 1", triggers: [{ type: "webhook", auth: "apiKey" }] });
  assert.deepEqual(
    ((await json(["automations:list"])) as { id: string; open: boolean }[]).map(({ id, open }) => [id, open]),
    [
      ["bad", true],
      ["closed", false],
      ["good", true],
    ],
  );
  assert.match((await server.cli(["automations:list"])).stdout, /bad .*webhook \(open to everybody\)/);
  assert.deepEqual(await json(["automations:enable", "good"]), { id: "good", enabled: true });
  assert.equal((await json(["automations:runs", "good", "--limit", "1"]))[0].trigger, "manual");
  for (const args of [
    ["automations:run", "none"],
    ["automations:enable", "none"],
    ["automations:runs", "none"],
  ])
    assert.equal((await server.cli(args)).code, 1, args.join(" "));
  for (const args of [["automations:run", "good", "--args", "[1]"], ["automations:run"]])
    assert.equal((await server.cli(args)).code, 2, args.join(" "));
});

test("ATM-47 automations:lint names webhooks that everybody may call, and what cannot work", async () => {
  const found = (await json(["automations:lint"])) as { automation: string; level: string; message: string }[];
  assert.deepEqual(
    found.map(({ automation, level }) => [automation, level]),
    [
      ["bad", "warning"],
      ["good", "warning"],
    ],
  );
  assert.match(found[0]?.message ?? "", /Everybody may call the webhook/);
  const shown = await server.cli(["automations:lint", "--strict"]);
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, /warning +good +triggers +Everybody/);
});

test("JOB-16 the commands of jobs list, try again and clear", async () => {
  const [job] = await json(["jobs:list", "--status", "failed", "--kind", "automation"]);
  assert.deepEqual([job.subject, job.status], ["bad", "failed"]);
  // A server would take the job before it is cancelled.
  await server.terminate();
  assert.equal((await json(["jobs:retry", job.id])).status, "queued");
  assert.equal((await server.cli(["jobs:retry", "none"])).code, 1);
  assert.equal((await json(["jobs:cancel", job.id])).error, "Cancelled before it started.");
  assert.equal((await server.cli(["jobs:cancel", job.id])).code, 1);
  const { cleared } = await json(["jobs:clear", "--subject", "good"]);
  assert.equal(cleared, 1);
  for (const args of [
    ["jobs:list", "--status", "odd"],
    ["jobs:list", "--limit", "x"],
  ])
    assert.equal((await server.cli(args)).code, 2, args.join(" "));
});
