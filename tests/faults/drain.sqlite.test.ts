// A server behind a balancer is stopped while clients use connections that they keep.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { http, type Server, send, startServer } from "../harness.ts";

let server: Server;
before(async () => {
  // Within it all requests of the test are sent, on a busy machine too.
  server = await startServer({ env: { CAIRN_DRAIN_DELAY: "PT8S" }, isFresh: true });
});
after(() => server.stop());

test("START-43 a server without workers survives SIGUSR2, with a warning", async () => {
  process.kill(server.pid, "SIGUSR2");
  await until(() => server.stderr.includes("SIGUSR2 replaces workers"));
  assert.equal((await server.request("GET", "/healthz")).status, 200);
});

test("START-41 while the server stops, readyz is 503 first, answers announce the end, and no request is lost", async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const statuses = new Set<number>();
  const failures: unknown[] = [];
  const { url, key } = server;
  /** Until an answer announces the end, as a client that then goes to another node. */
  const useConnection = async () => {
    for (let isOpen = true; isOpen; ) {
      const asked = send(agent, url, "GET", "/api/collections", { headers: { "x-api-key": key } });
      const answer = await asked.catch((error) => void failures.push(error));
      if (answer) statuses.add(answer.status);
      isOpen = answer?.headers.get("connection") === "keep-alive";
    }
  };
  const clients = Array.from({ length: 8 }, useConnection);
  await until(() => statuses.size > 0);
  const ended = server.terminate();
  const ready = () => send(undefined, url, "GET", "/readyz", {});
  const refused = await until(ready, ({ status }) => status === 503);
  assert.deepEqual([refused.body, refused.headers.get("connection")], [{ status: "stopping" }, "close"]);
  // On a new connection.
  const late = await send(undefined, url, "GET", "/api/collections", { headers: { "x-api-key": key } });
  assert.deepEqual([late.status, late.headers.get("connection")], [200, "close"]);
  await Promise.all(clients);
  agent.destroy();
  assert.deepEqual([failures, [...statuses]], [[], [200]]);
  assert.equal(await ended, 0);
  await assert.rejects(ready);
});
