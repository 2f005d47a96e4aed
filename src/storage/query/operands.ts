// What stands in SQL for a property: one spelling for filters, one for sorting, and indexes.ts uses the same two.

import type { Dialect, Fragment } from "#storage/port.ts";
import type { Operand } from "./selection.ts";

/**
 * Texts are indexed by this many characters: an index entry has a size limit, and a long text must never be refused
 * because of one. Where that does not decide, equality and order compare the whole text.
 */
export const keyLength = 120;

const columns = new Set(["id", "created", "modified"]);

/** Columns always have a value. */
export function isNullable(operand: Operand): boolean {
  return operand.source !== "column";
}

/** The whole value, as filters compare it: texts in lower case. */
export function wholeValue(dialect: Dialect, operand: Operand): string {
  const { property, source, comparison } = operand;
  if (source === "column") return column(property);
  return stored(dialect, operand, comparison === "text" || comparison === "list" ? "fold" : "idx");
}

/** The same from the document: as far as these values ask for it, for it has no folded copy. */
export function documentValue(dialect: Dialect, operand: Operand, values: readonly string[]): Fragment {
  const value = stored(dialect, operand, "doc");
  return operand.comparison === "text" ? dialect.foldCase(value, values) : { sql: value, params: [] };
}

/** As it is in the index entry. */
export function entryValue(dialect: Dialect, operand: Operand): string {
  return stored(dialect, operand, "idx");
}

/** What filters by equality and range look up. */
export function filterKey(dialect: Dialect, operand: Operand): string {
  return cut(dialect, operand, wholeValue(dialect, operand));
}

/** What rows are ordered by: texts as they are; a list by its first element. */
export function sortKey(dialect: Dialect, operand: Operand): string {
  return cut(dialect, operand, sortValue(dialect, operand));
}

/** The same as a whole; undefined where the key is the whole value in any case. */
export function findWholeSortKey(dialect: Dialect, operand: Operand): string | undefined {
  return isText(operand) ? dialect.wholeText(sortValue(dialect, operand)) : undefined;
}

function sortValue(dialect: Dialect, operand: Operand): string {
  const { property, source } = operand;
  return source === "column" ? column(property) : stored(dialect, operand, source === "index" ? "idx" : "doc");
}

/** An empty date is no date: it is before nothing, and ordered as missing. */
function stored(dialect: Dialect, operand: Operand, source: "idx" | "fold" | "doc"): string {
  const { comparison } = operand;
  const values = namesOf(operand).map((name) => dialect.property(source, name, comparison));
  const value = values.length === 1 ? (values[0] as string) : `coalesce(${values.join(", ")})`;
  return comparison === "date" ? `nullif(${value}, '')` : value;
}

/** Its name, then those under which some objects are still stored. */
export function namesOf({ property, former = [] }: Pick<Operand, "property" | "former">): string[] {
  return [property, ...former];
}

function cut(dialect: Dialect, operand: Operand, value: string): string {
  return isText(operand) ? dialect.textKey(value, keyLength) : value;
}

function isText({ source, comparison }: Operand): boolean {
  return source !== "column" && (comparison === "text" || comparison === "date" || comparison === "list");
}

function column(name: string): string {
  if (!columns.has(name)) throw new Error("not a column");
  return `object_index.${name}`;
}

/** For the collection, which is a literal too: an index over part of the table is found only by one. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
