// From parameters to a Selection: `filter[p][op]=v`, the clauses of `include` and `exclude`, `search` and `sort`.
// Every name is looked up in the schema, every value is typed; invalid ones are refused, naming the parameter.

import { lettersToFold } from "#base/text.ts";
import type { FilterOperator } from "#contract/queries.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { conditionsIn } from "#storage/query/conditions.ts";
import type { Condition, Filter, Selection } from "#storage/query/selection.ts";
import { emptyCondition, filterOf, never } from "./conditions.ts";
import { type AskedValue, isOperator, readGroups } from "./filter-groups.ts";
import { entryColumns, findChoices, findOperand, type Naming, presenceOperand, refuseName } from "./operands.ts";
import { findText, type Params, readChoice, refuse, shown } from "./parameters.ts";
import { isRelativeDate } from "./relative-dates.ts";
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
  /** ISO time that dates relative to now count from; undefined where answers are kept, and such dates are refused. */
  now?: (() => string) | undefined;
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

/** The conditions so far, and how much they ask for. */
interface Reading {
  include: Condition[];
  exclude: Condition[];
  groups: Filter[];
  conditions: number;
  /** Conditions on properties outside the index. */
  reads: number;
  /** To fold in documents. */
  letters: Set<string>;
  isRelative: boolean;
}

function noConditions(): Reading {
  const size = { conditions: 0, reads: 0, letters: new Set<string>(), isRelative: false };
  return { include: [], exclude: [], groups: [], ...size };
}

interface Asked {
  conditions: Reading;
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

function scope(source: Source, conditions: Reading): Omit<Selection, "sort"> {
  if (source.isVirtual) conditions.include.push(never);
  const { collection, hideDrafts, isPublic } = source;
  const { include, exclude, groups, isRelative } = conditions;
  return {
    ...{ collection, include, exclude, hideDrafts },
    ...(groups.length > 0 && { groups }),
    ...(isPublic && { isPublic }),
    ...(isRelative && { isRelative }),
  };
}

function namingOf({ schema }: Source, parameter: string): Naming {
  return { schema, parameter };
}

function readFilter(params: Params, source: Source): Reading {
  const reading = noConditions();
  const parts = readGroups<Filter>(params.filter, {
    test: (name, operator, value) => testOf(reading, source, { name, operator, value, parameter: "filter" }),
    all: (all) => (all.length === 1 ? (all[0] as Filter) : { all }),
    any: (any) => (any.length === 1 ? (any[0] as Filter) : { any }),
    not: (not) => ({ not }),
    isProperty: (name) => source.schema.properties.has(name),
  });
  for (const part of parts) addPart(reading, part);
  return reading;
}

/** Plain conditions stay plain: indexes are made for these. */
function addPart(reading: Reading, part: Filter): void {
  if ("all" in part) for (const each of part.all) addPart(reading, each);
  else if ("any" in part) reading.groups.push(part);
  else if (!("not" in part)) reading.include.push(part);
  else if ("operand" in part.not) reading.exclude.push(part.not);
  else if ("any" in part.not) for (const not of part.not.any) addPart(reading, { not });
  else reading.groups.push(part);
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

function addClause(reading: Reading, side: "include" | "exclude", source: Source, clause: Clause): void {
  const { name, operator, text = "" } = clause;
  const value = { texts: [text], isList: false };
  const part = testOf(reading, source, { name: name.trim(), operator, value, parameter: side });
  addPart(reading, side === "include" ? part : { not: part });
}

interface NamedTest {
  name: string;
  operator: FilterOperator;
  value: AskedValue;
  parameter: "filter" | "include" | "exclude";
}

function testOf(reading: Reading, source: Source, { name, operator, value, parameter }: NamedTest): Filter {
  const naming = namingOf(source, parameter);
  const operand = findOperand(naming, name);
  checkValue(parameter, value);
  const text = value.texts[0] ?? "";
  if (operator === "empty") {
    const filter = emptyCondition(parameter, presenceOperand(naming, name), text);
    return counted(reading, filter, { parameter, source });
  }
  if (!operand) return refuseKind(naming, name);
  const choices = findChoices(naming, name);
  const filter = filterOf({ operand, operator, value, name, parameter, choices, now: source.now });
  if (operand.comparison === "date" && value.texts.some(isRelativeDate)) reading.isRelative = true;
  return counted(reading, filter, { parameter, source });
}

function refuseKind({ schema, parameter }: Naming, name: string): never {
  const [first] = schema.properties.get(name)?.item?.properties.keys() ?? [];
  const advice = first === undefined ? "" : ` Name a property inside it, such as ${name}.${first}.`;
  refuse(parameter, `The property ${shown(name)} has no value that can be compared; only empty applies.${advice}`);
}

/** One value may be as long as this; `in` and `notin` take several. */
function checkValue(parameter: string, { texts, isList }: AskedValue): void {
  const parts = isList ? texts : texts.flatMap((text) => text.split("|", maxValues + 1));
  if (parts.some((part) => part.length > maxValueLength))
    refuse(parameter, `A value of ${parameter} may have at most ${maxValueLength} characters.`);
}

function checkColumn(source: Source, parameter: string, name: string): string {
  if (entryColumns(source.schema).includes(name)) return name;
  const [first = "", value] = name.split("=", 2);
  if (value !== undefined && source.schema.properties.get(first.trim())?.isPassword === false)
    refuse(parameter, `Write the condition ${shown(name)} as ${shown(`${first.trim()}:${value.trim()}`)}.`);
  return refuseName(namingOf(source, parameter), name, "indexed property");
}

interface Counting {
  parameter: string;
  source: Source;
}

/** After each condition, so that the error names the parameter that was too much. */
function counted(reading: Reading, filter: Filter, { parameter, source: { isPublic } }: Counting): Filter {
  const added = conditionsIn(filter);
  reading.conditions += added.length;
  if (reading.conditions > maxConditions) refuse(parameter, `At most ${maxConditions} conditions can be combined.`);
  if (added.some(({ values }) => values.length > maxValues))
    refuse(parameter, `in and notin take at most ${maxValues} values.`);
  const reads = added.filter(isRead);
  reading.reads += reads.length;
  if (isPublic && reading.reads > maxPublicReads) {
    const limit = `At most ${maxPublicReads} conditions on properties outside the index can be combined without a right to read of one's own.`;
    refuse(parameter, `${limit} Use fewer, or put the properties into the index.`);
  }
  for (const letter of lettersToFold(reads.flatMap(({ values }) => values.map(String)))) reading.letters.add(letter);
  if (reading.letters.size > maxLetters)
    refuse(parameter, `Values for properties outside the index may have at most ${maxLetters} different letters.`);
  return filter;
}

function isRead({ operand }: Condition): boolean {
  return operand.source === "document";
}
