// Snapshots of replaced content over the API.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { makeGroup } from "../matrix/sessions.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { article, fill, importInto } from "./pair.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await fill(server);
  const operations = ["create", "read", "update", "delete"];
  await makeGroup(server, "builders", { collections: { operations, all: true }, builder: true });
  await makeUser(server, "ed", ["builders"]);
  await importInto(server, { schemas: [{ ...article, description: "Changed" }] });
  await importInto(server, {
    collections: { reserved: [], custom: [{ id: "news", schema: "article", name: "Changed" }] },
  });
});
after(() => server.stop());

const page = (data: object, id: string) => ({ objects: [{ collection: "builder-pages", id, data }] });
const pageOf = async (id: string) => (await server.request("GET", `/api/collections/builder-pages/${id}`)).body.data;
const snapshotsOf = (id: string) => `/api/snapshots?kind=object&collection=builder-pages&id=${id}`;

test("ADM-392 ADM-393 snapshots are listed over the API, all or by kind, collection and id, and read one by one", async () => {
  for (const title of ["One", "Two", "Three"])
    await importInto(server, page({ title, template: "pages/home" }, "asked"));
  const { body, headers } = await server.request("GET", snapshotsOf("asked"));
  assert.equal(headers.get("x-total-count"), "2");
  assert.deepEqual(Object.keys(body.data[0]), ["kind", "collection", "id", "file", "created"]);
  const titles: string[] = [];
  for (const { file } of body.data) {
    const { data } = (await server.request("GET", `/api/snapshots?file=${encodeURIComponent(file)}`)).body;
    assert.deepEqual([data.kind, data.id, data.file], ["object", "asked", file]);
    titles.push(data.content.title);
  }
  assert.deepEqual(titles, ["Two", "One"]);
  const second = await server.request("GET", `${snapshotsOf("asked")}&limit=1&offset=1`);
  assert.deepEqual(second.body.data, [body.data[1]]);
  const listed = JSON.parse((await server.cli(["backup:list", "--json"])).stdout);
  assert.deepEqual((await server.request("GET", "/api/snapshots?limit=100")).body.data, listed.slice(0, 100));
  for (const kind of ["schema", "collection", "object"]) {
    const { data } = (await server.request("GET", `/api/snapshots?kind=${kind}&limit=100`)).body;
    assert.deepEqual(data, listed.filter((one: { kind: string }) => one.kind === kind).slice(0, 100), kind);
  }
  const schema = listed.find(({ kind }: { kind: string }) => kind === "schema");
  const ofOne = await server.request("GET", `/api/snapshots?kind=schema&id=${schema.id}`);
  assert.ok(ofOne.body.data.every(({ id }: { id: string }) => id === schema.id) && ofOne.body.data.length > 0);
});

test("ADM-394 snapshots of objects are for callers that may read and update them, all others for administrators", async () => {
  await importInto(server, page({ title: "Old", template: "pages/home", draft: true }, "guarded"));
  await importInto(server, page({ title: "New", template: "pages/home" }, "guarded"));
  await server.request("PATCH", "/api/collections/builder-pages/settings", {
    body: { publicOperations: ["create", "read", "update"] },
  });
  await makeUser(server, "vic", ["viewer"]);
  const [{ file }] = (await server.request("GET", snapshotsOf("guarded"))).body.data;
  const [{ file: schema }] = (await server.request("GET", "/api/snapshots?kind=schema")).body.data;
  const [ed, vic] = await Promise.all([signIn(server, "ed"), signIn(server, "vic")]);
  const read = (name: string) => `/api/snapshots?file=${encodeURIComponent(name)}`;
  // The snapshot is of a draft.
  const { key: published } = await server.makeKey({ published: true });
  for (const path of [snapshotsOf("guarded"), read(file)]) {
    assert.equal((await server.request("GET", path, { key: published })).status, 401, path);
    assert.equal((await ed.request("GET", path)).status, 200, path);
    assert.equal((await vic.request("GET", path)).status, 403, path);
    assert.equal((await server.request("GET", path, { key: null })).status, 401, path);
  }
  const hidden = [
    "/api/snapshots",
    "/api/snapshots?kind=schema",
    "/api/snapshots?kind=schema&collection=builder-pages",
  ];
  for (const path of [...hidden, read(schema), read("no-such"), "/api/snapshots?collection=auth"])
    assert.equal((await ed.request("GET", path)).status, 403, path);
  const restore = (name: string) => ({ body: { file: name } });
  assert.equal((await vic.request("POST", "/api/snapshots/restore", restore(file))).status, 403);
  assert.equal((await ed.request("POST", "/api/snapshots/restore", restore(schema))).status, 403);
  assert.equal((await pageOf("guarded")).title, "New");
  await server.request("PATCH", "/api/collections/builder-pages/settings", { body: { publicOperations: [] } });
});

test("ADM-395 a restore over the API is a save, and what it replaces is a snapshot", async () => {
  await importInto(server, page({ title: "Older", template: "pages/home" }, "restored"));
  await importInto(server, page({ title: "Newer", template: "pages/home" }, "restored"));
  const ed = await signIn(server, "ed");
  const [{ file }] = (await ed.request("GET", snapshotsOf("restored"))).body.data;
  const { status, body } = await ed.request("POST", "/api/snapshots/restore", { body: { file } });
  assert.equal(status, 200);
  assert.equal((await pageOf("restored")).title, "Older");
  const replaced = await ed.request("GET", `/api/snapshots?file=${encodeURIComponent(body.data.replaced)}`);
  assert.deepEqual([body.data.file, replaced.body.data.content.title], [file, "Newer"]);
  await server.request("DELETE", "/api/collections/builder-pages/restored");
  const again = await ed.request("POST", "/api/snapshots/restore", { body: { file } });
  assert.deepEqual([again.status, again.body.data.replaced], [200, null]);
  assert.equal((await pageOf("restored")).title, "Older");
});

test("ADM-1211 a key restores a snapshot only with a method that changes", async () => {
  await importInto(server, page({ title: "Older", template: "pages/home" }, "by-key"));
  await importInto(server, page({ title: "Newer", template: "pages/home" }, "by-key"));
  const [{ file }] = (await server.request("GET", snapshotsOf("by-key"))).body.data;
  const [{ file: schema }] = (await server.request("GET", "/api/snapshots?kind=schema")).body.data;
  const restore = async (methods: string[], name: string) => {
    const { key } = await server.makeKey({ methods, endpoints: ["*"] });
    return (await server.request("POST", "/api/snapshots/restore", { key, body: { file: name } })).status;
  };
  for (const name of [file, schema]) assert.equal(await restore(["GET", "POST", "DELETE"], name), 401, name);
  assert.equal((await pageOf("by-key")).title, "Newer");
  assert.equal(await restore(["GET", "POST", "PUT"], file), 200);
  assert.equal((await pageOf("by-key")).title, "Older");
});

test("ADM-396 a name that is no snapshot is 404, and a malformed request is 400 and names the field", async () => {
  const names = ["../settings.json", "/etc/passwd", "objects/builder-pages/home/../../../../settings.json", "x"];
  for (const name of [...names, "schemas/none/none-20300101-000000.json"]) {
    const asked = await server.request("GET", `/api/snapshots?file=${encodeURIComponent(name)}`);
    const restored = await server.request("POST", "/api/snapshots/restore", { body: { file: name } });
    assert.deepEqual([asked.status, restored.status], [404, 404], name);
  }
  for (const body of [{}, { file: 7 }, []]) {
    const answer = await server.request("POST", "/api/snapshots/restore", { body });
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, ["file"]]);
  }
  for (const [name, value] of Object.entries({ kind: "page", limit: "0", offset: "-1" })) {
    const answer = await server.request("GET", `/api/snapshots?${name}=${value}`);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, [name]]);
  }
  assert.deepEqual((await server.request("GET", snapshotsOf("../../home"))).body.data, []);
});
