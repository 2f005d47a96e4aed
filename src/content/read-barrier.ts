// Where several processes write, each hears of the others' writes a moment late. Whatever decides by what is kept in memory
// what a caller may see waits here first: a write that was answered before the request was sent is known then.

import type { Context } from "#context.ts";

/** Undefined: nothing to wait for. Credentials are checked with each request, and that has waited already. */
export function catchUp({ storage, actor }: Context): Promise<void> | undefined {
  return actor.kind === "anonymous" || actor.kind === "system" ? storage.catchUp?.() : undefined;
}
