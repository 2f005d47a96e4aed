// Schedules of extensions: by their cron line, once over all processes, and what code orders by `jobs.add`. Both are jobs of
// the durable queue.

import { lookForDue, momentsOf, readCron } from "#automations/schedule.ts";
import { CairnError } from "#base/errors.ts";
import { type App, contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { takeSlot } from "#storage/tables/jobs.ts";
import { scheduleKind } from "./add-job.ts";
import { loadExtensions } from "./load-extensions.ts";
import { actorOf, callExtension } from "./runtime.ts";

const timeoutMs = 600_000;

export function registerSchedules(app: App): void {
  app.jobs.handle(scheduleKind, (job, run) => runSchedule(app, job, run), { concurrency: 4, retriesOnError: true });
}

/** Returns what stops it. */
export function startExtensionSchedules(app: App): () => void {
  return lookForDue(app, "extensions", () => fireDue(app));
}

async function fireDue(app: App): Promise<{ next: number }> {
  const now = new Date(app.clock.now());
  let next = Number.MAX_SAFE_INTEGER;
  for (const { extension, entry } of (await loadExtensions(app)).of("schedules")) {
    const { id, row } = extension;
    const cron = entry.cron === undefined ? undefined : readCron(app, entry.cron, { extension: id });
    if (!cron) continue;
    const schedule = { owner: ownerOf(id), name: entry.name, cron, since: row?.updated ?? "" };
    const moments = await momentsOf(app, schedule, now);
    next = Math.min(next, moments.next);
    if (moments.slot) await fire(app, { extension: id, schedule: entry.name, slot: moments.slot.toISOString() });
  }
  return { next };
}

const ownerOf = (extension: string) => `extension:${extension}`;

async function fire(
  { storage }: App,
  { extension, schedule, slot }: { extension: string; schedule: string; slot: string },
): Promise<void> {
  await storage.write(async (tx) => {
    if (!(await takeSlot(tx, ownerOf(extension), schedule, slot))) return;
    const payload = { schedule, payload: { scheduledAt: slot } };
    await enqueue(tx, { kind: scheduleKind, subject: extension, payload });
  });
}

async function runSchedule(app: App, { subject, payload }: Job, { signal }: JobRun): Promise<Json> {
  const { live } = await loadExtensions(app);
  const extension = live.find(({ id }) => id === subject);
  if (!extension) throw new Error(`The extension ${subject} is not running.`);
  const name = String(payload.schedule);
  // A switch may have taken it away since.
  if (extension.switchedOff.has(`schedules:${name}`)) return null;
  const ctx = contextFor(app, actorOf(extension));
  const order = { extension: subject, kind: "schedules" as const, name, args: [payload.payload ?? null] };
  try {
    await callExtension(app, { ...order, ctx, timeoutMs, signal });
  } catch (error) {
    // A refusal is an answer.
    if (!(error instanceof CairnError) || error.status >= 500) throw error;
  }
  return null;
}
