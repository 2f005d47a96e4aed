// Automations as a list with the state of their runs; and for the command line: switch on and off, one tick.

import { allow } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import { patchObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import type { AutomationState, EndedRun } from "#contract/jobs.ts";
import { askKindState, countWaiting, type EndedRow, listEndedRows } from "#storage/tables/jobs.ts";
import { automationsCollection, findAutomation, listAutomations } from "./load-automations.ts";
import { runKind } from "./runs.ts";
import { findNextRun, fireSchedules } from "./schedule.ts";
import { isOpenToAll } from "./webhook.ts";

export interface AutomationSummary {
  id: string;
  name: string;
  enabled: boolean;
  triggers: string[];
  /** Its webhook answers everybody. */
  open: boolean;
  queued: number;
  lastRun: { status: string; finishedAt: string | null } | null;
}

export async function summariseAutomations(ctx: Context): Promise<AutomationSummary[]> {
  allow(ctx, "read", { kind: "objects", collection: automationsCollection, publicOperations: [] });
  requirePro(ctx, "Automations");
  const summaries: AutomationSummary[] = [];
  for (const { id, name, isEnabled, triggers } of (await listAutomations(ctx)).values()) {
    const [last] = await listEndedRows(ctx.storage, runKind, id, 1);
    const queued = await countWaiting(ctx.storage, runKind, id);
    const lastRun = last ? { status: last.status, finishedAt: last.finished } : null;
    const [enabled, open] = [isEnabled, isOpenToAll(triggers)];
    summaries.push({ id, name, enabled, triggers: triggers.map(({ type }) => type), open, queued, lastRun });
  }
  return summaries;
}

const shownRuns = 20;

/** For the admin persona: each with its last runs, what waits and runs, and the time of the next scheduled run. */
export async function listAutomationStates(ctx: Context): Promise<AutomationState[]> {
  allow(ctx, "read", { kind: "runs" });
  requirePro(ctx, "Automations");
  const automations = [...(await listAutomations(ctx)).values()];
  const { ended, open } = await askKindState(ctx.storage, runKind, { each: shownRuns, caller: ctx.caller });
  const runs = Map.groupBy(ended, ({ subject }) => subject);
  const count = (id: string, status: string) => open.find((row) => row.subject === id && row.status === status)?.n ?? 0;
  return automations
    .map((automation) => {
      const { id, name, isEnabled, triggers, record } = automation;
      return {
        id,
        name,
        category: typeof record.category === "string" ? record.category : "",
        enabled: isEnabled,
        autoDisabled: record.autoDisabled === true && !isEnabled,
        triggers: triggers.map(({ type }) => type),
        open: isOpenToAll(triggers),
        lastRuns: (runs.get(id) ?? []).map(presentEnded),
        queued: count(id, "queued"),
        running: count(id, "running"),
        next: findNextRun(ctx, automation),
      };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function presentEnded({ id, status, started, finished, error }: EndedRow): EndedRun {
  const finishedAt = finished ?? "";
  const durationMs = started === null ? null : Date.parse(finishedAt) - Date.parse(started);
  return { runId: id, status: status === "succeeded" ? status : "failed", finishedAt, durationMs, error };
}

export async function enableAutomation(ctx: Context, id: string, isEnabled: boolean): Promise<void> {
  allow(ctx, "update", { kind: "objects", collection: automationsCollection, publicOperations: [] });
  requirePro(ctx, "Automations");
  if (!(await findAutomation(ctx, id))) fail("not-found", `There is no automation "${id}".`);
  await patchObject(ctx, automationsCollection, id, { body: { enabled: isEnabled } });
}

/** One tick: schedules that are due, then the whole queue. Safe beside a server, and beside a second such command. */
export async function processAutomations(ctx: Context): Promise<{ fired: number; processed: number }> {
  allow(ctx, "update", { kind: "objects", collection: automationsCollection, publicOperations: [] });
  const { fired } = await fireSchedules(ctx);
  return { fired, processed: await ctx.jobs.tick() };
}
