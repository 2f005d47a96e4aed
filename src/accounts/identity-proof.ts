// Proof that a signed-in caller is the user, and not another person at their open browser: the present password, or a
// passkey that was confirmed within five minutes. Required before users change what they sign in by.
// The password is taken out of the body here; it is never stored, logged or answered.

import { confirmSession, findConfirmation } from "#access/account-tokens.ts";
import { type Account, findPasswordHash, normalizeLogin } from "#access/accounts.ts";
import { audit } from "#access/audit.ts";
import { checkThrottle, clearFailures } from "#access/login-throttle.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import { verifyPassword } from "#base/passwords.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** Of a body; not part of the user. */
export const proofField = "currentPassword";
const maxLength = 1_000;
const confirmedMs = 10 * 60_000;
const needed =
  "Send your current password in the body of the request, or confirm a passkey within five minutes before it.";

/** The body without the present password, and that password as it was sent. */
export function takeProof(body: JsonObject): { body: JsonObject; currentPassword: Json | undefined } {
  if (!isJsonObject(body) || !Object.hasOwn(body, proofField)) return { body, currentPassword: undefined };
  const { [proofField]: currentPassword, ...rest } = body;
  return { body: rest, currentPassword };
}

/** `{password}`: for ten minutes, what needs a recent proof (access/recent-proof.ts) is open to this session. */
export async function confirmByPassword(
  ctx: Context,
  { account, impersonator, session }: SignedIn,
  body: Json,
): Promise<{ confirmedUntil: string }> {
  if (impersonator) fail("forbidden", "You act as another user: stop that first.");
  const password = isJsonObject(body) ? body.password : undefined;
  if (typeof password !== "string" || password === "")
    return fail("invalid", "The password is required.", { password: ["is required"] });
  await checkPassword(ctx, account, password, "password");
  const confirmedUntil = await confirmSession(ctx, {
    session: session.hash,
    user: account,
    lifetimeMs: confirmedMs,
    by: "password",
  });
  return { confirmedUntil };
}

/** Wrong passwords count like failed logins by the user's id. */
export async function proveIdentity(ctx: Context, account: Account, currentPassword: Json | undefined): Promise<void> {
  if (currentPassword === undefined || currentPassword === null || currentPassword === "") {
    return (await isConfirmed(ctx)) ? undefined : refuseUnproven();
  }
  return checkPassword(ctx, account, currentPassword, proofField);
}

/** `field`: what the password is called in the body. */
async function checkPassword(ctx: Context, account: Account, currentPassword: Json, field: string): Promise<void> {
  if (typeof currentPassword !== "string" || currentPassword.length > maxLength) return refuseWrong(field);
  const attempt = { account: normalizeLogin(account.id), user: account.id, address: ctx.origin?.address ?? "" };
  await checkThrottle(ctx, attempt);
  const hash = await findPasswordHash(ctx, account.id);
  if (hash === undefined || !(await verifyPassword(currentPassword, hash))) {
    audit(ctx, { type: "login.failed", user: account.id });
    return refuseWrong(field);
  }
  await clearFailures(ctx, attempt);
}

async function isConfirmed(ctx: Context): Promise<boolean> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.session === undefined) return false;
  return (await findConfirmation(ctx, actor.session)) !== undefined;
}

export function refuseUnproven(): never {
  fail("validation-failed", undefined, { [proofField]: [needed] });
}

function refuseWrong(field: string): never {
  fail("forbidden", "The current password is wrong.", { [field]: ["is wrong"] });
}
