// Forgotten passwords: a new one by a link sent to the address of the account.
// Open to all callers, so answers reveal nothing: the account is looked up after the answer, and only the mail differs.

import { findToken, issueToken, takeToken } from "#access/account-tokens.ts";
import { findAccount, findAccountByEmail, isUsable, usersCollection } from "#access/accounts.ts";
import { system } from "#access/actor.ts";
import { isWithinLimit, limitAddress } from "#access/hourly-limits.ts";
import { fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { type Context, contextFor } from "#context.ts";
import type { Message } from "#mail/smtp.ts";
import { deleteTokensOf } from "#storage/tables/account-tokens.ts";
import { checkNewPassword } from "./password-rule.ts";

const purpose = "reset";
const perAddress = 20;
const perAccount = 5;

/** `baseUrl`: where the link leads; never taken from a request. */
export async function requestReset(ctx: Context, email: string, baseUrl: string): Promise<void> {
  await limitAddress(ctx, purpose, perAddress);
  ctx.mail.post(() => composeReset(ctx, email, baseUrl));
}

async function composeReset(ctx: Context, email: string, baseUrl: string): Promise<Message | undefined> {
  const account = await findAccountByEmail(ctx, email);
  if (!account || !isUsable(account, ctx.clock.iso())) return undefined;
  if (!(await isWithinLimit(ctx, purpose, account.id, perAccount))) return undefined;
  const minutes = ctx.settings.get("auth.resetTokenExpiry");
  const token = await issueToken(ctx, { purpose, user: account }, minutes * 60_000);
  return {
    // The stored address, not the typed one.
    to: account.email,
    subject: "Choose a new password",
    text:
      `Someone, hopefully you, asked for a new password at ${baseUrl}.\n\n` +
      `Choose it here, within ${minutes} minutes:\n${baseUrl}/reset-password?token=${token}\n\n` +
      "The link works once. If it was not you, ignore this mail: your password stays the same.\n",
  };
}

/** Whether the link still works; the check does not use it up. */
export async function isResetToken(ctx: Context, token: string): Promise<boolean> {
  return (await findToken(ctx, token, purpose)) !== undefined;
}

/** Ends all sessions of the user and invalidates all their links. A refused password leaves the link valid. */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<void> {
  const found = await findToken(ctx, token, purpose);
  const account = found && (await findAccount(ctx, found.userId));
  if (account?.rid !== found?.userRid || !account || !isUsable(account, ctx.clock.iso())) return refuseToken();
  checkNewPassword(ctx, password);
  await changeObject(
    contextFor(ctx, system, ctx.origin),
    { collection: await getCollection(ctx, usersCollection), id: account.id },
    {
      sent: { password },
      change: (current) => ({ input: { ...current, password }, changed: new Set(["password"]) }),
      async within(tx, row) {
        const taken = await takeToken(tx, token, { purpose, clock: ctx.clock });
        if (taken?.userRid !== row.rid) refuseToken();
        await deleteTokensOf(tx, row.id);
      },
    },
  );
}

/** One text for unknown, used and expired ones. */
export function refuseToken(): never {
  fail("invalid", "This link is not valid any more. Ask for a new one.");
}
