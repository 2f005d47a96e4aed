// The order of a selection, and where in it a page begins.
// Missing values come last ascending and first descending; ties break by id ascending, so that the order is total.

import { bind, type Fragment } from "./conditions.ts";
import { isNullable, sortKey } from "./operands.ts";
import type { Dialect } from "./port.ts";
import type { Page, Selection } from "./selection.ts";

type Position = NonNullable<Page["after"]>;
type SortValue = Position["values"][number];

export interface OrderKey {
  sql: string;
  isDescending: boolean;
  isNullable: boolean;
  isBoolean: boolean;
}

export function orderKeys(dialect: Dialect, selection: Selection): OrderKey[] {
  return selection.sort.map(({ operand, descending }) => ({
    sql: sortKey(dialect, operand),
    isDescending: descending,
    isNullable: isNullable(operand),
    isBoolean: operand.comparison === "boolean",
  }));
}

/** By the names that the keys have in the select list: `k0`, `k1` ... and `tie`. */
export function orderSql(keys: OrderKey[], table = ""): string {
  const terms = keys.map(
    (key, index) => `${table}k${index} ${key.isDescending ? "DESC" : "ASC"}${key.isNullable ? nulls(key) : ""}`,
  );
  return `ORDER BY ${[...terms, `${table}tie`].join(", ")}`;
}

function nulls(key: OrderKey): string {
  return key.isDescending ? " NULLS FIRST" : " NULLS LAST";
}

/**
 * Conditions for what comes after a position, each one a stretch of the index to walk, in their order.
 * The rows without a first key are a stretch of their own: a condition that reaches over both is no range.
 */
export function stretchesAfter(keys: OrderKey[], after: Position): Fragment[] {
  const [key] = keys;
  const rest = afterSql(keys, after, 1);
  if (!key) return [afterSql(keys, after, 0)];
  const value = after.values[0] ?? null;
  const missing = (): Fragment => ({ sql: `${key.sql} IS NULL`, params: [] });
  if (value === null) {
    const tail = and(missing(), rest);
    return key.isDescending ? [tail, { sql: `${key.sql} IS NOT NULL`, params: [] }] : [tail];
  }
  const from = compare(key, key.isDescending ? "<=" : ">=", value);
  const present = and(from, or(compare(key, key.isDescending ? "<" : ">", value), rest));
  return key.isNullable && !key.isDescending ? [present, missing()] : [present];
}

/** Strictly after the position, judged by the keys from `index` on and the id. */
function afterSql(keys: OrderKey[], after: Position, index: number): Fragment {
  const key = keys[index];
  if (!key) return { sql: "object_index.id > ?", params: [after.id] };
  const rest = afterSql(keys, after, index + 1);
  const value = after.values[index] ?? null;
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
