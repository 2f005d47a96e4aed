// From parameters to a Selection: `filter[p][op]=v`, the clauses of `include` and `exclude`, `search` and `sort`.
// Every name is looked up in the schema, every value is typed; what cannot be read is refused, naming the parameter.

import type { FlatSchema } from "#content/schema-types.ts";
import { type FilterOperator, filterOperators } from "#contract/queries.ts";
import type { Selection } from "#storage/selection.ts";
import { addCondition, type Conditions, never } from "./conditions.ts";
import { entryColumns, findOperand, type Naming, refuseName } from "./operands.ts";
import { checkText, findText, type Params, readChoice, refuse, shown } from "./parameters.ts";
import { parseSearch } from "./search-words.ts";
import { parseSort } from "./sorting.ts";

const maxConditions = 64;
const maxValues = 100;

/** Where to select from, and for whom. */
export interface Source {
  collection: string;
  schema: FlatSchema;
  hideDrafts: boolean;
  /** A reserved collection that does not exist yet. */
  isVirtual: boolean;
}

/** The list: whole objects, the newest first, or by relevance when it searches. */
export function readListSelection(params: Params, source: Source): Selection {
  const order = readChoice(params, "order", ["asc", "desc"], "desc");
  const isByRelevance = findSearchText(params) !== undefined && params.order === undefined;
  return select(params, source, {
    conditions: readFilter(params, namingOf(source, "filter")),
    fallbackSort: isByRelevance ? "" : "created",
    isDescending: order === "desc",
  });
}

export interface QuerySelection {
  selection: Selection;
  /** What to show of each entry, in order. */
  columns: string[];
  /** The columns are the caller's choice. */
  isProjected: boolean;
}

/** Query and index: they show indexed properties, by id, or by relevance when they search. */
export function readQuerySelection(params: Params, source: Source): QuerySelection {
  const conditions = readFilter(params, namingOf(source, "filter"));
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const side of ["include", "exclude"] as const) {
    for (const clause of readClauses(params, side)) {
      if (clause.text === undefined) (side === "include" ? kept : dropped).push(checkColumn(source, side, clause.name));
      else addClause(conditions, side, namingOf(source, side), clause);
    }
  }
  const columns = kept.length > 0 ? [...new Set(["id", ...kept])] : entryColumns(source.schema);
  return {
    selection: select(params, source, { conditions, fallbackSort: "", isDescending: false }),
    columns: columns.filter((name) => !dropped.includes(name)),
    isProjected: kept.length > 0 || dropped.length > 0,
  };
}

/** Reports: filters only, by id; a bare name asks for true. */
export function readReportSelection(params: Params, source: Source): Selection {
  const conditions: Conditions = { include: [], exclude: [] };
  for (const side of ["include", "exclude"] as const) {
    const naming = namingOf(source, side);
    for (const clause of readClauses(params, side))
      addClause(conditions, side, naming, { ...clause, text: clause.text ?? "true" });
  }
  return { ...scope(source, conditions), sort: [] };
}

interface Reading {
  conditions: Conditions;
  /** Empty: by relevance, or by id. */
  fallbackSort: string;
  isDescending: boolean;
}

function select(params: Params, source: Source, reading: Reading): Selection {
  const { conditions } = reading;
  const text = findSearchText(params);
  const search = text === undefined ? undefined : parseSearch(text);
  if (search?.terms.length === 0) conditions.include.push(never);
  const sort = findText(params, "sort") ?? reading.fallbackSort;
  return {
    ...scope(source, conditions),
    ...(search && search.terms.length > 0 && { search }),
    ...parseSort(namingOf(source, "sort"), sort, reading.isDescending),
  };
}

function findSearchText(params: Params): string | undefined {
  return findText(params, "search")?.trim() || undefined;
}

function scope(source: Source, conditions: Conditions): Omit<Selection, "sort"> {
  if (source.isVirtual) conditions.include.push(never);
  return { collection: source.collection, ...checkSize(conditions), hideDrafts: source.hideDrafts };
}

function namingOf({ schema }: Source, parameter: string): Naming {
  return { schema, parameter };
}

function readFilter(params: Params, naming: Naming): Conditions {
  const conditions: Conditions = { include: [], exclude: [] };
  const { filter } = params;
  if (filter === undefined || filter === "") return conditions;
  if (!isNested(filter)) refuse("filter", "filter is written filter[property]=value.");
  for (const [name, asked] of Object.entries(filter)) {
    const operand = findOperand(naming, name);
    const tests = isNested(asked) ? Object.entries(asked) : [["eq", asked] as const];
    for (const [operator, value] of tests) {
      if (!isOperator(operator)) refuse("filter", `There is no operator ${shown(operator)}.`);
      addCondition(conditions, "include", { operand, operator, text: checkText("filter", value) });
    }
  }
  return conditions;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOperator(word: string): word is FilterOperator {
  return (filterOperators as readonly string[]).includes(word);
}

export interface Clause {
  name: string;
  operator: FilterOperator;
  /** undefined: a bare name. */
  text: string | undefined;
}

/** `name`, `name:value` or `name:operator:value`, separated by commas. A value may hold colons. */
export function readClauses(params: Params, parameter: string): Clause[] {
  const clauses = (findText(params, parameter) ?? "").split(",").map((clause) => clause.trim());
  return clauses.filter((clause) => clause !== "").map(parseClause);
}

function parseClause(clause: string): Clause {
  const [name = "", ...parts] = clause.split(":");
  if (parts.length === 0) return { name, operator: "eq", text: undefined };
  const [first = "", ...rest] = parts;
  if (rest.length > 0 && isOperator(first)) return { name, operator: first, text: rest.join(":") };
  return { name, operator: "eq", text: parts.join(":") };
}

function addClause(conditions: Conditions, side: keyof Conditions, naming: Naming, clause: Clause): void {
  const operand = findOperand(naming, clause.name.trim());
  addCondition(conditions, side, { operand, operator: clause.operator, text: clause.text ?? "" });
}

function checkColumn(source: Source, parameter: string, name: string): string {
  const isColumn = entryColumns(source.schema).includes(name);
  return isColumn ? name : refuseName(namingOf(source, parameter), name, "indexed property");
}

function checkSize(conditions: Conditions): Conditions {
  const all = [...conditions.include, ...conditions.exclude];
  if (all.length > maxConditions) refuse("filter", `At most ${maxConditions} conditions can be combined.`);
  if (all.some(({ values }) => values.length > maxValues))
    refuse("filter", `in and notin take at most ${maxValues} values.`);
  return conditions;
}
