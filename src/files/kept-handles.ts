// Keeps files that are read repeatedly open for a moment: opening, checking and closing one costs more than reading a
// part of it. Handles are shared: a reader names the offset of each read, and releases the handle instead of closing it.

import type { FileHandle } from "node:fs/promises";

/** Without a reader; a deleted file takes disk space for this time. */
const idleMs = 500;
const maxKept = 128;

export interface SharedHandle {
  handle: FileHandle;
  /** Of the open file: its name may belong to a different one now. */
  tag: string;
  release(): Promise<void>;
}

interface Kept {
  handle: FileHandle;
  tag: string;
  readers: number;
  idleSince: number;
}

export interface KeptHandles {
  /** The tag of the file that is open under this path. */
  tagOf(path: string): string | undefined;
  /** One that `tagOf` has just returned. */
  take(path: string): SharedHandle | undefined;
  /** Keeps a handle that was just opened, if there is room. */
  add(path: string, file: { handle: FileHandle; tag: string }): SharedHandle;
  close(): Promise<void>;
}

export function keepHandles(): KeptHandles {
  const kept = new Map<string, Kept>();
  let timer: NodeJS.Timeout | undefined;

  function share(path: string, file: Kept): SharedHandle {
    file.readers += 1;
    let isReleased = false;
    return {
      handle: file.handle,
      tag: file.tag,
      async release() {
        if (isReleased) return;
        isReleased = true;
        file.readers -= 1;
        file.idleSince = performance.now();
        if (file.readers === 0 && kept.get(path) !== file) await file.handle.close();
      },
    };
  }

  /** One that is being read is closed by its last reader. */
  async function drop(path: string, file: Kept): Promise<void> {
    kept.delete(path);
    if (file.readers === 0) await file.handle.close();
  }

  function sweep(): void {
    const before = performance.now() - idleMs;
    // A handle that cannot be closed loses nothing.
    for (const [path, file] of kept) {
      if (file.readers === 0 && file.idleSince <= before) drop(path, file).catch(() => {});
    }
    if (kept.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    tagOf: (path) => kept.get(path)?.tag,
    take(path) {
      const file = kept.get(path);
      return file && share(path, file);
    },
    add(path, { handle, tag }) {
      const file = { handle, tag, readers: 0, idleSince: 0 };
      const before = kept.get(path);
      if (before) drop(path, before).catch(() => {});
      if (kept.size < maxKept) {
        kept.set(path, file);
        timer ??= setInterval(sweep, idleMs / 2).unref();
      }
      return share(path, file);
    },
    async close() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all([...kept].map(([path, file]) => drop(path, file)));
    },
  };
}
