// Limits hold for an installation, however many processes serve it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inOneMinute } from "#base/patience.fixture.ts";
import { type Server, send, startServer } from "../harness.ts";
import { makeUser } from "../sign-in.ts";

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

test("RATE-7 two processes together admit what one would, but for a moment's worth", async () => {
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
