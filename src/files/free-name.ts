// A name for a new file: it never takes the place of another one (decision 024).

import { freeName } from "./file-names.ts";
import type { FileStore } from "./port.ts";

/** A name that is neither in the list nor in the store, which may hold an older file, or one that a crash has left. */
export async function findFreeName(
  { files }: { files: Pick<FileStore, "find"> },
  folder: string,
  wanted: string,
  names: Iterable<string> = [],
): Promise<string> {
  const taken = new Set(names);
  for (;;) {
    const name = freeName(wanted, (candidate) => taken.has(candidate));
    if (!(await files.find(`${folder}/${name}`))) return name;
    taken.add(name);
  }
}
