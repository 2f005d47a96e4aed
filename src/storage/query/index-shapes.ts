// The shapes of selections that an index can be made for: properties compared for equality, and one read in order. What
// groups of conditions compare is carried in the index, or has indexes of its own, as the engine can make use of it.

import { hash } from "node:crypto";
import type { Dialect } from "#storage/port.ts";
import { conditionsIn, isByKey, notDraftSql } from "./conditions.ts";
import { filterKey, literal, sortKey } from "./operands.ts";
import type { Condition, Filter, Operand, Selection, SortKey } from "./selection.ts";

const maxEqualities = 3;
const maxCarried = 4;
const maxBranches = 4;

/** What an index is for. */
export interface Shape {
  hidesDrafts: boolean;
  /** Compared for equality, in order of name. */
  equal: Operand[];
  /** Walked in order or by range; else by id. */
  walked: SortKey | undefined;
  /** Compared by groups of conditions: with these in it, the index alone decides which rows are selected. */
  carried: Operand[];
}

/** undefined: an index of the migrations serves it, or no index could. */
export function findShape(dialect: Dialect, selection: Selection): Shape | undefined {
  const { include, sort, search, shuffle, hideDrafts } = selection;
  if (search || shuffle) return undefined;
  const equal = include
    .filter(isEquality)
    .map(({ operand }) => current(operand))
    .sort((a, b) => (a.property < b.property ? -1 : 1))
    .slice(0, maxEqualities);
  const walked = findWalked(sort, include, equal);
  const carried = dialect.indexes.carries ? findCarried(dialect, selection, { equal, walked }) : [];
  const isServed = !hideDrafts && equal.length + carried.length === 0 && (!walked || isNewestFirst(walked));
  return isServed ? undefined : { hidesDrafts: hideDrafts, equal, walked, carried };
}

/** All or nothing: one value that has to be read elsewhere makes the others useless. */
function findCarried(
  dialect: Dialect,
  { include, exclude, groups = [] }: Selection,
  { equal, walked }: Pick<Shape, "equal" | "walked">,
): Operand[] {
  if (groups.length === 0) return [];
  const conditions = [...include, ...exclude, ...groups.flatMap(conditionsIn)];
  if (!conditions.every(isByKey)) return [];
  const byKey = new Map(conditions.map(({ operand }) => [filterKey(dialect, current(operand)), current(operand)]));
  for (const operand of equal) byKey.delete(filterKey(dialect, operand));
  if (walked) byKey.delete(sortKey(dialect, walked.operand));
  const carried = [...byKey.values()].filter(({ source, property }) => source !== "column" || property !== "id");
  return carried.length > maxCarried ? [] : carried.sort((a, b) => (a.property < b.property ? -1 : 1));
}

/**
 * Where the engine joins several indexes: one for each of the conditions of which one must hold. Empty where one of them
 * has none, for then all rows have to be looked at.
 */
export function findBranches(dialect: Dialect, selection: Selection): Shape[] {
  const { groups = [], search, shuffle } = selection;
  if (dialect.indexes.carries || search || shuffle) return [];
  return groups.flatMap((group) => {
    if (!("any" in group) || group.any.length > maxBranches) return [];
    const shapes = group.any.map((branch) => {
      const { collection } = selection;
      return findShape(dialect, { collection, include: allOf(branch), exclude: [], hideDrafts: false, sort: [] });
    });
    return shapes.every((shape) => shape !== undefined) ? shapes : [];
  });
}

/** The conditions that must all hold. */
function allOf(filter: Filter): Condition[] {
  if ("all" in filter) return filter.all.flatMap(allOf);
  return "any" in filter || "not" in filter ? [] : [filter];
}

/** An index for one shape finds the rows of another faster than a scan. */
export function isHelpful(index: Shape, asked: Shape): boolean {
  const lead = index.equal[0] ?? index.walked?.operand;
  if (!lead || (index.hidesDrafts && !asked.hidesDrafts)) return false;
  const columns = [...asked.equal, ...(asked.walked ? [asked.walked.operand] : [])];
  return columns.some(({ property, comparison }) => property === lead.property && comparison === lead.comparison);
}

/** The same of an index that is known by its definition, as `createSql` wrote it. */
export function isHelpfulAs(dialect: Dialect, definition: string, { hidesDrafts, equal, walked }: Shape): boolean {
  const { leading } = dialect.indexes;
  const leads = hidesDrafts ? [leading, [...leading, `(${notDraftSql(dialect)})`]] : [leading];
  const columns = equal.map((operand) => `(${filterKey(dialect, operand)})`);
  if (walked) columns.push(columnOf(walked.operand, sortKey(dialect, walked.operand)));
  return leads.some((lead) =>
    columns.some((column) => definition.includes(`ON object_index (${[...lead, column].join(", ")}`)),
  );
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

export function shapeText({ hidesDrafts, equal, walked, carried }: Shape): string {
  const text = ({ property, comparison }: Operand) => `${property} ${comparison}`;
  const columns = [...equal, ...(walked ? [walked.operand] : [])].map(text);
  return [hidesDrafts, walked?.descending, equal.length, ...columns, ...carried.map((each) => `+ ${text(each)}`)].join(
    "\n",
  );
}

/** The command that builds its index. */
export function shapeCommand(collection: string, { hidesDrafts, equal, walked, carried }: Shape): string {
  const names = (operands: Operand[]) => operands.map(({ property }) => property).join(",");
  const sort = walked && `${walked.operand.property}${walked.descending ? ":desc" : ""}`;
  const options = [
    equal.length > 0 && `--equal ${names(equal)}`,
    sort && `--sort ${sort}`,
    carried.length > 0 && `--carry ${names(carried)}`,
    hidesDrafts && "--public",
  ];
  return ["cairn index:build", collection, ...options.filter(Boolean)].join(" ");
}

export function indexName(collection: string, shape: Shape): string {
  return `${namePrefix(collection)}${hash("sha1", shapeText(shape)).slice(0, 16)}`;
}

export function namePrefix(collection: string): string {
  return `shape_${hash("sha1", collection).slice(0, 16)}_`;
}

export function createSql(dialect: Dialect, collection: string, shape: Shape): string {
  const { hidesDrafts, equal, walked, carried } = shape;
  const columns = [
    ...dialect.indexes.leading,
    ...(hidesDrafts ? [`(${notDraftSql(dialect)})`] : []),
    ...equal.map((operand) => `(${filterKey(dialect, operand)})`),
    ...(walked ? [walkedSql(dialect, walked)] : []),
    "id",
    ...carried.map((operand) => columnOf(operand, filterKey(dialect, operand))),
  ];
  return `CREATE INDEX ${dialect.indexes.concurrently} IF NOT EXISTS ${indexName(collection, shape)}
    ON object_index (${columns.join(", ")}) WHERE collection = ${literal(collection)}`;
}

/** Of one direction with the order that is asked; ties go by id upwards in both. */
function walkedSql(dialect: Dialect, { operand, descending }: SortKey): string {
  const key = columnOf(operand, sortKey(dialect, operand));
  return descending ? `${key} DESC` : key;
}

function columnOf({ source, property }: Operand, key: string): string {
  return source === "column" ? property : `(${key})`;
}

export function dropSql(dialect: Dialect, name: string): string {
  return `DROP INDEX ${dialect.indexes.concurrently} IF EXISTS ${name}`;
}
