// A whole backup while the server runs: rows from one consistent view, files before and after it.
// A file is published before the row that names it: what is new since the first pass is copied in the second, so every
// file that a row of the view names is there, unless it was deleted within the moments of the second pass.

import type { Dirent } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { allow } from "#access/allow.ts";
import { CairnError } from "#base/errors.ts";
import { temporaryName } from "#base/files.ts";
import type { Context } from "#context.ts";
import { findSigningKey } from "#definitions/signing-key.ts";
import type { OpenFile, SystemStore } from "#files/port.ts";
import type { View } from "#storage/port.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { countRows, iterateRows, listMigrations, listTables, type Table } from "#storage/whole-tables.ts";
import { openLocalFiles } from "#sync/snapshots/move-snapshots.ts";
import { snapshotsFolder } from "#sync/snapshots/snapshots.ts";
import { type ArchiveWriter, type Checked, createArchive } from "./archive.ts";
import {
  atticListName,
  type FileLine,
  fileListName,
  folders,
  formatName,
  formatVersion,
  type Manifest,
  manifestName,
  tableEntry,
} from "./format.ts";

const batchSize = 200;
/** Files of folders that are read together, and bytes of one that are read at once. */
const filesAtOnce = 16;
const readAtOnce = 1024 * 1024;
/**
 * Left out of the system folder: the database, its location, locks, unfinished uploads, logs of the machine, other backups, and
 * snapshots, which are in the file store.
 */
const notSystem =
  /^(cairn\.db.*|server\.lock.*|uploads|logs|restore-unfinished|database\.json|mirror\.json|whole-backups|backups)$/;

export interface BackupOptions {
  /** Of Cairn, for the manifest. */
  version: string;
  onProgress?: (rows: number, total: number) => void;
  /** Called after each media file. */
  onFile?: (files: number) => void;
  /** Aborted: nothing is left behind. */
  signal?: AbortSignal;
}

export interface BackupSummary {
  created: string;
  objects: number;
  files: number;
  tables: { name: string; rows: number }[];
}

export async function createBackup(ctx: Context, file: string, options: BackupOptions): Promise<BackupSummary> {
  allow(ctx, "read", { kind: "backups" });
  const archive = await createArchive(file);
  try {
    const manifest = await fill(ctx, archive, options);
    options.signal?.throwIfAborted();
    await archive.finish();
    const { created, files, tables } = manifest;
    return { created, files, tables, objects: tables.find(({ name }) => name === "objects")?.rows ?? 0 };
  } catch (error) {
    await archive.abandon();
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ENOSPC" || code === "EDQUOT" ? new CairnError("storage-full") : error;
  }
}

async function fill(ctx: Context, archive: ArchiveWriter, options: BackupOptions): Promise<Manifest> {
  const entries: Manifest["entries"] = {};
  const files: FileLine[] = [];
  const known = new Map<string, string>();
  await addFiles(ctx, archive, { known, files, folder: folders.files, ...options });
  const rows = await ctx.storage.view(async (view) => {
    const tables = await addTables(view, archive, entries, options);
    return { tables, migrations: await listMigrations(view) };
  });
  await addFiles(ctx, archive, { known, files, folder: folders.changedFiles, ...options });
  await ctx.definitions?.follow();
  for (const [from, to] of [
    [".schemas", folders.schemas],
    ["builder", folders.templates],
    [".system", folders.system],
  ] as const) {
    await addFolder(archive, join(ctx.settings.dataDir, from), to, {
      entries,
      isShared: ctx.definitions !== undefined,
    });
  }
  await addSigningKey(ctx, archive, entries);
  await addSnapshots(ctx, archive, { entries, signal: options.signal });
  const kept: FileLine[] = [];
  for await (const { key } of ctx.files.attic.list()) {
    options.signal?.throwIfAborted();
    const copied = await addFile(archive, () => ctx.files.attic.open(key), { key, entry: folders.attic + key });
    if (copied) kept.push(copied.line);
  }
  entries[atticListName] = await archive.add(atticListName, lines(kept));
  entries[fileListName] = await archive.add(fileListName, lines(files));
  const manifest: Manifest = {
    format: formatName,
    formatVersion,
    version: options.version,
    created: ctx.clock.iso(),
    ...rows,
    files: known.size,
    entries,
  };
  await archive.add(manifestName, lines([manifest]));
  return manifest;
}

/** Where the database has it: in the place of the file that a single server has. */
async function addSigningKey(ctx: Context, archive: ArchiveWriter, entries: Manifest["entries"]): Promise<void> {
  const { definitions, settings } = ctx;
  const pem = definitions && findSigningKey(definitions, settings.dataDir);
  const entry = `${folders.system}oauth-keys/private.key`;
  if (pem && !entries[entry])
    entries[entry] = { ...(await archive.add(entry, Readable.from([Buffer.from(pem)]))), modified: ctx.clock.iso() };
}

interface SnapshotPass {
  entries: Manifest["entries"];
  signal: AbortSignal | undefined;
}

/** Of the file store, and those that wait on this node for their move there. */
async function addSnapshots(ctx: Context, archive: ArchiveWriter, pass: SnapshotPass): Promise<void> {
  const local = await openLocalFiles(ctx);
  try {
    if (local) await addSnapshotsOf(local.system, archive, pass);
    // What was moved meanwhile is found here.
    await addSnapshotsOf(ctx.files.system, archive, pass);
  } finally {
    await local?.close();
  }
}

async function addSnapshotsOf(system: SystemStore, archive: ArchiveWriter, pass: SnapshotPass): Promise<void> {
  const { entries, signal } = pass;
  const add = async (keys: string[]) => {
    signal?.throwIfAborted();
    for (const file of await Promise.all(keys.map((key) => readSystemFile(system, key)))) {
      const checked = file && (await addSystemFile(archive, system, file));
      if (checked) entries[file.entry] = { ...checked, modified: file.modified };
    }
  };
  let keys: string[] = [];
  for await (const key of system.listKeys(snapshotsFolder)) {
    if (entries[folders.system + key]) continue;
    keys.push(key);
    if (keys.length < filesAtOnce) continue;
    await add(keys);
    keys = [];
  }
  await add(keys);
}

interface SystemFile extends Omit<ReadFile, "path"> {
  key: string;
}

/** Undefined when it was removed meanwhile. */
async function readSystemFile(system: SystemStore, key: string): Promise<SystemFile | undefined> {
  const opened = await system.open(key).catch(ifFound);
  if (!opened) return undefined;
  const file = { key, entry: folders.system + key, modified: new Date(opened.modified).toISOString() };
  if (opened.size <= readAtOnce) return { ...file, bytes: await opened.read() };
  await opened.close();
  return file;
}

async function addSystemFile(
  archive: ArchiveWriter,
  system: SystemStore,
  { key, entry, bytes }: SystemFile,
): Promise<Checked | undefined> {
  if (bytes) return archive.add(entry, Readable.from([bytes]));
  const opened = await system.open(key).catch(ifFound);
  return opened && archive.add(entry, await opened.stream());
}

async function addTables(
  view: View,
  archive: ArchiveWriter,
  entries: Manifest["entries"],
  { onProgress, signal }: BackupOptions,
): Promise<Manifest["tables"]> {
  const tables = await listTables(view);
  const counts = new Map<Table, number>();
  for (const table of tables) counts.set(table, await countRows(view, table));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const table of tables) {
    const source = rowLines(view, table, (rows) => {
      signal?.throwIfAborted();
      done += rows;
      onProgress?.(done, total);
    });
    entries[tableEntry(table.name)] = await archive.add(tableEntry(table.name), source);
  }
  return tables.map((table) => ({ name: table.name, rows: counts.get(table) as number }));
}

async function* rowLines(view: View, table: Table, tell: (rows: number) => void): AsyncIterable<string> {
  for await (const rows of iterateRows(view, table, batchSize)) {
    let text = "";
    for (const row of rows) text += `${JSON.stringify(row)}\n`;
    yield text;
    tell(rows.length);
  }
}

async function* lines(values: readonly object[]): AsyncIterable<string> {
  for (const value of values) yield `${JSON.stringify(value)}\n`;
}

interface FilePass extends Pick<BackupOptions, "onFile" | "signal"> {
  /** Key -> tag of what has been copied. */
  known: Map<string, string>;
  files: FileLine[];
  folder: string;
}

async function addFiles(ctx: Context, archive: ArchiveWriter, pass: FilePass): Promise<void> {
  const { known, files, folder } = pass;
  for (const { id } of await listCollectionRows(ctx.storage)) {
    for await (const { key, tag } of ctx.files.list(id)) {
      if (known.get(key) === tag) continue;
      pass.signal?.throwIfAborted();
      const copied = await addFile(archive, () => ctx.files.open(key), { key, entry: folder + key });
      if (!copied) continue;
      files.push(copied.line);
      known.set(key, copied.tag);
      pass.onFile?.(known.size);
    }
  }
}

/** Undefined when it was deleted meanwhile. */
async function addFile(
  archive: ArchiveWriter,
  open: () => Promise<OpenFile>,
  { key, entry }: Pick<FileLine, "key" | "entry">,
): Promise<{ line: FileLine; tag: string } | undefined> {
  try {
    const opened = await open();
    const checked = await archive.add(entry, await opened.stream(), { isPacked: true });
    return { line: { key, entry, ...checked }, tag: opened.tag };
  } catch (error) {
    return ifFound(error);
  }
}

function ifFound(error: unknown): undefined {
  if (!(error instanceof CairnError && error.word === "not-found")) throw error;
}

async function addFolder(
  archive: ArchiveWriter,
  folder: string,
  to: string,
  { entries, isShared }: { entries: Manifest["entries"]; isShared: boolean },
): Promise<void> {
  const found: PlainFile[] = [];
  // A file with the signing keys may be an older one than the database has.
  for await (const file of walk(folder, to))
    if (!isShared || !/^system\/oauth-keys\//.test(file.entry)) found.push(file);
  for (let from = 0; from < found.length; from += filesAtOnce) {
    for (const file of await Promise.all(found.slice(from, from + filesAtOnce).map(readSmallFile))) {
      const content = file && (await contentOf(file));
      if (content) entries[file.entry] = { ...(await archive.add(file.entry, content)), modified: file.modified };
    }
  }
}

interface PlainFile {
  path: string;
  /** Its name in the archive. */
  entry: string;
}

async function* walk(folder: string, to: string): AsyncIterable<PlainFile> {
  for (const { name, isDirectory, isFile } of await sorted(folder)) {
    if (temporaryName.test(name) || (to === folders.system && notSystem.test(name))) continue;
    if (isDirectory) yield* walk(join(folder, name), `${to}${name}/`);
    else if (isFile) yield { path: join(folder, name), entry: to + name };
  }
}

interface ReadFile extends PlainFile {
  modified: string;
  /** Absent: too large to be read at once. */
  bytes?: Uint8Array;
}

/** Most are definitions and settings: read first, so that a file removed meanwhile does no harm. */
async function readSmallFile(file: PlainFile): Promise<ReadFile | undefined> {
  const found = await stat(file.path).catch(ifThere);
  if (!found) return undefined;
  const modified = found.mtime.toISOString();
  if (found.size > readAtOnce) return { ...file, modified };
  const bytes = await readFile(file.path).catch(ifThere);
  return bytes && { ...file, modified, bytes };
}

/** Undefined when it was removed meanwhile; once it is open that does no harm. */
async function contentOf({ path, bytes }: ReadFile): Promise<Readable | undefined> {
  if (bytes) return Readable.from([bytes]);
  return (await open(path).catch(ifThere))?.createReadStream();
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function sorted(folder: string): Promise<{ name: string; isDirectory: boolean; isFile: boolean }[]> {
  const found: Dirent[] = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  });
  return found
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory(), isFile: entry.isFile() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
