// The files of a folder, also while a server moves and removes them.

import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

const tries = 100;

/** Paths below the folder, sorted; none where it is not there. */
export function filesBelow(folder: string): string[] {
  return entriesBelow(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A folder that goes while it is read ends the reading of all. */
function entriesBelow(folder: string): Dirent[] {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || attempt === tries) throw error;
      if (path === folder) return [];
    }
  }
}
