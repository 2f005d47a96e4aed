// Limited keys: two endpoints open no more together than each does alone. First what once added up, then all operations of the
// API at random.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { type OpenStream, openStream } from "../../support/change-stream.ts";
import { picture, upload } from "../../support/sample-files.ts";

type Body = Record<string, unknown>;
type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const text = { type: "string", field: "text" };
  const draft = { type: "boolean", field: "toggle" };
  await server.makeSchema({ id: "pay", properties: { title: text, secretnote: text, draft }, index: ["id", "title"] });
  const [about, next] = ["payroll", "notes"].map((reference) => ({ ...text, reference }));
  const cover = { type: "object", field: "image" };
  await server.makeSchema({
    id: "note",
    properties: { title: text, about, next, cover },
    index: ["id", "title", "about"],
  });
  await server.makeCollection({ id: "payroll", schema: "pay", history: "full" });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
  await make("payroll", { id: "ceo", title: "CEO", secretnote: "salary 4,000,000" });
  await make("payroll", { id: "plan", title: "Plan", secretnote: "secret merger", draft: true });
  await make("notes", { id: "n1", title: "One", about: "ceo", next: "n2" });
  await make("notes", { id: "n2", title: "Two", about: "plan" });
  await upload(server, "notes/n1/cover", { name: "cover.png", bytes: await picture(20, 20, { format: "png" }) });
});
after(() => server.stop());

async function make(collection: string, body: Body): Promise<void> {
  const { status, text } = await server.request("POST", `/api/collections/${collection}`, { body });
  assert.equal(status, 201, text);
}

const every = ["GET", "POST", "PUT", "PATCH", "DELETE"];

async function keyFor(endpoints: string, methods: readonly string[] = every): Promise<Send & { key: string }> {
  const body = { name: "limited", methods, endpoints: endpoints.split(",") };
  const made = await server.request("POST", "/api/apikeys", { body });
  const { key } = made.body.data;
  const send: Send = (method, path, sent) =>
    server.request(method, path, { key, ...(sent !== undefined && { body: sent }) });
  return Object.assign(send, { key });
}

const files = ["/imageworks", "/download", "/stream", "/upload"];

test("KEY-40 endpoints for files beside a collection show no documents of another", async () => {
  for (const more of [...files, "/import", "/history", "/trash,/undo,/changes", "/mcp", "/sync", "/dataviews"]) {
    const send = await keyFor(`/collections/notes,${more}`);
    assert.equal((await send("GET", "/api/collections/payroll/ceo")).status, 401, more);
    for (const id of ["n1", "n2"]) {
      const { status, body } = await send("GET", `/api/collections/notes/${id}?expand=about`);
      assert.deepEqual([status, body.expand], [200, { about: {} }], more);
    }
    const found = await send("GET", "/api/collections/notes?fields=id&filter[about][search]=CEO");
    assert.deepEqual([found.status, found.body.data], [200, []], more);
  }
  // Pictures and files are still for the endpoint that is for them.
  const pictures = await keyFor("/imageworks/notes", ["GET"]);
  assert.equal((await pictures("GET", "/imageworks/notes/n1/cover.png?w=9")).status, 200);
  // What another endpoint reads comes along.
  for (const more of ["/collections/payroll", "/export", "/report/collections/payroll"]) {
    const { body } = await (await keyFor(`/collections/notes,${more}`))(
      "GET",
      "/api/collections/notes/n1?expand=about",
    );
    assert.deepEqual(Object.keys(body.expand.about), ["ceo"], more);
  }
});

test("KEY-43, KEY-44 endpoints for files beside those of the log open no log and no stream", async () => {
  const streams: OpenStream[] = [];
  for (const more of files) {
    const send = await keyFor(`/changes,${more}`, ["GET"]);
    assert.equal((await send("GET", "/api/changes?collection=payroll")).status, 401, more);
    assert.deepEqual((await send("GET", "/api/changes")).body.data, [], more);
    assert.equal((await send("GET", "/api/changes/stream?collections=payroll")).status, 401, more);
    streams.push(await openStream(server, "include=object", { key: send.key }));
  }
  const reader = await keyFor("/changes,/export/collections/payroll", ["GET"]);
  assert.equal((await reader("GET", "/api/changes?collection=payroll")).status, 200);
  const open = await openStream(server, "include=object", { key: reader.key });
  await make("payroll", { id: "mark", secretnote: "in the stream" });
  await until(() => JSON.stringify(open.events).includes("in the stream"));
  for (const stream of [...streams, open]) stream.close();
  for (const { events } of streams) assert.ok(!JSON.stringify(events).includes("payroll"));
});

test("KEY-41, KEY-44 the trash lists what another endpoint reads, and restores and purges by that endpoint's methods", async () => {
  for (const id of ["gone1", "gone2", "gone3"]) {
    await make("payroll", { id, secretnote: "gone secret" });
    await server.request("DELETE", `/api/collections/payroll/${id}`);
  }
  const trash = async () => (await server.request("GET", "/api/trash?collection=payroll")).body.data as Body[];
  const [{ change } = {}] = await trash();
  const tries: [string, readonly string[], number[]][] = [
    // list, restore, purge one, purge all
    ["/collections/notes,/trash,/download", every, [0, 401, 401, 401]],
    ["/collections/notes,/trash", every, [0, 401, 401, 401]],
    ["/trash,/mcp", every, [0, 401, 401, 401]],
    ["/trash,/export", every, [3, 401, 401, 401]],
    ["/trash,/import", every, [0, 401, 401, 401]],
    ["/trash,/collections/payroll", ["GET", "DELETE"], [3, 401, 404, 400]],
  ];
  for (const [endpoints, methods, expected] of tries) {
    const send = await keyFor(endpoints, methods);
    const listed = (await send("GET", "/api/trash")).body.data.filter(
      ({ collection }: Body) => collection === "payroll",
    );
    const restored = await send("POST", `/api/trash/${change}/restore`, { id: "backd" });
    const isOwn = methods.length < every.length;
    const purged = await send("DELETE", `/api/trash/${isOwn ? 1 : change}`);
    const emptied = await send("DELETE", `/api/trash?collection=payroll${isOwn ? "" : "&confirm=payroll"}`);
    const found = [listed.length, restored.status, purged.status, emptied.status];
    assert.deepEqual(found, expected, endpoints);
    assert.equal((await trash()).length, 3, endpoints);
  }
  const restoring = await keyFor("/trash,/collections/payroll", ["GET", "POST"]);
  assert.equal((await restoring("DELETE", `/api/trash/${change}`)).status, 401);
  assert.equal((await restoring("POST", `/api/trash/${change}/restore`)).status, 200);
});

test("KEY-44 a preview of an undo names nothing of a collection that no endpoint reads", async () => {
  const by = { by: { key: (await server.request("GET", "/api/apikeys")).body.data[0].id }, collections: ["payroll"] };
  const all = await server.request("POST", "/api/undo", { body: by });
  assert.ok(all.body.data.items.length > 0, all.text);
  for (const more of [...files, "/import", "/mcp"]) {
    const seen = await (await keyFor(`/undo,${more}`))("POST", "/api/undo", by);
    assert.ok(!seen.text.includes("ceo"), `${more}: ${seen.text}`);
  }
});

test("KEY-45 an endpoint for one object shows no other of its collection", async () => {
  const path = "/api/collections/notes/n1?expand=next";
  const { status, body } = await (await keyFor("/collections/notes/n1,/changes,/trash"))("GET", path);
  assert.deepEqual([status, body.expand], [200, { next: {} }]);
  const whole = await (await keyFor("/collections/notes/n1,/collections/notes"))("GET", path);
  assert.deepEqual(Object.keys(whole.body.expand.next), ["n2"]);
});

test("KEY-42 a new collection takes the endpoint /collections, also when it comes out of the trash", async () => {
  await server.makeCollection({ id: "former", schema: "pay", history: "full" });
  await make("former", { id: "a", secretnote: "former secret" });
  assert.equal((await server.request("DELETE", "/api/collections/former?confirm=former")).status, 204);
  const listed = (await server.request("GET", "/api/trash")).body.data;
  const { change } = listed.find(({ collection, id }: Body) => collection === "former" && id === "");
  const path = `/api/trash/${change}/restore`;
  assert.equal((await (await keyFor("/trash,/collections/former"))("POST", path)).status, 401);
  assert.equal((await (await keyFor("/trash,/collections"))("POST", path)).status, 202);
});
