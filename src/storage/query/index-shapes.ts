// The shapes of selections that an index can be made for: properties compared for equality, and one read in order.

import { hash } from "node:crypto";
import type { Dialect } from "#storage/port.ts";
import { notDraftSql } from "./conditions.ts";
import { filterKey, literal, sortKey } from "./operands.ts";
import type { Condition, Operand, Selection, SortKey } from "./selection.ts";

const maxEqualities = 3;

/** What an index is for. */
export interface Shape {
  hidesDrafts: boolean;
  /** Compared for equality, in order of name. */
  equal: Operand[];
  /** Walked in order or by range; else by id. */
  walked: SortKey | undefined;
}

/** undefined: an index of the migrations serves it, or no index could. */
export function findShape({ include, sort, search, shuffle, hideDrafts }: Selection): Shape | undefined {
  if (search || shuffle) return undefined;
  const equal = include
    .filter(isEquality)
    .map(({ operand }) => current(operand))
    .sort((a, b) => (a.property < b.property ? -1 : 1))
    .slice(0, maxEqualities);
  const walked = findWalked(sort, include, equal);
  const isServed = !hideDrafts && equal.length === 0 && (!walked || isNewestFirst(walked));
  return isServed ? undefined : { hidesDrafts: hideDrafts, equal, walked };
}

/** An index for one shape finds the rows of another faster than a scan. */
export function isHelpful(index: Shape, asked: Shape): boolean {
  const lead = index.equal[0] ?? index.walked?.operand;
  if (!lead || (index.hidesDrafts && !asked.hidesDrafts)) return false;
  const columns = [...asked.equal, ...(asked.walked ? [asked.walked.operand] : [])];
  return columns.some(({ property, comparison }) => property === lead.property && comparison === lead.comparison);
}

function isEquality({ operand, operator, values }: Condition): boolean {
  const isOne = operator === "eq" || (operator === "in" && values.length === 1);
  return isOne && operand.source === "index" && operand.comparison !== "list";
}

function findWalked(sort: SortKey[], include: Condition[], equal: Operand[]): SortKey | undefined {
  const ranged = include.find(({ operator }) => /^[lg]te?$/.test(operator));
  const walked = sort[0] ?? (ranged && { operand: ranged.operand, descending: false });
  if (!walked || walked.operand.source === "document" || walked.operand.property === "id") return undefined;
  const isEqual = equal.some(({ property }) => property === walked.operand.property);
  return isEqual ? undefined : { ...walked, operand: current(walked.operand) };
}

/** Indexes are for the time when all objects are stored under the present name. */
function current({ former: _, ...operand }: Operand): Operand {
  return operand;
}

function isNewestFirst({ operand, descending }: SortKey): boolean {
  return operand.source === "column" && operand.property === "created" && descending;
}

export function shapeText({ hidesDrafts, equal, walked }: Shape): string {
  const columns = [...equal, ...(walked ? [walked.operand] : [])].map((each) => `${each.property} ${each.comparison}`);
  return [hidesDrafts, walked?.descending, equal.length, ...columns].join("\n");
}

/** The command that builds its index. */
export function shapeCommand(collection: string, { hidesDrafts, equal, walked }: Shape): string {
  const names = equal.map(({ property }) => property).join(",");
  const sort = walked && `${walked.operand.property}${walked.descending ? ":desc" : ""}`;
  const options = [names && `--equal ${names}`, sort && `--sort ${sort}`, hidesDrafts && "--public"].filter(Boolean);
  return ["cairn index:build", collection, ...options].join(" ");
}

export function indexName(collection: string, shape: Shape): string {
  return `${namePrefix(collection)}${hash("sha1", shapeText(shape)).slice(0, 16)}`;
}

export function namePrefix(collection: string): string {
  return `shape_${hash("sha1", collection).slice(0, 16)}_`;
}

export function createSql(dialect: Dialect, collection: string, shape: Shape): string {
  const { hidesDrafts, equal, walked } = shape;
  const columns = [
    ...dialect.indexes.leading,
    ...(hidesDrafts ? [`(${notDraftSql(dialect)})`] : []),
    ...equal.map((operand) => `(${filterKey(dialect, operand)})`),
    ...(walked ? [walkedSql(dialect, walked)] : []),
    "id",
  ];
  return `CREATE INDEX ${dialect.indexes.concurrently} IF NOT EXISTS ${indexName(collection, shape)}
    ON object_index (${columns.join(", ")}) WHERE collection = ${literal(collection)}`;
}

/** Of one direction with the order that is asked; ties go by id upwards in both. */
function walkedSql(dialect: Dialect, { operand, descending }: SortKey): string {
  const key = operand.source === "column" ? operand.property : `(${sortKey(dialect, operand)})`;
  return descending ? `${key} DESC` : key;
}

export function dropSql(dialect: Dialect, name: string): string {
  return `DROP INDEX ${dialect.indexes.concurrently} IF EXISTS ${name}`;
}
