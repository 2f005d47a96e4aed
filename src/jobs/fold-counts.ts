// Adds the changes that writers have appended to `counts` to the collections' rows, twice a second, and removes what no
// process needs any more from `touched` and from the names that were locked. Statistics follow what was added up. One process of
// an installation does it; the others stand by. Counters are exact without it: it keeps the tables small.

import { setTimeout as sleep } from "node:timers/promises";
import { deleteUnusedNames } from "#storage/name-locks.ts";
import type { Storage } from "#storage/port.ts";
import { deleteTouchedBefore, readHorizon } from "#storage/tables/caches/touched.ts";
import { foldCounts, listUnfolded } from "#storage/tables/collections.ts";
import { createGrowthWatch } from "./follow-growth.ts";
import { type Holding, renewLease, tryLease } from "./leases.ts";
import type { Parts } from "./parts.ts";

const lease = "fold counts";
const foldMs = 500;
/** How often a process that stands by looks whether the other one is gone. */
const standByMs = 5_000;
const sweepMs = 5_000;
/** A process that has not asked for four minutes drops all that it has cached. */
const touchedForMs = 300_000;
const namesMs = 600_000;

/** Resolves when it has stopped. */
export function startFolding(app: Parts): () => Promise<void> {
  if (!app.storage.isShared) return async () => {};
  const stopped = new AbortController();
  const running = run(app, stopped.signal);
  return () => {
    stopped.abort();
    return running;
  };
}

async function run(app: Parts, signal: AbortSignal): Promise<void> {
  const { storage, log } = app;
  let holding: Holding | undefined;
  let confirmed = 0;
  const sweep = createSweep(storage);
  let followGrowth = createGrowthWatch(app, signal);
  while (!signal.aborted) {
    try {
      if (holding && performance.now() - confirmed > standByMs) {
        const isOurs = await holding.confirm();
        if (!isOurs) {
          holding.stop();
          followGrowth = createGrowthWatch(app, signal);
        }
        holding = isOurs ? holding : undefined;
        confirmed = performance.now();
      }
      if (!holding && (await storage.write((tx) => tryLease(app, tx, lease)))) {
        holding = renewLease(app, lease);
        confirmed = performance.now();
      }
      if (holding) {
        await fold(storage);
        await sweep();
        followGrowth();
      }
    } catch (error) {
      log.warn({ err: error }, "the counters of collections were not added up; they are right all the same");
      await pause(standByMs, signal);
    }
    await pause(holding ? foldMs : standByMs, signal);
  }
  await holding?.release().catch((error) => log.warn({ err: error }, "a lease was not released"));
}

async function fold(storage: Storage): Promise<void> {
  // Each by itself: a collection whose row is locked is left for the next time.
  for (const id of await listUnfolded(storage)) await storage.write((tx) => foldCounts(tx, id));
}

/** Remembers what was over at which time: the rows carry none. */
function createSweep(storage: Storage): () => Promise<void> {
  const marks: { at: number; horizon: string }[] = [];
  let namesSwept = performance.now();
  return async () => {
    const now = performance.now();
    if (now - namesSwept > namesMs) {
      namesSwept = now;
      await storage.write(deleteUnusedNames);
    }
    if (now - (marks.at(-1)?.at ?? -sweepMs) < sweepMs) return;
    const horizon = await readHorizon(storage);
    if (horizon !== undefined) marks.push({ at: now, horizon });
    let old: string | undefined;
    while (marks[0] && now - marks[0].at > touchedForMs) old = marks.shift()?.horizon;
    if (old !== undefined) await storage.write((tx) => deleteTouchedBefore(tx, old));
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal }).catch(() => {});
}
