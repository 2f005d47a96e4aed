// Grants: administrators list and revoke all, users their own. A grant is valid only while its user is the same one who
// approved, has the same password, and may sign in.

import { type Account, actorOf } from "#access/accounts.ts";
import { allow } from "#access/allow.ts";
import { findHolder, isSessionOf, type SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { GrantReach, OAuthGrant } from "#contract/oauth.ts";
import type { Scope } from "#contract/scopes.ts";
import {
  deleteGrant,
  deleteGrantsFor,
  findGrant,
  type GrantRow,
  type ListedGrant,
  listGrantsOf,
  listGrants as listRows,
} from "#storage/tables/oauth-grants.ts";
import { recordOAuth } from "./audit.ts";
import { reachOf } from "./authority.ts";

/** Active ones. */
export async function listGrants(ctx: Context): Promise<OAuthGrant[]> {
  allow(ctx, "read", { kind: "oauth" });
  const live: OAuthGrant[] = [];
  for (const row of await listRows(ctx.storage, ctx.clock.iso())) {
    const approver = await findApprover(ctx, row);
    if (approver) live.push(presentGrant(row, approver));
  }
  return live;
}

/** What its tokens reach at this moment: the user's rights may have changed since the approval. */
export async function getReach(ctx: Context, id: string): Promise<GrantReach> {
  allow(ctx, "read", { kind: "oauth" });
  const grant = await findGrant(ctx.storage, id);
  const approver = grant && grant.expires > ctx.clock.iso() ? await findApprover(ctx, grant) : undefined;
  if (!grant || !approver) return noGrant(id);
  const user = await actorOf(ctx, approver);
  const { isUnlimited, reads, writes } = await reachOf(ctx, user, {
    scopes: scopesOf(grant),
    resource: grant.resource,
  });
  const writable = new Set(writes.map((one) => one.id));
  const readable = new Set(reads.map((one) => one.id));
  const all = [...reads, ...writes.filter((one) => !readable.has(one.id))];
  return {
    unlimited: isUnlimited,
    collections: all.map((one) => ({
      ...{ id: one.id, name: one.name, count: one.count ?? null },
      ...{ read: readable.has(one.id), write: writable.has(one.id) },
    })),
  };
}

function noGrant(id: string): never {
  fail("not-found", `There is no grant "${id}".`);
}

/** All tokens of the grant are invalid with the next request. */
export async function revokeGrant(ctx: Context, id: string): Promise<void> {
  allow(ctx, "delete", { kind: "oauth" });
  const grant = await ctx.storage.write((tx) => deleteGrant(tx, id));
  if (!grant) return noGrant(id);
  recordOAuth(ctx, { type: "token.revoked", ...eventOf(grant) });
}

/** All grants of one client, at once. Returns their number. */
export async function revokeGrantsFor(ctx: Context, clientId: string | undefined): Promise<number> {
  allow(ctx, "delete", { kind: "oauth" });
  if (clientId === undefined) return fail("invalid", "client is required.", { client: ["is required"] });
  const ended = await ctx.storage.write((tx) => deleteGrantsFor(tx, clientId));
  for (const grant of ended) recordOAuth(ctx, { type: "token.revoked", ...eventOf(grant) });
  return ended.length;
}

/** Those of this user. */
export async function listOwnGrants(ctx: Context, { account }: SignedIn): Promise<OAuthGrant[]> {
  const rows = await listGrantsOf(ctx.storage, account.id, ctx.clock.iso());
  return rows.filter((row) => isSessionOf(account, row)).map((row) => presentGrant(row, account));
}

/** A connection of a different user is 404 like an unknown one. */
export async function revokeOwnGrant(ctx: Context, { account, impersonator }: SignedIn, id: string): Promise<void> {
  if (impersonator) fail("forbidden", "Applications cannot be disconnected while you act as another user.");
  const grant = await findGrant(ctx.storage, id);
  const isOwn = grant !== undefined && isSessionOf(account, grant);
  if (!isOwn || !(await ctx.storage.write((tx) => deleteGrant(tx, id))))
    return fail("not-found", "There is no such connection.");
  recordOAuth(ctx, { type: "token.revoked", ...eventOf(grant) });
}

/** The approver's present account; undefined: the grant has ended. */
export function findApprover(app: App, grant: GrantRow): Promise<Account | undefined> {
  return findHolder(app, grant);
}

export function scopesOf({ scopes }: Pick<GrantRow, "scopes">): Scope[] {
  return JSON.parse(scopes) as Scope[];
}

/** The properties of a grant in log records. */
export function eventOf(grant: GrantRow): { grantId: string; clientId: string; userId: string; scopes: Scope[] } {
  return { grantId: grant.id, clientId: grant.clientId, userId: grant.userId, scopes: scopesOf(grant) };
}

function presentGrant(row: ListedGrant, { name, email }: Account): OAuthGrant {
  const { id, clientId, clientName, clientOrigin, userId, resource, created, lastUsed, expires } = row;
  return {
    id,
    clientId,
    clientName,
    clientOrigin,
    userId,
    userName: name || email,
    scopes: scopesOf(row),
    resource,
    created,
    lastUsed,
    expires,
  };
}
