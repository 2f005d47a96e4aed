// How much of its changes a collection keeps: its own setting, else that of the installation.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { App } from "#context.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import { type HistoryMode, historyModes } from "#contract/history.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

/** The values of users are never kept. */
const trailOnly = "auth";

export function historyMode(
  { settings }: Pick<App, "settings">,
  collection: Pick<Collection, "id" | "settings">,
): HistoryMode {
  const mode = ownMode(collection.settings.history) ?? (settings.get("history.default") as HistoryMode);
  return allowedMode(collection.id, mode);
}

/** What counts of a mode in this collection. */
export function allowedMode<T extends string>(id: string, mode: T): T | "trail" {
  return id === trailOnly && mode === "full" ? "trail" : mode;
}

/** Refuses a mode that would not count. What was stored before may be sent again. */
export function checkHistoryMode({ id, history }: CollectionConfig, before?: CollectionConfig): void {
  const mode = ownMode(history);
  if (mode === undefined || allowedMode(id, mode) === mode || ownMode(before?.history) === mode) return;
  const problem = `The values of users are never kept: "trail" is the most that "${id}" can have.`;
  fail("invalid", problem, { history: [problem] });
}

function ownMode(history: Json | undefined): HistoryMode | undefined {
  const mode = isJsonObject(history) ? history.mode : history;
  return historyModes.find((known) => known === mode);
}
