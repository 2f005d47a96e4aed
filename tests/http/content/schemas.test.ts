// Schemas over HTTP: reading, saving, inheriting, deleting, files and commands.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { fresh, id, schemaTools } from "../../support/schema-tools.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const { made, collectionOf, get, post, put } = schemaTools(() => server);

test("SCH-1 the list holds built-in and custom schemas in order", async () => {
  const custom = await made({ title: "My Thing", description: "Mine" });
  const { status, body } = await get("/api/schemas");
  assert.equal(status, 200);
  const names: string[] = body.schemas.map((schema: { name: string }) => schema.name);
  assert.deepEqual(names, names.toSorted());
  assert.deepEqual(
    body.schemas.find((schema: { name: string }) => schema.name === custom),
    {
      name: custom,
      title: "My Thing",
      description: "Mine",
      url: `/schemas/${custom}`,
    },
  );
  assert.ok(names.includes("blog") && names.includes("auth"));
});

test("ADM-604 with details the list says where a schema belongs and what uses it", async () => {
  const part = await made();
  const parent = await made({ category: "Places" });
  const child = await made({
    inheritFrom: [parent],
    properties: { id, address: { field: "card", schemaref: part }, home: { field: "card", schemaref: part } },
  });
  const { body } = await get("/api/schemas?details=true&filter=custom");
  const detailsOf = (name: string) => {
    const { category, isBuiltIn, properties, inheritFrom, usedBy } = body.schemas.find(
      (schema: { name: string }) => schema.name === name,
    );
    return { category, isBuiltIn, properties, inheritFrom, usedBy };
  };
  const plain = { category: "", isBuiltIn: false, inheritFrom: [], usedBy: [] };
  assert.deepEqual(detailsOf(child), { ...plain, properties: 3, inheritFrom: [parent] });
  const { category, usedBy } = detailsOf(parent);
  assert.deepEqual([category, usedBy, detailsOf(part).usedBy], ["Places", [child], [child]]);
  const all = (await get("/api/schemas?details=true")).body.schemas;
  assert.equal(all.find((schema: { name: string }) => schema.name === "blog").isBuiltIn, true);
});

test("SCH-2 the list can be narrowed to reserved or custom schemas", async () => {
  const custom = await made();
  const names = async (filter: string) =>
    (await get(`/api/schemas?filter=${filter}`)).body.schemas.map((schema: { name: string }) => schema.name);
  assert.ok((await names("reserved")).includes("blog") && !(await names("reserved")).includes(custom));
  assert.ok((await names("custom")).includes(custom) && !(await names("custom")).includes("blog"));
  assert.equal((await get("/api/schemas?filter=mine")).status, 400);
});

test("SCH-3 a schema is answered with name, title, description and properties", async () => {
  const { status, body } = await get("/api/schemas/builder-page");
  assert.equal(status, 200);
  assert.deepEqual([body.name, body.id, body.title], ["builder-page", "builder-page", "Page"]);
  assert.equal(typeof body.description, "string");
  assert.ok(body.properties.title);
  assert.equal((await get("/api/schemas/nobody")).status, 404);
  await server.makeSchema({ id: "news-item", properties: { id } });
  assert.equal((await get("/api/schemas/news-item")).body.title, "News Item");
});

test("SCH-4 flattened by default, as written with raw=true", async () => {
  const parent = await made({ properties: { id, title: { type: "string" } }, required: ["id", "title"] });
  const child = await made({
    inheritFrom: [parent],
    properties: { content: { type: "string" } },
    required: ["id", "content"],
  });
  const flat = (await get(`/api/schemas/${child}`)).body;
  assert.deepEqual(Object.keys(flat.properties).sort(), ["content", "id", "title"]);
  assert.deepEqual(flat.required, ["id", "title", "content"]);
  assert.deepEqual(flat.inheritFrom, [parent]);
  const raw = (await get(`/api/schemas/${child}?raw=true`)).body;
  assert.deepEqual(Object.keys(raw.properties), ["content"]);
  assert.deepEqual(raw.required, ["id", "content"]);
});

test("SCH-5 the id of a collection answers its schema", async () => {
  const schema = await made();
  const collection = await collectionOf(schema);
  assert.equal((await get(`/api/schemas/${collection}`)).body.name, schema);
  assert.equal((await get("/api/schemas/builder-pages")).body.name, "builder-page");
});

test("SCH-6 HEAD shows whether a schema exists", async () => {
  const there = await server.request("HEAD", "/api/schemas/blog");
  assert.deepEqual([there.status, there.text], [200, ""]);
  assert.equal((await server.request("HEAD", "/api/schemas/nobody")).status, 404);
});

test("SCH-7 schemas are closed without credentials, but a public collection shows its own", async () => {
  const schema = await made();
  const collection = fresh("collection");
  await server.makeCollection({ id: collection, schema, publicOperations: ["read"] });
  const closed = await collectionOf(schema);
  const anonymous = { key: null };
  for (const path of [
    "/api/schemas",
    `/api/schemas/${schema}`,
    "/api/schemas/nobody",
    `/api/collections/${closed}/schema`,
  ]) {
    assert.equal((await server.request("GET", path, anonymous)).status, 401, path);
  }
  for (const [method, path] of [
    ["POST", ""],
    ["PUT", `/${schema}`],
    ["DELETE", `/${schema}`],
  ] as const) {
    const answer = await server.request(method, `/api/schemas${path}`, {
      ...anonymous,
      body: { id: schema, properties: {} },
    });
    assert.equal(answer.status, 401, method);
  }
  const shown = await server.request("GET", `/api/collections/${collection}/schema`, anonymous);
  assert.deepEqual([shown.status, shown.body.name], [200, schema]);
});

test("SCH-8 SCH-66 an exported schema can be imported again", async () => {
  const schema = await made({ description: "Travels" });
  const exported = await get(`/api/export/schemas/${schema}`);
  assert.equal(exported.status, 200);
  assert.match(
    exported.headers.get("content-disposition") ?? "",
    new RegExp(`attachment; filename="?schema-${schema}.json`),
  );
  const record = JSON.parse(exported.text);
  await server.request("DELETE", `/api/schemas/${schema}`);
  const imported = await server.request("POST", "/api/import/schemas", { body: record });
  assert.ok(imported.status < 300, imported.text);
  assert.equal((await get(`/api/schemas/${schema}`)).body.description, "Travels");
  await server.request("POST", "/api/import/schemas", { body: { ...record, description: "Again" } });
  assert.equal((await get(`/api/schemas/${schema}`)).body.description, "Again");
  await server.request("DELETE", `/api/schemas/${schema}`);
  const together = await Promise.all(
    [1, 2, 3, 4].map(() => server.request("POST", "/api/import/schemas", { body: record })),
  );
  for (const { status, text } of together) assert.equal(status, imported.status, text);
});

test("SCH-11 ids of built-in schemas and of routes are refused everywhere (T26)", async () => {
  for (const reserved of ["blog", "auth", "mcp-tool", "new", "schema", "collection", "jumpstart", "template"]) {
    const created = await post({ id: reserved, properties: { id } });
    assert.equal(created.status, 400, reserved);
    assert.ok(created.body.error.details.id);
    assert.equal((await put(reserved, { properties: { id } })).status, 400, reserved);
    assert.equal((await server.request("DELETE", `/api/schemas/${reserved}`)).status, 400, reserved);
    const imported = await server.request("POST", "/api/import/schemas", {
      body: { id: reserved, properties: { id } },
    });
    assert.equal(imported.status, 400, reserved);
  }
  assert.ok((await get("/api/schemas/blog")).body.properties.title);
  assert.ok(!existsSync(join(server.dataDir, ".schemas", "blog.json")));
});

test("SCH-20 SCH-23 child before parents, first parent before second, on validation too", async () => {
  const first = await made({ properties: { id, title: { type: "string", maxLength: 3 }, n: { type: "number" } } });
  const second = await made({
    properties: { title: { type: "string", maxLength: 9 }, n: { type: "string" } },
    required: ["n"],
  });
  const child = await made({ inheritFrom: [first, second], properties: { text: { type: "string" } } });
  const collection = await collectionOf(child);
  const refused = await server.request("POST", `/api/collections/${collection}`, { body: { id: "a", title: "four" } });
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.error.details).sort(), ["n", "title"]);
  const taken = await server.request("POST", `/api/collections/${collection}`, {
    body: { id: "a", title: "abc", n: 5 },
  });
  assert.deepEqual([taken.status, taken.body.data?.n], [201, 5]);
});

test("SCH-24 SCH-25 grandparents are ignored and missing parents skipped", async () => {
  const grand = await made({ properties: { id, old: { type: "string" } } });
  const parent = await made({ inheritFrom: [grand], properties: { title: { type: "string" } } });
  const child = await made({ inheritFrom: ["nobody", parent], properties: { id, text: { type: "string" } } });
  const { properties } = (await get(`/api/schemas/${child}`)).body;
  assert.deepEqual(Object.keys(properties).sort(), ["id", "text", "title"]);
});

test("SCH-26 a parent cannot be deleted, and the answer names the children (T26)", async () => {
  const parent = await made();
  const child = await made({ inheritFrom: [parent] });
  const refused = await server.request("DELETE", `/api/schemas/${parent}`);
  assert.equal(refused.status, 400);
  assert.ok(refused.body.error.message.includes(child));
  assert.equal((await get(`/api/schemas/${parent}`)).status, 200);
  assert.equal((await server.request("DELETE", `/api/schemas/${child}`)).status, 204);
  assert.equal((await server.request("DELETE", `/api/schemas/${parent}`)).status, 204);
});

test("DUR-48 a parent that is deleted while children are saved stays, or was gone before them", async () => {
  for (let round = 0; round < 10; round += 1) {
    const parent = await made({ properties: { id, inherited: { type: "string" } } });
    const child = () => post({ id: fresh(), inheritFrom: [parent], properties: { id } });
    const deletion = () => server.request("DELETE", `/api/schemas/${parent}`);
    const [first, second, deleted, third] = await Promise.all([child(), child(), deletion(), child()]);
    const saved = [first, second, third];
    assert.ok(saved.every(({ status }) => status === 201));
    const hadParent = saved.some(({ body }) => "inherited" in body.properties);
    assert.equal(deleted.status, hadParent ? 400 : 204);
    assert.equal((await get(`/api/schemas/${parent}`)).status, hadParent ? 200 : 404);
  }
});

test("DUR-46 a schema that is deleted while collections are made of it stays, or they are refused", async () => {
  for (let round = 0; round < 10; round += 1) {
    const schema = await made();
    const collection = () => server.request("POST", "/api/collections", { body: { id: fresh("of"), schema } });
    const deletion = () => server.request("DELETE", `/api/schemas/${schema}`);
    const [first, deleted, second] = await Promise.all([collection(), deletion(), collection()]);
    const hasUser = [first, second].some(({ status }) => status === 201);
    assert.ok([first, second].every(({ status }) => status === 201 || status === 400));
    assert.equal(deleted.status, hasUser ? 400 : 204);
  }
});

test("SCH-27 a password never gets into index, whatever it is spelled like (T26)", async () => {
  const schema = await made({
    properties: {
      id,
      password: { type: "password" },
      a: { type: "string", field: "password" },
      b: { $ref: "password" },
    },
    index: ["password", "a", "b", "id"],
  });
  assert.deepEqual((await get(`/api/schemas/${schema}?raw=true`)).body.index, ["id"]);
  const stored = JSON.parse(readFileSync(join(server.dataDir, ".schemas", `${schema}.json`), "utf8"));
  assert.deepEqual(stored.index, ["id"]);
});

test("SCH-29 SCH-68 a save applies at once to existing objects, through a parent too", async () => {
  const parent = await made({ properties: { id, title: { type: "string" } } });
  const child = await made({ inheritFrom: [parent], properties: { text: { type: "string" } } });
  const collection = await collectionOf(child);
  await server.request("POST", `/api/collections/${collection}`, { body: { id: "a", title: "T", text: "x" } });
  await put(parent, {
    properties: { id, title: { type: "string" }, level: { type: "number", default: 7 } },
    index: ["level"],
  });
  const { body } = await get(`/api/collections/${collection}/a`);
  assert.equal(body.data.level, 7);
  const found = await get(`/api/collections/${collection}?filter[level]=7`);
  assert.equal(found.body.data.length, 1);
});

test("SCH-40 SCH-63 of many concurrent creates of a schema exactly one succeeds", async () => {
  const schema = fresh();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => post({ id: schema, description: `${n}`, properties: { id } })),
  );
  const created = answers.filter(({ status }) => status === 201);
  assert.equal(created.length, 1);
  assert.ok(answers.every(({ status }) => status === 201 || status === 400));
  assert.equal((await get(`/api/schemas/${schema}`)).body.description, created[0]?.body.description);
  assert.ok(readdirSync(join(server.dataDir, ".schemas")).every((name) => name.endsWith(".json")));
});

test("SCH-41 a file that an editor writes applies without a restart", async () => {
  const schema = fresh();
  const path = join(server.dataDir, ".schemas", `${schema}.json`);
  const titleOf = async () => (await get(`/api/schemas/${schema}`)).body?.title;
  writeFileSync(
    path,
    JSON.stringify({ id: schema, title: "One", properties: { id }, required: ["id"], index: ["id"] }),
  );
  await until(async () => (await titleOf()) === "One");
  writeFileSync(path, JSON.stringify({ id: schema, title: "Two", properties: { id } }));
  await until(async () => (await titleOf()) === "Two");
});

test("SCH-41 SCH-66 a schema that a command imports applies to the next answer", async () => {
  const schema = fresh();
  const file = join(server.dataDir, `${schema}.json`);
  writeFileSync(file, JSON.stringify({ id: schema, properties: { id, title: { type: "string" } } }));
  const { code, stderr } = await server.cli(["schema:import", file]);
  assert.equal(code, 0, stderr);
  assert.equal((await get(`/api/schemas/${schema}`)).status, 200);
});

test("SCH-42 SCH-80 a torn file harms nothing and is named by lint", async () => {
  const schema = await made({ description: "Good", title: "Good" });
  writeFileSync(join(server.dataDir, ".schemas", `${schema}.json`), '{"id": ');
  await sleep(300);
  assert.equal((await get(`/api/schemas/${schema}`)).body.title, "Good");
  assert.equal((await get("/api/schemas")).status, 200);
  const lint = await server.cli(["schema:lint", schema, "--json"]);
  assert.equal(lint.code, 1);
  assert.equal(JSON.parse(lint.stdout)[0].level, "error");
  assert.equal((await put(schema, { properties: { id } })).status, 200);
});

test("SCH-55 SCH-59 all errors are reported at once, by name", async () => {
  const { status, body } = await post({
    id: fresh(),
    index: "title",
    properties: { id, "bad name": {}, title: { minLength: -1 }, n: { type: "number", multipleOf: 0 } },
  });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.error.details).sort(), ["bad name", "index", "n", "title"]);
  for (const wrong of [
    {},
    { id: fresh() },
    { id: fresh(), properties: [] },
    { properties: {} },
    { id: "../up", properties: {} },
  ]) {
    assert.equal((await post(wrong)).status, 400, JSON.stringify(wrong));
  }
  for (const raw of ["[]", '"text"', "null", "{", '{"id":"a","properties":{"__proto__":{}}}']) {
    const answer = await server.request("POST", "/api/schemas", {
      raw,
      headers: { "content-type": "application/json" },
    });
    assert.equal(answer.status, 400, raw);
  }
});

test("SCH-60 a schema with too many properties or too much text is refused", async () => {
  const properties = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`p${n}`, {}]));
  assert.equal((await post({ id: fresh(), properties })).status, 400);
  assert.equal((await post({ id: fresh(), properties: { id }, description: "x".repeat(1_200_000) })).status, 413);
});

test("SCH-61 updated moves with every save and cannot be sent", async () => {
  const sent = "2001-01-01T00:00:00.000Z";
  const schema = await made({ updated: sent });
  const first = (await get(`/api/schemas/${schema}`)).body.updated;
  assert.match(first, /^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  await sleep(5);
  const second = (await put(schema, { properties: { id }, updated: sent })).body.updated;
  assert.ok(second > first);
});

test("SCH-63 a created schema is answered with 201, and an id that exists is not overwritten", async () => {
  const schema = fresh();
  const created = await post({ id: schema, description: "First", properties: { id, title: { field: "text" } } });
  assert.equal(created.status, 201);
  assert.deepEqual([created.body.id, created.body.name, created.body.$id], [schema, schema, `/schemas/${schema}.json`]);
  assert.equal((await post({ id: schema, description: "Second", properties: { id } })).status, 400);
  assert.equal((await get(`/api/schemas/${schema}`)).body.description, "First");
});

test("SCH-64 PUT replaces a schema, and only the one it names", async () => {
  const schema = await made({ description: "Old", category: "Old" });
  const answer = await put(schema, { id: schema, description: "New", properties: { id, text: { type: "string" } } });
  assert.equal(answer.status, 200);
  const { body } = await get(`/api/schemas/${schema}`);
  assert.deepEqual([body.description, body.category, Object.keys(body.properties)], ["New", undefined, ["id", "text"]]);
  assert.equal((await put(schema, { id: "other", properties: { id } })).status, 400);
  const unknown = fresh();
  assert.equal((await put(unknown, { properties: { id } })).status, 404);
  assert.equal((await get(`/api/schemas/${unknown}`)).status, 404);
});

test("SCH-64 the answer of GET can be sent back by PUT", async () => {
  const schema = await made({
    properties: { id, title: { type: "string" }, image: { field: "image" } },
    index: ["id", "title"],
  });
  const before = (await get(`/api/schemas/${schema}`)).body;
  const after = (await put(schema, before)).body;
  assert.deepEqual({ ...after, updated: "" }, { ...before, updated: "" });
});

test("SCH-65 a schema is deleted once, and not while a collection or a card uses it", async () => {
  const schema = await made();
  const collection = await collectionOf(schema);
  const refused = await server.request("DELETE", `/api/schemas/${schema}`);
  assert.equal(refused.status, 400);
  assert.ok(refused.body.error.message.includes(collection));
  await server.request("DELETE", `/api/collections/${collection}`);
  const owner = await made({ properties: { id, card: { type: "card", schemaref: schema } } });
  const shaped = await server.request("DELETE", `/api/schemas/${schema}`);
  assert.deepEqual([shaped.status, shaped.body.error.message.includes(owner)], [400, true]);
  await server.request("DELETE", `/api/schemas/${owner}`);
  assert.equal((await server.request("DELETE", `/api/schemas/${schema}`)).status, 204);
  assert.equal((await get(`/api/schemas/${schema}`)).status, 404);
  assert.equal((await server.request("DELETE", `/api/schemas/${schema}`)).status, 404);
});

test("SCH-67 below Pro schemas can be read but not written", async () => {
  const lite = await startServer({ env: { CAIRN_EDITION: "lite" } });
  after(() => lite.stop());
  const command = await lite.cli(["schema:import", writeSchema(lite)]);
  assert.equal(command.code, 1);
  assert.match(command.stderr, /Pro edition/);
  assert.equal((await lite.cli(["schema:get", "blog", "--json"])).code, 0);
});

function writeSchema(target: Server): string {
  const file = join(target.dataDir, "lite.json");
  writeFileSync(file, JSON.stringify({ id: "mine", properties: { id } }));
  return file;
}

test("SCH-70 a schema carries a strong ETag, and 304 answers a client that has it", async () => {
  const schema = await made();
  const collection = await collectionOf(schema);
  for (const path of [`/api/schemas/${schema}`, `/api/schemas/${schema}?raw=true`, "/api/schemas/blog"]) {
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"[^"]+"$/);
    assert.equal(first.headers.get("cache-control"), "private, no-cache");
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await server.request("GET", path, { headers: { "if-none-match": known } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
    }
    assert.equal((await get(path)).headers.get("etag"), etag);
  }
  const shown = await get(`/api/collections/${collection}/schema`);
  const etag = String(shown.headers.get("etag"));
  const known = await server.request("GET", `/api/collections/${collection}/schema`, {
    headers: { "if-none-match": etag },
  });
  assert.equal(known.status, 304);
  await put(schema, { properties: { id, other: { type: "string" } } });
  assert.notEqual((await get(`/api/schemas/${schema}`)).headers.get("etag"), etag);
});

test("SCH-70 a change of a parent is another version of the child", async () => {
  const parent = await made();
  const child = await made({ inheritFrom: [parent] });
  const tags = async () =>
    Promise.all(["", "?raw=true"].map(async (raw) => (await get(`/api/schemas/${child}${raw}`)).headers.get("etag")));
  const [flat, raw] = await tags();
  await put(parent, { properties: { id, title: { type: "string" }, added: { type: "string" } } });
  const [flatNow, rawNow] = await tags();
  assert.notEqual(flatNow, flat);
  assert.equal(rawNow, raw);
});

test("SCH-71 PUT and DELETE of a schema honour If-Match", async () => {
  const schema = await made();
  const body = (label: string) => ({ properties: { id, title: { type: "string", label } }, index: ["id"] });
  const write = (method: string, ifMatch: string, label = "x") =>
    server.request(method, `/api/schemas/${schema}`, {
      headers: { "if-match": ifMatch },
      ...(method === "PUT" && { body: body(label) }),
    });
  const old = String((await get(`/api/schemas/${schema}`)).headers.get("etag"));
  const saved = await write("PUT", old, "one");
  assert.equal(saved.status, 200);
  const raw = String((await get(`/api/schemas/${schema}?raw=true`)).headers.get("etag"));
  for (const stale of [old, `W/${saved.headers.get("etag")}`, '"nothing"']) {
    for (const method of ["PUT", "DELETE"]) {
      const refused = await write(method, stale, "two");
      assert.deepEqual([refused.status, refused.body.error.code], [412, 412], `${method} ${stale}`);
    }
  }
  assert.equal((await get(`/api/schemas/${schema}`)).body.properties.title.label, "one");
  assert.equal((await write("PUT", raw, "three")).status, 200);
  assert.equal((await write("PUT", "*", "four")).status, 200);
  const now = String((await get(`/api/schemas/${schema}`)).headers.get("etag"));
  assert.equal((await write("DELETE", `"other", ${now}`)).status, 204);
  assert.equal((await write("PUT", "*")).status, 404);
});

test("SCH-71 of several saves with the same If-Match exactly one succeeds", async () => {
  const schema = await made();
  const etag = String((await get(`/api/schemas/${schema}`)).headers.get("etag"));
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      server.request("PUT", `/api/schemas/${schema}`, {
        body: { description: `Saved by ${at}`, properties: { id } },
        headers: { "if-match": etag },
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
  const saved = answers.find(({ status }) => status === 200);
  const now = await get(`/api/schemas/${schema}`);
  assert.deepEqual([now.body, now.headers.get("etag")], [saved?.body, saved?.headers.get("etag")]);
});
