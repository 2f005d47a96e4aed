// Settings of an extension by its own JSON Schema. Secrets (`format: secret`) are encrypted under the site key, and never
// answered. Values that the schema of a new version refuses are kept, and the defaults are used for them.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { audit } from "#access/audit.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { jsonCheck } from "#schemas/json-schema.ts";
import { lockExtension, putExtension } from "#storage/tables/extensions/extensions.ts";
import { type Extension, openExtension } from "./load-extensions.ts";
import { blankRow } from "./rows.ts";

const maxSize = 200_000;
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
export async function openSettings(app: App, extension: Extension): Promise<JsonObject> {
  const known = opened.get(extension);
  if (known) return known;
  const schema = await settingsSchemaOf(extension);
  const stored = clearAll(app, extension);
  const refused = keysIn(refusalsOf(schema, stored));
  const values = { ...defaultsOf(schema) };
  for (const [key, value] of Object.entries(stored)) if (!refused.has(key)) values[key] = value;
  opened.set(extension, values);
  return values;
}

/** What the schema of this version refuses of the stored values; undefined: nothing. */
export async function settingsProblem(app: App, extension: Extension): Promise<string | undefined> {
  if (Object.keys(extension.storedSettings).length === 0) return undefined;
  try {
    const refused = refusalsOf(await settingsSchemaOf(extension), clearAll(app, extension));
    const known = Object.entries(refused).filter(([path]) => keyOf(path) in extension.storedSettings);
    if (known.length === 0) return undefined;
    const named = known.map(([path, said]) => `${path}: ${said.join(", ")}`).join("; ");
    return `Settings that do not fit this version are kept, and defaults are used for them: ${named}.`;
  } catch {
    return "Its settings_schema is not a JSON Schema.";
  }
}

/** Without secrets: they are shown as set, or not at all. */
export async function getSettings(ctx: Context, id: string): Promise<JsonObject> {
  const extension = await openExtension(ctx, "read", id);
  return present(await requireSchema(extension), extension.storedSettings);
}

/** Replaces all of them. `{"set": true}` for a secret keeps it. */
export async function putSettings(ctx: Context, id: string, sent: Json): Promise<JsonObject> {
  const extension = await openExtension(ctx, "update", id);
  const schema = await requireSchema(extension);
  if (!isJsonObject(sent)) return fail("invalid", "Settings are a JSON object.");
  if (JSON.stringify(sent).length > maxSize) fail("too-large", `Settings may have ${maxSize} characters.`);
  const stored = await ctx.storage.write(async (tx) => {
    const row = (await lockExtension(tx, id)) ?? blankRow(id, { enabled: extension.enabled ? 1 : 0 });
    const next = checked(ctx, extension, { schema, sent, before: JSON.parse(row.settings) as JsonObject });
    await putExtension(tx, { ...row, settings: JSON.stringify(next), updated: ctx.clock.iso() });
    return next;
  });
  audit(ctx, { type: "extension.changed", details: { extension: id, what: "settings" } });
  return present(schema, stored);
}

async function requireSchema(extension: Extension): Promise<JsonObject> {
  const schema = await settingsSchemaOf(extension).catch(() => undefined);
  return schema ?? fail("not-found", `The extension ${extension.id} has no settings.`);
}

interface Change {
  schema: JsonObject;
  sent: JsonObject;
  before: JsonObject;
}

/** What is stored; throws where the schema refuses it. */
function checked(app: App, { id }: Extension, { schema, sent, before }: Change): JsonObject {
  const secrets = secretKeys(schema);
  const plain: JsonObject = {};
  const kept = new Map<string, Json>();
  for (const [key, value] of Object.entries(sent)) {
    const old = before[key];
    if (secrets.has(key) && isSetMark(value)) {
      if (old === undefined) continue;
      kept.set(key, old);
      plain[key] = clear(app, id, key, old);
    } else plain[key] = value;
  }
  let details: ErrorDetails;
  try {
    details = refusalsOf(schema, plain);
  } catch {
    return fail("conflict", "The settings_schema of the extension is not a JSON Schema.");
  }
  if (Object.keys(details).length > 0) fail("validation-failed", "The settings are not valid.", details);
  const siteKey = secrets.size > 0 ? getSiteKey(app.settings.dataDir) : undefined;
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]): [string, Json] => {
      if (!secrets.has(key) || siteKey === undefined) return [key, value];
      return [key, kept.get(key) ?? { $secret: encryptSecret(siteKey, String(value), secretPurpose(id, key)) }];
    }),
  );
}

function isSetMark(value: Json): boolean {
  return isJsonObject(value) && value.set === true;
}

function present(schema: JsonObject, stored: JsonObject): JsonObject {
  const secrets = secretKeys(schema);
  const own = Object.entries(stored).map(([key, value]): [string, Json] => {
    const isSecret = secrets.has(key) || (isJsonObject(value) && typeof value.$secret === "string");
    return [key, isSecret ? { set: true } : value];
  });
  return { ...defaultsOf(schema), ...Object.fromEntries(own) };
}

function propertiesOf(schema: JsonObject | undefined): [string, JsonObject][] {
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

function secretKeys(schema: JsonObject): ReadonlySet<string> {
  return new Set(
    propertiesOf(schema)
      .filter(([, about]) => about.format === "secret")
      .map(([key]) => key),
  );
}

/** Messages by path. A secret is text, whatever else the schema says of it. */
function refusalsOf(schema: JsonObject | undefined, values: JsonObject): ErrorDetails {
  return schema ? jsonCheck(schema)(values) : {};
}

function keysIn(details: ErrorDetails): ReadonlySet<string> {
  return new Set(Object.keys(details).map(keyOf));
}

function keyOf(path: string): string {
  return path.split(/[.[]/, 1)[0] as string;
}

function clearAll(app: App, { id, storedSettings }: Extension): JsonObject {
  return Object.fromEntries(Object.entries(storedSettings).map(([key, value]) => [key, clear(app, id, key, value)]));
}

function clear({ settings }: App, id: string, key: string, value: Json): Json {
  const sealed = isJsonObject(value) && typeof value.$secret === "string" ? value.$secret : undefined;
  if (sealed === undefined) return value;
  return decryptSecret(getSiteKey(settings.dataDir), sealed, secretPurpose(id, key)) ?? null;
}

function secretPurpose(id: string, key: string): string {
  return `extension ${id} ${key}`;
}

function defaultsOf(schema: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([key, about]) =>
      about.default === undefined || about.format === "secret" ? [] : [[key, about.default]],
    ),
  );
}
