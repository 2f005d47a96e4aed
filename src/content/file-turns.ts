// Changes to the files of one object happen one after the other in this process: choosing a free name, putting the bytes
// there and naming them in the row belong together, and a delete must not take what a new object has just got.

import type { App } from "#context.ts";
import type { FileStore } from "#files/port.ts";
import type { ObjectKey } from "./file-removal.ts";

/** By object: settles when the last one in the queue is done. */
const queues = new WeakMap<FileStore, Map<string, Promise<void>>>();

export async function inTurn<T>(
  { files }: Pick<App, "files">,
  { collection, id }: ObjectKey,
  work: () => Promise<T>,
): Promise<T> {
  const queue = queues.get(files) ?? new Map<string, Promise<void>>();
  queues.set(files, queue);
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

function ignore(): void {}
