// Files that belong to a write: rows of its own transaction, so that they are there with it or not at all.
// A process that finds such rows writes the files and deletes the rows; doing that twice does no harm.

import type { Reader, Tx } from "#storage/port.ts";

export interface PendingFile {
  kind: "schema" | "template" | "snapshot";
  place: string;
  content: string;
  stamped: string;
}

/** Rows that one statement writes or takes away. */
const atOnce = 100;

export async function insertPendingFiles(tx: Tx, files: readonly PendingFile[]): Promise<void> {
  if (files.length > 0) tx.touch("pending-files");
  for (let from = 0; from < files.length; from += atOnce) {
    const some = files.slice(from, from + atOnce);
    await tx.run(
      `INSERT INTO pending_files (kind, place, content, stamped) VALUES ${some.map(() => "(?, ?, ?, ?)").join(", ")}`,
      some.flatMap(({ kind, place, content, stamped }) => [kind, place, content, stamped]),
    );
  }
}

/** The oldest, in order. */
export function listPendingFiles(db: Reader, limit: number): Promise<(PendingFile & { seq: number })[]> {
  return db.all("SELECT seq, kind, place, content, stamped FROM pending_files ORDER BY seq LIMIT ?", [limit]);
}

export async function deletePendingFiles(tx: Tx, seqs: readonly number[]): Promise<void> {
  for (let from = 0; from < seqs.length; from += atOnce) {
    const some = seqs.slice(from, from + atOnce);
    await tx.run(`DELETE FROM pending_files WHERE seq IN (${some.map(() => "?").join(", ")})`, some);
  }
}
