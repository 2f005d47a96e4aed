// The authorization endpoint: what is shown, what is told to the client, and that only the user's own form approves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";
import {
  askFor,
  askToken,
  authorizePath,
  type Client,
  claimsOf,
  decide,
  formOf,
  getCode,
  hiddenFields,
  makeClient,
  makePkce,
  redirectUri,
  register,
  sentBack,
} from "../support/oauth-app.ts";
import { logIn, makeUser, type Person, personOf, signIn } from "../support/sign-in.ts";

let server: Server;
let client: Client;
let admin: Person;
let editor: Person;
let viewer: Person;
/** May put something in the inbox, and read nothing. */
let clerk: Person;
const { verifier, challenge } = makePkce();

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } } });
  const schema = { id: "note", properties: { id: { type: "slug" }, title: { type: "string" } }, required: ["id"] };
  await server.makeSchema(schema);
  await server.makeCollection({ id: "news", schema: "note", name: "The <News>" });
  await server.makeCollection({ id: "secret", schema: "note" });
  await server.makeCollection({ id: "inbox", schema: "note", name: "Inbox" });
  await server.makeCollection({ id: "shown", schema: "note", name: "Shown", mcp: { access: "public" } });
  for (const id of ["one", "two"]) await server.request("POST", "/api/collections/news", { body: { id } });
  const permissions = { collections: { operations: ["read", "update"], allowed: ["news"] } };
  await server.request("PUT", "/api/access-groups/press", { body: { description: "", permissions } });
  const clerks = { collections: { operations: ["create"], allowed: ["inbox"] } };
  await server.request("PUT", "/api/access-groups/clerks", { body: { description: "", permissions: clerks } });
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "edith", ["editor"]);
  await makeUser(server, "vera", ["press"]);
  await makeUser(server, "carl", ["clerks"]);
  client = await makeClient(server);
  [admin, editor, viewer, clerk] = await Promise.all([
    signIn(server, "boss"),
    signIn(server, "edith"),
    signIn(server, "vera"),
    signIn(server, "carl"),
  ]);
});
after(() => server.stop());

const ask = (more: Record<string, string> = {}) => askFor(client, challenge, more);
const open = (person: Person, query: Record<string, string>) => person.request("GET", authorizePath(query));
const send = (person: Person, fields: Record<string, string>) =>
  person.request("POST", "/oauth/authorize", formOf(fields));
const without = (query: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key !== name));
const errorOf = (answer: Answer) => `${answer.status} ${sentBack(answer).get("error")}`;

test("OAU-30 an unknown client or another redirect URI is a page, never a redirect (T76)", async () => {
  const cases = [
    {},
    ask({ client_id: "nobody" }),
    ask({ client_id: "" }),
    without(ask(), "redirect_uri"),
    ask({ redirect_uri: `${redirectUri}/` }),
    ask({ redirect_uri: redirectUri.replace("https", "http") }),
    ask({ redirect_uri: "https://evil.test/" }),
  ];
  for (const query of cases) {
    for (const who of [admin, { request: server.request }]) {
      const answer = await who.request("GET", authorizePath(query), { key: null });
      assert.equal(answer.status, 400, JSON.stringify(query));
      assert.equal(answer.headers.get("location"), null);
      assert.match(answer.headers.get("content-type") ?? "", /text\/html/);
    }
  }
});

test("OAU-31 OAU-33 faults after that go to the proven URI, with state and iss (T76, T78, T79)", async () => {
  const faults: [Record<string, string>, string][] = [
    [without(ask(), "response_type"), "invalid_request"],
    [ask({ response_type: "token" }), "unsupported_response_type"],
    [ask({ response_mode: "fragment" }), "invalid_request"],
    [ask({ request_uri: "https://evil.test/" }), "invalid_request"],
    [without(ask(), "code_challenge"), "invalid_request"],
    [ask({ code_challenge: "" }), "invalid_request"],
    [ask({ code_challenge: "short" }), "invalid_request"],
    [without(ask(), "code_challenge_method"), "invalid_request"],
    [ask({ code_challenge_method: "plain" }), "invalid_request"],
    [ask({ scope: "everything" }), "invalid_scope"],
    [ask({ resource: "https://other.test/" }), "invalid_target"],
  ];
  for (const [query, error] of faults) {
    const answer = await open(admin, query);
    assert.equal(answer.status, 303, error);
    assert.ok(answer.headers.get("location")?.startsWith(`${redirectUri}?`));
    const back = sentBack(answer);
    assert.equal(back.get("error"), error, JSON.stringify(query));
    assert.ok(back.get("error_description"));
    assert.equal(back.get("state"), "st");
    assert.equal(back.get("iss"), server.url);
    assert.equal(back.get("code"), null);
  }
});

test("OAU-31 no user is redirected to a self-registered address without a decision", async () => {
  const self = { id: (await register(server)).body.client_id };
  const broken = { ...askFor(self, challenge), response_type: "x" };
  for (const query of [broken, { ...askFor(self, challenge), scope: "cms:admin" }, without(broken, "code_challenge")]) {
    for (const who of [admin, { request: server.request }]) {
      const answer = await who.request("GET", authorizePath(query), { key: null });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get("location"), null);
      assert.match(answer.headers.get("content-type") ?? "", /text\/html/);
    }
  }
  const fields = hiddenFields((await open(admin, askFor(self, challenge))).text);
  assert.equal(errorOf(await send(admin, { ...fields, decision: "deny" })), "303 access_denied");
});

test("OAU-32 a parameter that is given twice is refused without a redirect (T77)", async () => {
  for (const name of ["client_id", "redirect_uri", "state", "scope", "code_challenge"]) {
    const twice = `${authorizePath(ask({ scope: "cms:read" }))}&${name}=${encodeURIComponent(ask()[name] ?? "cms:read")}`;
    const answer = await admin.request("GET", twice);
    assert.equal(answer.status, 400, name);
    assert.equal(answer.headers.get("location"), null);
  }
  assert.equal((await open(admin, { ...ask(), "scope[]": "cms:read" })).status, 400);
});

test("OAU-33 a confidential client may leave PKCE out, and may not weaken it", async () => {
  const confidential = await makeClient(server, { confidential: true });
  const plain = without(without(askFor(confidential, ""), "code_challenge"), "code_challenge_method");
  assert.equal((await open(admin, plain)).status, 200);
  assert.equal(errorOf(await open(admin, { ...plain, code_challenge_method: "S256" })), "303 invalid_request");
  assert.equal(errorOf(await open(admin, { ...plain, code_challenge: challenge })), "303 invalid_request");
});

test("OAU-34 without a scope the client's are asked for; others are refused", async () => {
  const narrow = await makeClient(server, { scopes: ["cms:read", "mcp:tools"] });
  const page = await open(editor, askFor(narrow, challenge));
  assert.equal(hiddenFields(page.text).scope, "cms:read mcp:tools");
  assert.equal(errorOf(await open(editor, askFor(narrow, challenge, { scope: "cms:write" }))), "303 invalid_scope");
});

test("OAU-35 cms:admin is dropped silently for users without the right (T96)", async () => {
  const scope = "cms:read cms:admin";
  const shown = async (person: Person) => hiddenFields((await open(person, ask({ scope }))).text).scope;
  assert.equal(await shown(admin), "cms:read cms:admin");
  assert.equal(await shown(editor), "cms:read cms:admin");
  assert.equal(await shown(viewer), "cms:read");
  assert.doesNotMatch((await open(viewer, ask({ scope }))).text, /cms:admin|Administer/);
  assert.equal(errorOf(await open(viewer, ask({ scope: "cms:admin" }))), "303 access_denied");
});

test("OAU-36 the resource becomes the audience", async () => {
  const audience = async (more: Record<string, string>) => {
    const code = await getCode(admin, ask({ scope: "cms:read", ...more }));
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    return claimsOf((await askToken(server, client, form)).body.access_token).aud;
  };
  assert.equal(await audience({}), server.url);
  assert.equal(await audience({ resource: `${server.url}/mcp` }), `${server.url}/mcp`);
});

test("OAU-38 OAU-39 the page names the application, the receiver of the code, and what it may do for this user (T83)", async () => {
  const page = await open(viewer, ask({ scope: "cms:read cms:write" }));
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>App wants access<\/h1>/);
  assert.match(page.text, /app\.example\.test/);
  assert.match(page.text, /Read content/);
  assert.match(page.text, /Read: 1 collection, 2 objects/);
  assert.match(page.text, /Write: 1 collection, 2 objects/);
  assert.match(page.text, /The &lt;News&gt; \(2 objects\)/);
  assert.doesNotMatch(page.text, /secret|self-registered|Unknown host/);
  assert.match((await open(editor, ask({ scope: "cms:read" }))).text, /Read: 4 collections, 2 objects/);
  assert.match((await open(editor, ask({ scope: "cms:read" }))).text, /Write: nothing/);
  assert.match((await open(admin, ask({ scope: "cms:admin" }))).text, /whatever an administrator can/);
});

test("OAU-39 the page counts collections readable over MCP only, and writable ones that are not readable", async () => {
  const meaning = async (scope: string) => {
    const { text } = await open(clerk, ask({ scope }));
    return /What it reaches<\/h2>(.*?)<p class="hint">/s.exec(text)?.[1]?.replace(/<[^>]+>/g, " ") ?? text;
  };
  assert.match(await meaning("mcp:tools"), /It can read or write no collection/);
  assert.match(await meaning("mcp:resources"), /Read: 1 collection, 0 objects +Shown \(0 objects\)/);
  assert.match(await meaning("cms:read mcp:tools"), /Read: 1 collection, .*Shown/);
  assert.match(await meaning("cms:read"), /It can read or write no collection/);
  assert.match(await meaning("cms:write"), /Read: nothing\. +Write: 1 collection, 0 objects +Inbox +$/);
});

test("OAU-38 OAU-40 a self-registered client is marked, and its host is warned of until a code went there (T83)", async () => {
  const uri = "https://new.example.test/done";
  const { body } = await register(server, { client_name: "<b>Admin</b>\nConsole", redirect_uris: [uri] });
  const query = askFor({ id: body.client_id }, challenge, { redirect_uri: uri, scope: "cms:read" });
  const page = await open(viewer, query);
  assert.match(page.text, /self-registered/);
  assert.match(page.text, /Unknown host/);
  assert.match(page.text, /new\.example\.test/);
  assert.match(page.text, /&lt;b&gt;Admin&lt;\/b&gt; Console/);
  assert.doesNotMatch(page.text, /<b>Admin/);
  const code = await getCode(viewer, query);
  assert.match((await open(viewer, query)).text, /Unknown host/);
  const form = { grant_type: "authorization_code", code, redirect_uri: uri, code_verifier: verifier };
  assert.equal((await askToken(server, { id: body.client_id }, form)).status, 200);
  assert.doesNotMatch((await open(viewer, query)).text, /Unknown host/);
  assert.match((await open(editor, query)).text, /Unknown host/);
});

test("OAU-38 this machine is not an unknown host, an app on the device is", async () => {
  for (const [uri, isKnown] of [
    ["http://127.0.0.1:4711/cb", true],
    ["com.example.app:/cb", false],
  ] as const) {
    const { body } = await register(server, { redirect_uris: [uri] });
    const page = await open(viewer, askFor({ id: body.client_id }, challenge, { redirect_uri: uri }));
    assert.equal(page.status, 200);
    assert.equal(/Unknown host/.test(page.text), !isKnown, uri);
    assert.match(page.text, uri.startsWith("http") ? /127\.0\.0\.1:4711/ : /com\.example\.app/);
  }
});

test("OAU-40 the page is not framed, stored or scripted (T63)", async () => {
  const { headers, text } = await open(admin, ask());
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src|unsafe/);
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("access-control-allow-credentials"), null);
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /<form method="post" action="\/oauth\/authorize">/);
  assert.match(text, /name="decision" value="allow"/);
  assert.match(text, /name="decision" value="deny"/);
});

test("OAU-41 a form that is altered, or of another session, approves nothing (T82)", async () => {
  const fields = hiddenFields((await open(viewer, ask({ scope: "cms:read" }))).text);
  const other = await makeClient(server);
  const bad: [Person | undefined, Record<string, string>][] = [
    [viewer, { ...fields, scope: "cms:read cms:write" }],
    [viewer, { ...fields, client_id: other.id }],
    [viewer, { ...fields, state: "another" }],
    [viewer, { ...fields, code_challenge: makePkce().challenge }],
    [viewer, { ...fields, resource: `${server.url}/mcp` }],
    [viewer, { ...fields, csrf_token: "" }],
    [viewer, { ...fields, csrf_token: viewer.token }],
    [viewer, without(fields, "csrf_token")],
    [editor, fields],
    [await signIn(server, "vera"), fields],
    [undefined, fields],
  ];
  const before = (await server.request("GET", "/api/oauth-grants")).body.data.length;
  for (const [who, form] of bad) {
    const options = formOf({ ...form, decision: "allow" });
    const path = "/oauth/authorize";
    const answer = who
      ? await who.request("POST", path, options)
      : await server.request("POST", path, { ...options, key: null });
    assert.equal(answer.status, 403, JSON.stringify(form));
    assert.equal(answer.headers.get("location"), null);
  }
  assert.equal((await send(viewer, { ...fields, decision: "perhaps" })).status, 400);
  assert.equal((await viewer.request("POST", "/oauth/authorize", { body: fields })).status, 415);
  assert.equal((await server.request("GET", "/api/oauth-grants")).body.data.length, before);
  assert.equal((await send(viewer, { ...fields, decision: "allow" })).status, 303);
});

test("OAU-41 looking never approves, and a known client is asked again (T82)", async () => {
  const query = ask({ scope: "cms:read" });
  await getCode(editor, query);
  const before = (await server.request("GET", "/api/oauth-grants")).body.data.length;
  const fields = hiddenFields((await open(editor, query)).text);
  const forged = await open(editor, { ...fields, decision: "allow" });
  assert.equal(forged.status, 200);
  assert.equal(forged.headers.get("location"), null);
  assert.equal((await server.request("GET", "/api/oauth-grants")).body.data.length, before);
});

test("OAU-42 the answer is a 303 with code or error, state as it was sent, and iss (T82)", async () => {
  const state = "a b&c=d%é";
  const allowed = await decide(admin, ask({ state }));
  assert.equal(allowed.status, 303);
  const back = sentBack(allowed);
  assert.deepEqual([...back.keys()], ["code", "state", "iss"]);
  assert.equal(back.get("state"), state);
  assert.equal(back.get("iss"), server.url);
  const denied = await decide(admin, ask({ state }), "deny");
  assert.equal(errorOf(denied), "303 access_denied");
  assert.equal(sentBack(denied).get("state"), state);
  assert.equal(sentBack(denied).get("code"), null);
  assert.equal(sentBack(denied).get("iss"), server.url);
});

test("OAU-43 any user may approve, but only for themselves", async () => {
  await makeUser(server, "plain");
  const plain = await signIn(server, "plain");
  assert.ok(await getCode(plain, ask({ scope: "cms:read" })));
  const acting = personOf(server, await admin.request("POST", "/api/auth/impersonate/plain"));
  const page = await open(acting, ask({ scope: "cms:read" }));
  assert.equal(page.status, 403);
  assert.equal(page.headers.get("location"), null);
  await acting.request("POST", "/api/auth/impersonate/stop");
  admin = await signIn(server, "boss");
});

test("OAU-37 without a session the way leads over the login page and back", async () => {
  const path = authorizePath(ask({ scope: "cms:read" }));
  const first = await server.request("GET", path, { key: null });
  assert.equal(first.status, 303);
  const login = first.headers.get("location") ?? "";
  assert.equal(login, `/login?redirect=${encodeURIComponent(path)}`);
  const page = await server.request("GET", login, { key: null });
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  const cookie = (page.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
  const fields = { ...hiddenFields(page.text), email: "vera", password: "correct-horse-1" };
  const signed = await server.request("POST", "/login", {
    key: null,
    ...formOf(fields),
    headers: { ...formOf(fields).headers, cookie } as Record<string, string>,
  });
  assert.equal(signed.status, 303);
  assert.equal(signed.headers.get("location"), path);
  const session = signed.headers.getSetCookie().find((text) => text.startsWith("cairn_session=")) ?? "";
  const back = await server.request("GET", path, {
    key: null,
    headers: { cookie: session.split(";", 1)[0] as string },
  });
  assert.equal(back.status, 200);
  assert.match(back.text, /App wants access/);
});

test("OAU-37 the login page needs its own cookie, reveals nothing, and redirects nowhere else (T60, T65)", async () => {
  const ways = [
    "//evil.test",
    "/\\evil.test",
    "https:evil.test",
    "https://evil.test",
    "/\t/evil.test",
    "javascript:1",
    "",
  ];
  for (const way of ways) {
    const page = await server.request("GET", `/login?redirect=${encodeURIComponent(way)}`, { key: null });
    assert.equal(page.status, 200, way);
    assert.equal(hiddenFields(page.text).redirect, undefined, way);
    const signed = await viewer.request("GET", `/login?redirect=${encodeURIComponent(way)}`);
    assert.equal(signed.headers.get("location"), null, way);
  }
  const page = await server.request("GET", "/login?redirect=/x", { key: null });
  const cookie = (page.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
  const post = (fields: Record<string, string>, sent?: string) => {
    const form = formOf({ ...hiddenFields(page.text), ...fields });
    const headers = { ...form.headers, ...(sent && { cookie: sent }) } as Record<string, string>;
    return server.request("POST", "/login", { key: null, ...form, headers });
  };
  const right = { email: "vera@example.test", password: "correct-horse-1" };
  assert.equal((await post(right)).status, 403);
  assert.equal((await post({ ...right, csrf_token: "x" }, cookie)).status, 403);
  const wrong = await post({ ...right, password: "nope" }, cookie);
  const unknown = await post({ ...right, email: "nobody" }, cookie);
  assert.deepEqual([wrong.status, unknown.status], [401, 401]);
  assert.equal(wrong.text, unknown.text);
  assert.equal((await post({ email: "", password: "" }, cookie)).status, 400);
  const moved = await post({ ...right, redirect: "//evil.test" }, cookie);
  assert.equal(moved.status, 200);
  assert.equal(moved.headers.get("location"), null);
  assert.equal((await post(right, cookie)).headers.get("location"), "/x");
});

test("OAU-41 a session that has ended is led to the login again", async () => {
  await makeUser(server, "gone", ["editor"]);
  const person = personOf(server, await logIn(server, { login: "gone", password: "correct-horse-1" }));
  const fields = hiddenFields((await open(person, ask({ scope: "cms:read" }))).text);
  await person.request("POST", "/api/auth/logout");
  assert.equal((await send(person, { ...fields, decision: "allow" })).status, 403);
  assert.match((await open(person, ask({ scope: "cms:read" }))).headers.get("location") ?? "", /^\/login\?/);
});
