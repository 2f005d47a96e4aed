// Definition files: one JSON file per definition in a folder, written atomically, re-read when they change on disk.
// The folder decides; memory follows it. Links are never followed, nothing outside the folder is ever read.

import {
  type BigIntStats,
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
} from "node:fs";
import { basename, join } from "node:path";
import { CairnError } from "#base/errors.ts";
import { createFileAtomic, syncFolder, temporaryName, writeFileAtomic, writeFilesAtomic } from "#base/files.ts";
import { deepFreeze } from "#base/freeze.ts";
import { parseLargeJson } from "#base/json.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";

export interface Definitions {
  /** Parsed content, frozen; the same object until the file changes. */
  find(id: string): Readonly<JsonObject> | undefined;
  /** Sorted. */
  ids(): string[];
  /** Moves with every change of any file, here or by another process or editor. */
  readonly version: number;
  /** Temp file, fsync, rename, fsync of the folder. */
  put(id: string, content: JsonObject): Promise<void>;
  /** As put, for many: the folder is read once. Each file is whole at any time, the set is not. */
  putAll(contents: ReadonlyMap<string, JsonObject>): Promise<void>;
  /** As put, but only when there is no such file; false when there is. */
  create(id: string, content: JsonObject): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Reads what has changed again (after a notice of another process): files at once, a database until it resolves. */
  refresh(): Promise<void> | undefined;
  /** Called with the ids that changed from outside: by an editor, git, another process. */
  onChange(listener: (ids: string[]) => void): void;
  /** Files that could not be read, with a reason; they are kept and ignored. */
  broken(): { id: string; reason: string }[];
  close(): void;
}

export interface DefinitionsOptions {
  log: Log;
}

interface Log {
  warn(fields: object, message: string): void;
}

const fileName = /^([a-z0-9][a-z0-9_-]*)\.json$/;
const maxBytes = 4 * 1024 * 1024;
/** Notices of the file system can be lost, so the folder is also polled, at most this often. */
const lookEveryMs = 2_000;
/** One save of an editor, or one pull, gives many notices. */
const settleMs = 50;
const abandonedAfterMs = 60_000;

interface Entry {
  /** The part of the file's status that moves with every change. */
  stamp: string;
  content?: Readonly<JsonObject>;
  reason?: string;
}

export async function openDefinitions(dir: string, { log }: DefinitionsOptions): Promise<Definitions> {
  let entries = new Map<string, Entry>();
  const listeners = new Set<(ids: string[]) => void>();
  let version = 1;
  let lookedAt = Date.now();
  let isLooking = false;
  let settling: NodeJS.Timeout | undefined;
  let isClosed = false;
  let watcher: FSWatcher | undefined;
  /** The watched folder was renamed: git or another program has replaced it, or will. */
  let isMoved = false;

  const pathOf = (id: string): string => join(dir, `${id}.json`);

  /** Reads the files whose status is new; returns the ids whose content changed. */
  function scan(): string[] {
    const next = new Map<string, Entry>();
    for (const [id, stamp] of stampsOf(dir)) {
      const known = entries.get(id);
      next.set(id, known?.stamp === stamp ? known : readEntry(id, stamp, known));
    }
    const ids = new Set([...entries.keys(), ...next.keys()]);
    const changed = [...ids].filter((id) => entries.get(id)?.content !== next.get(id)?.content);
    entries = next;
    lookedAt = Date.now();
    if (changed.length > 0) version++;
    return changed;
  }

  function readEntry(id: string, stamp: string, known: Entry | undefined): Entry {
    try {
      return { stamp, content: deepFreeze(readDefinition(pathOf(id))) };
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ file: `${id}.json`, reason }, "a definition file cannot be read and is ignored");
      // The last good content is used while the process lives.
      return known?.content ? { stamp, reason, content: known.content } : { stamp, reason };
    }
  }

  function follow(...own: string[]): void {
    try {
      const known = new Set(own);
      const changed = scan().filter((id) => !known.has(id));
      if (changed.length > 0) for (const listener of listeners) listener(changed);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "the folder of definitions cannot be watched");
    }
  }

  /** Off the hot path: compares the folder with memory without blocking, and re-reads only when they differ. */
  async function look(): Promise<void> {
    isLooking = true;
    lookedAt = Date.now();
    try {
      const names = await promises.readdir(dir).catch(noneWhenGone);
      if (isMoved && names && !isClosed) watchNow();
      const seen = new Map<string, string>();
      for (const name of names ?? []) {
        const id = fileName.exec(name)?.[1];
        if (id) seen.set(id, stampOf(await promises.lstat(join(dir, name), { bigint: true })));
      }
      const isSame = seen.size === entries.size && [...seen].every(([id, stamp]) => entries.get(id)?.stamp === stamp);
      if (!isSame && !isClosed) follow();
    } catch {
      // A file was removed meanwhile; the next poll sees the present state.
    } finally {
      isLooking = false;
    }
  }

  function watchNow(): void {
    watcher?.close();
    isMoved = false;
    watcher = watchFolder(dir, log, (name) => {
      if (name === basename(dir)) isMoved = true;
      settling ??= setTimeout(() => {
        settling = undefined;
        follow();
      }, settleMs);
      settling.unref();
    });
  }

  /** The folder may have been deleted with its content. */
  async function makeReady(): Promise<void> {
    await promises.mkdir(dir, { recursive: true });
    if (isMoved) watchNow();
  }

  mkdirSync(dir, { recursive: true });
  sweepTemporary(dir);
  scan();
  watchNow();

  return {
    find: (id) => entries.get(id)?.content,
    ids: () =>
      [...entries]
        .filter(([, entry]) => entry.content)
        .map(([id]) => id)
        .sort(),
    get version() {
      if (!isLooking && Date.now() - lookedAt >= lookEveryMs) void look();
      return version;
    },
    async put(id, content) {
      await makeReady();
      await writeFileAtomic(pathOf(id), definitionText(content));
      follow(id);
    },
    async putAll(contents) {
      await makeReady();
      await writeFilesAtomic(
        dir,
        new Map([...contents].map(([id, content]) => [`${id}.json`, definitionText(content)])),
      );
      follow(...contents.keys());
    },
    async create(id, content) {
      await makeReady();
      const isCreated = await createFileAtomic(pathOf(id), definitionText(content));
      follow(id);
      return isCreated;
    },
    async delete(id) {
      await promises.rm(pathOf(id), { force: true });
      await syncFolder(dir);
      follow(id);
    },
    refresh() {
      follow();
      return undefined;
    },
    onChange: (listener) => void listeners.add(listener),
    broken: () => [...entries].flatMap(([id, { reason }]) => (reason === undefined ? [] : [{ id, reason }])),
    close() {
      isClosed = true;
      clearTimeout(settling);
      watcher?.close();
      listeners.clear();
    },
  };
}

export function definitionText(content: JsonObject): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function stampOf(status: BigIntStats): string {
  return `${status.ino}:${status.ctimeNs}:${status.size}`;
}

function stampsOf(dir: string): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const name of readNames(dir)) {
    const id = fileName.exec(name)?.[1];
    const status = id && lstatSync(join(dir, name), { bigint: true, throwIfNoEntry: false });
    if (id && status) stamps.set(id, stampOf(status));
  }
  return stamps;
}

function readNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    return noneWhenGone(error) ?? [];
  }
}

function noneWhenGone(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

class Unreadable extends Error {}

function readDefinition(path: string): JsonObject {
  // Not blocking, because opening a named pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new Unreadable("It is not a file.");
    if (status.size > maxBytes) throw new Unreadable("It is too large.");
    const content = parseLargeJson(readFileSync(file));
    if (!isJsonObject(content)) throw new Unreadable("It must contain a JSON object.");
    return content;
  } finally {
    closeSync(file);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function reasonOf(error: unknown): string {
  if (error instanceof Unreadable || error instanceof CairnError) return error.message;
  const code = codeOf(error);
  return code === "ELOOP" ? "It is a link." : `It cannot be opened (${code ?? "unknown"}).`;
}

function sweepTemporary(dir: string): void {
  const before = Date.now() - abandonedAfterMs;
  for (const name of readNames(dir)) {
    if (!temporaryName.test(name)) continue;
    const status = lstatSync(join(dir, name), { throwIfNoEntry: false });
    if (status && status.mtimeMs < before) rmSync(join(dir, name), { force: true });
  }
}

function watchFolder(dir: string, log: Log, onNotice: (name: string | null) => void): FSWatcher | undefined {
  const giveUp = (error: unknown): void =>
    log.warn({ reason: codeOf(error) }, "the folder of definitions is polled only");
  try {
    const watcher = watch(dir, { persistent: false }, (_event, name) => onNotice(name));
    watcher.on("error", giveUp);
    return watcher;
  } catch (error) {
    giveUp(error);
    return undefined;
  }
}
