// Opening a collection, and saving what decides about others: who may, by which door, and the lines that it leaves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type RequestOptions, type Server, startServer } from "../../harness.ts";
import { makeGroup } from "../../matrix/sessions.ts";
import { asNobody } from "../../mcp/tool-caller.ts";
import { auditLines as linesOf } from "../../support/audit-lines.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;

before(async () => {
  server = await startServer({
    settings: { api: { rateLimit: 0 }, mcp: { publicAccess: true, publicIpPerMinute: 0 } },
  });
  await server.makeCollection({ id: "news", schema: "blog", publicOperations: ["read"] });
  await server.makeCollection({ id: "payroll", schema: "blog" });
  await server.request("POST", "/api/collections/news", { body: { id: "open", title: "Open" } });
});
after(() => server.stop());

const auditLines = () => linesOf(server);

test("COL-50 COL-51 COL-52 AUD-12 opening a collection takes the same right on its objects, by every door, and is recorded", async () => {
  const meta = { operations: ["create", "read", "update"], all: true };
  await makeGroup(server, "settler", { collectionsMeta: meta, utils: { allowed: ["jumpstart"] } });
  await makeUser(server, "sam", ["settler"]);
  const sam = await signIn(server, "sam");
  await server.makeCollection({ id: "vault", schema: "blog", groups: ["vip"] });
  const settings = (id: string) => `/api/collections/${id}/settings`;
  const jumpstart = (custom: object[]) => ({ version: "1.0.0", name: "x", collections: { reserved: [], custom } });
  const unlocked = { settings: { protectedByCollection: false } };
  const before = auditLines().length;
  for (const [property, method, path, body] of [
    ["publicOperations", "PATCH", settings("payroll"), { publicOperations: ["read"] }],
    ["publicOperations", "PUT", settings("payroll"), { publicOperations: ["create"] }],
    ["publicFiles", "PATCH", settings("payroll"), { publicFiles: true }],
    ["mcp.access", "PATCH", settings("payroll"), { mcp: { access: "authenticated" } }],
    ["onSite", "PATCH", settings("payroll"), { onSite: true }],
    ["url", "PATCH", settings("payroll"), { url: "/payroll" }],
    ["sitemap", "PATCH", settings("payroll"), { url: "/{title}", sitemap: { enabled: true } }],
    ["schema", "PATCH", settings("news"), { schema: "feed" }],
    ["properties", "PATCH", settings("vault"), { properties: { file: unlocked } }],
    [
      "customProperties",
      "PATCH",
      settings("vault"),
      { customProperties: { one: { image: { settings: { watermark: {} } } } } },
    ],
    ["groups", "PATCH", settings("vault"), { groups: [] }],
    ["groups", "PATCH", settings("vault"), { groups: ["vip", "viewer"] }],
    ["publicOperations", "POST", "/api/collections", { id: "wide", schema: "blog", publicOperations: ["read"] }],
    [
      "publicOperations",
      "POST",
      "/api/import/jumpstart?overwrite=1",
      jumpstart([{ id: "payroll", schema: "blog", publicOperations: ["read"] }]),
    ],
    [
      "properties",
      "POST",
      "/api/import/jumpstart?overwrite=1",
      jumpstart([{ id: "vault", schema: "blog", groups: ["vip"], properties: { file: unlocked } }]),
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

test("COL-55 less history takes the right to delete the objects, and is recorded", async () => {
  await makeGroup(server, "tidier", { collectionsMeta: { operations: ["read", "update"], all: true } });
  await makeGroup(server, "remover", {
    collectionsMeta: { operations: ["read", "update"], all: true },
    collections: { operations: ["delete"], all: false, allowed: ["logged"] },
  });
  for (const id of ["tidier", "remover"]) await makeUser(server, id, [id]);
  const [tidier, remover] = [await signIn(server, "tidier"), await signIn(server, "remover")];
  const full = { mode: "full", versions: 50, keep: "P30D" };
  await server.makeCollection({ id: "logged", schema: "blog", history: full });
  const path = "/api/collections/logged/settings";
  for (const history of [
    "off",
    "trail",
    null,
    { ...full, versions: 1 },
    { ...full, keep: "PT0S" },
    { ...full, trash: "PT0S" },
  ]) {
    const answer = await tidier.request("PATCH", path, { body: { history } });
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [403, ["history"]], answer.text);
  }
  const put = await tidier.request("PUT", path, { body: { name: "Logged" } });
  assert.deepEqual([put.status, put.body.data.history], [200, full], put.text);
  assert.equal((await tidier.request("PATCH", path, { body: { name: "Logged" } })).status, 200);
  assert.equal((await tidier.request("PATCH", path, { body: { history: { ...full, versions: 60 } } })).status, 200);
  const before = auditLines().length;
  assert.equal((await remover.request("PATCH", path, { body: { history: "trail" } })).status, 200);
  const line = auditLines()
    .slice(before)
    .find(({ type }) => type === "collection.opened");
  assert.deepEqual([line?.collection, line?.opened], ["logged", { history: ["less"] }]);
  assert.equal((await tidier.request("PATCH", path, { body: { history: "full" } })).status, 200);
});

test("FORM-1 a form that comes with a definition takes the rights of its actions, and fits the schema", async () => {
  const group = {
    collections: { operations: ["create", "read"], all: true },
    collectionsMeta: { operations: ["create", "read", "update"], all: true },
    utils: { allowed: ["jumpstart"] },
  };
  await makeGroup(server, "carrier", group);
  await makeUser(server, "cara", ["carrier"]);
  const cara = await signIn(server, "cara");
  const bring = (form: object, person = cara) => {
    const custom = [{ id: "letters", schema: "blog", forms: { write: { enabled: true, fields: ["title"], ...form } } }];
    const body = { version: "1.0.0", name: "x", collections: { reserved: [], custom } };
    return person.request("POST", "/api/import/jumpstart?overwrite=1", { body });
  };
  const calls = await bring({ actions: [{ type: "webhook", url: "https://a.test/" }] });
  assert.equal(calls.status, 403, calls.text);
  assert.equal((await bring({ notify: ["a@example.test"] })).status, 403);
  assert.equal((await bring({ fields: ["none"] })).status, 422);
  assert.equal((await server.request("GET", "/api/collections/letters")).status, 404);
  assert.equal((await bring({})).status, 200);
});

test("COL-53 a change of a schema shows no drafts and unlocks no files to callers who may not read its objects", async () => {
  const file = { type: "object", field: "file" };
  const title = { type: "string" };
  const schema = (properties: object) => ({ id: "notice", properties: { id: { type: "slug" }, title, ...properties } });
  const whole = schema({ draft: { type: "boolean" }, file });
  await server.request("POST", "/api/schemas", { body: whole });
  await server.makeCollection({ id: "notices", schema: "notice", publicOperations: ["read"], groups: ["vip"] });
  await server.request("POST", "/api/collections/notices", { body: { id: "hidden", title: "Embargo", draft: true } });
  const every = { operations: ["create", "read", "update"], all: true };
  await makeGroup(server, "shaper", { schemas: every, utils: { allowed: ["jumpstart"] } });
  await makeUser(server, "sue", ["shaper"]);
  const sue = await signIn(server, "sue");
  const key = await server.request("POST", "/api/apikeys", {
    body: { name: "schemas", methods: ["GET", "PUT"], endpoints: ["/schemas"] },
  });
  const unlocked = { ...file, settings: { protectedByCollection: false } };
  for (const [property, body] of [
    ["draft", schema({ file })],
    ["properties", schema({ draft: { type: "boolean" }, file: unlocked })],
  ] as const) {
    const byUser = await sue.request("PUT", "/api/schemas/notice", { body });
    assert.equal(byUser.status, 403, byUser.text);
    assert.ok(byUser.body.error.details[property], byUser.text);
    const byKey = await server.request("PUT", "/api/schemas/notice", { key: key.body.data.key, body });
    assert.equal(byKey.status, 403, byKey.text);
    const definition = { version: "1.0.0", name: "x", schemas: [body] };
    const seeded = await sue.request("POST", "/api/import/jumpstart?overwrite=1", { body: definition });
    assert.equal(seeded.status, 403, seeded.text);
  }
  assert.equal((await server.request("GET", "/api/collections/notices/hidden", { key: null })).status, 404);
  const more = { ...whole, properties: { ...whole.properties, subtitle: title } };
  assert.equal((await sue.request("PUT", "/api/schemas/notice", { body: more })).status, 200);
  const reading = { collections: { operations: ["read"], allowed: ["notices"] } };
  await makeGroup(server, "shaper", { schemas: every, ...reading });
  assert.equal((await sue.request("PUT", "/api/schemas/notice", { body: schema({ file }) })).status, 200);
  assert.equal((await server.request("PUT", "/api/schemas/notice", { body: whole })).status, 200);
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

test("QRY-14 callers who read only because the public may get templates below query/ only", async () => {
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

test("GRP-30 settings, templates, prompts and views never show their writers what they may not read", async () => {
  const secret = "one-million-73915";
  await server.request("POST", "/api/collections/payroll", { body: { id: "ceo", title: secret } });
  const write = { operations: ["create", "read", "update"], allowed: ["mcp-prompt", "dataviews", "mailer"] };
  await makeGroup(server, "writer", {
    ...{ collections: write, collectionsMeta: { operations: ["read", "update"], all: true } },
    ...{ builder: true, dataviews: true, mailer: true, utils: { all: true } },
  });
  await makeUser(server, "wim", ["writer"]);
  const wim = await signIn(server, "wim");
  const agent = await asNobody(server);
  const guess =
    "{{ payroll }}{{ collections.payroll }}{{ object.payroll }}{% for one in payroll %}{{ one.title }}{% endfor %}";
  const all = `export default (ctx) => ctx.objects.all("payroll")`;
  const settings = "/api/collections/payroll/settings";
  const news = "/api/collections/news";
  const tool = { description: "All", sort: "id", limit: 5 };
  const table: { kind: string; write: [string, string, object]; status: number; look(): Promise<unknown> }[] = [
    {
      ...{ kind: "saved query", write: ["PATCH", settings, { mcp: { tools: { all_pay: tool } } }], status: 200 },
      look: () => agent.call("all_pay"),
    },
    {
      ...{ kind: "template", write: ["PUT", "/api/templates/query/guess", { template: guess }], status: 201 },
      look: () => wim.request("GET", `${news}/query?format=html&template=query/guess`),
    },
    {
      kind: "prompt",
      write: ["POST", "/api/collections/mcp-prompt", { id: "guess", name: "guess", body: guess, access: "public" }],
      status: 403,
      look: () => agent.rpc("prompts/get", { name: "guess" }),
    },
    {
      kind: "view",
      write: [
        "POST",
        "/api/collections/dataviews",
        { id: "pay", name: "pay", definition: all, mcp: { access: "public" } },
      ],
      status: 201,
      look: async () => [
        await wim.request("GET", "/api/dataviews/pay/data"),
        await agent.call("get_view", { view: "pay" }),
      ],
    },
    {
      ...{ kind: "feed", write: ["PATCH", settings, { url: "/{title}" }], status: 403 },
      look: () => wim.request("GET", "/feed/rss/payroll"),
    },
    {
      ...{ kind: "sitemap", write: ["PATCH", settings, { sitemap: { enabled: true } }], status: 403 },
      look: () => wim.request("GET", "/sitemap/payroll"),
    },
    {
      ...{
        kind: "webhook",
        write: ["POST", "/api/webhooks", { name: "w", url: "https://a.test/", events: [] }],
        status: 403,
      },
      look: () => wim.request("GET", "/api/webhooks"),
    },
    {
      ...{
        kind: "automation",
        write: ["POST", "/api/collections/automations", { id: "a", handler: all }],
        status: 403,
      },
      look: () => wim.request("GET", "/api/automations/a/runs"),
    },
    {
      ...{ kind: "setting", write: ["PUT", "/api/settings/smtp", { host: "evil.test" }], status: 403 },
      look: () => wim.request("GET", "/api/settings"),
    },
  ];
  for (const {
    kind,
    write: [method, path, body],
    status,
    look,
  } of table) {
    const written = await wim.request(method, path, { body });
    assert.equal(written.status, status, `${kind} ${written.text}`);
    assert.equal(JSON.stringify(await look()).includes(secret), false, kind);
  }
});
