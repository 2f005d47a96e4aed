// The log of sent mails; a mail that was given up can be sent again, by a new sender with their own rights.

import { fail } from "#base/errors.ts";
import { authorOf } from "#content/on-behalf.ts";
import type { Context } from "#context.ts";
import type { MailEntry } from "#contract/mail.ts";
import { keepLogMs, requeueMail, sealMessage } from "#mail/mail-queue.ts";
import { countMails, findMail, isToldAlready, listMails, type MailRow } from "#storage/tables/mails.ts";
import { composeOfBatch, hadIt } from "./bulk.ts";
import { allowMailer, composeActive, findObjectOf, getActive, maySend, userOf } from "./mailer.ts";

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
  const isSender = maySend(ctx);
  return { mails: rows.map((row) => presentMail(row, isSender)), total: await countMails(ctx.storage, filter) };
}

/** Composed from the present state of its object; errors are reported at once, and nothing changes. */
export async function retryMail(ctx: Context, id: string): Promise<MailEntry> {
  allowMailer(ctx, "update");
  const row = await findMail(ctx.storage, id);
  if (row === undefined || row.mailer === "") fail("not-found", `There is no mail "${id.slice(0, 100)}" in the log.`);
  const problem = findObstacle(row);
  if (problem) fail("invalid", problem);
  await getActive(ctx, row.mailer);
  const message = row.batch === null ? await composeAgain(ctx, row) : await checkMailOfBatch(ctx, row);
  const author = JSON.stringify(authorOf(ctx));
  await ctx.storage.write(async (tx) => {
    const since = new Date(ctx.clock.now() - keepLogMs).toISOString();
    if (row.overrideTo === null && (await isToldAlready(tx, row, since)))
      fail("invalid", "The object was sent this mail by now, or is queued for it.");
    if (!(await requeueMail(tx, { ...row, author, message }))) fail("invalid", "The mail is queued or sent by now.");
  });
  return presentMail((await findMail(ctx.storage, id)) ?? row, true);
}

/** The texts of the batch are used when it is sent; here they are only tried. */
async function checkMailOfBatch(ctx: Context, row: MailRow): Promise<null> {
  await composeOfBatch(ctx, row);
  return null;
}

async function composeAgain(ctx: Context, row: MailRow): Promise<string> {
  const data = await findObjectOf(ctx, { collection: row.collection, object: row.objectId });
  const message = await composeActive(ctx, row.mailer, { data, user: await userOf(ctx) });
  return sealMessage(ctx, row.id, message);
}

/** Why it cannot be sent again. */
function findObstacle({ status, error, collection, objectId, batch }: MailRow): string | undefined {
  if (status === "queued" || status === "sent") return "Only a mail that failed or was left out can be sent again.";
  if (collection === null || objectId === null)
    return "The text of this mail is not kept, and it is about no object. Send a new mail.";
  if (error === hadIt) return "The object was sent this mail before. Send a batch with `resend` to send it once more.";
  return batch !== null && error === "cancelled" ? "The batch of this mail was stopped. Send a new batch." : undefined;
}

/** Recipients are shown only to callers that may send. */
function presentMail(row: MailRow, isSender: boolean): MailEntry {
  const { id, mailer, batch, collection, sentTo, status, attempts, error, created, scheduledAt, finished } = row;
  return {
    ...{ id, mailer, batch, collection, object: row.objectId, to: isSender ? sentTo : "" },
    ...{ status, attempts, error, created, scheduledAt, finished },
    canRetry: isSender && findObstacle(row) === undefined,
  };
}
