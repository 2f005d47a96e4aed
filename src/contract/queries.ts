// Lists and queries: operators, limits, the pagination block.

export const filterOperators = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "contains",
  "starts",
  "ends",
  "in",
  "notin",
  "empty",
] as const;
export type FilterOperator = (typeof filterOperators)[number];

export const listLimit = { default: 50, max: 100 } as const;
export const queryLimit = { default: 20, max: 100 } as const;

export interface Pagination {
  total: number;
  count: number;
  per_page: number;
  current_page: number;
  total_pages: number;
  next_cursor?: string;
}
