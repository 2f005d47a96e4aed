// Cursors: where a page ended, as opaque text. A cursor fits only the selection it came from.
// Its values are bound like any other; what they may be is checked here, because anyone can write one.

import { hash } from "node:crypto";
import type { Comparison, Page, Selection } from "#storage/query/selection.ts";
import { refuse } from "./parameters.ts";

type Position = NonNullable<Page["after"]>;
type SortValue = Position["values"][number];

/** Cursors travel in addresses and headers. */
const maxLength = 2_000;

/** undefined where the order has no positions, or the position is too long to carry. */
export function writeCursor(selection: Selection, position: Position): string | undefined {
  if (!hasPositions(selection)) return undefined;
  const content = JSON.stringify([shapeOf(selection), ...position.values, position.id]);
  const cursor = Buffer.from(content).toString("base64url");
  return cursor.length > maxLength ? undefined : cursor;
}

export function readCursor(selection: Selection, cursor: string): Position {
  const position = hasPositions(selection) && cursor.length <= maxLength ? decode(selection, cursor) : undefined;
  return position ?? refuse("cursor", "cursor is not one that was given for this request.");
}

/** Relevance and random order have no place to go on from. */
function hasPositions(selection: Selection): boolean {
  return !selection.shuffle && (selection.search === undefined || selection.sort.length > 0);
}

function decode(selection: Selection, cursor: string): Position | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(content) || content.length !== selection.sort.length + 2) return undefined;
  const [shape, ...values] = content;
  const id = values.pop();
  const fits = selection.sort.every(({ operand }, index) => isSortValue(values[index], operand.comparison));
  return shape === shapeOf(selection) && fits && isText(id) ? { values: values as SortValue[], id } : undefined;
}

function isSortValue(value: unknown, comparison: Comparison): value is SortValue {
  if (value === null) return true;
  if (comparison === "number" || comparison === "presence") return Number.isFinite(value);
  if (comparison === "boolean") return typeof value === "boolean" || value === 0 || value === 1;
  return isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && value.isWellFormed();
}

function shapeOf(selection: Selection): string {
  const text = selection.isRelative ? JSON.stringify(selection, withoutTimes) : JSON.stringify(selection);
  return hash("sha1", text, "base64url").slice(0, 10);
}

/** Values relative to now have moved on when the next page is asked for. */
function withoutTimes(key: string, value: unknown): unknown {
  return key === "values" && Array.isArray(value) ? value.filter((each) => !isTime(each)) : value;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value);
}
