// API keys at the door: what each opens, how it is taken away, where it may stand.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { connect } from "../../mcp/tool-caller.ts";
import { picture, upload } from "../../support/sample-files.ts";
import { testOnce } from "../../support/test-once.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "page",
    properties: { id: { type: "slug" }, title: { type: "string" } },
    required: ["id"],
    index: ["id", "title"],
  });
  for (const id of ["pages", "pages-2"]) {
    await server.makeCollection({ id, schema: "page" });
    await server.request("POST", `/api/collections/${id}`, { body: { id: "one", title: "One" } });
  }
  await server.makeCollection({ id: "shown", schema: "page", publicOperations: ["read"] });
});
after(() => server.stop());

const makeKey = (methods: string, endpoints: string) =>
  server.makeKey({ methods: methods.split(","), endpoints: endpoints.split(",") });

test("KEY-1, KEY-14 a key is shown once and never again", async () => {
  const { key, id } = await makeKey("GET", "*");
  const { stdout } = await server.cli(["key:list", "--json"]);
  const listed = JSON.parse(stdout).find((entry: { id: string }) => entry.id === id);
  assert.deepEqual(Object.keys(listed), ["id", "name", "prefix", "methods", "endpoints", "created", "lastUsed"]);
  assert.equal(listed.prefix, key.slice(0, 12));
  assert.ok(!stdout.includes(key.slice(13)));
});

testOnce("KEY-3, KEY-4, CLI-23 a key without a known method or endpoint is refused", async () => {
  for (const [methods, endpoints] of [
    ["", "*"],
    ["HEAD", "*"],
    ["GET,FLY", "*"],
    ["GET", ""],
    ["GET", "/nowhere"],
    ["GET", "collections"],
  ] as const) {
    const { code, stderr } = await server.cli([
      "key:create",
      "--name",
      "k",
      "--methods",
      methods,
      "--endpoints",
      endpoints,
    ]);
    assert.equal(code, 2, `${methods} ${endpoints}`);
    assert.match(stderr, /^cairn: --(methods|endpoints) .+\n$/);
  }
});

testOnce("KEY-6, KEY-7, KEY-10 outside its methods and endpoints a key is 401 (T67)", async () => {
  const { key } = await makeKey("GET", "/collections/pages");
  const allowed: [string, string][] = [
    ["GET", "/api/collections/pages"],
    ["HEAD", "/api/collections/pages/one"],
    ["GET", "/collections/pages/one"],
    ["GET", "/api/objects/pages/one"],
    ["GET", "/api/collections/%70ages/one"],
  ];
  for (const [method, path] of allowed)
    assert.equal((await server.request(method, path, { key })).status, 200, method + path);
  const refused: [string, string][] = [
    ["POST", "/api/collections/pages"],
    ["PATCH", "/api/collections/pages/one"],
    ["DELETE", "/api/collections/pages/one"],
    ["GET", "/api/collections"],
    ["GET", "/api/collections/pages-2"],
    ["GET", "/api/collections/pages-2/one"],
    ["GET", "/api/objects/pages-2/one"],
    ["GET", "/collections/pages-2/one"],
    ["GET", "/api/collections/shown"],
    ["GET", "/api/schemas"],
    ["GET", "/api/settings/general"],
    ["GET", "/api/report/collections/pages/json?fields=id"],
  ];
  for (const [method, path] of refused) {
    const { status } = await server.request(method, path, {
      key,
      ...(method === "POST" || method === "PATCH" ? { body: { id: "x" } } : {}),
    });
    assert.equal(status, 401, `${method} ${path}`);
  }
  assert.equal((await server.request("GET", "/api/collections/pages/one", { key })).status, 200);
});

testOnce("KEY-8 no spelling of a path leads a key out of its endpoint (T67)", async () => {
  const { key } = await makeKey("GET,PATCH,DELETE", "/collections/pages");
  for (const path of [
    "/api/collections/pages/../pages-2/one",
    "/api/collections/pages/..%2fpages-2/one",
    "/api/collections/pages/%2e%2e/pages-2/one",
    "/api/collections/pages/%252e%252e/pages-2/one",
    "/api/collections/pages%2f..%2fpages-2/one",
    "/api/collections/pages\\..\\pages-2/one",
    "/api/collections//pages-2/one",
    "/api/collections/pages;/../pages-2/one",
    "/api/collections/PAGES-2/one",
    "//api/collections/pages-2/one",
    "/api/./collections/pages-2/one",
    "/api/api/collections/pages-2/one",
    "/api/collections/pages-2/one?/collections/pages",
    "/api/collections/pages-2/one#/collections/pages",
  ]) {
    for (const method of ["GET", "DELETE"]) {
      const { status, text } = await server.request(method, path, { key });
      assert.ok([400, 401, 404, 405].includes(status), `${method} ${path}: ${status}`);
      assert.ok(!text.includes('"One"'), path);
    }
  }
  const override = { "x-http-method-override": "DELETE", "x-original-url": "/api/collections/pages-2/one" };
  await server.request("GET", "/api/collections/pages/one", { key, headers: override });
  for (const id of ["pages", "pages-2"])
    assert.equal((await server.request("GET", `/api/collections/${id}/one`)).status, 200);
});

testOnce("KEY-10 an invalid key is 401 where the public may read", async () => {
  assert.equal((await server.request("GET", "/api/collections/shown", { key: null })).status, 200);
  for (const key of ["cairn_wrong", "x", `${server.key}x`, server.key.slice(0, 12)]) {
    assert.equal((await server.request("GET", "/api/collections/shown", { key })).status, 401);
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await server.request("GET", "/api/collections/shown", { key: null, headers })).status, 401);
  }
});

test("KEY-11 a key deleted by a command stops at once and stays deleted under load (T68)", async () => {
  const { id, key } = await makeKey("GET", "*");
  assert.equal((await server.request("GET", "/api/collections/pages", { key })).status, 200);
  let isDeleted = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!isDeleted) await server.request("GET", "/api/collections/pages/one", { key });
  });
  assert.equal((await server.cli(["key:delete", id])).code, 0);
  isDeleted = true;
  await Promise.all(load);
  assert.equal((await server.request("GET", "/api/collections/pages", { key })).status, 401);
  await server.restart();
  assert.equal((await server.request("GET", "/api/collections/pages", { key })).status, 401);
  assert.ok(!(await server.cli(["key:list", "--json"])).stdout.includes(id));
});

test("KEY-12 use is stamped, and survives a stop", async () => {
  const { id, key } = await makeKey("GET", "*");
  const lastUsed = async () =>
    JSON.parse((await server.cli(["key:list", "--json"])).stdout).find((entry: { id: string }) => entry.id === id)
      .lastUsed;
  assert.equal(await lastUsed(), null);
  const before = Date.now();
  await server.request("GET", "/api/collections/pages", { key });
  const after = Date.now();
  await server.restart();
  const stamped = Date.parse(await lastUsed());
  assert.ok(before <= stamped && stamped <= after, `${before} ${stamped} ${after}`);
});

testOnce("KEY-13 a key in the query works for GET only and is never logged (T69)", async () => {
  const { key } = await makeKey("GET,POST,PATCH,DELETE", "*");
  assert.equal((await server.request("GET", `/api/collections/pages/one?api_key=${key}`, { key: null })).status, 200);
  for (const method of ["POST", "PATCH", "DELETE", "PUT"]) {
    const path = method === "POST" ? "/api/collections/pages" : "/api/collections/pages/one";
    const sent = method === "DELETE" ? {} : { body: { id: "one", title: "Two" } };
    assert.equal((await server.request(method, `${path}?api_key=${key}`, { key: null, ...sent })).status, 401, method);
  }
  assert.equal(
    (await server.request("POST", `/automations/x?api_key=${key}`, { key: null, body: {} })).status === 200,
    false,
  );
  await server.request("GET", `/api/nothing?api_key=${key}`, { key: null });
  assert.ok(!(server.stdout + server.stderr).includes(key.slice(6)));
});

test("KEY-1, KEY-16 a key made over HTTP is shown in that answer, works at once, and is gone after DELETE", async () => {
  const body = { name: "made", methods: ["GET"], endpoints: ["/collections/pages"] };
  const made = await server.request("POST", "/api/apikeys", { body });
  assert.equal(made.status, 201);
  const { key, ...record } = made.body.data;
  assert.match(key, /^cairn_[\w-]{43}$/);
  assert.equal((await server.request("GET", "/api/collections/pages", { key })).status, 200);
  const listed = await server.request("GET", "/api/apikeys");
  const found = listed.body.data.find(({ id }: { id: string }) => id === record.id);
  assert.deepEqual({ ...found, lastUsed: null }, record);
  assert.ok(!listed.text.includes(key.slice(12)));
  assert.equal((await server.request("DELETE", `/api/apikeys/${record.id}`)).status, 204);
  assert.equal((await server.request("GET", "/api/collections/pages", { key })).status, 401);
  assert.equal((await server.request("DELETE", `/api/apikeys/${record.id}`)).status, 404);
});

testOnce("KEY-5, KEY-16 an invalid key is 400 naming its errors", async () => {
  const { status, body } = await server.request("POST", "/api/apikeys", { body: { methods: ["TRACE"] } });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.error.details).sort(), ["endpoints", "methods", "name"]);
});

testOnce("KEY-17 a key cannot make one that opens more than itself (T67)", async () => {
  const { key } = await makeKey("GET,POST", "*");
  const make = (methods: string[], endpoints: string[]) =>
    server.request("POST", "/api/apikeys", { key, body: { name: "child", methods, endpoints } });
  assert.equal((await make(["GET"], ["/schemas"])).status, 201);
  assert.equal((await make(["GET", "POST"], ["*"])).status, 201);
  const before = (await server.request("GET", "/api/apikeys")).body.data.length;
  for (const methods of [["DELETE"], ["GET", "PUT"], ["GET", "POST", "PUT", "PATCH", "DELETE"]])
    assert.equal((await make(methods, ["/collections/pages"])).status, 403, String(methods));
  assert.equal((await server.request("GET", "/api/apikeys")).body.data.length, before);
});

testOnce("KEY-18 only a key of every endpoint reaches the keys", async () => {
  const { key } = await makeKey("GET,POST,DELETE", "/settings,/collections,/schemas,/import,/export");
  const body = { name: "x", methods: ["GET"], endpoints: ["/collections"] };
  assert.equal((await server.request("GET", "/api/apikeys", { key })).status, 401);
  assert.equal((await server.request("POST", "/api/apikeys", { key, body })).status, 401);
  for (const endpoint of ["/apikeys", "/api/apikeys", "/access-groups", "/auth", "/api"]) {
    const answer = await server.request("POST", "/api/apikeys", { body: { ...body, endpoints: [endpoint] } });
    assert.equal(answer.status, 400, endpoint);
  }
});

/** Made over HTTP: a command takes longer. */
async function limited(endpoints: string[], more: object = {}): Promise<string> {
  const body = { name: "limited", methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], endpoints, ...more };
  return (await server.request("POST", "/api/apikeys", { body })).body.data.key;
}

const person = (id: string, groups: string[]) => ({
  ...{ id, email: `${id}@example.org`, password: "correct-horse-battery", groups, active: true },
});
const handler = { triggers: [{ id: "t", type: "webhook", auth: "none" }], handler: "export default () => 1" };

testOnce("KEY-19 users, automations and views take an endpoint that names them, on every route", async () => {
  await server.request("POST", "/api/collections/auth", { body: person("ann", []) });
  await server.request("POST", "/api/collections/automations", { body: { id: "quiet", name: "Q", ...handler } });
  const key = await limited(["/collections", "/import", "/export", "/report", "/download", "/stream", "/imageworks"]);
  for (const id of ["auth", "automations", "dataviews"]) {
    const body = id === "auth" ? person("fresh", []) : { id: "fresh", name: "New", ...handler };
    for (const [method, path, sent] of [
      ["GET", `/api/collections/${id}`],
      ["GET", `/api/objects/${id}`],
      ["GET", `/collections/${id}/query`],
      ["GET", `/api/collections/${id}/settings`],
      ["PATCH", `/api/collections/${id}/settings`, { publicOperations: ["read"] }],
      ["GET", `/api/report/collections/${id}/json?fields=id`],
      ["GET", `/api/export/collections/${id}`],
      ["POST", `/api/collections/${id}`, body],
      ["POST", `/api/import/collections/${id}/json`, [body]],
      ["POST", `/api/collections/pages/one/clone`, { collection: id, id: "fresh" }],
    ] as [string, string, unknown?][]) {
      const answer = await server.request(method, path, { key, ...(sent !== undefined && { body: sent }) });
      assert.equal(answer.status, 401, `${method} ${path}: ${answer.text}`);
    }
    assert.equal((await server.request("GET", `/api/collections/${id}/fresh`)).status, 404);
  }
  const { body: listed } = await server.request("GET", "/api/collections", { key });
  const names = listed.data.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("pages") && !names.includes("auth") && !names.includes("automations"), names.join());
  const named = await limited(["/collections/automations"]);
  assert.equal((await server.request("GET", "/api/collections/automations/quiet", { key: named })).status, 200);
});

test("KEY-21 a limited key writes users where it is for them, and never an administrator", async () => {
  await server.request("POST", "/api/collections/auth", { body: person("root", ["admin"]) });
  await server.request("POST", "/api/collections/auth", { body: person("root-2", ["admin"]) });
  const before = (await server.request("GET", "/api/collections/auth/root")).text;
  const key = await limited(["/collections/auth", "/import/collections/auth"]);
  const send = (method: string, path: string, body?: unknown) =>
    server.request(method, `/api/${path}`, { key, ...(body !== undefined && { body }) });
  assert.equal((await send("POST", "collections/auth", person("bob", ["viewer"]))).status, 201);
  assert.equal((await send("PATCH", "collections/auth/bob", { password: "another-horse-battery" })).status, 200);
  for (const [method, path, body] of [
    ["POST", "collections/auth", person("eve", ["admin"])],
    ["PATCH", "collections/auth/bob", { groups: ["admin"] }],
    ["PUT", "collections/auth/bob", person("bob", ["viewer", "admin"])],
    ["PUT", "collections/auth/bob/groups", ["admin"]],
    ["PATCH", "collections/auth/root", { password: "taken-over-battery" }],
    ["PUT", "collections/auth/root/email", "eve@example.org"],
    ["DELETE", "collections/auth/root"],
  ] as [string, string, unknown?][]) {
    const answer = await send(method, path, body);
    assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
  }
  const rows = [person("eve", ["admin"]), { id: "root", password: "taken-over-battery" }];
  const imported = await send("POST", "import/collections/auth/json?update=1", rows);
  assert.ok(imported.status === 403 || imported.body.created === 0, imported.text);
  const root = JSON.parse((await server.request("GET", "/api/collections/auth/root")).text);
  assert.deepEqual(root, JSON.parse(before));
  assert.equal((await server.request("GET", "/api/collections/auth/eve")).status, 404);
  assert.deepEqual((await server.request("GET", "/api/collections/auth/bob")).body.data.groups, ["viewer"]);
});

testOnce("KEY-22 a key for webhooks runs no automation by hand and reads no runs", async () => {
  await server.request("POST", "/api/collections/automations", {
    body: { id: "hook", name: "Hook", ...handler, triggers: [{ id: "t", type: "webhook", auth: "apiKey" }] },
  });
  const key = await limited(["/automations"]);
  assert.equal((await server.request("POST", "/automations/hook", { key, body: {} })).status, 202);
  assert.equal((await server.request("POST", "/api/automations/hook/run", { key, body: {} })).status, 401);
  assert.equal((await server.request("GET", "/api/automations/hook/runs", { key })).status, 401);
  const byHand = await limited(["/automations-admin"]);
  assert.equal((await server.request("POST", "/automations/hook", { key: byHand, body: {} })).status, 401);
  assert.equal((await server.request("POST", "/api/automations/hook/run", { key: byHand, body: {} })).status, 200);
  assert.equal((await server.request("GET", "/api/automations/hook/runs", { key: byHand })).status, 200);
});

testOnce("KEY-23 a key for seeding brings objects, and no definition", async () => {
  const key = await limited(["/import/jumpstart"]);
  const seed = (parts: object) =>
    server.request("POST", "/api/import/jumpstart?overwrite=1", {
      key,
      body: { version: "1.0.0", name: "x", ...parts },
    });
  const before = (await server.request("GET", "/api/collections/pages/settings")).text;
  const opened = { id: "pages", schema: "page", publicOperations: ["read"] };
  for (const [name, parts] of Object.entries({
    collections: { collections: { reserved: [], custom: [opened] } },
    schemas: { schemas: [{ id: "page-2", properties: { id: { type: "slug" } } }] },
    templates: { templates: [{ id: "seeded", template: "x" }] },
  })) {
    const answer = await seed(parts);
    assert.equal(answer.status, 422, answer.text);
    assert.ok(answer.body.error.details[name], answer.text);
  }
  for (const collection of ["auth", "automations", "dataviews"])
    assert.equal((await seed({ objects: [{ collection, id: "x", data: person("x", []) }] })).status, 422, collection);
  assert.equal((await server.request("GET", "/api/collections/pages/settings")).text, before);
  assert.equal((await server.request("GET", "/api/schemas/page-2")).status, 404);
  const objects = [{ collection: "pages", id: "seeded", data: { title: "S" } }];
  assert.equal((await seed({ collections: { reserved: [], custom: [] }, objects })).status, 200);
  assert.equal((await server.request("GET", "/api/collections/pages/seeded")).status, 200);
});

test("KEY-24, KEY-25 a published key sees no draft on any route, and cannot change that", async () => {
  const properties = {
    ...{ id: { type: "slug" }, title: { type: "string" }, draft: { type: "boolean" } },
    ...{ paper: { type: "file" }, cover: { type: "image" } },
  };
  await server.makeSchema({ id: "story", properties, required: ["id"], index: ["id", "title"] });
  await server.makeCollection({ id: "stories", schema: "story", mcp: { access: "public" } });
  for (const [id, draft] of [
    ["told", false],
    ["hidden", true],
  ] as const) {
    await server.request("POST", "/api/collections/stories", { body: { id, title: `tale ${id}`, draft } });
    await upload(server, `stories/${id}/paper`, { name: "paper.txt", bytes: `paper ${id}` });
    const bytes = await picture(20, 20, { format: "png" });
    await upload(server, `stories/${id}/cover`, { name: "cover.png", bytes });
  }
  const doors = ["/collections/stories", "/report", "/export", "/download", "/stream", "/imageworks", "/mcp"];
  for (const endpoints of [doors, ["*"]]) {
    const key = await limited(endpoints, { published: true });
    for (const path of [
      "download/stories/ID/paper",
      "stream/stories/ID/paper",
      "imageworks/stories/ID/cover.png?w=9",
    ]) {
      assert.equal((await server.request("GET", `/${path.replace("ID", "told")}`, { key })).status, 200, path);
      assert.equal((await server.request("GET", `/${path.replace("ID", "hidden")}`, { key })).status, 404, path);
      assert.equal((await server.request("GET", `/${path.replace("ID", "hidden")}`)).status, 200, path);
    }
    for (const path of [
      ...[
        "",
        "/query",
        "/index",
        "/query?search=tale",
        "/query?filter[draft]=true",
        "?sort=title",
        "?limit=1&offset=1",
      ],
    ]) {
      const answer = await server.request("GET", `/api/collections/stories${path}`, { key });
      assert.ok(answer.status === 200 && !answer.text.includes("hidden"), `${path}: ${answer.status} ${answer.text}`);
    }
    for (const path of ["report/collections/stories/json?fields=id", "export/collections/stories"]) {
      const answer = await server.request("GET", `/api/${path}`, { key });
      assert.ok(answer.text.includes("told") && !answer.text.includes("hidden"), path);
    }
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const sent = method === "PATCH" ? { body: { draft: false } } : {};
      assert.equal((await server.request(method, "/api/collections/stories/hidden", { key, ...sent })).status, 404);
    }
    const agent = await connect(server, { "x-api-key": key });
    const found = JSON.stringify(await agent.ask("query_collection", { collection: "stories" }));
    assert.ok(found.includes("told") && !found.includes("hidden"), found);
    await agent.failing("get_object", { collection: "stories", id: "hidden" });
    for (const [method, path, body] of [
      ["PATCH", "/api/collections/stories/settings", { schema: "page" }],
      ["PUT", "/api/schemas/story", { id: "story", properties: { id: { type: "slug" } } }],
      ["POST", "/api/apikeys", { name: "open", methods: ["GET"], endpoints: ["*"] }],
      ["POST", "/api/collections/auth", person("eve", ["admin"])],
      ["POST", "/api/collections/mailer", { id: "spam", name: "Spam", to: "a@example.org", subject: "Hi" }],
      ["POST", "/api/mailer/spam/send", { data: {} }],
      ["GET", "/api/sync/export"],
    ] as [string, string, unknown?][])
      assert.equal(
        (await server.request(method, path, { key, ...(body !== undefined && { body }) })).status,
        401,
        path,
      );
  }
  const feed = await server.request("GET", "/feed/rss/stories", { key: await limited(["*"], { published: true }) });
  assert.ok(feed.status === 200 && feed.text.includes("told") && !feed.text.includes("hidden"), feed.text);
});

test("KEY-16, KEY-24 the flag of a published key is made by command and over HTTP, and listed", async () => {
  const made = await server.cli(["key:create", "--name", "web", "--methods", "GET", "--published", "--json"]);
  const { id } = JSON.parse(made.stdout);
  const listed = (await server.request("GET", "/api/apikeys")).body.data;
  assert.equal(listed.find((entry: { id: string }) => entry.id === id).published, true);
  const body = { name: "x", methods: ["GET"], endpoints: ["*"], published: "yes" };
  assert.deepEqual(Object.keys((await server.request("POST", "/api/apikeys", { body })).body.error.details), [
    "published",
  ]);
});

testOnce("KEY-26 creating a key that amounts to an administrator gives a warning", async () => {
  const make = async (...args: string[]) => (await server.cli(["key:create", "--name", "k", ...args])).stderr;
  assert.match(await make("--endpoints", "/sync,/collections"), /With \/sync it amounts to an administrator/);
  assert.doesNotMatch(await make("--endpoints", "/collections"), /administrator/);
});
