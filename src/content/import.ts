// Imports objects in bulk: rows are built and checked like single writes and stored many to a transaction.
// A bad row is reported and skipped, it never stops the rest. Transactions are kept short enough for readers to pass.
// What was imported before a failure of the source stays.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isAdminPersona } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { bumpCounters, readCounters } from "#storage/collections.ts";
import { insertObject, lockObject, updateObject } from "#storage/objects.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { openCollection } from "./access.ts";
import { buildDocument } from "./build.ts";
import { type Collection, ensureCollection, getCollection } from "./collections.ts";
import { chooseId } from "./objects.ts";
import { type ImportFile, readRows } from "./transfer/read-rows.ts";
import { BadRow, type ImportResult, type ImportRow, maxReportedErrors, type RowError } from "./transfer/rows.ts";
import { checkUnique, hashPasswords, htmlclean, objectWrite, storedDocument } from "./write.ts";

/** A batch is what is held in memory, a slice of it is what one transaction takes. */
const batchRows = 1000;
const batchWeight = 8_000_000;
/** How long a slice may keep the process busy beside other callers. */
const sharedSliceMs = 8;

export interface ImportOptions {
  /** Change existing objects instead of creating; the others are skipped. */
  update?: boolean;
  /** How long one transaction may keep this process busy, in milliseconds; a command has nobody to wait for it. */
  sliceMs?: number;
  onProgress?(rows: number): void;
}

/** One import under way. */
interface Import {
  ctx: Context;
  collection: Collection;
  isUpdate: boolean;
  sliceMs: number;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
}

interface NumberedRow {
  row: number;
  value: ImportRow;
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
  try {
    for await (const rows of inBatches(source)) {
      // Looked up again for each batch: the schema may change while a long import runs.
      const collection = await getCollection(ctx, collectionId);
      const work: Import = {
        ctx,
        collection,
        isUpdate,
        sliceMs: options.sliceMs ?? sharedSliceMs,
        isTrusted: isAdminPersona(ctx.actor),
      };
      await writeBatch(work, rows, (outcome) => {
        addOutcome(result, outcome);
        options.onProgress?.(result.import_count + result.skipped + result.errorCount);
      });
    }
  } catch (error) {
    if (!(error instanceof CairnError) || result.import_count === 0) throw error;
    fail(error.word, `${error.message} ${result.import_count} objects were imported before that.`, error.details);
  } finally {
    const { created, updated } = result;
    if (created + updated > 0)
      ctx.events.emit({ type: "import.completed", collection: collectionId, created, updated });
  }
  return result;
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
}

async function writeBatch(work: Import, batch: NumberedRow[], onSlice: (outcome: Outcome) => void): Promise<void> {
  const { ctx, collection } = work;
  const hashes = await hashAll(work, batch);
  for (let from = 0; from < batch.length; ) {
    const outcome = await retryOnTakenId(() =>
      ctx.storage.write((tx) => writeSlice(work, tx, { batch, from, hashes })),
    );
    from += outcome.rows;
    for (const id of outcome.created) ctx.events.emit({ type: "import.created", collection: collection.id, id });
    for (const id of outcome.updated) ctx.events.emit({ type: "import.updated", collection: collection.id, id });
    onSlice(outcome);
    await nextTurn();
  }
}

async function hashAll({ collection }: Import, batch: NumberedRow[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const { value } of batch) {
    if (value instanceof BadRow) continue;
    for (const [plain, hash] of await hashPasswords(collection.schema, value)) hashes.set(plain, hash);
  }
  return hashes;
}

/** A writer beside this one may have taken an id: the slice was rolled back, and looks again. */
async function retryOnTakenId(attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || tries === 5) throw error;
    }
  }
}

interface Slice {
  batch: NumberedRow[];
  from: number;
  hashes: Map<string, string>;
}

interface RowWrite {
  body: JsonObject;
  now: string;
  hashes: Map<string, string>;
  /** Objects ever created and objects now, this slice's included. */
  counters: { count: number; totalObjects: number };
}

async function writeSlice(work: Import, tx: Tx, { batch, from, hashes }: Slice): Promise<Outcome> {
  const { id } = work.collection;
  const now = work.ctx.clock.iso();
  const before = await readCounters(tx, id);
  // Changes nothing, but makes writers to one collection wait for each other where the engine lets them run together.
  if (before) await bumpCounters(tx, id, { created: 0, total: 0, lastUpdated: before.lastUpdated });
  const counters = { count: before?.count ?? 0, totalObjects: before?.totalObjects ?? 0 };
  const outcome: Outcome = { rows: 0, created: [], updated: [], skipped: 0, errors: [] };
  const start = performance.eventLoopUtilization();
  while (from + outcome.rows < batch.length) {
    const { row, value } = batch[from + outcome.rows] as NumberedRow;
    await writeRow(work, tx, { row, value, write: { now, hashes, counters } }, outcome);
    outcome.rows += 1;
    // Busy time, not elapsed time: waiting for a database server keeps nobody else waiting.
    if (performance.eventLoopUtilization(start).active > work.sliceMs) break;
  }
  const created = outcome.created.length;
  if (created + outcome.updated.length > 0) await bumpCounters(tx, id, { created, total: created, lastUpdated: now });
  return outcome;
}

async function writeRow(
  work: Import,
  tx: Tx,
  { row, value, write }: NumberedRow & { write: Omit<RowWrite, "body"> },
  outcome: Outcome,
): Promise<void> {
  if (value instanceof BadRow) {
    outcome.errors.push({ row, message: value.message });
    return;
  }
  try {
    const rowWrite = { ...write, body: value };
    if (work.isUpdate) await updateRow(work, tx, rowWrite, outcome);
    else await createRow(work, tx, rowWrite, outcome);
  } catch (error) {
    // Everything that the row itself is to blame for is found before it reaches the database.
    if (!(error instanceof CairnError) || error.status >= 500) throw error;
    outcome.errors.push({
      row,
      ...(typeof value.id === "string" && { id: value.id }),
      message: error.message,
      ...(error.details && { details: error.details }),
    });
  }
}

async function createRow(
  work: Import,
  tx: Tx,
  { body, now, hashes, counters }: RowWrite,
  outcome: Outcome,
): Promise<void> {
  const { ctx, collection, isTrusted } = work;
  const next = { now, counter: counters.count + 1, total: counters.totalObjects + 1 };
  const id = await chooseFreeId(tx, collection, body, next);
  if (id === undefined) {
    outcome.skipped += 1;
    return;
  }
  const created = sentTime(work, body.created) ?? sentTime(work, body.modified) ?? now;
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...body, id },
    {
      now,
      created,
      modified: sentTime(work, body.modified) ?? now,
      isTrusted,
      counter: next.counter,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: {},
    },
  );
  await checkUnique(tx, collection, document);
  await insertObject(tx, objectWrite(collection, document, secrets));
  counters.count += 1;
  counters.totalObjects += 1;
  outcome.created.push(id);
}

/** undefined: the id was sent and is taken. */
async function chooseFreeId(
  tx: Tx,
  collection: Collection,
  body: JsonObject,
  place: { now: string; counter: number; total: number },
): Promise<string | undefined> {
  try {
    return await chooseId(tx, collection, body, place);
  } catch (error) {
    if (error instanceof CairnError && error.word === "exists") return undefined;
    throw error;
  }
}

async function updateRow(
  work: Import,
  tx: Tx,
  { body, now, hashes, counters }: RowWrite,
  outcome: Outcome,
): Promise<void> {
  const { ctx, collection, isTrusted } = work;
  if (typeof body.id !== "string" || body.id === "")
    fail("invalid", "An update needs the id.", { id: ["The id is missing."] });
  const stored = await lockObject(tx, collection.id, body.id);
  if (!stored) {
    outcome.skipped += 1;
    return;
  }
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...storedDocument(collection.schema, stored), ...body },
    {
      now,
      created: sentTime(work, body.created) ?? stored.created,
      modified: sentTime(work, body.modified) ?? now,
      isTrusted,
      counter: counters.count,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: stored.secrets,
      changed: new Set(Object.keys(body)),
    },
  );
  await checkUnique(tx, collection, document);
  await updateObject(tx, stored.rid, objectWrite(collection, document, secrets));
  outcome.updated.push(body.id);
}

/** An import keeps the times of its source; whoever is not trusted with that gets the time of the write. */
function sentTime({ isTrusted }: Import, value: Json | undefined): string | undefined {
  if (!isTrusted || typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function addOutcome(result: ImportResult, outcome: Outcome): void {
  result.created += outcome.created.length;
  result.updated += outcome.updated.length;
  result.import_count = result.created + result.updated;
  result.skipped += outcome.skipped;
  result.errorCount += outcome.errors.length;
  result.errors.push(...outcome.errors.slice(0, maxReportedErrors - result.errors.length));
}
