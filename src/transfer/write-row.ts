// One row of an import inside its transaction: built and checked like a single write, without counting and without events.

import { checkOwnChange } from "#accounts/own-changes.ts";
import { applyUserRules } from "#accounts/user-rules.ts";
import { CairnError, fail } from "#base/errors.ts";
import { isStranger, seesDrafts } from "#content/collections/open-collection.ts";
import { checkUnique, droppedFiles, isDraft, objectWrite, storedDocument } from "#content/objects/change-object.ts";
import {
  type BuiltObject,
  buildNew,
  canBuildAhead,
  hasId,
  type NewWork,
  sentTime,
  storeNew,
} from "#content/objects/insert-objects.ts";
import { chooseId } from "#content/objects/objects.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FileRights } from "#media/serving/file-rights.ts";
import { checkLocks } from "#media/serving/lock-changes.ts";
import { buildDocument, proposeId } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { updateObject } from "#storage/tables/object-writes.ts";
import { hasObject, lockObject } from "#storage/tables/objects.ts";

/** What holds for all rows of a transaction. */
export interface RowWork extends NewWork {
  /** Objects ever created and objects now; each created row moves them. */
  counters: { count: number; totalObjects: number };
  /** Of the caller, over files in objects that are changed. */
  rights?: FileRights | undefined;
}

export interface RowDone {
  done: "created" | "updated" | "skipped";
  id: string;
  /** Keys of files that the object has lost. */
  dropped?: string[];
}

/** undefined: its id, or what is wrong with it, is found in the transaction. */
export function buildAhead(work: NewWork, row: JsonObject): BuiltObject | undefined {
  if (!canBuildAhead(work.collection, row)) return undefined;
  try {
    const { id } = proposeId(work.collection.schema, row, { now: work.now, counter: 0 });
    return buildNew(work, row, { id, counter: 0 });
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

/** Skipped when the row's id is taken; throws UniqueViolation when it is taken at the same moment. */
export async function createRow(work: RowWork, tx: Tx, row: JsonObject, ahead?: BuiltObject): Promise<RowDone> {
  const { counters } = work;
  const id = await findFreeId(work, tx, row, ahead);
  if (id === undefined) return { done: "skipped", id: String(row.id) };
  const built = ahead ?? buildNew(work, row, { id, counter: counters.count + 1 });
  const [done] = (await storeRows(work, tx, [built])) as [RowDone];
  // Another writer has taken it since: look again.
  if (done.done === "skipped") throw new UniqueViolation();
  return done;
}

/** Rows that were built ahead, in one go; skipped where the id is taken. */
export async function storeRows(work: RowWork, tx: Tx, rows: readonly BuiltObject[]): Promise<RowDone[]> {
  const rids = await storeNew(work, tx, rows);
  const done = rows.map<RowDone>(({ write }, at) => ({
    done: rids[at] === undefined ? "skipped" : "created",
    id: write.id,
  }));
  const created = done.filter((row) => row.done === "created").length;
  work.counters.count += created;
  work.counters.totalObjects += created;
  return done;
}

async function findFreeId(
  { ctx, collection, now, counters }: RowWork,
  tx: Tx,
  row: JsonObject,
  ahead: BuiltObject | undefined,
): Promise<string | undefined> {
  if (ahead) return (await hasObject(tx, collection.id, ahead.write.id)) ? undefined : ahead.write.id;
  try {
    const place = { now, counter: counters.count + 1, total: counters.totalObjects + 1 };
    return await chooseId(tx, collection, row, { ...place, isStranger: isStranger(ctx, collection.id) });
  } catch (error) {
    if (error instanceof CairnError && error.word === "exists") return undefined;
    throw error;
  }
}

/** Skipped when there is no such object. */
export async function updateRow(work: RowWork, tx: Tx, row: JsonObject): Promise<RowDone> {
  const { ctx, collection, isTrusted, now, hashes, counters } = work;
  if (!hasId(row)) {
    fail("invalid", "An update needs the id.", { id: ["The id is missing."] });
  }
  const { id } = proposeId(collection.schema, row, { now, counter: counters.count });
  const stored = await lockObject(tx, collection.id, id);
  if (!stored || (!seesDrafts(ctx, "update", collection.id) && isDraft(stored))) return { done: "skipped", id };
  const current = storedDocument(ctx, collection.schema, stored);
  const sent = withoutFiles(collection.schema, row);
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...current, ...sent, id },
    {
      now,
      created: sentTime(work, row, "created") ?? stored.created,
      modified: sentTime(work, row, "modified") ?? now,
      isTrusted,
      counter: counters.count,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: stored.secrets,
      files: current,
      changed: new Set(Object.keys(sent)),
    },
  );
  await checkUnique(ctx, tx, collection, document);
  const before = { document: current, secrets: stored.secrets };
  const after = { document, secrets };
  checkLocks(work.rights, { collection, id, before, after });
  checkOwnChange(ctx, { collection: collection.id, id }, { before, after });
  await applyUserRules(tx, collection.id, { actor: ctx.actor, before, after, now });
  await updateObject(tx, stored.rid, objectWrite(collection, document, secrets));
  return { done: "updated", id, dropped: droppedFiles(collection.schema, current, document) };
}

/** An import brings no files, so what it says about them is about those of another place. */
function withoutFiles({ properties }: FlatSchema, row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !properties.get(name)?.kind.isUploaded));
}
