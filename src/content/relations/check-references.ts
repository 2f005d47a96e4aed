// `onMissing: "refuse"`: a write may not add a reference to an object that is not there. Checked in the transaction of the
// write; the objects found cannot be deleted until it ends. References that were there before stay as they are.

import { isAllowed } from "#access/allow.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { readConfig, subjectOf } from "#content/collections/collection-cache.ts";
import { isStranger, refuseStranger, seesDrafts } from "#content/collections/open-collection.ts";
import type { LaterCheck, WriteWork } from "#content/objects/write-work.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { idsOf, relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
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
export function checkLater(ctx: Context, tx: Tx, { collection, ...object }: LaterCheck): Promise<void> {
  return check(ctx, tx, collection, object);
}

async function check(
  ctx: Context,
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
    const found = await findReadable(ctx, tx, target, [...new Set(relations.flatMap(({ ids }) => ids))]);
    for (const { name, ids } of relations) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) continue;
      const readsAll = seesAll(ctx, target);
      if (isStranger(ctx, collectionId) && !readsAll) refuseStranger();
      details[name] = missing.slice(0, maxNamed).map((id) => missingText(target, id, readsAll));
    }
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
}

/**
 * Those of the ids that there are and that the writer may read. All others count as missing: a write does not tell
 * whether there is an object that its writer may not read.
 */
async function findReadable(ctx: Context, tx: Tx, target: string, ids: readonly string[]): Promise<Set<string>> {
  if (seesAll(ctx, target)) return lockReferenced(tx, target, ids);
  const row = await findCollectionRow(tx, target);
  const settings = row && readConfig(ctx, row);
  const readable = ids.filter((id) => isAllowed(ctx.actor, "read", subjectOf(ctx, target, settings, id)));
  return lockReferenced(tx, target, readable, { hideDrafts: !seesDrafts(ctx, "read", target) });
}

function seesAll(ctx: Context, collection: string): boolean {
  return ctx.surface === undefined && seesDrafts(ctx, "read", collection);
}

function missingText(target: string, id: string, readsAll: boolean): string {
  const shown = id.length > 60 ? `${id.slice(0, 60)}...` : id;
  return `There is no object "${shown}" in the collection "${target}"${readsAll ? "" : " that you may read"}.`;
}
