// One mail to each object of a collection: the batch is written as rows in the background. Each mail is composed just
// before it is sent, from the object's state and the sender's rights at that time, and from the texts that were
// accepted. An object that was sent this mail, or is queued for it, is left out unless `resend` is set.

import { requirePro } from "#access/edition.ts";
import { CairnError, fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import { getObject } from "#content/objects/objects.ts";
import { authorOf } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { keepLogMs, queueMail } from "#mail/mail-queue.ts";
import type { Message } from "#mail/smtp.ts";
import {
  type BatchRow,
  cancelBatch,
  countBatch,
  countMails,
  findBatch,
  insertBatch,
  isToldAlready,
  listMails,
  lockBatch,
  type MailRow,
  type MailStatus,
} from "#storage/tables/mails.ts";
import { countDocuments, iterateDocuments } from "#transfer/export.ts";
import { composeMail, textsOf } from "./compose.ts";
import { allowMailer, getActive, getMailer, getSender, maySend, readAddress, readBody, readTime } from "./mailer.ts";

const kind = "mail.bulk";
const maxIds = 10_000;
const shownMails = 3;
const hadIt = "left out: it was sent this mail within 90 days, or is queued for it";

interface Bulk {
  mailer: string;
  collection: string;
  include: string;
  exclude: string;
  /** Only these; empty: all objects that match the filters. */
  ids: string[];
  overrideTo: string | null;
  scheduledAt: string | null;
  /** Also to objects that were sent it before. */
  resend: boolean;
}

export function handleBulkMail(app: App): void {
  app.jobs.handle(kind, (job, run) => writeBatch(app, job, run), { concurrency: 1 });
}

/** The number of recipients, and the first of them. */
export async function previewBulk(ctx: Context, id: string, body: Json): Promise<{ total: number; mails: Json[] }> {
  allowMailer(ctx, "read");
  const bulk = await readBulk(ctx, id, body);
  const mailer = await getMailer(ctx, id);
  const mails: Json[] = [];
  for await (const objects of targetsOf(ctx, bulk)) {
    for (const id of objects.slice(0, shownMails - mails.length)) {
      const data = JSON.parse((await getObject(ctx, bulk.collection, id)).text) as JsonObject;
      const message = await composeMail(ctx, mailer, { data, user: {}, overrideTo: bulk.overrideTo ?? undefined });
      mails.push({ object: id, to: message.to as string[], subject: message.subject });
    }
    if (mails.length >= shownMails) break;
  }
  return { total: await countTargets(ctx, bulk), mails };
}

/** A job writes the mails; `total` is the present number of objects. */
export async function sendBulk(ctx: Context, id: string, body: Json): Promise<{ batch: string; total: number }> {
  allowMailer(ctx, "update");
  requirePro(ctx, "Mails to whole collections");
  const bulk = await readBulk(ctx, id, body);
  const mailer = await getActive(ctx, id);
  const total = await countTargets(ctx, bulk);
  const batch = uuid();
  const payload = { ...bulk, batch } as unknown as JsonObject;
  await ctx.storage.write(async (tx) => {
    const { collection } = bulk;
    const texts = JSON.stringify(textsOf(mailer));
    const sealed = encryptSecret(getSiteKey(ctx.settings.dataDir), texts, `batch ${batch}`);
    const author = JSON.stringify(authorOf(ctx));
    await insertBatch(tx, { id: batch, mailer: id, collection, total, created: ctx.clock.iso(), author, sealed });
    await enqueue(tx, { kind, key: batch, subject: id, payload });
  });
  return { batch, total };
}

/** May run again after a crash: no object gets a mail of the batch twice. */
async function writeBatch(app: App, { payload }: Job, run: JobRun): Promise<Json> {
  const { batch, ...bulk } = payload as unknown as Bulk & { batch: string };
  const stored = await findBatch(app.storage, batch);
  try {
    return await writeMails(await getSender(app, stored?.author ?? null), { batch, bulk, stored, run });
  } catch (error) {
    // Without the sender's right the batch is given up; mails that were written are checked the same way.
    if (!(error instanceof CairnError) || error.status >= 500) throw error;
    await app.storage.write((tx) => cancelBatch(tx, batch, app.clock.iso(), error.message));
    throw error;
  }
}

interface BatchWork {
  batch: string;
  bulk: Bulk;
  stored: BatchRow | undefined;
  run: JobRun;
}

async function writeMails(ctx: Context, { batch, bulk, stored, run }: BatchWork): Promise<Json> {
  const { overrideTo, scheduledAt } = bulk;
  // A trial shows the whole batch.
  const isForAll = bulk.resend || overrideTo !== null;
  const { author = null, total = 0 } = stored ?? {};
  const since = new Date(ctx.clock.now() - keepLogMs).toISOString();
  let seen = 0;
  let queued = 0;
  for await (const objects of targetsOf(ctx, bulk)) {
    run.signal.throwIfAborted();
    queued += await ctx.storage.write(async (tx) => {
      let added = 0;
      if ((await lockBatch(tx, batch, bulk.mailer))?.isCancelled) return 0;
      for (const objectId of objects) {
        const about = { mailer: bulk.mailer, collection: bulk.collection, objectId };
        const created = ctx.clock.iso();
        const mail = { ...about, id: uuid(), batch, overrideTo, scheduledAt, author, sentTo: "", created };
        const isLeftOut = !isForAll && (await isToldAlready(tx, about, since));
        if (isLeftOut) await queueMail(tx, { ...mail, status: "skipped", error: hadIt, finished: created });
        else if (await queueMail(tx, mail)) added += 1;
      }
      return added;
    });
    seen += objects.length;
    run.progress(seen, Math.max(seen, total));
  }
  return { batch, queued, skipped: seen - queued };
}

/** A mail of a batch, from the object's present state; its mailer must exist and be active. */
export async function composeOfBatch(ctx: Context, row: MailRow): Promise<Message> {
  await getActive(ctx, row.mailer);
  const object = await getObject(ctx, row.collection ?? "", row.objectId ?? "");
  const data = JSON.parse(object.text) as JsonObject;
  return composeMail(ctx, await openTexts(ctx, row.batch ?? ""), {
    ...{ data, user: {}, overrideTo: row.overrideTo ?? undefined },
  });
}

/** The texts from when the batch was accepted. */
async function openTexts({ storage, settings }: Context, batch: string): Promise<JsonObject> {
  const sealed = (await findBatch(storage, batch))?.sealed ?? "";
  const text = decryptSecret(getSiteKey(settings.dataDir), sealed, `batch ${batch}`);
  if (text === undefined) fail("invalid", "The texts of this batch cannot be decrypted any more. Send it again.");
  return JSON.parse(text) as JsonObject;
}

/** Ids of objects, in batches. */
function targetsOf(ctx: Context, bulk: Bulk): AsyncIterable<string[]> {
  return bulk.ids.length > 0 ? byIds(bulk.ids) : byFilter(ctx, bulk);
}

async function* byIds(ids: string[]): AsyncIterable<string[]> {
  for (let at = 0; at < ids.length; at += 100) yield ids.slice(at, at + 100);
}

async function* byFilter(ctx: Context, { collection, include, exclude }: Bulk): AsyncIterable<string[]> {
  for await (const texts of await iterateDocuments(ctx, collection, { include, exclude }))
    yield texts.map((text) => String((JSON.parse(text) as JsonObject).id));
}

function countTargets(ctx: Context, { collection, include, exclude, ids }: Bulk): Promise<number> | number {
  return ids.length > 0 ? ids.length : countDocuments(ctx, collection, { include, exclude });
}

/** Values that the request leaves out come from the mailer. */
async function readBulk(ctx: Context, id: string, body: Json): Promise<Bulk> {
  const sent = readBody(body);
  const mailer = await getMailer(ctx, id);
  const text = (name: string, own: string) => {
    const value = sent[name] ?? mailer[own] ?? "";
    return typeof value === "string" ? value : fail("invalid", undefined, { [name]: ["must be text"] });
  };
  const collection = text("collection", "bulkCollection");
  if (collection === "") fail("invalid", undefined, { collection: ["is required"] });
  const ids = sent.ids ?? [];
  if (!Array.isArray(ids) || ids.length > maxIds || !ids.every((one) => typeof one === "string"))
    fail("invalid", undefined, { ids: [`must be a list of at most ${maxIds} ids`] });
  const bulk = {
    mailer: id,
    collection,
    include: text("include", "bulkInclude"),
    exclude: text("exclude", "bulkExclude"),
    ids: [...new Set(ids as string[])],
    overrideTo: readAddress(sent, "overrideTo") ?? null,
    scheduledAt: readTime(sent, "scheduledAt"),
    resend: sent.resend === true,
  };
  // The sender must be allowed to read the objects; this also checks the filters.
  await countDocuments(ctx, collection, { include: bulk.include, exclude: bulk.exclude });
  return bulk;
}

export type Batch = { batch: string; mailer: string; collection: string; total: number; isCancelled: boolean } & Record<
  MailStatus,
  number
>;

export async function getBatch(ctx: Context, id: string): Promise<Batch> {
  allowMailer(ctx, "read");
  const { mailer, collection, total, isCancelled } = (await findBatch(ctx.storage, id)) ?? noBatch(id);
  const counts = await countBatch(ctx.storage, id);
  return { batch: id, mailer, collection, total, isCancelled: isCancelled === 1, ...counts };
}

/** Cancels the mails that are not sent yet. */
export async function cancelBulk(ctx: Context, id: string): Promise<Batch & { cancelled: number }> {
  allowMailer(ctx, "update");
  if (!(await findBatch(ctx.storage, id))) noBatch(id);
  const cancelled = await ctx.storage.write((tx) => cancelBatch(tx, id, ctx.clock.iso()));
  return { ...(await getBatch(ctx, id)), cancelled };
}

function noBatch(id: string): never {
  fail("not-found", `There is no batch "${id.slice(0, 100)}".`);
}

export interface MailEntry {
  id: string;
  mailer: string;
  batch: string | null;
  collection: string | null;
  object: string | null;
  to: string;
  status: MailStatus;
  attempts: number;
  error: string | null;
  created: string;
  scheduledAt: string | null;
  finished: string | null;
}

export interface MailLogQuery {
  mailer?: string | undefined;
  batch?: string | undefined;
  status?: string | undefined;
  limit: number;
  offset: number;
}

/** Sent mails, newest first. */
export async function listMailLog(ctx: Context, query: MailLogQuery): Promise<{ mails: MailEntry[]; total: number }> {
  allowMailer(ctx, "read");
  const { limit, offset, ...filter } = query;
  const rows = await listMails(ctx.storage, filter, { limit, offset });
  const isSubscribed = maySend(ctx);
  return { mails: rows.map((row) => presentMail(row, isSubscribed)), total: await countMails(ctx.storage, filter) };
}

/** Recipients are shown only to callers that may send. */
function presentMail(row: MailRow, isSubscribed: boolean): MailEntry {
  const { id, mailer, batch, collection, sentTo, status, attempts, error, created, scheduledAt, finished } = row;
  const times = { created, scheduledAt, finished };
  return {
    id,
    mailer,
    batch,
    collection,
    object: row.objectId,
    to: isSubscribed ? sentTo : "",
    status,
    attempts,
    error,
    ...times,
  };
}
