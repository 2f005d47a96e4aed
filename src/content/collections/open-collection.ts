// The door to a collection's objects: finds the collection and asks whether this caller may.
// Who may not look cannot tell a closed collection from a missing one.

import { isPublishedKey } from "#access/actor.ts";
import { allow, isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import { type Operation, operations } from "#contract/collections.ts";
import type { Collection } from "./collection.ts";
import { findCollection, subjectOf } from "./collection-cache.ts";

/** `objectId`: it is about this one object; users may do more with their own. */
export async function openCollection(
  ctx: Context,
  operation: Operation,
  id: string,
  objectId?: string,
): Promise<Collection> {
  const heard = catchUp(ctx);
  if (heard !== undefined) await heard;
  const found = findCollection(ctx, id);
  const collection = found instanceof Promise ? await found : found;
  allow(ctx, operation, subjectOf(ctx, id, collection?.settings, objectId));
  return collection ?? fail("not-found", `There is no collection "${id}".`);
}

/** Drafts are for those who may do this by a right of their own, not only because the public may, nor by a published key. */
export function seesDrafts({ actor }: Pick<Context, "actor">, operation: Operation, collection: string): boolean {
  if (isPublishedKey(actor)) return false;
  return isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [] });
}

/**
 * Callers without any right of their own on a collection's objects: the public, and users whom no group lets in.
 * Nothing that they are answered tells them of objects that they may not see.
 */
export function isStranger({ actor }: Pick<Context, "actor">, collection: string): boolean {
  return !operations.some((operation) =>
    isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [] }),
  );
}

/** One answer for strangers, whatever of theirs is taken. */
export function refuseStranger(): never {
  fail("invalid", "The values were not accepted. Change them and try again.");
}
