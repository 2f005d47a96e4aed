// Limits by the hour, for operations that anybody may ask for: by address and by account.

import { rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import type { Context } from "#context.ts";
import { counterName, hit } from "./counters.ts";

type Parts = Pick<Context, "storage" | "clock" | "origin">;

const windowMs = 3_600_000;

/** Counts the call for the address it came from; throws when there were too many. */
export async function limitAddress(ctx: Parts, what: string, limit: number): Promise<void> {
  const address = ctx.origin?.address ?? "";
  const over = await hit(
    ctx,
    [{ name: counterName(`${what}-address`, networkOf(address) ?? address), limit }],
    windowMs,
  );
  if (over) throw rateLimited(over.waitMs);
}

/** Counts a use on an account; false when there were too many. */
export async function isWithinLimit(ctx: Parts, what: string, account: string, limit: number): Promise<boolean> {
  return (await hit(ctx, [{ name: counterName(what, account), limit }], windowMs)) === undefined;
}
