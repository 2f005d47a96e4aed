// What the editor begins with.

import type { JsonObject } from "@contract/json.ts";
import type { SchemaDetails } from "@contract/schemas.ts";
import type { KeptEntry } from "#form/kept.ts";
import type { StoredSchema } from "./schema-queries.ts";

/** In kept changes it stands for the collection. */
export const keptPlace = "-schemas";

export interface OpenedSchema {
  /** Undefined: it is new. */
  stored: StoredSchema | undefined;
  /** What a new one begins with. */
  begun: JsonObject;
  /** Title of the schema that it is a copy of; empty without one. */
  copyOf: string;
  kept: KeptEntry | undefined;
  all: SchemaDetails[];
}
