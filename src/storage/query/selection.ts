// What to select from a collection, already resolved against its schema: names are real properties,
// values have the property's type. content/ builds it, select.ts turns it into SQL.

import type { FilterOperator } from "#contract/queries.ts";

/**
 * How a property is compared, and so which SQL expression stands for it. `presence` is for sorting, and for
 * `empty`: values that have no order among themselves, against those that are missing.
 */
export type Comparison = "text" | "number" | "boolean" | "date" | "list" | "presence";

/** Where a property's value is found: a column of its own, the index entry, or (slow) the document. */
export interface Operand {
  property: string;
  source: "column" | "index" | "document";
  comparison: Comparison;
  /** Names that it had before, while some objects are still stored under them. */
  former?: readonly string[];
  /** The cards and decks that it is in, the outermost first; it is read from the document. */
  within?: readonly Shape[];
}

/** A card, or a deck: a list of items. */
export interface Shape {
  property: string;
  isDeck: boolean;
  former?: readonly string[];
}

/** What a caller can ask for; `never` holds for no object; `ne` with an asterisk is one of the last three. */
export type Operator = FilterOperator | "never" | "notcontains" | "notstarts" | "notends";

export interface Condition {
  operand: Operand;
  operator: Operator;
  /** One value, or several for `in` and `notin`. Text values are in lower case; dates are full ISO strings. */
  values: (string | number | boolean)[];
}

/** A condition, or what joins conditions. A condition that cannot be decided does not hold, and so its `not` does. */
export type Filter = Condition | { all: Filter[] } | { any: Filter[] } | { not: Filter };

export interface SortKey {
  operand: Operand;
  descending: boolean;
}

/**
 * Words in lower case, accents folded; a term of several words is a phrase. The last word of a term is a prefix, unless
 * it is one letter beside other terms.
 */
export interface Search {
  terms: string[][];
  mode: "and" | "or";
}

export interface Selection {
  collection: string;
  /** All must hold. */
  include: Condition[];
  /** None may hold; wins over include. */
  exclude: Condition[];
  /** All must hold: what is more than a list of conditions. */
  groups?: Filter[];
  /** Objects with `draft: true` are left out. */
  hideDrafts: boolean;
  /** The caller may read only because the public may. */
  isPublic?: boolean;
  search?: Search;
  /** Empty with a search: by relevance. Empty without: by id. Ties always break by id. `shuffle` is a random order. */
  sort: SortKey[];
  shuffle?: boolean;
  /** Some values are relative to now: they differ each time the same is asked. */
  isRelative?: true;
  /** How to go through the rows where no index helps; select.ts asks indexes.ts for it. */
  scan?: "in-order" | "as-stored";
}

export interface Page {
  limit: number;
  offset: number;
  /** Keyset position: the sort values of the last row seen, then its id. */
  after?: { values: (string | number | boolean | null)[]; id: string };
}
