// The mark of a restore that is not through: as long as it is there, half a site lies behind it, and nothing may start.

import { existsSync } from "node:fs";
import { join } from "node:path";

export function restoreMark(dataDir: string): string {
  return join(dataDir, ".system", "restore-unfinished");
}

export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(restoreMark(dataDir))) return;
  throw new Error("A restore was cut off here. Run cairn backup:restore-all again, with --force.");
}
