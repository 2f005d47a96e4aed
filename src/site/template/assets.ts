// Files of `public/` that pages link to by their hash. Those pages are made again when such a file is another one.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";
import type { SiteReader } from "./reader.ts";
import { sourcesOf } from "./sources.ts";

const maxLinked = 500;
/** As they were when they were last looked at. */
const linked = perInstance((_storage: Storage) => new Map<string, string>());

export async function findLinkedAsset(
  app: Pick<App, "storage">,
  path: string,
): Promise<Awaited<ReturnType<SiteReader["asset"]>>> {
  const asset = await sourcesOf(app).asset(path);
  const known = linked(app.storage);
  if (known.size < maxLinked || known.has(path)) known.set(path, JSON.stringify(asset ?? null));
  return asset;
}

/** Since the last look. */
export async function haveAssetsChanged(app: Pick<App, "storage">): Promise<boolean> {
  let isChanged = false;
  for (const [path, before] of linked(app.storage)) {
    const now = JSON.stringify((await sourcesOf(app).asset(path)) ?? null);
    if (now === before) continue;
    isChanged = true;
    linked(app.storage).set(path, now);
  }
  return isChanged;
}
