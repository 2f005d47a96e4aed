// The server's clock jumps between restarts, forwards and back: what has a lifetime keeps it, what has an order keeps it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, type Server, startServer } from "../harness.ts";
import { type Client, connect, makeClient, refresh, type Tokens } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
let server: Server;
let person: Person;
let client: Client;

before(async () => {
  // Each start has another port; tokens are for the address that the site is known by.
  const env = {
    CAIRN_URL: "http://cairn.test",
    NODE_OPTIONS: `--import ${join(root, "tests/support/shift-clock.ts")}`,
  };
  server = await startServer({ hasOAuth: true, env: { ...env, CLOCK_SHIFT_MS: "0" } });
  await server.makeSchema({ id: "stone", properties: { id: { type: "slug" }, title: { type: "string" } } });
  await server.makeCollection({ id: "stones", schema: "stone" });
  await server.request("POST", "/api/collections/stones", { body: { id: "a", title: "first" } });
  await makeUser(server, "ann", ["editor"]);
  person = await signIn(server, "ann");
  client = await makeClient(server);
});
after(() => server.stop());

async function jump(milliseconds: number): Promise<void> {
  server.env.CLOCK_SHIFT_MS = String(milliseconds);
  await server.restart();
}

async function reads({ accessToken }: Tokens): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await server.request("GET", "/api/collections/stones/a", { key: null, headers })).status;
}

test("DUR-20 an access token ends within a minute of its hour, and a step back does not prolong it (F18)", async () => {
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  await jump(58 * minute);
  assert.equal(await reads(tokens), 200);
  await jump(61 * minute);
  assert.equal(await reads(tokens), 401);
  const renewed = await refresh(server, client, tokens.refreshToken);
  assert.equal(renewed.status, 200, renewed.text);
  await jump(0);
  const spent = await refresh(server, client, tokens.refreshToken);
  assert.equal(spent.body.error, "invalid_grant");
});

test("DUR-20 a refresh token ends with its month (F18)", async () => {
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  await jump(31 * day);
  assert.equal((await refresh(server, client, tokens.refreshToken)).body.error, "invalid_grant");
  assert.equal((await person.request("GET", "/api/auth/session")).body.data?.user ?? null, null);
  await jump(0);
});

test("OAU-66 refreshing has no end by default, and with oauth.grantMaxDays ends that many days after the approval", async () => {
  await server.cli(["settings:set", "oauth.refreshTokenTtl", "P200D"]);
  const renew = async (token: string) => {
    const { status, body, text } = await refresh(server, client, token);
    assert.equal(status, 200, text);
    return body.refresh_token as string;
  };
  const first = await connect(server, person, { client, scope: "cms:read" });
  await jump(100 * day);
  const endless = await renew(first.refreshToken);
  // Felt by what was granted before, too.
  await server.cli(["settings:set", "oauth.grantMaxDays", "90"]);
  assert.equal((await refresh(server, client, endless)).body.error, "invalid_grant");
  const second = await connect(server, await signIn(server, "ann"), { client, scope: "cms:read" });
  await jump(189 * day);
  const limited = await renew(second.refreshToken);
  const { created, expires } = (await server.request("GET", "/api/oauth-grants")).body.data.at(-1);
  assert.equal(Date.parse(expires) - Date.parse(created), 90 * day);
  await jump(191 * day);
  assert.equal((await refresh(server, client, limited)).body.error, "invalid_grant");
  await server.cli(["settings:set", "oauth.grantMaxDays", "0"]);
  await jump(0);
});

test("DUR-20 modified moves forwards, also while the clock goes back (F18)", async () => {
  const path = "/api/collections/stones/a";
  const patch = async (title: string): Promise<string> =>
    (await server.request("PATCH", path, { body: { title } })).body.data.modified;
  const first = await patch("second");
  await jump(-60 * minute);
  const second = await patch("third");
  const third = await patch("fourth");
  assert.ok(first < second && second < third, `${first}, ${second}, ${third}`);
  await jump(0);
});
