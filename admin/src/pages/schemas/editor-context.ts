// What the parts of the schema editor know of the page around them.

import type { SchemaDetails, SchemaRecord } from "@contract/schemas.ts";
import { itemSchemaId } from "@rules/property-types.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
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
  /** Another name of a property is stored. */
  onRenamed: (from: string, to: string) => void;
  selected: string;
  onSelect: (name: string) => void;
}

export const SchemaScopeContext = createContext<SchemaScope | undefined>(undefined);

export function useSchemaScope(): SchemaScope {
  const scope = use(SchemaScopeContext);
  if (!scope) throw new Error("a part of the schema editor stands outside of it");
  return scope;
}

const none: SchemaRecord[] = [];

/** Those that exist and may be read. */
export function useParents(ids: readonly string[]): SchemaRecord[] {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["schemas", "parents", ids],
    queryFn: async () => {
      const found = await Promise.all(ids.map((id) => queries.fetchQuery(writtenQuery(id)).catch(() => undefined)));
      return found.filter((schema) => schema !== undefined);
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return ids.length === 0 ? none : (data ?? none);
}

/** The draft as a form sees it. Schemas of cards and decks come when they are loaded. */
export function useFlatDraft(): SchemaDraft {
  const record = useDraft();
  const { parents } = useSchemaScope();
  const flat = useMemo(() => flatten(record, (id) => parents.find((one) => one.id === id)), [record, parents]);
  return { record, flat, items: useItems(flat) };
}

const noItems: SchemaDraft["items"] = {};

/** Flat schemas of the cards and decks in a schema, and in these, by id. */
function useItems(flat: SchemaRecord): SchemaDraft["items"] {
  const queries = useQueryClient();
  const wanted = [...new Set(itemsOf(flat))].toSorted();
  const { data } = useQuery({
    queryKey: ["schemas", "items", wanted],
    queryFn: async () => {
      const ids = new Set(wanted);
      const items: Record<string, SchemaRecord> = {};
      for (const id of ids) {
        const schema = await queries.fetchQuery(wholeQuery(id)).catch(() => undefined);
        for (const inner of itemsOf(schema)) ids.add(inner);
        if (schema) items[id] = flatten(schema, () => undefined);
      }
      return items;
    },
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  });
  return data ?? noItems;
}

function itemsOf(schema: SchemaRecord | undefined): string[] {
  return Object.values(schema?.properties ?? {}).flatMap((definition) => itemSchemaId(definition) ?? []);
}
