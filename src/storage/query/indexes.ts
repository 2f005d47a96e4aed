// Indexes made for what is really asked: when a shape of selection comes back on a large collection, an index that covers
// it is built in the background. Properties are the users' own, so no migration can know them.
// An index is never needed for a right answer, and a failure to build one is nobody's error.

import { setTimeout as sleep } from "node:timers/promises";
import { perInstance } from "#base/per-instance.ts";
import type { WriterLine } from "#base/writer-line.ts";
import type { Asked, Storage } from "#storage/port.ts";
import {
  createSql,
  dropSql,
  findBranches,
  findShape,
  indexName,
  isHelpful,
  isHelpfulAs,
  namePrefix,
  type Shape,
  shapeCommand,
  shapeText,
} from "./index-shapes.ts";
import type { Comparison, Condition, Operand, Selection } from "./selection.ts";

const worthwhileObjects = 2_000;
/** Each write with a unique value looks through so many at most, until there is an index. */
const worthwhileForWrites = 300;
const worthwhileAsks = 2;
/** Anybody can make up shapes, and groups of conditions have many: those of the public and of groups have to come often. */
const worthwhileManyAsks = 10;
/** Those that only the public asks get few indexes. */
const maxPublic = 4;
const maxPerCollection = 12;
/** Where a build keeps writers waiting, larger collections are left to the operator: `cairn index:build`. */
const mostHeld = 5_000_000;
const recountMs = 60_000;
/** Writes make a collection grow: after so many its size is looked at again. */
const recountWrites = 100;
/** A build that waits looks this often whether its time has come; a process that waits for another one's build, whether it is there. */
const lookMs = 1_000;
/** Shapes remembered for each collection. */
const maxShapes = 200;

/** When builds come. Where one keeps writers waiting, it waits itself until nobody writes, but not for ever. */
export interface Pace {
  /** From the end of one build to the next: so many times as long as it took, at most `betweenMs`. */
  restFactor: number;
  betweenMs: number;
  /** Nothing was written for so long. */
  quietMs: number;
  /** Longer than this no build waits for quiet. */
  patienceMs: number;
}

const usualPace: Pace = { restFactor: 20, betweenMs: 60_000, quietMs: 1_000, patienceMs: 600_000 };

interface Use {
  /** Of the index. */
  name: string;
  shape: Shape;
  asked: number;
  /** Nobody with a right of their own has asked it. */
  isPublic: boolean;
  state: "counting" | "building" | "built" | "no-room" | "too-large";
  /** After a build that failed. */
  notBefore: number;
}

interface KnownShapes {
  /** By the text of the shape, the least recently asked first. */
  uses: Map<string, Use>;
  /** The indexes there are, with their definitions. Absent until they were looked for. */
  existing?: Map<string, string>;
  total: number;
  /** More than half of all objects are in it. */
  isMost: boolean;
  lookedAt: number;
  look?: Promise<void> | undefined;
  /** Until then another process may have built what this one asked it for. */
  awaitedUntil: number;
}

interface Job {
  collection: string;
  known: KnownShapes;
  use: Use;
  /** Writes need it, so that it does not wait for an end of them. */
  isForWrites: boolean;
  since: number;
}

interface State {
  collections: Map<string, KnownShapes>;
  waiting: Job[];
  /** Until nothing waits. */
  work: Promise<void> | undefined;
  /** The build that runs. */
  build: Promise<void>;
  /** When the next build may begin. */
  nextAt: number;
  pace: Pace;
  leave?: Leave;
}

/** Called with an index that is not built by itself, and the command that builds it. */
type Leave = (left: { collection: string; command: string }) => void;

const stateOf = perInstance(
  (_storage: object): State => ({
    collections: new Map(),
    waiting: [],
    work: undefined,
    build: Promise.resolve(),
    nextAt: Number.NEGATIVE_INFINITY,
    pace: usualPace,
  }),
);

export function setIndexing(storage: Storage, { leave, pace }: { leave?: Leave; pace?: Pace }): void {
  const state = stateOf(storage);
  if (leave) state.leave = leave;
  if (pace) state.pace = pace;
}

/** Each list and query says what it asks. Cheap, and never fails. */
export function noteShape(storage: Storage, selection: Selection): void {
  const shape = findShape(storage.dialect, selection);
  if (shape) noteUse(storage, selection, { shape, isOfGroup: shape.carried.length > 0 });
  for (const branch of findBranches(storage.dialect, selection)) {
    if (!hasHelp(storage, stateOf(storage).collections.get(selection.collection), branch))
      noteUse(storage, selection, { shape: branch, isOfGroup: true });
  }
}

interface Noted {
  shape: Shape;
  isOfGroup?: boolean;
  isForWrites?: boolean;
}

function noteUse(
  storage: Storage,
  { collection, isPublic = false }: Selection,
  { shape, isOfGroup = false, isForWrites = false }: Noted,
): void {
  const state = stateOf(storage);
  const known = knownOf(state, collection);
  const use = recall(known, collection, shape);
  use.asked += 1;
  if (!isPublic) use.isPublic = false;
  if (!isFresh(known)) void look(storage, collection, known);
  const enough = use.isPublic || isOfGroup ? worthwhileManyAsks : worthwhileAsks;
  if (use.state !== "counting" || use.asked < enough || performance.now() < use.notBefore) return;
  const isDue = isForWrites && use.asked % recountWrites === 0;
  if (!isDue && isFresh(known) && known.total <= worthwhileObjects) return;
  if (storage.line) askWriter(storage.line, { collection, known, use });
  else queueBuild(storage, state, { collection, known, use, isForWrites });
}

function queueBuild(storage: Storage, state: State, job: Omit<Job, "since">): void {
  job.use.state = "building";
  const waiting = { ...job, since: performance.now() };
  if (job.isForWrites) state.waiting.unshift(waiting);
  else state.waiting.push(waiting);
  state.work ??= buildAll(storage, state);
}

/** Of a process that only reads: the one that writes builds it, and has its own rules for that. */
function askWriter(line: WriterLine, { collection, known, use }: Pick<Job, "collection" | "known" | "use">): void {
  use.state = "building";
  known.awaitedUntil = performance.now() + recountMs;
  const { shape, isPublic } = use;
  line.call("index", { collection, shape, isPublic } satisfies WantedIndex).catch(() => {
    use.state = "counting";
  });
}

export interface WantedIndex {
  collection: string;
  shape: Shape;
  isPublic: boolean;
}

/** In the process that writes: another one has seen the shape often enough. */
export function wantIndex(storage: Storage, { collection, shape, isPublic }: WantedIndex): void {
  const state = stateOf(storage);
  const known = knownOf(state, collection);
  const use = recall(known, collection, shape);
  if (!isPublic) use.isPublic = false;
  if (use.state === "counting") queueBuild(storage, state, { collection, known, use, isForWrites: false });
}

/** An index for what is asked is being built, or will be soon. */
export function isIndexComing(storage: Storage, selection: Selection): boolean {
  const shape = findShape(storage.dialect, selection);
  const known = stateOf(storage).collections.get(selection.collection);
  const use = shape && known?.uses.get(shapeText(shape));
  return use?.state === "building" && !known?.existing?.has(use.name);
}

/** Each write that looks for another object with the same value says so as well. */
export function noteUnique(storage: Storage, collection: string, property: string, comparison: Comparison): void {
  const operand: Operand = { property, source: "index", comparison };
  const include: Condition[] = [{ operand, operator: "eq", values: [""] }];
  const selection = { collection, include, exclude: [], hideDrafts: false, sort: [] };
  const shape = findShape(storage.dialect, selection);
  if (shape) noteUse(storage, selection, { shape, isForWrites: true });
}

/** Resolves when no index is being built, and none waits for it. */
export async function indexesSettled(storage: Storage): Promise<void> {
  const state = stateOf(storage);
  await Promise.all([...state.collections.values()].map((known) => known.look));
  await state.work;
}

/** For a collection that is gone. */
export async function dropIndexes(storage: Storage, collection: string): Promise<void> {
  const state = stateOf(storage);
  state.waiting = state.waiting.filter((job) => job.collection !== collection);
  await state.build;
  state.collections.delete(collection);
  for (const name of (await listIndexes(storage, collection)).keys())
    await storage.maintain(dropSql(storage.dialect, name));
}

/** At once, however large the collection is. False: what is there serves such selections already. */
export async function buildIndex(storage: Storage, selection: Selection): Promise<boolean> {
  const { collection } = selection;
  const shape = findShape(storage.dialect, selection);
  if (!shape || (await listIndexes(storage, collection)).has(indexName(collection, shape))) return false;
  await storage.maintain(createSql(storage.dialect, collection, shape));
  return true;
}

/**
 * How to go through a collection where no index helps: `in-order` by an index that all collections share, `as-stored`
 * where its rows are most of the table. undefined: an index helps, or nobody knows; the planner chooses.
 */
export function findScan(db: Asked, selection: Selection): "in-order" | "as-stored" | undefined {
  const shape = findShape(db.dialect, selection);
  const known = stateOf(db).collections.get(selection.collection);
  if (!shape) return "in-order";
  if (!known?.existing) return undefined;
  if (known.existing.has(known.uses.get(shapeText(shape))?.name ?? "") || hasHelp(db, known, shape)) return undefined;
  return known.isMost ? "as-stored" : "in-order";
}

function hasHelp({ dialect }: Asked, known: KnownShapes | undefined, shape: Shape): boolean {
  if (!known?.existing) return false;
  const { uses, existing } = known;
  for (const use of uses.values()) if (existing.has(use.name) && isHelpful(use.shape, shape)) return true;
  // From before this process began, or by a command: nobody has asked their shapes here.
  for (const definition of existing.values()) if (isHelpfulAs(dialect, definition, shape)) return true;
  return false;
}

async function buildAll(storage: Storage, state: State): Promise<void> {
  while (state.waiting.length > 0) {
    await waitForTurn(storage, state);
    const job = state.waiting.shift();
    if (!job) break;
    state.build = build(storage, state, job);
    await state.build;
  }
  state.work = undefined;
}

async function waitForTurn(storage: Storage, state: State): Promise<void> {
  for (let [first] = state.waiting; first; [first] = state.waiting) {
    if (first.isForWrites) return;
    const { pace, nextAt } = state;
    const now = performance.now();
    const isPatient = now - first.since < pace.patienceMs;
    const quietMs = storage.lastCommit && isPatient ? pace.quietMs - (now - storage.lastCommit()) : 0;
    const ms = Math.max(quietMs, nextAt - now);
    if (ms <= 0) return;
    await sleep(Math.min(ms, lookMs), undefined, { ref: false });
  }
}

async function build(storage: Storage, state: State, { collection, known, use, isForWrites }: Job): Promise<void> {
  const { dialect } = storage;
  try {
    await look(storage, collection, known);
    const existing = known.existing ?? new Map<string, string>();
    if (known.total <= (isForWrites ? worthwhileForWrites : worthwhileObjects)) {
      use.state = "counting";
      return;
    }
    if (!existing.has(use.name)) {
      if (storage.lastCommit && known.total > mostHeld) return leaveToOperator(state, collection, use);
      const surplus = findSurplus(known, existing, use);
      if (!surplus) {
        use.state = "no-room";
        return;
      }
      for (const name of surplus) await storage.maintain(dropSql(dialect, name));
      const begun = performance.now();
      try {
        await storage.maintain(createSql(dialect, collection, use.shape));
      } finally {
        const ended = performance.now();
        state.nextAt = ended + Math.min((ended - begun) * state.pace.restFactor, state.pace.betweenMs);
      }
      for (const name of surplus) existing.delete(name);
      existing.set(use.name, "");
    }
    use.state = "built";
  } catch {
    // Logged by the engine; without the index the answers are the same. Some later request tries again.
    use.state = "counting";
    use.notBefore = performance.now() + state.pace.betweenMs;
  }
}

function leaveToOperator({ leave }: State, collection: string, use: Use): void {
  use.state = "too-large";
  leave?.({ collection, command: shapeCommand(collection, use.shape) });
}

/** What has to go first. undefined: there is no place for it. */
function findSurplus(known: KnownShapes, existing: ReadonlyMap<string, string>, use: Use): string[] | undefined {
  const asked = [...known.uses.values()].filter(({ name }) => existing.has(name));
  const byUse = asked.map(({ name }) => name);
  const unasked = [...existing.keys()].filter((name) => !byUse.includes(name));
  const ofPublic = asked.filter(({ isPublic }) => isPublic).map(({ name }) => name);
  const isFull = existing.size >= maxPerCollection;
  const outOf = use.isPublic ? [...unasked, ...ofPublic] : [...unasked, ...byUse];
  const isOverPublic = use.isPublic && ofPublic.length >= maxPublic;
  const going = isOverPublic ? ofPublic[0] : isFull ? outOf[0] : undefined;
  if (going === undefined) return isFull ? undefined : [];
  for (const [text, { name }] of known.uses) if (name === going) known.uses.delete(text);
  return [going];
}

function knownOf(state: State, collection: string): KnownShapes {
  let known = state.collections.get(collection);
  if (!known) {
    const never = Number.NEGATIVE_INFINITY;
    known = { uses: new Map(), total: 0, isMost: false, lookedAt: never, awaitedUntil: never };
    state.collections.set(collection, known);
  }
  return known;
}

function recall(known: KnownShapes, collection: string, shape: Shape): Use {
  const text = shapeText(shape);
  const use = known.uses.get(text) ?? newUse(collection, shape);
  known.uses.delete(text);
  known.uses.set(text, use);
  const [oldest] = known.uses.keys();
  if (known.uses.size > maxShapes && oldest) known.uses.delete(oldest);
  return use;
}

function newUse(collection: string, shape: Shape): Use {
  return { name: indexName(collection, shape), shape, asked: 0, isPublic: true, state: "counting", notBefore: 0 };
}

function isFresh({ lookedAt, awaitedUntil }: KnownShapes): boolean {
  const now = performance.now();
  return now - lookedAt < (now < awaitedUntil ? lookMs : recountMs);
}

/** In a process that only reads. What the writer has not built is asked for again, and so is what it has dropped. */
function noteBuilt(known: KnownShapes): void {
  const isOver = performance.now() >= known.awaitedUntil;
  let isAwaited = false;
  for (const use of known.uses.values()) {
    if (known.existing?.has(use.name)) use.state = "built";
    else if (use.state === "building" && !isOver) isAwaited = true;
    else use.state = "counting";
  }
  if (!isAwaited) known.awaitedUntil = Number.NEGATIVE_INFINITY;
}

/** How large it is, and which indexes it has: commands may have built some. Never fails. */
function look(storage: Storage, collection: string, known: KnownShapes): Promise<void> {
  known.look ??= lookAgain(storage, collection, known)
    .catch(() => {})
    .finally(() => {
      known.look = undefined;
    });
  return known.look;
}

async function lookAgain(storage: Storage, collection: string, known: KnownShapes): Promise<void> {
  const counted = await storage.one<{ total: number; whole: number }>(
    `SELECT ${storage.dialect.counters.totalObjects} AS total, (SELECT sum(total_objects) FROM collections) AS whole FROM collections WHERE id = ?`,
    [collection],
  );
  known.existing = await listIndexes(storage, collection);
  known.total = counted?.total ?? 0;
  known.isMost = known.total * 2 > Number(counted?.whole ?? 0);
  known.lookedAt = performance.now();
  if (storage.line) noteBuilt(known);
}

/** By name: how they were defined. */
async function listIndexes(storage: Storage, collection: string): Promise<Map<string, string>> {
  const rows = await storage.all<{ name: string; definition: string | null }>(storage.dialect.indexes.list);
  const own = rows.filter(({ name }) => name.startsWith(namePrefix(collection)));
  return new Map(own.map(({ name, definition }) => [name, definition ?? ""]));
}
