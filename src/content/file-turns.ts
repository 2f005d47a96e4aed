// Changes to the files of one object happen one after the other: choosing a free name, putting the bytes there and naming
// them in the row belong together, and a delete must not take what a new object has just got.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "#context.ts";
import type { FileStore } from "#files/port.ts";
import type { ObjectKey } from "./file-removal.ts";
import { keepHold, tryHold } from "./holds.ts";

/** By object: settles when the last one in the queue is done. */
const queues = new WeakMap<FileStore, Map<string, Promise<void>>>();

/** How often somebody looks whether another process is done. */
const waitMs = 25;

/** In this process. */
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

/** In all processes that share the database: for whoever puts files in place. */
export function inSharedTurn<T>(app: App, object: ObjectKey, work: () => Promise<T>): Promise<T> {
  return inTurn(app, object, async () => {
    if (!app.storage.dialect.isShared) return work();
    const id = `files ${object.collection}/${object.id}`;
    while (!(await app.storage.write((tx) => tryHold(app, tx, id)))) await sleep(waitMs);
    const { release } = keepHold(app, id);
    try {
      return await work();
    } finally {
      // One that cannot be given back now lapses.
      await release().catch((error) => app.log.warn({ err: error, id }, "a hold was not released"));
    }
  });
}

function ignore(): void {}
