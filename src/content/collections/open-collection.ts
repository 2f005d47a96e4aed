// Opens a collection for an operation on its objects: finds it and checks the rights of the caller.
// Callers without rights cannot tell a closed collection from a missing one.

import { isPublishedKey } from "#access/actor.ts";
import { allow, isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import { type Operation, operations } from "#contract/collections.ts";
import type { Collection } from "./collection.ts";
import { findCollection, subjectOf } from "./collection-cache.ts";

/** `objectId`: the operation is on this one object; users have more rights on their own. */
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

/** Drafts are for callers with a right of their own: not for the public, nor for a published key. */
export function seesDrafts({ actor }: Pick<Context, "actor">, operation: Operation, collection: string): boolean {
  if (isPublishedKey(actor)) return false;
  return isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [] });
}

/**
 * Callers without any right of their own on a collection's objects: the public, and users without a matching group.
 * Answers to them reveal nothing about objects that they may not see.
 */
export function isStranger({ actor }: Pick<Context, "actor">, collection: string): boolean {
  if (actor.kind === "form") return true;
  return !operations.some((operation) =>
    isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [] }),
  );
}

/** The same error for strangers, whichever value is taken. */
export function refuseStranger(): never {
  fail("invalid", "The values were not accepted. Change them and try again.");
}
