// Durable mail: a row and a job in one transaction, so that no crash loses it; the message is stored encrypted and
// deleted when it is sent. A mail server that is away is retried for hours. When the process dies between sending and
// recording that, the mail is sent twice, with the same Message-ID.
// Mail of the service itself (links to reset a password) is a separate job kind, so that a large batch never delays it.

import { createLru } from "#base/caches/lru.ts";
import { CairnError } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import type { App, Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job } from "#jobs/job.ts";
import type { Tx } from "#storage/port.ts";
import { addToCounter } from "#storage/tables/counters.ts";
import {
  deleteMail,
  deleteOldMails,
  findMail,
  finishMail,
  insertMail,
  type MailRow,
  type NewMail,
  noteAttempt,
  requeueMailRow,
} from "#storage/tables/mails.ts";
import { mailSettings } from "./mail-settings.ts";
import { MailError, type Message, recipientsOf, sendMail } from "./smtp.ts";

const kinds = { service: "mail.service", single: "mail.send", batch: "mail.batch" } as const;
const concurrency = { service: 4, single: 4, batch: 2 } as const;

/** Delays before each retry, in seconds. */
const pauses = [1, 5, 30, 300, 1_800, 7_200, 21_600];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long the log keeps a mail; a batch leaves out objects that were sent it within this time. */
export const keepLogMs = 90 * dayMs;

export interface Composing {
  /** Composes the mails of batches, which are stored without a message. */
  compose(sender: Context, row: MailRow): Promise<Message>;
  /** The sender, with their present rights; fails when they may not send any more. */
  getSender(app: App, author: string | null): Promise<Context>;
}

export function handleMail(app: App, composing: Composing): void {
  for (const group of ["service", "single", "batch"] as const)
    app.jobs.handle(kinds[group], (job) => send(app, job, composing), {
      concurrency: concurrency[group],
      keep: 100,
      // The log of mails has a row for each, and batches are stopped there.
      cancels: "none",
      // Failures of the mail server are handled here; these retries are for a database that is briefly away.
      retriesOnError: true,
    });
}

/** Mail of the service itself. */
export async function queueServiceMail(app: App, message: Message): Promise<void> {
  const mail = serviceMail(app, message);
  await app.storage.write((tx) => queueMail(tx, mail));
}

/** For `queueMail` in a transaction of its sender. */
export function serviceMail(app: App, message: Message): NewMail {
  const mail = { id: uuid(), mailer: "", sentTo: recipientsOf(message).join(", "), created: app.clock.iso() };
  return { ...mail, message: sealMessage(app, mail.id, message) };
}

/** False when the batch already has this mail. */
export async function queueMail(tx: Tx, mail: NewMail): Promise<boolean> {
  if (!(await insertMail(tx, mail))) return false;
  if (mail.status === "skipped") return true;
  await queueJob(tx, mail, mail.scheduledAt);
  return true;
}

/** Sends a mail again that was given up. False when it is queued or sent by now. */
export async function requeueMail(tx: Tx, mail: Pick<MailRow, "id" | "mailer" | "batch" | "author" | "message">) {
  const isQueued = await requeueMailRow(tx, mail.id, mail);
  if (isQueued) await queueJob(tx, mail);
  return isQueued;
}

async function queueJob(tx: Tx, mail: Pick<MailRow, "id" | "mailer"> & Partial<MailRow>, runAt?: string | null) {
  const kind = mail.mailer === "" ? kinds.service : mail.batch ? kinds.batch : kinds.single;
  await enqueue(tx, { kind, subject: mail.mailer, payload: { mail: mail.id }, ...(runAt && { runAt }) });
}

export function sealMessage({ settings }: Pick<App, "settings">, id: string, message: Message): string {
  return encryptSecret(getSiteKey(settings.dataDir), JSON.stringify(message), `mail ${id}`);
}

function openMessage({ settings }: App, { id, message }: MailRow): Message {
  const text = decryptSecret(getSiteKey(settings.dataDir), message ?? "", `mail ${id}`);
  if (text === undefined)
    throw new MailError("The mail cannot be decrypted: it was stored under a different site key.", true);
  return JSON.parse(text) as Message;
}

async function send(app: App, job: Job, { compose, getSender }: Composing): Promise<Json> {
  const row = await findMail(app.storage, String(job.payload.mail));
  if (row?.status !== "queued") return { mail: "gone" };
  const waitMs = row.mailer === "" ? 0 : await takeAllowance(app);
  if (waitMs > 0) return defer(app, row, waitMs);
  let sentTo = row.sentTo;
  try {
    // A message without a sender is the service's own, or was accepted before senders were stored.
    const isServices = row.message !== null && row.author === null;
    const sender = isServices ? undefined : await getSender(app, row.author);
    const message = sender && row.message === null ? await compose(sender, row) : openMessage(app, row);
    sentTo = recipientsOf(message).join(", ");
    await sendMail(mailSettings(app.settings), { ...message, id: row.id });
  } catch (error) {
    return fallBack(app, { ...row, sentTo }, error);
  }
  await finish(app, { ...row, sentTo }, "sent", null);
  return { mail: row.id, status: "sent" };
}

/** A limit was reached: the mail waits for the next hour or day, which is not a failed attempt. */
async function defer(app: App, row: MailRow, waitMs: number): Promise<Json> {
  const runAt = new Date(app.clock.now() + waitMs).toISOString();
  await app.storage.write((tx) => queueJob(tx, row, runAt));
  return { mail: row.id, status: "queued", until: runAt };
}

async function fallBack(app: App, row: MailRow, error: unknown): Promise<Json> {
  if (!(error instanceof MailError) && !(error instanceof CairnError)) throw error;
  const pause = pauses[row.attempts];
  if (error instanceof MailError && !error.isFinal && pause !== undefined) {
    const runAt = new Date(app.clock.now() + pause * 1_000).toISOString();
    await app.storage.write(async (tx) => {
      await noteAttempt(tx, row.id, error.message);
      await queueJob(tx, row, runAt);
    });
    return { mail: row.id, status: "queued", until: runAt };
  }
  logUnsent(app, row, reasonOf(error));
  await finish(app, row, error instanceof CairnError ? "skipped" : "failed", reasonOf(error));
  return { mail: row.id, status: "failed" };
}

/** The most recent batches with a failed mail. */
const toldBatches = createLru<true>(1_000);

/** A batch with a thousand wrong addresses is one warning: the mailer's log has each mail with its reason. */
function logUnsent(app: App, { id, mailer, batch }: MailRow, reason: string): void {
  const isSubscribed = batch !== null && toldBatches.get(batch) === true;
  if (batch !== null) toldBatches.set(batch, true);
  const text =
    batch === null ? "a mail was not sent" : "a mail of a batch was not sent; the mailer's log has all of them";
  app.log[isSubscribed ? "debug" : "warn"]({ mail: id, mailer, ...(batch && { batch }), reason }, text);
}

export function reasonOf(error: MailError | CairnError): string {
  const details = error instanceof CairnError ? Object.entries(error.details ?? {}) : [];
  return [error.message, ...details.map(([property, messages]) => `${property}: ${messages.join(", ")}`)].join(" ");
}

/** Mail of the service is not logged: its recipients are private. */
async function finish(app: App, row: MailRow, status: "sent" | "failed" | "skipped", error: string | null) {
  const now = app.clock.now();
  const finished = new Date(now).toISOString();
  await app.storage.write(async (tx) => {
    if (row.mailer === "") await deleteMail(tx, row.id);
    else await finishMail(tx, row.id, { status, sentTo: row.sentTo, error, finished });
    await deleteOldMails(tx, new Date(now - keepLogMs).toISOString());
  });
}

/** 0: it may be sent now. Exact over all processes: a mail beyond the limit is not counted. */
export async function takeAllowance({ settings, storage, clock }: App): Promise<number> {
  const limits = [
    { name: "mail:hour", limit: settings.get("smtp.maxPerHour"), windowMs: hourMs },
    { name: "mail:day", limit: settings.get("smtp.maxPerDay"), windowMs: dayMs },
  ].filter(({ limit }) => limit > 0);
  if (limits.length === 0) return 0;
  const now = clock.now();
  return storage.write(async (tx) => {
    const counted: typeof limits = [];
    for (const entry of limits) {
      const counter = await addToCounter(tx, entry.name, { amount: 1, now, windowMs: entry.windowMs });
      counted.push(entry);
      if (counter.count <= entry.limit) continue;
      for (const { name, windowMs } of counted) await addToCounter(tx, name, { amount: -1, now, windowMs });
      return Math.max(1, counter.expires - now);
    }
    return 0;
  });
}
