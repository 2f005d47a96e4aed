// Imports objects in bulk: rows are built and checked like single writes and stored many to a transaction.
// A bad row is reported and skipped, it never stops the rest. Others are let pass while it works.
// What was imported before a failure of the source stays.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isAdminPersona } from "#access/actor.ts";
import { auditUser } from "#accounts/user-audit.ts";
import { CairnError, fail } from "#base/errors.ts";
import { hashPassword } from "#base/passwords.ts";
import { react, runCheck } from "#content/collection-hooks.ts";
import { type Collection, getCollection } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { ensureCollection } from "#content/collections/put-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { needsCollectionLock, removeDropped, retryOnTakenId } from "#content/objects/change-object.ts";
import { type BuiltObject, chosenId } from "#content/objects/insert-objects.ts";
import { withoutPlaceNotes } from "#content/objects/service-properties.ts";
import type { App, Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { FileRights } from "#media/serving/file-rights.ts";
import { lockRights } from "#media/serving/lock-changes.ts";
import { collectPasswords } from "#schemas/build.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Tx } from "#storage/port.ts";
import { bumpCounters, lockCounters, readCounters } from "#storage/tables/collections.ts";
import { type ImportFile, readRows } from "./read-rows.ts";
import { BadRow, type ImportResult, type ImportRow, maxReportedErrors, type RowError } from "./rows.ts";
import { buildAhead, createRow, type RowDone, type RowWork, storeRows, updateRow } from "./write-row.ts";

/** A batch is what is held in memory. */
const batchRows = 1000;
const batchWeight = 8_000_000;
/** How long other writers may have to wait for a transaction: long enough to make its commit cheap. */
const transactionMs = 100;
/** Rows that go to the database in one go. */
const storedAtOnce = 25;
/** How long other callers may have to wait for this one to let them pass. */
const turnMs = 5;

export interface ImportOptions {
  /** Change existing objects instead of creating; the others are skipped. */
  update?: boolean;
  onProgress?(rows: number): void;
}

/** One import under way. */
interface Import {
  ctx: Context;
  collection: Collection;
  isUpdate: boolean;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
  rights?: FileRights | undefined;
}

interface NumberedRow {
  row: number;
  value: ImportRow;
  ahead?: BuiltObject;
  /** Found before it was its turn. */
  problem?: CairnError;
}

const importKind = "import";
const keptImports = 20;

/** Imports are listed among the jobs while they run. Their rows come from a caller, so nobody else can do them. */
export function handleImports({ jobs }: Pick<App, "jobs">): void {
  const refuse = () => Promise.reject(new Error("An import cannot be begun again: its rows are gone."));
  jobs.handle(importKind, refuse, { keep: keptImports });
}

/** Reads a file and imports its rows. */
export async function importFile(
  ctx: Context,
  collectionId: string,
  file: ImportFile,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const { schema } = await openCollection(ctx, options.update ? "update" : "create", collectionId);
  return importObjects(ctx, collectionId, readRows(ctx, schema, file), options);
}

export async function importObjects(
  ctx: Context,
  collectionId: string,
  source: AsyncIterable<ImportRow>,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const isUpdate = options.update === true;
  await openCollection(ctx, isUpdate ? "update" : "create", collectionId);
  if (!isUpdate) await ensureCollection(ctx, collectionId);
  const result: ImportResult = { import_count: 0, created: 0, updated: 0, skipped: 0, errors: [], errorCount: 0 };
  const job = { kind: importKind, subject: collectionId, payload: {} };
  const { status, thrown } = await ctx.jobs.run(job, async (_job, run) => {
    await importRows(ctx, collectionId, source, {
      isUpdate,
      result,
      tell(rows) {
        // How many there will be is known when all are read.
        run.progress(rows, 0);
        options.onProgress?.(rows);
      },
    });
    const { created, updated, skipped, errorCount } = result;
    const rows = created + updated + skipped + errorCount;
    run.progress(rows, rows);
    return { created, updated, skipped, errorCount };
  });
  if (status === "failed") throw thrown;
  return result;
}

async function importRows(
  ctx: Context,
  collectionId: string,
  source: AsyncIterable<ImportRow>,
  { isUpdate, result, tell }: { isUpdate: boolean; result: ImportResult; tell(rows: number): void },
): Promise<void> {
  try {
    for await (const rows of inBatches(source)) {
      // Looked up again for each batch: the schema may change while a long import runs.
      const collection = await getCollection(ctx, collectionId);
      // No object in particular: what callers may do with a record of their own is no matter of an import.
      const rights = isUpdate ? await lockRights(ctx, collection, "") : undefined;
      const work: Import = { ctx, collection, isUpdate, isTrusted: isAdminPersona(ctx.actor), rights };
      await writeBatch(work, rows, (outcome) => {
        addOutcome(result, outcome);
        tell(result.import_count + result.skipped + result.errorCount);
      });
    }
  } catch (error) {
    if (!(error instanceof CairnError) || result.import_count === 0) throw error;
    fail(error.word, `${error.message} ${result.import_count} objects were imported before that.`, error.details);
  } finally {
    const { created, updated } = result;
    if (created + updated > 0) await announceImport(ctx, collectionId, { created, updated });
  }
}

async function announceImport(ctx: Context, collection: string, done: { created: number; updated: number }) {
  const event = { type: "import.completed" as const, collection, ...done };
  await ctx.storage.write(async (tx) => react(ctx, tx, event));
  ctx.events.emit(event);
}

async function* inBatches(source: AsyncIterable<ImportRow>): AsyncIterable<NumberedRow[]> {
  let batch: NumberedRow[] = [];
  let weight = 0;
  let row = 0;
  for await (const value of source) {
    row += 1;
    batch.push({ row, value });
    weight += weigh(value as JsonObject);
    if (batch.length < batchRows && weight < batchWeight) continue;
    yield batch;
    batch = [];
    weight = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Roughly the characters that a value holds. */
function weigh(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 16;
  for (const part of Object.values(value)) sum += weigh(part);
  return sum;
}

/** What one transaction did; counts only once it has committed. */
interface Outcome {
  rows: number;
  created: string[];
  updated: string[];
  skipped: number;
  errors: RowError[];
  /** Files that objects have lost, by the object's id. */
  dropped: Map<string, string[]>;
}

async function writeBatch(work: Import, batch: NumberedRow[], onSlice: (outcome: Outcome) => void): Promise<void> {
  const { ctx, collection } = work;
  for (const entry of batch) {
    if (entry.value instanceof BadRow) continue;
    const value = withoutPlaceNotes(collection.id, entry.value);
    entry.value = work.isUpdate ? value : chosenId(ctx, collection, value);
  }
  await checkAll(work, batch);
  const hashes = await hashAll(work, batch);
  if (!work.isUpdate) await buildAll(work, batch, hashes);
  for (let from = 0; from < batch.length; ) {
    const outcome = await retryOnTakenId(() =>
      ctx.storage.write((tx) => writeSlice(work, tx, { batch, from, hashes })),
    );
    from += outcome.rows;
    followWrite(ctx, collection);
    for (const id of outcome.created) {
      auditUser(ctx, "user.created", { collection: collection.id, id }, { by: "import" });
      ctx.events.emit({ type: "import.created", collection: collection.id, id });
    }
    for (const id of outcome.updated) {
      auditUser(ctx, "user.changed", { collection: collection.id, id }, { by: "import" });
      ctx.events.emit({ type: "import.updated", collection: collection.id, id });
    }
    for (const [id, keys] of outcome.dropped) await removeDropped(ctx, { collection: collection.id, id }, keys);
    onSlice(outcome);
  }
}

/** What the schema cannot say, such as code that cannot be read, is looked at before the transactions. */
async function checkAll({ ctx, collection }: Import, batch: NumberedRow[]): Promise<void> {
  if (!ctx.checks.has(collection.id)) return;
  for (const entry of batch) {
    if (entry.value instanceof BadRow) continue;
    try {
      await runCheck(ctx, collection.id, entry.value);
    } catch (error) {
      entry.problem = blame(error);
    }
  }
}

/** What a row itself is to blame for; all of it is found before it reaches the database. */
function blame(error: unknown): CairnError {
  if (!(error instanceof CairnError) || error.status >= 500) throw error;
  return error;
}

/** Hashing is slow, so it comes before the transactions. */
async function hashAll({ collection, isTrusted }: Import, batch: NumberedRow[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const entry of batch) {
    if (entry.value instanceof BadRow) continue;
    try {
      for (const plain of collectPasswords(collection.schema, entry.value, isTrusted)) {
        if (!hashes.has(plain)) hashes.set(plain, await hashPassword(plain));
      }
    } catch (error) {
      entry.problem = blame(error);
    }
  }
  return hashes;
}

async function buildAll(work: Import, batch: NumberedRow[], hashes: Map<string, string>): Promise<void> {
  const { ctx, collection, isTrusted } = work;
  const now = ctx.clock.iso();
  let turn = performance.now();
  for (const entry of batch) {
    if (entry.value instanceof BadRow || entry.problem) continue;
    const ahead = buildAhead({ ctx, collection, isTrusted, now, hashes }, entry.value);
    if (ahead) entry.ahead = ahead;
    if (performance.now() - turn < turnMs) continue;
    await nextTurn();
    turn = performance.now();
  }
}

interface Slice {
  batch: NumberedRow[];
  from: number;
  hashes: Map<string, string>;
}

async function writeSlice(work: Import, tx: Tx, { batch, from, hashes }: Slice): Promise<Outcome> {
  const { id } = work.collection;
  const now = work.ctx.clock.iso();
  const { count, totalObjects } = await countersFor(work, tx);
  const { ctx, collection, isTrusted, rights } = work;
  const rowWork: RowWork = { ctx, collection, isTrusted, hashes, now, rights, counters: { count, totalObjects } };
  const write = work.isUpdate ? updateRow : createRow;
  const outcome: Outcome = { rows: 0, created: [], updated: [], skipped: 0, errors: [], dropped: new Map() };
  const started = performance.now();
  let turn = started;
  while (from + outcome.rows < batch.length && performance.now() - started < transactionMs) {
    const next = from + outcome.rows;
    const ready = readyRows(collection, batch.slice(next, next + storedAtOnce));
    const entry = batch[next] as NumberedRow;
    if (ready.length > 0) for (const done of await storeRows(rowWork, tx, ready)) addDone(outcome, done);
    else await takeRow(entry, outcome, (row) => write(rowWork, tx, row, entry.ahead));
    outcome.rows += ready.length || 1;
    if (performance.now() - turn < turnMs) continue;
    await nextTurn();
    turn = performance.now();
  }
  const created = outcome.created.length;
  if (created + outcome.updated.length > 0) {
    await bumpCounters(tx, id, { created, total: created, lastUpdated: now, schemaRev: collection.schema.rev });
    for (const created of outcome.created)
      await react(ctx, tx, { type: "import.created", collection: id, id: created });
    for (const updated of outcome.updated)
      await react(ctx, tx, { type: "import.updated", collection: id, id: updated });
    // The same time in both places tells that the last change was an import.
    await invalidate(tx, `import:${id}`, now);
  }
  // The commit that follows takes as long as a turn, or two.
  await nextTurn();
  return outcome;
}

/** Locked, unless it is enough to have them last, after the objects: else this and a single write would wait for each other. */
async function countersFor({ collection, isUpdate }: Import, tx: Tx): Promise<RowWork["counters"]> {
  const known = isUpdate ? await readCounters(tx, collection.id) : undefined;
  // An update of a reserved collection that does not exist yet finds nothing to change.
  if (isUpdate && !known) return { count: 0, totalObjects: 0 };
  return known && !needsCollectionLock(collection) ? known : lockCounters(tx, collection.id);
}

/** Those at the beginning that were built ahead, if the collection's objects do not depend on each other. */
function readyRows(collection: Collection, rows: readonly NumberedRow[]): BuiltObject[] {
  if (needsCollectionLock(collection)) return [];
  const end = rows.findIndex(({ ahead }) => !ahead);
  return rows.slice(0, end < 0 ? rows.length : end).map(({ ahead }) => ahead as BuiltObject);
}

async function takeRow(
  { row, value, problem }: NumberedRow,
  outcome: Outcome,
  write: (row: JsonObject) => Promise<RowDone>,
): Promise<void> {
  if (value instanceof BadRow) {
    outcome.errors.push({ row, message: value.message });
    return;
  }
  try {
    if (problem) throw problem;
    addDone(outcome, await write(value));
  } catch (error) {
    const { message, details } = blame(error);
    outcome.errors.push({
      row,
      ...(typeof value.id === "string" && { id: value.id }),
      message,
      ...(details && { details }),
    });
  }
}

function addDone(outcome: Outcome, { done, id, dropped }: RowDone): void {
  if (dropped) outcome.dropped.set(id, dropped);
  if (done === "skipped") outcome.skipped += 1;
  else outcome[done].push(id);
}

function addOutcome(result: ImportResult, outcome: Outcome): void {
  result.created += outcome.created.length;
  result.updated += outcome.updated.length;
  result.import_count = result.created + result.updated;
  result.skipped += outcome.skipped;
  result.errorCount += outcome.errors.length;
  result.errors.push(...outcome.errors.slice(0, maxReportedErrors - result.errors.length));
}
