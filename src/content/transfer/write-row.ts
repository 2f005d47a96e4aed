// One row of an import inside its transaction: built and checked like a single write, without counting and without events.

import { CairnError, fail } from "#base/errors.ts";
import { buildDocument, proposeId } from "#content/build.ts";
import type { Collection } from "#content/collections.ts";
import { htmlclean } from "#content/html-rules.ts";
import { chooseId } from "#content/objects.ts";
import { checkUnique, objectWrite, storedDocument } from "#content/write.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { insertObject, lockObject, updateObject } from "#storage/objects.ts";
import type { Tx } from "#storage/port.ts";

/** What holds for all rows of a transaction. */
export interface RowWork {
  ctx: Context;
  collection: Collection;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
  now: string;
  /** Plain password -> hash. */
  hashes: ReadonlyMap<string, string>;
  /** Objects ever created and objects now; each created row moves them. */
  counters: { count: number; totalObjects: number };
}

export interface RowDone {
  done: "created" | "updated" | "skipped";
  id: string;
}

/** Skipped when the row's id is taken. */
export async function createRow(work: RowWork, tx: Tx, row: JsonObject): Promise<RowDone> {
  const { ctx, collection, isTrusted, now, hashes, counters } = work;
  const counter = counters.count + 1;
  const id = await chooseFreeId(work, tx, row);
  if (id === undefined) return { done: "skipped", id: String(row.id) };
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...row, id },
    {
      now,
      created: sentTime(work, row.created) ?? sentTime(work, row.modified) ?? now,
      modified: sentTime(work, row.modified) ?? now,
      isTrusted,
      counter,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: {},
    },
  );
  await checkUnique(tx, collection, document);
  await insertObject(tx, objectWrite(collection, document, secrets));
  counters.count += 1;
  counters.totalObjects += 1;
  return { done: "created", id };
}

async function chooseFreeId(
  { collection, now, counters }: RowWork,
  tx: Tx,
  row: JsonObject,
): Promise<string | undefined> {
  try {
    return await chooseId(tx, collection, row, { now, counter: counters.count + 1, total: counters.totalObjects + 1 });
  } catch (error) {
    if (error instanceof CairnError && error.word === "exists") return undefined;
    throw error;
  }
}

/** Skipped when there is no such object. */
export async function updateRow(work: RowWork, tx: Tx, row: JsonObject): Promise<RowDone> {
  const { ctx, collection, isTrusted, now, hashes, counters } = work;
  if (row.id === undefined || row.id === null || row.id === "") {
    fail("invalid", "An update needs the id.", { id: ["The id is missing."] });
  }
  const { id } = proposeId(collection.schema, row, { now, counter: counters.count });
  const stored = await lockObject(tx, collection.id, id);
  if (!stored) return { done: "skipped", id };
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...storedDocument(ctx, collection.schema, stored), ...row, id },
    {
      now,
      created: sentTime(work, row.created) ?? stored.created,
      modified: sentTime(work, row.modified) ?? now,
      isTrusted,
      counter: counters.count,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: stored.secrets,
      changed: new Set(Object.keys(row)),
    },
  );
  await checkUnique(tx, collection, document);
  await updateObject(tx, stored.rid, objectWrite(collection, document, secrets));
  return { done: "updated", id };
}

/** An import keeps the times of its source; whoever is not trusted with that gets the time of the write. */
function sentTime({ isTrusted }: RowWork, value: Json | undefined): string | undefined {
  if (!isTrusted || typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
