// How much of its changes a collection keeps: its own setting, else that of the installation.

import type { Collection } from "#content/collections/collection.ts";
import type { App } from "#context.ts";
import { type HistoryMode, historyModes } from "#contract/history.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

/** The values of users are never kept. */
const trailOnly = "auth";

export function historyMode(
  { settings }: Pick<App, "settings">,
  collection: Pick<Collection, "id" | "settings">,
): HistoryMode {
  const mode = ownMode(collection.settings.history) ?? (settings.get("history.default") as HistoryMode);
  return collection.id === trailOnly && mode === "full" ? "trail" : mode;
}

function ownMode(history: Json | undefined): HistoryMode | undefined {
  const mode = isJsonObject(history) ? history.mode : history;
  return historyModes.find((known) => known === mode);
}
