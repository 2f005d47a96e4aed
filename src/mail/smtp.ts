// Mail over SMTP: one message to the addresses it names. Certificates are always verified; only a server on this machine may
// be used without TLS. The mail server's own words are in no message of an error, because they may contain addresses.

import type * as Nodemailer from "nodemailer";
import { lazily } from "#base/lazy.ts";
import { isLoopback } from "#base/net/addresses.ts";

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
  /** Overrides the settings. */
  from?: string;
  fromName?: string;
  subject: string;
  /** Empty when there is only HTML. */
  text: string;
  html?: string;
  /** The same at each attempt, so that receivers can recognise a duplicate. */
  id?: string;
}

export class MailError extends Error {
  /** A retry cannot succeed. */
  readonly isFinal: boolean;
  readonly failure: MailFailure | undefined;

  constructor(message: string, isFinal: boolean, failure?: MailFailure) {
    super(message);
    this.name = "MailError";
    this.isFinal = isFinal;
    this.failure = failure;
  }
}

export interface MailFailure {
  /** Of nodemailer: EAUTH, EDNS and so on. */
  code: string;
  /** What the mail server said, for callers that wait for its answer; it is not logged. */
  answer: string;
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
    // As objects: an address in a text is parsed, and could be read as several.
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
  if (!isAddress(from)) return "Mail is not configured: smtp.from is not an e-mail address.";
  if (hasControls(fromName)) return "smtp.fromName contains control characters.";
  if (secure === "none" && !isLoopback(host)) {
    return "smtp.secure may be none only for a mail server on this machine.";
  }
  return undefined;
}

function findMessageProblem(message: Message): string | undefined {
  const { subject, from, fromName = "", toName = "" } = message;
  if (recipientsOf(message).length === 0 || !recipientsOf(message).every(isAddress)) {
    return "The recipient is not an e-mail address.";
  }
  for (const address of [from, message.replyTo])
    if (address !== undefined && !isAddress(address)) return "The sender is not an e-mail address.";
  return [subject, fromName, toName].some(hasControls)
    ? "The subject or a name contains control characters."
    : undefined;
}

/** All of them: to, cc, bcc. */
export function recipientsOf({ to, cc = [], bcc = [] }: Message): string[] {
  return [...(typeof to === "string" ? [to] : to), ...cc, ...bcc];
}

/** One @, and nothing that could be read as a header or an address list. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u.test(text);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A code of 5xx is final; anything else may succeed later. */
function asMailError(error: unknown): MailError {
  const { code = "unknown", responseCode, response = "" } = error as Refusal;
  const reason = responseCode === undefined ? code : `${code} ${responseCode}`;
  const isFinal = (responseCode ?? 0) >= 500;
  return new MailError(`The mail server did not accept the message (${reason}).`, isFinal, { code, answer: response });
}

interface Refusal {
  code?: string;
  responseCode?: number;
  response?: string;
}
