// What follows a sending: mails, webhooks, automations. Each is a job that was stored with the object; the next one is queued
// when one is done, or has failed for good. Settings of the form at the moment of the sending count.

import { system } from "#access/actor.ts";
import { queueLimitedRun } from "#automations/runs.ts";
import { fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { guardedRequest } from "#base/net/guarded-request.ts";
import { getObject } from "#content/objects/objects.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { FormAction, FormDefinition } from "#contract/forms.ts";
import type { JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job } from "#jobs/job.ts";
import { queueMail, queueServiceMail, sealMessage } from "#mail/mail-queue.ts";
import { recipientsOf } from "#mail/smtp.ts";
import { composeMail } from "#mailer/compose.ts";
import { getActive } from "#mailer/mailer.ts";
import type { Tx } from "#storage/port.ts";

const actionTimeoutMs = 30_000;
export const actionKind = "form-action";

type Step = FormAction | { type: "notify"; to: string[] };

interface Work {
  /** `{collection}/{name}`. */
  form: string;
  object: string;
  steps: Step[];
  /** The one that this job is about. */
  at: number;
}

/** In the transaction of the object. */
export async function queueActions(
  tx: Tx,
  { form, object, definition }: { form: string; object: string; definition: FormDefinition },
): Promise<void> {
  const { notify, actions } = definition;
  const steps: Step[] = [...(notify.length > 0 ? [{ type: "notify" as const, to: notify }] : []), ...actions];
  if (steps.length > 0) await queueStep(tx, { form, object, steps, at: 0 });
}

async function queueStep(tx: Tx, work: Work): Promise<void> {
  await enqueue(tx, { kind: actionKind, subject: work.form, payload: { ...work } as unknown as JsonObject });
}

export function handleFormActions(app: App): void {
  const next = async ({ payload }: Pick<Job, "payload">) => {
    const work = payload as unknown as Work;
    if (work.at + 1 < work.steps.length) await app.storage.write((tx) => queueStep(tx, { ...work, at: work.at + 1 }));
  };
  app.jobs.handle(
    actionKind,
    async (job) => {
      const work = job.payload as unknown as Work;
      const step = work.steps[work.at];
      if (step) await runStep(app, work, step, job.id);
      await next(job);
      return { action: step?.type ?? "none" };
    },
    {
      retriesOnError: true,
      // One that has failed for good does not hold up the others.
      ended: async ({ job, status }) => {
        if (status === "failed") await next(job);
      },
    },
  );
}

async function runStep(app: App, work: Work, step: Step, job: string): Promise<void> {
  const ctx = contextFor(app, system);
  const [collection = "", name = ""] = work.form.split("/");
  const object = JSON.parse((await getObject(ctx, collection, work.object)).text) as JsonObject;
  switch (step.type) {
    case "notify":
      return notify(app, step.to, { form: work.form, object });
    case "mailer":
      return sendMail(ctx, step, { collection, object });
    case "webhook":
      return callWebhook(app, step.url, { id: job, data: { collection, form: name, id: work.object, object } });
    case "automation": {
      const args = { form: name, collection, id: work.object, object };
      const trigger = { id: "form", type: "manual" } as const;
      return void (await queueLimitedRun(app, step.id, { trigger, args, event: null, request: null, depth: 0 }));
    }
    case "extension":
      return callAction(app, step, { form: work.form, collection, object: work.object, values: object, address: "" });
  }
}

/** As nobody: senders have no rights, and the extension has its own. */
async function callAction(
  { extensions }: App,
  { extension, name }: FormAction & { type: "extension" },
  sent: JsonObject,
): Promise<void> {
  await extensions.call({ extension, kind: "formActions", name, args: [sent], timeoutMs: actionTimeoutMs });
}

/** Recipients stand in the mail's record. What a visitor typed can only become the address for answers. */
async function sendMail(
  ctx: Context,
  { mailerId, replyTo }: FormAction & { type: "mailer" },
  { collection, object }: { collection: string; object: JsonObject },
): Promise<void> {
  const mailer = await getActive(ctx, mailerId);
  for (const property of ["to", "cc", "bcc"])
    if (String(mailer[property] ?? "").includes("{"))
      fail("invalid", `The mail "${mailerId}" takes its recipients from data, which a form must not decide.`, {
        [property]: ["must be fixed for a mail that a form sends"],
      });
  const answers = replyTo === undefined ? {} : { replyTo: `{{ data["${replyTo.replace(/["\\{}]/g, "")}"] }}` };
  const message = await composeMail(ctx, { ...mailer, ...answers }, { data: object, user: {} });
  const mail = { id: uuid(), mailer: mailerId, sentTo: recipientsOf(message).join(", "), created: ctx.clock.iso() };
  const about = { collection, objectId: String(object.id) };
  const row = { ...mail, ...about, scheduledAt: null, author: JSON.stringify({ kind: "system" }) };
  await ctx.storage.write((tx) => queueMail(tx, { ...row, message: sealMessage(ctx, mail.id, message) }));
}

async function notify(app: App, to: string[], { form, object }: { form: string; object: JsonObject }): Promise<void> {
  const lines = Object.entries(object)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const text = `The form ${form} was sent.\n\n${lines.join("\n")}\n`;
  for (const address of to) await queueServiceMail(app, { to: address, subject: `Form ${form} was sent`, text });
}

async function callWebhook(app: App, url: string, { id, data }: { id: string; data: JsonObject }): Promise<void> {
  const { settings, clock } = app;
  const answer = await guardedRequest(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Cairn", "webhook-id": id },
    body: JSON.stringify({ type: "form.sent", timestamp: clock.iso(), data }),
    maxRedirects: 0,
    maxBytes: 2_000,
    timeoutMs: settings.get("webhooks.timeout") * 1_000,
    allowPrivateHosts: settings.get("webhooks.allowPrivateHosts"),
  });
  if (answer.status < 200 || answer.status > 299)
    fail("refused", `The receiver answered with status ${answer.status}.`);
}
