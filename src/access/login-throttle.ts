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
 * Before the password is looked at: counts the attempt, and refuses it after too many failures by this name, also with
 * the right password. `lockedMs`: there were too many for the user under other names, and the caller must wait that long.
 * A login must then be refused as for a wrong password: another answer would reveal that both names are one user's.
 * A caller that signs in calls `clearFailures`.
 */
export async function checkThrottle(ctx: Parts, attempt: LoginAttempt): Promise<{ lockedMs: number }> {
  const { typed, user, address } = countersOf(ctx, attempt);
  const windowMs = parseDuration(ctx.settings.get("auth.loginWindow")) as number;
  const refused = await hit(ctx, [typed, address].filter(isOn), windowMs);
  if (refused) {
    auditFirst(ctx, attempt, refused);
    throw rateLimited(refused.waitMs);
  }
  const locked = await hit(ctx, [user].filter(isOn), windowMs);
  if (locked) auditFirst(ctx, attempt, locked);
  return { lockedMs: locked?.waitMs ?? 0 };
}

/** One line a window, however many attempts, so that they cannot flood the log. */
function auditFirst(ctx: Parts, { user }: LoginAttempt, { isFirst }: OverLimit): void {
  if (isFirst) audit(ctx, { type: "login.throttled", user });
}

/** After the right password: the account starts again, and the address has one attempt less on its account. */
export async function clearFailures(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const { typed, user, address } = countersOf(ctx, attempt);
  await unhit(ctx, { clear: [typed, user], takeBack: [address] });
}

/** A limit of 0 is none. */
function isOn({ limit }: Counter): boolean {
  return limit > 0;
}

/** An unknown name is counted as often as a known one, so that the work is the same. */
function countersOf(
  { settings }: Parts,
  { account, user, address }: LoginAttempt,
): Record<"typed" | "user" | "address", Counter> {
  const network = networkOf(address) ?? address;
  const limit = settings.get("auth.loginLimit");
  const holder = user === undefined ? `nobody\n${account}` : `user\n${user}`;
  return {
    typed: { name: counterName("login", `${account}\n${network}`), limit },
    user: { name: counterName("login-user", `${holder}\n${network}`), limit },
    address: { name: counterName("login-address", network), limit: settings.get("auth.addressLimit") },
  };
}
