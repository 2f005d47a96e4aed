// Locks for changes that belong together. Files of one object: choosing a free name, writing the bytes and naming them in
// the row; a delete must not remove files of a new object of the same id. Schemas: they refer to each other.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { FileStore } from "#files/port.ts";
import { withLease } from "#jobs/leases.ts";
import { followKinds } from "./collections/follow-kinds.ts";
import type { ObjectKey } from "./file-removal.ts";

/** By object: settles when the last one in the queue is done. */
const queueOf = perInstance((_files: FileStore) => new Map<string, Promise<void>>());

/** In this process. */
export async function withLocalLock<T>(
  { files }: Pick<App, "files">,
  { collection, id }: ObjectKey,
  work: () => Promise<T>,
): Promise<T> {
  const queue = queueOf(files);
  const key = `${collection}/${id}`;
  const mine = (queue.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.then(ignore, ignore);
  queue.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queue.get(key) === settled) queue.delete(key);
  }
}

/** In all processes that share the database: for callers that store files. */
export function withObjectFilesLock<T>(app: App, object: ObjectKey, work: () => Promise<T>): Promise<T> {
  return withLocalLock(app, object, () =>
    app.storage.isShared ? withLease(app, `files ${object.collection}/${object.id}`, work) : work(),
  );
}

/**
 * For callers that save or delete a schema, or take one into use: one at a time in all processes, commands included. Reads
 * changed files first.
 */
export function withSchemasLock<T>(app: App, work: () => Promise<T>): Promise<T> {
  return withLocalLock(app, { collection: ".schemas", id: "all" }, () =>
    withLease(app, "schemas", async () => {
      await app.schemaFiles.refresh();
      await followKinds(app);
      return work();
    }),
  );
}

function ignore(): void {}
