// Routes of extensions: who may call them, what their code is given, and what is left of their answers.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type RequestOptions, type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { connect, makeClient, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const accesses = ["public", "user", "group", "key", "admin"] as const;

const routes = [
  ...accesses.map((access) => ({ name: access, method: "GET", path: `/${access}`, access })),
  ...accesses.map((access) => ({
    name: `${access}-scoped`,
    method: "GET",
    path: `/scoped/${access}`,
    access,
    scope: "cms:write",
  })),
  { name: "write", method: "POST", path: "/user", access: "user" },
  { name: "echo", method: "POST", path: "/echo/{id}", access: "public" },
  { name: "answer", method: "POST", path: "/answer", access: "public" },
  { name: "bytes", method: "POST", path: "/bytes", access: "public" },
  { name: "few", method: "GET", path: "/few", access: "public", limit: 2 },
  {
    name: "typed",
    method: "POST",
    path: "/typed",
    access: "public",
    input: { type: "object", required: ["n"], properties: { n: { type: "number" } } },
    output: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
  },
];

const code = `export function register(cairn) {
  for (const name of ${JSON.stringify([...accesses, ...accesses.map((name) => `${name}-scoped`), "write", "few"])})
    cairn.route(name, async (call) => ({ body: { actor: call.actor.kind } }));
  cairn.route("echo", async ({ method, path, params, query, headers, body }) => ({ body: { method, path, params, query, headers, body } }));
  cairn.route("answer", async ({ body }) => body);
  cairn.route("bytes", async () => ({ headers: { "x-dropped": "1" }, body: crypto.getRandomValues(new Uint8Array(64)) }));
  cairn.route("typed", async ({ body }) => ({ body }));
}`;

let server: Server;
let people: Record<"admin" | "member" | "other", Person>;

before(async () => {
  server = await startServer({ hasOAuth: true });
  for (const id of ["acme/doors", "acme/next"])
    writeExtension(join(server.dataDir, "extensions"), {
      id,
      manifest: { contributes: { routes } },
      files: { "index.ts": code },
    });
  await enableExtension(server, "acme/doors");
  await enableExtension(server, "acme/next");
  const permissions = { extensions: { all: false, allowed: ["acme/doors"] } };
  await server.request("POST", "/api/access-groups", { body: { id: "members", permissions } });
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "member", ["members"]);
  await makeUser(server, "other", ["viewer"]);
  people = {
    admin: await signIn(server, "boss"),
    member: await signIn(server, "member"),
    other: await signIn(server, "other"),
  };
});
after(() => server.stop());

type Caller = (method: string, path: string, options?: RequestOptions) => Promise<{ status: number }>;

/** The statuses in the order of `accesses`. */
async function statuses(caller: Caller, below = "acme/doors"): Promise<number[]> {
  const found: number[] = [];
  for (const access of accesses) found.push((await caller("GET", `/api/ext/${below}/${access}`)).status);
  return found;
}

const nobody: Caller = (method, path, options) => server.request(method, path, { key: null, ...options });

async function keyFor(endpoints: string[], more: object = {}): Promise<Caller> {
  const body = { name: endpoints.join(), methods: ["GET", "POST"], endpoints, ...more };
  const answer = await server.request("POST", "/api/apikeys", { body });
  assert.equal(answer.status, 201, answer.text);
  return (method, path, options) => server.request(method, path, { ...options, key: answer.body.data.key });
}

test("EXT-50 routes open by what their manifest says: to everybody, users, groups, keys or administrators", async () => {
  assert.deepEqual(await statuses(nobody), [200, 401, 401, 401, 401]);
  assert.deepEqual(await statuses(people.other.request), [200, 200, 403, 403, 403]);
  assert.deepEqual(await statuses(people.member.request), [200, 200, 200, 403, 403]);
  assert.deepEqual(await statuses(people.member.request, "acme/next"), [200, 200, 403, 403, 403]);
  assert.deepEqual(await statuses(people.admin.request), [200, 200, 200, 200, 200]);
  assert.deepEqual(await statuses(server.request.bind(server)), [200, 200, 200, 200, 200]);
});

test("EXT-51 a limited key calls routes by an endpoint that names them, and none for administrators", async () => {
  const granted = [200, 200, 200, 200, 401];
  const closed = [401, 401, 401, 401, 401];
  assert.deepEqual(await statuses(await keyFor(["/ext"])), granted);
  const one = await keyFor(["/ext/acme/doors"]);
  assert.deepEqual(await statuses(one), granted);
  assert.deepEqual(await statuses(one, "acme/next"), closed);
  const below = await keyFor(["/ext/acme/doors/key", "/collections"]);
  assert.deepEqual(await statuses(below), [401, 401, 401, 200, 401]);
  for (const endpoint of ["/collections", "/extensions", "/mcp"])
    assert.deepEqual(await statuses(await keyFor([endpoint])), closed, endpoint);
  assert.deepEqual(await statuses(await keyFor(["*"], { published: true })), [200, 401, 401, 401, 401]);
  const reading = await keyFor(["/ext"], { methods: ["GET"] });
  assert.equal((await reading("POST", "/api/ext/acme/doors/user", { body: {} })).status, 401);
});

test("EXT-52 a token needs the scope that the route declares; where none is, the route is closed to tokens", async () => {
  const client = await makeClient(server);
  const tokenOf = async (person: Person, scope: string): Promise<Caller> => {
    const { accessToken } = await connect(server, person, { client, scope });
    return (method, path, options) => withToken(server, accessToken, method, path, options);
  };
  const none = [403, 403, 403, 403, 403];
  const admin = await tokenOf(people.admin, "cms:admin");
  assert.deepEqual(await statuses(admin), none);
  assert.deepEqual(await statuses(admin, "acme/doors/scoped"), [200, 200, 200, 200, 200]);
  assert.deepEqual(await statuses(await tokenOf(people.admin, "cms:read"), "acme/doors/scoped"), none);
  const member = await tokenOf(people.member, "cms:write");
  assert.deepEqual(await statuses(member), none);
  assert.deepEqual(await statuses(member, "acme/doors/scoped"), [200, 200, 200, 403, 403]);
  assert.deepEqual(await statuses(member, "acme/next/scoped"), [200, 200, 403, 403, 403]);
});

test("EXT-53 a session that writes needs its CSRF token, and other methods of a path are 405", async () => {
  const write = (headers: Record<string, string>) =>
    server.request("POST", "/api/ext/acme/doors/user", { key: null, body: {}, headers });
  const { cookie, token } = people.other;
  assert.equal((await write({ cookie })).status, 403);
  assert.equal((await write({ cookie, "x-csrf-token": "wrong" })).status, 403);
  assert.equal((await write({ cookie, "x-csrf-token": token })).status, 200);
  const other = await server.request("DELETE", "/api/ext/acme/doors/user", { key: null });
  assert.deepEqual([other.status, other.headers.get("allow")], [405, "GET, POST"]);
  assert.equal((await nobody("DELETE", "/api/ext/acme/doors/nothing")).status, 404);
});

test("EXT-54 the code is given the request without cookies and credentials", async () => {
  const { body } = await server.request("POST", "/api/ext/acme/doors/echo/7?q=1", {
    body: { a: 1, csrf_token: people.other.token },
    key: null,
    headers: {
      cookie: people.other.cookie,
      "x-csrf-token": people.other.token,
      "x-own": "kept",
    },
  });
  assert.deepEqual(
    [body.method, body.path, body.params, body.query, body.body],
    ["POST", "/echo/7", { id: "7" }, { q: "1" }, { a: 1 }],
  );
  assert.equal(body.headers["x-own"], "kept");
  const byKey = await server.request("POST", "/api/ext/acme/doors/echo/7", { body: {} });
  for (const { headers } of [body, byKey.body])
    for (const name of ["cookie", "authorization", "x-api-key", "x-csrf-token", "connection", "transfer-encoding"])
      assert.equal(name in headers, false, name);
});

test("HTTP-110 EXT-55 bytes that an extension answered are repeated as they were, with their policy", async () => {
  const send = async () => {
    const headers = { "x-api-key": server.key, "idempotency-key": "bytes-once" };
    const answer = await fetch(`${server.url}/api/ext/acme/doors/bytes`, { method: "POST", headers });
    const { status } = answer;
    const names = ["content-type", "content-security-policy"].map((name) => answer.headers.get(name));
    return { status, names, bytes: Buffer.from(await answer.arrayBuffer()).toString("hex") };
  };
  const first = await send();
  assert.deepEqual([first.status, first.bytes.length], [200, 128]);
  assert.match(first.names[1] ?? "", /sandbox/);
  assert.deepEqual(await send(), first);
});

test("EXT-55 answers that are not valid fail, and headers that act for the site are dropped", async () => {
  const answer = (body: object) => server.request("POST", "/api/ext/acme/doors/answer", { key: null, body });
  for (const bad of [
    { status: 199 },
    { status: 600 },
    { status: 200.5 },
    { status: "200" },
    { headers: { "a b": "c" } },
    { headers: { a: "b\r\nset-cookie: c=d" } },
    { headers: { a: {} } },
    { headers: "a" },
    [],
  ]) {
    const { status, body } = await answer(bad);
    assert.deepEqual([status, body.error.message], [500, "The extension acme/doors failed."], JSON.stringify(bad));
  }
  const { headers, ...rest } = await answer({
    status: 201,
    headers: {
      "Set-Cookie": "a=b",
      "content-security-policy": "default-src *",
      "access-control-allow-origin": "https://elsewhere.test",
      Location: "//elsewhere.test/",
      "content-type": "text/html",
      "x-own": "kept",
    },
    body: "<p>",
  });
  assert.deepEqual([rest.status, rest.text, headers.get("content-type")], [201, "<p>", "text/html"]);
  assert.deepEqual(
    ["set-cookie", "access-control-allow-origin", "location", "x-own"].map((name) => headers.get(name)),
    [null, null, null, "kept"],
  );
  assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none';.* sandbox$/);
  for (const location of ["/here", `${server.url}/here`])
    assert.equal((await answer({ status: 302, headers: { location } })).headers.get("location"), location);
  for (const location of ["https://elsewhere.test/", "/\\elsewhere.test", "javascript:alert(1)"])
    assert.equal((await answer({ status: 302, headers: { location } })).headers.get("location"), null);
  assert.deepEqual([(await answer({ status: 204 })).status, (await answer({ status: 204 })).text], [204, ""]);
});

test("EXT-56 bodies and answers are checked by the schemas of the manifest", async () => {
  const typed = (body: object) => server.request("POST", "/api/ext/acme/doors/typed", { key: null, body });
  assert.deepEqual((await typed({ n: 1 })).body, { n: 1 });
  const wrong = await typed({ n: "one" });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.error.details)], [400, ["n"]]);
  assert.equal((await typed({ n: 1.5 })).status, 500);
});

test("EXT-57 a route with a limit answers 429 to an address that calls it more often in a minute", async () => {
  const found: number[] = [];
  // A window may end in between; two windows hold four.
  for (let calls = 0; calls < 5; calls += 1) found.push((await nobody("GET", "/api/ext/acme/doors/few")).status);
  assert.deepEqual([found[0], found.includes(429)], [200, true]);
  assert.equal((await nobody("GET", "/api/ext/acme/doors/public")).status, 200);
});

test("EXT-58 everybody may have the JSON Schema of manifests", async () => {
  const { status, headers, body } = await server.request("GET", "/schemas/extension.json", { key: null });
  assert.deepEqual([status, body.$id], [200, "/schemas/extension.json"]);
  assert.match(headers.get("content-type") ?? "", /^application\/schema\+json/);
});
