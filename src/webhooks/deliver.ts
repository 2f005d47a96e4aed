// One delivery of a webhook: signed, sent to a guarded address, recorded, and retried later when it failed.
// A receiver answers with 2xx; any other answer, a redirect too, is a failure. 410 switches the webhook off.

import { parseDuration } from "#base/durations.ts";
import { CairnError } from "#base/errors.ts";
import { nameSetting } from "#base/net/guarded-fetch.ts";
import { type GuardedAnswer, guardedRequest } from "#base/net/guarded-request.ts";
import { decryptSecret, getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job } from "#jobs/job.ts";
import type { Tx } from "#storage/port.ts";
import {
  type Attempt,
  abandonDelivery,
  type DeliveryRow,
  deleteOldDeliveries,
  findDelivery,
  findWebhookRow,
  lockWebhookRow,
  noteDelivery,
  putWebhook,
  type WebhookRow,
} from "#storage/tables/webhooks.ts";
import { openHeaders } from "./headers.ts";
import { signedHeaders } from "./sign.ts";

export const deliveryKind = "webhook.deliver";

const maxResponse = 2_000;

export async function deliver(app: App, job: Job): Promise<Json> {
  const delivery = await findDelivery(app.storage, String(job.payload.delivery));
  if (delivery?.status !== "queued") return { delivery: "gone" };
  const hook = await findWebhookRow(app.storage, delivery.webhook);
  if (!hook) return { delivery: "gone" };
  if (!hook.isActive) return giveUp(app, delivery.id);
  const attempt = await attemptDelivery(app, hook, delivery);
  return { delivery: delivery.id, status: attempt.status };
}

async function giveUp({ storage, clock }: App, id: string): Promise<Json> {
  await storage.write((tx) =>
    abandonDelivery(tx, id, { error: "The webhook is switched off.", finished: clock.iso() }),
  );
  return { delivery: id, status: "failed" };
}

type Sent = Pick<DeliveryRow, "id" | "webhook" | "body"> & Partial<Pick<DeliveryRow, "attempts">>;

/** Without `attempts`: one attempt only, which does not change the state of the webhook. */
export async function attemptDelivery(app: App, hook: WebhookRow, delivery: Sent): Promise<Attempt> {
  const started = app.clock.now();
  let answer: GuardedAnswer | undefined;
  let error: string | null = null;
  try {
    answer = await post(app, hook, delivery);
    if (answer.status < 200 || answer.status > 299) error = `The receiver answered with status ${answer.status}.`;
  } catch (thrown) {
    if (!(thrown instanceof CairnError)) throw thrown;
    error = thrown.message;
  }
  const now = app.clock.now();
  const nextAttempt = error === null ? null : nextTry(app, delivery.attempts, now);
  const attempt: Attempt = {
    status: error === null ? "delivered" : nextAttempt ? "queued" : "failed",
    nextAttempt,
    finished: nextAttempt ? null : new Date(now).toISOString(),
    responseStatus: answer?.status ?? null,
    response: answer ? excerpt(answer.body) : null,
    durationMs: now - started,
    error,
  };
  return note(app, delivery, { attempt, now });
}

function post(app: App, hook: WebhookRow, { id, body }: Sent): Promise<GuardedAnswer> {
  const { settings, clock } = app;
  const now = clock.now();
  const allowPrivateHosts = settings.get("webhooks.allowPrivateHosts");
  return guardedRequest(hook.url, {
    method: "POST",
    headers: {
      "user-agent": "Cairn",
      ...openHeaders(app, hook.id, hook.headers),
      "content-type": "application/json",
      ...signedHeaders({ id, now, body, secrets: openSecrets(app, hook, now) }),
    },
    body,
    maxRedirects: 0,
    maxBytes: maxResponse,
    timeoutMs: settings.get("webhooks.timeout") * 1_000,
    allowPrivateHosts,
  }).catch((error) => {
    throw allowPrivateHosts ? error : nameSetting(error, "webhooks.allowPrivateHosts");
  });
}

function openSecrets({ settings }: App, hook: WebhookRow, now: number): string[] {
  const isOverlapping = hook.previousUntil !== null && Date.parse(hook.previousUntil) > now;
  const key = getSiteKey(settings.dataDir);
  const secrets = [hook.secret, isOverlapping ? hook.previousSecret : null]
    .map((sealed) => sealed && decryptSecret(key, sealed, `webhook ${hook.id}`))
    .filter((secret): secret is string => Boolean(secret));
  if (secrets.length === 0)
    throw new CairnError("unavailable", "The secret was stored under a different site key. Create a new one.");
  return secrets;
}

function nextTry({ settings }: App, attempts: number | undefined, now: number): string | null {
  const delay = attempts === undefined ? undefined : settings.get("webhooks.retryDelays")[attempts];
  const waitMs = delay === undefined ? undefined : parseDuration(delay);
  return waitMs === undefined ? null : new Date(now + waitMs).toISOString();
}

/** Readable text, without characters that break a database or a terminal. */
function excerpt(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/[^\P{Cc}\n\t]/gu, "");
}

/** What was recorded: no retries once the webhook is off. */
async function note(app: App, delivery: Sent, { attempt, now }: { attempt: Attempt; now: number }): Promise<Attempt> {
  const { settings, storage } = app;
  const keepMs = parseDuration(settings.get("webhooks.keepDeliveries")) ?? 0;
  const oldest = new Date(now - keepMs).toISOString();
  const finished = new Date(now).toISOString();
  return storage.write(async (tx) => {
    const isOff = delivery.attempts !== undefined && (await noteHealth(app, tx, delivery.webhook, attempt));
    const noted: Attempt = isOff ? { ...attempt, status: "failed", nextAttempt: null, finished } : attempt;
    await noteDelivery(tx, delivery.id, noted);
    await deleteOldDeliveries(tx, delivery.webhook, oldest);
    if (noted.nextAttempt !== null) {
      const job = { kind: deliveryKind, subject: delivery.webhook, payload: { delivery: delivery.id } };
      await enqueue(tx, { ...job, runAt: noted.nextAttempt });
    }
    return noted;
  });
}

/**
 * The first success clears a webhook's failures, the first failure starts them; after too long it is switched off.
 * True: it failed, and is off now.
 */
async function noteHealth({ settings, clock }: App, tx: Tx, id: string, attempt: Attempt): Promise<boolean> {
  const hook = await lockWebhookRow(tx, id);
  if (!hook) return true;
  if (attempt.error === null) {
    if (hook.failingSince !== null) await putWebhook(tx, { ...hook, failingSince: null });
    return false;
  }
  const now = clock.now();
  const failingSince = hook.failingSince ?? new Date(now).toISOString();
  const patienceMs = parseDuration(settings.get("webhooks.disableAfter")) ?? 0;
  const isGone = attempt.responseStatus === 410;
  const isOver = isGone || now - Date.parse(failingSince) >= patienceMs;
  const disabledReason = isGone ? "The receiver answered with status 410." : `It has failed since ${failingSince}.`;
  if (isOver && hook.isActive) await putWebhook(tx, { ...hook, failingSince, isActive: 0, disabledReason });
  else if (hook.failingSince === null) await putWebhook(tx, { ...hook, failingSince });
  return isOver || !hook.isActive;
}
