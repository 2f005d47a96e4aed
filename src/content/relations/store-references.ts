// Keeps the index of references: which objects a stored document points to, written in the transaction of the document. A
// schema without relations costs a lookup.

import { maxIdLength } from "#base/ids.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { JsonObject } from "#contract/json.ts";
import { referencesIn, relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import {
  deleteReferences,
  insertReferences,
  lockReferenced,
  type ReferenceRow,
} from "#storage/tables/relations/object-references.ts";

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
  return rows.length === 0 ? undefined : insert(tx, schema, rows, rows);
}

async function insert(
  tx: Tx,
  schema: FlatSchema,
  rows: readonly ReferenceRow[],
  added: readonly ReferenceRow[],
): Promise<void> {
  await awaitDeletions(tx, schema, added);
  await insertReferences(tx, rows);
}

const caringRelations = perInstance(
  (schema: FlatSchema) =>
    new Set(
      relationsOf(schema)
        .filter(({ onDelete }) => onDelete !== "keep")
        .map(({ name }) => name),
    ),
);

/**
 * Locks the targets that are there, where their deletion depends on who points to them: one that begins now waits for this write
 * and finds the reference; one that is under way comes first. Needed where several writers work at a time.
 */
async function awaitDeletions(tx: Tx, schema: FlatSchema, added: readonly ReferenceRow[]): Promise<void> {
  if (tx.dialect.forReference === "") return;
  const caring = caringRelations(schema);
  const rows = added.filter(({ property }) => caring.has(property));
  const byTarget = Map.groupBy(rows, ({ targetCollection }) => targetCollection);
  for (const target of [...byTarget.keys()].sort()) {
    const ids = new Set((byTarget.get(target) ?? []).map(({ targetId }) => targetId));
    await lockReferenced(tx, target, [...ids]);
  }
}

/** After an object is changed; `before`: absent when it was stored under another schema. */
export async function noteChanged(
  tx: Tx,
  { id: collection, schema }: Collection,
  after: JsonObject,
  before: JsonObject | undefined,
): Promise<void> {
  const rows = referenceRows(collection, schema, after);
  const known = before && referenceRows(collection, schema, before);
  if (known && isSame(rows, known)) return;
  await deleteReferences(tx, collection, [String(after.id)]);
  const had = new Set(known?.map(keyOf));
  const added = rows.filter((row) => !had.has(keyOf(row)));
  await insert(tx, schema, rows, added);
}

function keyOf({ property, targetId }: ReferenceRow): string {
  return `${property} ${targetId}`;
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
  if (a.length !== b.length) return false;
  const known = new Set(a.map(keyOf));
  return b.every((row) => known.has(keyOf(row)));
}
