// A mail of the service itself that tries the settings; and a mail that is not saved, composed for its editor.

import { allow } from "#access/allow.ts";
import { hit } from "#access/counters.ts";
import { fail, rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { MailPreview, MailTest } from "#contract/mail.ts";
import type { MailError } from "#mail/smtp.ts";
import { checkMailer, tryCompose } from "./compose.ts";
import { allowMailer, checkMail, readAddress, readBody, readRequest, sendNow, userOf } from "./mailer.ts";

const hourMs = 3_600_000;
const testsAnHour = 30;
const maxAnswer = 300;

/** The caller waits for the mail server's answer. */
export async function testMail(ctx: Context, body: Json): Promise<MailTest> {
  allow(ctx, "update", { kind: "settings" });
  const to = readAddress(body, "to") ?? fail("invalid", "A test needs an address.", { to: ["is required"] });
  checkMail(ctx);
  const over = await hit(ctx, [{ name: "mail-test", limit: testsAnHour }], hourMs);
  if (over) throw rateLimited(over.waitMs, `There were ${testsAnHour} tests within an hour. Try again later.`);
  const name = ctx.settings.get("site.name");
  const subject = `Test mail from ${name}`;
  await sendNow(ctx, { to, subject, text: `Mail from ${name} arrives: the settings are right.\n` }, explain);
  return { to, subject };
}

/** What to check, by the code of the failure. */
const advice: Record<string, string> = {
  EDNS: "The name of the server was not found: check smtp.host.",
  ECONNECTION: "There is no mail server at this address: check smtp.host and smtp.port.",
  ESOCKET:
    "There is no mail server at this address, or it does not speak TLS: check smtp.host, smtp.port and smtp.secure.",
  ETIMEDOUT: "The server did not answer in time: check smtp.host, smtp.port and smtp.secure.",
  ETLS: "TLS failed: check smtp.secure and the certificate of the server.",
  EAUTH: "The server refused the sign-in: check smtp.user and smtp.password.",
  ENOAUTH: "The server asks for a sign-in: set smtp.user and smtp.password.",
  EENVELOPE: "The server refused the sender or the recipient: check smtp.from and the address.",
  EMESSAGE: "The server refused the message.",
};

/** The caller may change the settings and chose the address, so the server's own words are shown. */
function explain({ message, failure }: MailError): string {
  const said = (failure?.answer ?? "")
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxAnswer);
  const parts = [message, failure && advice[failure.code], said !== "" && `The server said: "${said}"`];
  return parts.filter(Boolean).join(" ");
}

/** `mail` is an object of the mailer that need not be saved. Objects are read with the rights of the caller. */
export async function previewUnsaved(ctx: Context, body: Json): Promise<MailPreview> {
  allowMailer(ctx, "update");
  const { mail } = readBody(body);
  if (!isJsonObject(mail)) fail("invalid", undefined, { mail: ["must be an object with the texts of the mail"] });
  const { data } = await readRequest(ctx, body);
  const { message, problems } = await tryCompose(ctx, mail, { data, user: await userOf(ctx) });
  const {
    to,
    toName = "",
    cc = [],
    bcc = [],
    from = "",
    fromName = "",
    replyTo = "",
    subject,
    text,
    html = "",
  } = message;
  return {
    ...{ to: [to].flat(), toName, cc: [...cc], bcc: [...bcc], from, fromName, replyTo, subject, html, text },
    // A template that cannot be read is reported with its line.
    problems: { ...problems, ...(await checkMailer(mail)) },
  };
}
