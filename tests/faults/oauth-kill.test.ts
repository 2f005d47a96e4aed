// Sudden death while applications redeem codes and refresh: what was answered holds, and nothing is ever used twice.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as Postgres } from "pg";
import { type Answer, engine, repeats, type Server } from "../harness.ts";
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

const cycles = engine === "sqlite" ? repeats(2, 6) : repeats(2, 4);
const scope = "cms:read";
let server: Server;
let client: Client;
let person: Person;

before(async () => {
  ({ server, client, person } = await startOAuthSite());
});
after(() => server.stop());

const isOpen = async (token: string) => (await withToken(server, token, "GET", "/api/collections")).status === 200;

function checkRefused({ status, body }: Answer, message: string): void {
  assert.deepEqual([status, body.error], [400, "invalid_grant"], message);
}

/** The last refresh token that the application was given, and whether it is being used at this moment. */
interface Chain {
  spent: string | undefined;
  token: string;
  isUnderWay: boolean;
}

async function startChain(): Promise<Chain> {
  const { refreshToken } = await connect(server, person, { client, scope });
  return { spent: undefined, token: refreshToken, isUnderWay: false };
}

/** Until the server is gone. */
async function refreshOn(chain: Chain): Promise<void> {
  for (;;) {
    chain.isUnderWay = true;
    const answer = await refresh(server, client, chain.token).catch(() => undefined);
    if (!answer) return;
    assert.equal(answer.status, 200, answer.text);
    Object.assign(chain, { spent: chain.token, token: answer.body.refresh_token, isUnderWay: false });
    await sleep(Math.random() * 20);
  }
}

/** Afterwards an answered rotation holds; one that was not is done or not, and what was spent stays spent. */
async function checkChain(chain: Chain, message: string): Promise<void> {
  const next = await refresh(server, client, chain.token);
  if (!chain.isUnderWay || next.status === 200) {
    assert.equal(next.status, 200, `${message}: ${next.text}`);
    assert.ok(await isOpen(next.body.access_token), message);
    checkRefused(await refresh(server, client, chain.spent ?? chain.token), message);
  } else checkRefused(next, message);
  checkRefused(await refresh(server, client, chain.token), message);
}

interface Redemption {
  form: Record<string, string>;
  answer: Answer | undefined;
}

async function prepareCode(): Promise<Redemption> {
  const { verifier, challenge } = makePkce();
  const code = await getCode(person, askFor(client, challenge, { scope }));
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  return { form, answer: undefined };
}

async function redeem(redemption: Redemption): Promise<void> {
  await sleep(Math.random() * 80);
  redemption.answer = await askToken(server, client, redemption.form).catch(() => undefined);
}

async function checkRedemption({ form, answer }: Redemption, message: string): Promise<void> {
  if (answer) {
    assert.equal(answer.status, 200, `${message}: ${answer.text}`);
    assert.ok(await isOpen(answer.body.access_token), message);
    checkRefused(await askToken(server, client, form), message);
    assert.equal(await isOpen(answer.body.access_token), false, message);
    return;
  }
  const late = await askToken(server, client, form);
  if (late.status !== 200) return checkRefused(late, message);
  assert.ok(await isOpen(late.body.access_token), message);
  checkRefused(await askToken(server, client, form), message);
}

/** How many refresh tokens of one grant could be used, at the most. */
async function mostLiveTokens(): Promise<number> {
  const sql = `SELECT COALESCE(MAX(live), 0) AS most FROM
    (SELECT COUNT(*) AS live FROM oauth_refresh_tokens WHERE used IS NULL GROUP BY grant_id) AS counted`;
  const url = server.env.CAIRN_DATABASE_URL;
  if (!url) {
    const db = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { readOnly: true });
    const row = db.prepare(sql).get() as { most: number };
    db.close();
    return row.most;
  }
  const db = new Postgres({ connectionString: url });
  await db.connect();
  const { rows } = await db.query(sql);
  await db.end();
  return Number(rows[0].most);
}

test("DUR-22 DUR-23 kills under refreshes and exchanges: answered requests hold, nothing works twice (F9, F10)", async () => {
  let cut = 0;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const chains = await Promise.all(Array.from({ length: 8 }, startChain));
    const codes = await Promise.all(Array.from({ length: 10 }, prepareCode));
    const work = Promise.all([...chains.map(refreshOn), ...codes.map(redeem)]);
    await sleep(20 + Math.random() * 80);
    await server.kill();
    await work;
    await server.restart();
    assert.ok((await mostLiveTokens()) <= 1, `a grant has two live refresh tokens after kill ${cycle}`);
    for (const chain of chains) await checkChain(chain, `refresh, kill ${cycle}`);
    for (const code of codes) await checkRedemption(code, `code, kill ${cycle}`);
    cut += chains.filter(({ isUnderWay }) => isUnderWay).length + codes.filter(({ answer }) => !answer).length;
  }
  assert.ok(cut > 0, "no kill came in the middle of anything");
});
