// Extensions in `extensions/` of the project, which commands for their authors work on. No site is needed for them.

import { resolve } from "node:path";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { discover, type FoundExtension } from "#extensions/discover.ts";

export const installation = resolve(import.meta.dirname, "..", "..", "..");

/** One, or all; fails when there is none. */
export async function chosenFolders(call: Call, id: string | undefined): Promise<FoundExtension[]> {
  const all = (await discover(call.settings)).filter(({ source }) => source === "project" || source === "data");
  const chosen =
    id === undefined ? all.filter(({ source }) => source === "project") : all.filter((one) => one.id === id);
  if (chosen.length > 0) return chosen;
  throw new UsageError(
    id === undefined ? "There is no extension in extensions/." : `There is no extension "${id}" in extensions/.`,
  );
}
