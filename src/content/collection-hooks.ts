// The effects of a write in other features, such as webhooks, automations and views, which content does not know.

import type { Context } from "#context.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import { noteAuthor } from "./code-authors.ts";

/** In the transaction of each write, so that its effects are stored with it or not at all. */
export function react(ctx: Context, tx: Tx, event: CairnEvent, isCodeSaved?: boolean): Promise<void> | undefined {
  const noted = noteAuthor(ctx, tx, event, isCodeSaved);
  if (noted !== undefined) return noted.then(() => ctx.reactions.run(tx, event, ctx.cause));
  return ctx.reactions.run(tx, event, ctx.cause);
}
