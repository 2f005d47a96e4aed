// Images that are asked for again and again: sent from memory by a short way, on which nothing that counts may be missed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes, picture, upload } from "../../support/sample-files.ts";

let server: Server;
const path = "/imageworks/albums/a/image.png?w=20";
const red = await picture(60, 40, { format: "png", color: "#ff0000" });
const blue = await picture(60, 40, { format: "png", color: "#0000ff" });

before(async () => {
  server = await startServer();
  const properties = { id: { type: "slug" }, draft: { type: "boolean" }, image: { type: "image" } };
  await server.makeSchema({ id: "album", properties, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "albums", schema: "album", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/albums", { body: { id: "a" } });
  await upload(server, "albums/a/image", { name: "photo.png", bytes: red });
});
after(() => server.stop());

const get = (headers: Record<string, string> = {}, address = path) =>
  fetchBytes(server, address, { headers, key: null });

/** Until it is sent from memory. */
async function warm(): Promise<void> {
  for (let n = 0; n < 3; n += 1) assert.equal((await get()).status, 200);
}

async function countImages(): Promise<number> {
  const { text } = await server.request("GET", "/metrics");
  const line =
    /^cairn_http_request_duration_seconds_count\{method="GET",route="\/imageworks\/\*",status="200"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

const isOwn = new Set(["x-request-id", "date"]);
const stable = (headers: object) => Object.entries(headers).filter(([name]) => !isOwn.has(name));

test("IW-28 an image that is sent again has the bytes and headers of the first answer, and is counted", async () => {
  const before = await countImages();
  const answers = [await get(), await get(), await get()];
  const [first] = answers;
  for (const { status, bytes, headers } of answers) {
    assert.equal(status, 200);
    assert.deepEqual(bytes, first?.bytes);
    assert.deepEqual(stable(headers).sort(), stable(first?.headers ?? {}).sort());
  }
  assert.equal(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, 3);
  assert.equal((await countImages()) - before, 3);
});

test("IW-28 credentials, conditions, origins, encodings and names count for an image in memory, too", async () => {
  await warm();
  for (const headers of [{ "x-api-key": "wrong" }, { authorization: "Bearer wrong" }])
    assert.equal((await get(headers)).status, 401, JSON.stringify(headers));
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await get({}, `${path}&api_key=${server.key}`)).status, 200);
    assert.equal((await get({}, `${path}&api_key=wrong`)).status, 401);
  }
  const { etag } = (await get()).headers;
  assert.equal((await get({ "if-none-match": String(etag) })).status, 304);
  assert.equal((await get({ origin: "https://a.example" })).headers["access-control-allow-origin"], "*");
  assert.equal((await get({ "content-encoding": "gzip" })).status, 415);
  assert.equal((await get({ host: "elsewhere.example" })).status, 403);
  assert.equal((await server.request("POST", path, { key: null })).status, 405);
});

test("IW-28 what changes holds for the next request of an image in memory", async () => {
  await warm();
  await server.request("PATCH", "/api/collections/albums/settings", { body: { publicOperations: [] } });
  assert.equal((await get()).status, 401);
  await server.request("PATCH", "/api/collections/albums/settings", { body: { publicOperations: ["read"] } });
  await warm();
  await server.request("PATCH", "/api/collections/albums/a", { body: { draft: true } });
  assert.equal((await get()).status, 404);
  await server.request("PATCH", "/api/collections/albums/a", { body: { draft: false } });
  await warm();
  const old = await get();
  await upload(server, "albums/a/image", { name: "photo.png", bytes: blue });
  const fresh = await get();
  assert.notEqual(fresh.headers.etag, old.headers.etag);
  assert.notDeepEqual(fresh.bytes, old.bytes);
  await warm();
  await server.request("PUT", "/api/settings/api", { body: { corsOrigins: ["https://a.example"] } });
  assert.equal((await get()).headers.vary, "Origin");
  assert.equal((await get({ origin: "https://b.example" })).headers["access-control-allow-origin"], undefined);
});
