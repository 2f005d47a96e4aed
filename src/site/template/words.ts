// The texts of a language: `locales/{locale}.json` beside the templates. Kept as templates are.

import { join } from "node:path";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { readText, templatePlace } from "#site/template-files.ts";
import type { Storage } from "#storage/port.ts";

const maxLocales = 100;
const nothing: JsonObject = {};

const words = createVersionedMap<Storage, JsonObject>((storage) => storage.version("templates"), {
  kind: cacheKinds.templates,
  capacity: maxLocales,
  unit: 10_000,
});

export async function readWords(app: Pick<App, "storage" | "settings" | "log">, locale: string): Promise<JsonObject> {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/.test(locale)) return nothing;
  return words.get(app.storage, locale, () => readFile(app, locale));
}

async function readFile(app: Pick<App, "settings" | "log">, locale: string): Promise<JsonObject> {
  const stored = await readText(join(templatePlace(app.settings).folder, "locales", `${locale}.json`));
  if (!stored) return nothing;
  try {
    const found = JSON.parse(stored.text) as Json;
    if (isJsonObject(found)) return found;
  } catch {
    // Told below.
  }
  app.log.warn({ locale }, "the texts of a language are not valid JSON");
  return nothing;
}
