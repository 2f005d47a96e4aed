// Mail over SMTP: one message to the addresses it names. Certificates are always verified; only a server on this very machine may
// be spoken to without TLS. What the mail server says is not repeated: it may hold addresses.

import type * as Nodemailer from "nodemailer";
import { isLoopback } from "#base/addresses.ts";
import { lazily } from "#base/lazy.ts";

const nodemailer = lazily<typeof Nodemailer>("nodemailer");

export interface MailSettings {
  /** Empty: mail is not configured. */
  host: string;
  port: number;
  secure: string;
  user: string;
  password: string;
  from: string;
  fromName: string;
}

export interface Message {
  to: string | readonly string[];
  toName?: string;
  cc?: readonly string[];
  bcc?: readonly string[];
  replyTo?: string;
  /** In place of the settings'. */
  from?: string;
  fromName?: string;
  subject: string;
  /** Empty when there is HTML alone. */
  text: string;
  html?: string;
  /** The same at each try, so that whoever gets it twice can tell. */
  id?: string;
}

export class MailError extends Error {
  /** Trying again would change nothing. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = "MailError";
    this.isFinal = isFinal;
  }
}

const timeoutMs = 10_000;

export async function sendMail(settings: MailSettings, message: Message): Promise<void> {
  const problem = findMailProblem(settings) ?? findMessageProblem(message);
  if (problem) throw new MailError(problem, true);
  const { host, port, secure, user, password, from, fromName } = settings;
  const transport = nodemailer().createTransport({
    host,
    port,
    secure: secure === "tls",
    requireTLS: secure === "starttls",
    ignoreTLS: secure === "none",
    ...(user !== "" && { auth: { user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { to, toName = "", cc = [], bcc = [], replyTo, subject, text, html, id } = message;
    // As objects: an address in a text is parsed, and may be read as several.
    const listed = (addresses: readonly string[], name = "") => addresses.map((address) => ({ address, name }));
    await transport.sendMail({
      from: { address: message.from ?? from, name: message.fromName ?? fromName },
      to: listed(typeof to === "string" ? [to] : to, toName),
      cc: listed(cc),
      bcc: listed(bcc),
      ...(replyTo !== undefined && { replyTo: listed([replyTo]) }),
      subject,
      ...(text !== "" && { text }),
      ...(html !== undefined && { html }),
      ...(id !== undefined && { messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>` }),
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } catch (error) {
    throw asMailError(error);
  } finally {
    transport.close();
  }
}

/** Why no mail can be sent at all; undefined when it can. */
export function findMailProblem({ host, secure, from, fromName }: MailSettings): string | undefined {
  if (host === "") return "Mail is not configured: smtp.host is empty.";
  if (!isAddress(from)) return "Mail is not configured: smtp.from is no e-mail address.";
  if (hasControls(fromName)) return "smtp.fromName holds control characters.";
  if (secure === "none" && !isLoopback(host)) {
    return "smtp.secure may be none only for a mail server on this machine.";
  }
  return undefined;
}

function findMessageProblem(message: Message): string | undefined {
  const { subject, from, fromName = "", toName = "" } = message;
  if (recipientsOf(message).length === 0 || !recipientsOf(message).every(isAddress)) {
    return "The recipient is no e-mail address.";
  }
  for (const address of [from, message.replyTo])
    if (address !== undefined && !isAddress(address)) return "The sender is no e-mail address.";
  return [subject, fromName, toName].some(hasControls) ? "The subject or a name holds control characters." : undefined;
}

/** All of them: to, cc, bcc. */
export function recipientsOf({ to, cc = [], bcc = [] }: Message): string[] {
  return [...(typeof to === "string" ? [to] : to), ...cc, ...bcc];
}

/** One @, nothing that a header or an address list could be made of. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u.test(text);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A code of 5xx is the server's last word; whatever else may pass. */
function asMailError(error: unknown): MailError {
  const { code = "unknown", responseCode } = error as { code?: string; responseCode?: number };
  const told = responseCode === undefined ? code : `${code} ${responseCode}`;
  return new MailError(`The mail server did not take the message (${told}).`, (responseCode ?? 0) >= 500);
}
