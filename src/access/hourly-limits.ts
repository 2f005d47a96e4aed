// So many an hour: for what anybody may ask for, by address and by account. Exact over all processes.
// Addresses and accounts cannot be read from what is stored.

import { hash } from "node:crypto";
import { networkOf } from "#base/addresses.ts";
import { rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { addToCounter, deleteExpiredCounters, findCounter } from "#storage/tables/counters.ts";

type Parts = Pick<Context, "storage" | "clock" | "origin">;

const windowMs = 3_600_000;

/** Counts the call for the address it came from; throws when there were too many. */
export async function limitAddress(ctx: Parts, what: string, limit: number): Promise<void> {
  const address = ctx.origin?.address ?? "";
  const waitMs = await count(ctx, `${what}-address:${digest(networkOf(address) ?? address)}`, limit);
  if (waitMs > 0) throw rateLimited(waitMs);
}

/** Counts a use on an account; false when there were too many. */
export async function isWithinLimit(ctx: Parts, what: string, account: string, limit: number): Promise<boolean> {
  return (await count(ctx, `${what}:${digest(account)}`, limit)) === 0;
}

/** How long until the next one fits; 0: this one did. */
async function count({ storage, clock }: Parts, name: string, limit: number): Promise<number> {
  const now = clock.now();
  const known = await findCounter(storage, name, now);
  if (known && known.count >= limit) return known.expires - now;
  const counter = await storage.write(async (tx) => {
    await deleteExpiredCounters(tx, now);
    return addToCounter(tx, name, { amount: 1, now, windowMs });
  });
  return counter.count > limit ? counter.expires - now : 0;
}

function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}
