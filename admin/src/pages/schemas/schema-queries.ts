// What the pages of schemas ask the server, and what uses a schema.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import type { SchemaDetails, SchemaRecord } from "@contract/schemas.ts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const schemasQuery = queryOptions({
  queryKey: ["schemas", "details"],
  queryFn: async ({ signal }) => {
    const query = { details: true };
    return (await askData<{ schemas: SchemaDetails[] }>(routes.schemas, { query, signal })).schemas;
  },
});

/** As it is written: without the properties of its parents. */
export const writtenQuery = (id: string) =>
  queryOptions({
    queryKey: ["schemas", "written", id],
    queryFn: ({ signal }) => askData<SchemaRecord>(routes.schema, { path: { id }, query: { raw: true }, signal }),
    staleTime: 30_000,
  });

/** With the properties of its parents, as it shapes cards and decks. */
export const wholeQuery = (id: string) =>
  queryOptions({
    queryKey: ["schemas", "whole", id],
    queryFn: ({ signal }) => askData<SchemaRecord>(routes.schema, { path: { id }, signal }),
    staleTime: 30_000,
  });

export interface StoredSchema {
  data: JsonObject;
  etag: string;
}

export async function fetchSchema(id: string, signal?: AbortSignal): Promise<StoredSchema> {
  const { data, etag } = await ask<JsonObject>(routes.schema, { path: { id }, query: { raw: true }, signal });
  return { data, etag };
}

/** After a schema was saved or deleted: lists, forms and tables are asked for again. */
export function forgetSchemas(queries: QueryClient): void {
  for (const queryKey of [["schemas"], ["form"], ["objects"], ["start"], ["options"]])
    void queries.invalidateQueries({ queryKey });
}

export interface SchemaUse {
  collections: readonly AdminCollection[];
  /** Those that inherit from it, or have a card or deck of its shape. */
  schemas: readonly Pick<SchemaDetails, "name" | "title">[];
}

export function usesOf(
  id: string,
  collections: readonly AdminCollection[],
  all: readonly SchemaDetails[] | undefined,
): SchemaUse {
  const users = all?.find(({ name }) => name === id)?.usedBy ?? [];
  return {
    collections: collections.filter(({ schema }) => schema === id),
    schemas: users.map((name) => all?.find((one) => one.name === name) ?? { name, title: name }),
  };
}
