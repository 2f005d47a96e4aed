// How often files are fetched: counted in memory, written in the background, beside the objects and never into them.
// What a crash takes is the count of the last seconds.

import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import type { PropertyTarget } from "#content/objects/properties.ts";
import { isDraft } from "#content/objects/stored-document.ts";
import type { App, Context } from "#context.ts";
import { formerPaths, presentPath } from "#schemas/former-names.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import { addDownloads, type DownloadCount, listDownloads } from "#storage/tables/download-counts.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";

type Parts = Pick<App, "storage" | "log">;

const flushAfterMs = 2_000;
/** In one transaction, so that other writers wait no longer than for a write of their own. */
const flushedAtOnce = 200;

export interface Downloads {
  total: number;
  /** In order of path; `path` begins with the property. */
  files: { path: string; count: number }[];
}

type PendingCount = DownloadCount & ObjectKey;

interface Counts {
  pending: Map<string, PendingCount>;
  /** Since the start of this process. */
  total: number;
  timer: NodeJS.Timeout | undefined;
  flushing: Promise<void>;
}

const stateOf = perInstance(
  (_storage: Storage): Counts => ({ pending: new Map(), total: 0, timer: undefined, flushing: Promise.resolve() }),
);

export function countDownload(app: Parts, { rid, collection }: ObjectKey, place: string): void {
  const state = stateOf(app.storage);
  state.total += 1;
  const name = `${rid} ${place}`;
  const known = state.pending.get(name);
  if (known) known.count += 1;
  else state.pending.set(name, { rid, collection, place, count: 1 });
  state.timer ??= setTimeout(() => {
    flushDownloads(app).catch((error) => app.log.warn({ err: error }, "downloads could not be counted"));
  }, flushAfterMs).unref();
}

/** Writes what has been counted; also called when the app closes. */
export function flushDownloads({ storage }: Parts): Promise<void> {
  const state = stateOf(storage);
  clearTimeout(state.timer);
  state.timer = undefined;
  state.flushing = state.flushing.catch(() => {}).then(() => flush(storage, state.pending));
  return state.flushing;
}

async function flush(storage: Storage, pending: Map<string, PendingCount>): Promise<void> {
  // In one order, so that processes do not wait for each other in a circle.
  const counts = [...pending.values()].sort((a, b) => a.rid - b.rid || (a.place < b.place ? -1 : 1));
  pending.clear();
  for (let at = 0; at < counts.length; at += flushedAtOnce) {
    await note(storage, (tx) => addDownloads(tx, counts.slice(at, at + flushedAtOnce)));
  }
}

/** For the metrics. */
export function downloadsSinceStart({ storage }: Pick<App, "storage">): number {
  return stateOf(storage).total;
}

export async function getDownloads(ctx: Context, { collection, id, property }: PropertyTarget): Promise<Downloads> {
  const { schema } = await openCollection(ctx, "read", collection, id);
  const row = await findObject(ctx.storage, collection, id);
  if (!row || (isDraft(row) && !seesDrafts(ctx, "read", collection)) || !schema.properties.has(property)) {
    fail("not-found");
  }
  await flushDownloads(ctx);
  const counts = new Map<string, number>();
  // Counts from before a rename lie under the former name until they are moved.
  for (const [name = ""] of formerPaths(schema, [property]))
    for (const { place, count } of await listDownloads(ctx.storage, row.rid, name)) {
      const path = presentPath(schema, place.split("/")).join("/");
      counts.set(path, (counts.get(path) ?? 0) + count);
    }
  const files = [...counts].map(([path, count]) => ({ path, count }));
  return { total: files.reduce((sum, { count }) => sum + count, 0), files };
}
