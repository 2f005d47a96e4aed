// API keys at the door: what each opens, how it is taken away, where it may stand.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

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

async function makeKey(methods: string, endpoints: string): Promise<{ id: string; key: string }> {
  const { stdout, stderr, code } = await server.cli([
    "key:create",
    "--name",
    "k",
    "--methods",
    methods,
    "--endpoints",
    endpoints,
    "--json",
  ]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test("KEY-1, KEY-14 a key is shown once and never again", async () => {
  const { key, id } = await makeKey("GET", "*");
  const { stdout } = await server.cli(["key:list", "--json"]);
  const listed = JSON.parse(stdout).find((entry: { id: string }) => entry.id === id);
  assert.deepEqual(Object.keys(listed), ["id", "name", "prefix", "methods", "endpoints", "created", "lastUsed"]);
  assert.equal(listed.prefix, key.slice(0, 12));
  assert.ok(!stdout.includes(key.slice(13)));
});

test("KEY-3, KEY-4 a key without a known method or endpoint is refused", async () => {
  for (const [methods, endpoints] of [
    ["", "*"],
    ["HEAD", "*"],
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
    assert.notEqual(code, 0, `${methods} ${endpoints}`);
    assert.ok(stderr.length > 0);
  }
});

test("KEY-6, KEY-7, KEY-10 outside its methods and endpoints a key is 401 (T67)", async () => {
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

test("KEY-8 no spelling of a path leads a key out of its endpoint (T67)", async () => {
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

test("KEY-10 an invalid key is 401 where the public may read", async () => {
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

test("KEY-13 a key in the query works for GET only and is never logged (T69)", async () => {
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

test("KEY-5, KEY-16 a key that is not valid is 400 naming what is wrong", async () => {
  const { status, body } = await server.request("POST", "/api/apikeys", { body: { methods: ["TRACE"] } });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.error.details).sort(), ["endpoints", "methods", "name"]);
});

test("KEY-17 a key cannot make one that opens more than itself (T67)", async () => {
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

test("KEY-18 only a key of every endpoint reaches the keys", async () => {
  const { key } = await makeKey("GET,POST,DELETE", "/settings,/collections,/schemas,/import,/export");
  const body = { name: "x", methods: ["GET"], endpoints: ["/collections"] };
  assert.equal((await server.request("GET", "/api/apikeys", { key })).status, 401);
  assert.equal((await server.request("POST", "/api/apikeys", { key, body })).status, 401);
  for (const endpoint of ["/apikeys", "/api/apikeys", "/access-groups", "/auth", "/api"]) {
    const answer = await server.request("POST", "/api/apikeys", { body: { ...body, endpoints: [endpoint] } });
    assert.equal(answer.status, 400, endpoint);
  }
});
