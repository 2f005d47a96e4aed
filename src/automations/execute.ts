// Executes a run: the handler in the sandbox, as the service itself, in the name of its automation. Afterwards
// an automation that has failed repeatedly is switched off, and a mail reports it.

import type { Author } from "#access/actor.ts";
import { system } from "#access/actor.ts";
import { audit } from "#access/audit.ts";
import { CairnError, fail } from "#base/errors.ts";
import { findAuthor } from "#content/code-authors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { findOnBehalf, isAdministrators, nameOfAuthor } from "#content/on-behalf.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { Job, JobOutcome, JobRun } from "#jobs/job.ts";
import { sendMailer } from "#mailer/mailer.ts";
import { runModule } from "#sandbox/run-module.ts";
import { findCodeAuthor } from "#storage/tables/code-authors.ts";
import { listEndedRows } from "#storage/tables/jobs.ts";
import { automationHost } from "./host.ts";
import { type Automation, automationsCollection, findAutomation } from "./load-automations.ts";
import { type RunInput, runKind } from "./runs.ts";

/** Number of failures in a row that switch an automation off. */
const maxFailures = 5;
const concurrency = 4;

export function handleRuns(app: App): void {
  app.jobs.handle(runKind, (job, run) => execute(app, job, run), {
    concurrency,
    cancels: "running",
    keep: () => app.settings.get("automations.keepRuns"),
    ended: (outcome) => guard(app, outcome),
  });
}

async function execute(app: App, job: Job, run: JobRun): Promise<Json> {
  const { trigger, args, event, request, depth } = job.payload as unknown as RunInput;
  // It may have been saved through another server a moment ago.
  if (app.storage.isShared) await app.storage.catchUp();
  const automation = await findAutomation(app, job.subject);
  if (!automation) throw new Error("The automation does not exist any more.");
  if (!automation.isEnabled && trigger.type !== "manual") throw new Error("The automation is disabled.");
  const author = await getAuthor(app, automation);
  const { id, name, handler } = automation;
  const { result } = await runModule({
    source: handler,
    timeLimit: app.settings.get("automations.timeLimit"),
    memoryLimit: app.settings.get("automations.memoryLimit"),
    data: { args, event, trigger, request, automation: { id, name }, run: { id: job.id, attempt: job.attempts } },
    host: automationHost({ ...contextOf(app, automation, depth), author }),
    signal: AbortSignal.any([run.signal, run.cancelled]),
    onLog: ({ level, line }) => run.log(`${app.clock.iso()} ${level} ${line}`),
  });
  return result;
}

/**
 * Code runs as the service only while its author is an administrator. Automations without a recorded author were saved
 * by an administrator too: no one else could.
 */
async function getAuthor(app: App, { id, record }: Automation): Promise<Author> {
  if (!(await findCodeAuthor(app.storage, automationsCollection, id))) return { kind: "system" };
  const author = await findAuthor(app, { collection: automationsCollection, id, document: record });
  if (author && isAdministrators(await findOnBehalf(app, author))) return author;
  const problem = author
    ? `${nameOfAuthor(author)}, who last saved the handler, is not an administrator any more`
    : "It is not known who last saved the handler";
  throw new Error(`${problem}. An administrator must save "handler" again.`);
}

function contextOf(app: App, { id }: Automation, depth: number): Context {
  const caller = { name: `automation:${id}`, hasCredential: true };
  return { ...contextFor(app, system, undefined, caller), cause: { automation: id, depth } };
}

async function guard(app: App, outcome: JobOutcome): Promise<void> {
  if (outcome.status === "succeeded" || outcome.isCancelled) return;
  if (app.storage.isShared) await app.storage.catchUp();
  const automation = await findAutomation(app, outcome.job.subject);
  if (!automation?.isEnabled) return;
  const row = await failuresInARow(app, automation);
  const failures = Math.min(row.length, maxFailures);
  const isOver = failures === maxFailures && app.settings.get("environment") === "production";
  const isOff = isOver && (await disable(app, automation, failures));
  // Runs that end at the same moment all see the whole row; one of them is its first.
  const isFirst = row.at(-1) === outcome.job.id;
  if (isFirst || isOff) await report(app, automation, { outcome, failures, isOff });
}

/** The runs, the last one first, since the record was last changed: a change resets the count. */
async function failuresInARow({ storage }: App, { id, modified }: Automation): Promise<string[]> {
  const ended = await listEndedRows(storage, runKind, id, 2 * maxFailures);
  const rows = ended.filter(({ cancelled }) => cancelled === null);
  const end = rows.findIndex((row) => row.status !== "failed" || (row.started ?? "") <= modified);
  return rows.slice(0, end < 0 ? rows.length : end).map((row) => row.id);
}

/** False when the record has changed since its failures were counted. */
async function disable(app: App, automation: Automation, failures: number): Promise<boolean> {
  const { id, modified } = automation;
  const ctx = contextOf(app, automation, 0);
  const notes = { enabled: false, autoDisabled: true, consecutiveFailures: failures };
  try {
    await changeObject(
      ctx,
      { collection: await getCollection(ctx, automationsCollection), id },
      {
        sent: {},
        within: async (_tx, row) => {
          if (row.modified !== modified) fail("precondition-failed");
        },
        change: (current) => ({
          input: { ...current, ...notes },
          changed: new Set(Object.keys(notes)),
          isOwn: true,
        }),
      },
    );
  } catch (error) {
    if (error instanceof CairnError && error.word === "precondition-failed") return false;
    throw error;
  }
  audit(ctx, { type: "automation.disabled", details: { object: id, failures } });
  app.log.warn({ automation: id, failures }, "an automation was switched off after repeated failures");
  return true;
}

async function report(
  app: App,
  automation: Automation,
  { outcome, failures, isOff }: { outcome: JobOutcome; failures: number; isOff: boolean },
): Promise<void> {
  if (automation.errorMailerId === "") return;
  const { id, name } = automation;
  const run = { id: outcome.job.id, error: outcome.error ?? "" };
  const data = { automation: { id, name }, run, failures, disabled: isOff };
  try {
    await sendMailer(contextOf(app, automation, 0), automation.errorMailerId, { data });
  } catch (error) {
    app.log.warn({ err: error, automation: id }, "the mail about a failed automation could not be sent");
  }
}
