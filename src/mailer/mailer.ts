// The mailer: objects of the collection `mailer` are templates; here they are previewed, tested and sent.
// Senders need the group switch `mailer` and the right to change mailers; public operations of the collection do not
// count, so no caller sends anonymously.

import { findAccount } from "#access/accounts.ts";
import type { Author } from "#access/actor.ts";
import { allow, isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { getObject } from "#content/objects/objects.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { queueMail, sealMessage, takeAllowance } from "#mail/mail-queue.ts";
import { mailSettings } from "#mail/mail-settings.ts";
import { findMailProblem, isAddress, MailError, type Message, recipientsOf, sendMail } from "#mail/smtp.ts";
import { composeMail, type MailData } from "./compose.ts";

export const mailerCollection = "mailer";

export interface QueuedMail {
  id: string;
  status: "queued";
  to: string[];
  subject: string;
  scheduledAt: string | null;
}

const subject = { kind: "objects", collection: mailerCollection, publicOperations: [] } as const;

export function allowMailer(ctx: Context, operation: Operation): void {
  allow(ctx, operation, subject);
}

export function maySend({ actor }: Pick<Context, "actor">): boolean {
  return isAllowed(actor, "update", subject);
}

/** A preview; nothing is sent. */
export async function previewMail(ctx: Context, id: string, body: Json): Promise<Message> {
  allowMailer(ctx, "read");
  const { data } = await readRequest(ctx, body);
  return composeMail(ctx, await getMailer(ctx, id), { data, user: await userOf(ctx) });
}

/** Composed now, so that errors are reported at once; sent in the background, or at its time. */
export async function sendMailer(ctx: Context, id: string, body: Json): Promise<QueuedMail> {
  allowMailer(ctx, "update");
  const { data, scheduledAt, about } = await readRequest(ctx, body);
  const message = await composeActive(ctx, id, { data, user: await userOf(ctx) });
  const mail = { id: uuid(), mailer: id, sentTo: recipientsOf(message).join(", "), created: ctx.clock.iso() };
  const author = JSON.stringify(authorOf(ctx));
  const row = { ...mail, ...about, scheduledAt, author, message: sealMessage(ctx, mail.id, message) };
  await ctx.storage.write((tx) => queueMail(tx, row));
  return { id: mail.id, status: "queued", to: [message.to].flat() as string[], subject: message.subject, scheduledAt };
}

/** Sent at once to one address, active or not; the caller waits for the mail server's answer. */
export async function testMailer(ctx: Context, id: string, body: Json): Promise<{ to: string; subject: string }> {
  allowMailer(ctx, "update");
  const { data } = await readRequest(ctx, body);
  const to = readAddress(body, "to") ?? fail("invalid", "A test needs an address.", { to: ["is required"] });
  const mailer = await getMailer(ctx, id);
  checkMail(ctx);
  const message = await composeMail(ctx, mailer, { data, user: await userOf(ctx), overrideTo: to });
  await sendNow(ctx, message);
  return { to, subject: message.subject };
}

/** Waits for the mail server. Callers check the right to send; `explain` words a failure for them. */
export async function sendNow(
  ctx: Context,
  message: Message,
  explain = (error: MailError): string => error.message,
): Promise<void> {
  if ((await takeAllowance(ctx)) > 0) fail("rate-limited", "The limit of mails is reached. Try again later.");
  try {
    await sendMail(mailSettings(ctx.settings), message);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    fail("unavailable", explain(error));
  }
}

/** Fails when mail is not configured. */
export function checkMail({ settings }: Context): void {
  const problem = findMailProblem(mailSettings(settings));
  if (problem) fail("unavailable", problem);
}

export async function composeActive(ctx: Context, id: string, mail: MailData): Promise<Message> {
  return composeMail(ctx, await getActive(ctx, id), mail);
}

export async function getActive(ctx: Context, id: string): Promise<JsonObject> {
  const mailer = await getMailer(ctx, id);
  checkMail(ctx);
  if (mailer.active === false) fail("invalid", "This mail is not active.", { active: ["is off"] });
  return mailer;
}

/** The sender of a mail, with their present rights. Fails when they may not send any more. */
export async function getSender(app: App, stored: string | null): Promise<Context> {
  const author = stored === null ? undefined : (JSON.parse(stored) as Author);
  const ctx = author && (await findOnBehalf(app, author));
  if (ctx && maySend(ctx)) return ctx;
  const who = author ? `${nameOfAuthor(author)}, who sent this mail,` : "The sender of this mail is unknown and";
  return fail("forbidden", `${who} may not send mail any more. Send it again.`);
}

export async function getMailer(ctx: Context, id: string): Promise<JsonObject> {
  return JSON.parse((await getObject(ctx, mailerCollection, id)).text) as JsonObject;
}

/** What a template may say about the sender. */
export async function userOf(ctx: Context): Promise<JsonObject> {
  const { actor } = ctx;
  const account = actor.kind === "user" || actor.kind === "token" ? await findAccount(ctx, actor.id) : undefined;
  return account ? { id: account.id, name: account.name, email: account.email } : {};
}

interface MailRequest {
  data: JsonObject;
  scheduledAt: string | null;
  /** The object that it is about. */
  about: { collection?: string; objectId?: string };
}

/** `data`, merged over the object named by `collection` and `object`, if any. */
export async function readRequest(ctx: Context, body: Json): Promise<MailRequest> {
  const sent = readBody(body);
  const { data = {} } = sent;
  if (!isJsonObject(data)) fail("invalid", "data must be an object.", { data: ["must be an object"] });
  const object = await findObjectOf(ctx, sent);
  const { collection, object: objectId } = sent;
  const about = typeof collection === "string" && typeof objectId === "string" ? { collection, objectId } : {};
  return { data: { ...object, ...data }, scheduledAt: readTime(sent, "scheduledAt"), about };
}

export async function findObjectOf(ctx: Context, { collection, object }: JsonObject): Promise<JsonObject> {
  if (collection === undefined && object === undefined) return {};
  if (typeof collection !== "string") fail("invalid", undefined, { collection: ["must name a collection"] });
  if (typeof object !== "string") fail("invalid", undefined, { object: ["must be the id of an object"] });
  return JSON.parse((await getObject(ctx, collection, object)).text) as JsonObject;
}

export function readBody(body: Json): JsonObject {
  return isJsonObject(body) ? body : fail("invalid", "The body must be a JSON object.");
}

export function readTime(body: JsonObject, name: string): string | null {
  const value = body[name];
  if (value === undefined || value === null || value === "") return null;
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) fail("invalid", undefined, { [name]: ["must be a time such as 2030-01-31T09:00:00Z"] });
  return new Date(time).toISOString();
}

export function readAddress(body: Json, name: string): string | undefined {
  const value = readBody(body)[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && isAddress(value)) return value;
  return fail("invalid", undefined, { [name]: ["must be an e-mail address"] });
}
