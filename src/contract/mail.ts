// Answers of the mailer: previews, batches and the log of mails.

export const mailStatuses = ["queued", "sent", "failed", "skipped"] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** `POST /api/mail-test`: a mail by the settings that the mail server has accepted. */
export interface MailTest {
  to: string;
  subject: string;
}

/** `POST /api/mail-preview`: a mail that need not be saved, as far as it can be composed. */
export interface MailPreview {
  to: string[];
  toName: string;
  cc: string[];
  bcc: string[];
  /** Empty: that of the settings. */
  from: string;
  fromName: string;
  replyTo: string;
  subject: string;
  html: string;
  text: string;
  /** Why it cannot be sent, by property. */
  problems: { [property: string]: string[] };
}

/** `POST /api/mailer/{id}/bulk/preview`. */
export interface BulkPreview {
  /** Objects that match. */
  total: number;
  /** The first mails. */
  mails: BulkMail[];
  /** With `look`: what becomes of the objects. */
  look?: BulkLook;
}

export interface BulkMail {
  object: string;
  to: string[];
  subject: string;
}

export interface BulkLook {
  /** Objects that were compared with the log: all of them, up to 10,000. */
  compared: number;
  /** Of these, the objects that were sent this mail within 90 days or are queued for it: a batch leaves them out. */
  had: number;
  /** Objects whose mail was composed; the others are composed when they are sent. */
  composed: number;
  /** Of these, the mails that cannot be sent. */
  unfit: number;
  /** The first that are left out, with the reason. */
  leftOut: { object: string; reason: string }[];
}

/** `GET /api/mailer/batches`; counts are of mails in each state. */
export interface MailBatch extends Record<MailStatus, number> {
  batch: string;
  mailer: string;
  collection: string;
  /** Objects when it was accepted. */
  total: number;
  isCancelled: boolean;
  created: string;
  /** When its mails are sent; null once they are, and for those that go at once. */
  scheduledAt: string | null;
}

/** `GET /api/mailer/log`. */
export interface MailEntry {
  id: string;
  mailer: string;
  batch: string | null;
  collection: string | null;
  object: string | null;
  /** Empty for callers that may not send. */
  to: string;
  status: MailStatus;
  attempts: number;
  error: string | null;
  created: string;
  scheduledAt: string | null;
  finished: string | null;
  /** Whether it can be sent again by `POST /api/mailer/log/{mail}/retry`. */
  canRetry: boolean;
}
