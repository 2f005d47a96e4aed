// Deletes values of extensions that have expired. They are in no answer from the moment they expire; this gives their room back.

import type { App } from "#context.ts";
import { deleteExpiredStored } from "#storage/tables/extensions/extension-store.ts";

const everyMs = 600_000;
/** In one transaction: others are not held up. */
const batch = 200;

/** Runs every ten minutes; the returned function stops it. */
export function startStoreSweep(app: App): () => void {
  let isStopped = false;
  const sweep = () =>
    sweepStore(app, () => isStopped).catch((error) => {
      if (!isStopped) app.log.warn({ err: error }, "expired values of extensions were not deleted");
    });
  const first = setTimeout(sweep, everyMs / 10).unref();
  const timer = setInterval(sweep, everyMs).unref();
  return () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(timer);
  };
}

export async function sweepStore({ storage, clock }: App, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && (await storage.write((tx) => deleteExpiredStored(tx, clock.iso(), batch))) === batch);
}
