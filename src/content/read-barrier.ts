// Where several servers share a database, each learns of the others' writes a moment late. Code that decides by a cache what
// a caller may see waits here first, so that it knows every write that was answered before the request was sent.

import type { Context } from "#context.ts";

/** Undefined: nothing to wait for. Requests over HTTP have waited already, and so have others that act for somebody. */
export function catchUp({ storage, actor, isOfRequest }: Context): Promise<void> | undefined {
  const mustWait = storage.isShared && !isOfRequest && (actor.kind === "anonymous" || actor.kind === "system");
  return mustWait ? storage.catchUp() : undefined;
}
