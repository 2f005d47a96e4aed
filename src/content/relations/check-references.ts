// `onMissing: "refuse"`: a write may not add a reference to an object that is not there. Checked in the transaction of the
// write; the objects found cannot be deleted until it ends. References that were there before stay as they are.

import { isAllowed } from "#access/allow.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { isStranger, refuseStranger } from "#content/collections/open-collection.ts";
import type { LaterCheck, WriteWork } from "#content/objects/write-work.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { idsOf, relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { lockReferenced } from "#storage/tables/relations/object-references.ts";

const maxNamed = 10;

const checkedRelations = perInstance((schema: FlatSchema) =>
  relationsOf(schema).filter(({ onMissing }) => onMissing === "refuse"),
);

/** Whether a write of an object looks for other objects. */
export function checksReferences(schema: FlatSchema): boolean {
  return checkedRelations(schema).length > 0;
}

/** Undefined: there is nothing to check now. */
export function checkReferences(
  { ctx, collection, later }: Pick<WriteWork, "ctx" | "collection" | "later">,
  tx: Tx,
  { document, before }: { document: JsonObject; before?: JsonObject },
): Promise<void> | undefined {
  if (!checksReferences(collection.schema)) return undefined;
  if (later === undefined) return check(ctx, tx, collection, { document, before });
  later.push({ collection, document, ...(before && { before }) });
  return undefined;
}

/** Once everything is stored. */
export function checkLater(ctx: Pick<Context, "actor">, tx: Tx, { collection, ...object }: LaterCheck): Promise<void> {
  return check(ctx, tx, collection, object);
}

async function check(
  ctx: Pick<Context, "actor">,
  tx: Tx,
  { id: collectionId, schema }: Collection,
  { document, before }: { document: JsonObject; before?: JsonObject | undefined },
): Promise<void> {
  const added = checkedRelations(schema).map((relation) => {
    const known = new Set(before ? idsOf(schema, before, relation.path) : []);
    const isSelf = (id: string) => relation.target === collectionId && id === document.id;
    const ids = idsOf(schema, document, relation.path).filter((id) => !known.has(id) && !isSelf(id));
    return { ...relation, ids: [...new Set(ids)] };
  });
  const byTarget = Map.groupBy(
    added.filter(({ ids }) => ids.length > 0),
    ({ target }) => target,
  );
  const details: ErrorDetails = {};
  for (const target of [...byTarget.keys()].sort()) {
    const relations = byTarget.get(target) ?? [];
    const found = await lockReferenced(tx, target, [...new Set(relations.flatMap(({ ids }) => ids))]);
    for (const { name, ids } of relations) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) continue;
      if (isStranger(ctx, collectionId) && !isOpen(ctx, target)) refuseStranger();
      details[name] = missing.slice(0, maxNamed).map((id) => missingText(target, id));
    }
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
}

function isOpen({ actor }: Pick<Context, "actor">, collection: string): boolean {
  return isAllowed(actor, "read", { kind: "objects", collection, publicOperations: [] });
}

function missingText(target: string, id: string): string {
  const shown = id.length > 60 ? `${id.slice(0, 60)}...` : id;
  return `There is no object "${shown}" in the collection "${target}".`;
}
