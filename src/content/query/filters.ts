// From parameters to a Selection: `filter[p][op]=v`, the clauses of `include` and `exclude`, `search` and `sort`.
// Every name is looked up in the schema, every value is typed; invalid ones are refused, naming the parameter.

import { lettersToFold } from "#base/text.ts";
import { type FilterOperator, filterOperators } from "#contract/queries.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Condition, Selection } from "#storage/query/selection.ts";
import { addCondition, type Conditions, emptyCondition, never } from "./conditions.ts";
import { entryColumns, findOperand, type Naming, presenceOperand, refuseName } from "./operands.ts";
import { checkText, findText, type Params, readChoice, refuse, shown } from "./parameters.ts";
import { parseSearch } from "./search-words.ts";
import { parseSort } from "./sorting.ts";

const maxConditions = 64;
/** Conditions on properties outside the index, for callers that may read only because the public may: each reads all documents. */
const maxPublicReads = 8;
const maxValues = 100;
const maxValueLength = 1_000;
/** Characters beyond ASCII that must be folded in a document to compare it with a value. */
const maxLetters = 200;

/** The collection to select from, and the caller's rights on it. */
export interface Source {
  collection: string;
  schema: FlatSchema;
  hideDrafts: boolean;
  /** The caller may read it only because the public may. */
  isPublic: boolean;
  /** A reserved collection that does not exist yet. */
  isVirtual: boolean;
}

/** The list: whole objects, the newest first, or by relevance when it searches. */
export function readListSelection(params: Params, source: Source): Selection {
  const order = readChoice(params, "order", ["asc", "desc"], "desc");
  const isByRelevance = findSearchText(params) !== undefined && params.order === undefined;
  return select(params, source, {
    conditions: readFilter(params, source),
    fallbackSort: isByRelevance ? "" : "created",
    isDescending: order === "desc",
  });
}

export interface QuerySelection {
  selection: Selection;
  /** Columns of each entry, in order. */
  columns: string[];
  /** The caller chose the columns. */
  isProjected: boolean;
}

/** Query and index: they show indexed properties, by id, or by relevance when they search. */
export function readQuerySelection(params: Params, source: Source): QuerySelection {
  const conditions = readFilter(params, source);
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const side of ["include", "exclude"] as const) {
    for (const clause of readClauses(params, side)) {
      if (clause.text === undefined) (side === "include" ? kept : dropped).push(checkColumn(source, side, clause.name));
      else addClause(conditions, side, source, clause);
    }
  }
  const columns = kept.length > 0 ? [...new Set(["id", ...kept])] : entryColumns(source.schema);
  return {
    selection: select(params, source, { conditions, fallbackSort: "", isDescending: false }),
    columns: columns.filter((name) => !dropped.includes(name)),
    isProjected: kept.length > 0 || dropped.length > 0,
  };
}

/** Reports: filters only, by id; a bare name means true. */
export function readReportSelection(params: Params, source: Source): Selection {
  return { ...scope(source, addTests(params, source, noConditions())), sort: [] };
}

/** Exports: the same, and `filter` and `search` as lists take them; by id. */
export function readExportSelection(params: Params, source: Source): Selection {
  const { filter, search } = params;
  const conditions = addTests(params, source, readFilter({ filter }, source));
  const fallbackSort = findSearchText(params) === undefined ? "" : "id";
  return select({ search }, source, { conditions, fallbackSort, isDescending: false });
}

function addTests(params: Params, source: Source, conditions: Reading): Reading {
  for (const side of ["include", "exclude"] as const) {
    for (const clause of readClauses(params, side))
      addClause(conditions, side, source, { ...clause, text: clause.text ?? "true" });
  }
  return conditions;
}

/** The conditions so far, and the letters to fold in documents for them. */
type Reading = Conditions & { letters: Set<string> };

function noConditions(): Reading {
  return { include: [], exclude: [], letters: new Set() };
}

interface Asked {
  conditions: Conditions;
  /** Empty: by relevance, or by id. */
  fallbackSort: string;
  isDescending: boolean;
}

function select(params: Params, source: Source, asked: Asked): Selection {
  const { conditions } = asked;
  const text = findSearchText(params);
  const search = text === undefined ? undefined : parseSearch(text);
  if (search?.terms.length === 0) conditions.include.push(never);
  const sort = findText(params, "sort") ?? asked.fallbackSort;
  return {
    ...scope(source, conditions),
    ...(search && search.terms.length > 0 && { search }),
    ...parseSort(namingOf(source, "sort"), sort, asked.isDescending),
  };
}

function findSearchText(params: Params): string | undefined {
  return findText(params, "search")?.trim() || undefined;
}

function scope(source: Source, conditions: Conditions): Omit<Selection, "sort"> {
  if (source.isVirtual) conditions.include.push(never);
  const { collection, hideDrafts, isPublic } = source;
  const { include, exclude } = conditions;
  return { collection, include, exclude, hideDrafts, ...(isPublic && { isPublic }) };
}

function namingOf({ schema }: Source, parameter: string): Naming {
  return { schema, parameter };
}

function readFilter(params: Params, source: Source): Reading {
  const conditions = noConditions();
  const { filter } = params;
  if (filter === undefined || filter === "") return conditions;
  if (!isNested(filter)) refuse("filter", "filter is written filter[property]=value.");
  for (const [name, asked] of Object.entries(filter)) {
    const tests = isNested(asked) ? Object.entries(asked) : [["eq", asked] as const];
    // A name is looked up also where nothing is asked of it.
    findOperand(namingOf(source, "filter"), name);
    for (const [operator, value] of tests) {
      if (!isOperator(operator)) refuse("filter", `There is no operator ${shown(operator)}.`);
      addTest(conditions, source, { name, operator, text: checkText("filter", value), parameter: "filter" });
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

function addClause(conditions: Reading, side: keyof Conditions, source: Source, clause: Clause): void {
  const { name, operator, text = "" } = clause;
  addTest(conditions, source, { name: name.trim(), operator, text, parameter: side });
}

interface NamedTest {
  name: string;
  operator: FilterOperator;
  text: string;
  parameter: "filter" | keyof Conditions;
}

function addTest(conditions: Reading, source: Source, { name, operator, text, parameter }: NamedTest): void {
  const naming = namingOf(source, parameter);
  const side = parameter === "exclude" ? "exclude" : "include";
  const operand = findOperand(naming, name);
  checkValue(parameter, text);
  if (operator === "empty") conditions[side].push(emptyCondition(parameter, presenceOperand(naming, name), text));
  else addCondition(conditions, side, { operand, operator, text });
  checkSize(conditions, parameter, source);
}

/** One value may be as long as this; `in` and `notin` take several. */
function checkValue(parameter: string, text: string): void {
  const parts = text.split("|", maxValues + 1);
  if (parts.some((part) => part.length > maxValueLength))
    refuse(parameter, `A value of ${parameter} may have at most ${maxValueLength} characters.`);
}

function checkColumn(source: Source, parameter: string, name: string): string {
  const isColumn = entryColumns(source.schema).includes(name);
  return isColumn ? name : refuseName(namingOf(source, parameter), name, "indexed property");
}

/** After each condition, so that the error names the parameter that was too much. */
function checkSize({ include, exclude, letters }: Reading, parameter: string, { isPublic }: Source): void {
  const all = [...include, ...exclude];
  if (all.length > maxConditions) refuse(parameter, `At most ${maxConditions} conditions can be combined.`);
  const last = [...include.slice(-1), ...exclude.slice(-1)];
  if (last.some(({ values }) => values.length > maxValues))
    refuse(parameter, `in and notin take at most ${maxValues} values.`);
  const reads = all.filter(isRead);
  if (isPublic && reads.length > maxPublicReads) {
    const limit = `At most ${maxPublicReads} conditions on properties outside the index can be combined without a right to read of one's own.`;
    refuse(parameter, `${limit} Use fewer, or put the properties into the index.`);
  }
  for (const letter of lettersToFold(last.filter(isRead).flatMap(({ values }) => values.map(String))))
    letters.add(letter);
  if (letters.size > maxLetters)
    refuse(parameter, `Values for properties outside the index may have at most ${maxLetters} different letters.`);
}

function isRead({ operand }: Condition): boolean {
  return operand.source === "document";
}
