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
import type { BulkLook, BulkMail, BulkPreview, MailBatch } from "#contract/mail.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { keepLogMs, queueMail, reasonOf } from "#mail/mail-queue.ts";
import type { Message } from "#mail/smtp.ts";
import {
  type BatchRow,
  cancelBatch,
  countBatch,
  countBatches,
  findBatch,
  findBatchTime,
  insertBatch,
  isToldAlready,
  listBatchRows,
  listTold,
  lockBatch,
  type MailRow,
} from "#storage/tables/mails.ts";
import { countDocuments, iterateDocuments } from "#transfer/export.ts";
import { composeMail, textsOf } from "./compose.ts";
import { allowMailer, getActive, getMailer, getSender, readAddress, readBody, readTime } from "./mailer.ts";

const kind = "mail.bulk";
const maxIds = 10_000;
const shownMails = 3;
/** Objects that a look compares with the log, composes mails of, and names as left out. */
const looks = { compared: 10_000, composed: 20, named: 50 } as const;
export const hadIt = "left out: it was sent this mail within 90 days, or is queued for it";

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

/** The number of recipients, and the first of them; with `look` also what becomes of the others. */
export async function previewBulk(ctx: Context, id: string, body: Json): Promise<BulkPreview> {
  allowMailer(ctx, "read");
  const bulk = await readBulk(ctx, id, body);
  const total = await countTargets(ctx, bulk);
  if (readBody(body).look === true) return { total, ...(await lookAtBulk(ctx, bulk)) };
  const mailer = await getMailer(ctx, id);
  const mails: BulkMail[] = [];
  for await (const objects of targetsOf(ctx, bulk)) {
    for (const object of objects.slice(0, shownMails - mails.length))
      mails.push(await composeTarget(ctx, { mailer, bulk, object }));
    if (mails.length >= shownMails) break;
  }
  return { total, mails };
}

interface Target {
  mailer: JsonObject;
  bulk: Bulk;
  object: string;
}

async function composeTarget(ctx: Context, { mailer, bulk, object }: Target): Promise<BulkMail> {
  const data = JSON.parse((await getObject(ctx, bulk.collection, object)).text) as JsonObject;
  const message = await composeMail(ctx, mailer, { data, user: {}, overrideTo: bulk.overrideTo ?? undefined });
  return { object, to: message.to as string[], subject: message.subject };
}

/** An object whose mail cannot be composed is left out with the reason, as in the batch. */
async function lookAtBulk(ctx: Context, bulk: Bulk): Promise<{ mails: BulkMail[]; look: BulkLook }> {
  const mailer = await getMailer(ctx, bulk.mailer);
  const mails: BulkMail[] = [];
  const look: BulkLook = { compared: 0, had: 0, composed: 0, unfit: 0, leftOut: [] };
  const leaveOut = (object: string, reason: string) => {
    if (look.leftOut.length < looks.named) look.leftOut.push({ object, reason });
  };
  for await (const objects of targetsOf(ctx, bulk)) {
    const some = objects.slice(0, looks.compared - look.compared);
    const told = await findTold(ctx, bulk, some);
    look.compared += some.length;
    look.had += told.size;
    for (const object of told) leaveOut(object, hadIt);
    for (const object of some.filter((one) => !told.has(one)).slice(0, looks.composed - look.composed)) {
      look.composed += 1;
      try {
        const mail = await composeTarget(ctx, { mailer, bulk, object });
        if (mails.length < shownMails) mails.push(mail);
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        look.unfit += 1;
        leaveOut(object, reasonOf(error));
      }
    }
    if (look.compared >= looks.compared) break;
  }
  return { mails, look };
}

async function findTold(ctx: Context, bulk: Bulk, objects: string[]): Promise<Set<string>> {
  if (isForAll(bulk) || objects.length === 0) return new Set();
  return listTold(ctx.storage, { ...bulk, since: sinceWhen(ctx) }, objects);
}

/** A trial shows the whole batch. */
function isForAll({ resend, overrideTo }: Bulk): boolean {
  return resend || overrideTo !== null;
}

function sinceWhen({ clock }: Context): string {
  return new Date(clock.now() - keepLogMs).toISOString();
}

/** A job writes the mails; `total` is the present number of objects. */
export async function sendBulk(ctx: Context, id: string, body: Json): Promise<{ batch: string; total: number }> {
  allowMailer(ctx, "update");
  requirePro(ctx, "Mails to whole collections");
  const bulk = await readBulk(ctx, id, body);
  const mailer = await getActive(ctx, id);
  const total = await countTargets(ctx, bulk);
  checkNumber(readBody(body).expect, total);
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

/** The number that somebody was shown before they sent it. */
function checkNumber(expected: Json | undefined, total: number): void {
  if (expected === undefined || expected === null) return;
  if (typeof expected !== "number") fail("invalid", undefined, { expect: ["must be a number"] });
  if (expected !== total)
    fail("precondition-failed", `${total} objects match by now, and not ${expected}. Count again.`, {
      expect: [String(total)],
    });
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
  const { author = null, total = 0 } = stored ?? {};
  const since = sinceWhen(ctx);
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
        const isLeftOut = !isForAll(bulk) && (await isToldAlready(tx, about, since));
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

export async function getBatch(ctx: Context, id: string): Promise<MailBatch> {
  allowMailer(ctx, "read");
  return presentBatch(ctx, (await findBatch(ctx.storage, id)) ?? noBatch(id));
}

/** Newest first. */
export async function listBatches(
  ctx: Context,
  query: { mailer?: string | undefined; limit: number; offset: number },
): Promise<{ batches: MailBatch[]; total: number }> {
  allowMailer(ctx, "read");
  const rows = await listBatchRows(ctx.storage, query);
  const batches: MailBatch[] = [];
  for (const row of rows) batches.push(await presentBatch(ctx, row));
  return { batches, total: await countBatches(ctx.storage, query.mailer) };
}

async function presentBatch({ storage }: Context, row: BatchRow): Promise<MailBatch> {
  const { id, mailer, collection, total, isCancelled, created } = row;
  const [counts, scheduledAt] = [await countBatch(storage, id), await findBatchTime(storage, id)];
  return { batch: id, mailer, collection, total, isCancelled: isCancelled === 1, created, scheduledAt, ...counts };
}

/** Cancels the mails that are not sent yet. */
export async function cancelBulk(ctx: Context, id: string): Promise<MailBatch & { cancelled: number }> {
  allowMailer(ctx, "update");
  if (!(await findBatch(ctx.storage, id))) noBatch(id);
  const cancelled = await ctx.storage.write((tx) => cancelBatch(tx, id, ctx.clock.iso()));
  return { ...(await getBatch(ctx, id)), cancelled };
}

function noBatch(id: string): never {
  fail("not-found", `There is no batch "${id.slice(0, 100)}".`);
}
