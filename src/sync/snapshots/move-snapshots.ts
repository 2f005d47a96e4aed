// Moves snapshots that a node has on its own disk, from before its files were in a bucket, into the bucket, where all nodes find
// them. A move that is cut off goes on with the next one; none replaces another snapshot. Other files are left alone.

import { CairnError } from "#base/errors.ts";
import { inParallel } from "#base/in-parallel.ts";
import type { App } from "#context.ts";
import { openDisk } from "#files/disk.ts";
import type { FileStore, SystemStore } from "#files/port.ts";
import { atOf, nextFile, readText, snapshotAt, snapshotsFolder } from "./snapshots.ts";

const hour = 3_600_000;
/** Items. */
const movedAtOnce = 4;

/** The disk of this node, where files are in a bucket. The caller closes it. */
export async function openLocalFiles({ settings }: App): Promise<FileStore | undefined> {
  if (settings.get("filesUrl") === "") return undefined;
  return openDisk(settings.dataDir);
}

/** Runs now and every hour; the returned function stops it. */
export function startSnapshotMove(app: App): () => void {
  const stop = new AbortController();
  const run = () =>
    void moveSnapshots(app, stop.signal).catch((error) => {
      if (!stop.signal.aborted)
        app.log.warn({ err: error }, "snapshots of this node were not moved into the bucket; they will be in an hour");
    });
  const timer = setInterval(run, hour).unref();
  run();
  return () => {
    stop.abort();
    clearInterval(timer);
  };
}

async function moveSnapshots(app: App, signal: AbortSignal): Promise<void> {
  const local = await openLocalFiles(app);
  if (!local) return;
  try {
    let moved = 0;
    let items = new Map<string, string[]>();
    const move = async () => {
      await inParallel(items, movedAtOnce, async ([, keys]) => {
        for (const key of keys) {
          signal.throwIfAborted();
          if (await moveOne(local.system, app.files.system, key)) moved += 1;
        }
      });
      items = new Map();
    };
    // Those of one item stand together, the older ones first.
    for await (const key of local.system.listKeys(snapshotsFolder)) {
      const item = key.slice(0, key.lastIndexOf("/"));
      if (!items.has(item) && items.size === movedAtOnce) await move();
      items.set(item, [...(items.get(item) ?? []), key]);
    }
    await move();
    if (moved > 0) app.log.info({ snapshots: moved }, "snapshots of this node were moved into the bucket");
  } finally {
    await local.close();
  }
}

/** False: it is no snapshot, or another server on this data directory has moved it. */
async function moveOne(from: SystemStore, to: SystemStore, key: string): Promise<boolean> {
  let snapshot = snapshotAt(key);
  const text = snapshot && (await readText(from, snapshot.file).catch(ifFound));
  if (text === undefined) return false;
  while (snapshot && !(await isStored(to, snapshot.file, text))) snapshot = snapshotAt(atOf(nextFile(snapshot)));
  await from.delete(key);
  return true;
}

/** False: another snapshot has the name. */
async function isStored(system: SystemStore, file: string, text: string): Promise<boolean> {
  // Looked for first: not every bucket refuses a name that is taken.
  const isThere = (await system.find(atOf(file))) !== undefined;
  const isNew = !isThere && (await system.create(new Map([[atOf(file), text]]))).size === 0;
  return isNew || (await readText(system, file)) === text;
}

function ifFound(error: unknown): undefined {
  if (!(error instanceof CairnError && error.word === "not-found")) throw error;
}
