// Takes stored files away once no row names them, with the images derived from them: into the attic where they are kept, else for
// good. The rows decide: a file that cannot be moved or removed now is an orphan that the sweep finds, never an error.

import { inParallel } from "#base/in-parallel.ts";
import type { App } from "#context.ts";
import { clearImages } from "#files/image-cache.ts";

type Parts = Pick<App, "files" | "imageCache" | "log">;

const movedAtOnce = 4;

export interface ObjectKey {
  collection: string;
  id: string;
}

/** A file that its object does not name any more. */
export interface DroppedFile {
  /** Below the object's. */
  key: string;
  /** Where it is kept in the attic; absent: it is removed. */
  at?: string | undefined;
}

export async function removeFiles(
  app: Parts,
  { collection, id }: ObjectKey,
  dropped: readonly DroppedFile[],
): Promise<void> {
  for (const { key, at } of dropped) await takeAway(app, `${collection}/${id}/${key}`, at);
}

/** Everything below a prefix, such as an object or a collection. */
export async function removeAllFiles(app: Parts, prefix: string): Promise<void> {
  await tryTo(app, prefix, async () => {
    if ((await app.files.deleteAll(prefix)) > 0) await clearImages(app.imageCache, prefix);
  });
}

/** Everything below a prefix goes into the attic; false: something could not be moved. `placeOf`: where to; `key` is below the object's. */
export async function keepAllFiles(
  app: Parts,
  prefix: string,
  placeOf: (key: string, size: number) => string,
): Promise<boolean> {
  const left: { key: string; at: string }[] = [];
  const isListed = await tryTo(app, prefix, async () => {
    for await (const { key, size } of app.files.list(prefix)) {
      const [, , ...path] = key.split("/");
      left.push({ key, at: placeOf(path.join("/"), size) });
    }
  });
  let isAllMoved = isListed;
  await inParallel(left, movedAtOnce, async ({ key, at }) => {
    if (!(await takeAway(app, key, at))) isAllMoved = false;
  });
  // Nothing but derived images and empty folders is left then.
  if (isAllMoved) await removeAllFiles(app, prefix);
  return isAllMoved;
}

/** What the attic has of an object. */
export async function removeKept(app: Parts, rid: number): Promise<void> {
  await tryTo(app, `.attic/${rid}`, async () => void (await app.files.attic.deleteAll(String(rid))));
}

async function takeAway(app: Parts, key: string, at: string | undefined): Promise<boolean> {
  return tryTo(app, key, async () => {
    if (at === undefined) await app.files.delete(key);
    else await app.files.attic.keep(key, at);
    await clearImages(app.imageCache, key);
  });
}

/** False: it failed. */
async function tryTo({ log }: Parts, key: string, remove: () => Promise<void>): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    log.error({ err: error, file: key }, "files without an object could not be taken away; the sweep tries again");
    return false;
  }
}
