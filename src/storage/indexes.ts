// Indexes made for what is really asked: the second time a shape of selection is seen on a large collection, an index
// that covers it is built in the background. Properties are the users' own, so no migration can know them.
// An index is never needed for a right answer, and a failure to build one is nobody's error.

import { hash } from "node:crypto";
import { notDraftSql } from "./conditions.ts";
import { filterKey, literal, sortKey } from "./operands.ts";
import type { Comparison, Dialect, Storage } from "./port.ts";
import type { Condition, Operand, Selection, SortKey } from "./selection.ts";

const worthwhileObjects = 2_000;
const worthwhileAsks = 2;
const recountMs = 60_000;
const maxPerCollection = 12;
const maxEqualities = 3;
/** Shapes remembered for each collection; anybody can make up new ones. */
const maxShapes = 200;

/** What an index is for. */
interface Shape {
  hidesDrafts: boolean;
  /** Compared for equality, in order of name. */
  equal: Operand[];
  /** Walked in order or by range; else by id. */
  walked: SortKey | undefined;
}

interface Use {
  /** Of the index. */
  name: string;
  asked: number;
  state: "counting" | "building" | "ready" | "failed";
}

interface Known {
  /** By the text of the shape, the least recently asked first. */
  uses: Map<string, Use>;
  total: number;
  countedAt: number;
  work: Promise<void>;
}

const knownByStorage = new WeakMap<Storage, Map<string, Known>>();

/** Each list and query says what it asks. Cheap, and never fails. */
export function noteShape(storage: Storage, selection: Selection): void {
  const { collection } = selection;
  const shape = findShape(selection);
  if (!shape) return;
  const known = knownOf(storage, collection);
  const use = recall(known, collection, shapeText(shape));
  use.asked += 1;
  if (use.state !== "counting" || use.asked < worthwhileAsks) return;
  if (isCounted(known) && known.total <= worthwhileObjects) return;
  use.state = "building";
  known.work = known.work.then(() => build(storage, collection, { known, shape, use }));
}

/** Each write that looks for another object with the same value says so as well. */
export function noteUnique(storage: Storage, collection: string, property: string, comparison: Comparison): void {
  const operand: Operand = { property, source: "index", comparison };
  const include: Condition[] = [{ operand, operator: "eq", values: [""] }];
  noteShape(storage, { collection, include, exclude: [], hideDrafts: false, sort: [] });
}

/** Resolves when no index is being built. */
export async function indexesSettled(storage: Storage): Promise<void> {
  await Promise.all([...(knownByStorage.get(storage)?.values() ?? [])].map(({ work }) => work));
}

/** For a collection that is gone. */
export async function dropIndexes(storage: Storage, collection: string): Promise<void> {
  await knownByStorage.get(storage)?.get(collection)?.work;
  knownByStorage.get(storage)?.delete(collection);
  for (const name of await listIndexes(storage, collection)) await storage.maintain(dropSql(storage.dialect, name));
}

interface Job {
  known: Known;
  shape: Shape;
  use: Use;
}

async function build(storage: Storage, collection: string, { known, shape, use }: Job): Promise<void> {
  const { dialect } = storage;
  const { name } = use;
  try {
    if (!isCounted(known)) await count(storage, collection, known);
    if (known.total <= worthwhileObjects) {
      use.state = "counting";
      return;
    }
    const existing = await listIndexes(storage, collection);
    if (!existing.includes(name)) {
      for (const surplus of leastUsed(known, existing)) await storage.maintain(dropSql(dialect, surplus));
      await storage.maintain(createSql(dialect, { collection, name, shape }));
    }
    use.state = "ready";
  } catch {
    // Logged by the engine; without the index the answers are the same.
    use.state = "failed";
  }
}

function leastUsed(known: Known, existing: string[]): string[] {
  const names = [...known.uses.values()].map(({ name }) => name);
  const byUse = existing.toSorted((a, b) => names.indexOf(a) - names.indexOf(b));
  const surplus = byUse.slice(0, Math.max(0, existing.length - maxPerCollection + 1));
  for (const [text, { name }] of known.uses) if (surplus.includes(name)) known.uses.delete(text);
  return surplus;
}

function knownOf(storage: Storage, collection: string): Known {
  const collections = knownByStorage.get(storage) ?? new Map<string, Known>();
  knownByStorage.set(storage, collections);
  const known = collections.get(collection) ?? {
    uses: new Map<string, Use>(),
    total: 0,
    countedAt: Number.NEGATIVE_INFINITY,
    work: Promise.resolve(),
  };
  collections.set(collection, known);
  return known;
}

function recall(known: Known, collection: string, text: string): Use {
  const use: Use = known.uses.get(text) ?? { name: indexName(collection, text), asked: 0, state: "counting" };
  known.uses.delete(text);
  known.uses.set(text, use);
  const [oldest] = known.uses.keys();
  if (known.uses.size > maxShapes && oldest) known.uses.delete(oldest);
  return use;
}

function isCounted(known: Known): boolean {
  return performance.now() - known.countedAt < recountMs;
}

async function count(storage: Storage, collection: string, known: Known): Promise<void> {
  const row = await storage.one<{ total: number }>("SELECT total_objects AS total FROM collections WHERE id = ?", [
    collection,
  ]);
  known.total = row?.total ?? 0;
  known.countedAt = performance.now();
}

/** undefined: what stands in the migrations serves it, or no index could. */
function findShape({ include, sort, search, shuffle, hideDrafts }: Selection): Shape | undefined {
  if (search || shuffle) return undefined;
  const equal = include
    .filter(isEquality)
    .map(({ operand }) => operand)
    .sort((a, b) => (a.property < b.property ? -1 : 1))
    .slice(0, maxEqualities);
  const walked = findWalked(sort, include, equal);
  const isServed = !hideDrafts && equal.length === 0 && (!walked || isNewestFirst(walked));
  return isServed ? undefined : { hidesDrafts: hideDrafts, equal, walked };
}

function isEquality({ operand, operator, values }: Condition): boolean {
  const isOne = operator === "eq" || (operator === "in" && values.length === 1);
  return isOne && operand.source === "index" && operand.comparison !== "list";
}

function findWalked(sort: SortKey[], include: Condition[], equal: Operand[]): SortKey | undefined {
  const ranged = include.find(({ operator }) => /^[lg]te?$/.test(operator));
  const walked = sort[0] ?? (ranged && { operand: ranged.operand, descending: false });
  if (!walked || walked.operand.source === "document" || walked.operand.property === "id") return undefined;
  return equal.some(({ property }) => property === walked.operand.property) ? undefined : walked;
}

function isNewestFirst({ operand, descending }: SortKey): boolean {
  return operand.source === "column" && operand.property === "created" && descending;
}

function shapeText({ hidesDrafts, equal, walked }: Shape): string {
  const columns = [...equal, ...(walked ? [walked.operand] : [])].map((each) => `${each.property} ${each.comparison}`);
  return [hidesDrafts, walked?.descending, equal.length, ...columns].join("\n");
}

function indexName(collection: string, shape: string): string {
  return `${namePrefix(collection)}${hash("sha1", shape).slice(0, 16)}`;
}

function namePrefix(collection: string): string {
  return `shape_${hash("sha1", collection).slice(0, 16)}_`;
}

async function listIndexes(storage: Storage, collection: string): Promise<string[]> {
  const rows = await storage.all<{ name: string }>(storage.dialect.indexes.list);
  return rows.map(({ name }) => name).filter((name) => name.startsWith(namePrefix(collection)));
}

function createSql(dialect: Dialect, index: { collection: string; name: string; shape: Shape }): string {
  const { hidesDrafts, equal, walked } = index.shape;
  const columns = [
    ...dialect.indexes.leading,
    ...(hidesDrafts ? [`(${notDraftSql(dialect)})`] : []),
    ...equal.map((operand) => `(${filterKey(dialect, operand)})`),
    ...(walked ? [walkedSql(dialect, walked)] : []),
    "id",
  ];
  return `CREATE INDEX ${dialect.indexes.concurrently} IF NOT EXISTS ${index.name}
    ON object_index (${columns.join(", ")}) WHERE collection = ${literal(index.collection)}`;
}

/** Of one direction with the order that is asked; ties go by id upwards in both. */
function walkedSql(dialect: Dialect, { operand, descending }: SortKey): string {
  const key = operand.source === "column" ? operand.property : `(${sortKey(dialect, operand)})`;
  return descending ? `${key} DESC` : key;
}

function dropSql(dialect: Dialect, name: string): string {
  return `DROP INDEX ${dialect.indexes.concurrently} IF EXISTS ${name}`;
}
