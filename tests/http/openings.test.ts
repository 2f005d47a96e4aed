// Opening a collection, and saving what decides about others: who may, by which door, and the lines that it leaves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Answer, type RequestOptions, type Server, startServer } from "../harness.ts";
import { makeGroup } from "../matrix/sessions.ts";
import { makeUser, signIn } from "../sign-in.ts";

let server: Server;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeCollection({ id: "news", schema: "blog", publicOperations: ["read"] });
  await server.makeCollection({ id: "payroll", schema: "blog" });
  await server.request("POST", "/api/collections/news", { body: { id: "open", title: "Open" } });
});
after(() => server.stop());

const auditLines = () =>
  readFileSync(join(server.dataDir, ".system", "logs", "access.log"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("COL-50 AUD-12 opening a collection takes the same right on its objects, by every door, and is recorded", async () => {
  const meta = { operations: ["create", "read", "update"], all: true };
  await makeGroup(server, "settler", { collectionsMeta: meta, utils: { allowed: ["jumpstart"] } });
  await makeUser(server, "sam", ["settler"]);
  const sam = await signIn(server, "sam");
  await server.makeCollection({ id: "vault", schema: "blog", groups: ["vip"] });
  const settings = (id: string) => `/api/collections/${id}/settings`;
  const jumpstart = (custom: object[]) => ({ version: "1.0.0", name: "x", collections: { reserved: [], custom } });
  const before = auditLines().length;
  for (const [property, method, path, body] of [
    ["publicOperations", "PATCH", settings("payroll"), { publicOperations: ["read"] }],
    ["publicOperations", "PUT", settings("payroll"), { publicOperations: ["create"] }],
    ["publicFiles", "PATCH", settings("payroll"), { publicFiles: true }],
    ["mcp.access", "PATCH", settings("payroll"), { mcp: { access: "authenticated" } }],
    ["sitemap", "PATCH", settings("payroll"), { url: "/{title}", sitemap: { enabled: true } }],
    ["groups", "PATCH", settings("vault"), { groups: [] }],
    ["groups", "PATCH", settings("vault"), { groups: ["vip", "viewer"] }],
    ["publicOperations", "POST", "/api/collections", { id: "wide", schema: "blog", publicOperations: ["read"] }],
    [
      "publicOperations",
      "POST",
      "/api/import/jumpstart?overwrite=1",
      jumpstart([{ id: "payroll", schema: "blog", publicOperations: ["read"] }]),
    ],
  ] as const) {
    const answer = await sam.request(method, path, { body });
    assert.equal(answer.status, 403, `${method} ${path} ${answer.text}`);
    assert.ok(answer.body.error.details[property], answer.text);
  }
  assert.equal((await server.request("GET", "/api/collections/payroll", { key: null })).status, 401);
  assert.equal((await sam.request("PATCH", settings("payroll"), { body: { category: "Money" } })).status, 200);
  assert.equal((await sam.request("PATCH", settings("news"), { body: { publicOperations: [] } })).status, 200);
  assert.deepEqual(auditLines().slice(before), []);
  const read = { operations: ["read"], allowed: ["payroll", "vault"] };
  await makeGroup(server, "settler", { collectionsMeta: meta, collections: read });
  const half = await sam.request("PATCH", settings("payroll"), { body: { publicOperations: ["read", "update"] } });
  assert.match(half.body.error.details.publicOperations[0], /takes update on/);
  assert.equal((await sam.request("PATCH", settings("vault"), { body: { groups: [] } })).status, 403);
  const card = { mcp: { access: "public" }, publicOperations: ["read"] };
  assert.equal((await sam.request("PATCH", settings("payroll"), { body: card })).status, 200);
  await server.request("POST", "/api/import/jumpstart?overwrite=1", {
    body: jumpstart([{ id: "payroll", schema: "blog", publicFiles: true, publicOperations: ["read", "update"] }]),
  });
  const opened = auditLines().filter(
    ({ type, collection }) => type === "collection.opened" && collection === "payroll",
  );
  assert.deepEqual(
    opened.map(({ actor, opened: what }) => [String(actor).split(":")[0], what]),
    [
      ["user", { publicOperations: ["read"], "mcp.access": ["public"] }],
      ["key", { publicOperations: ["update"], publicFiles: ["files"] }],
    ],
  );
  await server.request("PUT", settings("payroll"), { body: {} });
  await server.request("PATCH", settings("news"), { body: { publicOperations: ["read"] } });
});

test("AUD-12 saves of schemas, templates and views are recorded, by every door", async () => {
  const before = auditLines().length;
  const schema = { id: "memo", properties: { id: { type: "slug" } }, required: ["id"], index: [] };
  await server.request("POST", "/api/schemas", { body: schema });
  await server.request("DELETE", "/api/schemas/memo");
  await server.request("PUT", "/api/templates/staff", { body: { template: "{{ object.id }}" } });
  await server.request("DELETE", "/api/templates/staff");
  const view = { id: "noted", name: "noted", definition: "export default () => [1]" };
  await server.request("POST", "/api/collections/dataviews", { body: view });
  await server.request("PATCH", "/api/collections/dataviews/noted", { body: { description: "no line" } });
  await server.request("PATCH", "/api/collections/dataviews/noted", {
    body: { definition: "export default () => [2]" },
  });
  await server.request("DELETE", "/api/collections/dataviews/noted");
  const templates = [{ id: "from-elsewhere", template: "x" }];
  const definition = { version: "1.0.0", name: "x", schemas: [schema], templates };
  const imported = await server.request("POST", "/api/import/jumpstart", { body: definition });
  assert.equal(imported.status, 200, imported.text);
  const lines = auditLines().slice(before);
  assert.deepEqual(
    lines.map(({ type }) => type),
    [
      ...["schema.saved", "schema.deleted", "template.saved", "template.deleted"],
      ...["view.created", "view.changed", "view.deleted"],
      ...["schema.saved", "template.saved", "jumpstart.imported"],
    ],
  );
  assert.deepEqual(lines[5]?.changed, ["definition"]);
  assert.ok(lines.every(({ actor }) => /^key:/.test(String(actor))));
});

test("QRY-14 callers who read only because the public may get templates below query/ alone", async () => {
  for (const id of ["query/card", "staff/card"]) {
    const body = { template: `${id} {{ object.id }}.` };
    assert.equal((await server.request("PUT", `/api/templates/${id}`, { body })).status, 201);
  }
  await makeGroup(server, "nothing", { docs: true });
  await makeUser(server, "nora", ["nothing"]);
  const nora = await signIn(server, "nora");
  type Ask = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  const anybody: Ask = (method, path) => server.request(method, path, { key: null });
  const render = (ask: Ask, name: string) => ask("GET", `/api/collections/news/query?format=html&template=${name}`);
  assert.match((await render(server.request, "staff/card")).text, /staff\/card open/);
  for (const ask of [anybody, nora.request]) {
    assert.equal((await render(ask, "query/card")).text, "query/card open.");
    const [closed, unknown] = [await render(ask, "staff/card"), await render(ask, "staff/none")];
    assert.deepEqual([closed.status, closed.text], [400, unknown.text]);
  }
});
