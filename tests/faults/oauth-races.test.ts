// Twenty requests with one code, or one refresh token, at the same moment, again and again: one of them wins.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, repeats, type Server } from "../harness.ts";
import {
  askFor,
  askToken,
  type Client,
  connect,
  getCode,
  makePkce,
  redirectUri,
  refresh,
  withToken,
} from "../support/oauth-app.ts";
import type { Person } from "../support/sign-in.ts";
import { startOAuthSite } from "./oauth-site.ts";

const rounds = repeats(5, 20);
const atOnce = 20;
const scope = "cms:read";
let server: Server;
let client: Client;
let person: Person;

before(async () => {
  ({ server, client, person } = await startOAuthSite());
});
after(() => server.stop());

/** One has won, and, since the others hold what it holds, its tokens are over with the race. */
async function checkRace(answers: Answer[], round: number): Promise<void> {
  const [winner, ...others] = answers.filter(({ status }) => status === 200);
  assert.ok(winner, `round ${round}: nobody won`);
  assert.equal(others.length, 0, `round ${round}: ${others.length + 1} won`);
  for (const { status, body } of answers)
    if (status !== 200) assert.deepEqual([status, body.error], [400, "invalid_grant"]);
  const { access_token: token, refresh_token: next } = winner.body;
  assert.equal((await withToken(server, token, "GET", "/api/collections")).status, 401);
  assert.equal((await refresh(server, client, next)).body.error, "invalid_grant");
}

test(`OAU-53 DUR-24 ${rounds} x ${atOnce} uses of a code at once have one winner each (F16, T80)`, async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const { verifier, challenge } = makePkce();
    const code = await getCode(person, askFor(client, challenge, { scope }));
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    await checkRace(await Promise.all(Array.from({ length: atOnce }, () => askToken(server, client, form))), round);
  }
});

test(`OAU-56 DUR-24 ${rounds} x ${atOnce} refreshes at once have one winner each (F16, T85)`, async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const { refreshToken } = await connect(server, person, { client, scope });
    const race = Array.from({ length: atOnce }, () => refresh(server, client, refreshToken));
    await checkRace(await Promise.all(race), round);
  }
});
