// Imports objects in bulk: rows are read in batches, prepared (prepare-rows.ts) and stored many to a transaction
// (store-rows.ts). A bad row is reported and skipped, it never stops the rest. Other callers are served meanwhile.
// What was imported before a failure of the source stays.

import { isAdminPersona } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import { react } from "#content/collection-hooks.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { ensureCollection } from "#content/collections/put-collection.ts";
import { historyMode } from "#content/history/mode.ts";
import { openRecorder } from "#content/history/record.ts";
import { explainUnknown, unknownNames } from "#content/objects/ignored.ts";
import { confirmOrder, openChange } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import type { ImportResult } from "#contract/imports.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { withPresentNames } from "#schemas/values/present-names.ts";
import { guardRows } from "./guard-rows.ts";
import { type Import, type NumberedRow, prepareRows } from "./prepare-rows.ts";
import { type ImportFile, readRows } from "./read-rows.ts";
import {
  addErrors,
  addTried,
  BadRow,
  emptyResult,
  type ImportRow,
  maxIgnored,
  type ImportOptions as Options,
} from "./rows.ts";
import { type Outcome, storeRows } from "./store-rows.ts";
import { createTrial, type Trial } from "./trial.ts";

/** A batch is what is held in memory. */
const batchRows = 1000;
const batchWeight = 8_000_000;

export interface ImportOptions extends Options {
  onProgress?(rows: number): void;
}

const importKind = "import";
const dryRunKind = "import-dry-run";
const keptImports = 20;

/** Imports are listed among the jobs while they run. Their rows come from a caller, so no other process can take one over. */
export function handleImports({ jobs }: Pick<App, "jobs">): void {
  const refuse = () => Promise.reject(new Error("An import cannot be started again: its rows are gone."));
  for (const kind of [importKind, dryRunKind]) jobs.handle(kind, refuse, { keep: keptImports, cancels: "running" });
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
  await confirmOrder(ctx, collectionId, "anything");
  const trial = options.dryRun ? createTrial() : undefined;
  if (!isUpdate && !trial) await ensureCollection(ctx, collectionId);
  const result = emptyResult(options);
  const job = { kind: trial ? dryRunKind : importKind, subject: collectionId, payload: {} };
  const { status, thrown } = await ctx.jobs.run(job, async ({ id }, run) => {
    const own = { ...ctx, trail: { ...ctx.trail, door: "import" as const, run: String(id) } };
    await importRows(own, collectionId, source, {
      isUpdate,
      trial,
      result,
      cancelled: run.cancelled,
      report(rows) {
        // How many there will be is known when all are read.
        run.progress(rows, 0);
        options.onProgress?.(rows);
      },
    });
    const { created, updated, skipped, errorCount } = result;
    const rows = created + updated + skipped + errorCount;
    run.progress(rows, rows);
    if (!trial && historyMode(ctx, await getCollection(ctx, collectionId)) === "full") result.run = String(id);
    return { created, updated, skipped, errorCount };
  });
  if (status === "failed") throw thrown;
  return result;
}

async function importRows(
  ctx: Context,
  collectionId: string,
  source: AsyncIterable<ImportRow>,
  {
    isUpdate,
    trial,
    result,
    cancelled,
    report,
  }: {
    isUpdate: boolean;
    trial: Trial | undefined;
    result: ImportResult;
    cancelled: AbortSignal;
    report(rows: number): void;
  },
): Promise<void> {
  try {
    for await (const rows of inBatches(source)) {
      cancelled.throwIfAborted();
      // Looked up again for each batch: the schema may change while a long import runs.
      const collection = await getCollection(ctx, collectionId);
      const rules = isUpdate ? await openChange(ctx, { collection, sent: {} }) : [];
      const recorder = trial ? undefined : await openRecorder(ctx, [collection]);
      const isTrusted = isAdminPersona(ctx.actor);
      const work: Import = { ctx, collection, rules, recorder, isUpdate, isTrusted, trial };
      await noteIgnored(work, result, rows);
      await storeRows(work, await guardRows(work, await prepareRows(work, rows)), (outcome) => {
        addOutcome(result, outcome);
        report(result.import_count + result.skipped + result.errorCount);
      });
    }
  } catch (error) {
    if (!(error instanceof CairnError) || trial || result.import_count === 0) throw error;
    fail(error.word, `${error.message} ${result.import_count} objects were imported before that.`, error.details);
  } finally {
    const { created, updated } = result;
    if (created + updated > 0 && !trial) await announceImport(ctx, collectionId, { created, updated });
  }
}

/** Each name once, also where all rows have it. */
async function noteIgnored(
  { ctx, collection: { schema } }: Import,
  result: ImportResult,
  rows: readonly NumberedRow[],
): Promise<void> {
  const noted = new Set(result.ignored?.map(({ name }) => name));
  const before = noted.size;
  const pause = createPause();
  for (const { value } of rows) {
    if (noted.size >= maxIgnored) break;
    if (value instanceof BadRow || unknownNames(schema, value).length === 0) continue;
    // Former names are read as the present ones.
    for (const name of unknownNames(schema, withPresentNames(schema, value))) noted.add(name);
    await pause();
  }
  const found = [...noted].slice(before, maxIgnored);
  if (found.length > 0) result.ignored = [...(result.ignored ?? []), ...explainUnknown(ctx, schema, found)];
}

async function announceImport(ctx: Context, collection: string, done: { created: number; updated: number }) {
  const event = { type: "import.completed" as const, collection, ...done };
  await ctx.storage.write(async (tx) => react(ctx, tx, event));
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

function addOutcome(result: ImportResult, outcome: Outcome): void {
  for (const { done } of outcome.written) result[done] += 1;
  result.import_count = result.created + result.updated;
  result.skipped += outcome.skipped;
  addErrors(result, outcome.errors);
  addTried(result, outcome.tried);
}
