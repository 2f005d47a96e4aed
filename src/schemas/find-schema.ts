// Schemas by id, built-in, custom and of extensions, as written and flattened. Cached until a schema file changes.
// Needed by every request: finding a cached one must stay a lookup.

import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import type { Definitions } from "#files/definition-files.ts";
import { type AddedKinds, addedKinds } from "./added-kinds.ts";
import { type AddedSchemas, addedSchemas } from "./added-schemas.ts";
import { builtInSchemas } from "./builtin/all.ts";
import { isTexts, withoutInvalidKeys } from "./definition-rules.ts";
import { createFlattener } from "./flatten.ts";
import type { FlatSchema } from "./types.ts";

export type SchemaSource = Pick<App, "schemaFiles" | "storage">;

interface Cache {
  filesVersion: number;
  kinds: AddedKinds;
  added: AddedSchemas;
  raw: Map<string, SchemaRecord>;
  flatten(id: string): FlatSchema | undefined;
}

const caches = new WeakMap<Definitions, Cache>();
const touches = new WeakMap<Definitions, number>();

export function isBuiltIn(id: string): boolean {
  return builtInSchemas.has(id);
}

/** The extension that brought it; undefined: the service or the site has it. */
export function extensionOfSchema({ schemaFiles, storage }: SchemaSource, id: string): string | undefined {
  return isBuiltIn(id) || schemaFiles.find(id) ? undefined : addedSchemas(storage).get(id)?.extension;
}

/** Sorted. */
export function addedSchemaIds(app: SchemaSource): string[] {
  const ids = [...addedSchemas(app.storage).keys()];
  return ids.filter((id) => extensionOfSchema(app, id) !== undefined).sort();
}

/** As written: own properties only. */
export function findRawSchema(app: SchemaSource, id: string): SchemaRecord | undefined {
  return findRaw(app.schemaFiles, currentCache(app), id);
}

export function findFlatSchema(app: SchemaSource, id: string): FlatSchema | undefined {
  return currentCache(app).flatten(id);
}

/** Sorted. A file with the id of a built-in schema is ignored. */
export function customSchemaIds(app: SchemaSource): string[] {
  currentCache(app);
  return app.schemaFiles.ids().filter((id) => !isBuiltIn(id));
}

/** A process that saves a schema moves the version "schemas"; then the folder is read again before any answer. */
function currentCache({ schemaFiles, storage }: SchemaSource): Cache {
  const touched = storage.version("schemas");
  if (touches.get(schemaFiles) !== touched) {
    touches.set(schemaFiles, touched);
    // Where it takes time, the read barrier has waited for it (definitions/mirror.ts).
    schemaFiles.refresh()?.catch(() => {});
  }
  const filesVersion = schemaFiles.version;
  let cache = caches.get(schemaFiles);
  const kinds = addedKinds(storage);
  const added = addedSchemas(storage);
  if (cache?.filesVersion !== filesVersion || cache.kinds !== kinds || cache.added !== added) {
    const raw = new Map<string, SchemaRecord>();
    const flatten = createFlattener((id) => findRaw(schemaFiles, { raw, added }, id), kinds);
    cache = { filesVersion, kinds, added, raw, flatten };
    caches.set(schemaFiles, cache);
  }
  return cache;
}

/** A file of the site hides the schema of an extension. */
function findRaw(
  schemaFiles: Definitions,
  { raw, added }: Pick<Cache, "raw" | "added">,
  id: string,
): SchemaRecord | undefined {
  const known = builtInSchemas.get(id) ?? raw.get(id);
  if (known) return known;
  const content = schemaFiles.find(id);
  if (!content) return added.get(id)?.record;
  const record = readRecord(id, content);
  raw.set(id, record);
  return record;
}

const schemaDialect = "https://json-schema.org/draft/2020-12/schema";

/** Files are written by hand too: invalid parts are left out here, and named by lint. */
export function readRecord(id: string, content: Readonly<JsonObject>): SchemaRecord {
  const { title, description, category, formgrid, updated, mcp, additionalProperties } = content;
  const properties: { [name: string]: PropertyDefinition } = {};
  for (const [name, definition] of Object.entries(isJsonObject(content.properties) ? content.properties : {})) {
    if (isJsonObject(definition)) properties[name] = withoutInvalidKeys(definition);
  }
  const parents = texts(content.inheritFrom);
  return {
    $schema: schemaDialect,
    $id: `/schemas/${id}.json`,
    id,
    type: "object",
    ...textsOf({ title, description, category, formgrid, updated }),
    ...(parents.length > 0 && { inheritFrom: parents }),
    properties,
    required: texts(content.required),
    index: texts(content.index),
    ...(typeof additionalProperties === "boolean" && { additionalProperties }),
    ...(isJsonObject(mcp) && { mcp }),
  };
}

function texts(value: Json | undefined): string[] {
  return isTexts(value) ? value : [];
}

function textsOf(values: Record<string, Json | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
