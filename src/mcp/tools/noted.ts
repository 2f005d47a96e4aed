// The argument `note` of tools that write: why, in the words of the caller. The log keeps it with the change.

import type { Context } from "#context.ts";
import { maxNote } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";
import { text } from "#mcp/reading/json-schemas.ts";

export const noteArg = text("Why, in a few words; kept in the history.", { maxLength: maxNote });

export function noted(ctx: Context, { note }: JsonObject): Context {
  return typeof note === "string" && note !== "" ? { ...ctx, trail: { ...ctx.trail, note } } : ctx;
}
