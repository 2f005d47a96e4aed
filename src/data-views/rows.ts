// Queries over the rows of a data view, in memory: filters, search, sort, a page. The syntax is that of collections, but
// a view has no schema, so values are compared by their own types: numbers, booleans, dates and texts. Pure.

import { foldCase, foldWords } from "#base/text.ts";
import { readEmpty } from "#content/query/conditions.ts";
import { readGroups } from "#content/query/filter-groups.ts";
import { type Clause, readClauses } from "#content/query/filters.ts";
import { findText, type Params, readPaging, refuse, shown } from "#content/query/parameters.ts";
import { parseRelativeDate } from "#content/query/relative-dates.ts";
import { parseSearch } from "#content/query/search-words.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { queryLimit } from "#contract/queries.ts";

export interface RowPage {
  rows: JsonObject[];
  count: number;
  total: number;
  limit: number;
  offset: number;
}

const maxSortKeys = 5;
const maxClauses = 64;

/** `limits`: different from those of a query over HTTP. */
export function queryRows(
  rows: readonly JsonObject[],
  params: Params,
  limits: { default: number; max: number } = queryLimit,
): RowPage {
  const { limit, offset } = readPaging(params, limits);
  const filter = filterOf(params);
  const [include, exclude] = [clausesOf(params, "include"), clausesOf(params, "exclude")];
  const search = findText(params, "search")?.trim();
  const finds = search ? searcher(search) : () => true;
  const found = rows.filter(
    (row) =>
      include.tests.every((test) => test(row)) && !exclude.tests.some((test) => test(row)) && filter(row) && finds(row),
  );
  const order = findText(params, "sort");
  if (order) found.sort(sorter(order));
  const page = found.slice(offset, offset + limit).map((row) => project(row, include.names, exclude.names));
  return { rows: page, count: page.length, total: found.length, limit, offset };
}

/** A nested value: `a.b`. */
function valueAt(row: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(row, path)) return row[path];
  let value: Json | undefined = row;
  for (const part of path.split("."))
    value = isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

type Test = (row: JsonObject) => boolean;

function filterOf(params: Params): Test {
  let conditions = 0;
  const parts = readGroups<Test>(params.filter, {
    test(name, operator, { texts, isList }) {
      conditions++;
      if (conditions > maxClauses) refuse("filter", `At most ${maxClauses} conditions can be combined.`);
      return testOf({ name, operator, text: texts[0] ?? "", values: isList ? texts : undefined }, "filter");
    },
    all: (all) => (row) => all.every((test) => test(row)),
    any: (any) => (row) => any.some((test) => test(row)),
    not: (not) => (row) => !not(row),
    // A view has no schema: groups come first.
    isProperty: () => false,
  });
  return (row) => parts.every((test) => test(row));
}

/** A clause with a value is a test, a bare name chooses a column. */
function clausesOf(params: Params, side: "include" | "exclude"): { tests: Test[]; names: string[] } {
  const clauses = readClauses(params, side);
  if (clauses.length > maxClauses) refuse(side, `At most ${maxClauses} conditions can be combined.`);
  return {
    tests: clauses.filter(({ text }) => text !== undefined).map((clause) => testOf(clause, side)),
    names: clauses.filter(({ text }) => text === undefined).map(({ name }) => name),
  };
}

/** Clauses separate several values by bars; a filter may give a list. */
function testOf(clause: Clause & { values?: string[] | undefined }, side: string): Test {
  const { name, operator } = clause;
  const asked = clause.text ?? "";
  if (operator === "empty") {
    const isWanted = readEmpty(side, asked);
    return (row) => isEmpty(valueAt(row, name)) === isWanted;
  }
  const text = parseRelativeDate(asked, new Date()) ?? asked;
  const wanted = clause.values ?? (operator === "in" || operator === "notin" ? text.split("|") : [text]);
  const isOne = (value: Json) => wanted.some((one) => isEqual(value, one));
  const tests: Record<Exclude<Clause["operator"], "empty">, (value: Json) => boolean> = {
    eq: (value) => matches(value, text),
    ne: (value) => !matches(value, text),
    in: isOne,
    notin: (value) => !isOne(value),
    lt: (value) => isOrdered(value, text, (order) => order < 0),
    lte: (value) => isOrdered(value, text, (order) => order <= 0),
    gt: (value) => isOrdered(value, text, (order) => order > 0),
    gte: (value) => isOrdered(value, text, (order) => order >= 0),
    contains: (value) => foldCase(String(value)).includes(foldCase(text)),
    starts: (value) => foldCase(String(value)).startsWith(foldCase(text)),
    ends: (value) => foldCase(String(value)).endsWith(foldCase(text)),
  };
  const test = tests[operator];
  const isNegative = operator === "ne" || operator === "notin";
  return (row) => {
    const value = valueAt(row, name);
    if (value === undefined || value === null) return false;
    if (!Array.isArray(value)) return test(value);
    return isNegative ? value.every(test) : value.some(test);
  };
}

function isEmpty(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}

/** `x*`, `*x` and `*x*` as on collections. */
function matches(value: Json, text: string): boolean {
  const isOpenLeft = text.length > 1 && text.startsWith("*");
  const isOpenRight = text.endsWith("*");
  if (typeof value !== "string" || !(isOpenLeft || isOpenRight)) return isEqual(value, text);
  const part = foldCase(text.slice(isOpenLeft ? 1 : 0, isOpenRight ? -1 : undefined));
  const whole = foldCase(value);
  if (isOpenLeft && isOpenRight) return whole.includes(part);
  return isOpenLeft ? whole.endsWith(part) : whole.startsWith(part);
}

function isEqual(value: Json, text: string): boolean {
  if (typeof value === "number") return text.trim() !== "" && Number(text) === value;
  return foldCase(String(value)) === foldCase(text);
}

function isOrdered(value: Json, text: string, holds: (order: number) => boolean): boolean {
  const wanted = typeof value === "number" ? Number(text) : text;
  if (typeof value === "number" && (text.trim() === "" || Number.isNaN(wanted))) return false;
  return (typeof value === "number" || typeof value === "string") && holds(compare(value, wanted));
}

function compare(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [foldCase(String(a)), foldCase(String(b))];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Missing values come last ascending and first descending; equal rows keep the order of the view. */
function sorter(text: string): (a: JsonObject, b: JsonObject) => number {
  const keys = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parseKey);
  if (keys.length > maxSortKeys) refuse("sort", `sort takes at most ${maxSortKeys} properties.`);
  return (a, b) => {
    for (const { name, isDescending } of keys) {
      const [left, right] = [valueAt(a, name) ?? null, valueAt(b, name) ?? null];
      const order =
        left === null || right === null ? Number(left === null) - Number(right === null) : compare(left, right);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
}

function parseKey(part: string): { name: string; isDescending: boolean } {
  const [, minus, name = "", direction] = /^(-?)([^:]+?)(?::(asc|desc))?$/.exec(part) ?? [];
  if (name === "" || (minus && direction)) refuse("sort", `${shown(part)} is not a sort order.`);
  return { name, isDescending: minus === "-" || direction === "desc" };
}

/** Every term, or any with `or` between them, at the start of a word of any text in the row. */
function searcher(text: string): Test {
  const { terms, mode } = parseSearch(text);
  return (row) => {
    const words = ` ${foldWords(textsIn(row).join(" "))}`;
    const isThere = (term: string[]) => words.includes(` ${term.join(" ")}`);
    return terms.length > 0 && (mode === "or" ? terms.some(isThere) : terms.every(isThere));
  };
}

function textsIn(value: Json): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function project(row: JsonObject, kept: string[], dropped: string[]): JsonObject {
  if (kept.length + dropped.length === 0) return row;
  const names =
    kept.length > 0 ? Object.keys(row).filter((name) => name === "id" || kept.includes(name)) : Object.keys(row);
  return Object.fromEntries(names.filter((name) => !dropped.includes(name)).map((name) => [name, row[name] as Json]));
}
