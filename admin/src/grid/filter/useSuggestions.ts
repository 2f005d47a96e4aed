// Values that other objects of the collection have, for properties that ask for it.

import type { Option } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Column } from "#grid/columns.ts";

const most = 20;

export function useSuggestions(collection: string, column: Column, typed: string): Option[] {
  const { property, isIndexed, definition, type } = column;
  const isAsked = isIndexed && (definition.settings?.propertyOptions === true || type === "list");
  const { data } = useQuery({
    queryKey: ["options", "values", collection, property, typed],
    queryFn: ({ signal }) =>
      askData<Option[]>(routes.options, {
        path: { source: "values" },
        query: { collection, property, search: typed, limit: most },
        signal,
      }),
    enabled: isAsked,
    placeholderData: (known) => known,
  });
  return isAsked ? (data ?? []) : [];
}
