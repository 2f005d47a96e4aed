// Conditions -> SQL. A property without a value fulfils no condition: include leaves the object out, exclude keeps it.
// Values are always bound; patterns are escaped; a value of the wrong type matches nothing.

import type { Dialect, Fragment } from "#storage/port.ts";
import { documentValue, filterKey, keyLength, namesOf, wholeValue } from "./operands.ts";
import type { Condition, Filter, Operand, Operator, Selection, Shape } from "./selection.ts";

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

/** All of `include` and `groups` must hold, and none of `exclude`. */
export function conditionsSql(
  dialect: Dialect,
  { collection, include, exclude, groups = [] }: Pick<Selection, Side | "collection" | "groups">,
): Fragment[] {
  const all = [...include.map((each) => sided(each, "include")), ...exclude.map((each) => sided(each, "exclude"))];
  const ofDocuments = Map.groupBy(all.filter(isOfDocument), ({ operand }) => operand.property);
  return [
    ...all
      .filter((each) => !isOfDocument(each))
      .map((each) => onSide(each.side, conditionSql(dialect, collection, each))),
    ...[...ofDocuments.values()].map((tests) => documentSql(dialect, tests)),
    ...groups.map((group) => filterSql(dialect, collection, group)),
  ];
}

/** All conditions in a filter. */
export function conditionsIn(filter: Filter): Condition[] {
  if ("all" in filter) return filter.all.flatMap(conditionsIn);
  if ("any" in filter) return filter.any.flatMap(conditionsIn);
  return "not" in filter ? conditionsIn(filter.not) : [filter];
}

function filterSql(dialect: Dialect, collection: string, filter: Filter): Fragment {
  if ("not" in filter) return onSide("exclude", filterSql(dialect, collection, filter.not));
  if (!("all" in filter || "any" in filter)) return conditionSql(dialect, collection, filter);
  const isAll = "all" in filter;
  const parts = (isAll ? filter.all : filter.any).map((part) => filterSql(dialect, collection, part));
  if (parts.length === 0) return isAll ? { sql: "true", params: [] } : nothing;
  const sql = parts.map((part) => `(${part.sql})`).join(isAll ? " AND " : " OR ");
  return { sql: `(${sql})`, params: parts.flatMap(({ params }) => params) };
}

function conditionSql(dialect: Dialect, collection: string, condition: Condition): Fragment {
  const { within, ...operand } = condition.operand;
  const [outer, ...inner] = within ?? [];
  if (outer) {
    const below = { ...operand, ...(inner.length > 0 && { within: inner }) };
    return nestedSql(dialect, collection, { outer, condition: { ...condition, operand: below } });
  }
  return isOfDocument(condition)
    ? documentSql(dialect, [sided(condition, "include")])
    : includeSql(dialect, collection, condition);
}

interface Nested {
  outer: Shape;
  condition: Condition;
}

/**
 * Any item of a deck, or the card. The item stands for the document, by its name `doc`. As for lists, `ne` holds when
 * there is a value and none equals; a property of a card that is not there is empty.
 */
function nestedSql(dialect: Dialect, collection: string, { outer, condition }: Nested): Fragment {
  const items = dialect.items(namesOf(outer), outer.isDeck);
  const any = (inner: Condition): Fragment => {
    const { sql, params } = conditionSql(dialect, collection, inner);
    return { sql: `EXISTS (SELECT 1 FROM (${items}) AS item WHERE ${sql})`, params };
  };
  const { operator, values } = condition;
  if (operator === "empty" && values[0] === true && !outer.isDeck) {
    const filled = any({ ...condition, values: [false] });
    return { sql: `NOT ${filled.sql}`, params: filled.params };
  }
  const opposite = opposites[operator];
  const some = any(condition);
  if (!opposite) return some;
  const equal = any({ ...condition, operator: opposite });
  return { sql: `(${some.sql} AND NOT ${equal.sql})`, params: [...some.params, ...equal.params] };
}

export function includeSql(dialect: Dialect, collection: string, condition: Condition): Fragment {
  const { operand, operator } = condition;
  if (operator === "empty") return emptySql(dialect, condition);
  const values = fittingValues(condition);
  if (values.length === 0) return nothing;
  return operand.comparison === "list"
    ? listSql(dialect, collection, { operand, operator, values })
    : testSql(scalarSql(dialect, operand, operator, values), operator, values);
}

type Side = "include" | "exclude";
type Sided = Condition & { side: Side };

function sided(condition: Condition, side: Side): Sided {
  return { ...condition, side };
}

function onSide(side: Side, { sql, params }: Fragment): Fragment {
  return side === "include" ? { sql, params } : { sql: `(${sql}) IS NOT TRUE`, params };
}

function isOfDocument({ operand, operator }: Condition): boolean {
  return operand.source === "document" && !operand.within && operand.comparison !== "list" && operator !== "empty";
}

/** Columns always have a value. */
function emptySql(dialect: Dialect, { operand, values }: Condition): Fragment {
  const { source } = operand;
  if (source === "column") return { sql: String(values[0] === false), params: [] };
  const each = namesOf(operand).map((name) => dialect.isEmpty(source === "index" ? "idx" : "doc", name));
  const sql = `(${each.join(" AND ")})`;
  return { sql: values[0] === true ? sql : `NOT ${sql}`, params: [] };
}

/** All conditions on one property of the document, which is read and folded once for them. The limit keeps it so. */
function documentSql(dialect: Dialect, tests: readonly Sided[]): Fragment {
  const { operand } = tests[0] as Sided;
  const value = documentValue(dialect, operand, tests.flatMap(textsOf));
  const isText = operand.comparison === "text" || operand.comparison === "date";
  const read = isText ? dialect.wholeText("property.value") : "property.value";
  const parts = tests.map((test) => {
    const values = fittingValues(test);
    return onSide(test.side, values.length === 0 ? nothing : testSql(read, test.operator, values));
  });
  return {
    sql: `(SELECT ${parts.map(({ sql }) => sql).join(" AND ")} FROM (SELECT ${value.sql} AS value LIMIT 1) AS property)`,
    params: [...parts.flatMap(({ params }) => params), ...value.params],
  };
}

function textsOf({ values }: Condition): string[] {
  return values.filter((value) => typeof value === "string");
}

function fittingValues({ operand, operator, values }: Condition): Condition["values"] {
  return operator === "never" ? [] : values.filter((value) => fits(operand, value));
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

/** What it compares is a column, or a key that an index can have; for values beyond the length of keys it is more. */
export function isByKey({ operand, operator }: Condition): boolean {
  const { source, comparison, within } = operand;
  if (operator === "never") return true;
  if (operator === "empty" || patterns.includes(opposites[operator] ?? operator)) return false;
  return source === "column" || (source === "index" && !within && comparison !== "list" && comparison !== "presence");
}

/** The short key, which may be indexed, wherever it decides as well as the whole value. */
function scalarSql(dialect: Dialect, operand: Operand, operator: Operator, values: Condition["values"]): string {
  const isPattern = patterns.includes(opposites[operator] ?? operator);
  const isLong = values.some((value) => typeof value === "string" && value.length >= keyLength);
  return isPattern || isLong ? wholeValue(dialect, operand) : filterKey(dialect, operand);
}

function listSql(dialect: Dialect, collection: string, { operand, operator, values }: Condition): Fragment {
  const isIndexed = operand.source === "index";
  const names = namesOf(operand);
  const element: Fragment = isIndexed
    ? { sql: "element.value", params: [] }
    : dialect.foldCase("element.value", values.map(String));
  const any = (positive: Operator): Fragment => {
    if (isIndexed && (positive === "eq" || positive === "in")) {
      const has = values.flatMap((value) => names.map((name) => dialect.listHas(collection, name, String(value))));
      return { sql: `(${has.map(({ sql }) => sql).join(" OR ")})`, params: has.flatMap(({ params }) => params) };
    }
    const { sql, params } = testSql(element.sql, positive, values);
    const each = names.map((name) => dialect.anyElement(isIndexed ? "fold" : "doc", name, sql));
    return { sql: `(${each.join(" OR ")})`, params: names.flatMap(() => [...element.params, ...params]) };
  };
  const opposite = opposites[operator];
  if (opposite) {
    const { sql, params } = any(opposite);
    const isThere = isIndexed
      ? `${wholeValue(dialect, operand)} IS NOT NULL`
      : `(${names.map((name) => dialect.anyElement("doc", name, "true")).join(" OR ")})`;
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

export function containsSql(value: string, text: string): Fragment {
  return testSql(value, "contains", [text]);
}

/** Booleans are literals: the engines bind them differently. */
export function bind(value: string | number | boolean): Fragment {
  return typeof value === "boolean" ? { sql: String(value), params: [] } : { sql: "?", params: [value] };
}

function pattern(operator: Operator, text: string): string {
  const escaped = text.replace(/[\\%_]/g, "\\$&");
  return `${operator === "starts" ? "" : "%"}${escaped}${operator === "ends" ? "" : "%"}`;
}
