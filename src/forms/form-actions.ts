// What follows a sending: mails, webhooks, automations. The first is a job that was stored with the object; each stores its
// effect and the next one together, also when it has failed for good. So a crash repeats no mail and no run; a webhook or an
// extension may be called again, with the same id. Settings of the form at the moment of the sending count.

import { system } from "#access/actor.ts";
import { counterName } from "#access/counters.ts";
import { queueLimitedRunIn } from "#automations/runs.ts";
import { fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import { guardedRequest } from "#base/net/guarded-request.ts";
import { getObject } from "#content/objects/objects.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { FormAction, FormDefinition } from "#contract/forms.ts";
import type { JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job } from "#jobs/job.ts";
import { queueMail, sealMessage, serviceMail } from "#mail/mail-queue.ts";
import { recipientsOf } from "#mail/smtp.ts";
import { composeMail } from "#mailer/compose.ts";
import { getActive } from "#mailer/mailer.ts";
import type { Tx } from "#storage/port.ts";
import { addToCounter } from "#storage/tables/counters.ts";

const actionTimeoutMs = 30_000;
/** Longer than any job waits for its next attempt, also over a server that is stopped for a while. */
const keepStepMs = 31 * 86_400_000;
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

interface Sent {
  form: string;
  object: string;
  definition: FormDefinition;
  /** Not before this moment, or before `hastenJob`: files of the object are still to come. */
  runAt?: string | undefined;
}

/** In the transaction of the object. The id of the first job. */
export async function queueActions(tx: Tx, { form, object, definition, runAt }: Sent): Promise<string> {
  const { notify, actions } = definition;
  const steps: Step[] = [...(notify.length > 0 ? [{ type: "notify" as const, to: notify }] : []), ...actions];
  return queueStep(tx, { form, object, steps, at: 0 }, runAt);
}

function queueStep(tx: Tx, work: Work, runAt?: string): Promise<string> {
  const payload = { ...work } as unknown as JsonObject;
  return enqueue(tx, { kind: actionKind, subject: work.form, payload, ...(runAt && { runAt }) });
}

export function handleFormActions(app: App): void {
  app.jobs.handle(
    actionKind,
    async (job) => {
      const work = job.payload as unknown as Work;
      const step = work.steps[work.at];
      try {
        await moveOn(app, job, step && (await runStep(app, work, step, job.id)));
      } catch (error) {
        // One that has failed for good does not hold up the others. It is stored before the job's end, so no crash loses it.
        if (job.attempts >= job.maxAttempts) await moveOn(app, job);
        throw error;
      }
      return { action: step?.type ?? "none" };
    },
    {
      retriesOnError: true,
      // Also of one whose processes died in each attempt.
      ended: async ({ job, status }) => {
        if (status === "failed") await moveOn(app, job);
      },
    },
  );
}

/** What a step stores. Steps that only call others store nothing. */
type Effect = (tx: Tx) => Promise<unknown>;

/**
 * Effect and next step in one transaction, each once for a job: an attempt after a crash stores neither again, and a failed one
 * that somebody runs again stores its effect alone.
 */
async function moveOn(app: App, { id, payload }: Pick<Job, "id" | "payload">, effect?: Effect): Promise<void> {
  const work = payload as unknown as Work;
  await app.storage.write(async (tx) => {
    const isFirst = async (what: string) => {
      const once = { amount: 1, now: app.clock.now(), windowMs: keepStepMs };
      return (await addToCounter(tx, counterName(what, id), once)).count === 1;
    };
    if (effect && (await isFirst("form-effect"))) await effect(tx);
    if (work.at + 1 < work.steps.length && (await isFirst("form-next")))
      await queueStep(tx, { ...work, at: work.at + 1 });
  });
}

async function runStep(app: App, work: Work, step: Step, job: string): Promise<Effect | undefined> {
  const ctx = contextFor(app, system);
  const [collection = "", name = ""] = work.form.split("/");
  const object = JSON.parse((await getObject(ctx, collection, work.object)).text) as JsonObject;
  switch (step.type) {
    case "notify":
      return notify(app, step.to, { form: work.form, object });
    case "mailer":
      return sendMail(ctx, step, { collection, object });
    case "webhook":
      await callWebhook(app, step.url, { id: job, data: { collection, form: name, id: work.object, object } });
      return undefined;
    case "automation": {
      const args = { form: name, collection, id: work.object, object };
      const trigger = { id: "form", type: "manual" } as const;
      const input = { trigger, args, event: null, request: null, depth: 0 };
      return (tx) => queueLimitedRunIn(tx, app, { id: step.id, input });
    }
    case "extension":
      await callAction(app, step, { form: work.form, collection, object: work.object, values: object, address: "" });
      return undefined;
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
): Promise<Effect> {
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
  const sealed = { ...row, message: sealMessage(ctx, mail.id, message) };
  return (tx) => queueMail(tx, sealed);
}

function notify(app: App, to: string[], { form, object }: { form: string; object: JsonObject }): Effect {
  const lines = Object.entries(object)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const text = `The form ${form} was sent.\n\n${lines.join("\n")}\n`;
  const mails = to.map((address) => serviceMail(app, { to: address, subject: `Form ${form} was sent`, text }));
  return async (tx) => {
    for (const mail of mails) await queueMail(tx, mail);
  };
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
