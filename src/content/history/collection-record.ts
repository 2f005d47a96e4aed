// What the log keeps of the deletion of a collection: one record with its settings and its schema, and one of each object by
// the same writer, which has a run of its own. So they are found together, also when a crash cut the deletion off.

import { findCollection, readConfig } from "#content/collections/collection-cache.ts";
import type { App, Context } from "#context.ts";
import { findRawSchema, isBuiltIn } from "#schemas/find-schema.ts";
import type { DeletionRecord } from "#storage/log/change-record.ts";
import { endNumbers, lastNumber, readNumbers } from "#storage/log/own-numbers.ts";
import type { Tx } from "#storage/port.ts";
import type { CollectionRow } from "#storage/tables/collections.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { findCollectionDeletion } from "#storage/tables/history/deletions.ts";
import { historyMode } from "./mode.ts";
import { openRecorder, type Recorder } from "./record.ts";
import { newRun } from "./writer.ts";

export interface CollectionRecord {
  recorder: Recorder;
  at: number;
  /** The text of its schema, unless that is built in; undefined: nothing is kept. */
  kept: { schema: string | null } | undefined;
}

/** Before the transaction. Undefined: the collection keeps no history. */
export async function openCollectionRecord(ctx: Context, id: string): Promise<CollectionRecord | undefined> {
  const collection = await findCollection(ctx, id);
  if (!collection || collection.isVirtual) return undefined;
  const recorder = await openRecorder({ ...ctx, trail: { ...ctx.trail, run: newRun() } }, [collection]);
  if (!recorder) return undefined;
  const isKept = historyMode(ctx, collection) === "full" && !ctx.trail?.isPurge;
  const schemaId = collection.settings.schema;
  const schema = isBuiltIn(schemaId) ? null : JSON.stringify(findRawSchema(ctx, schemaId) ?? null);
  return { recorder, at: ctx.clock.now(), kept: isKept ? { schema } : undefined };
}

export async function recordCollection(
  tx: Tx,
  { id, settings, numbers, count }: Pick<CollectionRow, "id" | "settings" | "numbers" | "count">,
  { recorder: { writer, note }, at, kept }: CollectionRecord,
): Promise<void> {
  const own = kept && endNumbers(readNumbers(numbers), await lastNumber(tx));
  const content = kept
    ? JSON.stringify({ settings: JSON.parse(settings), schema: kept.schema, numbers: own, count })
    : null;
  const record = { at, kind: "collection" as const, flags: 0, writer, note, props: null, content };
  await recordChange(tx, record, { rid: 0, rev: 0, collection: id, id: "" });
}

/** Of the objects of a collection that is being deleted: as the record of the collection says. */
export async function findDeletionRecord(app: App, row: CollectionRow): Promise<DeletionRecord | undefined> {
  const settings = readConfig(app, row);
  if (!settings || historyMode(app, { id: row.id, settings }) === "off") return undefined;
  const found = await findCollectionDeletion(app.storage, row.id);
  return found && { at: found.at, writer: found.writer, note: found.note, keepsContent: found.hasContent === 1 };
}
