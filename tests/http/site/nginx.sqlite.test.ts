// A real nginx in front, configured by the blocks of docs/guides/operations.md and serving-files.md as they are printed: who
// may have a file is Cairn's word, the bytes come from nginx.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, test } from "node:test";
import type { Front } from "../../../scripts/fronts.ts";
import { startNginx } from "../../../scripts/nginx.ts";
import { type Server, startServer } from "../../harness.ts";
import { upload } from "../../support/sample-files.ts";

let server: Server;
let front: Front;
const bytes = randomBytes(300_000);

before(async () => {
  server = await startServer({
    settings: { files: { handover: "x-accel-redirect" }, metrics: { openOnLoopback: true } },
    env: { CAIRN_TRUST_PROXY: "127.0.0.1" },
  });
  front = await startNginx({ url: server.url, dataDir: server.dataDir });
  await server.makeSchema({ id: "paper", properties: { id: { type: "slug" }, file: { type: "file" } } });
  await server.makeCollection({ id: "papers", schema: "paper" });
  await server.request("POST", "/api/collections/papers", { body: { id: "a" } });
  await upload(server, "papers/a/file", { name: "a b.html", bytes });
});
after(async () => {
  await front.stop();
  await server.stop();
});

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(front.url + path, { headers: { "x-api-key": server.key, ...headers } });
}

test("DL-18 nginx sends the very bytes, with the headers that make them harmless", async () => {
  const answer = await ask("/download/papers/a/file");
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="a b\.html"/);
  assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
});

test("DL-18 ranges and conditions are nginx's to answer", async () => {
  const part = await ask("/stream/papers/a/file", { range: "bytes=100000-100099" });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get("content-range"), `bytes 100000-100099/${bytes.length}`);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100_000, 100_100));
  assert.equal((await ask("/stream/papers/a/file", { range: "bytes=999999-" })).status, 416);
  const whole = await ask("/download/papers/a/file");
  await whole.arrayBuffer();
  const known = await ask("/download/papers/a/file", { "if-none-match": whole.headers.get("etag") ?? "" });
  assert.equal(known.status, 304);
});

test("DL-18 the place that nginx sends from is closed to everybody else", async () => {
  for (const path of ["/protected-files/papers/a/file/a%20b.html", "/protected-files/.system/cairn.db"]) {
    assert.equal((await ask(path)).status, 404, path);
  }
  assert.equal((await fetch(`${front.url}/download/papers/a/file`)).status, 401);
  assert.equal((await ask("/download/papers/a/none")).status, 404);
});

test("START-26 the printed nginx block keeps the metrics closed, accepts large uploads and forwards the caller's address", async () => {
  assert.equal((await fetch(`${front.url}/metrics`)).status, 404);
  assert.equal((await ask("/healthz")).status, 200);
  await server.request("POST", "/api/collections/papers", { body: { id: "large" } });
  const form = new FormData();
  form.append("file", new Blob([randomBytes(3_000_000)]), "large.bin");
  const address = `${front.url}/api/collections/papers/large/file`;
  const uploaded = await fetch(address, { method: "POST", headers: { "x-api-key": server.key }, body: form });
  assert.equal(uploaded.status, 200, await uploaded.text());
  // Addresses of this machine, of which the proxy has one.
  for (const localAddress of ["127.0.0.2", "127.0.0.3"]) {
    const body = JSON.stringify({ email: "nobody@example.org", password: `wrong from ${localAddress}` });
    const headers = { "content-type": "application/json" };
    const asked = request(`${front.url}/api/auth/login`, { method: "POST", localAddress, headers });
    const [answer] = await once(asked.end(body), "response");
    assert.equal(answer.resume().statusCode, 401);
  }
  const { stdout } = await server.cli(["audit:list", "--type", "login.failed", "--json"]);
  const addresses = JSON.parse(stdout).map(({ address }: { address: string }) => address);
  assert.deepEqual(addresses, ["127.0.0.2", "127.0.0.3"]);
});
