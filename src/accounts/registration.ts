// Registration, where the settings allow it, and the verification of addresses.
// Open to all callers. With verification no answer reveals whether an address is known: it is the same, only the mail
// differs. A registration sets address, password and the properties that the settings allow; its groups are those of the settings.

import { findToken, issueToken, issueTokenIn, takeToken } from "#access/account-tokens.ts";
import { type Account, findAccount, findAccountByEmail, normalizeLogin, usersCollection } from "#access/accounts.ts";
import { system } from "#access/actor.ts";
import { isWithinLimit, limitAddress } from "#access/hourly-limits.ts";
import { isRegistrationOpen, registrationGroups } from "#access/registration/registration-groups.ts";
import { CairnError, fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { type Ignored, ignoredNames } from "#content/objects/ignored.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { createObject, deleteObject } from "#content/objects/objects.ts";
import { type Context, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Message } from "#mail/smtp.ts";
import { isEmail } from "#schemas/fields/address.ts";
import { deleteTokensOf } from "#storage/tables/account-tokens.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";
import { refuseToken } from "./password-reset.ts";
import { checkNewPassword } from "./password-rule.ts";
import { isUntouched, isUnverified } from "./unverified.ts";
import { hasUsers } from "./users.ts";

const purpose = "verify";
const registrationsPerAddress = 10;
const requestsPerAddress = 20;
const mailsPerAddress = 5;
const maxTries = 3;

export interface Registration {
  email: string;
  password: string;
  /** The rest of the body. */
  more: JsonObject;
}

type NewUser = JsonObject & { email: string };

export interface Registered {
  /** The new user; undefined where the address must be verified first, known or not. */
  user?: ObjectAnswer | undefined;
  /** The names in the body that the settings do not allow. */
  ignored: Ignored[];
}

export async function register(
  ctx: Context,
  { email, password, more }: Registration,
  baseUrl: string,
): Promise<Registered> {
  if (!isRegistrationOpen(ctx)) fail("forbidden", "Registration is closed.");
  // Otherwise the first caller would take the place of the administrator.
  if (!(await hasUsers(ctx))) fail("forbidden", "Registration is closed until the installation is set up.");
  await limitAddress(ctx, "register", registrationsPerAddress);
  checkNewPassword(ctx, password);
  if (!isEmail(email.trim())) fail("validation-failed", undefined, { email: ["must be an e-mail address"] });
  const { settings } = await getCollection(ctx, usersCollection);
  const allowed = ctx.settings.get("auth.registrationProperties");
  const open = Object.entries(more).filter(([name]) => allowed.includes(name));
  const body = { ...Object.fromEntries(open), email, password, groups: await registrationGroups(ctx) };
  const ignored = ignoredNames(namesBeside(more, allowed), []);
  if (settings.requireEmailVerification) return { user: await registerUnverified(ctx, body, baseUrl), ignored };
  const made = await createObject(asService(ctx), usersCollection, { ...body, active: true });
  return { user: made, ignored: [...ignored, ...(made.ignored ?? [])] };
}

function namesBeside(more: JsonObject, allowed: readonly string[]): string[] {
  return Object.keys(more).filter((name) => !allowed.includes(name) && name !== "email" && name !== "password");
}

/**
 * An earlier registration without verification does not prove ownership, so a new one replaces it. Otherwise an attacker
 * could register first, with a known password, and wait for the owner to verify the account.
 * Concurrent registrations do the same: the address may be free, taken, and free again.
 */
async function registerUnverified(ctx: Context, body: NewUser, baseUrl: string): Promise<undefined> {
  for (let left = maxTries; ; left -= 1) {
    try {
      return await createUnverified(ctx, body, baseUrl);
    } catch (error) {
      if (!isTaken(error)) throw error;
      const owner = await findAccountByEmail(ctx, body.email);
      if (owner && !(await isUnverified(ctx, owner))) return postNotice(ctx, owner, baseUrl);
      if (left === 1) return;
      if (owner) await deleteIfThere(ctx, owner);
    }
  }
}

export async function deleteIfThere(ctx: Context, { id }: Account): Promise<void> {
  try {
    await deleteObject(asService(ctx), usersCollection, id);
  } catch (error) {
    if (!(error instanceof CairnError) || error.word !== "not-found") throw error;
  }
}

async function createUnverified(ctx: Context, body: NewUser, baseUrl: string): Promise<undefined> {
  const minutes = verificationMinutes(ctx);
  let token = "";
  const { id } = await createObject(
    asService(ctx),
    usersCollection,
    { ...body, active: false },
    {
      isForStranger: true,
      // The token distinguishes an unverified user from a disabled one: never store one without the other.
      async within(tx, userId) {
        const { rid } = (await findObject(tx, usersCollection, userId)) as ObjectRow;
        token = await issueTokenIn(tx, ctx, { purpose, user: { id: userId, rid } }, minutes * 60_000);
      },
    },
  );
  const account = await findAccount(ctx, id);
  if (account && (await mayBeMailed(ctx, account))) {
    ctx.mail.post(async () => composeVerification(account, { token, minutes, baseUrl }));
  }
}

/** By address: its accounts may be replaced. */
function mayBeMailed(ctx: Context, { email }: Account): Promise<boolean> {
  return isWithinLimit(ctx, purpose, normalizeLogin(email), mailsPerAddress);
}

/** The address was validated before. */
function isTaken(error: unknown): boolean {
  if (!(error instanceof CairnError) || error.word !== "validation-failed") return false;
  return Object.keys(error.details ?? {}).join() === "email";
}

/** No message contains text of the caller: registration could otherwise be used to send mail to strangers. */
async function postNotice(ctx: Context, account: Account, baseUrl: string): Promise<undefined> {
  if (!(await mayBeMailed(ctx, account))) return;
  ctx.mail.post(async () => ({
    to: account.email,
    subject: "You have an account already",
    text:
      `Someone, hopefully you, tried to register this address at ${baseUrl}. It has an account already.\n\n` +
      `If you have forgotten the password, choose a new one:\n${baseUrl}/forgot-password\n\n` +
      "If it was not you, ignore this mail.\n",
  }));
}

/** A new link, for a registered user who has not opened one yet. */
export async function requestVerification(ctx: Context, email: string, baseUrl: string): Promise<void> {
  await limitAddress(ctx, purpose, requestsPerAddress);
  ctx.mail.post(async () => {
    const account = await findAccountByEmail(ctx, email);
    if (!account || !(await isUnverified(ctx, account))) return undefined;
    if (!(await mayBeMailed(ctx, account))) return undefined;
    return composeVerification(account, { ...(await issueVerification(ctx, account)), baseUrl });
  });
}

function verificationMinutes({ settings }: Context): number {
  return settings.get("auth.verificationTokenExpiry");
}

async function issueVerification(ctx: Context, user: Account): Promise<{ token: string; minutes: number }> {
  const minutes = verificationMinutes(ctx);
  return { token: await issueToken(ctx, { purpose, user }, minutes * 60_000), minutes };
}

function composeVerification(
  { email }: Account,
  { token, minutes, baseUrl }: { token: string; minutes: number; baseUrl: string },
): Message {
  return {
    to: email,
    subject: "Verify your e-mail address",
    text:
      `Someone, hopefully you, registered this address at ${baseUrl}.\n\n` +
      `Verify it here, within ${minutes} minutes:\n${baseUrl}/verify-email?token=${token}\n\n` +
      "If it was not you, ignore this mail: the account stays closed.\n",
  };
}

/** Whether the link still works; the check does not use it up. */
export async function isVerificationToken(ctx: Context, token: string): Promise<boolean> {
  return (await findToken(ctx, token, purpose)) !== undefined;
}

export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  const found = await findToken(ctx, token, purpose);
  const account = found && (await findAccount(ctx, found.userId));
  if (!account || account.rid !== found?.userRid) return refuseToken();
  await changeObject(
    asService(ctx),
    { collection: await getCollection(ctx, usersCollection), id: account.id },
    {
      sent: {},
      change: (current) => ({ input: { ...current, active: true }, changed: new Set(["active"]) }),
      async within(tx, row) {
        const taken = await takeToken(tx, token, { purpose, clock: ctx.clock });
        if (taken?.userRid !== row.rid || !isUntouched(row)) refuseToken();
        await deleteTokensOf(tx, row.id);
      },
    },
  );
}

/** Only administrators and the service itself may write users; the audit log keeps the caller. */
function asService(ctx: Context): Context {
  return contextFor(ctx, system, ctx.origin);
}
