// Filters of extensions. They are pure, so what they make is kept by their arguments until an extension changes. One that fails
// prints nothing; while the site is built it is a mistake with its place.

import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { NeedsWriter } from "#base/writer-line.ts";
import type { Offered } from "#content/extension-port.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { plainJson } from "./filters/values.ts";
import { markup, storedMarkup } from "./html-value.ts";
import { type AddedFilters, countMade, type Rendering } from "./rendering.ts";

const timeoutMs = 1_000;
const capacity = 4_000_000;

const kept = createVersionedMap<Storage, { text: string }>(
  (storage) => storage.version("extensions"),
  { kind: cacheKinds.filters, capacity, unit: 1 },
  ({ text }, key) => 2 * (text.length + key.length),
);

const names = new WeakMap<readonly Offered<"filters">[], ReadonlySet<string>>();

export async function addedFilterNames({ extensions }: Pick<App, "extensions">): Promise<ReadonlySet<string>> {
  const offered = await extensions.of("filters");
  const known = names.get(offered) ?? new Set(offered.map(({ entry }) => entry.name));
  names.set(offered, known);
  return known;
}

export function addedFilters(app: App): AddedFilters {
  return async (name, values, rendering) => {
    rendering.recorder.scope("extensions");
    const found = (await app.extensions.of("filters")).find(({ entry }) => entry.name === name);
    // Switched off since the template was parsed.
    if (!found) throw new Error(`There is no filter "${name}".`);
    const args = values.map((value) => plainJson(rendering, value, 0));
    const key = JSON.stringify([found.mark, name, args]);
    try {
      const { text } = await kept.get(app.storage, key, () => call(app, found, args));
      countMade(rendering, text.length);
      return shownValue(JSON.parse(text) as Json, found, rendering);
    } catch (error) {
      if (error instanceof NeedsWriter) throw error;
      const message = `The filter ${name} of ${found.extension} failed.`;
      if (rendering.isDevelopment) throw new Error(message, { cause: error });
      // What comes next may go well.
      rendering.recorder.expires(1);
      return "";
    }
  };
}

async function call(
  app: App,
  { extension, entry }: Offered<"filters">,
  args: readonly Json[],
): Promise<{ text: string }> {
  const value = await app.extensions.call({ extension, kind: "filters", name: entry.name, args, timeoutMs });
  return { text: JSON.stringify(value ?? null) };
}

function shownValue(value: Json, { mayPrint }: Offered<"filters">, { reader }: Rendering): unknown {
  if (!isJsonObject(value) || typeof value.$html !== "string") return value;
  return mayPrint ? markup(value.$html) : storedMarkup(value.$html, (html) => reader.clean(html));
}
