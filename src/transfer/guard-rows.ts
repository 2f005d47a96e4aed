// What extensions say about the rows of an import, before their transactions. A row that one refuses, or cannot check, carries
// that to the report. A row is stored only as it was checked.

import { CairnError } from "#base/errors.ts";
import { inParallel } from "#base/in-parallel.ts";
import { findGuard, type Guard } from "#content/extension-guard.ts";
import type { ChangeWork } from "#content/objects/write-work.ts";
import type { JsonObject } from "#contract/json.ts";
import { tryOut } from "#storage/try-out.ts";
import { type Import, type PreparedRows, type ReadyRow, type RefusedRow, rebuilt, rowError } from "./prepare-rows.ts";
import { createRow, updateRow } from "./write-row.ts";

/** Rows that are checked at the same time. */
const width = 8;

export async function guardRows(work: Import, prepared: PreparedRows): Promise<PreparedRows> {
  const { ctx, collection, isUpdate } = work;
  const guard = await findGuard(ctx, collection, isUpdate ? "update" : "create");
  if (!guard) return prepared;
  const rows = [...prepared.rows];
  await inParallel([...rows.keys()], width, async (at) => {
    const row = rows[at] as ReadyRow | RefusedRow;
    if (!("error" in row)) rows[at] = await guardRow(guard, { ...work, hashes: prepared.hashes }, row);
  });
  return { ...prepared, rows };
}

async function guardRow(
  guard: Guard,
  work: Import & Pick<PreparedRows, "hashes">,
  row: ReadyRow,
): Promise<ReadyRow | RefusedRow> {
  const { ctx, collection, isTrusted, rules, hashes, isUpdate } = work;
  // References may lead to rows that are not stored yet; the transaction checks them.
  const trial: ChangeWork = {
    ctx,
    collection,
    isTrusted,
    now: ctx.clock.iso(),
    hashes,
    rules,
    recorder: undefined,
    later: [],
  };
  try {
    const tried = await tryOut(ctx.storage, (tx) => (isUpdate ? updateRow : createRow)(trial, tx, row));
    if (!tried) return { ...row, isPassedOver: true };
    const { id, rev, before = null, text } = tried;
    const added = await guard.check({ id, before, after: JSON.parse(text) as JsonObject });
    const checked = isUpdate ? { ...row, rev: rev - 1 } : row;
    return Object.keys(added).length === 0
      ? checked
      : rebuilt(trial, { ...checked, value: { ...row.value, ...added } });
  } catch (error) {
    if (!(error instanceof CairnError) || error.word === "storage-full") throw error;
    if (error.status < 500) return { error: rowError(row, error) };
    return { error: rowError(row, new CairnError("refused", error.message)) };
  }
}
