// Dynamic registration: what is taken, what is refused, and how often.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";
import { askFor, authorizePath, makePkce, redirectUri, register } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let person: Person;
before(async () => {
  server = await startServer({ hasOAuth: true, settings: { oauth: { dynamicRegistrationLimit: 0 } } });
  await makeUser(server, "ada", ["admin"]);
  person = await signIn(server, "ada");
});
after(() => server.stop());

const errorOf = ({ status, body }: Answer) => `${status} ${body.error}`;
const defaults = "cms:read cms:write mcp:tools mcp:resources mcp:prompts";

test("OAU-23 OAU-26 a client registers itself, as a public one", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const { status, body, headers } = await register(server, {
    client_name: "App",
    token_endpoint_auth_method: "client_secret_basic",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    logo_uri: "https://app.example.test/logo.png",
    software_version: "1",
  });
  assert.equal(status, 201);
  assert.equal(headers.get("cache-control"), "no-store");
  const { client_id: id, client_id_issued_at: issued, ...rest } = body;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(issued >= now && issued <= Date.now() / 1_000);
  assert.deepEqual(rest, {
    client_name: "App",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: defaults,
  });
});

test("OAU-26 scopes that are not known here are left out, and administering is never given by default", async () => {
  assert.equal((await register(server, { scope: "openid cms:read offline_access" })).body.scope, "cms:read");
  assert.equal((await register(server, { scope: " " })).body.scope, defaults);
  for (const scope of ["openid", "nosuch other", ["cms:read"], 5]) {
    const answer = await register(server, { scope });
    assert.equal(`${answer.status} ${answer.body.error}`, "400 invalid_client_metadata", JSON.stringify(scope));
  }
  assert.equal((await register(server, { scope: "cms:read cms:admin" })).body.scope, "cms:read cms:admin");
  const { client_id: id } = (await register(server)).body;
  const query = askFor({ id }, makePkce().challenge, { scope: "cms:admin" });
  const answer = await person.request("GET", authorizePath(query));
  assert.equal(answer.status, 400);
  assert.match(answer.text, /scope is unknown/);
});

test("OAU-20 OAU-25 hostile redirect URIs are refused (T92)", async () => {
  const bad = [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "blob:https://app.example.test/x",
    "http://app.example.test/cb",
    "http://10.0.0.1/cb",
    "http://127.1/cb",
    "http://2130706433/cb",
    "http://localhost.evil.test/cb",
    "https://user@app.example.test/cb",
    "https://@app.example.test/cb",
    "https://app.example.test/cb#x",
    "https://app.example.test/cb#",
    "https://*.example.test/cb",
    "https://app.example.test/*",
    "https://app.example.test/a b",
    "https://app.example.test\\@evil.test/",
    "https://app.example.test/cb\n",
    "https://äpp.example.test/cb",
    "https:app.example.test",
    "https:/app.example.test",
    "https:///app.example.test",
    "https://app.example.test/cb?code=1",
    "https://app.example.test/cb?a=1&state=2",
    "//app.example.test/cb",
    "/cb",
    "myapp:/cb",
    "cb",
    "",
    " https://app.example.test/cb",
    `https://app.example.test/${"a".repeat(2_000)}`,
    7,
    null,
    {},
  ];
  for (const uri of bad) {
    const uris = [redirectUri, uri];
    assert.equal(errorOf(await register(server, { redirect_uris: uris })), "400 invalid_redirect_uri", String(uri));
  }
  for (const uris of [undefined, [], "https://a.test/", {}, Array(1_000).fill(redirectUri)])
    assert.equal(errorOf(await register(server, { redirect_uris: uris })), "400 invalid_redirect_uri");
});

test("OAU-20 the kinds of redirect URI that clients need are taken", async () => {
  const uris = [
    "https://app.example.test",
    "https://app.example.test:8443/cb?tenant=1",
    "https://xn--pp-wia.example.test/cb",
    "http://localhost:1234/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:9/cb",
    "com.example.app:/cb",
    "com.example.app://host/cb",
  ];
  const { status, body } = await register(server, { redirect_uris: uris });
  assert.equal(status, 201);
  assert.deepEqual(body.redirect_uris, uris);
});

test("OAU-21 OAU-25 other metadata that cannot be is refused, and nothing is fetched (T92)", async () => {
  let visits = 0;
  const canary = createServer((_request, response) => {
    visits += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await new Promise((done) => canary.once("listening", done));
  const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`;
  const bad = [
    { client_name: 7 },
    { client_name: "x".repeat(201) },
    { client_name: "x".repeat(200_000) },
    { logo_uri: address },
    { jwks_uri: address },
    { client_uri: "javascript:alert(1)" },
    { token_endpoint_auth_method: "private_key_jwt" },
    { grant_types: ["client_credentials"] },
    { grant_types: "authorization_code" },
    { response_types: ["token"] },
  ];
  for (const metadata of bad)
    assert.equal(
      errorOf(await register(server, metadata)),
      "400 invalid_client_metadata",
      JSON.stringify(metadata).slice(0, 80),
    );
  const raw = (text: string) =>
    server.request("POST", "/oauth/register", {
      key: null,
      raw: text,
      headers: { "content-type": "application/json" },
    });
  for (const text of ["{", "[]", "null", '"x"', ""])
    assert.equal(errorOf(await raw(text)), "400 invalid_client_metadata", text);
  await register(server, { logo_uri: address.replace("http:", "https:") });
  canary.close();
  assert.equal(visits, 0);
});

test("OAU-21 a name is one line, without invisible characters", async () => {
  const { body } = await register(server, { client_name: " A\n[2026] b\u202e\u2028\u0000 c " });
  assert.equal(body.client_name, "A [2026] b c");
  assert.equal((await register(server, { client_name: "\n" })).body.client_name, "Unnamed application");
});

test("OAU-24 registration can be closed", async () => {
  await server.setSetting("oauth.dynamicRegistration", false);
  const answer = await register(server);
  assert.equal(answer.status, 403);
  assert.equal(answer.body.error, "access_denied");
  await server.setSetting("oauth.dynamicRegistration", true);
  assert.equal((await register(server)).status, 201);
});

test("OAU-27 registrations an hour from one address are limited (T93)", async () => {
  await server.setSetting("oauth.dynamicRegistrationLimit", 5);
  const statuses = [];
  for (let at = 0; at < 5; at++) statuses.push((await register(server)).status);
  assert.deepEqual(statuses, [201, 201, 201, 201, 201]);
  assert.equal(errorOf(await register(server, { redirect_uris: [] })), "400 invalid_redirect_uri");
  const answer = await register(server);
  assert.equal(answer.status, 429);
  const wait = Number(answer.headers.get("retry-after"));
  assert.ok(wait > 3_000 && wait <= 3_600, String(wait));
  await server.setSetting("oauth.dynamicRegistrationLimit", 0);
  assert.equal((await register(server)).status, 201);
});
