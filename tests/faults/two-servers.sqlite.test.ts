// One data directory, one server: a second would not see the first one's caches.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { amongOthers } from "#base/patience.fixture.ts";
import { launch, runCairn, type Server, startServer } from "../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

test("START-11 a second server on the same data refuses, and the first goes on (F21)", async () => {
  const took = async (args: string[]) => {
    const started = performance.now();
    return { ...(await runCairn(args, { env: server.env })), ms: performance.now() - started };
  };
  const plain = await took(["info"]);
  const second = await took(["serve", "--port", "0"]);
  // Beyond what any command takes on this machine at this moment.
  assert.ok(second.ms - 2 * plain.ms < amongOthers(2_000), `${second.ms} ms, plain ${plain.ms} ms`);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^cairn: .*already running.*\n$/);
  assert.equal((await server.request("GET", "/api/collections")).status, 200);
});

test("START-12 after a kill the next server starts at once (F21)", async () => {
  await server.kill();
  const next = await launch(["serve", "--port", "0"], server.env);
  assert.equal(await next.end("SIGTERM"), 0);
  await server.restart();
});
