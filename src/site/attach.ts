// The mailer's part of the wiring: the jobs that send, and what is looked at when a mailer is saved. Called by app.ts alone.

import type { App } from "#context.ts";
import { handleMail } from "./mail-queue.ts";
import { getSender, mailerCollection } from "./mailer.ts";
import { composeOfBatch, handleBulkMail } from "./mailer-bulk.ts";
import { checkMailer } from "./mailer-compose.ts";

export function attachMail(app: App): void {
  handleMail(app, { compose: composeOfBatch, getSender });
  handleBulkMail(app);
  app.checks.set(mailerCollection, checkMailer);
}
