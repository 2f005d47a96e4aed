// The Undo of the message after a bulk change: what it wrote is taken back, as far as nobody has changed it since.

import type { UndoPreview } from "@contract/history.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { followJob, type JobEnd } from "./jobs.ts";

interface Run {
  /** Of the change: the id of its job, or what its answer names. */
  run: string;
  collection: string;
  /** Of the progress. */
  title: string;
}

/** Undefined where nothing is left to take back. */
export async function undoRun({ run, collection, title }: Run): Promise<JobEnd | undefined> {
  const by = { import: run };
  const { plan, summary } = await askData<UndoPreview>(routes.undo, { body: { by, limit: 1 } });
  const total = summary.reverted + summary.deleted + summary.restored;
  if (total === 0) return undefined;
  const { job } = await askData<{ job: string }>(routes.undo, { body: { by, apply: plan } });
  return followJob({ id: job, collection, title, total });
}
