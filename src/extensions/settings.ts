// Settings of an extension by its own JSON Schema. Secrets (`format: secret`) are encrypted under the site key.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "#base/json.ts";
import { decryptSecret, getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Extension, LiveExtension } from "./load-extensions.ts";

const schemas = new WeakMap<Extension, Promise<JsonObject | undefined>>();

/** Undefined: it has no settings. */
export function settingsSchemaOf(extension: Extension): Promise<JsonObject | undefined> {
  const known = schemas.get(extension) ?? readSchema(extension);
  schemas.set(extension, known);
  return known;
}

async function readSchema({ folder, manifest }: Extension): Promise<JsonObject | undefined> {
  if (manifest?.settingsSchema === undefined) return undefined;
  const schema = parseJson(await readFile(join(folder, manifest.settingsSchema)));
  return isJsonObject(schema) ? schema : undefined;
}

const opened = new WeakMap<Extension, JsonObject>();

/** As code sees them: defaults filled in, secrets in clear. */
export async function openSettings(app: App, extension: LiveExtension): Promise<JsonObject> {
  const known = opened.get(extension);
  if (known) return known;
  const schema = await settingsSchemaOf(extension);
  const values = { ...defaultsOf(schema) };
  for (const [key, value] of Object.entries(extension.storedSettings))
    values[key] = clear(app, extension.id, key, value);
  opened.set(extension, values);
  return values;
}

function clear({ settings }: App, id: string, key: string, value: Json): Json {
  const sealed = isJsonObject(value) && typeof value.$secret === "string" ? value.$secret : undefined;
  if (sealed === undefined) return value;
  return decryptSecret(getSiteKey(settings.dataDir), sealed, secretPurpose(id, key)) ?? null;
}

export function secretPurpose(id: string, key: string): string {
  return `extension ${id} ${key}`;
}

function defaultsOf(schema: JsonObject | undefined): JsonObject {
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, about]) =>
      isJsonObject(about) && about.default !== undefined ? [[key, about.default]] : [],
    ),
  );
}
