// Rows of the durable queue. A claim is one conditional statement, so that two processes never hold a job at a time;
// every later change names the owner, so that one whose lease has ended can change nothing any more.

import type { JobStatus } from "#contract/jobs.ts";
import type { Caller } from "#lanes/caller.ts";
import type { Asked, Reader, Storage, Tx, Value } from "#storage/port.ts";

/** Takes a few milliseconds. */
const deletedAtOnce = 200;

export interface JobRow {
  seq: number;
  id: string;
  kind: string;
  key: string | null;
  subject: string;
  /** JSON text. */
  payload: string;
  status: JobStatus;
  attempts: number;
  maxAttempts: number;
  runAt: string;
  created: string;
  started: string | null;
  finished: string | null;
  owner: string | null;
  leaseUntil: string | null;
  done: number;
  total: number;
  /** JSON text. */
  result: string | null;
  error: string | null;
  log: string;
  /** When somebody cancelled it. */
  cancelled: string | null;
}

export type NewJob = Pick<JobRow, "id" | "kind" | "key" | "subject" | "payload" | "maxAttempts" | "runAt" | "created">;

export interface Lease {
  owner: string;
  now: string;
  leaseUntil: string;
}

const columns = `seq, id, kind, key, subject, payload, status, attempts, max_attempts AS "maxAttempts",
  run_at AS "runAt", created, started, finished, owner, lease_until AS "leaseUntil", done, total, result, error, log, cancelled`;

/** The id of the job that is queued: this one, or the one of the same kind and key that waits already. */
export async function insertJob(tx: Tx, job: NewJob): Promise<string> {
  tx.touch("jobs");
  for (;;) {
    const inserted = await tx.run(
      `INSERT INTO jobs (id, kind, key, subject, payload, status, attempts, max_attempts, run_at, created)
       VALUES (?, ?, ?, ?, ?, 'queued', 0, ?, ?, ?)
       ON CONFLICT (kind, key) WHERE status = 'queued' AND key IS NOT NULL DO NOTHING`,
      [job.id, job.kind, job.key, job.subject, job.payload, job.maxAttempts, job.runAt, job.created],
    );
    if (inserted > 0) return job.id;
    // It may be claimed between the two statements: then there is room for this one.
    const waiting = await tx.one<{ id: string }>(
      "SELECT id FROM jobs WHERE kind = ? AND key = ? AND status = 'queued'",
      [job.kind, job.key],
    );
    if (waiting) return waiting.id;
  }
}

/** A job that its own process runs at once, without having waited. */
export async function insertRunningJob(tx: Tx, job: NewJob, { owner, now, leaseUntil }: Lease): Promise<void> {
  await tx.run(
    `INSERT INTO jobs (id, kind, key, subject, payload, status, attempts, max_attempts, run_at, created, started, owner,
       lease_until) VALUES (?, ?, ?, ?, ?, 'running', 1, ?, ?, ?, ?, ?, ?)`,
    [
      job.id,
      job.kind,
      job.key,
      job.subject,
      job.payload,
      job.maxAttempts,
      job.runAt,
      job.created,
      now,
      owner,
      leaseUntil,
    ],
  );
}

/** The oldest job of the kind that is due, now running. */
export async function claimDue(tx: Tx, kind: string, { owner, now, leaseUntil }: Lease): Promise<JobRow | undefined> {
  return tx.one<JobRow>(
    `UPDATE jobs SET status = 'running', attempts = attempts + 1, started = ?, owner = ?, lease_until = ?
     WHERE seq = (
       SELECT seq FROM jobs AS due WHERE kind = ? AND status = 'queued' AND run_at <= ?
         AND (key IS NULL OR NOT EXISTS (
           SELECT 1 FROM jobs AS other WHERE other.kind = due.kind AND other.key = due.key AND other.status = 'running'))
       ORDER BY run_at, seq LIMIT 1 ${tx.dialect.skipLocked})
     RETURNING ${columns}`,
    [now, owner, leaseUntil, kind, now],
  );
}

/** A running job whose lease has expired. `lapsed`: since when at least, by its number of attempts. */
export async function lockAbandoned(tx: Tx, kind: string, lapsed: readonly string[]): Promise<JobRow | undefined> {
  const conditions = lapsed.map((_, index) => {
    const compare = index < lapsed.length - 1 ? "=" : ">=";
    return `(attempts ${compare} ${index + 1} AND lease_until <= ?)`;
  });
  return tx.one<JobRow>(
    `SELECT ${columns} FROM jobs WHERE kind = ? AND status = 'running' AND (${conditions.join(" OR ")})
     ORDER BY lease_until LIMIT 1 ${tx.dialect.skipLocked}`,
    [kind, ...lapsed],
  );
}

export async function takeOver(tx: Tx, seq: number, { owner, now, leaseUntil }: Lease): Promise<JobRow | undefined> {
  return tx.one<JobRow>(
    `UPDATE jobs SET attempts = attempts + 1, started = ?, owner = ?, lease_until = ? WHERE seq = ?
     RETURNING ${columns}`,
    [now, owner, leaseUntil, seq],
  );
}

/** False when the job is no longer the owner's. */
export async function renewLease(
  tx: Tx,
  id: string,
  at: { owner: string; leaseUntil: string; done: number; total: number; log?: string | undefined },
): Promise<boolean> {
  const { owner, leaseUntil, done, total, log = null } = at;
  const changed = await tx.run(
    `UPDATE jobs SET lease_until = ?, done = ?, total = ?, log = COALESCE(?, log)
     WHERE id = ? AND owner = ? AND status = 'running'`,
    [leaseUntil, done, total, log, id, owner],
  );
  return changed > 0;
}

export interface JobEnd {
  status: "succeeded" | "failed";
  finished: string;
  result: string | null;
  error: string | null;
  log: string;
  done: number;
  total: number;
}

/** False when the job is no longer the owner's. */
export async function finishJob(tx: Tx, id: string, owner: string, end: JobEnd): Promise<boolean> {
  tx.touch("jobs");
  const changed = await tx.run(
    `UPDATE jobs SET status = ?, finished = ?, result = ?, error = ?, log = ?, done = ?, total = ?, owner = NULL,
       lease_until = NULL WHERE id = ? AND owner = ? AND status = 'running'`,
    [end.status, end.finished, end.result, end.error, end.log, end.done, end.total, id, owner],
  );
  return changed > 0;
}

/**
 * Back to the queue, unless another of the same kind and key waits there already, which then counts for both. Throws
 * UniqueViolation when that one came at the same moment.
 */
export async function requeueJob(
  tx: Tx,
  id: string,
  at: { runAt: string; error: string | null; attempts?: number },
): Promise<boolean> {
  tx.touch("jobs");
  const changed = await tx.run(
    `UPDATE jobs SET status = 'queued', run_at = ?, error = ?, attempts = COALESCE(?, attempts), finished = NULL,
       cancelled = NULL, owner = NULL, lease_until = NULL WHERE id = ? AND (key IS NULL OR NOT EXISTS (
       SELECT 1 FROM jobs AS other WHERE other.kind = jobs.kind AND other.key = jobs.key AND other.status = 'queued'))`,
    [at.runAt, at.error, at.attempts ?? null, id],
  );
  return changed > 0;
}

/** One that waits for its time may run from this moment on. */
export async function hastenJob(tx: Tx, id: string, runAt: string): Promise<void> {
  tx.touch("jobs");
  await tx.run("UPDATE jobs SET run_at = ? WHERE id = ? AND status = 'queued' AND run_at > ?", [runAt, id, runAt]);
}

/** One that waits ends at once; one that runs is stopped by its process. */
export async function cancelQueuedJob(tx: Tx, id: string, { at, error }: { at: string; error: string }): Promise<void> {
  tx.touch("jobs");
  await tx.run(
    "UPDATE jobs SET status = 'failed', finished = ?, cancelled = ?, error = ? WHERE id = ? AND status = 'queued'",
    [at, at, error, id],
  );
}

export async function cancelRunningJob(tx: Tx, id: string, at: string): Promise<void> {
  tx.touch("jobs");
  await tx.run("UPDATE jobs SET cancelled = ? WHERE id = ? AND status = 'running' AND cancelled IS NULL", [at, id]);
}

/** Those of the process that shall stop. */
export async function listCancelled(db: Reader, owner: string): Promise<string[]> {
  const sql = "SELECT id FROM jobs WHERE owner = ? AND status = 'running' AND cancelled IS NOT NULL";
  return (await db.all<{ id: string }>(sql, [owner])).map(({ id }) => id);
}

/** The next process may take over jobs that this one leaves unfinished. */
export async function endLeases(tx: Tx, owner: string, now: string): Promise<void> {
  tx.touch("jobs");
  await tx.run("UPDATE jobs SET lease_until = ? WHERE owner = ? AND status = 'running'", [now, owner]);
}

/** For each kind: when the first queued job is due, and when the first lease ends. */
export function listNextDue(
  db: Reader,
  kinds: readonly string[],
): Promise<{ kind: string; runAt: string | null; lease: string | null }[]> {
  const one = `SELECT CAST(? AS TEXT) AS kind,
    (SELECT MIN(run_at) FROM jobs WHERE kind = ? AND status = 'queued') AS "runAt",
    (SELECT MIN(lease_until) FROM jobs WHERE kind = ? AND status = 'running') AS lease`;
  return db.all(
    kinds.map(() => one).join(" UNION ALL "),
    kinds.flatMap((kind) => [kind, kind, kind]),
  );
}

/** The jobs that other processes hold. */
export function listLeases(
  db: Reader,
  owner: string,
): Promise<{ id: string; kind: string; leaseUntil: string; attempts: number }[]> {
  return db.all(
    `SELECT id, kind, lease_until AS "leaseUntil", attempts FROM jobs WHERE status = 'running' AND owner <> ?`,
    [owner],
  );
}

export interface JobFilter {
  kind?: string | undefined;
  subject?: string | undefined;
  status?: JobStatus | undefined;
}

function where({ kind, subject, status }: JobFilter): { sql: string; params: Value[] } {
  const given = Object.entries({ kind, subject, status }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return { sql: "", params: [] };
  return {
    sql: `WHERE ${given.map(([name]) => `${name} = ?`).join(" AND ")}`,
    params: given.map(([, v]) => v as string),
  };
}

/** A page of any jobs, newest first, and their number: a query on a thread, because there may be many jobs. */
export async function askJobs(
  db: Asked,
  filter: JobFilter,
  { limit, offset, caller }: { limit: number; offset: number; caller: Caller },
): Promise<{ rows: JobRow[]; total: number }> {
  const { sql, params } = where(filter);
  const page = {
    sql: `SELECT ${columns} FROM jobs ${sql} ORDER BY seq DESC LIMIT ? OFFSET ?`,
    params: [...params, limit, offset],
  };
  const count = { sql: `SELECT COUNT(*) AS total FROM jobs ${sql}`, params };
  const wanted = [page, count].map((statement) => ({ attempts: [[statement]], limit: Math.max(1, limit) }));
  const answer = await db.ask({ wanted, caller });
  const [rows = [], totals = []] = answer.rows;
  return { rows: rows as unknown as JobRow[], total: Number(totals[0]?.total ?? 0) };
}

/** Those that have ended, the last one first. */
export function listEndedRows(db: Reader, kind: string, subject: string, limit: number): Promise<JobRow[]> {
  return db.all<JobRow>(
    `SELECT ${columns} FROM jobs WHERE kind = ? AND subject = ? AND finished IS NOT NULL
     ORDER BY finished DESC, seq DESC LIMIT ?`,
    [kind, subject, limit],
  );
}

export type EndedRow = Pick<JobRow, "id" | "subject" | "status" | "started" | "finished" | "error">;

export interface KindState {
  /** Up to `each` of every subject, the last one first. */
  ended: EndedRow[];
  open: { subject: string; status: JobStatus; n: number }[];
}

/** How the jobs of a kind went, by subject: a query on a thread, because it goes through all of them. */
export async function askKindState(
  db: Asked,
  kind: string,
  { each, caller }: { each: number; caller: Caller },
): Promise<KindState> {
  const names = "id, subject, status, started, finished, error";
  const ended = {
    sql: `SELECT ${names} FROM (
       SELECT ${names}, ROW_NUMBER() OVER (PARTITION BY subject ORDER BY finished DESC, seq DESC) AS place
       FROM jobs WHERE kind = ? AND finished IS NOT NULL) AS ranked
     WHERE place <= ? ORDER BY subject, place`,
    params: [kind, each],
  };
  const open = {
    sql: `SELECT subject, status, COUNT(*) AS n FROM jobs WHERE kind = ? AND status IN ('queued', 'running')
     GROUP BY subject, status`,
    params: [kind],
  };
  const wanted = [ended, open].map((statement) => ({ attempts: [[statement]], limit: Number.MAX_SAFE_INTEGER }));
  const [endedRows = [], openRows = []] = (await db.ask({ wanted, caller })).rows;
  return {
    ended: endedRows as unknown as EndedRow[],
    open: (openRows as unknown as KindState["open"]).map((row) => ({ ...row, n: Number(row.n) })),
  };
}

/** In an index of those that wait. */
export async function countWaiting(db: Reader, kind: string, subject: string): Promise<number> {
  const sql = "SELECT COUNT(*) AS n FROM jobs WHERE kind = ? AND subject = ? AND status = 'queued'";
  return (await db.one<{ n: number }>(sql, [kind, subject]))?.n ?? 0;
}

export interface QueueRow {
  kind: string;
  waiting: number;
  running: number;
  /** When the first of those that wait is due. */
  due: string | null;
}

/** One statement for each status: each has an index of its own. */
export async function countQueueRows(db: Reader): Promise<QueueRow[]> {
  const [waiting, running] = await Promise.all([
    db.all<QueueRow>(
      "SELECT kind, COUNT(*) AS waiting, 0 AS running, MIN(run_at) AS due FROM jobs WHERE status = 'queued' GROUP BY kind",
    ),
    db.all<QueueRow>(
      "SELECT kind, 0 AS waiting, COUNT(*) AS running, NULL AS due FROM jobs WHERE status = 'running' GROUP BY kind",
    ),
  ]);
  const rows = new Map(waiting.map((row) => [row.kind, row]));
  for (const row of running) rows.set(row.kind, { ...(rows.get(row.kind) ?? row), running: row.running });
  return [...rows.values()];
}

/** One of the kind that is queued or running. Each status has an index of its own. */
export async function findOpenJob(db: Reader, kind: string): Promise<string | undefined> {
  for (const status of ["running", "queued"]) {
    const sql = `SELECT id FROM jobs WHERE kind = ? AND status = '${status}' LIMIT 1`;
    const found = await db.one<{ id: string }>(sql, [kind]);
    if (found) return found.id;
  }
  return undefined;
}

export function findJobRow(db: Reader, id: string): Promise<JobRow | undefined> {
  return db.one<JobRow>(`SELECT ${columns} FROM jobs WHERE id = ?`, [id]);
}

export function lockJobRow(tx: Tx, id: string): Promise<JobRow | undefined> {
  return tx.one<JobRow>(`SELECT ${columns} FROM jobs WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

/** Removes finished jobs: all of them, or those that ended before a moment. In slices, so that others write between them. */
export async function deleteFinished(storage: Storage, filter: JobFilter & { before?: string }): Promise<number> {
  const { sql, params } = where(filter);
  const { before } = filter;
  const chosen = `${sql ? `${sql} AND` : "WHERE"} status IN ('succeeded', 'failed')`;
  const finished = before === undefined ? "finished IS NOT NULL" : "finished < ?";
  const slice = `DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs ${chosen} AND ${finished} LIMIT ${deletedAtOnce})`;
  const given = before === undefined ? params : [...params, before];
  for (let deleted = 0; ; ) {
    const some = await storage.write(async (tx) => {
      tx.touch("jobs");
      return tx.run(slice, given);
    });
    deleted += some;
    if (some < deletedAtOnce) return deleted;
  }
}

/** Keeps only the newest finished jobs of each subject of a kind. */
export function deleteAllButNewest(tx: Tx, kind: string, subject: string, keep: number): Promise<number> {
  return tx.run(
    `DELETE FROM jobs WHERE kind = ? AND subject = ? AND finished IS NOT NULL AND seq <= COALESCE((
       SELECT seq FROM jobs WHERE kind = ? AND subject = ? AND finished IS NOT NULL ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)`,
    [kind, subject, kind, subject, keep],
  );
}

/** One that was never started. */
export async function deleteQueuedJob(tx: Tx, id: string): Promise<void> {
  tx.touch("jobs");
  await tx.run("DELETE FROM jobs WHERE id = ? AND status = 'queued'", [id]);
}

/** All that is not running. */
export async function deleteJobsOf(tx: Tx, kind: string, subject: string): Promise<void> {
  tx.touch("jobs");
  await tx.run("DELETE FROM jobs WHERE kind = ? AND subject = ? AND status <> 'running'", [kind, subject]);
}

/** At most so many are counted; not those that somebody cancelled. */
export async function countFailedJobs(db: Reader, most: number): Promise<number> {
  const failed = "SELECT 1 FROM jobs WHERE status = 'failed' AND cancelled IS NULL LIMIT ?";
  return (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM (${failed}) AS counted`, [most]))?.n ?? 0;
}

/** The last moment that was taken. */
export async function findSlot(db: Reader, automation: string, trigger: string): Promise<string | undefined> {
  const asked = [automation, trigger];
  const sql = "SELECT slot FROM schedule_slots WHERE automation = ? AND trigger_id = ?";
  return (await db.one<{ slot: string }>(sql, asked))?.slot;
}

/** True for exactly one caller, of all processes, for each moment of a schedule. */
export async function takeSlot(tx: Tx, automation: string, trigger: string, slot: string): Promise<boolean> {
  const changed = await tx.run(
    `INSERT INTO schedule_slots (automation, trigger_id, slot) VALUES (?, ?, ?)
     ON CONFLICT (automation, trigger_id) DO UPDATE SET slot = excluded.slot
     WHERE schedule_slots.slot < excluded.slot`,
    [automation, trigger, slot],
  );
  return changed > 0;
}
