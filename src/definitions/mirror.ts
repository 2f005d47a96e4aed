// Definitions where several nodes share a database: the table decides, and each node mirrors it in memory and in the files
// of its data directory. `catchUp` of the storage that it hands out waits for the mirror too, and the versions of what
// depends on definitions move when the mirror has followed: so no answer is made from an older definition than one that
// was acknowledged before. Edits of the files are found by edits.ts.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { unclaimed } from "#storage/claimed-writes.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Storage, Tx, VersionScope } from "#storage/port.ts";
import {
  changeDefinition,
  type DefinitionChange,
  type DefinitionHead,
  type DefinitionRow,
  definitionHash,
  findDefinitions,
  listDefinitions,
} from "#storage/tables/nodes/definitions.ts";
import { siteMark } from "./admit-node.ts";
import { type Edit, findEdits, type Taker } from "./edits.ts";
import { type Kind, keyOf, listFiles, partsOf } from "./kinds.ts";
import { openMarks } from "./marks.ts";
import { dropFile, keepBeside, listBeside, placeFile, readFileText } from "./mirror-files.ts";
import type { MirrorState } from "./mirror-state.ts";

export type Change = Omit<DefinitionChange, "updated"> & { updated?: string | undefined };

export interface Mirror {
  /** The storage, with versions and a read barrier that know the mirror. */
  readonly storage: Storage;
  /** Resolves when memory and files are as the database was at the call. */
  follow(): Promise<void>;
  /** Takes in files that were edited, and puts back what is gone. */
  look(): Promise<void>;
  /** All of them or none; false where one was not the expected. `also` runs in the same transaction. */
  change(changes: readonly Change[], also?: (tx: Tx) => Promise<void>): Promise<boolean>;
  /** The text, of kinds that are kept in memory. */
  find(kind: string, id: string): string | undefined;
  head(kind: string, id: string): DefinitionHead | undefined;
  /** Sorted. */
  ids(kind: string): string[];
  /** Moves with every change of the kind. */
  version(kind: string): number;
  /** Called with ids that other processes or editors changed. */
  onChange(kind: string, listener: (ids: string[]) => void): void;
  /** Called before the versions move. */
  onApplied(kind: string, listener: () => void): void;
  /** How edits of files of this kind are checked. Without it they are stored as they are. */
  takeWith(kind: string, taker: Taker): void;
  /** Files that are not JSON; they are left alone and count for nothing. */
  broken(kind: string): { id: string; reason: string }[];
  /** Edits that are kept beside their files, because they were refused or had been overtaken. */
  beside(kind: string): Promise<{ id: string; word: "conflict" | "rejected" }[]>;
  status(): Promise<MirrorStatus>;
  /** Takes in files that were here before this node joined; false: the check refused it. */
  takeLeft(): Promise<{ key: string; isTaken: boolean }[]>;
  /** After the tables were emptied: nothing is known any more, and the files stay. */
  forget(): Promise<void>;
  /** Stores every file as it is, whatever the database has: after a restore. */
  takeAll(): Promise<void>;
  /** Follows the table and the files in the background. The returned function ends that. */
  start(): () => Promise<void>;
}

export interface MirrorStatus {
  definitions: { kind: string; id: string; rev: number; updated: string }[];
  /** Keys of files that wait for an import. */
  left: string[];
  /** Files that cannot be read. */
  broken: string[];
  /** Edits that are kept beside their files. */
  beside: { kind: string; id: string; word: "conflict" | "rejected" }[];
}

export interface MirrorOptions {
  dataDir: string;
  storage: Storage;
  kinds: Kind[];
  log: Logger;
  now: () => string;
  /** The form in which a text that was found in a file is stored. */
  seal(kind: string, text: string): string;
}

const lookEveryMs = 500;
/** Looking takes at most this part of the time, unless it takes so long that the next look would come too late. */
const lookShare = 1 / 50;
const lookAtLatestMs = 10_000;

class Unexpected extends Error {}

async function besideOf(kind: Kind | undefined): ReturnType<typeof listBeside> {
  return kind?.files ? listBeside(kind.files) : [];
}

export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { dataDir, storage: inner, kinds, log, now, seal } = options;
  const names = kinds.map(({ name }) => name);
  // People put files there, so it is there before the first definition.
  for (const { isKept, files } of kinds) if (isKept && files) await mkdir(files.folder, { recursive: true });
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const marks = openMarks(join(dataDir, ".system", "mirror.json"));
  const heads = new Map<string, DefinitionHead>();
  const texts = new Map<string, string>();
  const moved = new Map<string, number>();
  const kindVersions = new Map<string, number>();
  const listeners = new Map<string, ((ids: string[]) => void)[]>();
  const applied = new Map<string, () => void>();
  const takers = new Map<string, Taker>();
  /** Changes of this process: key -> hash. */
  const own = new Map<string, string>();
  const state: MirrorState = { kinds, marks, heads, stamps: new Map(), broken: new Map(), log };
  let pulled: number | undefined;
  /** How long the last look at the files took, without the storing of what it found. */
  let lookMs = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = queue.then(work);
    queue = mine.catch(() => {});
    return mine;
  }

  const isBehind = () => inner.version("definitions") !== pulled;

  let pulling: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** Callers that arrive while it pulls share the next pull. Where the database is away, they share the failure. */
  async function follow(): Promise<void> {
    if (!isBehind()) return;
    if (pulling !== undefined) {
      next ??= pulling
        .finally(() => {
          next = undefined;
        })
        .then(follow);
      return next;
    }
    pulling = inTurn(async () => void (isBehind() && (await pull()))).finally(() => {
      pulling = undefined;
    });
    return pulling;
  }

  async function pull(): Promise<void> {
    const version = inner.version("definitions");
    const rows = await listDefinitions(inner, names);
    const changed = rows.filter((row) => {
      const known = heads.get(keyOf(row.kind, row.id));
      return known?.rev !== row.rev || known.hash !== row.hash;
    });
    const present = new Set(rows.map(({ kind, id }) => keyOf(kind, id)));
    const gone = [...heads].filter(([key]) => !present.has(key));
    const announced: { kind: string; id: string; isOwn: boolean }[] = [];
    const note = (kind: string, id: string, hash: string) => {
      const key = keyOf(kind, id);
      announced.push({ kind, id, isOwn: own.get(key) === hash });
      own.delete(key);
    };
    try {
      for (const [kind, some] of Map.groupBy(changed, (row) => row.kind)) {
        const ids = some.map(({ id }) => id);
        for (let from = 0; from < ids.length; from += 100)
          for (const row of await findDefinitions(inner, kind, ids.slice(from, from + 100))) {
            await apply(row);
            note(kind, row.id, row.hash);
          }
      }
      for (const [, { kind, id }] of gone) {
        await applyGone(kind, id);
        note(kind, id, "");
      }
    } finally {
      // What was applied is seen, also when the rest failed.
      if (announced.length > 0) announce(announced);
      await marks.save();
    }
    pulled = version;
  }

  /** `isForced`: whatever the file has now. */
  async function apply(row: DefinitionRow, { isForced = false } = {}): Promise<void> {
    const kind = byName.get(row.kind) as Kind;
    const key = keyOf(row.kind, row.id);
    if (kind.files) {
      const mark = marks.get(key);
      const isKnown = (hash: string) => hash === mark || row.former.includes(hash);
      // The table is as it was when the file was in step: then a different file is an edit, which `look` takes in.
      const isLeftAlone = !isForced && mark === row.hash;
      const stamp = await placeFile(kind.files, row, { isKnown: isForced ? () => true : isKnown, isLeftAlone, log });
      if (stamp !== undefined) state.stamps.set(key, stamp);
      marks.set(key, row.hash);
      marks.unleave(key);
      state.broken.delete(key);
    }
    const { content, former: _former, ...head } = row;
    heads.set(key, head);
    if (kind.isKept) texts.set(key, content);
  }

  async function applyGone(name: string, id: string): Promise<void> {
    const kind = byName.get(name) as Kind;
    const key = keyOf(name, id);
    const known = [marks.get(key), heads.get(key)?.hash];
    if (kind.files) await dropFile(kind.files, id, { isKnown: (hash) => known.includes(hash), log });
    for (const map of [heads, texts, state.stamps, state.broken]) map.delete(key);
    marks.set(key, undefined);
  }

  function announce(changed: readonly { kind: string; id: string; isOwn: boolean }[]): void {
    for (const [name, some] of Map.groupBy(changed, ({ kind }) => kind)) {
      const { scope } = byName.get(name) as Kind;
      applied.get(name)?.();
      moved.set(scope, (moved.get(scope) ?? 0) + 1);
      kindVersions.set(name, (kindVersions.get(name) ?? 1) + 1);
      const foreign = some.filter(({ isOwn }) => !isOwn).map(({ id }) => id);
      if (foreign.length > 0) for (const listener of listeners.get(name) ?? []) setImmediate(listener, foreign);
    }
  }

  async function store(changes: readonly Change[], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    const updated = now();
    const sorted = [...changes].sort((a, b) => (keyOf(a.kind, a.id) < keyOf(b.kind, b.id) ? -1 : 1));
    try {
      await inner.write(async (tx) => {
        for (const change of sorted)
          if (!(await changeDefinition(tx, { ...change, updated: change.updated ?? updated }))) throw new Unexpected();
        await also?.(tx);
      });
      return true;
    } catch (error) {
      if (error instanceof Unexpected) return false;
      throw error;
    } finally {
      await inTurn(pull);
    }
  }

  async function change(changes: readonly Change[], also?: (tx: Tx) => Promise<void>): Promise<boolean> {
    if (changes.length === 0) return true;
    for (const { kind, id, content } of changes)
      own.set(keyOf(kind, id), content === null ? "" : definitionHash(content));
    return store(changes, also);
  }

  /** One row of the table, into the file that is missing or refused. */
  async function putBack({ kind, id }: { kind: string; id: string }): Promise<void> {
    const [row] = await findDefinitions(inner, kind, [id]);
    if (row) await apply(row, { isForced: true });
  }

  async function look(): Promise<void> {
    await follow();
    const { edits, gone } = await inTurn(async () => {
      const began = performance.now();
      const found = await findEdits(state);
      lookMs = performance.now() - began;
      for (const key of found.gone) {
        const head = heads.get(key);
        if (head) await putBack(head);
      }
      await marks.save();
      return found;
    });
    if (gone.length > 0) log.warn({ files: gone }, "definition files were gone and have been put back");
    // One that the database cannot store now does not hold up the others; it is tried again with the next look.
    const failures: unknown[] = [];
    for (const edit of edits) await unclaimed(() => take(edit)).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** False: it was refused. */
  async function take(edit: Edit): Promise<boolean> {
    const { kind, id, text, head } = edit;
    const taker = takers.get(kind.name);
    const key = keyOf(kind.name, id);
    try {
      const content = taker ? await taker.check(id, text) : text;
      const known = content === text ? [] : [text];
      const work = () => store([{ kind: kind.name, id, content, known, expected: head ?? null }]);
      const isStored = await (taker?.within ? taker.within(work) : work());
      if (isStored) await taker?.taken?.(id, { isNew: head === undefined });
      // Another node was faster: the pull has put its content there, and the edit beside it.
      return isStored;
    } catch (error) {
      const reason = taker?.refusal(error);
      if (reason === undefined) throw error;
      log.warn({ file: key, reason }, "an edited definition was refused; it is kept beside the file as .rejected");
      await inTurn(async () => {
        if ((await readFileText(edit.files, id)) !== text) return;
        await keepBeside(edit.files, id, "rejected");
        if (heads.has(key)) await putBack({ kind: kind.name, id });
        else await dropFile(edit.files, id, { isKnown: () => true, log });
        await marks.save();
      });
      return false;
    }
  }

  /** Texts of files, by key. */
  async function* fileTexts(): AsyncIterable<{ kind: Kind; id: string; text: string }> {
    for (const kind of kinds)
      if (kind.files)
        for (const id of (await listFiles(kind.files)).keys()) {
          const text = await readFileText(kind.files, id);
          if (text !== undefined) yield { kind, id, text };
        }
  }

  /** Files that waited for an import, and were removed or refused meanwhile. */
  async function unleaveGone(): Promise<void> {
    if (marks.left.size === 0) return;
    const present = new Set<string>();
    for (const kind of kinds)
      if (kind.files) for (const id of (await listFiles(kind.files)).keys()) present.add(keyOf(kind.name, id));
    for (const key of [...marks.left]) if (!present.has(key)) marks.unleave(key);
  }

  /** The move from one node: the first one fills the empty table. */
  async function fillEmptyTable({ isForced = false } = {}): Promise<void> {
    const found: Change[] = [];
    for await (const { kind, id, text } of fileTexts()) {
      const content = seal(kind.name, text);
      found.push({ kind: kind.name, id, content, known: content === text ? [] : [text] });
    }
    if (found.length === 0) return;
    const fileKinds = kinds.filter(({ files }) => files).map(({ name }) => name);
    await inner.write(async (tx) => {
      await lockName(tx, "definitions");
      if (!isForced && (await listDefinitions(tx, fileKinds)).length > 0) return;
      for (const one of found) await changeDefinition(tx, { ...one, updated: now() });
    });
  }

  const hasDefinitions = () => [...heads.values()].some(({ kind }) => byName.get(kind)?.files);

  /** What was deleted while this node was away. What was not in step with this very database waits, as on a new node. */
  async function settleMissing(): Promise<void> {
    for (const key of marks.keys()) {
      const { kind, id } = partsOf(key);
      if (heads.has(key) || !byName.get(kind)?.files) continue;
      if (isKnown) await applyGone(kind, id);
      else marks.set(key, undefined);
    }
  }

  const database = await siteMark(inner);
  // Versions before did not note it.
  const isKnown = marks.database !== undefined && marks.database === database;
  await pull();
  // An empty table that these files were in step with has been emptied by deletions.
  if (!hasDefinitions() && !isKnown) {
    await fillEmptyTable();
    await inTurn(pull);
  }
  await settleMissing();
  marks.belongTo(database);
  if (!isKnown && hasDefinitions()) {
    for await (const { kind, id } of fileTexts()) {
      const key = keyOf(kind.name, id);
      if (!heads.has(key)) marks.leave(key);
    }
    if (marks.left.size > 0)
      log.warn({ files: [...marks.left] }, "the database does not have these definitions: cairn definitions:import");
  }
  await marks.save();

  const storage: Storage = Object.assign(Object.create(inner) as Storage, {
    version: (scope: VersionScope) => inner.version(scope) + (moved.get(scope) ?? 0),
    async catchUp() {
      await inner.catchUp();
      if (isBehind()) await follow();
    },
  });

  return {
    storage,
    follow,
    look,
    change,
    find: (kind, id) => texts.get(keyOf(kind, id)),
    head: (kind, id) => heads.get(keyOf(kind, id)),
    ids: (kind) => [...heads.values()].flatMap((head) => (head.kind === kind ? [head.id] : [])).sort(),
    version: (kind) => kindVersions.get(kind) ?? 1,
    onChange: (kind, listener) => void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    onApplied: (kind, listener) => void applied.set(kind, listener),
    takeWith: (kind, taker) => void takers.set(kind, taker),
    broken: (kind) =>
      [...state.broken].flatMap(([key, reason]) =>
        key.startsWith(`${kind}/`) ? [{ id: key.slice(kind.length + 1), reason }] : [],
      ),
    beside: async (kind) => besideOf(byName.get(kind)),
    async status() {
      await follow();
      await unleaveGone();
      const beside: MirrorStatus["beside"] = [];
      for (const kind of kinds) for (const kept of await besideOf(kind)) beside.push({ kind: kind.name, ...kept });
      const definitions = [...heads.values()].filter(({ kind }) => byName.get(kind)?.files);
      return {
        definitions: definitions.map(({ kind, id, rev, updated }) => ({ kind, id, rev, updated })),
        left: [...marks.left],
        broken: [...state.broken.keys()],
        beside,
      };
    },
    async takeLeft() {
      const taken: { key: string; isTaken: boolean }[] = [];
      for await (const { kind, id, text } of fileTexts()) {
        const key = keyOf(kind.name, id);
        if (!marks.left.has(key) || !kind.files) continue;
        const isTaken = await take({ kind, files: kind.files, id, text, head: undefined });
        if (isTaken) marks.unleave(key);
        taken.push({ key, isTaken });
      }
      await unleaveGone();
      await marks.save();
      return taken;
    },
    async forget() {
      await inTurn(async () => {
        for (const map of [heads, texts, state.stamps, state.broken]) map.clear();
        marks.forget();
        await marks.save();
      });
    },
    async takeAll() {
      marks.belongTo(await siteMark(inner));
      await fillEmptyTable({ isForced: true });
      await inTurn(pull);
    },
    start() {
      let isStopped = false;
      let timer: NodeJS.Timeout | undefined;
      let looking: Promise<void> = Promise.resolve();
      const complain = (error: unknown) => log.warn({ err: error }, "definitions could not be followed");
      const unwatch = inner.watch("definitions", () => void (isStopped || follow().catch(complain)));
      const next = () => {
        looking = look()
          .catch(complain)
          .then(() => {
            if (isStopped) return;
            const wait = Math.min(lookAtLatestMs, Math.max(lookEveryMs, lookMs / lookShare));
            timer = setTimeout(next, wait).unref();
          });
      };
      next();
      return async () => {
        isStopped = true;
        clearTimeout(timer);
        unwatch();
        await looking;
        await queue;
      };
    },
  };
}
