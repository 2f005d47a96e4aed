// What needs somebody: failed jobs, automations that were switched off, webhooks that do not arrive, stopped extensions,
// pages that fail.
// Each count is asked for only where the caller may see the things themselves. The work is bounded: jobs and deliveries are
// found in an index of the failed ones and counted up to a limit.

import { isAllowed } from "#access/allow.ts";
import { isPro } from "#access/edition.ts";
import { automationsCollection, listAutomations } from "#automations/load-automations.ts";
import type { Context } from "#context.ts";
import { type Attention, mostCounted } from "#contract/admin.ts";
import { loadExtensions } from "#extensions/load-extensions.ts";
import { countErrorsOfToday } from "#site/site-errors.ts";
import { countFailedJobs } from "#storage/tables/jobs.ts";
import { countFailedDeliveries } from "#storage/tables/webhooks.ts";

export async function countAttention(ctx: Context): Promise<Attention> {
  const { actor, storage } = ctx;
  const attention: Attention = {};
  if (isAllowed(actor, "read", { kind: "jobs" })) attention.failedJobs = await countFailedJobs(storage, mostCounted);
  if (isAllowed(actor, "read", { kind: "extensions" })) attention.stoppedExtensions = await countStopped(ctx);
  const siteErrors = await countErrorsOfToday(ctx);
  if (siteErrors !== undefined) attention.siteErrors = siteErrors;
  if (!isPro(ctx)) return attention;
  if (isAllowed(actor, "read", { kind: "objects", collection: automationsCollection, publicOperations: [] }))
    attention.disabledAutomations = await countDisabled(ctx);
  if (isAllowed(actor, "read", { kind: "webhooks" }))
    attention.failedDeliveries = await countFailedDeliveries(storage, mostCounted);
  return attention;
}

/** Switched off by the service, after failures: not those that somebody has switched off. */
async function countDisabled(ctx: Context): Promise<number> {
  const automations = [...(await listAutomations(ctx)).values()];
  return automations.filter(({ record }) => record.autoDisabled === true && record.enabled === false).length;
}

/** At once while no extension has changed. */
async function countStopped(ctx: Context): Promise<number> {
  const { all } = await loadExtensions(ctx);
  return [...all.values()].filter(({ state }) => state === "failed" || state === "quarantined").length;
}
