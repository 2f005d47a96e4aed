// Removes abandoned chunks a day after the last one arrived: their bytes and their rows.

import type { App } from "#context.ts";
import { deleteLeasesBefore } from "#storage/tables/leases.ts";
import { deleteUpload, deleteUploadsBefore } from "#storage/tables/uploads.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** Runs now and every hour; the returned function stops it. */
export function startChunkSweep(app: App): () => void {
  let isStopped = false;
  const sweep = () =>
    sweepChunks(app).catch((error) => {
      if (!isStopped) app.log.warn({ err: error }, "abandoned chunks were not removed");
    });
  void sweep();
  const timer = setInterval(sweep, hour).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

async function sweepChunks(app: App): Promise<void> {
  const aDayAgo = new Date(app.clock.now() - day).toISOString();
  await app.storage.write(async (tx) => {
    await deleteUploadsBefore(tx, aDayAgo);
    await deleteLeasesBefore(tx, aDayAgo);
  });
  for await (const { upload } of listAbandoned(app)) await deleteAbandoned(app, upload);
}

export function listAbandoned({ files, clock }: App): AsyncIterable<{ upload: string; size: number }> {
  return files.parts.listStale(clock.now() - day);
}

export async function deleteAbandoned({ storage, files }: App, upload: string): Promise<void> {
  await storage.write((tx) => deleteUpload(tx, upload));
  await files.parts.delete(upload);
}
