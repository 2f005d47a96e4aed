// `onDelete` when a whole collection is deleted. `refuse` keeps it while objects of other collections point into it. `clear`
// takes the references out in batches once its objects are gone, each as a change of its own object.

import { system } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openRecorder, type Recorder } from "#content/history/record.ts";
import { finishWrites, type Written } from "#content/objects/write-work.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Tx } from "#storage/port.ts";
import { lockObject } from "#storage/tables/objects.ts";
import { isPointedTo, listPointingInto, type PointingIntoRow } from "#storage/tables/relations/object-references.ts";
import { type Incoming, listIncoming } from "./incoming.ts";
import { checkIndexed, findShown, followCleared, takeOut } from "./on-delete.ts";

const batchSize = 100;

/** Fails while objects of other collections need theirs. */
export async function checkCollectionDeletion(ctx: Context, id: string): Promise<void> {
  const incoming = await listOthers(ctx, id);
  await checkIndexed(ctx.storage, incoming);
  const needing: Incoming[] = [];
  for (const one of incoming) {
    const from = [{ collection: one.collection.id, property: one.relation.name }];
    const isNeeded = one.relation.onDelete === "refuse" || one.relation.property.isRequired;
    if (isNeeded && (await isPointedTo(ctx.storage, id, from, ctx.caller))) needing.push(one);
  }
  if (needing.length > 0) refuse(needing, await findShown(ctx, needing));
}

/** Relations of other collections that care. */
async function listOthers(ctx: Context, id: string): Promise<Incoming[]> {
  const incoming = await listIncoming(ctx, id);
  return incoming.filter(({ collection, relation }) => relation.onDelete !== "keep" && collection.id !== id);
}

function refuse(needing: readonly Incoming[], shown: ReadonlySet<string>): never {
  const named = needing.filter(({ collection }) => shown.has(collection.id));
  const names = named.map(({ collection, relation }) => `${collection.id} (${relation.name})`);
  if (named.length < needing.length) names.push("collections that you may not read");
  const message = `Objects of other collections point to objects of this one: ${names.join(", ")}. Change them first.`;
  fail("referenced", message, { references: names });
}

/** Once the objects of the collection are gone: no checked reference to them can be made any more. */
export async function clearReferencesInto(app: App, id: string): Promise<void> {
  const ctx = contextFor(app, system);
  const incoming = (await listOthers(ctx, id)).filter(({ relation }) => relation.onDelete === "clear");
  if (incoming.length === 0) return;
  const recorder = await openRecorder(
    ctx,
    incoming.map(({ collection }) => collection),
  );
  let after: PointingIntoRow | undefined;
  do {
    const { rows, changed } = await ctx.storage.write(async (tx) => {
      const found = await listPointingInto(tx, id, after, batchSize);
      return { rows: found, changed: await clear(ctx, tx, found, { incoming, recorder }) };
    });
    followCleared(ctx, changed);
    after = rows.length === batchSize ? rows.at(-1) : undefined;
    await yieldToEventLoop();
  } while (after);
}

/** In the order in which rows are locked. */
async function clear(
  ctx: Context,
  tx: Tx,
  rows: readonly PointingIntoRow[],
  { incoming, recorder }: { incoming: readonly Incoming[]; recorder: Recorder | undefined },
): Promise<Collection[]> {
  const now = ctx.clock.iso();
  const written = new Map<Collection, Written[]>();
  const byCollection = Map.groupBy(rows, (row) => row.collection);
  for (const name of [...byCollection.keys()].sort()) {
    const [first, ...rest] = incoming.filter(({ collection }) => collection.id === name);
    if (!first) continue;
    const { collection } = first;
    const relations = [first, ...rest].map(({ relation }) => relation);
    const isCleared = (row: PointingIntoRow) => relations.some((relation) => relation.name === row.property);
    const pointing = (byCollection.get(name) ?? []).filter(isCleared);
    for (const id of [...new Set(pointing.map((row) => row.id))].sort()) {
      const row = await lockObject(tx, name, id);
      if (!row) continue;
      try {
        const done = await takeOut({ ctx, collection, now, recorder }, tx, row, { relations });
        written.set(collection, [...(written.get(collection) ?? []), done]);
      } catch (error) {
        if (!(error instanceof CairnError) || error.word !== "validation-failed") throw error;
        ctx.log.warn({ collection: name, id }, "a reference to a deleted collection stays: its object needs one");
      }
    }
  }
  for (const objects of written.values()) await finishWrites(tx, objects);
  return [...written.keys()];
}
