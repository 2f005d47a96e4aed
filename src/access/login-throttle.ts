// Guessing passwords is slow: so many failures for one account from one address, and for all accounts from one address.
// Exact over all processes. An attempt counts as a failure from its beginning, so that many at once are no way around;
// signing in takes it back. Which accounts were tried cannot be read from what is stored.

import { hash } from "node:crypto";
import { networkOf } from "#base/addresses.ts";
import { parseDuration } from "#base/durations.ts";
import { rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Storage } from "#storage/port.ts";
import { addToCounter, deleteCounter, deleteExpiredCounters, findCounter } from "#storage/tables/counters.ts";
import { audit } from "./audit.ts";

type Parts = Pick<Context, "settings" | "storage" | "clock" | "log" | "actor" | "origin">;

export interface LoginAttempt {
  /** The name that was typed, normalised. */
  account: string;
  /** The id of the user it belongs to, if any: signing in by id or by address is one account. */
  user?: string | undefined;
  address: string;
}

interface Limit {
  name: string;
  limit: number;
}

const sweepEveryMs = 600_000;

/**
 * Before the password is looked at: counts the attempt, and refuses it when there were too many failures by this name,
 * also with the right password. `lockedMs`: there were too many for the user under other names, and so long is to wait.
 * A login must then be refused as for a wrong password: another answer would tell that the two names are one user's.
 * A caller that signs in calls `clearFailures`.
 */
export async function checkThrottle(ctx: Parts, attempt: LoginAttempt): Promise<{ lockedMs: number }> {
  const { typed, user, address } = limitsOf(ctx, attempt);
  const now = ctx.clock.now();
  for (const { name, limit } of [typed, address].filter(isOn)) {
    const counter = await findCounter(ctx.storage, name, now);
    if (counter && counter.count > limit) throw rateLimited(counter.expires - now);
  }
  const known = isOn(user) ? await findCounter(ctx.storage, user.name, now) : undefined;
  const lockedMs = known && known.count > user.limit ? known.expires - now : 0;
  const counted = [typed, address, ...(lockedMs > 0 ? [] : [user])].filter(isOn);
  if (counted.length === 0) return { lockedMs };
  await sweep(ctx, now);
  const windowMs = parseDuration(ctx.settings.get("auth.loginWindow")) as number;
  const full = await ctx.storage.write(async (tx) => {
    for (const limit of counted) {
      const counter = await addToCounter(tx, limit.name, { amount: 1, now, windowMs });
      if (counter.count > limit.limit) return { ...counter, limit };
    }
    return undefined;
  });
  if (!full) return { lockedMs };
  // One line a window, however often somebody tries, so that nobody floods the log with it.
  if (full.count === full.limit.limit + 1) audit(ctx, { type: "login.throttled", user: attempt.user });
  if (full.limit === user) return { lockedMs: full.expires - now };
  throw rateLimited(full.expires - now);
}

/** After the right password: the account starts again, and the address has one attempt less on its account. */
export async function clearFailures(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const { typed, user, address } = limitsOf(ctx, attempt);
  const now = ctx.clock.now();
  await ctx.storage.write(async (tx) => {
    await deleteCounter(tx, typed.name);
    await deleteCounter(tx, user.name);
    if (await findCounter(tx, address.name, now))
      await addToCounter(tx, address.name, { amount: -1, now, windowMs: 0 });
  });
}

function isOn({ limit }: Limit): boolean {
  return limit > 0;
}

/** A name that belongs to nobody is counted as often as one that does, so that the work is the same. */
function limitsOf(
  { settings }: Parts,
  { account, user, address }: LoginAttempt,
): Record<"typed" | "user" | "address", Limit> {
  const network = networkOf(address) ?? address;
  const limit = settings.get("auth.loginLimit");
  const holder = user === undefined ? `nobody\n${account}` : `user\n${user}`;
  return {
    typed: { name: `login:${digest(`${account}\n${network}`)}`, limit },
    user: { name: `login-user:${digest(`${holder}\n${network}`)}`, limit },
    address: { name: `login-address:${digest(network)}`, limit: settings.get("auth.addressLimit") },
  };
}

function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

const swept = new WeakMap<Storage, number>();

/** Counters that have expired go now and then, in a transaction of their own. */
async function sweep({ storage }: Parts, now: number): Promise<void> {
  if (now - (swept.get(storage) ?? 0) < sweepEveryMs) return;
  swept.set(storage, now);
  await storage.write((tx) => deleteExpiredCounters(tx, now));
}
