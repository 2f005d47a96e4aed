// From an object of the collection `mailer` and data to a message. Each text is a Liquid template; an error is reported
// by its property, and nothing is sent. An address list is split before it is rendered, one template a line, so that no
// value in the data can add a recipient; names and subjects are one line, so that none can add a header.

import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { isAddress, type Message, recipientsOf } from "#mail/smtp.ts";
import { checkLiquid, renderLiquid } from "#site/liquid.ts";

export interface MailData {
  data: JsonObject;
  /** The sender; empty when no user is signed in. */
  user: JsonObject;
  /** The only recipient, instead of the mailer's. */
  overrideTo?: string | undefined;
}

const maxRecipients = 50;

/** Fails with every invalid property. */
export async function composeMail(app: Pick<App, "settings">, mailer: JsonObject, mail: MailData): Promise<Message> {
  const { message, problems } = await tryCompose(app, mailer, mail);
  if (Object.keys(problems).length > 0) fail("invalid", "The mail cannot be composed.", problems);
  return message;
}

/** As far as it can be composed, with what is wrong by property. */
export async function tryCompose(
  { settings }: Pick<App, "settings">,
  mailer: JsonObject,
  mail: MailData,
): Promise<{ message: Message; problems: ErrorDetails }> {
  const details: ErrorDetails = {};
  const values = { data: mail.data, user: mail.user };

  async function render(property: string, source: string, isHtml = false): Promise<string> {
    if (!source.includes("{")) return source;
    // Yields to other requests: a mail has many templates, and a batch many mails.
    await yieldToEventLoop();
    try {
      return await renderLiquid(source, values, { escape: isHtml });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      details[property] = [error.message];
      return "";
    }
  }
  const line = async (property: string) => asLine(await render(property, textOf(mailer, property)));
  async function addresses(property: string): Promise<string[]> {
    const found: string[] = [];
    for (const source of textOf(mailer, property).split("\n")) {
      const address = (await render(property, source)).trim();
      if (address === "") continue;
      if (!isAddress(address))
        details[property] ??= [`${JSON.stringify(address.slice(0, 100))} is not an e-mail address`];
      found.push(address);
    }
    return found;
  }

  const to = mail.overrideTo === undefined ? await addresses("to") : [mail.overrideTo];
  const copies = mail.overrideTo === undefined ? { cc: await addresses("cc"), bcc: await addresses("bcc") } : {};
  if (to.length === 0) details.to ??= ["must name a recipient"];
  const [from, replyTo] = [await addresses("from"), await addresses("replyTo")];
  for (const [property, found] of Object.entries({ from, replyTo }))
    if (found.length > 1) details[property] ??= ["must be one address"];
  const fromName = await line("fromName");
  const toName = to.length === 1 ? await line("toName") : "";
  const subject = await line("subject");
  const html = await render("bodyHtml", textOf(mailer, "bodyHtml"), true);
  const text = await render("bodyText", textOf(mailer, "bodyText"));
  if (html.trim() === "" && text.trim() === "") details.bodyText ??= ["the mail has no text"];

  const message: Message = {
    to,
    ...copies,
    subject,
    text,
    ...(toName !== "" && { toName }),
    ...(html.trim() !== "" && { html }),
    ...(from[0] !== undefined && { from: from[0] }),
    ...(fromName !== "" && { fromName }),
    ...(replyTo[0] !== undefined && { replyTo: replyTo[0] }),
  };
  checkRecipients(settings.get("mailer.allowedRecipients"), message, details);
  checkSender(settings, message, details);
  return { message, problems: details };
}

/** The parts of a mailer that a mail is made from. */
export function textsOf(mailer: JsonObject): JsonObject {
  return Object.fromEntries([...templates, "from"].map((name) => [name, textOf(mailer, name)]));
}

const templates = ["to", "toName", "fromName", "replyTo", "cc", "bcc", "subject", "bodyHtml", "bodyText"];
const perLine = new Set(["to", "replyTo", "cc", "bcc"]);

/** Problems of the templates of a mailer that is being saved. */
export async function checkMailer(sent: JsonObject): Promise<ErrorDetails> {
  const details: ErrorDetails = {};
  for (const property of templates) {
    const source = textOf(sent, property);
    const parts = perLine.has(property) ? source.split("\n") : [source];
    const problems = parts.flatMap((part) => (part.includes("{") ? (checkLiquid(part) ?? []) : []));
    if (problems.length > 0) details[property] = problems;
  }
  return details;
}

function checkRecipients(allowed: readonly string[], message: Message, details: ErrorDetails): void {
  const all = recipientsOf(message);
  if (all.length > maxRecipients) details.to ??= [`must be at most ${maxRecipients} recipients`];
  for (const property of ["to", "cc", "bcc"] as const) {
    const strangers = [message[property] ?? []].flat().filter((address) => !isAllowedRecipient(allowed, address));
    if (strangers.length > 0)
      details[property] ??= strangers.map((address) => `${address} is not in mailer.allowedRecipients`);
  }
}

/** Mail is sent from the installation's own address, unless the settings allow others. */
function checkSender(settings: App["settings"], { from }: Message, details: ErrorDetails): void {
  if (from === undefined || from.toLowerCase() === settings.get("smtp.from").toLowerCase()) return;
  const allowed = settings.get("mailer.allowedSenders");
  if (allowed.length > 0 && isAllowedRecipient(allowed, from)) return;
  details.from ??= [`${from} is not allowed to send mail: leave it empty, or have it added to mailer.allowedSenders`];
}

/** By address, or by domain with its subdomains; an empty list allows all. */
export function isAllowedRecipient(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const wanted = address.toLowerCase();
  const domain = wanted.slice(wanted.lastIndexOf("@") + 1);
  return allowed.some((entry) => {
    const known = entry.trim().toLowerCase().replace(/^@/, "");
    return known.includes("@") ? known === wanted : domain === known || domain.endsWith(`.${known}`);
  });
}

function textOf(mailer: JsonObject, property: string): string {
  const value = mailer[property];
  return typeof value === "string" ? value : "";
}

function asLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
