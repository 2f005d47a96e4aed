// What stands in SQL for a property: one spelling for filters, one for sorting, and indexes.ts uses the same two.

import type { Dialect } from "./port.ts";
import type { Operand } from "./selection.ts";

/**
 * Texts are ordered, and found by equality, by this many characters: an index entry has a size limit, and a long text
 * must never be refused because of one. Equality of longer values compares the whole text.
 */
export const keyLength = 120;

const columns = new Set(["id", "created", "modified"]);

export function isTextual(operand: Operand): boolean {
  return operand.comparison !== "number" && operand.comparison !== "boolean";
}

/** Columns always have a value. */
export function isNullable(operand: Operand): boolean {
  return operand.source !== "column";
}

/** The whole value, as filters compare it: texts in lower case. */
export function wholeValue(dialect: Dialect, operand: Operand): string {
  const { property, source, comparison } = operand;
  if (source === "column") return column(property);
  const isFolded = comparison === "text" || comparison === "list";
  if (source === "index") return dialect.property(isFolded ? "fold" : "idx", property, comparison);
  const value = dialect.property("doc", property, comparison);
  return isFolded ? dialect.foldCase(value) : value;
}

/** What filters by equality and range look up. */
export function filterKey(dialect: Dialect, operand: Operand): string {
  return cut(operand, wholeValue(dialect, operand));
}

/** What rows are ordered by: texts as they are; a list by its first element. */
export function sortKey(dialect: Dialect, operand: Operand): string {
  const { property, source, comparison } = operand;
  if (source === "column") return column(property);
  return cut(operand, dialect.property(source === "index" ? "idx" : "doc", property, comparison));
}

function cut(operand: Operand, value: string): string {
  return isTextual(operand) && operand.source !== "column" ? `substr(${value}, 1, ${keyLength})` : value;
}

function column(name: string): string {
  if (!columns.has(name)) throw new Error("not a column");
  return `object_index.${name}`;
}
