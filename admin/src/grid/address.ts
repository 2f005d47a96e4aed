// The state of a table in its address: `?search=&sort=-date,title&filter[author]=Ada&filter[price][gt]=5&columns=&layout=`.
// Names that belong to nobody here are kept. Pure.

import type { JsonObject } from "@contract/json.ts";
import { type FilterOperator, filterOperators } from "@contract/queries.ts";

export interface SortKey {
  property: string;
  isDescending: boolean;
}

export interface Filter {
  property: string;
  /** `between` is written as gte and lte. */
  operator: FilterOperator | "between";
  /** Several of `in` are separated by `|`, as the server takes them. */
  value: string;
  /** The other end of `between`. */
  to?: string;
}

export type Layout = "table" | "cards";

export interface TableState {
  search: string;
  sort: SortKey[];
  filters: Filter[];
  columns: string[] | undefined;
  layout: Layout | undefined;
}

export type Params = Readonly<Record<string, string>>;

const filterName = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/;

export function readState(params: Params): TableState {
  const { search = "", sort = "", columns, layout } = params;
  return {
    search,
    sort: splitList(sort).map(readKey),
    filters: joinRanges(Object.entries(params).flatMap(([name, value]) => readFilter(name, value) ?? [])),
    columns: columns ? splitList(columns) : undefined,
    layout: layout === "table" || layout === "cards" ? layout : undefined,
  };
}

/** The whole query, with what other parts of the page keep in `params`. */
export function writeState(state: TableState, params: Params = {}): Record<string, string> {
  const others = Object.entries(params).filter(
    ([name]) => !filterName.test(name) && !["search", "sort", "columns", "layout"].includes(name),
  );
  return {
    ...Object.fromEntries(others),
    ...(state.search !== "" && { search: state.search }),
    ...(state.sort.length > 0 && { sort: writeSort(state.sort) }),
    ...filterParams(state.filters),
    ...(state.columns && { columns: state.columns.join(",") }),
    ...(state.layout && { layout: state.layout }),
  };
}

export function writeSort(sort: readonly SortKey[]): string {
  return sort.map(({ property, isDescending }) => (isDescending ? `-${property}` : property)).join(",");
}

/** As the server takes them in an address. */
export function filterParams(filters: readonly Filter[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const { property, operator, value, to = "" } of filters) {
    if (operator === "between") {
      params[`filter[${property}][gte]`] = value;
      params[`filter[${property}][lte]`] = to;
    } else params[operator === "eq" ? `filter[${property}]` : `filter[${property}][${operator}]`] = value;
  }
  return params;
}

/** As the server takes them in a body. */
export function filterBody(filters: readonly Filter[]): JsonObject {
  const body: Record<string, Record<string, string>> = {};
  for (const { property, operator, value, to = "" } of filters) {
    const tests = operator === "between" ? { gte: value, lte: to } : { [operator]: value };
    body[property] = { ...body[property], ...tests };
  }
  return body;
}

/** The order after a click on a column: ascending, descending, none. `isAdding` leaves the other columns in it. */
export function nextSort(sort: readonly SortKey[], property: string, isAdding: boolean): SortKey[] {
  const present = sort.find((key) => key.property === property);
  const next = !present
    ? { property, isDescending: false }
    : present.isDescending
      ? undefined
      : { ...present, isDescending: true };
  if (!isAdding) return next ? [next] : [];
  if (!present) return [...sort, { property, isDescending: false }];
  return sort.flatMap((key) => (key.property === property ? (next ?? []) : key));
}

/** One filter for each property and operator: a new one takes the place of the same. */
export function withFilter(filters: readonly Filter[], filter: Filter): Filter[] {
  const others = filters.filter(
    ({ property, operator }) => property !== filter.property || !collides(operator, filter.operator),
  );
  return [...others, filter];
}

function collides(one: Filter["operator"], other: Filter["operator"]): boolean {
  const range = ["gte", "lte", "between"];
  return one === other || ((one === "between" || other === "between") && range.includes(one) && range.includes(other));
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function readKey(part: string): SortKey {
  const isNegated = part.startsWith("-");
  const [property = "", direction] = (isNegated ? part.slice(1) : part).split(":");
  return { property, isDescending: isNegated || direction === "desc" };
}

function readFilter(name: string, value: string): Filter | undefined {
  const [, property, operator = "eq"] = filterName.exec(name) ?? [];
  const known = filterOperators.find((candidate) => candidate === operator);
  return property && known ? { property, operator: known, value } : undefined;
}

function joinRanges(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter) => {
    const other = (operator: string) =>
      filters.find((one) => one.property === filter.property && one.operator === operator);
    if (filter.operator === "gte") {
      const end = other("lte");
      return end ? { ...filter, operator: "between" as const, to: end.value } : filter;
    }
    return filter.operator === "lte" && other("gte") ? [] : filter;
  });
}
