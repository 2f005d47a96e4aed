// What can be done with the rows of an import before their transactions: checks, password hashes, building. Each step takes
// rows and returns new ones. A row that is refused on the way carries its error to the report.

import { CairnError } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { Recorder } from "#content/history/record.ts";
import { replaceStrangersId } from "#content/objects/choose-id.ts";
import { type BuiltObject, buildAhead } from "#content/objects/insert-objects.ts";
import { hashAll, type PasswordHashes } from "#content/objects/password-hashes.ts";
import type { WriteWork } from "#content/objects/write-work.ts";
import { type ChangeRules, checkSent } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { RowError } from "#contract/imports.ts";
import type { JsonObject } from "#contract/json.ts";
import { collectPasswords } from "#schemas/build.ts";
import { withPresentNames } from "#schemas/values/present-names.ts";
import { BadRow, type ImportRow } from "./rows.ts";
import type { Trial } from "./trial.ts";

/** One import under way. */
export interface Import {
  ctx: Context;
  collection: Collection;
  isUpdate: boolean;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
  /** Of updates. */
  rules: readonly ChangeRules[];
  recorder: Recorder | undefined;
  /** Of a dry run. */
  trial?: Trial | undefined;
}

export interface NumberedRow {
  row: number;
  value: ImportRow;
}

export interface RefusedRow {
  error: RowError;
}

export interface ReadyRow {
  row: number;
  value: JsonObject;
  /** Ready to be stored. Absent: it is built in the transaction, where also is found what is wrong with it. */
  ahead?: BuiltObject | undefined;
  /** The version of the stored object that extensions have seen. */
  rev?: number;
  /** Extensions have not seen it, because its id was taken, or there was no such object. */
  isPassedOver?: true;
}

export interface PreparedRows {
  rows: readonly (ReadyRow | RefusedRow)[];
  hashes: PasswordHashes;
}

export async function prepareRows(work: Import, batch: readonly NumberedRow[]): Promise<PreparedRows> {
  const checked = await checkRows(work, batch);
  const hashes = await hashAll(checked.flatMap((row) => ("error" in row ? [] : row.passwords)));
  return { rows: work.isUpdate ? checked : await buildRows(work, checked, hashes), hashes };
}

type CheckedRow = { row: number; value: JsonObject; passwords: string[] };

async function checkRows(work: Import, batch: readonly NumberedRow[]): Promise<(CheckedRow | RefusedRow)[]> {
  const rows: (CheckedRow | RefusedRow)[] = [];
  const pause = createPause();
  for (const { row, value } of batch) {
    if (value instanceof BadRow) rows.push({ error: { row, message: value.message } });
    else rows.push(await checkRow(work, { row, value }));
    await pause();
  }
  return rows;
}

async function checkRow(
  { ctx, collection, isUpdate, isTrusted }: Import,
  { row, value: sent }: ReadyRow,
): Promise<CheckedRow | RefusedRow> {
  const named = withPresentNames(collection.schema, sent);
  const value = isUpdate ? named : replaceStrangersId(ctx, collection, named);
  try {
    await checkSent(ctx, collection.id, value, "import");
    return { row, value, passwords: collectPasswords(collection.schema, value, isTrusted) };
  } catch (error) {
    return { error: rowError({ row, value }, error) };
  }
}

async function buildRows(
  { ctx, collection, isTrusted, recorder }: Import,
  rows: readonly (CheckedRow | RefusedRow)[],
  hashes: PasswordHashes,
): Promise<(ReadyRow | RefusedRow)[]> {
  const work = { ctx, collection, isTrusted, now: ctx.clock.iso(), hashes, recorder };
  const built: (ReadyRow | RefusedRow)[] = [];
  const pause = createPause();
  for (const one of rows) {
    built.push("error" in one ? one : { row: one.row, value: one.value, ahead: tryBuild(work, one.value) });
    await pause();
  }
  return built;
}

/** What is wrong with a row counts only if its id is free, which the transaction finds out. */
function tryBuild(work: WriteWork, value: JsonObject): BuiltObject | undefined {
  try {
    return buildAhead(work, value);
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

/** The row with other values. */
export function rebuilt(work: WriteWork, row: ReadyRow): ReadyRow {
  return { ...row, ahead: row.ahead && tryBuild(work, row.value) };
}

/** What a row itself is to blame for; all of it is found before it reaches the database. */
export function rowError({ row, value }: ReadyRow, error: unknown): RowError {
  if (!(error instanceof CairnError) || error.status >= 500) throw error;
  const { message, details } = error;
  return { row, ...(typeof value.id === "string" && { id: value.id }), message, ...(details && { details }) };
}
