// Takes away what a killed upload or change has left: files that no value names, once they are an hour old. Where a collection
// keeps files they go into the attic. It runs daily, on one of the
// servers that share the database; and after a start that follows a crash, at once and again when its files are old enough.
// It pauses most of the time, so that requests are not slowed. Many such files do not come from a crash but from a database that
// does not belong to them: those are left for `files:check`.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { findLease, takeLease } from "#storage/tables/leases.ts";
import { findOrphans, type Orphan, takeOrphan } from "./file-sweep.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** More than crashes leave. */
const mostRemoved = 100;
const workMs = 20;
const restMs = 80;
const holdId = "orphan-sweep";

/** What is returned ends it. */
export function startOrphanSweep(app: App, { wasCut }: { wasCut: boolean }): () => void {
  const stop = new AbortController();
  const run = (isDue: () => Promise<boolean>) => {
    sweepWhen(app, stop.signal, isDue).catch((error) => {
      if (!stop.signal.aborted) app.log.warn({ err: error }, "the search for files that no object names failed");
    });
  };
  const daily = setInterval(() => run(() => takeDay(app)), hour).unref();
  const later = wasCut ? setTimeout(() => run(always), hour + 5 * minute).unref() : undefined;
  run(wasCut ? always : () => takeDay(app));
  return () => {
    stop.abort();
    clearInterval(daily);
    clearTimeout(later);
  };
}

async function always(): Promise<boolean> {
  return true;
}

/** One server has the day. */
async function takeDay({ storage, clock }: App): Promise<boolean> {
  const now = clock.now();
  const found = await findLease(storage, holdId);
  if (found && found.leaseUntil > new Date(now).toISOString()) return false;
  const hold = { owner: randomUUID(), leaseUntil: new Date(now + day).toISOString() };
  return storage.write((tx) => takeLease(tx, holdId, hold, found));
}

async function sweepWhen(app: App, signal: AbortSignal, isDue: () => Promise<boolean>): Promise<void> {
  if (!(await isDue())) return;
  const orphans = await findSome(app, signal);
  if (orphans.length === 0) return;
  if (orphans.length > mostRemoved) {
    app.log.warn("many files are named by no object, and were left alone: files:check lists them, --fix removes them");
    return;
  }
  for (const orphan of orphans) {
    signal.throwIfAborted();
    const collection = await findCollection(app, orphan.key.split("/")[0] as string);
    if (collection) await takeOrphan(app, collection, orphan);
  }
  const taken = orphans.filter(({ isRemoved }) => isRemoved);
  const bytes = taken.reduce((sum, { size }) => sum + size, 0);
  const kept = taken.filter(({ isKept }) => isKept).length;
  app.log.info({ files: taken.length, kept, bytes }, "files that unfinished uploads had left were removed");
}

/** One more than is ever removed at most. */
async function findSome(app: App, signal: AbortSignal): Promise<Orphan[]> {
  const orphans: Orphan[] = [];
  let worked = performance.now();
  const pause = async () => {
    signal.throwIfAborted();
    if (performance.now() - worked < workMs) return;
    await sleep(restMs, undefined, { signal, ref: false });
    worked = performance.now();
  };
  for (const { id, isDeleting } of await listCollectionRows(app.storage)) {
    const collection = isDeleting ? undefined : await findCollection(app, id);
    if (!collection) continue;
    for await (const orphan of findOrphans(app, collection, { fix: false, pause })) {
      if (orphans.push(orphan) > mostRemoved) return orphans;
    }
  }
  return orphans;
}
