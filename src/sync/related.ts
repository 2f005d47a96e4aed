// Ids that generated objects may refer to: of the collections that their properties choose from, as far as the caller may
// read them.

import { isAllowed } from "#access/allow.ts";
import type { Context } from "#context.ts";
import { isJsonObject } from "#contract/json.ts";
import { settingsOf } from "#schemas/fields/report.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { readSlice } from "#storage/tables/object-batches.ts";
import type { ObjectItem } from "./definition.ts";

const atMost = 200;

/** By collection. */
export type Related = ReadonlyMap<string, readonly string[]>;

export function relatedCollection(property: Property): string | undefined {
  const { relationalOptions } = settingsOf(property);
  const collection = isJsonObject(relationalOptions) ? relationalOptions.collection : undefined;
  return typeof collection === "string" ? collection : undefined;
}

/** `coming`: objects that the same import brings. */
export async function findRelated(
  ctx: Context,
  schema: FlatSchema,
  coming: readonly ObjectItem[] = [],
): Promise<Related> {
  const related = new Map<string, readonly string[]>();
  for (const property of schema.properties.values()) {
    const collection = relatedCollection(property);
    if (collection === undefined || related.has(collection)) continue;
    const isReadable = isAllowed(ctx.actor, "read", { kind: "objects", collection, publicOperations: [] });
    const stored = isReadable ? await readSlice(ctx.storage, { collection, after: "", limit: atMost }) : [];
    const own = coming.filter((object) => object.collection === collection).slice(0, atMost);
    related.set(collection, [...new Set([...stored, ...own].map(({ id }) => id))]);
  }
  return related;
}
