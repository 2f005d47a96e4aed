// Stores the prepared rows of an import, as many to a transaction as fit into a short time: others can write in between.

import { createPause, yieldToEventLoop } from "#base/event-loop.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { removeDropped } from "#content/objects/dropped-files.ts";
import { type BuiltObject, storeBuilt } from "#content/objects/insert-objects.ts";
import { needsCollectionLock, retryOnTakenId } from "#content/objects/unique.ts";
import { type ChangeWork, type Counters, finishWrites, type Written } from "#content/objects/write-work.ts";
import { auditWrite } from "#content/write-rules.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { Tx } from "#storage/port.ts";
import { lockCounters, readCounters } from "#storage/tables/collections.ts";
import { type Import, type PreparedRows, type ReadyRow, type RefusedRow, rowError } from "./prepare-rows.ts";
import type { RowError } from "./rows.ts";
import { createRow, updateRow } from "./write-row.ts";

/** How long other writers may have to wait for a transaction: long enough to make its commit cheap. */
const transactionMs = 100;
/** Rows that go to the database at once. */
const storedAtOnce = 25;

/** What one transaction did; counts only once it has committed. */
export interface Outcome {
  rows: number;
  written: Written[];
  skipped: number;
  errors: RowError[];
}

export async function storeRows(
  work: Import,
  { rows, hashes }: PreparedRows,
  onCommit: (outcome: Outcome) => void,
): Promise<void> {
  const { ctx, collection } = work;
  for (let from = 0; from < rows.length; ) {
    const slice = { rows, from, hashes };
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

async function storeSlice(
  work: Import,
  tx: Tx,
  { rows, from, hashes }: PreparedRows & { from: number },
): Promise<Outcome> {
  const { ctx, collection, isTrusted, rules } = work;
  const counters = await countersFor(work, tx);
  const changeWork: ChangeWork = { ctx, collection, isTrusted, now: ctx.clock.iso(), hashes, counters, rules };
  const areIndependent = !needsCollectionLock(ctx, collection);
  const write = work.isUpdate ? updateRow : createRow;
  const outcome: Outcome = { rows: 0, written: [], skipped: 0, errors: [] };
  const started = performance.now();
  const pause = createPause();
  while (from + outcome.rows < rows.length && performance.now() - started < transactionMs) {
    const next = from + outcome.rows;
    const ready = areIndependent ? builtRows(rows.slice(next, next + storedAtOnce)) : [];
    if (ready.length > 0) {
      const objects = ready.map((built) => ({ work: changeWork, built }));
      for (const done of await storeBuilt(tx, objects)) addDone(outcome, done);
    } else await addRow(outcome, rows[next] as ReadyRow, (row) => write(changeWork, tx, row.value, row.ahead));
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

/** Locked, unless it is enough to have them last, after the objects: else this and a single write would wait for each other. */
async function countersFor({ ctx, collection, isUpdate }: Import, tx: Tx): Promise<Counters> {
  const known = isUpdate ? await readCounters(tx, collection.id) : undefined;
  // An update of a reserved collection that does not exist yet finds nothing to change.
  if (isUpdate && !known) return { count: 0, totalObjects: 0 };
  return known && !needsCollectionLock(ctx, collection) ? known : lockCounters(tx, collection.id);
}

/** Those at the beginning that are built. */
function builtRows(rows: readonly (ReadyRow | RefusedRow)[]): BuiltObject[] {
  const built: BuiltObject[] = [];
  for (const row of rows) {
    if ("error" in row || !row.ahead) break;
    built.push(row.ahead);
  }
  return built;
}

async function addRow(
  outcome: Outcome,
  row: ReadyRow | RefusedRow,
  write: (row: ReadyRow) => Promise<Written | undefined>,
): Promise<void> {
  if ("error" in row) {
    outcome.errors.push(row.error);
    return;
  }
  try {
    addDone(outcome, await write(row));
  } catch (error) {
    outcome.errors.push(rowError(row, error));
  }
}

function addDone(outcome: Outcome, written: Written | undefined): void {
  if (written) outcome.written.push(written);
  else outcome.skipped += 1;
}
