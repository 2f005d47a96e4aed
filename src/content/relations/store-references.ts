// Keeps the index of references: which objects a stored document points to, written in the transaction of the document. A
// schema without relations costs a lookup.

import { maxIdLength } from "#base/ids.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { JsonObject } from "#contract/json.ts";
import { referencesIn, relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { deleteReferences, insertReferences, type ReferenceRow } from "#storage/tables/relations/object-references.ts";

/** Of one object; what it refers to beyond that is not in the index. */
const maxReferences = 10_000;

/** After new objects of one collection are stored. Undefined: there is nothing to do. */
export function noteNew(
  tx: Tx,
  { id: collection, schema }: Collection,
  documents: () => readonly JsonObject[],
): Promise<void> | undefined {
  if (relationsOf(schema).length === 0) return undefined;
  const rows = documents().flatMap((document) => referenceRows(collection, schema, document));
  return rows.length === 0 ? undefined : insertReferences(tx, rows);
}

/** After an object is changed; `before`: absent when it was stored under another schema. */
export async function noteChanged(
  tx: Tx,
  { id: collection, schema }: Collection,
  after: JsonObject,
  before: JsonObject | undefined,
): Promise<void> {
  const rows = referenceRows(collection, schema, after);
  if (before && isSame(rows, referenceRows(collection, schema, before))) return;
  await deleteReferences(tx, collection, [String(after.id)]);
  await insertReferences(tx, rows);
}

/** What the index holds of a document. */
export function referenceRows(collection: string, schema: FlatSchema, document: JsonObject): ReferenceRow[] {
  if (relationsOf(schema).length === 0) return [];
  const id = String(document.id);
  const known = referencesIn(schema, document).filter((one) => one.id.length <= maxIdLength);
  return known
    .slice(0, maxReferences)
    .map((one) => ({ collection, id, property: one.property, targetCollection: one.collection, targetId: one.id }));
}

function isSame(a: readonly ReferenceRow[], b: readonly ReferenceRow[]): boolean {
  const key = ({ property, targetId }: ReferenceRow) => `${property} ${targetId}`;
  if (a.length !== b.length) return false;
  const known = new Set(a.map(key));
  return b.every((row) => known.has(key(row)));
}
