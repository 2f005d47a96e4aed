// Idempotency-Key with routes of extensions: what their code asks of the service belongs to the request that called it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { runSql } from "../support/sql.ts";

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

const judging = `export function register(cairn) {
  const isAllowed = (id) => cairn.own.objects.get("notes", id).then(() => true, () => false);
  cairn.check("checked", async (call, { after }) => {
    await cairn.store.set("checked", 1);
    return after.title !== "checked" || (await isAllowed("allow")) ? { ok: true } : { ok: false, details: { title: ["Not yet."] } };
  });
  cairn.formGuard("guarded", async () => {
    cairn.log.info("it judges");
    while (!(await isAllowed("judged"))) await new Promise((resolve) => setTimeout(resolve, 20));
    return { spam: false };
  });
}`;

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 }, environment: "development" } });
  await server.makeSchema({ id: "note", properties: { title: { type: "string" } }, required: [], index: ["title"] });
  await server.makeCollection({ id: "notes", schema: "note", forms: { note: { fields: ["title"] } } });
  const routes = names.map((name) => ({ name, method: "POST", path: `/${name}`, access: "key" }));
  const permissions = { collections: { notes: ["read"] } };
  for (const [id, runtime] of Object.entries({ "acme/threaded": "node", "acme/boxed": "sandbox" })) {
    const manifest = { runtime, permissions, contributes: { routes } };
    writeExtension(join(server.dataDir, "extensions"), { id, manifest, files: { "index.ts": code } });
    await enableExtension(server, id);
  }
  const contributes = {
    checks: [{ name: "checked", collections: ["notes"], operations: ["create"], onFailure: "closed" }],
    formGuards: [{ name: "guarded", onFailure: "closed" }],
  };
  const judges = { id: "acme/judges", manifest: { permissions, contributes }, files: { "index.ts": judging } };
  writeExtension(join(server.dataDir, "extensions"), judges);
  await enableExtension(server, judges.id);
});
after(() => server.stop());

const post = (path: string, title: string, key?: string) =>
  server.request("POST", `/api/ext/acme/${path}`, {
    body: { title },
    headers: key === undefined ? {} : { "idempotency-key": key },
  });
const count = async (title: string) =>
  (await server.request("GET", `/api/collections/notes?filter[title]=${title}`)).body.data.length;

const hasLogged = async (id: string, line: string) => {
  const { body } = await server.request("GET", `/api/extensions/acme/${id}/log`);
  return body.data.some(({ text }: { text: string }) => text === line);
};

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
  await until(() => hasLogged("threaded", "it waits"));
  assert.equal((await post("threaded/make", "meanwhile")).status, 200);
  await server.request("POST", "/api/collections/notes", { body: { id: "go" } });
  assert.equal((await waiting).status, 500);
  const again = await post("threaded/waits", "", "waits");
  assert.equal(again.status, 500, again.text);
});

test("HTTP-116 HTTP-117 what a check of an extension writes marks no request", async () => {
  const send = () =>
    server.request("POST", "/api/collections/notes", {
      body: { title: "checked" },
      headers: { "idempotency-key": "checked" },
    });
  assert.equal((await send()).status, 400);
  await server.request("POST", "/api/collections/notes", { body: { id: "allow" } });
  const [made, again] = [await send(), await send()];
  assert.deepEqual([made.status, again.text, await count("checked")], [201, made.text, 1]);
});

test("HTTP-117 FORM-5 a sending that died while it was judged is stored by its repeat", async () => {
  const send = () =>
    server.request("POST", "/forms/notes/note", {
      body: { title: "judged" },
      headers: { "idempotency-key": "judged", accept: "application/json" },
    });
  const dead = send().catch(() => undefined);
  await until(() => hasLogged("judges", "it judges"));
  await server.kill();
  await dead;
  await server.restart();
  // The dead process is known by its lease: 60 seconds. A test does not wait for them.
  await runSql(server, "UPDATE request_claims SET expires = 0 WHERE written = 0");
  await server.request("POST", "/api/collections/notes", { body: { id: "judged" } });
  const [made, again] = [await send(), await send()];
  assert.deepEqual([made.status, again.text, await count("judged")], [201, made.text, 1], made.text);
});
