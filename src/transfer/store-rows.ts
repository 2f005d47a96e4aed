// Stores the prepared rows of an import, as many to a transaction as fit into a short time: others can write in between.

import { createPause, yieldToEventLoop } from "#base/event-loop.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { removeDropped } from "#content/objects/dropped-files.ts";
import { type BuiltObject, storeBuilt } from "#content/objects/insert-objects.ts";
import { needsCollectionLock, retryOnTakenId } from "#content/objects/unique.ts";
import { type Counters, finishWrites, type Written } from "#content/objects/write-work.ts";
import { checksReferences } from "#content/relations/check-references.ts";
import { auditWrite } from "#content/write-rules.ts";
import { maxTriedRows, type RowError, type TriedRow } from "#contract/imports.ts";
import type { JsonObject } from "#contract/json.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Tx } from "#storage/port.ts";
import { lockCounters, readCounters } from "#storage/tables/collections.ts";
import { tryOut } from "#storage/try-out.ts";
import { type Import, type PreparedRows, type ReadyRow, type RefusedRow, rowError } from "./prepare-rows.ts";
import { checkTakenBefore, isTakenBefore, remember, type Trial } from "./trial.ts";
import { createRow, updateRow } from "./write-row.ts";

/** How long other writers may have to wait for a transaction: long enough to make its commit cheap. */
const transactionMs = 100;
/** Transactions of a dry run are shorter: what is rolled back may have run twice. */
const trialMs = 40;
/** Rows that go to the database at once. */
const storedAtOnce = 25;

/** What one transaction did; counts only once it has committed. */
export interface Outcome {
  rows: number;
  written: Written[];
  skipped: number;
  errors: RowError[];
  /** The first rows of a dry run. */
  tried: TriedRow[];
}

export async function storeRows(
  work: Import,
  { rows, hashes }: PreparedRows,
  onCommit: (outcome: Outcome) => void,
): Promise<void> {
  const { ctx, collection, trial } = work;
  for (let from = 0; from < rows.length; ) {
    const slice = { rows, from, hashes };
    if (trial) {
      const outcome = await retryOnTakenId(() => tryOut(ctx.storage, (tx) => trySlice({ ...work, trial }, tx, slice)));
      remember(trial, collection, outcome.written, outcome.counters);
      from += outcome.rows;
      onCommit(outcome);
      continue;
    }
    const outcome = await retryOnTakenId(() => ctx.storage.write((tx) => storeSlice(work, tx, slice)));
    from += outcome.rows;
    followWrite(ctx, collection);
    for (const { id, done, dropped } of outcome.written) {
      const key = { collection: collection.id, id };
      auditWrite(ctx, done === "created" ? "created" : "changed", key, { by: "import" });
      await removeDropped(ctx, key, dropped);
    }
    onCommit(outcome);
  }
}

type Slice = PreparedRows & { from: number };

async function storeSlice(work: Import, tx: Tx, { rows, from, hashes }: Slice): Promise<Outcome> {
  const { ctx, collection, isTrusted, rules, recorder } = work;
  const counters = await countersFor(work, tx);
  const changeWork = { ctx, collection, isTrusted, now: ctx.clock.iso(), hashes, counters, rules, recorder };
  // What refers to nothing must not cost the rows beside it.
  const areIndependent = !needsCollectionLock(ctx, collection) && !checksReferences(collection.schema);
  const write = work.isUpdate ? updateRow : createRow;
  const outcome = emptyOutcome();
  const started = performance.now();
  const pause = createPause();
  while (from + outcome.rows < rows.length && performance.now() - started < transactionMs) {
    const next = from + outcome.rows;
    const ready = areIndependent ? builtRows(rows.slice(next, next + storedAtOnce)) : [];
    if (ready.length > 0) {
      const objects = ready.map((built) => ({ work: changeWork, built }));
      for (const done of await storeBuilt(tx, objects)) addDone(outcome, done);
    } else await addRow(outcome, rows[next] as ReadyRow, (row) => write(changeWork, tx, row));
    outcome.rows += ready.length || 1;
    await pause();
  }
  const lastUpdated = await finishWrites(tx, outcome.written, "import");
  // The same time in both places means that the last change was an import.
  if (lastUpdated !== undefined) await invalidate(tx, `import:${collection.id}`, lastUpdated);
  // The commit that follows takes as long as a turn, or two.
  await yieldToEventLoop();
  return outcome;
}

/** As in an import, one row after the other. The rows that are shown stand in the first transaction, so they know each other. */
async function trySlice(
  { trial, ...work }: Import & { trial: Trial },
  tx: Tx,
  { rows, from, hashes }: Slice,
): Promise<Outcome & { counters: Counters }> {
  const { ctx, collection, isTrusted, rules, isUpdate } = work;
  const counters = { ...(trial.counters ?? (await readCounters(tx, collection.id)) ?? noObjects) };
  const now = ctx.clock.iso();
  const changeWork = { ctx, collection, isTrusted, now, hashes, counters, rules, recorder: undefined };
  const outcome = emptyOutcome();
  const started = performance.now();
  const pause = createPause();
  const write = async (row: ReadyRow) => {
    if (!isUpdate && isTakenBefore(trial, collection, row.value, now)) return undefined;
    const written = await (isUpdate ? updateRow : createRow)(changeWork, tx, row);
    if (written) checkTakenBefore(trial, collection, written);
    return written;
  };
  for (const row of rows.slice(from)) {
    const isShown = outcome.rows < maxTriedRows && trial.counters === undefined;
    if (!isShown && performance.now() - started >= trialMs) break;
    const done = await addRow(outcome, row, write);
    if (isShown) outcome.tried.push(triedRow(row, done));
    outcome.rows += 1;
    await pause();
  }
  await yieldToEventLoop();
  return { ...outcome, counters };
}

function triedRow(row: ReadyRow | RefusedRow, done: Written | RowError | undefined): TriedRow {
  if (done && "message" in done)
    return { row: done.row, done: "refused", ...(done.id !== undefined && { id: done.id }) };
  if (done) {
    const object = JSON.parse(done.text) as JsonObject;
    return { row: (row as ReadyRow).row, done: done.done, id: done.id, object };
  }
  const { row: number, value } = row as ReadyRow;
  return { row: number, done: "skipped", ...(typeof value.id === "string" && { id: value.id }) };
}

const noObjects: Counters = { count: 0, totalObjects: 0 };

function emptyOutcome(): Outcome {
  return { rows: 0, written: [], skipped: 0, errors: [], tried: [] };
}

/** Locked, unless it is enough to have them last, after the objects: else this and a single write would wait for each other. */
async function countersFor({ ctx, collection, isUpdate }: Import, tx: Tx): Promise<Counters> {
  const known = isUpdate ? await readCounters(tx, collection.id) : undefined;
  // An update of a reserved collection that does not exist yet finds nothing to change.
  if (isUpdate && !known) return { ...noObjects };
  return known && !needsCollectionLock(ctx, collection) ? known : lockCounters(tx, collection.id);
}

/** Those at the beginning that are built. */
function builtRows(rows: readonly (ReadyRow | RefusedRow)[]): BuiltObject[] {
  const built: BuiltObject[] = [];
  for (const row of rows) {
    if ("error" in row || row.isPassedOver || !row.ahead) break;
    built.push(row.ahead);
  }
  return built;
}

async function addRow(
  outcome: Outcome,
  row: ReadyRow | RefusedRow,
  write: (row: ReadyRow) => Promise<Written | undefined>,
): Promise<Written | RowError | undefined> {
  if ("error" in row) return addError(outcome, row.error);
  try {
    const written = await write(row);
    addDone(outcome, written);
    return written;
  } catch (error) {
    return addError(outcome, rowError(row, error));
  }
}

function addError(outcome: Outcome, error: RowError): RowError {
  outcome.errors.push(error);
  return error;
}

function addDone(outcome: Outcome, written: Written | undefined): void {
  if (written) outcome.written.push(written);
  else outcome.skipped += 1;
}
