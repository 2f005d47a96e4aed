// Removes stored files once no row names them, with the images derived from them.
// The rows decide: a file that cannot be removed now is an orphan that `files:check` finds, never an error.

import type { App } from "#context.ts";
import { clearImages } from "#files/image-cache.ts";

type Parts = Pick<App, "files" | "imageCache" | "log">;

export interface ObjectKey {
  collection: string;
  id: string;
}

/** `keys` are below the object's. */
export async function removeFiles(app: Parts, { collection, id }: ObjectKey, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await tryTo(app, `${collection}/${id}/${key}`, async (whole) => {
      await app.files.delete(whole);
      await clearImages(app.imageCache, whole);
    });
  }
}

/** Everything below a prefix, such as an object or a collection. */
export async function removeAllFiles(app: Parts, prefix: string): Promise<void> {
  await tryTo(app, prefix, async () => {
    if ((await app.files.deleteAll(prefix)) > 0) await clearImages(app.imageCache, prefix);
  });
}

async function tryTo({ log }: Parts, key: string, remove: (key: string) => Promise<void>): Promise<void> {
  try {
    await remove(key);
  } catch (error) {
    log.error({ err: error, file: key }, "files without an object could not be removed");
  }
}
