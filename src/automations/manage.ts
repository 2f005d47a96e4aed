// Automations for the command line: list with the state of their runs, switch on and off, one tick.

import { allow } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import { patchObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import { countWaiting, listEndedRows } from "#storage/tables/jobs.ts";
import { automationsCollection, findAutomation, listAutomations } from "./load-automations.ts";
import { runKind } from "./runs.ts";
import { fireSchedules } from "./schedule.ts";

export interface AutomationSummary {
  id: string;
  name: string;
  enabled: boolean;
  triggers: string[];
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
    summaries.push({ id, name, enabled: isEnabled, triggers: triggers.map(({ type }) => type), queued, lastRun });
  }
  return summaries;
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
