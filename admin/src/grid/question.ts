// What a table asks the server: indexed columns from the query route, whole objects from the list where a slower one is shown.
// Pure.

import { filterParams, type TableState, writeSort } from "./address.ts";
import type { Column } from "./columns.ts";

export interface Question {
  collection: string;
  /** Whole objects. */
  isWhole: boolean;
  /** Without the page. */
  query: Record<string, string>;
}

export interface Asking {
  collection: string;
  state: Pick<TableState, "search" | "sort" | "filters">;
  /** The usual order, as in an address. */
  usualSort: string;
  /** All that the table reads of an object. */
  needed: readonly Column[];
}

export function questionOf({ collection, state, usualSort, needed }: Asking): Question {
  const isWhole = needed.some(({ isIndexed }) => !isIndexed);
  const search = state.search.trim();
  // A search without an order gives the best matches first.
  const sort = writeSort(state.sort) || (search === "" ? usualSort : "");
  return {
    collection,
    isWhole,
    query: {
      ...(!isWhole && { include: needed.map(({ property }) => property).join(",") }),
      // The list takes keys without a direction as descending.
      ...(isWhole && sort !== "" && { order: "asc" }),
      ...(sort !== "" && { sort }),
      ...(search !== "" && { search }),
      ...filterParams(state.filters),
    },
  };
}

/** The order that the collection's settings name; without one, by id. */
export function usualSortOf(
  { sortBy, reverseSort }: { sortBy: string; reverseSort: boolean },
  columns: readonly Column[],
): string {
  const known = columns.some(({ property }) => property === sortBy) ? sortBy : "id";
  return reverseSort ? `-${known}` : known;
}
