// Results of data views: the last good one of each, and the outcome of the last build.

import type { Reader, Tx } from "#storage/port.ts";

export interface ViewState {
  id: string;
  hash: string | null;
  /** When the last good result was made. */
  built: string | null;
  durationMs: number | null;
  /** Of the last build; null when it succeeded. */
  error: string | null;
  tried: string;
}

const state = `id, hash, built, duration_ms AS "durationMs", error, tried`;

export function findViewState(db: Reader, id: string): Promise<ViewState | undefined> {
  return db.one<ViewState>(`SELECT ${state} FROM view_results WHERE id = ?`, [id]);
}

export function lockViewState(tx: Tx, id: string): Promise<ViewState | undefined> {
  return tx.one<ViewState>(`SELECT ${state} FROM view_results WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

export function listViewStates(db: Reader): Promise<ViewState[]> {
  return db.all<ViewState>(`SELECT ${state} FROM view_results`);
}

/** JSON text; undefined when there is no good result yet. */
export async function findViewData(db: Reader, id: string): Promise<{ hash: string; data: string } | undefined> {
  return db.one("SELECT hash, data FROM view_results WHERE id = ? AND data IS NOT NULL", [id]);
}

/** The objects that define views. */
export function listViewDocuments(db: Reader): Promise<{ id: string; doc: string }[]> {
  return db.all("SELECT id, doc FROM objects WHERE collection = 'dataviews' ORDER BY id");
}

export interface ViewResult {
  id: string;
  data: string;
  hash: string;
  built: string;
  durationMs: number;
}

export async function putViewResult(tx: Tx, { id, data, hash, built, durationMs }: ViewResult): Promise<void> {
  await tx.run(
    `INSERT INTO view_results (id, data, hash, built, duration_ms, error, tried) VALUES (?, ?, ?, ?, ?, NULL, ?)
     ON CONFLICT (id) DO UPDATE SET data = excluded.data, hash = excluded.hash, built = excluded.built,
       duration_ms = excluded.duration_ms, error = NULL, tried = excluded.tried`,
    [id, data, hash, built, durationMs, built],
  );
}

/** The last good result stays. */
export async function putViewError(tx: Tx, id: string, { error, tried }: Pick<ViewState, "error" | "tried">) {
  await tx.run(
    `INSERT INTO view_results (id, error, tried) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET error = excluded.error, tried = excluded.tried`,
    [id, error, tried],
  );
}

export async function deleteViewResult(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM view_results WHERE id = ?", [id]);
}

export async function deleteAllViewResults(tx: Tx): Promise<void> {
  await tx.run("DELETE FROM view_results");
}
