// The mark of an unfinished restore: while it exists, only half a site is there, and nothing may start.

import { existsSync } from "node:fs";
import { join } from "node:path";

export function restoreMark(dataDir: string): string {
  return join(dataDir, ".system", "restore-unfinished");
}

export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(restoreMark(dataDir))) return;
  throw new Error("A restore was cut off here. Run cairn backup:restore-all again, with --force.");
}
