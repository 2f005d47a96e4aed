// Outbound webhooks and the log of their deliveries.

import type { Delivery } from "#contract/webhooks.ts";
import type { Reader, Tx } from "#storage/port.ts";

export interface WebhookRow {
  id: string;
  name: string;
  url: string;
  /** JSON arrays. */
  events: string;
  collections: string;
  /** JSON array of names with encrypted values. */
  headers: string;
  isActive: number;
  /** Encrypted. */
  secret: string;
  previousSecret: string | null;
  previousUntil: string | null;
  failingSince: string | null;
  disabledReason: string | null;
  created: string;
  updated: string;
}

const columns = `id, name, url, events, collections, headers, is_active AS "isActive", secret, previous_secret AS "previousSecret",
  previous_until AS "previousUntil", failing_since AS "failingSince", disabled_reason AS "disabledReason", created, updated`;

export function listWebhookRows(db: Reader): Promise<WebhookRow[]> {
  return db.all<WebhookRow>(`SELECT ${columns} FROM webhooks ORDER BY created, id`);
}

export function findWebhookRow(db: Reader, id: string): Promise<WebhookRow | undefined> {
  return db.one<WebhookRow>(`SELECT ${columns} FROM webhooks WHERE id = ?`, [id]);
}

export function lockWebhookRow(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  return tx.one<WebhookRow>(`SELECT ${columns} FROM webhooks WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

/** Inserts or replaces. */
export async function putWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.run(
    `INSERT INTO webhooks (id, name, url, events, collections, headers, is_active, secret, previous_secret, previous_until,
       failing_since, disabled_reason, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, events = excluded.events,
       collections = excluded.collections, headers = excluded.headers, is_active = excluded.is_active, secret = excluded.secret,
       previous_secret = excluded.previous_secret, previous_until = excluded.previous_until,
       failing_since = excluded.failing_since, disabled_reason = excluded.disabled_reason, updated = excluded.updated`,
    [
      row.id,
      row.name,
      row.url,
      row.events,
      row.collections,
      row.headers,
      row.isActive,
      row.secret,
      row.previousSecret,
      row.previousUntil,
      row.failingSince,
      row.disabledReason,
      row.created,
      row.updated,
    ],
  );
  tx.touch("webhooks");
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<boolean> {
  // Its deliveries are deleted after it: writers of deliveries lock the webhook first.
  const deleted = await tx.run("DELETE FROM webhooks WHERE id = ?", [id]);
  tx.touch("webhooks");
  return deleted > 0;
}

/** With the body as it is sent, which lists do not show. */
export interface DeliveryRow extends Delivery {
  body: string;
}

const deliveryColumns = `id, webhook, event, body, status, attempts, created, next_attempt AS "nextAttempt", finished,
  response_status AS "responseStatus", response, duration_ms AS "durationMs", error`;

export type NewDelivery = Pick<DeliveryRow, "id" | "webhook" | "event" | "body" | "created">;

/** False when the webhook is gone, also by a concurrent transaction. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<boolean> {
  const { id, webhook, event, body, created } = delivery;
  const inserted = await tx.run(
    `INSERT INTO webhook_deliveries (id, webhook, event, body, status, created, next_attempt)
     SELECT CAST(? AS TEXT), id, CAST(? AS TEXT), CAST(? AS TEXT), 'queued', CAST(? AS TEXT), CAST(? AS TEXT)
     FROM webhooks WHERE id = ? ${tx.dialect.forReference}`,
    [id, event, body, created, created, webhook],
  );
  return inserted > 0;
}

export function findDelivery(db: Reader, id: string): Promise<DeliveryRow | undefined> {
  return db.one<DeliveryRow>(`SELECT ${deliveryColumns} FROM webhook_deliveries WHERE id = ?`, [id]);
}

/** Newest first. */
export function listDeliveryRows(
  db: Reader,
  webhook: string,
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  return db.all<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook = ? ORDER BY created DESC, id LIMIT ? OFFSET ?`,
    [webhook, page.limit, page.offset],
  );
}

export async function countDeliveries(db: Reader, webhook: string): Promise<number> {
  const row = await db.one<{ n: number }>("SELECT COUNT(*) AS n FROM webhook_deliveries WHERE webhook = ?", [webhook]);
  return row?.n ?? 0;
}

/** Of all webhooks; at most so many are counted. */
export async function countFailedDeliveries(db: Reader, most: number): Promise<number> {
  const failed = "SELECT 1 FROM webhook_deliveries WHERE status = 'failed' LIMIT ?";
  return (await db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM (${failed}) AS counted`, [most]))?.n ?? 0;
}

export type Attempt = Pick<
  DeliveryRow,
  "status" | "nextAttempt" | "finished" | "responseStatus" | "response" | "durationMs" | "error"
>;

export async function noteDelivery(tx: Tx, id: string, attempt: Attempt): Promise<void> {
  await tx.run(
    `UPDATE webhook_deliveries SET status = ?, attempts = attempts + 1, next_attempt = ?, finished = ?,
       response_status = ?, response = ?, duration_ms = ?, error = ? WHERE id = ?`,
    [
      attempt.status,
      attempt.nextAttempt,
      attempt.finished,
      attempt.responseStatus,
      attempt.response,
      attempt.durationMs,
      attempt.error,
      id,
    ],
  );
}

/** The result of the last attempt stays. */
export async function abandonDelivery(tx: Tx, id: string, { error, finished }: { error: string; finished: string }) {
  await tx.run(
    "UPDATE webhook_deliveries SET status = 'failed', next_attempt = NULL, finished = ?, error = ? WHERE id = ?",
    [finished, error, id],
  );
}

/** As if it had never been tried. */
export async function requeueDelivery(tx: Tx, id: string, now: string): Promise<void> {
  await tx.run(
    "UPDATE webhook_deliveries SET status = 'queued', attempts = 0, next_attempt = ?, finished = NULL WHERE id = ?",
    [now, id],
  );
}

/** Finished ones from before a moment. */
export function deleteOldDeliveries(tx: Tx, webhook: string, before: string): Promise<number> {
  return tx.run("DELETE FROM webhook_deliveries WHERE webhook = ? AND created < ? AND status <> 'queued'", [
    webhook,
    before,
  ]);
}
