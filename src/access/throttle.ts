// Guessing passwords is slow: so many failures for one account from one address, and for all accounts from one address.
// Exact over all processes. An attempt counts as a failure from its beginning, so that many at once are no way around;
// signing in takes it back. Which accounts were tried cannot be read from what is stored.

import { hash } from "node:crypto";
import { networkOf } from "#base/addresses.ts";
import { parseDuration } from "#base/durations.ts";
import { rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { addToCounter, deleteCounter, deleteExpiredCounters, findCounter } from "#storage/counters.ts";
import type { Storage } from "#storage/port.ts";
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
 * Before the password is looked at: counts the attempt, and refuses it when there were too many failures,
 * also with the right password. Whoever signs in must be told to `clearFailures`.
 */
export async function checkThrottle(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const limits = limitsOf(ctx, attempt).filter(({ limit }) => limit > 0);
  if (limits.length === 0) return;
  const now = ctx.clock.now();
  for (const { name, limit } of limits) {
    const counter = await findCounter(ctx.storage, name, now);
    if (counter && counter.count > limit) throw rateLimited(counter.expires - now);
  }
  await sweep(ctx, now);
  const windowMs = parseDuration(ctx.settings.get("auth.loginWindow")) as number;
  const full = await ctx.storage.write(async (tx) => {
    for (const { name, limit } of limits) {
      const counter = await addToCounter(tx, name, { amount: 1, now, windowMs });
      if (counter.count > limit) return { ...counter, isFirst: counter.count === limit + 1 };
    }
    return undefined;
  });
  if (!full) return;
  // One line a window, however often somebody tries: nobody floods the log with it.
  if (full.isFirst) audit(ctx, { type: "login.throttled", user: attempt.user });
  throw rateLimited(full.expires - now);
}

/** After the right password: the account starts anew, and the address has one attempt less on its account. */
export async function clearFailures(ctx: Parts, attempt: LoginAttempt): Promise<void> {
  const [account, address] = limitsOf(ctx, attempt);
  const now = ctx.clock.now();
  await ctx.storage.write(async (tx) => {
    await deleteCounter(tx, account.name);
    if (await findCounter(tx, address.name, now))
      await addToCounter(tx, address.name, { amount: -1, now, windowMs: 0 });
  });
}

function limitsOf({ settings }: Parts, { account, user, address }: LoginAttempt): [account: Limit, address: Limit] {
  const network = networkOf(address) ?? address;
  return [
    { name: `login:${digest(`${user ?? account}\n${network}`)}`, limit: settings.get("auth.loginLimit") },
    { name: `login-address:${digest(network)}`, limit: settings.get("auth.addressLimit") },
  ];
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
