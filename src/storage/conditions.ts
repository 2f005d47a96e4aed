// Conditions -> SQL. A property without a value fulfils no condition: include leaves the object out, exclude keeps it.
// Values are always bound; patterns are escaped; a value of the wrong type matches nothing.

import { filterKey, keyLength, wholeValue } from "./operands.ts";
import type { Dialect, Value } from "./port.ts";
import type { Condition, Operand, Operator } from "./selection.ts";

export interface Fragment {
  sql: string;
  params: Value[];
}

const comparisons: Partial<Record<Operator, string>> = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" };
/** Each holds for a value for which the other does not. */
const opposites: Partial<Record<Operator, Operator>> = {
  ne: "eq",
  notin: "in",
  notcontains: "contains",
  notstarts: "starts",
  notends: "ends",
};
const patterns: readonly Operator[] = ["contains", "starts", "ends"];
const nothing: Fragment = { sql: "false", params: [] };

export function includeSql(dialect: Dialect, condition: Condition): Fragment {
  const { operand, operator } = condition;
  if (operator === "never") return nothing;
  const values = condition.values.filter((value) => fits(operand, value));
  if (values.length === 0) return nothing;
  return operand.comparison === "list"
    ? listSql(dialect, operand, operator, values)
    : testSql(scalarSql(dialect, operand, operator, values), operator, values);
}

export function excludeSql(dialect: Dialect, condition: Condition): Fragment {
  const { sql, params } = includeSql(dialect, condition);
  return { sql: `(${sql}) IS NOT TRUE`, params };
}

/** `draft` is in every folded entry, indexed or not. The same spelling leads the indexes made for the public. */
export function notDraftSql(dialect: Dialect): string {
  return `coalesce(${dialect.property("fold", "draft", "boolean")}, false)`;
}

function fits({ comparison }: Operand, value: Condition["values"][number]): boolean {
  if (comparison === "number") return typeof value === "number";
  if (comparison === "boolean") return typeof value === "boolean";
  return typeof value === "string";
}

/** The short key, which may be indexed, wherever it tells as much as the whole value. */
function scalarSql(dialect: Dialect, operand: Operand, operator: Operator, values: Condition["values"]): string {
  const isPattern = patterns.includes(opposites[operator] ?? operator);
  const isLong = values.some((value) => typeof value === "string" && value.length >= keyLength);
  return isPattern || isLong ? wholeValue(dialect, operand) : filterKey(dialect, operand);
}

function listSql(dialect: Dialect, operand: Operand, operator: Operator, values: Condition["values"]): Fragment {
  const isIndexed = operand.source === "index";
  const element = isIndexed ? "element.value" : dialect.foldCase("element.value");
  const any = (positive: Operator): Fragment => {
    if (isIndexed && (positive === "eq" || positive === "in")) {
      const has = values.map((value) => dialect.listHas(operand.property, String(value)));
      return { sql: `(${has.map(({ sql }) => sql).join(" OR ")})`, params: has.flatMap(({ params }) => params) };
    }
    const { sql, params } = testSql(element, positive, values);
    return { sql: dialect.anyElement(isIndexed ? "fold" : "doc", operand.property, sql), params };
  };
  const opposite = opposites[operator];
  if (opposite) {
    const { sql, params } = any(opposite);
    const isThere = isIndexed
      ? `${wholeValue(dialect, operand)} IS NOT NULL`
      : dialect.anyElement("doc", operand.property, "true");
    return { sql: `(${isThere} AND NOT ${sql})`, params };
  }
  return ["lt", "lte", "gt", "gte"].includes(operator) ? nothing : any(operator);
}

function testSql(value: string, operator: Operator, values: Condition["values"]): Fragment {
  const bound = values.map(bind);
  const first = bound[0] as Fragment;
  const comparison = comparisons[operator];
  if (comparison) return { sql: `${value} ${comparison} ${first.sql}`, params: first.params };
  if (operator === "in" || operator === "notin") {
    const list = bound.map(({ sql }) => sql).join(", ");
    const params = bound.flatMap((each) => each.params);
    return { sql: `${value} ${operator === "in" ? "IN" : "NOT IN"} (${list})`, params };
  }
  if (typeof values[0] !== "string") return nothing;
  const opposite = opposites[operator];
  const like = opposite ? "NOT LIKE" : "LIKE";
  return { sql: `${value} ${like} ? ESCAPE '\\'`, params: [pattern(opposite ?? operator, values[0])] };
}

/** Booleans are literals: the engines bind them differently. */
export function bind(value: string | number | boolean): Fragment {
  return typeof value === "boolean" ? { sql: String(value), params: [] } : { sql: "?", params: [value] };
}

function pattern(operator: Operator, text: string): string {
  const escaped = text.replace(/[\\%_]/g, "\\$&");
  return `${operator === "starts" ? "" : "%"}${escaped}${operator === "ends" ? "" : "%"}`;
}
