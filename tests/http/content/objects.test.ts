// Objects over HTTP: create, get, replace, patch, delete, clone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;
const path = "/api/collections/notes";
const at = (id: string) => `${path}/${id}`;
const create = (body: unknown, to = path): Promise<Answer> => server.request("POST", to, { body });

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: {
      title: { type: "string", field: "text", label: "Title" },
      body: { type: "string", field: "text" },
      status: { type: "string", field: "select", default: "draft" },
      views: { type: "number", field: "number" },
      secret: { type: "password", field: "password" },
    },
    required: ["title"],
    index: ["title", "views"],
  });
  await server.makeSchema({
    id: "strict",
    properties: { title: { type: "string", field: "text" } },
    required: [],
    index: [],
    additionalProperties: false,
  });
  await server.makeCollection({ id: "notes", schema: "note" });
  await server.makeCollection({ id: "copies", schema: "note" });
  await server.makeCollection({ id: "stricts", schema: "strict" });
  await server.makeCollection({ id: "open", schema: "note", publicOperations: ["read"] });
});
after(() => server.stop());

test("OBJ-1, HTTP-1, HTTP-8 a created object is answered with 201, its address and its times", async () => {
  const answer = await create({ id: "first", title: "First" });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("location"), `${server.url}/api/collections/notes/first`);
  const { id, title, status, created, modified } = answer.body.data;
  assert.deepEqual({ id, title, status }, { id: "first", title: "First", status: "draft" });
  assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(modified, created);
  assert.deepEqual((await server.request("GET", at("first"))).body, answer.body);
});

test("OBJ-2 ids come from the title, and taken ones are counted up", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await create({ title: "Über Alles!" })).body.data.id);
  assert.equal(ids[1], `${ids[0]}-2`);
  assert.equal(ids[2], `${ids[0]}-3`);
  assert.match(ids[0] as string, /^[a-z-]+$/);
});

test("OBJ-3 a sent id is slugged, and refused when taken (T18)", async () => {
  const made = await create({ id: "My Note", title: "x" });
  assert.equal(made.body.data.id, "my-note");
  const again = await create({ id: "my-note", title: "y" });
  assert.equal(again.status, 400);
  assert.ok(again.body.error.details.id);
  assert.equal((await server.request("GET", at("my-note"))).body.data.title, "x");
});

for (const id of [
  "query",
  "index",
  "schema",
  "settings",
  "new",
  "add",
  "edit",
  "__proto__",
  "///",
  "a/../b",
  "/a",
  "..",
  "a\\b",
  "a\0b",
  "x".repeat(300),
  true,
  [],
  {},
])
  test(`OBJ-3 the id ${JSON.stringify(id).slice(0, 30)} is refused (T18)`, async () => {
    const before = (await server.request("GET", path)).headers.get("x-total-count");
    const answer = await create({ id, title: "reserved" });
    assert.equal(answer.status, 400);
    assert.ok(answer.body.error.details.id);
    assert.equal((await server.request("GET", path)).headers.get("x-total-count"), before);
  });

test("OBJ-4, OBJ-5 the service's own fields and unknown keys are not taken from a body (T7)", async () => {
  const body = {
    id: "mass",
    title: "t",
    created: "1999-01-01T00:00:00Z",
    modified: "1999-01-01T00:00:00Z",
    groups: ["admin"],
    zzz: 1,
  };
  const answer = await create(body);
  assert.equal(answer.status, 201);
  assert.ok(answer.body.data.created > "2020");
  assert.ok(answer.body.data.modified > "2020");
  assert.equal("groups" in answer.body.data || "zzz" in answer.body.data, false);
  await new Promise((done) => setTimeout(done, 5));
  const changed = await server.request("PATCH", at("mass"), { body: { title: "u", created: "1999-01-01T00:00:00Z" } });
  assert.equal(changed.body.data.created, answer.body.data.created);
  assert.ok(changed.body.data.modified > answer.body.data.modified);
});

test("OBJ-5 a schema can forbid unknown keys", async () => {
  const answer = await create({ id: "a", title: "t", zzz: 1 }, "/api/collections/stricts");
  assert.equal(answer.status, 400);
  assert.ok(answer.body.error.details.zzz);
});

test("OBJ-6, HTTP-2 everything that is wrong is named at once", async () => {
  const answer = await create({ id: "bad", views: "many" });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, 400);
  assert.equal(answer.body.error.message, "Validation failed");
  assert.deepEqual(Object.keys(answer.body.error.details).sort(), ["title", "views"]);
  assert.equal((await server.request("GET", at("bad"))).status, 404);
});

test("OBJ-7 PUT resets properties left out to their default", async () => {
  await create({ id: "put", title: "one", body: "text", status: "live", views: 3 });
  const answer = await server.request("PUT", at("put"), { body: { title: "two" } });
  assert.equal(answer.status, 200);
  const { title, body, status, views } = answer.body.data;
  assert.deepEqual(
    { title, body, status, views },
    { title: "two", body: undefined, status: "draft", views: undefined },
  );
});

test("OBJ-8 PATCH changes only sent properties, and null resets to the default", async () => {
  await create({ id: "patch", title: "one", body: "text", status: "live" });
  const answer = await server.request("PATCH", at("patch"), { body: { body: "new", status: null } });
  const { title, body, status } = answer.body.data;
  assert.deepEqual({ title, body, status }, { title: "one", body: "new", status: "draft" });
});

test("OBJ-9, OBJ-16 writing to a missing object is 404 and creates nothing", async () => {
  for (const method of ["PUT", "PATCH"]) {
    assert.equal((await server.request(method, at("nobody"), { body: { title: "x" } })).status, 404);
  }
  assert.equal((await server.request("GET", at("nobody"))).status, 404);
  for (const [method, body] of [["GET"], ["POST", { title: "x" }]] as const) {
    assert.equal((await server.request(method, "/api/collections/nowhere", { body })).status, 404);
  }
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const body = method === "GET" || method === "DELETE" ? undefined : { title: "x" };
    assert.equal((await server.request(method, "/api/collections/nowhere/x", { body })).status, 404);
  }
});

test("OBJ-10 the id in the body must fit the path", async () => {
  await create({ id: "fit", title: "x" });
  assert.equal((await server.request("PUT", at("fit"), { body: { id: "fit", title: "y" } })).status, 200);
  const other = await server.request("PATCH", at("fit"), { body: { id: "other" } });
  assert.equal(other.status, 400);
  assert.ok(other.body.error.details.id);
  for (const id of [["fit"], true, {}])
    assert.equal((await server.request("PATCH", at("fit"), { body: { id } })).status, 400, JSON.stringify(id));
});

test("OBJ-11 no answer shows a password (T5)", async () => {
  const answers = [
    await create({ id: "pwd", title: "x", secret: "correct-horse" }),
    await server.request("GET", at("pwd")),
    await server.request("PUT", at("pwd"), { body: { title: "y" } }),
    await server.request("PATCH", at("pwd"), { body: { secret: "" } }),
    await server.request("PATCH", at("pwd"), { body: { secret: "battery-staple" } }),
    await server.request("PUT", `${at("pwd")}/secret`, { body: "a-third-one" }),
    await server.request("POST", `${at("pwd")}/clone`, { body: { id: "pwd-copy" } }),
    await server.request("GET", path),
    await server.request("GET", `${path}/query`),
    await server.request("GET", `${path}/index`),
    await server.request("GET", `/api/export/collections/notes`),
  ];
  for (const { status, text } of answers) {
    assert.ok(status === 200 || status === 201, text);
    assert.doesNotMatch(text, /secret|argon2|correct-horse|battery|a-third/);
  }
});

test("OBJ-12 a deleted object is gone", async () => {
  await create({ id: "gone", title: "x" });
  const answer = await server.request("DELETE", at("gone"));
  assert.equal(answer.status, 204);
  assert.equal(answer.text, "");
  assert.equal((await server.request("GET", at("gone"))).status, 404);
  assert.equal((await server.request("DELETE", at("gone"))).status, 404);
});

test("OBJ-13 clone without a body is the object itself (T17)", async () => {
  const made = await create({ id: "self", title: "x", views: 2 });
  for (const options of [{}, { body: {} }, { body: { id: "self" } }, { body: { collection: "notes" } }]) {
    const answer = await server.request("POST", `${at("self")}/clone`, options);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, made.body.data);
  }
  assert.deepEqual((await server.request("GET", at("self"))).body, made.body);
});

test("OBJ-14 clone makes a copy elsewhere, never over something", async () => {
  const made = await create({ id: "source", title: "x", views: 2 });
  await new Promise((done) => setTimeout(done, 5));
  const copy = await server.request("POST", `${at("source")}/clone`, { body: { id: "A Copy" } });
  assert.equal(copy.status, 200);
  assert.deepEqual([copy.body.id, copy.body.title, copy.body.views], ["a-copy", "x", 2]);
  assert.ok(copy.body.created > made.body.data.created);
  const moved = await server.request("POST", `${at("source")}/clone`, { body: { collection: "copies" } });
  assert.equal(moved.body.id, "source");
  assert.equal((await server.request("GET", "/api/collections/copies/source")).status, 200);
  assert.equal((await server.request("POST", `${at("source")}/clone`, { body: { id: "a-copy" } })).status, 400);
  for (const body of [{ id: 7 }, { collection: [] }, [], "x", { id: "query" }]) {
    assert.equal((await server.request("POST", `${at("source")}/clone`, { body })).status, 400, JSON.stringify(body));
  }
  assert.equal(
    (await server.request("POST", `${at("source")}/clone`, { body: { collection: "nowhere" } })).status,
    404,
  );
});

test("OBJ-14 If-Match of a clone names the source", async () => {
  const made = await create({ id: "matched", title: "x" });
  const clone = (ifMatch: string, id: string) =>
    server.request("POST", `${at("matched")}/clone`, { body: { id }, headers: { "if-match": ifMatch } });
  const etag = String(made.headers.get("etag"));
  assert.equal((await clone(etag, "matched-one")).status, 200);
  assert.equal((await clone("*", "matched-any")).status, 200);
  assert.equal((await server.request("PATCH", at("matched"), { body: { views: 1 } })).status, 200);
  assert.equal((await clone(etag, "matched-two")).status, 412);
  assert.equal((await clone(etag, "matched")).status, 412);
  assert.equal((await server.request("GET", at("matched-two"))).status, 404);
});

test("OBJ-19 a singleton holds one object, under the collection's own id", async () => {
  await server.makeCollection({ id: "imprint", schema: "note", singleton: true });
  const to = "/api/collections/imprint";
  const made = await create({ id: "other", title: "x" }, to);
  assert.deepEqual([made.status, made.body.data.id], [201, "imprint"]);
  for (const body of [{ title: "y" }, { id: "imprint", title: "y" }, { id: "second", title: "y" }]) {
    assert.equal((await create(body, to)).status, 400, JSON.stringify(body));
  }
  await create({ id: "guest", title: "x" });
  const cloned = await server.request("POST", `${at("guest")}/clone`, { body: { collection: "imprint" } });
  assert.equal(cloned.status, 400);
  assert.equal((await server.request("GET", to)).body.data.length, 1);
  assert.equal((await server.request("DELETE", `${to}/imprint`)).status, 204);
  assert.equal((await create({ title: "z" }, to)).body.data.id, "imprint");
});

test("OBJ-15, HTTP-55 a key cannot clone into a collection that it does not reach (T17)", async () => {
  await create({ id: "guarded", title: "x" });
  const { key } = await server.makeKey({ endpoints: ["/collections/notes"] });
  const clone = (body: unknown) => server.request("POST", `${at("guarded")}/clone`, { key, body });
  assert.equal((await clone({ id: "guarded-2" })).status, 200);
  assert.equal((await clone({ collection: "copies" })).status, 401);
  assert.equal((await server.request("GET", "/api/collections/copies/guarded")).status, 404);
  assert.equal((await server.request("POST", "/api/collections/open/x/clone", { key: null })).status, 404);
});

test("OBJ-17 of twenty creates of one id one succeeds", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ id: "race", title: `t${n}` })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(400)].sort());
  assert.equal(answers.filter(({ body }) => body.data?.id === "race").length, 1);
});

test("OBJ-18 the public may do what the collection opens, and nothing else", async () => {
  await create({ id: "seen", title: "x" }, "/api/collections/open");
  const asked = (method: string, to: string, body?: unknown) => server.request(method, to, { key: null, body });
  assert.equal((await asked("GET", "/api/collections/open/seen")).status, 200);
  assert.equal((await asked("POST", "/api/collections/open", { title: "y" })).status, 401);
  assert.equal((await asked("PATCH", "/api/collections/open/seen", { title: "y" })).status, 401);
  assert.equal((await asked("DELETE", "/api/collections/open/seen")).status, 401);
  assert.equal((await asked("GET", at("self"))).status, 401);
  assert.equal((await asked("GET", "/api/collections/auth")).status, 401);
});

test("HTTP-6 an object's tag spares the second transfer", async () => {
  await create({ id: "tagged", title: "x" });
  const first = await server.request("GET", at("tagged"));
  const etag = first.headers.get("etag") as string;
  assert.match(etag, /^"[^"]+"$/);
  assert.equal(first.headers.get("cache-control"), "private, no-cache");
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await server.request("GET", at("tagged"), { headers: { "if-none-match": known } });
    assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  }
  await server.request("PATCH", at("tagged"), { body: { title: "y" } });
  const changed = await server.request("GET", at("tagged"), { headers: { "if-none-match": etag } });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get("etag"), etag);
});

test("HTTP-7 a write against an old tag is refused", async () => {
  const made = await create({ id: "locked", title: "x", views: 1 });
  const old = made.headers.get("etag") as string;
  const change = await server.request("PATCH", at("locked"), { body: { title: "y" }, headers: { "if-match": old } });
  assert.equal(change.status, 200);
  const headers = { "if-match": old };
  const writes = [
    server.request("PUT", at("locked"), { body: { title: "z" }, headers }),
    server.request("PATCH", at("locked"), { body: { title: "z" }, headers }),
    server.request("PUT", `${at("locked")}/title`, { body: "z", headers }),
    server.request("DELETE", `${at("locked")}/body`, { headers }),
    server.request("POST", `${at("locked")}/views/increment`, { headers }),
    server.request("DELETE", at("locked"), { headers }),
  ];
  for (const answer of await Promise.all(writes)) assert.equal(answer.status, 412);
  assert.equal((await server.request("GET", at("locked"))).body.data.title, "y");
  const fresh = { "if-match": change.headers.get("etag") as string };
  assert.equal((await server.request("DELETE", at("locked"), { headers: fresh })).status, 204);
});

test("HTTP-16 HEAD says whether something is there, without a body", async () => {
  await create({ id: "head", title: "x" });
  const there = await server.request("HEAD", at("head"));
  assert.deepEqual([there.status, there.text], [200, ""]);
  assert.ok(there.headers.get("etag"));
  assert.equal((await server.request("HEAD", path)).status, 200);
  for (const address of [path, at("head"), `${path}/query`, `${path}/index`, `${path}/schema`]) {
    const [read, asked] = [await server.request("GET", address), await server.request("HEAD", address)];
    for (const name of ["content-type", "content-length", "x-total-count", "etag"])
      assert.equal(asked.headers.get(name), read.headers.get(name), `${name} of ${address}`);
  }
  for (const missing of [at("missing"), "/api/collections/nowhere"]) {
    const answer = await server.request("HEAD", missing);
    assert.deepEqual([answer.status, answer.text], [404, ""]);
  }
});

test("HTTP-16 answers from memory have the bytes and the length of the first one, in any script", async () => {
  for (const title of ["plain", "Grüße", "日本 \u{1f600} ß"]) {
    const body = title.repeat(9_000);
    await create({ id: "script", title, body });
    for (const address of [at("script"), `${path}?filter[title]=${encodeURIComponent(title)}`, "/collections/notes"]) {
      const first = await server.request("GET", address);
      const [again, asked] = [await server.request("GET", address), await server.request("HEAD", address)];
      assert.ok(first.text.includes(body) && again.text === first.text);
      for (const { headers } of [first, again, asked])
        assert.equal(headers.get("content-length"), String(Buffer.byteLength(first.text)));
    }
    await server.request("DELETE", at("script"));
  }
});

test("HTTP-18, HTTP-19 the other addresses serve the same objects", async () => {
  await create({ id: "alias", title: "x" });
  const object = await server.request("GET", at("alias"));
  assert.deepEqual((await server.request("GET", "/api/objects/notes/alias")).body, object.body);
  assert.deepEqual((await server.request("GET", "/collections/notes/alias")).body, object.body);
  const list = await server.request("GET", "/collections/notes?limit=2");
  assert.deepEqual(Object.keys(list.body), ["collection", "total", "count", "limit", "offset", "objects"]);
  assert.deepEqual([list.body.collection, list.body.count, list.body.limit, list.body.offset], ["notes", 2, 2, 0]);
  assert.equal((await server.request("POST", "/collections/notes", { body: { id: "plain", title: "x" } })).status, 201);
  assert.equal((await server.request("DELETE", "/api/objects/notes/plain")).status, 204);
  assert.ok(Array.isArray((await server.request("GET", "/collections")).body.data));
});

test("OBJ-17, OBJ-22 of many creates at once each is answered for itself", async () => {
  const to = "/api/collections/crowd";
  await server.makeCollection({ id: "crowd", schema: "note" });
  assert.equal((await create({ id: "taken", title: "x" }, to)).status, 201);
  const bodies = Array.from({ length: 150 }, (_, n) => {
    if (n % 50 === 20) return { id: "taken", title: "again" };
    if (n % 50 === 30) return { id: "twice", title: "twice" };
    if (n % 50 === 40) return { id: `untitled-${n}` };
    // Some are too large to be stored with many others.
    return { id: `one-${n}`, title: `One ${n}`, views: n, body: n % 50 < 5 ? "x".repeat(200_000) : "" };
  });
  const answers = await Promise.all(bodies.map((body) => create(body, to)));
  for (const [n, { status, body }] of answers.entries()) {
    if (n % 50 === 20) assert.deepEqual([status, body.error.details], [400, { id: ["This id is taken."] }]);
    else if (n % 50 === 40) assert.deepEqual([status, Object.keys(body.error.details)], [400, ["title"]]);
    else if (n % 50 !== 30) assert.deepEqual([status, body.data?.id], [201, `one-${n}`]);
  }
  const twice = answers.filter((_, n) => n % 50 === 30).map(({ status }) => status);
  assert.deepEqual(twice.sort(), [201, 400, 400]);
  for (const n of [0, 77, 149]) {
    const { headers, body } = await server.request("GET", `${to}/one-${n}`);
    assert.deepEqual([body.data.views, headers.get("etag")], [n, answers[n]?.headers.get("etag")]);
  }
  const list = await server.request("GET", `${to}?limit=1`);
  const settings = await server.request("GET", `${to}/settings`);
  assert.equal(list.headers.get("x-total-count"), "143");
  assert.deepEqual([settings.body.data?.totalObjects, settings.body.data?.count], [143, 143]);
});

test("FLD-46 a unique value is refused the second time, indexed or not, also when several write at once", async () => {
  await server.makeSchema({
    id: "part",
    properties: {
      sku: { type: "string", unique: true },
      code: { type: "string", unique: true },
      place: { type: "number", unique: true },
    },
    index: ["sku"],
  });
  await server.makeCollection({ id: "parts", schema: "part" });
  const make = (body: object) => server.request("POST", "/api/collections/parts", { body });
  assert.equal((await make({ id: "first", sku: "A", code: "B", place: 1 })).status, 201);
  for (const [name, value] of Object.entries({ sku: "A", code: "B", place: "1.0" })) {
    const { status, body } = await make({ [name]: value });
    assert.deepEqual([status, Object.keys(body.error.details)], [400, [name]]);
  }
  for (const other of [{ sku: "a" }, { code: "b" }, { place: 10 }, { sku: "", code: "" }, { sku: "", code: "" }])
    assert.equal((await make(other)).status, 201, JSON.stringify(other));
  const first = "/api/collections/parts/first";
  assert.equal((await server.request("PATCH", first, { body: { code: "B", sku: "A" } })).status, 200);
  assert.equal((await server.request("PATCH", first, { body: { code: "b" } })).status, 400);
  const { status, body } = await server.request("GET", "/api/collections/parts/query?filter[id]=first");
  assert.deepEqual([status, Object.keys(body.data[0])], [200, ["id", "sku", "created", "modified"]]);
  const racing = await Promise.all(Array.from({ length: 10 }, () => make({ code: "same" })));
  assert.deepEqual(racing.map((answer) => answer.status).sort(), [201, ...Array(9).fill(400)]);
});

test("OBJ-23 OBJ-24 OBJ-26 callers without a right of their own learn of no draft and no closed object (T15)", async () => {
  await server.makeSchema({
    id: "entry",
    properties: {
      id: { type: "string", field: "id", settings: { autogen: "${title}" } },
      title: { type: "string", field: "text" },
      code: { type: "string", field: "text", unique: true },
      draft: { type: "boolean", field: "toggle" },
    },
    required: ["id"],
    index: ["title", "code"],
  });
  await server.makeCollection({ id: "forms", schema: "entry", publicOperations: ["create"] });
  await server.makeCollection({ id: "board", schema: "entry", publicOperations: ["create", "read", "update"] });
  await server.makeCollection({ id: "only", schema: "entry", singleton: true, publicOperations: ["create"] });
  await server.request("POST", "/api/collections/only", { body: { title: "Only", draft: true } });
  const open = (method: string, path: string, body: unknown) => server.request(method, path, { key: null, body });
  const neutral = { error: { code: 400, message: "The values were not accepted. Change them and try again." } };
  for (const collection of ["forms", "board"]) {
    const at = `/api/collections/${collection}`;
    await server.request("POST", at, { body: { id: "merger", title: "Merger", code: "m-1", draft: true } });
    for (const body of [
      { id: "merger", title: "Merger" },
      { id: "unheard-of", title: "Unheard of" },
      { title: "Merger" },
      { title: "Unheard of" },
      { id: "../merger", title: "Merger" },
    ]) {
      const { status, body: made } = await open("POST", at, body);
      assert.equal(status, 201, JSON.stringify(made));
      assert.match(made.data.id, /^(merger|unheard-of)-[0-9a-z]{10}$/);
    }
    const rows = [
      { id: "merger", title: "Merger" },
      { id: "unheard-of-2", title: "Unheard of" },
    ];
    const imported = await open("POST", `/api/import/collections/${collection}/json`, rows);
    assert.deepEqual([imported.body.created, imported.body.skipped], [2, 0], imported.text);
    const refused = await open("POST", at, { title: "Else", code: "m-1" });
    assert.deepEqual([refused.status, refused.body], [400, neutral]);
    const inRow = await open("POST", `/api/import/collections/${collection}/json`, [{ title: "Else", code: "m-1" }]);
    assert.equal(inRow.text.includes("m-1"), false);
  }
  const singleton = await open("POST", "/api/collections/only", { title: "Second" });
  assert.deepEqual([singleton.status, singleton.body], [400, neutral]);
  const board = "/api/collections/board";
  await server.request("POST", board, { body: { id: "shown", title: "Shown" } });
  for (const id of ["merger", "unheard-of-3"]) {
    const copy = await open("POST", `${board}/shown/clone`, { id });
    assert.equal(copy.status, 200, copy.text);
    assert.match(copy.body.id, /^(merger|unheard-of-3)-[0-9a-z]{10}$/);
    const other = await open("POST", `${board}/shown/clone`, { id, collection: "forms" });
    assert.match(other.body.id, /^(merger|unheard-of-3)-[0-9a-z]{10}$/);
  }
  const changed = await open("PATCH", `${board}/shown`, { code: "m-1" });
  assert.deepEqual([changed.status, changed.body], [400, neutral]);
  const answers = await Promise.all(
    ["merger", "missing"].flatMap((id) =>
      ["*", '"1-1-1"', undefined].map(async (tag) => {
        const headers = tag === undefined ? {} : { "if-match": tag };
        const patched = await server.request("PATCH", `${board}/${id}`, { key: null, headers, body: { title: "X" } });
        return [patched.status, patched.text.replace(id, "")];
      }),
    ),
  );
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  const told = await server.request("POST", board, { body: { id: "merger", title: "Merger" } });
  assert.match(told.text, /This id is taken/);
});
