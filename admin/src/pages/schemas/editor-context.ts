// What the parts of the schema editor know of the page around them.

import type { SchemaDetails, SchemaRecord } from "@contract/schemas.ts";
import { itemSchemaId } from "@rules/property-types.ts";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo } from "react";
import { flatten, type SchemaDraft, useDraft } from "./draft.ts";
import { wholeQuery, writtenQuery } from "./schema-queries.ts";

export interface SchemaScope {
  /** Undefined until a new schema is saved. */
  id: string | undefined;
  isReadOnly: boolean;
  all: readonly SchemaDetails[];
  /** As they are written, in the order in which the draft names them; those that are loaded. */
  parents: readonly SchemaRecord[];
  /** Texts of JSON that are no JSON yet, by the place where they are typed. */
  texts: Readonly<Record<string, string>>;
  onText: (place: string, text: string | undefined) => void;
  /** Names of the properties that are stored. */
  saved: ReadonlySet<string>;
  selected: string;
  onSelect: (name: string) => void;
}

export const SchemaScopeContext = createContext<SchemaScope | undefined>(undefined);

export function useSchemaScope(): SchemaScope {
  const scope = use(SchemaScopeContext);
  if (!scope) throw new Error("a part of the schema editor stands outside of it");
  return scope;
}

export function useParents(ids: readonly string[]): SchemaRecord[] {
  const found = useQueries({ queries: [...new Set(ids)].map(writtenQuery) });
  return found.flatMap(({ data }) => (data ? [data] : []));
}

/** The draft as a form sees it. Schemas of cards and decks come when they are loaded. */
export function useFlatDraft(): SchemaDraft {
  const record = useDraft();
  const { parents } = useSchemaScope();
  const flat = useMemo(() => flatten(record, (id) => parents.find((one) => one.id === id)), [record, parents]);
  return { record, flat, items: useItems(flat) };
}

/** Flat schemas of the cards and decks in a schema, and in these, by id. */
function useItems(flat: SchemaRecord): Readonly<Record<string, SchemaRecord>> {
  const queries = useQueryClient();
  const known = (id: string) => queries.getQueryData<SchemaRecord>(wholeQuery(id).queryKey);
  const ids = new Set(itemsOf(flat));
  for (const id of ids) for (const inner of itemsOf(known(id))) ids.add(inner);
  const found = useQueries({ queries: [...ids].map(wholeQuery) });
  const key = found.map(({ dataUpdatedAt }) => dataUpdatedAt).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the data
  return useMemo(
    () => Object.fromEntries(found.flatMap(({ data }) => (data ? [[data.id, flatten(data, () => undefined)]] : []))),
    [key],
  );
}

function itemsOf(schema: SchemaRecord | undefined): string[] {
  return Object.values(schema?.properties ?? {}).flatMap((definition) => itemSchemaId(definition) ?? []);
}
