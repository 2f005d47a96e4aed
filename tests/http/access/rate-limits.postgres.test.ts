// Limits and figures hold for an installation, however many processes serve it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inOneMinute, until } from "#base/patience.fixture.ts";
import { type Server, send, startServer } from "../../harness.ts";
import { makeUser } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer({ args: ["--workers", "2"], settings: { api: { rateLimit: 40 } } });
  await makeUser(server, "root", ["admin"]);
});
after(() => server.stop());

/** On a connection of its own, which the processes take in turns. */
function ask(method: string, path: string, body?: object) {
  return send(undefined, server.url, method, path, { ...(body && { body }), headers: { connection: "close" } });
}

test("RATE-7 two processes together admit as many as one, except within a moment", async () => {
  const admitted = await inOneMinute(async () => {
    let count = 0;
    // When both have refused for a while, both know.
    for (let refused = 0; refused < 20; await sleep(25)) {
      if ((await ask("GET", "/api/collections")).status === 429) refused += 1;
      else count += 1;
    }
    return count;
  });
  // Apart, they would have admitted 80.
  assert.ok(admitted >= 40 && admitted <= 60, `${admitted} admitted`);
});

test("RATE-10 two processes together let exactly ten attempts through (T61)", async () => {
  assert.equal((await server.cli(["settings:set", "api.rateLimit", "0"])).code, 0);
  const attempt = () => ask("POST", "/api/auth/login", { email: "root", password: "wrong" });
  const answers = await Promise.all(Array.from({ length: 30 }, attempt));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(20).fill(429)]);
});

const answered = /^cairn_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} (\d+)$/m;
async function countAnswered(): Promise<number> {
  const { status, text } = await send(undefined, server.url, "GET", "/metrics", {
    headers: { "x-api-key": server.key, connection: "close" },
  });
  assert.equal(status, 200, text);
  return Number(answered.exec(text)?.[1] ?? 0);
}
const workers = () =>
  readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number);

test("HTTP-74 the figures are those of all processes together, whichever is asked", async () => {
  const before = await countAnswered();
  for (let at = 0; at < 20; at += 1) assert.equal((await ask("GET", "/healthz")).status, 200);
  for (let at = 0; at < 4; at += 1) assert.equal(await countAnswered(), before + 20);
});

test("HTTP-74 START-25 a worker that dies is logged and replaced, later each time; no count falls", async () => {
  const before = await countAnswered();
  for (const [restarts, delayMs] of [
    [1, 500],
    [2, 1_000],
  ] as const) {
    // The youngest: the other one keeps the port open.
    const victim = workers().at(-1) ?? 0;
    process.kill(victim, "SIGKILL");
    await until(() => workers().length === 2 && !workers().includes(victim));
    const line = server.stderr
      .split("\n")
      .filter(Boolean)
      .map((text) => JSON.parse(text))
      .find((entry) => entry.pid === victim);
    assert.deepEqual(
      [line.level, line.signal, line.restarts, line.delayMs, line.msg],
      [50, "SIGKILL", restarts, delayMs, "a worker ended and is replaced"],
    );
    assert.ok((await countAnswered()) >= before);
  }
});
