// What holds for automations beyond their schema: one that was switched off for its failures starts clean when enabled.

import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { Change } from "./change-object.ts";

export function clearFailures(collection: string, change: Change, current: JsonObject): Change {
  const { input, changed } = change;
  if (collection !== "automations" || !isJsonObject(input)) return change;
  if (current.autoDisabled !== true || input.enabled !== true || current.enabled === true) return change;
  return {
    ...change,
    input: { ...input, autoDisabled: false, consecutiveFailures: 0 },
    ...(changed && { changed: new Set([...changed, "autoDisabled", "consecutiveFailures"]) }),
  };
}
