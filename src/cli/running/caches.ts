// cache:show, cache:clear.

import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import type { ClearedCaches } from "#contract/admin.ts";
import type { Json } from "#contract/json.ts";
import { clearCache, clearCaches, getCacheReport } from "#installation/caches.ts";
import { clearCollectionImages } from "#media/images/derived-images.ts";

export async function show(call: Call): Promise<void> {
  const report = await call.work((ctx) => getCacheReport(ctx));
  if (call.isJson) return call.out.json(report as unknown as Json);
  await call.out.table(
    ["NAME", "PLACE", "ENTRIES", "BYTES", "CAPACITY", "HITS", "MISSES", "RATE", "EVICTIONS", "OLDEST"],
    report.caches.map(({ name, place, rate, oldest, ...counts }) => [
      ...[name, place, String(counts.entries), String(counts.bytes), String(counts.capacity)],
      ...[String(counts.hits), String(counts.misses), rate === null ? "" : `${Math.round(rate * 100)} %`],
      ...[String(counts.evictions), oldest ?? ""],
    ]),
  );
  const { length } = report.processes;
  await call.out.line(
    length === 0
      ? "No server is running: memory is empty."
      : `Numbers of ${length === 1 ? "1 server process" : `${length} server processes`}, of the last 10 seconds at most.`,
  );
}

interface Options {
  collection?: string;
  path?: string;
}

export async function clear(call: Call, options: Options, kind?: string): Promise<void> {
  const { collection, path } = options;
  if (collection !== undefined && (path !== undefined || (kind ?? "images") !== "images"))
    throw new UsageError("--collection goes with images alone.");
  if (path !== undefined && (kind ?? "pages") !== "pages") throw new UsageError("--path goes with pages alone.");
  if (collection !== undefined) {
    const { deleted } = await call.work((ctx) => clearCollectionImages(ctx, collection));
    return report(call, { deleted, cleared: { images: deleted } });
  }
  const name = path === undefined ? kind : "pages";
  if (name === undefined)
    return report(call, await call.work((ctx) => clearCaches(ctx)), "A running server reloads its caches.");
  const deleted = await call.work((ctx) => clearCache(ctx, name, { path }));
  if (name === "images") return report(call, { deleted, cleared: { images: deleted } });
  if (call.isJson) return call.out.json({ cleared: { [name]: deleted } });
  await call.out.line(`The cache "${name}" is cleared in every process.`);
}

async function report(call: Call, cleared: ClearedCaches, more = ""): Promise<void> {
  if (call.isJson) return call.out.json(clearedJson(cleared));
  await call.out.line(`${removedText(cleared.deleted)}${more && ` ${more}`}`);
}

export function clearedJson({ deleted, cleared }: ClearedCaches): Json {
  return { images: deleted, cleared };
}

export function removedText(images: number): string {
  return images === 1 ? "1 derived image was removed." : `${images} derived images were removed.`;
}
