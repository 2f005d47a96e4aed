// Keeps answers small enough for the window of a model. An answer that was cut says so, and how to read on.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** Characters of JSON: some 15,000 tokens, well below what clients refuse. */
export const maxAnswer = 60_000;

/** Stands at the end of a text that was cut, so that it can never be taken for the whole. */
export const cutMark = "…[cut]";

/** The object with long texts and lists cut short until it fits; `cut` names what. Undefined when it fits as it is. */
export function cutToFit(
  object: JsonObject,
  budget: number = maxAnswer,
): { object: JsonObject; cut: string[] } | undefined {
  if (JSON.stringify(object).length <= budget) return undefined;
  let text = Math.floor(budget / 2);
  let entries = 200;
  for (;;) {
    const cut = new Set<string>();
    const smaller = shrink(object, { text, entries }, { path: "", cut }) as JsonObject;
    if (JSON.stringify(smaller).length <= budget || (text <= 40 && entries <= 1))
      return { object: smaller, cut: [...cut] };
    if (text > 400) text = Math.floor(text / 2);
    else if (entries > 5) entries = Math.floor(entries / 2);
    else {
      text = Math.max(40, Math.floor(text / 2));
      entries = Math.max(1, entries - 1);
    }
  }
}

interface Limits {
  text: number;
  entries: number;
}

function shrink(value: Json, limits: Limits, { path, cut }: { path: string; cut: Set<string> }): Json {
  const below = (name: string | number) => ({ path: path === "" ? String(name) : `${path}.${name}`, cut });
  if (typeof value === "string") {
    if (value.length <= limits.text) return value;
    cut.add(path);
    return `${value.slice(0, limits.text).toWellFormed()}${cutMark}`;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.entries) cut.add(path);
    return value.slice(0, limits.entries).map((entry, at) => shrink(entry, limits, below(at)));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  // The properties of an object are its shape; only maps of a great many are cut.
  const kept = path === "" ? entries : entries.slice(0, Math.max(limits.entries, 50));
  if (kept.length < entries.length) cut.add(path);
  return Object.fromEntries(kept.map(([name, entry]) => [name, shrink(entry, limits, below(name))]));
}

/** As many items from the start as fit; the first one always, cut short when it must be. */
export function itemsToFit(items: readonly JsonObject[], budget: number = maxAnswer): JsonObject[] {
  const kept: JsonObject[] = [];
  let size = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length + 1;
    if (size + length > budget) {
      if (kept.length === 0) kept.push(cutToFit(item, budget)?.object ?? item);
      break;
    }
    kept.push(item);
    size += length;
  }
  return kept;
}

/** Where a text was cut and comes back so. */
export function findCut(value: Json, path = ""): string | undefined {
  if (typeof value === "string") return value.endsWith(cutMark) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, entry] of Object.entries(value)) {
    const found = findCut(entry as Json, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
