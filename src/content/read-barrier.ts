// Where several servers share a database, each learns of the others' writes a moment late. Code that decides by a cache what
// a caller may see waits here first, so that it knows every write that was answered before the request was sent.

import type { Context } from "#context.ts";

/** Undefined: nothing to wait for. Callers with a credential have waited already, when it was checked. */
export function catchUp({ storage, actor }: Context): Promise<void> | undefined {
  const mustWait = storage.isShared && (actor.kind === "anonymous" || actor.kind === "system");
  return mustWait ? storage.catchUp() : undefined;
}
