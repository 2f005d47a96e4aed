// jobs:list, jobs:retry, jobs:cancel, jobs:clear.

import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { jobStatuses } from "#contract/jobs.ts";
import type { Json } from "#contract/json.ts";
import { cancelJob, clearJobs, listJobs, retryJob } from "#installation/jobs.ts";

interface Filter {
  kind?: string;
  subject?: string;
  status?: string;
}

function filterOf({ kind, subject, status }: Filter) {
  const known = jobStatuses.find((word) => word === status);
  if (status !== undefined && !known) throw new UsageError(`--status must be one of ${jobStatuses.join(", ")}.`);
  return { kind, subject, status: known };
}

export async function list(call: Call, options: Filter & { limit: string }): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(options.limit)) throw new UsageError("--limit must be a whole number of at least 1.");
  const query = { ...filterOf(options), limit: Number(options.limit), offset: 0 };
  const { jobs } = await call.work((ctx) => listJobs(ctx, query));
  if (call.isJson) return call.out.json(jobs as unknown as Json);
  await call.out.table(
    ["ID", "KIND", "ABOUT", "STATUS", "ATTEMPTS", "PROGRESS", "CREATED", "ERROR"],
    jobs.map(({ id, kind, subject, status, attempts, progress, createdAt, error }) => [
      id,
      kind,
      subject,
      status,
      String(attempts),
      showProgress(progress),
      createdAt ?? "",
      (error ?? "").slice(0, 80),
    ]),
  );
}

/** The total is not always known. */
function showProgress({ done, total }: { done: number; total: number }): string {
  return total > 0 ? `${done}/${total}` : done > 0 ? String(done) : "";
}

export async function retry(call: Call, _options: unknown, id: string): Promise<void> {
  const job = await call.work((ctx) => retryJob(ctx, id));
  if (call.isJson) return call.out.json(job as unknown as Json);
  await call.out.line(`The job ${id} is queued again.`);
}

export async function cancel(call: Call, _options: unknown, id: string): Promise<void> {
  const job = await call.work((ctx) => cancelJob(ctx, id));
  if (call.isJson) return call.out.json(job as unknown as Json);
  await call.out.line(
    job.status === "running" ? `The job ${id} stops after the step that it is at.` : `The job ${id} is cancelled.`,
  );
}

export async function clear(call: Call, options: Filter): Promise<void> {
  const { cleared } = await call.work((ctx) => clearJobs(ctx, filterOf(options)));
  if (call.isJson) return call.out.json({ cleared });
  await call.out.line(`${cleared} finished jobs are removed.`);
}
