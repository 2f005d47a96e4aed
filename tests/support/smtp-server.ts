// A real SMTP server on a free port of this machine that keeps what it is sent. It carries; it never asserts.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "#base/patience.fixture.ts";

export interface Mail {
  /** As the envelope says. */
  to: string[];
  from: string;
  parsed: ParsedMail;
  raw: string;
}

export interface Mailbox {
  readonly port: number;
  /** Everything taken so far. */
  readonly mails: Mail[];
  /** Settings that send to it. */
  readonly smtp: Record<string, unknown>;
  /** The next mail to this address that nobody has asked for yet. */
  next(to: string): Promise<Mail>;
  /** What came to this address, so many at least, when nothing more does for a while. */
  settled(to: string, least?: number): Promise<Mail[]>;
  close(): Promise<void>;
}

const quietMs = 700;

export async function openMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mail[] = [];
  const asked = new Set<Mail>();
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom === false ? "" : mailFrom.address,
          parsed: await simpleParser(raw),
          raw,
        });
        done();
      });
    },
    ...options,
  });
  // Clients that leave in the middle are part of what is tested.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const sentTo = (to: string) => mails.filter((mail) => mail.to.includes(to));

  return {
    port,
    mails,
    smtp: { host: "127.0.0.1", port, secure: "none", from: "cms@example.test", fromName: "Test site" },
    async next(to) {
      const mail = (await until(() => sentTo(to).find((candidate) => !asked.has(candidate)))) as Mail;
      asked.add(mail);
      return mail;
    },
    async settled(to, least = 0) {
      await until(() => sentTo(to).length >= least);
      await sleep(quietMs);
      return sentTo(to);
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}

/** The token of the link in a mail. */
export function tokenIn({ parsed }: Mail): string {
  return /\?token=([\w-]+)/.exec(parsed.text ?? "")?.[1] ?? "";
}
