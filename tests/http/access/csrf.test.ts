// Where writes come from: the token of a session, which never becomes content, other origins, and forms.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type RequestOptions, type Server, startServer } from "../../harness.ts";
import { multipart, type Part } from "../../support/forms.ts";
import { picture } from "../../support/sample-files.ts";
import { logIn, makeUser, type Person, password, signIn } from "../../support/sign-in.ts";

let server: Server;
let root: Person;
let other: Person;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"]);
  root = await signIn(server, "root");
  other = await signIn(server, "root");
  await server.makeSchema({
    id: "line",
    properties: { id: { type: "slug" }, text: { type: "string" } },
    required: [],
    index: ["id"],
  });
  await server.makeSchema({
    id: "strict",
    additionalProperties: false,
    properties: {
      id: { type: "slug" },
      title: { type: "string" },
      views: { type: "number" },
      lines: { type: "deck", schemaref: "line" },
    },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "notes", schema: "strict", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/notes", { body: { id: "one", title: "One", views: 1 } });
});
after(() => server.stop());

const note = async () => (await server.request("GET", "/api/collections/notes/one")).body.data;

/** One of each method, and some doors that are not objects. */
const writes: [method: string, path: string, body?: object][] = [
  ["POST", "/api/collections/notes", { id: "made" }],
  ["PUT", "/api/collections/notes/one", { title: "Changed" }],
  ["PATCH", "/api/collections/notes/one", { title: "Changed" }],
  ["DELETE", "/api/collections/notes/one"],
  ["POST", "/api/objects/notes", { id: "made" }],
  ["PATCH", "/collections/notes/one", { title: "Changed" }],
  ["POST", "/api/collections/notes/one/views/increment"],
  ["POST", "/api/collections/notes/one/lines/deck", { text: "x" }],
  ["POST", "/api/collections/notes/one/clone", { id: "made" }],
  ["POST", "/api/collections", { id: "made", schema: "strict" }],
  ["DELETE", "/api/collections/notes?confirm=notes"],
  ["DELETE", "/api/schemas/line"],
  ["PUT", "/api/settings/htmlclean", { enabled: false }],
  ["POST", "/api/auth/logout"],
  ["POST", "/api/auth/impersonate/root"],
  ["POST", "/api/auth/impersonate/stop"],
  ["DELETE", "/api/auth/sessions/000000000000"],
];

test("CSRF-1, CSRF-2, CSRF-8 a write by session without its own token is 403, and nothing happens (T57)", async () => {
  const before = await note();
  const tokens: [name: string, headers: Record<string, string>, field?: unknown][] = [
    ["none", {}],
    ["empty header", { "x-csrf-token": "" }],
    ["another session's", { "x-csrf-token": other.token }],
    ["cut short", { "x-csrf-token": root.token.slice(0, -1) }],
    ["twice", { "x-csrf-token": `${root.token}, ${root.token}` }],
    ["the cookie itself", { "x-csrf-token": root.cookie.slice("cairn_session=".length) }],
    ["another session's in the body", {}, other.token],
    ["empty in the body", {}, ""],
    ["a list", {}, [root.token]],
    ["an object", {}, { token: root.token }],
    ["a wrong header beside the right field", { "x-csrf-token": "wrong" }, root.token],
    ["another name", { "csrf-token": root.token, "x-xsrf-token": root.token }],
    ["in another cookie", { cookie: `${root.cookie}; csrf_token=${root.token}` }],
  ];
  for (const [name, headers, field] of tokens) {
    for (const [method, path, body] of writes) {
      const sent = field === undefined ? body : { ...body, csrf_token: field };
      const options = { key: null, headers: { cookie: root.cookie, ...headers }, ...(sent && { body: sent }) };
      const { status } = await server.request(method, path, options);
      assert.equal(status, 403, `${name}: ${method} ${path}`);
    }
  }
  const inQuery = `/api/collections/notes/one?csrf_token=${root.token}&x-csrf-token=${root.token}`;
  const options = { key: null, headers: { cookie: root.cookie }, body: { title: "Changed" } };
  assert.equal((await server.request("PATCH", inQuery, options)).status, 403);
  assert.deepEqual(await note(), before);
  assert.equal((await server.request("HEAD", "/api/collections/notes/made")).status, 404);
  assert.equal((await root.request("GET", "/api/auth/session")).status, 200);
});

test("CSRF-1 header or field, for each method (T57)", async () => {
  for (const byField of [false, true]) {
    const send = (method: string, path: string, body: object = {}) =>
      server.request(method, path, {
        key: null,
        headers: { cookie: root.cookie, ...(!byField && { "x-csrf-token": root.token }) },
        body: byField ? { ...body, csrf_token: root.token } : body,
      });
    assert.equal((await send("POST", "/api/collections/notes", { id: "tmp" })).status, 201);
    assert.equal((await send("PUT", "/api/collections/notes/tmp", { title: "a" })).status, 200);
    assert.equal((await send("PATCH", "/api/collections/notes/tmp", { title: "b" })).status, 200);
    assert.equal((await send("DELETE", "/api/collections/notes/tmp")).status, 204);
  }
});

test("CSRF-3, CSRF-4 reads need no token, and keys never do", async () => {
  const headers = { cookie: root.cookie };
  for (const method of ["GET", "HEAD"]) {
    assert.equal((await server.request(method, "/api/collections/notes/one", { key: null, headers })).status, 200);
  }
  const body = { title: "One" };
  assert.equal((await server.request("PATCH", "/api/collections/notes/one", { body })).status, 200);
  assert.equal((await server.request("PATCH", "/api/collections/notes/one", { body, headers })).status, 200);
  const bearer = { ...headers, authorization: `Bearer ${server.key}` };
  const answer = await server.request("PATCH", "/api/collections/notes/one", { key: null, body, headers: bearer });
  assert.equal(answer.status, 200);
  const { key } = await server.makeKey({ methods: ["GET"] });
  assert.equal((await server.request("PATCH", "/api/collections/notes/one", { key, body, headers })).status, 401);
});

test("CSRF-5 the field is never content (T8)", async () => {
  const csrf_token = root.token;
  const send = (method: string, path: string, body: object, headers = {}) =>
    server.request(method, path, { key: null, headers: { cookie: root.cookie, ...headers }, body });
  const answers = [
    await send("POST", "/api/collections/notes", { id: "two", title: "Two", csrf_token }),
    await send("PATCH", "/api/collections/notes/two", { title: "Zwei", csrf_token }),
    await send("PUT", "/api/collections/notes/two", { title: "Zwei", csrf_token }),
    await send("PATCH", "/api/collections/notes/two", { title: "2", csrf_token }, { "x-csrf-token": root.token }),
    await send("POST", "/api/collections/notes/two/lines/deck", { id: "l1", text: "x", csrf_token }),
    await send("PUT", "/api/collections/notes/two/lines/deck/l1", { text: "y", csrf_token }),
    await send("PUT", "/api/settings/htmlclean", { enabled: true, csrf_token }),
  ];
  for (const { status, text } of answers) assert.ok(status < 300 && !text.includes("csrf"), text);
  const clone = await send("POST", "/api/collections/notes/two/clone", { csrf_token });
  assert.deepEqual([clone.status, clone.body.id], [200, "two"]);
  const { text } = await server.request("GET", "/api/collections/notes/two");
  assert.equal(text.includes("csrf"), false);
  assert.match(text, /"title":"2"/);
});

test("CSRF-6 JSON sent as something else is 415 (T57)", async () => {
  const raw = JSON.stringify({ title: "Changed", csrf_token: root.token });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"]) {
    const headers = { cookie: root.cookie, "content-type": type };
    const { status } = await server.request("PATCH", "/api/collections/notes/one", { key: null, raw, headers });
    assert.equal(status, 415, type);
  }
  assert.equal((await note()).title, "One");
});

test("CSRF-7 a form with a file takes the field, before the file or after it, and it is not content (T8, T57)", async () => {
  const field = (value: string) => ({ field: "csrf_token", value });
  const token = field(root.token);
  const image = { field: "image", name: "a.png", bytes: await picture(2, 2, { format: "png" }) };
  const file = { field: "file", name: "a.png", bytes: image.bytes };
  const rows = (id: string) => ({ field: "json", name: "a.json", bytes: `[{"id":"${id}"}]` });
  const jumpstart = { field: "jumpstart", name: "j.json", bytes: '{"version":"1.0.0","objects":[]}' };
  const schema = { field: "schema", name: "s.json", bytes: '{"id":"sent","properties":{},"required":[],"index":[]}' };
  const post = (path: string, parts: Part[]) => {
    const form = multipart(parts);
    return server.request("POST", path, { ...form, key: null, headers: { ...form.headers, cookie: root.cookie } });
  };
  await server.makeCollection({ id: "pics", schema: "image" });
  await server.request("POST", "/api/collections/pics", { body: { id: "p" } });
  const untouched = (await server.request("GET", "/api/collections/pics/p")).text;
  const chunk = ["dzchunkindex", "dztotalchunkcount", "dzuuid"].map((name, at) => ({ field: name, value: String(at) }));
  for (const [path, part] of [
    ["/api/collections/pics/p/image", image],
    ["/api/upload/pics/p/image", file],
    ["/api/import/collections/notes/json", rows("imported")],
    ["/api/import/jumpstart", jumpstart],
    ["/api/import/schemas", schema],
  ] as [string, Part][]) {
    for (const parts of [
      [part],
      [field(""), part],
      [part, field(other.token)],
      [field(other.token), part],
      [...chunk, part],
    ])
      assert.equal((await post(path, parts)).status, 403, `${path} ${parts.map((one) => one.field)}`);
    assert.equal((await post(`${path}?csrf_token=${root.token}`, [part])).status, 403, path);
  }
  assert.equal((await post("/api/import/jumpstart?demo=true", [jumpstart])).status, 403);
  assert.equal((await post("/api/collections/pics/p/alt", [image])).status, 403);
  assert.equal((await post("/api/collections/pics/p/alt", [token, image])).status, 404);
  assert.equal((await post("/api/collections/pics/p/image", [...chunk, image, token])).status, 403);
  assert.equal((await server.request("GET", "/api/collections/pics/p")).text, untouched);
  assert.equal((await server.request("HEAD", "/api/collections/notes/imported")).status, 404);
  for (const [path, ...parts] of [
    ["/api/collections/pics/p/image", token, image],
    ["/api/collections/pics/p/image", image, token],
    ["/api/upload/pics/p/image", file, token],
    ["/api/import/collections/notes/json", token, rows("first")],
    ["/api/import/collections/notes/json", rows("second"), token],
    ["/api/import/jumpstart", jumpstart, token],
    ["/api/import/schemas", schema, token],
  ] as [string, ...Part[]][]) {
    const { status, text } = await post(path, parts);
    assert.equal(status, 200, `${path} ${text}`);
    assert.ok(!text.includes("csrf"), text);
  }
  assert.ok(!(await server.request("GET", "/api/collections/notes/first")).text.includes("csrf"));
});

test("CSRF-7 of imports, definitions take the field in their JSON, a bare file the header alone (T8)", async () => {
  const csrf_token = root.token;
  const send = (path: string, body: unknown) =>
    server.request("POST", path, { key: null, headers: { cookie: root.cookie }, body });
  const factory = "/api/import/collections/notes/factory";
  assert.equal((await send(factory, { title: "word" })).status, 403);
  assert.equal((await send("/api/import/jumpstart", { version: "1.0.0" })).status, 403);
  assert.equal((await send("/api/import/jumpstart?demo=true", undefined)).status, 403);
  assert.equal((await send("/api/import/collections/notes/json", [{ id: "bare", csrf_token }])).status, 403);
  const made = await send(factory, { id: "made-up", title: "word", csrf_token });
  assert.deepEqual([made.status, made.text.includes("csrf")], [200, false], made.text);
  assert.equal((await send("/api/import/jumpstart", { version: "1.0.0", objects: [], csrf_token })).status, 200);
  const schema = { id: "sent-too", properties: {}, required: [], index: [], csrf_token };
  const saved = await send("/api/import/schemas", schema);
  assert.deepEqual([saved.status, saved.text.includes("csrf")], [200, false], saved.text);
  const bare = await root.request("POST", "/api/import/collections/notes/json", { body: [{ id: "bare" }] });
  assert.deepEqual([bare.status, bare.body.created], [200, 1]);
});

test("CSRF-8 login needs no token, also from within a session", async () => {
  const person = await signIn(server, "root");
  assert.equal((await logIn(server, { email: "root", password }, { cookie: person.cookie })).status, 200);
});

const front = "https://front.example";
const preflight = (path: string, method: string, headers: Record<string, string> = {}) =>
  server.request("OPTIONS", path, {
    key: null,
    headers: { origin: front, "access-control-request-method": method, ...headers },
  });
const corsOf = ({ headers }: Pick<Answer, "headers">) => headers.keys().filter((name) => /^access-control/.test(name));

test("HTTP-44, HTTP-42 listed origins may write, with a key, a preflight that is kept, and errors that can be read", async () => {
  const path = "/api/collections/notes/cross";
  const put = (headers: Record<string, string>, body: object = { title: "Cross" }, key?: string | null) =>
    server.request("PUT", path, { headers, body, ...(key !== undefined && { key }) });
  await server.request("POST", "/api/collections/notes", { body: { id: "cross" } });
  const closed = [
    [path, "PUT"],
    ["/api/collections/notes", "POST"],
    ["/api/bulk/notes", "POST"],
  ] as const;
  for (const [where, method] of closed) assert.deepEqual(corsOf(await preflight(where, method)), [], where);
  await server.setSetting("cors.origins", [front]);
  const asked = await preflight(path, "PUT", { "access-control-request-headers": "if-match,x-api-key" });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get("access-control-allow-methods"), "GET, HEAD, DELETE, PATCH, PUT");
  assert.equal(asked.headers.get("access-control-max-age"), "86400");
  assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Authorization.*If-Match.*X-API-Key/);
  const done = await put({ origin: front });
  assert.deepEqual(
    [done.status, done.headers.get("access-control-allow-origin"), done.headers.get("vary")],
    [200, front, "Origin"],
  );
  assert.match(done.headers.get("access-control-expose-headers") ?? "", /ETag.*Location/);
  const wrong = await put({ origin: front }, { title: "Cross" }, null);
  assert.deepEqual([wrong.status, wrong.headers.get("access-control-allow-origin")], [401, front]);
  for (const origin of ["https://evil.example", "null", `${front}:444`, `${front}.evil.example`]) {
    const foreign = await put({ origin });
    assert.deepEqual(corsOf(foreign), [], origin);
    const refused = await preflight(path, "PUT", { origin });
    assert.deepEqual(corsOf(refused), [], origin);
  }
  const hook = await preflight("/automations/contact", "POST");
  assert.deepEqual(
    [hook.headers.get("access-control-allow-origin"), hook.headers.get("access-control-allow-methods")],
    [front, "POST"],
  );
  await server.setSetting("cors.methods", ["POST"]);
  assert.deepEqual(corsOf(await preflight(path, "PUT")), []);
  assert.deepEqual(corsOf(await put({ origin: front })), []);
  await server.setSetting("cors.methods", null);
  await server.setSetting("cors.origins", ["*"]);
  const any = await put({ origin: "https://other.example" });
  assert.equal(any.headers.get("access-control-allow-origin"), "*");
  assert.equal(any.headers.get("access-control-allow-credentials"), null);
  await server.setSetting("cors.origins", null);
});

test("HTTP-45 sessions, sign-in and pages stay closed to other origins", async () => {
  await server.setSetting("cors.origins", ["*"]);
  const headers = { origin: front, cookie: "cairn_session=abc" };
  const withCookie = await server.request("PATCH", "/api/collections/notes/one", { key: null, headers, body: {} });
  assert.deepEqual([withCookie.status, ...corsOf(withCookie)], [401]);
  for (const path of ["/api/auth/login", "/api/passkeys/login", "/login", "/setup", "/oauth/authorize"]) {
    const asked = await preflight(path, "POST");
    assert.deepEqual(corsOf(asked), [], path);
    const sent = await server.request("POST", path, { key: null, headers: { origin: front }, body: {} });
    assert.deepEqual(corsOf(sent), [], path);
  }
  await server.setSetting("cors.origins", null);
});

test("HTTP-46 what is no origin, and unknown methods, are refused", async () => {
  for (const wrong of [
    "https://a.example/",
    "a.example",
    "null",
    "https://*.example",
    "https://A.example",
    "ftp://a.example",
  ]) {
    const answer = await server.request("PUT", "/api/settings/cors", { body: { origins: [wrong] } });
    assert.equal(answer.status, 400, wrong);
    assert.match(answer.text, /cors\.origins must be a list of origins/);
  }
  assert.equal((await server.request("PUT", "/api/settings/cors", { body: { methods: ["OPTIONS"] } })).status, 400);
});

test("HTTP-41 lists of readers make answers depend on the origin, also without one", async () => {
  await server.setSetting("api.corsOrigins", ["https://a.test"]);
  const plain = await server.request("GET", "/api/collections/notes");
  await server.setSetting("api.corsOrigins", null);
  assert.equal(plain.headers.get("vary"), "Origin");
});

const urlencoded = (fields: string, headers: Record<string, string> = {}): RequestOptions => ({
  key: null,
  raw: fields,
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
});
const post = (options: RequestOptions) => server.request("POST", "/api/collections/letters", options);

async function makeLetters(): Promise<void> {
  await server.makeSchema({
    id: "place",
    properties: { street: { type: "string" }, town: { type: "string" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "letter",
    properties: {
      id: { type: "slug" },
      title: { type: "string" },
      body: { type: "string" },
      age: { type: "number" },
      news: { type: "boolean" },
      topics: { type: "list" },
      place: { type: "card", schemaref: "place" },
    },
    required: ["title"],
    index: ["id"],
  });
  await server.makeCollection({ id: "letters", schema: "letter", publicOperations: ["create", "read"] });
}

test("HTTP-47 creating takes forms, and reads texts by the schema", async () => {
  await makeLetters();
  const plain = await post(
    urlencoded("title=A+letter&body=one%0D%0Atwo&age=7&news=on&topics=a&topics=b&place%5Bstreet%5D=Elm&place[town]=Y"),
  );
  assert.equal(plain.status, 201, plain.text);
  const { id: _id, created: _c, updated: _u, ...values } = plain.body.data;
  assert.equal(values.title, "A letter");
  assert.equal(values.body, "one\ntwo");
  assert.deepEqual([values.age, values.news, values.topics], [7, true, ["a", "b"]]);
  assert.deepEqual(values.place, { street: "Elm", town: "Y" });
  assert.match(plain.headers.get("location") ?? "", /\/api\/collections\/letters\//);
  const parts = multipart([
    { field: "title", value: "Parts" },
    { field: "topics[]", value: "c" },
    { field: "picture", name: "", bytes: "" },
  ]);
  const sent = await post({ ...parts, key: null });
  assert.deepEqual([sent.status, sent.body.data?.title, sent.body.data?.topics], [201, "Parts", ["c"]]);
  const withKey = await server.request("POST", "/api/collections/letters", {
    ...multipart([{ field: "title", value: "K" }]),
  });
  assert.equal(withKey.status, 201);
  const refused: [string, RequestOptions, number, RegExp][] = [
    ["invalid value", urlencoded("title=x&age=old"), 400, /"age"/],
    ["missing", urlencoded("age=1"), 400, /"title"/],
    ["name", urlencoded("title=x&__proto__=1"), 400, /cannot be read/],
    ["deep name", urlencoded("title=x&a[b][c]=1"), 400, /cannot be read/],
    ["many", urlencoded(`title=x${"&a=1".repeat(500)}`), 400, /500 fields/],
    ["large", urlencoded(`title=${"x".repeat(300_000)}`), 413, /larger/],
    ["file", { ...multipart([{ field: "picture", name: "a.png", bytes: "x" }]), key: null }, 400, /"picture"/],
    [
      "broken",
      { key: null, raw: "x", headers: { "content-type": "multipart/form-data; boundary=a" } },
      400,
      /cannot be read/,
    ],
    ["closed", urlencoded("title=x"), 401, /Authentication/],
  ];
  for (const [name, options, status, message] of refused) {
    const path = name === "closed" ? "/api/collections/notes" : "/api/collections/letters";
    const answer = await server.request("POST", path, options);
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
    assert.match(answer.text, message, name);
  }
  const patched = await server.request("PATCH", `/api/collections/letters/${plain.body.data.id}`, {
    ...urlencoded("title=y"),
    key: server.key,
  });
  assert.equal(patched.status, 415);
  assert.equal((await server.request("GET", "/api/collections/letters")).body.data.length, 3);
});

test("HTTP-48 a form of another origin needs its permission, and never acts for a session", async () => {
  const from = (origin: string, more: Record<string, string> = {}) => post(urlencoded("title=x", { origin, ...more }));
  const page = "https://front.example";
  assert.equal((await from(page)).status, 403);
  assert.equal((await from("null")).status, 403);
  assert.equal((await post(urlencoded("title=x", { "sec-fetch-site": "cross-site" }))).status, 403);
  assert.equal((await from(server.url)).status, 201);
  const own = { cookie: root.cookie, "sec-fetch-site": "same-origin" };
  assert.equal((await from(server.url, own)).status, 403);
  assert.equal(
    (await post(urlencoded(`title=x&csrf_token=${root.token}`, { origin: server.url, ...own }))).status,
    201,
  );
  await server.setSetting("cors.origins", [page]);
  const sent = await from(page, { "sec-fetch-site": "cross-site" });
  assert.deepEqual([sent.status, sent.headers.get("access-control-allow-origin")], [201, page]);
  assert.equal((await from("https://evil.example")).status, 403);
  for (const token of ["", `&csrf_token=${root.token}`]) {
    const answer = await post(urlencoded(`title=x${token}`, { origin: page, cookie: root.cookie }));
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [403, null]);
  }
  await server.setSetting("cors.methods", ["GET"]);
  assert.equal((await from(page)).status, 403);
  await server.setSetting("cors.methods", null);
  await server.setSetting("cors.origins", null);
  assert.equal((await server.request("GET", "/api/collections/letters")).body.data.length, 6);
});
