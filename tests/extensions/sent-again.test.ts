// Idempotency-Key with routes of extensions: what their code asks of the service belongs to the request that called it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const names = ["late", "make", "waits"];
const code = `export function register(cairn) {
  cairn.route("late", async (call) => {
    await call.as.objects.create("notes", { title: call.body.title });
    throw new Error("after its write");
  });
  cairn.route("make", async (call) => ({ body: await call.as.objects.create("notes", { id: call.body.title }) }));
  cairn.route("waits", async () => {
    cairn.log.info("it waits");
    while (!(await cairn.own.objects.get("notes", "go").catch(() => undefined)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("without a write");
  });
}`;

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 }, environment: "development" } });
  await server.makeSchema({ id: "note", properties: { title: { type: "string" } }, required: [], index: ["title"] });
  await server.makeCollection({ id: "notes", schema: "note" });
  const routes = names.map((name) => ({ name, method: "POST", path: `/${name}`, access: "key" }));
  const permissions = { collections: { notes: ["read"] } };
  for (const [id, runtime] of Object.entries({ "acme/threaded": "node", "acme/boxed": "sandbox" })) {
    const manifest = { runtime, permissions, contributes: { routes } };
    writeExtension(join(server.dataDir, "extensions"), { id, manifest, files: { "index.ts": code } });
    await enableExtension(server, id);
  }
});
after(() => server.stop());

const post = (path: string, title: string, key?: string) =>
  server.request("POST", `/api/ext/acme/${path}`, {
    body: { title },
    headers: key === undefined ? {} : { "idempotency-key": key },
  });
const count = async (title: string) =>
  (await server.request("GET", `/api/collections/notes?filter[title]=${title}`)).body.data.length;

for (const id of ["threaded", "boxed"]) {
  test(`HTTP-113 a write of an extension marks the request that called it (${id})`, async () => {
    // The thread is started by another request.
    assert.equal((await post(`${id}/make`, `first-${id}`)).status, 200);
    const statuses = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await post(`${id}/late`, id, `late-${id}`)).status);
    assert.deepEqual([statuses, await count(id)], [[500, 409, 409], 1]);
    const made = [await post(`${id}/make`, `again-${id}`, "make"), await post(`${id}/make`, `again-${id}`, "make")];
    assert.deepEqual(
      made.map(({ status, headers }) => [status, headers.get("idempotency-replayed")]),
      [
        [200, null],
        [200, "true"],
      ],
    );
  });
}

test("HTTP-113 a write of another request does not mark the one that started the thread", async () => {
  await server.restart();
  const waiting = post("threaded/waits", "", "waits");
  await until(async () => {
    const { body } = await server.request("GET", "/api/extensions/acme/threaded/log");
    return body.data.some(({ text }: { text: string }) => text === "it waits");
  });
  assert.equal((await post("threaded/make", "meanwhile")).status, 200);
  await server.request("POST", "/api/collections/notes", { body: { id: "go" } });
  assert.equal((await waiting).status, 500);
  const again = await post("threaded/waits", "", "waits");
  assert.equal(again.status, 500, again.text);
});
