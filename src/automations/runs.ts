// Runs of automations: jobs of one kind, whose subject is the automation. Queued ones survive the process; one that a
// caller waits for runs at once, and is in the history like the others.

import { allow } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import type { JobStatus, Run, RunDetails } from "#contract/jobs.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import { SandboxError } from "#sandbox/run-module.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Tx } from "#storage/port.ts";
import { askJobs, countWaiting, findJobRow, type JobRow, listEndedRows } from "#storage/tables/jobs.ts";
import { type Automation, findAutomation, type Trigger } from "./load-automations.ts";

export const runKind = "automation";

/** Input of a run; the handler sees everything but the depth. */
export interface RunInput {
  trigger: Trigger;
  args: JsonObject;
  event: JsonObject | null;
  request: JsonObject | null;
  /** Number of automations in the chain before this run. */
  depth: number;
}

export function queueRun(tx: Tx, automation: string, input: RunInput): Promise<string> {
  return enqueue(tx, { kind: runKind, subject: automation, payload: { ...input } });
}

/** Refused when too many are queued. */
export function queueLimitedRun(app: App, id: string, input: RunInput): Promise<string> {
  return app.storage.write((tx) => queueLimitedRunIn(tx, app, { id, input }));
}

export async function queueLimitedRunIn(
  tx: Tx,
  { settings }: Pick<App, "settings">,
  { id, input }: { id: string; input: RunInput },
): Promise<string> {
  const limit = settings.get("automations.queueLimit");
  if (limit > 0) await lockName(tx, `runs ${id}`);
  const waiting = limit === 0 ? 0 : await countWaiting(tx, runKind, id);
  if (waiting >= limit && limit > 0) {
    const error = new CairnError("rate-limited", "Too many runs of this automation are waiting.");
    error.retryAfter = 60;
    throw error;
  }
  return queueRun(tx, id, input);
}

/** The handler's value; a failure discloses only the run id. */
export async function runNow(app: App, id: string, input: RunInput): Promise<{ runId: string; result: Json }> {
  const { job, status, result, thrown } = await app.jobs.run({
    kind: runKind,
    subject: id,
    payload: { ...input },
  });
  if (status === "succeeded") return { runId: job.id, result };
  if (thrown instanceof SandboxError && thrown.reason === "busy") fail("unavailable");
  return fail("internal", `The automation failed. Run id: ${job.id}`, { runId: [job.id] });
}

/** Manual run: waits for the end, and returns the run, failed or not. */
export async function runAutomation(ctx: Context, id: string, args: JsonObject): Promise<Run> {
  allow(ctx, "update", { kind: "runs" });
  requirePro(ctx, "Automations");
  const automation = (await findAutomation(ctx, id)) ?? noRun(id);
  if (await hasChanged(ctx, automation)) await confirmPower(ctx);
  const trigger: Trigger = { id: "manual", type: "manual" };
  const input: RunInput = { trigger, args, event: null, request: null, depth: ctx.cause?.depth ?? 0 };
  const { job } = await ctx.jobs.run({ kind: runKind, subject: id, payload: { ...input } });
  return getRun(ctx, id, job.id);
}

/** Whether it was saved since its last run: then nothing says that this code was ever meant to run. */
async function hasChanged({ storage }: Context, { id, modified }: Automation): Promise<boolean> {
  const [last] = await listEndedRows(storage, runKind, id, 1);
  return last === undefined || modified > (last.started ?? "");
}

export interface RunPage {
  limit: number;
  offset: number;
  status?: JobStatus | undefined;
}

/** Newest first. */
export async function listRuns(ctx: Context, id: string, page: RunPage): Promise<{ runs: Run[]; total: number }> {
  allow(ctx, "read", { kind: "runs" });
  requirePro(ctx, "Automations");
  const filter = { kind: runKind, subject: id, status: page.status };
  const { rows, total } = await askJobs(ctx.storage, filter, { ...page, caller: ctx.caller });
  if (total === 0 && !(await findAutomation(ctx, id))) noRun(id);
  return { runs: rows.map(presentRun), total };
}

/** One of them, with what its handler was given. */
export async function getRunDetails(ctx: Context, id: string, runId: string): Promise<RunDetails> {
  allow(ctx, "read", { kind: "runs" });
  requirePro(ctx, "Automations");
  const row = await getRunRow(ctx, id, runId);
  const { args, event, request } = JSON.parse(row.payload) as RunInput;
  return { ...presentRun(row), args, event, request };
}

async function getRun(ctx: Context, id: string, runId: string): Promise<Run> {
  return presentRun(await getRunRow(ctx, id, runId));
}

async function getRunRow(ctx: Context, id: string, runId: string): Promise<JobRow> {
  const row = await findJobRow(ctx.storage, runId);
  return row?.kind === runKind && row.subject === id ? row : fail("not-found", "There is no such run.");
}

function presentRun(row: JobRow): Run {
  const { trigger } = JSON.parse(row.payload) as { trigger: Trigger };
  const isRunning = row.started !== null && row.status !== "queued";
  const ms = isRunning && row.finished ? Date.parse(row.finished) - Date.parse(row.started as string) : null;
  return {
    runId: row.id,
    status: row.status,
    trigger: trigger.type,
    queuedAt: row.created,
    startedAt: row.started,
    finishedAt: row.finished,
    ...(row.cancelled !== null && row.status !== "succeeded" && { cancelledAt: row.cancelled }),
    durationMs: ms,
    attempts: row.attempts,
    result: row.result === null ? null : (JSON.parse(row.result) as Json),
    error: row.error,
    log: row.log.split("\n").filter((line) => line !== ""),
  };
}

function noRun(id: string): never {
  fail("not-found", `There is no automation "${id}".`);
}
