// What users change in their own record. A new password takes proof of identity. A new address takes that and a link that
// is mailed to it: until the link is opened the old address stays, and it gets a notice.
// Holds for sessions. Keys and the command line change users as administrators do; a token never changes these.

import { issueToken } from "#access/account-tokens.ts";
import { type Account, findAccount, findAccountByEmail, normalizeLogin, usersCollection } from "#access/accounts.ts";
import { isWithinLimit } from "#access/hourly-limits.ts";
import { fail, rateLimited } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { adminAddress } from "#content/site-address.ts";
import type { ChangeRequest, JudgedChange } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { mailSettings } from "#mail/mail-settings.ts";
import { findMailProblem, type Message } from "#mail/smtp.ts";
import { isEmail } from "#schemas/fields/address.ts";
import { proofField, proveIdentity, refuseUnproven } from "./identity-proof.ts";
import { isUnverified } from "./unverified.ts";

const changesPerHour = 5;
const mailsPerAddress = 5;
const hourMs = 3_600_000;

/** A change that a user makes to their own record. */
export interface OwnChange {
  account: Account;
  isProven: boolean;
  /** The new address; it counts when its link has been opened. */
  address?: string;
  /** An administrator's, where no mail can be sent. */
  countsAtOnce?: true;
}

/** Before the transaction; undefined: it is not about the caller's own record. */
export async function openOwnChange(ctx: Context, request: ChangeRequest): Promise<OwnChange | undefined> {
  const { id, sent, asides } = request;
  if (id === undefined || !isOwn(ctx, id)) return undefined;
  const account = await findAccount(ctx, id);
  if (!account) return undefined;
  const address = typeof sent.email === "string" ? sent.email.trim() : "";
  const isAddress = address !== "" && address !== account.email;
  const isPassword = sent.password !== undefined && sent.password !== null && sent.password !== "";
  if (!isAddress && !isPassword) return { account, isProven: false };
  const { actor } = ctx;
  if (actor.kind === "token")
    fail("forbidden", "An access token cannot change the password or the e-mail address of its user.");
  if (actor.kind === "user" && actor.impersonator !== undefined)
    fail(
      "forbidden",
      "The password and the e-mail address cannot be changed while an administrator acts as this user.",
    );
  await proveIdentity(ctx, account, asides?.[proofField]);
  return { account, isProven: true, ...(isAddress && (await planAddress(ctx, account, address))) };
}

function isOwn({ actor }: Context, id: string): boolean {
  return (actor.kind === "user" || actor.kind === "token") && actor.id === id;
}

/** In the transaction, by whichever door: nothing has changed that was not proven. */
export function checkOwnChange(
  ctx: Context,
  { id, before, after }: Pick<JudgedChange, "id" | "before" | "after">,
  own: OwnChange | undefined,
): void {
  if (!isOwn(ctx, id)) return;
  const isOtherAddress = before.document.email !== after.document.email;
  const isOtherPassword = before.secrets.password !== after.secrets.password;
  if ((isOtherAddress && !own?.countsAtOnce) || (isOtherPassword && !own?.isProven)) refuseUnproven();
}

async function planAddress(
  ctx: Context,
  account: Account,
  address: string,
): Promise<Pick<OwnChange, "address" | "countsAtOnce">> {
  if (!isEmail(address)) fail("validation-failed", undefined, { email: ["must be an e-mail address"] });
  if (findMailProblem(mailSettings(ctx.settings)) !== undefined) {
    if (ctx.actor.kind === "user" && ctx.actor.isAdmin) return { countsAtOnce: true };
    const message = "This site sends no mail, so a new address cannot be verified. Ask an administrator to change it.";
    fail("forbidden", message, { email: [message] });
  }
  if (!(await isWithinLimit(ctx, "address", account.id, changesPerHour))) throw rateLimited(hourMs);
  const { settings } = await getCollection(ctx, usersCollection);
  if (!settings.requireEmailVerification && (await findOther(ctx, account, address))) {
    fail("validation-failed", undefined, { email: ["Another user has this e-mail address."] });
  }
  return { address };
}

async function findOther(ctx: Context, { id }: Account, address: string): Promise<Account | undefined> {
  const other = await findAccountByEmail(ctx, address);
  if (!other || other.id === id) return undefined;
  return (await isUnverified(ctx, other)) ? undefined : other;
}

/**
 * After the commit. Whether the address is free is looked up after the answer, so that its time reveals nothing.
 * Returns what the caller is to know beside the user.
 */
export function finishOwnChange(ctx: Context, { account, address }: OwnChange): JsonObject | undefined {
  if (address === undefined) return undefined;
  const site = adminAddress(ctx);
  ctx.mail.post(async () => noticeOf(account, site));
  ctx.mail.post(async () => {
    if (!(await isWithinLimit(ctx, "verify", normalizeLogin(address), mailsPerAddress))) return undefined;
    if (await findOther(ctx, account, address)) return takenNotice(address, site);
    const minutes = ctx.settings.get("auth.verificationTokenExpiry");
    const token = await issueToken(ctx, { purpose: "address", user: account, note: address }, minutes * 60_000);
    return linkOf(address, { site, token, minutes });
  });
  return { requiresVerification: true };
}

function noticeOf({ email }: Account, site: string): Message {
  return {
    to: email,
    subject: "Your e-mail address is about to be changed",
    text:
      `Somebody, hopefully you, asked at ${site} to use another e-mail address for your account. A link was sent to the ` +
      "new address; this one stays until the link is opened.\n\n" +
      `If it was not you, choose a new password at once:\n${site}/forgot-password\n\n` +
      "That signs everybody out of your account and makes the link void. Then tell an administrator of the site.\n",
  };
}

function takenNotice(to: string, site: string): Message {
  return {
    to,
    subject: "You have an account already",
    text:
      `Somebody, hopefully you, tried to use this address for another account at ${site}. It has an account already, ` +
      "and nothing was changed.\n\nIf it was not you, there is nothing to do.\n",
  };
}

function linkOf(to: string, { site, token, minutes }: { site: string; token: string; minutes: number }): Message {
  return {
    to,
    subject: "Verify your new e-mail address",
    text:
      `Somebody, hopefully you, wants to use this address for an account at ${site}.\n\n` +
      `Verify it here, within ${minutes} minutes:\n${site}/verify-email?token=${token}\n\n` +
      "If it was not you, leave it: nothing changes.\n",
  };
}
