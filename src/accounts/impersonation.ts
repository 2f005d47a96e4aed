// An admin acts as another user: in a session of that user, tied to the admin's own.
// Only from a session of an admin; never as another admin, and never while acting as a user already.

import { findAccount, isUsable } from "#access/accounts.ts";
import { audit } from "#access/audit.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { startSession } from "#access/sessions.ts";
import { isAdmin, type SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { deleteSession } from "#storage/tables/sessions.ts";
import type { Client, Login } from "./login.ts";

export async function impersonate(ctx: Context, current: SignedIn, userId: string, client: Client): Promise<Login> {
  if (!current.actor.isAdmin || current.impersonator) fail("forbidden");
  await confirmPower(ctx);
  const target = await findAccount(ctx, userId);
  if (!target) return fail("not-found", `There is no user "${userId}".`);
  if (target.id === current.account.id) fail("invalid", "You are this user already.");
  if (isAdmin(target)) fail("forbidden", "Administrators cannot be impersonated.");
  if (!isUsable(target, ctx.clock.iso())) fail("invalid", "This user may not sign in.");
  const session = await startSession(ctx, target, {
    ...client,
    isRemembered: false,
    impersonator: current.session.hash,
  });
  audit(ctx, { type: "impersonation.started", user: target.id });
  return { account: target, session };
}

/** Back to the admin, in a fresh session: the browser has forgotten the cookie of the old one. */
export async function stopImpersonating(ctx: Context, current: SignedIn, client: Client): Promise<Login> {
  const { impersonator } = current;
  if (!impersonator) return fail("invalid", "This session does not impersonate a user.");
  const { session: old, account } = impersonator;
  const session = await startSession(ctx, account, { ...client, isRemembered: old.isRemembered === 1 });
  await ctx.storage.write(async (tx) => {
    await deleteSession(tx, current.session.hash);
    await deleteSession(tx, old.hash);
  });
  audit(ctx, { type: "impersonation.stopped", user: current.account.id });
  return { account, session };
}
