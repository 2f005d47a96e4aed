// Two servers on one database: what ends a token at one of them ends it at the other with the next request.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Launched, launch, type Server, send, startServer } from "../harness.ts";
import { type Client, claimsOf, connect, makeClient, refresh } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const one = "/api/collections/news/one";

let server: Server;
let second: Launched;
let client: Client;
let person: Person;
before(async () => {
  const env = { CAIRN_URL: "https://cms.example.test" };
  server = await startServer({ hasOAuth: true, env, settings: { oauth: { tokenEndpointLimit: 0 } } });
  second = await launch(["serve", "--port", "0"], server.env);
  await server.makeCollection({ id: "news", schema: "blog" });
  await server.request("POST", "/api/collections/news", { body: { id: "one", title: "One" } });
  await makeUser(server, "edith", ["editor"]);
  person = await signIn(server, "edith");
  client = await makeClient(server);
});
after(async () => {
  await second?.end("SIGTERM");
  await server.stop();
});

const askSecond = async (token: string, method = "GET", path = one) =>
  (await send(undefined, second.url, method, path, { headers: { authorization: `Bearer ${token}` } })).status;
const tokens = () => connect(server, person, { client, scope: "cms:read cms:write" });

test("TOK-8 a grant revoked at one server is over at the other (T90, T95)", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { accessToken } = await tokens();
    assert.equal(await askSecond(accessToken), 200);
    assert.equal((await server.request("DELETE", `/api/oauth-grants/${claimsOf(accessToken).grant_id}`)).status, 204);
    assert.equal(await askSecond(accessToken), 401, `round ${round}`);
  }
});

/** A change of groups is told to the other server; it takes a moment. */
async function settles(token: string, status: number): Promise<void> {
  await until(
    () => askSecond(token),
    (found) => found === status,
  );
}

test("TOK-9 groups, passwords and users that change at one server have changed at the other (T62, T95)", async () => {
  const user = "/api/collections/auth/edith";
  const { accessToken } = await tokens();
  assert.equal(await askSecond(accessToken), 200);
  await server.request("PUT", "/api/access-groups/none", { body: { permissions: {} } });
  await server.request("PATCH", user, { body: { groups: ["none"] } });
  await settles(accessToken, 403);
  await server.request("PUT", "/api/access-groups/none", {
    body: { permissions: { collections: { operations: ["read"], all: true } } },
  });
  await settles(accessToken, 200);
  await server.request("PATCH", user, { body: { password: "another-horse-2" } });
  assert.equal(await askSecond(accessToken), 401);
  await server.request("PATCH", user, { body: { password: "correct-horse-1", groups: ["editor"] } });
  person = await signIn(server, "edith");
});

test("TOK-8 of refreshes that race at both servers one wins, and the chain ends (T85)", async () => {
  const { refreshToken } = await tokens();
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: client.id });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const atSecond = () => send(undefined, second.url, "POST", "/oauth/token", { raw: form.toString(), headers });
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => (at % 2 ? atSecond() : refresh(server, client, refreshToken))),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(await askSecond(won[0]?.body.access_token), 401);
});

test("TOK-8 new keys by the command line end the tokens at both (T89)", async () => {
  const { accessToken } = await tokens();
  assert.equal(await askSecond(accessToken), 200);
  assert.equal((await server.cli(["oauth:setup", "--force"])).code, 0);
  assert.equal(await askSecond(accessToken), 401);
  const { accessToken: next } = await tokens();
  assert.equal(await askSecond(next), 200);
});
