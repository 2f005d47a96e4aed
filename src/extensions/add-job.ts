// Runs of schedules that the code of an extension orders: jobs of the durable queue, done by schedules.ts.

import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import { countWaiting } from "#storage/tables/jobs.ts";
import type { LiveExtension } from "./load-extensions.ts";

export const scheduleKind = "extension-schedule";

const maxPayload = 100_000;
const maxWaiting = 10_000;

/** What code orders: the id of the job. */
export async function addJob(
  { storage, clock }: App,
  { id, manifest }: LiveExtension,
  [schedule, payload = null, at = null]: Json[],
): Promise<string> {
  if (!manifest.contributes.schedules.some(({ name }) => name === schedule))
    fail("invalid", `The manifest names no schedule "${String(schedule)}".`);
  if (JSON.stringify(payload).length > maxPayload) fail("too-large", `A payload may have ${maxPayload} characters.`);
  if (at !== null && (typeof at !== "string" || Number.isNaN(Date.parse(at))))
    fail("invalid", "at must be a date and time.");
  const runAt = at === null ? clock.iso() : new Date(at).toISOString();
  return storage.write(async (tx) => {
    if ((await countWaiting(tx, scheduleKind, id)) >= maxWaiting)
      fail("rate-limited", `The extension ${id} has ${maxWaiting} jobs that wait.`);
    return enqueue(tx, { kind: scheduleKind, subject: id, payload: { schedule: schedule as string, payload }, runAt });
  });
}
