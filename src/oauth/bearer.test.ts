import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findAccount } from "#access/accounts.ts";
import { createUser, patchUser } from "#accounts/users.ts";
import { nameSite } from "#content/site-address.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { findGrant, type GrantRow, insertGrant } from "#storage/tables/oauth-grants.ts";
import { signAccessToken } from "./access-tokens.ts";
import { authenticateBearer } from "./bearer.ts";
import { createClient } from "./clients.ts";
import { revokeGrant } from "./grants.ts";
import { findKeys, type SigningKeys, setUpKeys } from "./keys.ts";

const hour = 3_600_000;
const start = Date.parse("2030-01-01T00:00:00.000Z");

let ctx: Context;
let close: () => Promise<void>;
let now = start;

before(async () => {
  const opened = await openTestContext();
  close = opened.close;
  ctx = { ...opened.ctx, clock: { now: () => now, iso: () => new Date(now).toISOString() } };
  nameSite(ctx, () => "https://cms.example.test");
  await setUpKeys(ctx);
  await createUser(ctx, { id: "boss", email: "b@example.test", password: "correct-horse-1", groups: ["admin"] });
  await createUser(ctx, { id: "edith", email: "e@example.test", password: "correct-horse-1", groups: ["editor"] });
});
after(() => close());

/** A grant of edith's, and a token for it. */
async function makeToken(): Promise<{ token: string; grant: GrantRow }> {
  const { id: clientId } = await createClient(ctx, { name: "App", redirectUris: ["https://app.example.test/cb"] });
  const account = await findAccount(ctx, "edith");
  const grant: GrantRow = {
    ...{ id: crypto.randomUUID(), clientId, userId: "edith", lastUsed: null, created: ctx.clock.iso() },
    ...{ userRid: account?.rid as number, passwordMark: account?.passwordMark as string },
    scopes: JSON.stringify(["cms:read", "cms:write"]),
    resource: "https://cms.example.test",
    expires: new Date(now + 100 * hour).toISOString(),
  };
  await ctx.storage.write((tx) => insertGrant(tx, grant));
  const options = { grant, scopes: ["cms:read"] as const, resource: grant.resource };
  const { token } = await signAccessToken(ctx, findKeys(ctx) as SigningKeys, options);
  return { token, grant };
}

test("TOK-2 a token is verified once, remembered, and over on the second that it expires", async () => {
  const { token, grant } = await makeToken();
  const first = authenticateBearer(ctx, token, "any");
  assert.ok(first instanceof Promise);
  const actor = await first;
  assert.deepEqual([actor?.id, actor?.grantId, [...(actor?.scopes ?? [])]], ["edith", grant.id, ["cms:read"]]);
  assert.equal(authenticateBearer(ctx, token, "any"), actor);
  now += hour - 1;
  assert.equal(authenticateBearer(ctx, token, "any"), actor);
  now += 1;
  assert.equal(await authenticateBearer(ctx, token, "any"), undefined);
});

test("TOK-4 a cached token ends with its grant, at once", async () => {
  const { token, grant } = await makeToken();
  await authenticateBearer(ctx, token, "any");
  const other = await makeToken();
  await authenticateBearer(ctx, other.token, "any");
  await revokeGrant(ctx, grant.id);
  assert.equal(await authenticateBearer(ctx, token, "any"), undefined);
  assert.equal((await authenticateBearer(ctx, other.token, "any"))?.grantId, other.grant.id);
});

test("TOK-5 a remembered token is over when its approver's time runs out", async () => {
  const { token } = await makeToken();
  await patchUser(ctx, "edith", { expiration: new Date(now + 60_000).toISOString() });
  const actor = await authenticateBearer(ctx, token, "any");
  assert.equal(authenticateBearer(ctx, token, "any"), actor);
  now += 60_000;
  assert.equal(await authenticateBearer(ctx, token, "any"), undefined);
  await patchUser(ctx, "edith", { expiration: "" });
});

test("TOK-13 the use of a grant is written down at most once a minute, and brings no revoked one back", async () => {
  const { token, grant } = await makeToken();
  const lastUsed = async () => (await findGrant(ctx.storage, grant.id))?.lastUsed;
  const settled = () => ctx.storage.write(async () => {});
  await authenticateBearer(ctx, token, "any");
  now += 59_000;
  await authenticateBearer(ctx, token, "any");
  await settled();
  assert.equal(await lastUsed(), null);
  now += 1_000;
  await authenticateBearer(ctx, token, "any");
  const noted = ctx.clock.iso();
  now += 30_000;
  await authenticateBearer(ctx, token, "any");
  await settled();
  assert.equal(await lastUsed(), noted);
  now += 60_000;
  const used = authenticateBearer(ctx, token, "any");
  await revokeGrant(ctx, grant.id);
  await used;
  await settled();
  assert.equal(await findGrant(ctx.storage, grant.id), undefined);
});
