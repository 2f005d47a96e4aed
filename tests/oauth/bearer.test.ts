// Access tokens on REST: what counts as one, what it opens, and how soon it stops.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { logLines } from "../support/audit-lines.ts";
import { type Client, claimsOf, connect, makeClient, refresh, withToken } from "../support/oauth-app.ts";
import { upload } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let client: Client;
let admin: Person;
let editor: Person;

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } } });
  await server.makeSchema({
    id: "note",
    properties: { id: { type: "slug" }, title: { type: "string" }, draft: { type: "boolean" }, doc: { type: "file" } },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "closed", schema: "note" });
  await server.makeCollection({ id: "shown", schema: "note", publicOperations: ["read"] });
  for (const id of ["closed", "shown"])
    await server.request("POST", `/api/collections/${id}`, { body: { id: "one", title: "One" } });
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "edith", ["editor"]);
  client = await makeClient(server);
  admin = await signIn(server, "boss");
  editor = await signIn(server, "edith");
});
after(() => server.stop());

const tokenOf = async (person: Person, scope: string) => (await connect(server, person, { client, scope })).accessToken;
const statusOf = async (token: string, path: string, method = "GET", body?: object) =>
  (await withToken(server, token, method, path, body ? { body } : {})).status;
const closed = "/api/collections/closed";
const one = `${closed}/one`;

/** Records of one type, newest last. */
function records(type: string): string[] {
  return logLines(server, "mcp.log").filter((line) => line.includes(`"type":"${type}"`));
}

test("TOK-1 a token counts in the Authorization header alone (T97)", async () => {
  const token = await tokenOf(editor, "cms:read");
  assert.equal(await statusOf(token, one), 200);
  const send = (path: string, headers: Record<string, string> = {}) =>
    server.request("GET", path, { key: null, headers });
  for (const path of [one, "/api/collections/shown/one"]) {
    assert.equal((await send(`${path}?access_token=${token}`)).status, 401);
    assert.equal((await send(`${path}?api_key=${token}`)).status, 401);
    assert.equal((await send(`${path}?access_token=${token}`, { authorization: `Bearer ${token}` })).status, 401);
    assert.equal((await send(path, { "x-api-key": token })).status, 401);
    assert.equal((await send(path, { "x-api-key": token, authorization: `Bearer ${token}` })).status, 401);
    assert.equal((await send(path, { authorization: `Basic ${token}` })).status, 401);
    assert.equal((await send(path, { authorization: `Bearer ${token} ${token}` })).status, 401);
  }
  assert.equal((await send(one, { authorization: `bearer  ${token}` })).status, 200);
});

test("HTTP-44 an application in a browser writes with its token from a listed origin", async () => {
  const origin = "https://app.example";
  const token = await tokenOf(editor, "cms:read cms:write");
  const patch = () => withToken(server, token, "PATCH", one, { body: { title: "From afar" }, headers: { origin } });
  assert.equal((await patch()).headers.get("access-control-allow-origin"), null);
  await server.setSetting("cors.origins", [origin]);
  const asked = await server.request("OPTIONS", one, {
    key: null,
    headers: {
      ...{ origin, "access-control-request-method": "PATCH" },
      "access-control-request-headers": "authorization,content-type",
    },
  });
  assert.match(asked.headers.get("access-control-allow-methods") ?? "", /PATCH/);
  assert.match(asked.headers.get("access-control-allow-headers") ?? "", /Authorization, Content-Type/);
  const done = await patch();
  assert.deepEqual([done.status, done.headers.get("access-control-allow-origin")], [200, origin]);
  await server.setSetting("cors.origins", null);
  await server.request("PATCH", one, { body: { title: "One" } });
});

test("TOK-14 a token with a resource opens that resource only, and one without opens both", async () => {
  const scope = "cms:read mcp:tools";
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
  for (const [resource, api, mcp] of [
    [undefined, true, true],
    ["", true, true],
    ["/", true, true],
    ["/api", true, false],
    ["/mcp", false, true],
  ] as const) {
    const asked = resource === undefined ? {} : { resource: server.url + resource };
    const { accessToken } = await connect(server, editor, { client, scope, ...asked });
    // Twice: what was found out about a token is kept.
    for (let time = 0; time < 2; time += 1) {
      for (const path of [one, "/collections/closed/one", "/api/report/collections/closed/json?fields=id"])
        assert.equal(await statusOf(accessToken, path), api ? 200 : 401, `${resource}: ${path}`);
      const atMcp = await withToken(server, accessToken, "POST", "/mcp", { body, headers });
      assert.equal(atMcp.status === 401, !mcp, `${resource}: /mcp ${atMcp.status}`);
    }
  }
});

test("TOK-6 a token that does not hold is 401 everywhere, whatever comes with it (T58, T59)", async () => {
  const junk = { authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA" };
  for (const headers of [junk, { ...junk, cookie: admin.cookie }, { ...junk, "x-api-key": server.key }]) {
    for (const path of [one, "/api/collections/shown/one"]) {
      const answer = await server.request("GET", path, { key: null, headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.body.error.code, 401);
    }
  }
  const { headers } = await server.request("GET", one, { key: null, headers: junk });
  assert.match(headers.get("www-authenticate") ?? "", /^Bearer .*error="invalid_token"/);
  const write = await server.request("DELETE", one, { key: null, headers: { ...junk, cookie: admin.cookie } });
  assert.equal(write.status, 401);
});

test("TOK-7 a write by token needs no CSRF token, and a cookie beside it changes nothing", async () => {
  const token = await tokenOf(editor, "cms:read cms:write");
  assert.equal(await statusOf(token, one, "PATCH", { title: "Two" }), 200);
  const headers = { cookie: admin.cookie };
  const answer = await withToken(server, token, "PATCH", "/api/collections/auth/boss", {
    body: { name: "x" },
    headers,
  });
  assert.equal(answer.status, 403);
});

test("TOK-24 TOK-25 a request without the scope is 403, says which one it takes, and is recorded (T97)", async () => {
  const before = records("scope.rejected").length;
  const token = await tokenOf(admin, "cms:read");
  const answer = await withToken(server, token, "PATCH", one, { body: { title: "x" } });
  assert.equal(answer.status, 403);
  assert.equal(answer.body.error.code, 403);
  assert.match(
    answer.headers.get("www-authenticate") ?? "",
    /^Bearer .*error="insufficient_scope", scope="cms:write"$/,
  );
  const schemas = await withToken(server, token, "GET", "/api/schemas");
  assert.match(schemas.headers.get("www-authenticate") ?? "", /scope="cms:admin"/);
  const keys = await withToken(server, token, "GET", "/api/apikeys");
  assert.equal(keys.status, 403);
  assert.match(keys.headers.get("www-authenticate") ?? "", /error="insufficient_scope"$/);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const atMcp = await withToken(server, token, "POST", "/mcp", {
    body: ping,
    headers: { accept: "application/json, text/event-stream" },
  });
  assert.equal(atMcp.status, 403);
  assert.match(atMcp.headers.get("www-authenticate") ?? "", /error="insufficient_scope"/);
  const tools = await tokenOf(admin, "mcp:tools mcp:resources mcp:prompts");
  for (const path of [one, "/api/collections/shown", "/collections", "/api/report/collections/shown/fields"])
    assert.equal(await statusOf(tools, path), 403, path);

  const lines = records("scope.rejected").slice(before);
  assert.equal(lines.length, 8);
  assert.match(lines[0] ?? "", /^\[[^\]]+Z\] oauth-activity\.INFO: .* \{.*"user_id":"boss".*\}$/);
  const { client_id, scopes, grant_id, token_hash } = JSON.parse((lines[0] ?? "").replace(/^[^{]*/, ""));
  assert.deepEqual([client_id, scopes, grant_id], [client.id, ["cms:read"], claimsOf(token).grant_id]);
  assert.match(token_hash, /^[0-9a-f]{8}…$/);
  assert.ok(!lines.join("").includes(token));
});

test("TOK-26 TOK-27 TOK-28 scope and groups must both allow; admin takes both halves (T95, T96)", async () => {
  const write = await tokenOf(editor, "cms:read cms:write");
  assert.equal(await statusOf(write, closed, "POST", { id: "two", title: "Two" }), 201);
  assert.equal(await statusOf(write, "/api/collections", "POST", { id: "more", schema: "note" }), 403);

  const read = await tokenOf(admin, "cms:read");
  assert.equal(await statusOf(read, one), 200);
  assert.equal(await statusOf(read, one, "DELETE"), 403);
  assert.equal(await statusOf(read, "/api/collections/auth/boss"), 403);
  const adminWrite = await tokenOf(admin, "cms:write");
  assert.equal(await statusOf(adminWrite, "/api/collections/auth/settings", "PATCH", { category: "x" }), 403);
  assert.equal(await statusOf(adminWrite, "/api/collections/closed/settings", "PATCH", { category: "x" }), 200);
  assert.equal(await statusOf(adminWrite, one), 403);

  const elevated = await tokenOf(admin, "cms:admin");
  assert.equal(await statusOf(elevated, "/api/collections/auth/boss"), 200);
  assert.equal(await statusOf(elevated, "/api/schemas"), 200);
  assert.equal(await statusOf(elevated, "/api/cache/clear", "POST"), 200);
  const limited = await tokenOf(editor, "cms:admin");
  assert.equal(await statusOf(limited, "/api/schemas"), 200);
  assert.equal(await statusOf(limited, "/api/schemas", "POST", { id: "x", properties: {} }), 403);
  assert.equal(await statusOf(limited, "/api/cache/clear", "POST"), 403);
});

test("TOK-29 a token never reads or changes users, not even its approver, unless it is an administrator's (T95)", async () => {
  for (const scope of ["cms:read cms:write", "cms:admin"]) {
    const token = await tokenOf(editor, scope);
    const own = "/api/collections/auth/edith";
    assert.equal(await statusOf(token, own), 403);
    assert.equal(await statusOf(token, own, "PATCH", { password: "another-horse-2" }), 403);
    assert.equal(await statusOf(token, `${own}/name`, "PUT", { name: "x" }), 403);
    assert.equal(await statusOf(token, "/api/collections/auth"), 403);
  }
});

test("USER-21 an administrator's token changes neither the password nor the address of its user", async () => {
  const token = await tokenOf(admin, "cms:admin");
  const own = "/api/collections/auth/boss";
  const proof = { currentPassword: "correct-horse-1" };
  for (const change of [{ password: "another-horse-2" }, { email: "else@example.test" }]) {
    assert.equal(await statusOf(token, own, "PATCH", { ...change, ...proof }), 403);
    const [[property, value]] = Object.entries(change) as [[string, string]];
    const put = await withToken(server, token, "PUT", `${own}/${property}`, { body: value });
    assert.equal(put.status, 403);
  }
  assert.equal(await statusOf(token, own, "PATCH", { name: "Boss" }), 200);
});

test("TOK-30 drafts are for a token as for its approver's groups", async () => {
  await server.request("POST", "/api/collections/shown", { body: { id: "plan", title: "P", draft: true } });
  await server.request("PUT", "/api/access-groups/nothing", { body: { permissions: {} } });
  await makeUser(server, "noel", ["nothing"]);
  const without = await tokenOf(await signIn(server, "noel"), "cms:read");
  assert.equal(await statusOf(without, "/api/collections/shown/one"), 200);
  assert.equal(await statusOf(without, "/api/collections/shown/plan"), 404);
  assert.equal(await statusOf(without, one), 403);
  const of = await tokenOf(editor, "cms:read");
  assert.equal(await statusOf(of, "/api/collections/shown/plan"), 200);
});

test("TOK-30 protected files are for a token of an approver in the collection's groups, on every route", async () => {
  await server.makeCollection({ id: "kits", schema: "note", publicOperations: ["read"], groups: ["press"] });
  await server.request("POST", "/api/collections/kits", { body: { id: "a" } });
  await upload(server, "kits/a/doc", { name: "kit.txt", bytes: "0123456789" });
  await server.request("PUT", "/api/access-groups/press", { body: { permissions: {} } });
  await makeUser(server, "pia", ["press"]);
  const inside = await tokenOf(await signIn(server, "pia"), "cms:read");
  const outside = await tokenOf(editor, "cms:read");
  const elsewhere = await tokenOf(await signIn(server, "pia"), "mcp:resources");
  for (const door of ["/download/kits/a/doc", "/stream/kits/a/doc"]) {
    assert.equal(await statusOf(inside, door), 200, door);
    assert.equal(await statusOf(outside, door), 403, door);
    assert.equal(await statusOf(elsewhere, door), 403, door);
  }
});

test("TOK-8 a revoked grant, a deleted client: the next request is 401 (T90)", async () => {
  const mine = await makeClient(server);
  const first = await connect(server, editor, { client: mine, scope: "cms:read" });
  const second = await connect(server, editor, { client: mine, scope: "cms:read" });
  for (const { accessToken } of [first, second]) assert.equal(await statusOf(accessToken, one), 200);
  await server.request("DELETE", `/api/oauth-grants/${claimsOf(first.accessToken).grant_id}`);
  assert.equal(await statusOf(first.accessToken, one), 401);
  assert.equal(await statusOf(second.accessToken, one), 200);
  await server.request("DELETE", `/api/oauth-clients/${mine.id}`);
  assert.equal(await statusOf(second.accessToken, one), 401);
});

test("TOK-5 TOK-9 changes of the approver apply to the next request (T62, T95)", async () => {
  await makeUser(server, "carl", ["editor"]);
  const user = "/api/collections/auth/carl";
  const { accessToken: token } = await connect(server, await signIn(server, "carl"), { client, scope: "cms:read" });
  assert.equal(await statusOf(token, one), 200);
  await server.request("PATCH", user, { body: { groups: ["nothing"] } });
  assert.equal(await statusOf(token, one), 403);
  await server.request("PUT", "/api/access-groups/nothing", {
    body: { permissions: { collections: { operations: ["read"], all: true } } },
  });
  assert.equal(await statusOf(token, one), 200);
  await server.request("PUT", "/api/access-groups/nothing", { body: { permissions: {} } });
  assert.equal(await statusOf(token, one), 403);
  await server.request("PATCH", user, { body: { groups: ["editor"] } });
  assert.equal(await statusOf(token, one), 200);
  await server.request("PATCH", user, { body: { groups: ["admin"] } });
  assert.equal(await statusOf(token, "/api/collections/auth/carl"), 403);
  await server.request("PATCH", user, { body: { groups: ["editor"], expiration: "2020-01-01T10:00:00Z" } });
  assert.equal(await statusOf(token, one), 401);
});

for (const [how, change] of [
  ["a new password", { method: "PATCH", body: { password: "another-horse-2" } }],
  ["being disabled", { method: "PATCH", body: { active: false } }],
  ["being deleted", { method: "DELETE" }],
] as const) {
  test(`TOK-5 TOK-9 ${how} ends sessions, access tokens and refresh tokens permanently (T62)`, async () => {
    const id = `user-${how.split(" ").at(-1)}`;
    await makeUser(server, id, ["editor"]);
    const person = await signIn(server, id);
    const { accessToken, refreshToken } = await connect(server, person, { client, scope: "cms:read" });
    assert.equal(await statusOf(accessToken, one), 200);
    const { method, ...options } = change;
    const { status } = await server.request(method, `/api/collections/auth/${id}`, options);
    assert.ok(status < 300);
    assert.equal(await statusOf(accessToken, one), 401);
    assert.equal((await person.request("GET", one)).status, 401);
    const refused = await refresh(server, client, refreshToken);
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
    if (method === "DELETE") await makeUser(server, id, ["admin"]);
    else await server.request("PATCH", `/api/collections/auth/${id}`, { body: { active: true } });
    assert.equal(await statusOf(accessToken, one), 401);
    assert.equal((await refresh(server, client, refreshToken)).status, 400);
  });
}

test("TOK-22 extensions take cms:admin and an administrator", async () => {
  const [writer, boss] = [await tokenOf(admin, "cms:write"), await tokenOf(admin, "cms:admin")];
  for (const [method, path] of [
    ["GET", "/api/extensions"],
    ["POST", "/api/extensions/any/one/enable"],
    ["PATCH", "/api/extensions/any/one"],
  ] as const)
    assert.equal(await statusOf(writer, path, method), 403, path);
  const { status, body } = await withToken(server, boss, "GET", "/api/extensions");
  assert.deepEqual([status, Array.isArray(body.data)], [200, true]);
  assert.equal(await statusOf(boss, "/api/extensions/any/one/enable", "POST"), 404);
});

test("TOK-23 an administrator's token makes no keys, settings, sessions or clients", async () => {
  const token = await tokenOf(admin, "cms:admin mcp:tools");
  const key = { name: "k", methods: ["GET"], endpoints: ["*"] };
  assert.equal(await statusOf(token, "/api/apikeys", "POST", key), 403);
  assert.equal(await statusOf(token, "/api/oauth-grants"), 403);
  assert.equal(await statusOf(token, "/api/oauth-clients"), 403);
  assert.equal(await statusOf(token, "/api/settings/general"), 403);
  assert.equal(await statusOf(token, "/api/access-groups"), 403);
  assert.equal(await statusOf(token, "/api/auth/session"), 403);
  assert.equal(await statusOf(token, "/api/auth/impersonate/edith", "POST"), 403);
  assert.equal(await statusOf(token, "/api/%61pikeys"), 403);
  assert.equal(await statusOf(token, "/api/collections/..%2fapikeys"), 400);
});

test("TOK-9 changes by the command line apply to the running server's next request (T62, T95)", async () => {
  await makeUser(server, "dora", ["editor"]);
  const { accessToken: token } = await connect(server, await signIn(server, "dora"), { client, scope: "cms:read" });
  assert.equal(await statusOf(token, one), 200);
  assert.equal((await server.cli(["user:update", "dora", "--groups", "nothing"])).code, 0);
  assert.equal(await statusOf(token, one), 403);
  assert.equal((await server.cli(["user:update", "dora", "--groups", "editor"])).code, 0);
  assert.equal(await statusOf(token, one), 200);
  assert.equal((await server.cli(["user:password", "dora", "--password", "another-horse-2"])).code, 0);
  assert.equal(await statusOf(token, one), 401);
});

const set = (section: string, body: object) => server.request("PUT", `/api/settings/${section}`, { body });

test("TOK-11 while OAuth is off a token works until it expires, and cannot be refreshed (T94)", async () => {
  const { accessToken, refreshToken } = await connect(server, editor, { client, scope: "cms:read" });
  const advertised = async () => (await server.request("GET", "/.well-known/mcp.json", { key: null })).text;
  assert.match(await advertised(), /"resourceMetadata"/);
  await set("oauth", { enabled: false });
  assert.doesNotMatch(await advertised(), /"resourceMetadata"/);
  assert.equal(await statusOf(accessToken, one), 200);
  assert.equal((await refresh(server, client, refreshToken)).status, 404);
  await set("oauth", { enabled: true });
  assert.equal((await refresh(server, client, refreshToken)).status, 200);
});

test("TOK-12 the rate of a grant can be limited, each on its own", async () => {
  const first = await tokenOf(editor, "cms:read");
  const second = await tokenOf(editor, "cms:read");
  const free = await withToken(server, first, "GET", one);
  assert.equal(free.headers.get("x-ratelimit-limit"), "0");
  await set("api", { tokenRateLimit: 3 });
  const seen: number[] = [];
  // Each node counts by itself for a moment.
  for (let n = 0; n < 8 * server.dataDirs.length; n += 1) seen.push(await statusOf(first, one));
  const other = await withToken(server, second, "GET", one);
  await set("api", { tokenRateLimit: 0 });
  assert.ok(seen.includes(429) && seen.filter((status) => status === 200).length >= 1, String(seen));
  assert.deepEqual([other.status, other.headers.get("x-ratelimit-limit")], [200, "3"]);
});

test("TOK-10 below the Pro edition a token counts as absent", async () => {
  const token = await tokenOf(editor, "cms:read");
  await server.setSetting("edition", "standard");
  try {
    assert.equal(await statusOf(token, one), 401);
    assert.equal(await statusOf(token, "/api/collections/shown/one"), 200);
    const headers = { cookie: editor.cookie };
    assert.equal((await withToken(server, token, "GET", one, { headers })).status, 200);
    assert.equal((await withToken(server, "junk", "GET", one, { headers })).status, 200);
  } finally {
    await server.cli(["settings:set", "edition", "pro"]);
  }
  assert.equal(await statusOf(token, one), 200);
});

test("TOK-8 new signing keys end every token at once (T89)", async () => {
  const { accessToken, refreshToken } = await connect(server, editor, { client, scope: "cms:read" });
  await server.cli(["oauth:setup"]);
  assert.equal(await statusOf(accessToken, one), 200);
  const { code } = await server.cli(["oauth:setup", "--force"]);
  assert.equal(code, 0);
  assert.equal(await statusOf(accessToken, one), 401);
  assert.equal((await refresh(server, client, refreshToken)).body.error, "invalid_grant");
});
