// Slows down guessing of passwords: limits failures for one account from one address, and for all accounts from one
// address. An attempt counts as a failure from its beginning, so that many at once are no way around the limit; signing in
// takes it back.

import { parseDuration } from "#base/durations.ts";
import { rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import type { Context } from "#context.ts";
import { audit } from "./audit.ts";
import { type Counter, counterName, hit, type OverLimit, unhit } from "./counters.ts";

type Parts = Pick<Context, "settings" | "storage" | "clock" | "log" | "actor" | "origin">;

export interface LoginAttempt {
  /** The name that was typed, normalised. */
  account: string;
  /** The id of the user it belongs to, if any: signing in by id or by address is one account. */
  user?: string | undefined;
  address: string;
}

/**
 * Before the password is looked at: counts the attempt, and refuses it after too many failures, also with the right password.
 * A caller that signs in calls `clearFailures`.
 */
export async function checkThrottle(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const { account, address } = countersOf(ctx, attempt);
  const windowMs = parseDuration(ctx.settings.get("auth.loginWindow")) as number;
  const refused = await hit(ctx, [account, address].filter(isOn), windowMs);
  if (!refused) return;
  auditFirst(ctx, attempt, refused);
  throw rateLimited(refused.waitMs);
}

/** One line a window, however many attempts, so that they cannot flood the log. */
function auditFirst(ctx: Parts, { user }: LoginAttempt, { isFirst }: OverLimit): void {
  if (isFirst) audit(ctx, { type: "login.throttled", user });
}

/** After the right password: the account starts again, and the address has one attempt less on its account. */
export async function clearFailures(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const { account, address } = countersOf(ctx, attempt);
  await unhit(ctx, { clear: [account], takeBack: [address] });
}

/** A limit of 0 is none. */
function isOn({ limit }: Counter): boolean {
  return limit > 0;
}

/** An unknown name is counted as a known one is, so that the work is the same. */
function countersOf(
  { settings }: Parts,
  { account, user, address }: LoginAttempt,
): Record<"account" | "address", Counter> {
  const network = networkOf(address) ?? address;
  const holder = user === undefined ? `nobody\n${account}` : `user\n${user}`;
  return {
    account: { name: counterName("login", `${holder}\n${network}`), limit: settings.get("auth.loginLimit") },
    address: { name: counterName("login-address", network), limit: settings.get("auth.addressLimit") },
  };
}
