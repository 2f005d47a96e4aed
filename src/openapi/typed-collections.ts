// The collections that a caller may read, with their schemas: what the typed part of the OpenAPI document and the generated types
// are made from. Other collections are not named.

import { listCollections } from "#content/collections/collections.ts";
import type { Context } from "#context.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { FlatSchema } from "#schemas/types.ts";

export interface TypedCollection {
  id: string;
  title: string;
  schema: FlatSchema;
}

/** By id. */
export async function typedCollections(ctx: Context): Promise<TypedCollection[]> {
  const all: TypedCollection[] = [];
  for (const { name: id, title, schema: address } of await listCollections(ctx)) {
    const schema = findFlatSchema(ctx, address.slice(address.lastIndexOf("/") + 1));
    if (schema) all.push({ id, title, schema });
  }
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Each once, by id. */
export function schemasOf(collections: readonly TypedCollection[]): FlatSchema[] {
  const byId = new Map(collections.map(({ schema }) => [schema.id, schema]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
