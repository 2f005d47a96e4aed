// How much disk the data take, by what they are. Looks at every file, so it is for the command line. Of a bucket only backups and
// snapshots are counted: their list is short, and nothing else shows their size.

import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { allow } from "#access/allow.ts";
import type { Context } from "#context.ts";
import { systemFolder, systemFolders } from "#files/keys.ts";

/** In bytes. A database elsewhere and the files of a bucket are not counted. */
export interface DataSizes {
  database: number;
  files: number;
  /** That objects have lost, and that may come back. */
  droppedFiles: number;
  derivedImages: number;
  /** Whole ones and snapshots, on this disk and in the bucket. */
  backups: number;
  other: number;
}

export async function measureData(ctx: Context): Promise<DataSizes> {
  allow(ctx, "read", { kind: "settings" });
  const { dataDir } = ctx.settings;
  const sizes: DataSizes = { database: 0, files: 0, droppedFiles: 0, derivedImages: 0, backups: 0, other: 0 };
  for await (const entry of await opendir(dataDir, { recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // A running server removes files meanwhile.
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    sizes[kindOf(path.slice(dataDir.length + 1))] += size;
  }
  if (ctx.settings.get("filesUrl") !== "")
    for (const folder of systemFolders)
      for await (const { size } of ctx.files.system.list(folder)) sizes.backups += size;
  return sizes;
}

function kindOf(path: string): keyof DataSizes {
  if (path.startsWith(".system/cairn.db")) return "database";
  if (systemFolders.some((folder) => path.startsWith(`${systemFolder}/${folder}/`))) return "backups";
  if (path.startsWith(".attic/")) return "droppedFiles";
  if (path.includes("/.cache/")) return "derivedImages";
  return path.startsWith(".") ? "other" : "files";
}
