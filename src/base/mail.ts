// Mail over SMTP: one message to one address. Certificates are always verified; only a server on this very machine may
// be spoken to without TLS. What the mail server says is not repeated: it may hold addresses.

import { isIP } from "node:net";
import type * as Nodemailer from "nodemailer";
import { lazily } from "./lazy.ts";

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
  to: string;
  subject: string;
  text: string;
  html?: string;
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
    const { to, subject, text, html } = message;
    // As objects: an address in a text is parsed, and may be read as several.
    await transport.sendMail({
      from: { address: from, name: fromName },
      to: { address: to, name: "" },
      subject,
      text,
      ...(html !== undefined && { html }),
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

function findMessageProblem({ to, subject }: Message): string | undefined {
  if (!isAddress(to)) return "The recipient is no e-mail address.";
  return hasControls(subject) ? "The subject holds control characters." : undefined;
}

/** One @, nothing that a header or an address list could be made of. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u.test(text);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** A code of 5xx is the server's last word; whatever else may pass. */
function asMailError(error: unknown): MailError {
  const { code = "unknown", responseCode } = error as { code?: string; responseCode?: number };
  const told = responseCode === undefined ? code : `${code} ${responseCode}`;
  return new MailError(`The mail server did not take the message (${told}).`, (responseCode ?? 0) >= 500);
}
