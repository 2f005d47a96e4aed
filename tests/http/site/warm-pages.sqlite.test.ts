// Pages that are asked for again and again: sent from memory by a short way, on which nothing that counts may be missed.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes } from "../../support/sample-files.ts";

let server: Server;
const path = "/walks/today";
const publicDir = mkdtempSync(join(tmpdir(), "cairn-public-"));

before(async () => {
  server = await startServer({ settings: { publicDir } });
  const text = { type: "string", field: "text" };
  const properties = { id: { type: "slug" }, draft: { type: "boolean" }, title: text };
  await server.makeSchema({ id: "walk", properties, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "walks", schema: "walk", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/walks", { body: { id: "a", title: "Along the river. ".repeat(100) } });
  saveTemplate('{% layout none %}{% get w from "walks", "a" %}{{ w.title }}');
  const page = { id: "today", title: "Today", route: path, template: "walk" };
  const { status } = await server.request("POST", "/api/collections/builder-pages", { body: page });
  assert.equal(status, 201);
});
after(async () => {
  await server.stop();
  rmSync(publicDir, { recursive: true });
});

function saveTemplate(template: string): void {
  const folder = join(server.dataDir, "builder", "pages");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "walk.liquid"), template);
}

const get = (headers: Record<string, string> = {}, address = path) =>
  fetchBytes(server, address, { headers, key: null });
const textOf = async (headers: Record<string, string> = {}) => (await get(headers)).bytes.toString();

/** Until it is sent from memory. */
async function warm(headers: Record<string, string> = {}): Promise<void> {
  for (let n = 0; n < 3; n += 1) assert.equal((await get(headers)).status, 200);
}

/** Requests and pages from memory. */
async function counted(): Promise<[requests: number, hits: number]> {
  const { text } = await server.request("GET", "/metrics");
  const requests = /^cairn_http_request_duration_seconds_count\{method="any",route="unknown",status="200"\} (\d+)$/m;
  return [requests, /^cairn_page_hits (\d+)$/m].map((line) => Number(line.exec(text)?.[1] ?? 0)) as [number, number];
}

const isOwn = new Set(["x-request-id", "date"]);
const stable = (headers: object) =>
  Object.entries(headers)
    .filter(([name]) => !isOwn.has(name))
    .sort();

test("CACHE-18 a page that is sent again has the bytes and headers of the first answer, and is counted", async () => {
  await warm();
  const countThree = async () => {
    const [requests, hits] = await counted();
    // A cookie that nobody knows decides nothing, and makes the request go the long way.
    const answers = [await get({ cookie: "a=b" }), await get(), await get()];
    for (const { status, bytes, headers } of answers) {
      assert.equal(status, 200);
      assert.deepEqual(bytes, answers[0]?.bytes);
      assert.deepEqual(stable(headers), stable(answers[0]?.headers ?? {}));
    }
    assert.equal(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, 3);
    const now = await counted();
    return [now[0] - requests, now[1] - hits];
  };
  // The server may notice in between that the template was written, and check the page once.
  await becomes(countThree, [3, 3]);
});

test("CACHE-18 tags and encodings count for a page in memory", async () => {
  const plain = await textOf();
  const zipped = { "accept-encoding": "gzip" };
  await warm(zipped);
  const { headers, bytes } = await get(zipped);
  assert.equal(headers["content-encoding"], "gzip");
  assert.equal(gunzipSync(bytes).toString(), plain);
  for (const encoding of [{}, zipped]) {
    const { etag } = (await get(encoding)).headers;
    const asked = { ...encoding, "if-none-match": String(etag) };
    const [long, short] = [await get({ ...asked, cookie: "a=b" }), await get(asked)];
    assert.deepEqual([long.status, short.status], [304, 304]);
    assert.deepEqual(stable(short.headers), stable(long.headers));
    assert.equal((await get({ ...encoding, "if-none-match": '"other"' })).status, 200);
  }
});

test("CACHE-18 credentials, origins, formats, names and methods count for a page in memory", async () => {
  await warm();
  assert.equal((await get({ origin: "https://a.example" })).headers["access-control-allow-origin"], "*");
  assert.equal((await get({ "content-encoding": "gzip" })).status, 415);
  assert.equal((await get({ host: "elsewhere.example" })).status, 403);
  assert.match(String((await get({ accept: "application/json" })).headers["content-type"]), /^application\/json/);
  assert.match(String((await get({}, `${path}?_format=json`)).headers["content-type"]), /^application\/json/);
  const wrong = { "x-api-key": "wrong", accept: "application/json" };
  assert.equal((await get(wrong)).status, 401);
  assert.equal((await server.request("POST", path, { key: null })).status, 405);
  assert.equal((await get({}, `${path}/`)).status, 301);
});

test("CACHE-18 what changes holds for the next request of a page in memory", async () => {
  const body = (title: string) => ({ body: { title } });
  for (let n = 0; n < 20; n += 1) {
    await warm();
    await server.request("PATCH", "/api/collections/walks/a", body(`Walk ${n}`));
    assert.equal(await textOf(), `Walk ${n}`);
  }
  await warm();
  await server.request("PATCH", "/api/collections/builder-pages/today", { body: { draft: true } });
  assert.equal((await get()).status, 404);
  await server.request("PATCH", "/api/collections/builder-pages/today", { body: { draft: false } });
  await warm();
  await server.request("PUT", "/api/settings/site", { body: { enabled: false } });
  assert.equal((await get()).status, 404);
  await server.request("PUT", "/api/settings/site", { body: { enabled: true } });
  await warm();
  await server.request("PUT", "/api/settings/api", { body: { corsOrigins: ["https://a.example"] } });
  assert.match(String((await get()).headers.vary), /Origin/);
  await server.request("PUT", "/api/settings/api", { body: { corsOrigins: ["*"] } });
});

test("CACHE-18 a file that comes into public/ takes the place of a page in memory", async () => {
  await warm();
  const folder = join(publicDir, "walks");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "today"), "a file");
  assert.equal(await textOf(), "a file");
  rmSync(folder, { recursive: true });
  assert.notEqual(await textOf(), "a file");
});
