// The door to a collection's objects: finds the collection and asks whether this caller may.
// Who may not look cannot tell a closed collection from a missing one.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { type Collection, findCollection } from "./collections.ts";

export async function openCollection(ctx: Context, operation: Operation, id: string): Promise<Collection> {
  const collection = await findCollection(ctx, id);
  allow(ctx, operation, {
    kind: "objects",
    collection: id,
    publicOperations: collection?.settings.publicOperations ?? [],
  });
  return collection ?? fail("not-found", `There is no collection "${id}".`);
}
