// Schemas that extensions brought. They are kept in the database as field kinds are, so that objects stay readable and writable
// when an extension is switched off or gone. Read-only; a custom schema may inherit from them. Pure: finding one is a lookup.

import { perInstance } from "#base/per-instance.ts";
import type { SchemaRecord } from "#contract/schemas.ts";

export interface AddedSchema {
  /** `{vendor}/{name}` */
  extension: string;
  record: SchemaRecord;
}

export type AddedSchemas = ReadonlyMap<string, AddedSchema>;

const state = perInstance((_storage: object): { schemas: AddedSchemas } => ({ schemas: new Map() }));

/** By id. The same map until one changes. */
export function addedSchemas(storage: object): AddedSchemas {
  return state(storage).schemas;
}

export function setAddedSchemas(storage: object, schemas: AddedSchemas): void {
  state(storage).schemas = schemas;
}

/** `acme/map` and `schemas/place.json` make `acme-map-place`. */
export function addedSchemaId(extension: string, file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.json$/, "");
  return `${extension.replace("/", "-")}-${name}`;
}
