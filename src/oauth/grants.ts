// Grants: administrators list and revoke all, users their own. A grant is valid only while its user is the same one who
// approved, has the same password, and may sign in.

import type { Account } from "#access/accounts.ts";
import { allow } from "#access/allow.ts";
import { findHolder, isSessionOf, type SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { Scope } from "#contract/scopes.ts";
import {
  deleteGrant,
  findGrant,
  type GrantRow,
  type ListedGrant,
  listGrantsOf,
  listGrants as listRows,
} from "#storage/tables/oauth-grants.ts";
import { recordOAuth } from "./audit.ts";

export interface GrantAnswer {
  id: string;
  clientId: string;
  clientName: string;
  clientOrigin: string;
  userId: string;
  scopes: Scope[];
  resource: string;
  created: string;
  lastUsed: string | null;
  expires: string;
}

/** Active ones. */
export async function listGrants(ctx: Context): Promise<GrantAnswer[]> {
  allow(ctx, "read", { kind: "oauth" });
  const live: GrantAnswer[] = [];
  for (const row of await listRows(ctx.storage, ctx.clock.iso())) {
    if (await findApprover(ctx, row)) live.push(presentGrant(row));
  }
  return live;
}

/** All tokens of the grant are invalid with the next request. */
export async function revokeGrant(ctx: Context, id: string): Promise<void> {
  allow(ctx, "delete", { kind: "oauth" });
  const grant = await ctx.storage.write((tx) => deleteGrant(tx, id));
  if (!grant) return fail("not-found", `There is no grant "${id}".`);
  recordOAuth(ctx, { type: "token.revoked", ...eventOf(grant) });
}

/** Those of this user. */
export async function listOwnGrants(ctx: Context, { account }: SignedIn): Promise<GrantAnswer[]> {
  const rows = await listGrantsOf(ctx.storage, account.id, ctx.clock.iso());
  return rows.filter((row) => isSessionOf(account, row)).map(presentGrant);
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

function presentGrant(row: ListedGrant): GrantAnswer {
  const { id, clientId, clientName, clientOrigin, userId, resource, created, lastUsed, expires } = row;
  return {
    id,
    clientId,
    clientName,
    clientOrigin,
    userId,
    scopes: scopesOf(row),
    resource,
    created,
    lastUsed,
    expires,
  };
}
