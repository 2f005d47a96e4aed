// Files that a command is still writing: they go with it when it is told to end.

import { rmSync } from "node:fs";

const unfinished = new Set<string>();

/** Returns what takes it off the list: it has got its name, or is gone. */
export function trackTemporaryFile(path: string): () => void {
  unfinished.add(path);
  return () => unfinished.delete(path);
}

export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}
