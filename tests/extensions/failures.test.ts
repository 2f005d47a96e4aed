// What extensions do to each other and to the server when they fail: nothing.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const route = (name: string) => ({ name, method: "GET", path: `/${name}`, access: "public" });

const bad = `export function register(cairn) {
  cairn.route("throws", async () => { throw new Error("a secret of the code"); });
  cairn.route("exits", async () => { process.exit(3); });
  cairn.route("later", async () => { setTimeout(() => { throw new Error("later"); }, 1); return { body: "ok" }; });
  cairn.route("loops", async () => { for (;;) cairn.log.info("still here"); });
  cairn.route("fills", async () => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); });
}`;
const good = `let calls = 0;
export function register(cairn) {
  cairn.route("slow", async () => {
    await cairn.store.set("begun", true);
    while ((await cairn.store.get("go")) === null) await new Promise((done) => setTimeout(done, 20));
    return { body: "done" };
  });
  cairn.route("go", async () => ({ body: await cairn.store.set("go", true) }));
  cairn.route("begun", async () => ({ body: (await cairn.store.get("begun")) !== null }));
  cairn.route("count", async () => ({ body: (calls += 1) }));
  cairn.route("hello", async (call) => ({ body: { hello: call.actor.kind } }));
}`;

let server: Server;

before(async () => {
  server = await startServer({ settings: { extensions: { memoryLimit: 64 } } });
  const folder = join(server.dataDir, "extensions");
  const routes = ["throws", "exits", "later", "loops", "fills"].map(route);
  writeExtension(folder, { id: "acme/bad", manifest: { contributes: { routes } }, files: { "index.ts": bad } });
  const hello = { contributes: { routes: ["hello", "slow", "go", "begun", "count"].map(route) } };
  writeExtension(folder, { id: "acme/good", manifest: hello, files: { "index.ts": good } });
});
after(() => server.stop());

const call = (path: string) => server.request("GET", `/api/ext/${path}`, { key: null });

test("EXT-1 EXT-2 an extension is found, and runs only after its fingerprint was approved", async () => {
  const list = await server.request("GET", "/api/extensions");
  const found = list.body.data.find(({ id }: { id: string }) => id === "acme/good");
  assert.deepEqual([found.state, found.source, found.enabled], ["disabled", "data", false]);
  assert.equal((await call("acme/good/hello")).status, 404);
  const asked = await server.request("POST", "/api/extensions/acme/good/enable");
  assert.equal(asked.status, 409);
  assert.match(asked.body.error.details.fingerprint[0], /^[0-9a-f]{32}$/);
  const wrong = await server.request("POST", "/api/extensions/acme/good/enable", { body: { approve: "0".repeat(32) } });
  assert.equal(wrong.status, 412);
  await enableExtension(server, "acme/good");
  assert.deepEqual((await call("acme/good/hello")).body, { hello: "anonymous" });
});

test("EXT-43 other code starts in a new thread, after the calls under way, and their end is nobody's fault", async () => {
  await enableExtension(server, "acme/good");
  assert.deepEqual([(await call("acme/good/count")).body, (await call("acme/good/count")).body], [1, 2]);
  const slow = call("acme/good/slow");
  await until(async () => (await call("acme/good/begun")).body);
  await call("acme/good/go");
  await enableExtension(server, "acme/bad");
  assert.equal((await slow).text, "done");
  assert.equal((await call("acme/good/count")).body, 1);
  const { body } = await server.request("GET", "/api/extensions/acme/good");
  assert.deepEqual([body.data.state, body.data.errors], ["enabled", []]);
});

test("EXT-40 EXT-41 EXT-42 whatever one does, it fails alone, and is quarantined in the end", async () => {
  await enableExtension(server, "acme/bad");
  for (const path of ["throws", "exits"]) {
    const answer = await call(`acme/bad/${path}`);
    assert.equal(answer.status, 500);
    assert.equal(answer.body.error.message, "The extension acme/bad failed.");
  }
  assert.equal((await call("acme/bad/later")).text, "ok");
  assert.equal((await call("acme/good/hello")).status, 200);

  const looping = call("acme/bad/loops");
  assert.equal((await server.request("GET", "/api/collections")).status, 200);
  assert.equal((await looping).status, 500);
  assert.equal((await call("acme/good/hello")).status, 200);
  assert.equal((await call("acme/bad/fills")).status, 500);

  await until(async () => (await call("acme/bad/throws")).status === 404);
  type Failure = { text: string; data: { about?: string } | null };
  const isHung = ({ data }: Failure) => data?.about === 'routes "loops"';
  // Errors are stored twice a second.
  const { state, errors } = await until(
    async () => (await server.request("GET", "/api/extensions/acme/bad")).body.data,
    (found) => found.errors.some(isHung),
  );
  assert.equal(state, "quarantined");
  assert.ok(errors.some(({ text }: Failure) => text === "a secret of the code"));
  // A server that is slow to read its lines may find first that they fill the memory.
  assert.match(errors.find(isHung).text, /^It (?:did not give way for 5 seconds|used up the memory)/);
  assert.equal((await call("acme/good/hello")).status, 200);
});
