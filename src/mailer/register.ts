// The mailer's part of the wiring: the jobs that send, and the checks when a mailer is saved. Called by app.ts only.

import type { App } from "#context.ts";
import { handleMail } from "#mail/mail-queue.ts";
import { composeOfBatch, handleBulkMail } from "./bulk.ts";
import { checkMailer } from "./compose.ts";
import { getSender, mailerCollection } from "./mailer.ts";

export function registerMail(app: App): void {
  handleMail(app, { compose: composeOfBatch, getSender });
  handleBulkMail(app);
  app.rules.add(mailerCollection, { check: checkMailer });
}
