// What the stores on local disk know about entries of folders: their order, and which errors mean absence.

import type { Dirent } from "node:fs";

/** Files and folders of one folder in the order of whole keys: `a-b` stands before `a/b`. */
export function inKeyOrder(entries: readonly Dirent[]): Dirent[] {
  const keyed = entries.map((entry) => ({
    entry,
    key: Buffer.from(entry.isDirectory() ? `${entry.name}/` : entry.name),
  }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ entry }) => entry);
}

/** For catch: what is not there, or not where a file can be, is no error. A link in the way counts as absent. */
export function absent(error: unknown): undefined {
  if (!isCode(error, "ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EISDIR")) throw error;
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
