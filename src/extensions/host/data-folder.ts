// Where an extension keeps files of its own.

import { join } from "node:path";
import type { Context } from "#context.ts";

/** Code gets it as `cairn.dataFolder`. */
export function dataFolderOf({ settings }: Pick<Context, "settings">, id: string): string {
  return join(settings.dataDir, ".system", "extension-data", id);
}
