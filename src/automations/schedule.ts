// Schedules: five cron fields or a macro, in the site's time zone. A moment fires once over all processes. A missed moment,
// when no process ran, is made up for once if it was less than an hour ago, and dropped otherwise.

import type * as Croner from "croner";
import { lazily } from "#base/lazy.ts";
import type { App } from "#context.ts";
import { followSettings } from "#installation/settings.ts";
import { parseCron, cronProblem as problemOf } from "#rules/cron.ts";
import type { VersionScope } from "#storage/port.ts";
import { findSlot, takeSlot } from "#storage/tables/jobs.ts";
import { type Automation, listAutomations, type Trigger } from "./load-automations.ts";
import { queueRun } from "./runs.ts";

const croner = lazily<typeof Croner>("croner");

const lookMs = 1_000;
const makeUpMs = 3_600_000;
/** By then a process that runs has seen a moment. */
const seenWithinMs = 5_000;
/** Limit of the wait: the clock may be set meanwhile. */
const longestWaitMs = 60_000;
/** The problem of a schedule's text. */
export function cronProblem(text: string): string | undefined {
  return problemOf(croner().Cron, text);
}

interface Due {
  automation: Automation;
  trigger: Trigger;
  slot: Date;
}

/** Queues everything that is due; returns the time of the next moment, in milliseconds since 1970. */
export async function fireSchedules(app: App): Promise<{ fired: number; next: number }> {
  followSettings(app);
  const now = new Date(app.clock.now());
  const due: Due[] = [];
  let next = now.getTime() + longestWaitMs;
  for (const automation of (await listAutomations(app)).values()) {
    if (!automation.isEnabled) continue;
    for (const trigger of automation.triggers) {
      const cron = trigger.type === "schedule" ? findCron(app, automation, trigger) : undefined;
      if (!cron) continue;
      const schedule = { owner: automation.id, name: trigger.id, cron, since: automation.modified };
      const { slot, next: following } = await momentsOf(app, schedule, now);
      if (slot) due.push({ automation, trigger, slot });
      next = Math.min(next, following);
    }
  }
  let fired = 0;
  for (const each of due) if (await fire(app, each)) fired += 1;
  return { fired, next };
}

/** The next moment at which one of its schedules fires; null while it is off, and without a schedule. */
export function findNextRun(app: App, automation: Automation): string | null {
  if (!automation.isEnabled) return null;
  const now = new Date(app.clock.now());
  const schedules = automation.triggers.filter(({ type }) => type === "schedule");
  const times = schedules.flatMap((trigger) => findCron(app, automation, trigger)?.nextRun(now)?.toISOString() ?? []);
  return times.sort()[0] ?? null;
}

function findCron(app: App, { id }: Automation, { cron }: Trigger): Croner.Cron | undefined {
  return readCron(app, typeof cron === "string" ? cron : "", { automation: id });
}

/** `about`: for the log. */
export function readCron({ settings, log }: App, text: string, about: object): Croner.Cron | undefined {
  try {
    return parseCron(croner().Cron, text, settings.get("timezone"));
  } catch (error) {
    log.warn({ err: error, ...about, cron: text }, "a schedule is not valid");
    return undefined;
  }
}

interface Schedule {
  /** Under which its moments are taken. */
  owner: string;
  name: string;
  cron: Croner.Cron;
  /** When it was saved. */
  since: string;
}

/** The moment that is to be made up for or has just come, and the next one. */
export async function momentsOf(
  app: App,
  schedule: Schedule,
  now: Date,
): Promise<{ slot: Date | undefined; next: number }> {
  const { cron } = schedule;
  // The search runs backwards and includes the present moment.
  const [slot] = cron.previousRuns(1, new Date(now.getTime() + 1_000));
  const isRecent = slot && slot <= now && now.getTime() - slot.getTime() < makeUpMs;
  const isOpen = isRecent && (await countsAt(app, schedule, slot));
  return { slot: isOpen ? slot : undefined, next: cron.nextRun(now)?.getTime() ?? Number.MAX_SAFE_INTEGER };
}

/**
 * From when it was saved. A save that comes between a moment and the look at it takes nothing away where the schedule stayed as it
 * was: then the moment before was taken.
 */
async function countsAt({ storage }: App, { owner, name, cron, since }: Schedule, slot: Date): Promise<boolean> {
  if (slot.toISOString() > since) return true;
  if (Date.parse(since) - slot.getTime() > seenWithinMs) return false;
  const [before] = cron.previousRuns(1, slot);
  return before !== undefined && (await findSlot(storage, owner, name)) === before.toISOString();
}

async function fire({ storage }: App, { automation, trigger, slot }: Due): Promise<boolean> {
  return storage.write(async (tx) => {
    if (!(await takeSlot(tx, automation.id, trigger.id, slot.toISOString()))) return false;
    const args = { scheduledAt: slot.toISOString() };
    await queueRun(tx, automation.id, { trigger, args, event: null, request: null, depth: 0 });
    return true;
  });
}

export function startSchedules(app: App): () => void {
  return lookForDue(app, "objects:automations", () => fireSchedules(app));
}

/**
 * Checks every second, which costs almost nothing while nothing is due and nothing has changed. `scope` moves with the
 * schedules.
 */
export function lookForDue(app: App, scope: VersionScope, fireAll: () => Promise<{ next: number }>): () => void {
  let next = 0;
  let version = -1;
  let isBusy = false;
  async function look(): Promise<void> {
    const current = app.storage.version(scope);
    if (isBusy || (app.clock.now() < next && current === version)) return;
    isBusy = true;
    version = current;
    try {
      next = Math.min((await fireAll()).next, app.clock.now() + longestWaitMs);
    } catch (error) {
      app.log.warn({ err: error }, "schedules could not be read");
    } finally {
      isBusy = false;
    }
  }
  const timer = setInterval(() => void look(), lookMs).unref();
  return () => clearInterval(timer);
}
