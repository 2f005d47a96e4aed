// `onDelete`: what happens to references when the object that they point to is deleted. `refuse` keeps the object, `clear`
// takes the references out in the same transaction, each as a change of its own object. Bounded: above the limit it is refused.

import { hasCredentialFor } from "#access/allow.ts";
import { CairnError, fail, temporarilyUnavailable } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { openRecorder, type Recorder } from "#content/history/record.ts";
import { changeObjectIn } from "#content/objects/change-object.ts";
import { finishWrites, type WriteWork, type Written } from "#content/objects/write-work.ts";
import type { Context } from "#context.ts";
import { type Relation, withoutId } from "#schemas/relations.ts";
import type { Reader, Tx } from "#storage/port.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import type { LockedObject } from "#storage/tables/object-row.ts";
import { lockObject } from "#storage/tables/objects.ts";
import { findPointing, lockForDeletion, type PointingRow } from "#storage/tables/relations/object-references.ts";
import { findReadable } from "./expand-plan.ts";
import { type Incoming, listIncoming } from "./incoming.ts";

/** Objects that one deletion changes. */
const maxCleared = 100;
const maxNamed = 20;

export interface DeletionRules {
  incoming: readonly Incoming[];
  /** Collections whose objects the caller may be told of. */
  shown: ReadonlySet<string>;
  recorder: Recorder | undefined;
}

/** Before the transaction; undefined: nothing cares whether objects of this collection are deleted. */
export async function openDeletion(ctx: Context, collectionId: string): Promise<DeletionRules | undefined> {
  const all = await listIncoming(ctx, collectionId);
  const incoming = all.filter(({ relation }) => relation.onDelete !== "keep");
  if (incoming.length === 0) return undefined;
  const recorder = await openRecorder(
    ctx,
    incoming.map(({ collection }) => collection),
  );
  return { incoming, shown: await findShown(ctx, incoming), recorder };
}

/** The collections among these whose objects the caller may be told of. */
export async function findShown(ctx: Context, incoming: readonly Incoming[]): Promise<Set<string>> {
  const shown = new Set<string>();
  for (const { collection } of incoming) {
    const found = hasCredentialFor(ctx.actor, "read") ? await findReadable(ctx, collection.id) : undefined;
    if (found?.reach === "all") shown.add(collection.id);
  }
  return shown;
}

/** In the transaction, before the object is deleted, and before its collection is counted. The collections that were changed. */
export async function settleReferences(
  ctx: Context,
  tx: Tx,
  target: LockedObject,
  { incoming, shown, recorder }: DeletionRules,
): Promise<readonly Collection[]> {
  await lockForDeletion(tx, target);
  await checkIndexed(tx, incoming);
  const from = incoming.map(({ collection, relation }) => ({ collection: collection.id, property: relation.name }));
  const pointing = await findPointing(tx, target, from, maxCleared + 1);
  if (pointing.length === 0) return [];
  const ruleOf = (row: PointingRow) =>
    incoming.find(({ collection, relation }) => collection.id === row.collection && relation.name === row.property);
  const refusing = pointing.filter((row) => ruleOf(row)?.relation.onDelete === "refuse");
  if (refusing.length > 0) refuse(refusing, shown);
  if (pointing.length > maxCleared) {
    const message = `More than ${maxCleared} references point here and would have to be cleared with it. Change some of these objects first.`;
    fail("referenced", message);
  }
  return clear(ctx, tx, target, { pointing, ruleOf: (row) => ruleOf(row) as Incoming, shown, recorder });
}

/** The index is whole only when all objects are stored under the present schema. */
export async function checkIndexed(db: Reader, incoming: readonly Incoming[]): Promise<void> {
  const collections = new Map(incoming.map(({ collection }) => [collection.id, collection]));
  for (const { id, schema } of collections.values()) {
    const row = await findCollectionRow(db, id);
    if (row && row.indexedRev !== schema.rev)
      throw temporarilyUnavailable("References to this collection are being indexed. Try again in a moment.");
  }
}

function refuse(rows: readonly PointingRow[], shown: ReadonlySet<string>): never {
  const named = rows.filter(({ collection }) => shown.has(collection)).slice(0, maxNamed);
  const others = rows.length - named.length;
  const names = named.map(({ collection, id, property }) => `${collection}/${id} (${property})`);
  const count = rows.length > maxCleared ? `more than ${maxCleared}` : String(others);
  const rest = others === 0 ? [] : [names.length > 0 ? `${count} more` : `${count} that you may not read`];
  fail("referenced", `Other objects point here: ${[...names, ...rest].join(", ")}. Change them first.`, {
    references: [...names, ...rest],
  });
}

interface Clearing {
  pointing: readonly PointingRow[];
  ruleOf(row: PointingRow): Incoming;
  shown: ReadonlySet<string>;
  recorder: Recorder | undefined;
}

/** One change for each object, in the order in which rows are locked. */
async function clear(
  ctx: Context,
  tx: Tx,
  target: LockedObject,
  { pointing, ruleOf, shown, recorder }: Clearing,
): Promise<Collection[]> {
  const now = ctx.clock.iso();
  const written = new Map<Collection, Written[]>();
  for (const [, rows] of Map.groupBy(pointing, ({ collection, id }) => `${collection}/${id}`)) {
    const first = rows[0] as PointingRow;
    const { collection } = ruleOf(first);
    const row = await lockObject(tx, first.collection, first.id);
    if (!row) continue;
    const relations = rows.map((one) => ruleOf(one).relation);
    try {
      const done = await takeOut({ ctx, collection, now, recorder }, tx, row, { relations, id: target.id });
      written.set(collection, [...(written.get(collection) ?? []), done]);
    } catch (error) {
      refuseToClear(error, shown.has(first.collection) ? first : undefined);
    }
  }
  for (const objects of written.values()) await finishWrites(tx, objects);
  return [...written.keys()];
}

/** The change that takes references out of an object: those to one id, or all of these relations. */
export function takeOut(
  { ctx, collection, now, recorder }: Pick<WriteWork, "ctx" | "collection" | "now" | "recorder">,
  tx: Tx,
  row: LockedObject,
  { relations, id }: { relations: readonly Relation[]; id?: string },
): Promise<Written> {
  const work = { ctx, collection, isTrusted: false, now, hashes: new Map<string, string>(), recorder, rules: [] };
  return changeObjectIn(work, tx, row, {
    sent: {},
    change: (current, schema) => ({
      input: relations.reduce((input, { path }) => withoutId(schema, input, path, id), current),
      changed: new Set(relations.map(({ path }) => path[0] as string)),
    }),
  });
}

/** An object that its schema refuses without the reference. */
function refuseToClear(error: unknown, row: PointingRow | undefined): never {
  if (!(error instanceof CairnError) || error.word !== "validation-failed") throw error;
  const name = row ? `${row.collection}/${row.id} (${row.property})` : "one that you may not read";
  fail("referenced", `An object points here and cannot be without the reference: ${name}. Change it first.`, {
    references: [name],
  });
}

/** After the commit. */
export function followCleared(ctx: Context, collections: readonly Collection[]): void {
  for (const collection of collections) followWrite(ctx, collection);
}
