// The token endpoint: codes and refresh tokens, who may use them, how often, and what happens when somebody tries again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { freshMinute } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import {
  askFor,
  askToken,
  type Client,
  claimsOf,
  connect,
  formOf,
  getCode,
  makeClient,
  makePkce,
  redirectUri,
  refresh,
  register,
  withToken,
} from "../support/oauth-app.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let client: Client;
let confidential: Client;
let person: Person;

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } } });
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "edith", ["editor"]);
  client = await makeClient(server);
  confidential = await makeClient(server, { confidential: true });
  person = await signIn(server, "edith");
});
after(() => server.stop());

const scope = "cms:read cms:write";
const isOpen = async (token: string) => (await withToken(server, token, "GET", "/api/collections")).status === 200;
const errorOf = ({ status, body }: Answer) => `${status} ${body.error}`;

/** A fresh code with all that goes with it. */
async function newCode(by: Client = client, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const { verifier, challenge } = makePkce();
  const code = await getCode(person, askFor(by, challenge, { scope, ...more }));
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
}

test("OAU-50 OAU-51 a code gives tokens, in the form the RFCs ask for (T91)", async () => {
  const answer = await askToken(server, client, await newCode());
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { access_token: token, refresh_token: next, ...rest } = answer.body;
  assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope });
  assert.match(next, /^[\w-]{43}$/);
  const [header] = token.split(".");
  const { kid, ...fixed } = JSON.parse(Buffer.from(header, "base64url").toString());
  const { body: keys } = await server.request("GET", "/.well-known/jwks.json", { key: null });
  assert.deepEqual(fixed, { alg: "RS256", typ: "at+jwt" });
  assert.equal(kid, keys.keys[0].kid);
  const { jti, grant_id: grant, iat, exp, ...claims } = claimsOf(token);
  assert.deepEqual(claims, { iss: server.url, aud: server.url, sub: "edith", client_id: client.id, scope });
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.match(String(grant), /^[0-9a-f-]{36}$/);
  assert.equal(Number(exp) - Number(iat), 3600);
  assert.ok(await isOpen(token));
});

test("OAU-50 the body may be JSON as well", async () => {
  const body = { client_id: client.id, ...(await newCode()) };
  assert.equal((await server.request("POST", "/oauth/token", { key: null, body })).status, 200);
});

test("OAU-52 every deviation, alone or with another, is refused and burns the code (T78, T81)", async () => {
  const other = await makeClient(server);
  const deviations: Record<string, Record<string, string>> = {
    client: { client_id: other.id },
    uri: { redirect_uri: `${redirectUri}/` },
    noUri: { redirect_uri: "" },
    verifier: { code_verifier: makePkce().verifier },
    noVerifier: { code_verifier: "" },
  };
  const names = Object.keys(deviations);
  const sets = names.flatMap((a, at) => names.slice(at).map((b) => (a === b ? [a] : [a, b])));
  for (const set of sets) {
    const right = await newCode();
    const wrong = Object.assign({}, right, ...set.map((name) => deviations[name]));
    assert.equal(errorOf(await askToken(server, client, wrong)), "400 invalid_grant", set.join());
    assert.equal(errorOf(await askToken(server, client, right)), "400 invalid_grant", `${set.join()}, then right`);
  }
});

test("OAU-36 tokens are for the granted resource: a part of this server may be chosen, another server never (T88)", async () => {
  const audience = ({ body }: Answer) => claimsOf(body.access_token).aud;
  const open = await newCode();
  const other = { resource: "https://other.test/" };
  assert.equal(errorOf(await askToken(server, client, { ...open, ...other })), "400 invalid_target");
  const answer = await askToken(server, client, { ...open, resource: `${server.url}/mcp` });
  assert.equal(audience(answer), `${server.url}/mcp`);
  const bound = await askToken(server, client, await newCode(client, { resource: `${server.url}/mcp` }));
  const form = { grant_type: "refresh_token", refresh_token: bound.body.refresh_token };
  assert.equal(errorOf(await askToken(server, client, { ...form, ...other })), "400 invalid_target");
  assert.equal(errorOf(await askToken(server, client, { ...form, resource: server.url })), "400 invalid_target");
  assert.equal(audience(await askToken(server, client, form)), `${server.url}/mcp`);
});

test("OAU-54 verifiers have 43 to 128 characters, and come with a challenge (T78, T79)", async () => {
  for (const verifier of ["a".repeat(42), "a".repeat(129), `${"a".repeat(43)}!`]) {
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const code = await getCode(person, askFor(client, challenge, { scope }));
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    assert.equal(errorOf(await askToken(server, client, form)), "400 invalid_grant");
  }
  const plain = { scope, code_challenge: "", code_challenge_method: "" };
  const withVerifier = await newCode(confidential, plain);
  assert.equal(errorOf(await askToken(server, confidential, withVerifier)), "400 invalid_grant");
  const without = { ...(await newCode(confidential, plain)), code_verifier: "" };
  assert.equal((await askToken(server, confidential, without)).status, 200);
});

test("OAU-53 a code that is used again takes its tokens with it (T80)", async () => {
  const code = await newCode();
  const { body } = await askToken(server, client, code);
  assert.ok(await isOpen(body.access_token));
  assert.equal(errorOf(await askToken(server, client, code)), "400 invalid_grant");
  assert.equal(await isOpen(body.access_token), false);
  assert.equal(errorOf(await refresh(server, client, body.refresh_token)), "400 invalid_grant");
});

test("OAU-53 of 20 uses of a code at once one gets tokens, and they end (T80)", async () => {
  const code = await newCode();
  const answers = await Promise.all(Array.from({ length: 20 }, () => askToken(server, client, code)));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.deepEqual(
    new Set(answers.filter((answer) => !won.includes(answer)).map(errorOf)),
    new Set(["400 invalid_grant"]),
  );
  assert.equal(await isOpen((won[0] as Answer).body.access_token), false);
});

test("OAU-56 a refresh gives new tokens; the old access token goes on until it expires", async () => {
  const first = await connect(server, person, { client, scope });
  const { status, body } = await refresh(server, client, first.refreshToken);
  assert.equal(status, 200);
  assert.notEqual(body.refresh_token, first.refreshToken);
  assert.notEqual(body.access_token, first.accessToken);
  assert.equal(claimsOf(body.access_token).grant_id, claimsOf(first.accessToken).grant_id);
  assert.ok(await isOpen(first.accessToken));
  assert.ok(await isOpen(body.access_token));
  assert.equal((await refresh(server, client, body.refresh_token)).status, 200);
});

test("OAU-57 a used refresh token ends the whole chain (T85)", async () => {
  const first = await connect(server, person, { client, scope });
  const second = (await refresh(server, client, first.refreshToken)).body;
  const third = (await refresh(server, client, second.refresh_token)).body;
  assert.equal(errorOf(await refresh(server, client, first.refreshToken)), "400 invalid_grant");
  assert.equal(errorOf(await refresh(server, client, third.refresh_token)), "400 invalid_grant");
  for (const token of [first.accessToken, second.access_token, third.access_token])
    assert.equal(await isOpen(token), false);
});

test("OAU-56 OAU-57 of 20 refreshes at once one wins, and the chain ends (T85)", async () => {
  const { refreshToken } = await connect(server, person, { client, scope });
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(server, client, refreshToken)));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(await isOpen((won[0] as Answer).body.access_token), false);
});

test("OAU-58 a refresh token is of use to its own client alone (T86)", async () => {
  const other = await makeClient(server);
  const tokens = await connect(server, person, { client, scope });
  assert.equal(errorOf(await refresh(server, other, tokens.refreshToken)), "400 invalid_grant");
  assert.equal(errorOf(await refresh(server, client, tokens.accessToken)), "400 invalid_grant");
  assert.equal((await refresh(server, client, tokens.refreshToken)).status, 200);
});

test("OAU-58 OAU-51 lifetimes hold from the issue on, whatever is set later (T81, T86)", async () => {
  const tokens = await connect(server, person, { client, scope });
  const code = await newCode();
  await server.request("PUT", "/api/settings/oauth", {
    body: { refreshTokenTtl: "PT1S", authCodeTtl: "PT1S", accessTokenTtl: "PT2S" },
  });
  const shortCode = await newCode();
  const short = (await askToken(server, client, code)).body;
  assert.equal(short.expires_in, 2);
  await new Promise((done) => setTimeout(done, 2_100));
  assert.equal(errorOf(await askToken(server, client, shortCode)), "400 invalid_grant");
  assert.equal(errorOf(await refresh(server, client, short.refresh_token)), "400 invalid_grant");
  assert.equal(await isOpen(short.access_token), false);
  await server.request("PUT", "/api/settings/oauth", {
    body: { refreshTokenTtl: null, authCodeTtl: null, accessTokenTtl: null },
  });
  assert.equal((await refresh(server, client, tokens.refreshToken)).status, 200);
});

test("OAU-59 a refresh may narrow the scope, for itself alone, and never widen it (T86)", async () => {
  const tokens = await connect(server, person, { client, scope });
  for (const wide of ["cms:read cms:admin", "mcp:tools", "everything"])
    assert.equal(errorOf(await refresh(server, client, tokens.refreshToken, wide)), "400 invalid_scope", wide);
  const narrow = (await refresh(server, client, tokens.refreshToken, "cms:read")).body;
  assert.equal(narrow.scope, "cms:read");
  assert.equal(claimsOf(narrow.access_token).scope, "cms:read");
  assert.equal((await refresh(server, client, narrow.refresh_token)).body.scope, scope);
});

test("OAU-59 cms:admin goes with the right it takes, and comes back with it", async () => {
  await makeUser(server, "amy", ["editor"]);
  const amy = await signIn(server, "amy");
  const tokens = await connect(server, amy, { client, scope: "cms:read cms:admin" });
  assert.equal(tokens.scope, "cms:read cms:admin");
  const setGroups = (groups: string[]) => server.request("PATCH", "/api/collections/auth/amy", { body: { groups } });
  await setGroups(["viewer"]);
  const lesser = (await refresh(server, client, tokens.refreshToken)).body;
  assert.equal(lesser.scope, "cms:read");
  await setGroups(["editor"]);
  assert.equal((await refresh(server, client, lesser.refresh_token)).body.scope, "cms:read cms:admin");
});

test("OAU-60 a changed password, a disabled, expired or deleted user ends the grant (T62)", async () => {
  const change = (id: string, body: object) => server.request("PATCH", `/api/collections/auth/${id}`, { body });
  const ends: Record<string, (id: string) => Promise<unknown>> = {
    password: (id) => change(id, { password: "another-horse-2" }),
    disabled: async (id) => {
      await change(id, { active: false });
      await change(id, { active: true });
    },
    expired: (id) => change(id, { expiration: "2020-01-01" }),
    deleted: async (id) => {
      await server.request("DELETE", `/api/collections/auth/${id}`);
      await makeUser(server, id, ["editor"]);
    },
  };
  for (const [id, end] of Object.entries(ends)) {
    await makeUser(server, id, ["editor"]);
    const user = await signIn(server, id);
    const tokens = await connect(server, user, { client, scope });
    const pkce = makePkce();
    const code = await getCode(user, askFor(client, pkce.challenge, { scope }));
    await end(id);
    assert.equal(errorOf(await refresh(server, client, tokens.refreshToken)), "400 invalid_grant", id);
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: pkce.verifier };
    assert.equal(errorOf(await askToken(server, client, form)), "400 invalid_grant", id);
    const { data } = (await server.request("GET", "/api/oauth-grants")).body;
    assert.ok(!data.some(({ userId }: { userId: string }) => userId === id), id);
  }
  assert.equal(
    (await server.request("POST", "/api/auth/login", { key: null, body: { login: "deleted", password } })).status,
    200,
  );
});

test("OAU-55 a confidential client authenticates on every route, a public one has no secret (T84)", async () => {
  const tokens = await connect(server, person, { client: confidential, scope });
  const other = await makeClient(server, { confidential: true });
  const { id, secret = "" } = confidential;
  const bad: Record<string, Client> = {
    missing: { id },
    wrong: { id, secret: `${secret.slice(0, -1)}!` },
    foreign: { id, secret: other.secret as string },
    unknown: { id: "00000000-0000-4000-8000-000000000000", secret },
  };
  const forms = [
    ["/oauth/token", { grant_type: "refresh_token", refresh_token: tokens.refreshToken }],
    ["/oauth/token", { ...(await newCode(confidential)) }],
    ["/oauth/revoke", { token: tokens.refreshToken }],
  ] as const;
  for (const [path, fields] of forms) {
    for (const [name, who] of Object.entries(bad)) {
      const sent = { client_id: who.id, ...(who.secret && { client_secret: who.secret }), ...fields };
      const answer = await server.request("POST", path, { key: null, ...formOf(sent) });
      assert.equal(errorOf(answer), "401 invalid_client", `${path} ${name}`);
      assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic realm=/);
    }
  }
  const { refreshToken } = await connect(server, person, { client, scope });
  assert.equal(errorOf(await refresh(server, { ...client, secret }, refreshToken)), "401 invalid_client");
  assert.equal((await refresh(server, client, refreshToken)).status, 200);
  assert.equal((await refresh(server, confidential, tokens.refreshToken)).status, 200);
});

test("OAU-55 by HTTP Basic as well, in the spelling of the RFC, and never twice", async () => {
  const { refreshToken } = await connect(server, person, { client: confidential, scope });
  const { id, secret = "" } = confidential;
  const send = (credentials: string, more: Record<string, string> = {}) => {
    const form = formOf({ grant_type: "refresh_token", refresh_token: refreshToken, ...more });
    const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    return server.request("POST", "/oauth/token", {
      key: null,
      ...form,
      headers: { ...form.headers, authorization } as Record<string, string>,
    });
  };
  assert.equal(errorOf(await send(`${id}:wrong`)), "401 invalid_client");
  assert.equal(errorOf(await send(id)), "401 invalid_client");
  assert.equal(errorOf(await send(`${id}:%`)), "401 invalid_client");
  assert.equal(errorOf(await send(`${id}:${secret}`, { client_secret: secret })), "400 invalid_request");
  assert.equal(errorOf(await send(`${id}:${secret}`, { client_id: client.id })), "400 invalid_request");
  const encoded = `${encodeURIComponent(id)}:${[...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")}`;
  assert.equal((await send(encoded, { client_id: id })).status, 200);
});

test("OAU-61 OAU-32 invalid requests get the errors of the RFC", async () => {
  const post = (options: object) => server.request("POST", "/oauth/token", { key: null, ...options });
  const cases: [object, string][] = [
    [formOf({ client_id: client.id }), "400 invalid_request"],
    [formOf({ client_id: client.id, grant_type: "password" }), "400 unsupported_grant_type"],
    [formOf({ client_id: client.id, grant_type: "client_credentials" }), "400 unsupported_grant_type"],
    [formOf({ client_id: client.id, grant_type: "authorization_code" }), "400 invalid_request"],
    [formOf({ client_id: client.id, grant_type: "refresh_token", refresh_token: "" }), "400 invalid_request"],
    [formOf({ client_id: client.id, grant_type: "refresh_token", refresh_token: "x" }), "400 invalid_grant"],
    [formOf({ grant_type: "refresh_token" }), "401 invalid_client"],
    [{ body: { grant_type: "refresh_token", client_id: "a\0b" } }, "400 invalid_request"],
    [{ headers: { authorization: `Basic ${Buffer.from("a\0b:c").toString("base64")}` } }, "401 invalid_client"],
    [{ headers: { authorization: `Basic ${Buffer.from("a%00b:c").toString("base64")}` } }, "401 invalid_client"],
    [{ body: { grant_type: "refresh_token", client_id: "\ud800" } }, "400 invalid_request"],
    [formOf({ client_id: client.id, grant_type: "refresh_token", refresh_token: "\0" }), "400 invalid_request"],
    [{}, "401 invalid_client"],
    [{ raw: "a=1&a=2", headers: { "content-type": "application/x-www-form-urlencoded" } }, "400 invalid_request"],
    [{ raw: "a=%ff", headers: { "content-type": "application/x-www-form-urlencoded" } }, "400 invalid_request"],
    [{ raw: "{", headers: { "content-type": "application/json" } }, "400 invalid_request"],
    [{ raw: "[]", headers: { "content-type": "application/json" } }, "400 invalid_request"],
    [{ raw: "<x/>", headers: { "content-type": "text/xml" } }, "415 invalid_request"],
    [
      { raw: `a=${"x".repeat(70_000)}`, headers: { "content-type": "application/x-www-form-urlencoded" } },
      "413 invalid_request",
    ],
  ];
  for (const [options, expected] of cases) {
    const answer = await post(options);
    assert.equal(errorOf(answer), expected, JSON.stringify(options).slice(0, 100));
    assert.match(answer.body.error_description, /^[\x20-\x7e]+$/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
  for (const path of ["/oauth/token", "/oauth/register"]) {
    const { status, headers, body } = await server.request("GET", path, { key: null });
    assert.deepEqual([status, headers.get("allow")], [405, "POST, OPTIONS"]);
    assert.deepEqual(body, { error: "invalid_request", error_description: "Method not allowed" });
  }
});

test("OAU-63 a client gives its own token back, and no other's (T90)", async () => {
  const other = await makeClient(server);
  const revoke = (by: Client, token: string, more: Record<string, string> = {}) =>
    server.request("POST", "/oauth/revoke", { key: null, ...formOf({ client_id: by.id, token, ...more }) });
  for (const kind of ["accessToken", "refreshToken"] as const) {
    const tokens = await connect(server, person, { client, scope });
    const foreign = await revoke(other, tokens[kind]);
    assert.equal(foreign.status, 200);
    assert.ok(await isOpen(tokens.accessToken));
    const own = await revoke(client, tokens[kind], { token_type_hint: "nonsense" });
    assert.deepEqual([own.status, own.text], [200, ""]);
    assert.equal(await isOpen(tokens.accessToken), false);
    assert.equal(errorOf(await refresh(server, client, tokens.refreshToken)), "400 invalid_grant");
    assert.equal((await revoke(client, tokens[kind])).status, 200);
  }
  assert.equal((await revoke(client, "no-such-token")).status, 200);
  assert.equal(errorOf(await revoke(client, "")), "400 invalid_request");
  assert.equal((await server.request("GET", "/oauth/revoke", { key: null })).status, 405);
});

test("OAU-23 OAU-50 a client that registered itself gets tokens once a user has let it in", async () => {
  const { body } = await register(server);
  const tokens = await connect(server, person, { client: { id: body.client_id }, scope: "cms:read" });
  assert.ok(await isOpen(tokens.accessToken));
});

test("OAU-62 the token endpoint is limited by address, at run time, with a way back (T72, T73)", async () => {
  const set = (limit: number) => server.request("PUT", "/api/settings/oauth", { body: { tokenEndpointLimit: limit } });
  const post = (headers: Record<string, string> = {}) => server.request("POST", "/oauth/token", { key: null, headers });
  // Counts begin anew with the minute.
  await freshMinute();
  await set(3);
  const answers: Answer[] = [];
  for (let at = 0; at < 5; at++) answers.push(await post({ "x-forwarded-for": `10.0.0.${at}` }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 429, 429],
  );
  const last = answers[4] as Answer;
  assert.equal(last.body.error, "temporarily_unavailable");
  const wait = Number(last.headers.get("retry-after"));
  assert.ok(wait >= 1 && wait <= 60);
  assert.equal(last.headers.get("x-ratelimit-limit"), "3");
  assert.equal(last.headers.get("x-ratelimit-remaining"), "0");
  await set(0);
  for (let at = 0; at < 100; at++) assert.equal((await post()).status, 401);
});

test("OAU-65 tokens are of the address they were made under: at another one the user is asked again (T88)", async () => {
  const { refreshToken } = await connect(server, person, { client, scope });
  const code = await newCode();
  const old = server.url;
  while (server.url === old) await server.restart();
  assert.equal(errorOf(await refresh(server, client, refreshToken)), "400 invalid_grant");
  assert.equal(errorOf(await askToken(server, client, code)), "400 invalid_grant");
  const { accessToken } = await connect(server, person, { client, scope });
  assert.ok(await isOpen(accessToken));
});
