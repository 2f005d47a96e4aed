// Deletes rows that have expired. They count for nothing from that moment on; this gives their room back.

import type { Clock } from "#base/clock.ts";
import type { Tx } from "#storage/port.ts";
import { deleteExpiredClaims } from "#storage/tables/caches/request-claims.ts";
import { deleteExpiredCounters } from "#storage/tables/counters.ts";
import { deleteExpiredStored } from "#storage/tables/extensions/extension-store.ts";
import { deleteOldRejects } from "#storage/tables/site/form-rejects.ts";
import type { Parts } from "./parts.ts";

const everyMs = 600_000;
/** In one transaction: others are not held up. */
const batch = 200;
/** A request that takes longer than its claim may still write, as long as the claim is there. */
const claimSpareMs = 600_000;
const keepRejectsMs = 14 * 86_400_000;

const sweeps: ((tx: Tx, clock: Clock) => Promise<number>)[] = [
  (tx, clock) => deleteExpiredStored(tx, clock.iso(), batch),
  (tx, clock) => deleteExpiredCounters(tx, clock.now(), batch),
  (tx, clock) => deleteExpiredClaims(tx, clock.now() - claimSpareMs, batch),
  (tx, clock) => deleteOldRejects(tx, new Date(clock.now() - keepRejectsMs).toISOString(), batch),
];

/** Runs every ten minutes; the returned function stops it. */
export function startExpirySweep(app: Parts): () => void {
  let isStopped = false;
  const sweep = () =>
    deleteExpiredRows(app, () => isStopped).catch((error) => {
      if (!isStopped) app.log.warn({ err: error }, "rows that have expired were not deleted");
    });
  const first = setTimeout(sweep, everyMs / 10).unref();
  const timer = setInterval(sweep, everyMs).unref();
  return () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(timer);
  };
}

export async function deleteExpiredRows({ storage, clock }: Parts, isStopped: () => boolean): Promise<void> {
  for (const sweep of sweeps) while (!isStopped() && (await storage.write((tx) => sweep(tx, clock))) > 0);
}
