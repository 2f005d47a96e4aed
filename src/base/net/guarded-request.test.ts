import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { type GuardedRequest, guardedRequest } from "./guarded-request.ts";

const seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
  if (request.url === "/slow") return;
  if (request.url === "/moved") response.writeHead(303, { location: "/" }).end();
  else if (request.url === "/away") response.writeHead(307, { location: `http://localhost:${port()}/` }).end();
  else if (request.url === "/inside") response.writeHead(302, { location: "http://169.254.169.254/" }).end();
  else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
  else response.writeHead(418, { "x-kind": "tea" }).end("y".repeat(5_000));
});
const port = () => (server.address() as AddressInfo).port;
const credentials = {
  authorization: "secret",
  "x-api-key": "secret",
  "x-token": "secret",
  "content-type": "text/x-tea",
};
const open: GuardedRequest = {
  ...{ method: "POST", headers: credentials, body: "hello", maxRedirects: 3, maxBytes: 1_000 },
  ...{ allowPrivateHosts: true, timeoutMs: 20_000 },
};
const to = (path: string) => `http://127.0.0.1:${port()}${path}`;
const refused = { word: "refused", message: "The address could not be reached." };

before(async () => {
  server.listen(0);
  await once(server, "listening");
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test("WHK-6 any status is an answer, of which a part is read", async () => {
  const answer = await guardedRequest(to("/"), open);
  assert.equal(answer.status, 418);
  assert.equal(answer.headers["x-kind"], "tea");
  assert.equal(answer.body.length, 1_000);
  assert.equal(answer.isCut, true);
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ["POST", "hello"]);
});

test("WHK-6 no connection to an address inside, also by redirect (T47) (T48)", async () => {
  const before = seen.length;
  const strict = { ...open, allowPrivateHosts: false };
  for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
    await assert.rejects(guardedRequest(`http://${host}:${port()}/`, strict), refused, host);
  assert.equal(seen.length, before);
  const isPublic = (address: string) => address.startsWith("127.");
  await assert.rejects(guardedRequest(to("/inside"), { ...strict, isPublic }), refused);
  for (const address of ["ftp://example.test/", "nonsense", "http://a:b@example.test/"])
    await assert.rejects(guardedRequest(address, open), { word: "invalid" }, address);
});

test("WHK-6 redirects are followed as far as asked, and credentials stay with their host", async () => {
  const moved = await guardedRequest(to("/moved"), open);
  assert.equal(moved.status, 418);
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ["GET", ""]);
  await guardedRequest(to("/away"), open);
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ["POST", "hello"]);
  assert.ok(!JSON.stringify(seen.at(-1)?.headers).includes("secret"));
  assert.equal(seen.at(-1)?.headers["content-type"], "text/x-tea");
  await assert.rejects(guardedRequest(to("/loop"), open), refused);
  assert.equal((await guardedRequest(to("/moved"), { ...open, maxRedirects: 0 })).status, 303);
});

test("WHK-6 silence ends in time, and like every failure", async () => {
  const wait = () => assert.rejects(guardedRequest(to("/slow"), { ...open, timeoutMs: 200 }), refused);
  assert.ok((await leastTime(2_000, wait)) < 2_000);
  await assert.rejects(guardedRequest("http://127.0.0.1:1/", open), refused);
});
