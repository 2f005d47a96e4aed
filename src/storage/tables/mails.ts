// Waiting mail, and the log of sent and failed mail. The text of a waiting mail is stored encrypted.

import type { MailStatus } from "#contract/mail.ts";
import type { Reader, Tx, Value } from "#storage/port.ts";

export interface MailRow {
  id: string;
  mailer: string;
  batch: string | null;
  collection: string | null;
  objectId: string | null;
  overrideTo: string | null;
  sentTo: string;
  /** Encrypted. */
  message: string | null;
  status: MailStatus;
  attempts: number;
  error: string | null;
  created: string;
  scheduledAt: string | null;
  finished: string | null;
  /** The sender, as JSON; null for mail of the service itself, and for mail from before senders were stored. */
  author: string | null;
}

export type NewMail = Pick<MailRow, "id" | "mailer" | "sentTo" | "created"> &
  Partial<Pick<MailRow, "batch" | "collection" | "objectId" | "overrideTo" | "message" | "scheduledAt" | "author">> &
  Partial<Pick<MailRow, "status" | "error" | "finished">>;

const columns = `id, mailer, batch, collection, object_id AS "objectId", override_to AS "overrideTo", sent_to AS "sentTo",
  message, status, attempts, error, created, scheduled_at AS "scheduledAt", finished, author`;

/** False when the batch has a mail about this object already. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<boolean> {
  const inserted = await tx.run(
    `INSERT INTO mails (id, mailer, batch, collection, object_id, override_to, sent_to, message, status, error, created,
       scheduled_at, finished, author)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (batch, collection, object_id) WHERE batch IS NOT NULL DO NOTHING`,
    [
      mail.id,
      mail.mailer,
      mail.batch ?? null,
      mail.collection ?? null,
      mail.objectId ?? null,
      mail.overrideTo ?? null,
      mail.sentTo,
      mail.message ?? null,
      mail.status ?? "queued",
      mail.error ?? null,
      mail.created,
      mail.scheduledAt ?? null,
      mail.finished ?? null,
      mail.author ?? null,
    ],
  );
  return inserted > 0;
}

export function findMail(db: Reader, id: string): Promise<MailRow | undefined> {
  return db.one<MailRow>(`SELECT ${columns} FROM mails WHERE id = ?`, [id]);
}

/** Whether this mailer was sent about the object since then, or is queued; mail to an override address was a trial. */
export async function isToldAlready(
  db: Reader,
  { mailer, collection, objectId }: Partial<MailRow>,
  since: string,
): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS found FROM mails WHERE mailer = ? AND collection = ? AND object_id = ? AND override_to IS NULL
       AND (status = 'queued' OR (status = 'sent' AND finished >= ?)) LIMIT 1`,
    [mailer ?? "", collection ?? "", objectId ?? "", since],
  );
  return row !== undefined;
}

/** As isToldAlready, of many objects: those that are. */
export async function listTold(
  db: Reader,
  { mailer, collection, since }: { mailer: string; collection: string; since: string },
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.all<{ id: string }>(
    `SELECT DISTINCT object_id AS id FROM mails WHERE mailer = ? AND collection = ?
       AND object_id IN (${ids.map(() => "?").join(", ")}) AND override_to IS NULL
       AND (status = 'queued' OR (status = 'sent' AND finished >= ?))`,
    [mailer, collection, ...ids, since],
  );
  return new Set(rows.map(({ id }) => id));
}

/** As if it had never been tried, by a new sender. False when it is queued or sent by now. */
export async function requeueMailRow(
  tx: Tx,
  id: string,
  { author, message }: Pick<MailRow, "author" | "message">,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE mails SET status = 'queued', attempts = 0, error = NULL, finished = NULL, scheduled_at = NULL, author = ?,
       message = ? WHERE id = ? AND status IN ('failed', 'skipped')`,
    [author, message, id],
  );
  return changed > 0;
}

export async function noteAttempt(tx: Tx, id: string, error: string): Promise<void> {
  await tx.run("UPDATE mails SET attempts = attempts + 1, error = ? WHERE id = ?", [error, id]);
}

export interface MailEnd {
  status: Exclude<MailStatus, "queued">;
  sentTo: string;
  error: string | null;
  finished: string;
}

/** The text is deleted. */
export async function finishMail(tx: Tx, id: string, { status, sentTo, error, finished }: MailEnd): Promise<void> {
  await tx.run(
    `UPDATE mails SET status = ?, sent_to = ?, error = ?, finished = ?, attempts = attempts + 1, message = NULL
     WHERE id = ? AND status = 'queued'`,
    [status, sentTo, error, finished, id],
  );
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM mails WHERE id = ?", [id]);
}

export interface BatchRow {
  id: string;
  mailer: string;
  collection: string;
  total: number;
  isCancelled: number;
  created: string;
  /** The sender, as JSON. */
  author: string | null;
  /** Its texts as they were accepted, encrypted. */
  sealed: string | null;
}

export async function insertBatch(tx: Tx, batch: Omit<BatchRow, "isCancelled">): Promise<void> {
  const { id, mailer, collection, total, created, author, sealed } = batch;
  await tx.run(
    "INSERT INTO mail_batches (id, mailer, collection, total, created, author, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [id, mailer, collection, total, created, author, sealed],
  );
}

const batchColumns = `id, mailer, collection, total, is_cancelled AS "isCancelled", created, author, sealed`;

export function findBatch(db: Reader, id: string): Promise<BatchRow | undefined> {
  return db.one<BatchRow>(`SELECT ${batchColumns} FROM mail_batches WHERE id = ?`, [id]);
}

/** Newest first. */
export function listBatchRows(
  db: Reader,
  { mailer, limit, offset }: { mailer?: string | undefined; limit: number; offset: number },
): Promise<BatchRow[]> {
  const [filter, params] = mailer === undefined ? ["", []] : ["WHERE mailer = ?", [mailer]];
  return db.all<BatchRow>(
    `SELECT ${batchColumns} FROM mail_batches ${filter} ORDER BY created DESC, id LIMIT ? OFFSET ?`,
    [...params, limit, offset],
  );
}

export async function countBatches(db: Reader, mailer?: string): Promise<number> {
  const filter = mailer === undefined ? "" : " WHERE mailer = ?";
  const params = mailer === undefined ? [] : [mailer];
  return (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM mail_batches${filter}`, params))?.n ?? 0;
}

/**
 * As findBatch, and until the transaction ends nobody cancels it, or adds to any other batch of the mailer: who has had a
 * mail is asked of the rows of all of them. The mailer's oldest batch stands for the mailer.
 */
export async function lockBatch(tx: Tx, id: string, mailer: string): Promise<BatchRow | undefined> {
  const rows = await tx.all<BatchRow>(
    `SELECT ${batchColumns} FROM mail_batches
     WHERE id = ? OR id = (SELECT id FROM mail_batches WHERE mailer = ? ORDER BY created, id LIMIT 1)
     ORDER BY created, id ${tx.dialect.forUpdate}`,
    [id, mailer],
  );
  return rows.find((row) => row.id === id);
}

/** Skips the waiting mails and adds no more; returns their number. */
export async function cancelBatch(tx: Tx, batch: string, now: string, reason = "cancelled"): Promise<number> {
  await tx.run("UPDATE mail_batches SET is_cancelled = 1 WHERE id = ?", [batch]);
  return tx.run("UPDATE mails SET status = 'skipped', error = ?, finished = ? WHERE batch = ? AND status = 'queued'", [
    ...[reason, now, batch],
  ]);
}

export async function countBatch(db: Reader, batch: string): Promise<Record<MailStatus, number>> {
  const counts: Record<MailStatus, number> = { queued: 0, sent: 0, failed: 0, skipped: 0 };
  const rows = await db.all<{ status: MailStatus; n: number }>(
    "SELECT status, COUNT(*) AS n FROM mails WHERE batch = ? GROUP BY status",
    [batch],
  );
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}

/** When the first mail that waits is due, if it waits for a time. */
export async function findBatchTime(db: Reader, batch: string): Promise<string | null> {
  const sql = "SELECT MIN(scheduled_at) AS at FROM mails WHERE batch = ? AND status = 'queued'";
  return (await db.one<{ at: string | null }>(sql, [batch]))?.at ?? null;
}

export interface MailFilter {
  mailer?: string | undefined;
  batch?: string | undefined;
  status?: string | undefined;
}

/** The log of mails that editors compose, newest first. */
export function listMails(db: Reader, filter: MailFilter, page: { limit: number; offset: number }): Promise<MailRow[]> {
  const { sql, params } = where(filter);
  return db.all<MailRow>(`SELECT ${columns} FROM mails ${sql} ORDER BY created DESC, id LIMIT ? OFFSET ?`, [
    ...params,
    page.limit,
    page.offset,
  ]);
}

export async function countMails(db: Reader, filter: MailFilter): Promise<number> {
  const { sql, params } = where(filter);
  return (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM mails ${sql}`, params))?.n ?? 0;
}

function where({ mailer, batch, status }: MailFilter): { sql: string; params: Value[] } {
  const given = Object.entries({ mailer, batch, status }).filter(([, value]) => value !== undefined);
  const conditions = ["mailer <> ''", ...given.map(([name]) => `${name} = ?`)];
  return { sql: `WHERE ${conditions.join(" AND ")}`, params: given.map(([, value]) => value as string) };
}

/** With the batches of which nothing is left. */
export async function deleteOldMails(tx: Tx, before: string): Promise<void> {
  const old = [before, before];
  await tx.run("DELETE FROM mails WHERE created < ? AND status <> 'queued' AND finished < ?", old);
  await tx.run(
    `DELETE FROM mail_batches WHERE created < ?
       AND NOT EXISTS (SELECT 1 FROM mails WHERE mails.batch = mail_batches.id)`,
    [before],
  );
}
