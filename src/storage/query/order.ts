// The order of a selection, and where in it a page begins.
// Missing values come last ascending and first descending; ties break by id ascending, so that the order is total.

import type { Dialect, Fragment } from "#storage/port.ts";
import { bind } from "./conditions.ts";
import { findWholeSortKey, isNullable, keyLength, sortKey } from "./operands.ts";
import type { Page, Selection } from "./selection.ts";

type Position = NonNullable<Page["after"]>;
type SortValue = Position["values"][number];

export interface OrderKey {
  /** In the select list: `k` and the number of the sort key; `b` for the beginning of a text that `k` is the whole of. */
  name: `k${number}` | `b${number}`;
  sql: string;
  isDescending: boolean;
  isNullable: boolean;
  isBoolean: boolean;
  /** What it has at a position. */
  at(position: Position): SortValue;
}

/**
 * Texts by their indexed beginnings; `isExact`: then by all of them. Which of the two it takes shows in the rows:
 * those whose beginnings are short of `keyLength` stand where they belong in any case.
 */
export function orderKeys(dialect: Dialect, selection: Selection, isExact: boolean): OrderKey[] {
  return selection.sort.flatMap(({ operand, descending }, index) => {
    const whole = isExact ? findWholeSortKey(dialect, operand) : undefined;
    const key: OrderKey = {
      name: `k${index}`,
      sql: whole ?? sortKey(dialect, operand),
      isDescending: descending,
      isNullable: isNullable(operand),
      isBoolean: operand.comparison === "boolean",
      at: ({ values }) => values[index] ?? null,
    };
    if (whole === undefined) return [key];
    return [{ ...key, name: `b${index}`, sql: sortKey(dialect, operand), at: (each) => beginning(key.at(each)) }, key];
  });
}

/** The place of what has such a sort value may depend on more of the text than its beginning. */
export function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.length >= keyLength;
}

/** In characters, as the database counts them. */
function beginning(value: SortValue): SortValue {
  return typeof value === "string" ? [...value].slice(0, keyLength).join("") : value;
}

/** By the names that the keys have in the select list, and `tie`. */
export function orderSql(keys: OrderKey[], { table = "", isFirstMissing = false } = {}): string {
  const terms = keys.map(
    (key) => `${table}${key.name} ${key.isDescending ? "DESC" : "ASC"}${key.isNullable ? nulls(key) : ""}`,
  );
  return `ORDER BY ${[...terms.slice(isFirstMissing ? 1 : 0), `${table}tie`].join(", ")}`;
}

function nulls(key: OrderKey): string {
  return key.isDescending ? " NULLS FIRST" : " NULLS LAST";
}

/** A stretch of the order that can be walked in an index. */
export interface Stretch extends Fragment {
  /** All its rows are without the first key, which then is nothing to sort by. */
  isFirstMissing: boolean;
}

/**
 * What comes after a position, in stretches. The rows without a first key are one of their own:
 * a condition that reaches over both is no range.
 */
export function stretchesAfter(keys: OrderKey[], after: Position): Stretch[] {
  const [key] = keys;
  if (!key) return [{ ...afterSql(keys, after, 0), isFirstMissing: false }];
  const rest = afterSql(keys, after, 1);
  const missing: Stretch = { sql: `${key.sql} IS NULL`, params: [], isFirstMissing: true };
  const value = key.at(after);
  if (value === null) {
    const tail = { ...and(missing, rest), isFirstMissing: true };
    const present = { sql: `${key.sql} IS NOT NULL`, params: [], isFirstMissing: false };
    return key.isDescending ? [tail, present] : [tail];
  }
  // Spelled with <>, which is no range: else the planner may walk two ranges, and sort.
  const from = compare(key, key.isDescending ? "<=" : ">=", value);
  const present = { ...and(from, or(compare(key, "<>", value), rest)), isFirstMissing: false };
  return key.isNullable && !key.isDescending ? [present, missing] : [present];
}

/** Strictly after the position, judged by the keys from `index` on and the id. */
function afterSql(keys: OrderKey[], after: Position, index: number): Fragment {
  const key = keys[index];
  if (!key) return { sql: "object_index.id > ?", params: [after.id] };
  const rest = afterSql(keys, after, index + 1);
  const value = key.at(after);
  const missing: Fragment = { sql: `${key.sql} IS NULL`, params: [] };
  if (value === null) {
    return key.isDescending ? or({ sql: `${key.sql} IS NOT NULL`, params: [] }, rest) : and(missing, rest);
  }
  const further = compare(key, key.isDescending ? "<" : ">", value);
  const tied = and(compare(key, "=", value), rest);
  return key.isNullable && !key.isDescending ? or(further, missing, tied) : or(further, tied);
}

function compare(key: OrderKey, operator: string, value: NonNullable<SortValue>): Fragment {
  const { sql, params } = bind(key.isBoolean ? Boolean(value) : value);
  return { sql: `${key.sql} ${operator} ${sql}`, params };
}

function and(...parts: Fragment[]): Fragment {
  return join(parts, " AND ");
}

function or(...parts: Fragment[]): Fragment {
  return join(parts, " OR ");
}

function join(parts: Fragment[], operator: string): Fragment {
  return { sql: `(${parts.map(({ sql }) => sql).join(operator)})`, params: parts.flatMap(({ params }) => params) };
}
