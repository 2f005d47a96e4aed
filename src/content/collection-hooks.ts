// What a write brings about, and what is looked at before it: the features' part in operations that know none of them.

import { fail } from "#base/errors.ts";
import type { CairnEvent } from "#base/events.ts";
import type { Context, SentCheck } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";
import { noteAuthor } from "./code-authors.ts";

/** In the transaction of each write: what it brings about is stored with it, or not at all. */
export function react(ctx: Context, tx: Tx, event: CairnEvent, isCodeSaved?: boolean): Promise<void> | undefined {
  const noted = noteAuthor(ctx, tx, event, isCodeSaved);
  if (noted !== undefined) return noted.then(() => ctx.reactions.run(tx, event, ctx.cause));
  return ctx.reactions.run(tx, event, ctx.cause);
}

/** Before the transaction: what the schema cannot say about an object of this collection. */
export function runCheck({ checks }: Context, collection: string, sent: JsonObject): Promise<void> | undefined {
  const check = checks.get(collection);
  return check && refuseBad(check, sent);
}

async function refuseBad(check: SentCheck, sent: JsonObject): Promise<void> {
  const details = (await check(sent)) ?? {};
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
}
