// Files that a command is still writing: they are removed when it is stopped.

import { rmSync } from "node:fs";

const unfinished = new Set<string>();

/** Returns a function that takes it off the list, once it was renamed or removed. */
export function trackTemporaryFile(path: string): () => void {
  unfinished.add(path);
  return () => unfinished.delete(path);
}

export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}
