// The objects of a bulk change that runs as a job. The change of an object takes its row in the same transaction, so that
// no object is changed twice, whichever process runs the job.

import type { Reader, Tx } from "#storage/port.ts";

/** Rows that one statement inserts. */
const atOnce = 500;
/** Takes a few milliseconds. */
const deletedAtOnce = 1_000;

export interface BulkTarget {
  job: string;
  id: string;
}

export async function insertTargets(tx: Tx, job: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    await tx.run(
      `INSERT INTO bulk_targets (job, id) VALUES ${some.map(() => "(?, ?)").join(", ")}`,
      some.flatMap((id) => [job, id]),
    );
  }
}

/** False: it is changed already. */
export async function takeTarget(tx: Tx, { job, id }: BulkTarget): Promise<boolean> {
  return (await tx.run("DELETE FROM bulk_targets WHERE job = ? AND id = ? AND failure IS NULL", [job, id])) > 0;
}

/** How many of them were not changed already. */
export function takeTargets(tx: Tx, job: string, ids: readonly string[]): Promise<number> {
  const places = ids.map(() => "?").join(", ");
  return tx.run(`DELETE FROM bulk_targets WHERE job = ? AND id IN (${places}) AND failure IS NULL`, [job, ...ids]);
}

export async function noteTargetFailure(tx: Tx, { job, id }: BulkTarget, failure: string): Promise<void> {
  await tx.run("UPDATE bulk_targets SET failure = ? WHERE job = ? AND id = ?", [failure, job, id]);
}

export async function hasTarget(db: Reader, { job, id }: BulkTarget): Promise<boolean> {
  return (await db.one("SELECT 1 AS found FROM bulk_targets WHERE job = ? AND id = ?", [job, id])) !== undefined;
}

/** Those without a failure, by id. */
export async function listTargets(
  db: Reader,
  job: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    "SELECT id FROM bulk_targets WHERE job = ? AND id > ? AND failure IS NULL ORDER BY id LIMIT ?",
    [job, after, limit],
  );
  return rows.map(({ id }) => id);
}

/** JSON texts, by the id of the object. */
export async function listTargetFailures(db: Reader, job: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ failure: string }>(
    "SELECT failure FROM bulk_targets WHERE job = ? AND failure IS NOT NULL ORDER BY id LIMIT ?",
    [job, limit],
  );
  return rows.map(({ failure }) => failure);
}

/** All rows, or those that failed. */
export async function countTargets(db: Reader, job: string, isFailed = false): Promise<number> {
  const failed = isFailed ? " AND failure IS NOT NULL" : "";
  const row = await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM bulk_targets WHERE job = ?${failed}`, [job]);
  return Number(row?.n ?? 0);
}

/** Some of them. False: none are left. */
export async function deleteSomeTargets(tx: Tx, job: string): Promise<boolean> {
  const some = `SELECT id FROM bulk_targets WHERE job = ? LIMIT ${deletedAtOnce}`;
  return (await tx.run(`DELETE FROM bulk_targets WHERE job = ? AND id IN (${some})`, [job, job])) > 0;
}
