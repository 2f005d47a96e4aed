// What a whole backup is made of: rows as NDJSON for each table, definitions and system files as they lie in the data
// directory, media files, and a manifest that says what each of them must be. The same whatever engine or store it is from.

import { CairnError, fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { type ArchiveReader, type Checked, readLines } from "./archive.ts";

export const formatName = "cairn-backup";
export const formatVersion = 1;

export const manifestName = "manifest.json";
export const fileListName = "files.ndjson";
/** Of files that objects have lost and that may come back; older backups have none. */
export const atticListName = "attic.ndjson";

export const folders = {
  tables: "database/",
  schemas: "schemas/",
  templates: "builder/",
  system: "system/",
  files: "files/",
  /** Files that changed while the others were being copied; they replace those of the same key. */
  changedFiles: "files-changed/",
  attic: "attic/",
} as const;

export interface Manifest {
  format: typeof formatName;
  formatVersion: number;
  /** Of Cairn. */
  version: string;
  created: string;
  /** Of the database that was backed up. */
  migrations: string[];
  tables: { name: string; rows: number }[];
  files: number;
  /** Everything but the media files, which are in a list of their own. */
  entries: { [name: string]: Checked & { modified?: string } };
}

export interface FileLine extends Checked {
  key: string;
  entry: string;
}

export function tableEntry(table: string): string {
  return `${folders.tables}${table}.ndjson`;
}

export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  if (!archive.names().includes(manifestName)) return noBackup();
  let manifest: Json;
  try {
    manifest = JSON.parse(Buffer.from(await readAll(archive.read(manifestName))).toString("utf8")) as Json;
  } catch (error) {
    if (error instanceof CairnError) throw error;
    return fail("invalid", "The manifest of the backup is damaged.");
  }
  if (!isJsonObject(manifest) || manifest.format !== formatName) return noBackup();
  if (manifest.formatVersion !== formatVersion) {
    fail("invalid", "The backup was made by a newer version of Cairn.");
  }
  return manifest as unknown as Manifest;
}

function noBackup(): never {
  fail("invalid", "The file is not a backup of Cairn.");
}

/** By entry. */
export function readFileList(archive: ArchiveReader): Promise<Map<string, FileLine>> {
  return readList(archive, fileListName, isFileLine);
}

/** Of the attic, by entry. */
export async function readAtticList(archive: ArchiveReader): Promise<Map<string, FileLine>> {
  const isThere = archive.names().includes(atticListName);
  return isThere ? readList(archive, atticListName, isAtticLine) : new Map();
}

async function readList(archive: ArchiveReader, name: string, isValid: (line: FileLine) => boolean) {
  const files = new Map<string, FileLine>();
  for await (const line of readLines<FileLine>(archive.read(name))) {
    if (!isValid(line)) fail("invalid", "The list of files is damaged.");
    files.set(line.entry, line);
  }
  return files;
}

/** A key begins with a collection, and its bytes are stored under its own name. */
function isFileLine({ key, entry }: FileLine): boolean {
  return /^[a-z0-9_][a-z0-9_-]*\//.test(key) && [folders.files, folders.changedFiles].some((at) => at + key === entry);
}

/** A key begins with the number of an object. */
function isAtticLine({ key, entry }: FileLine): boolean {
  return /^\d+\//.test(key) && folders.attic + key === entry;
}

export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
