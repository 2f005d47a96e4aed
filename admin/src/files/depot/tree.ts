// The value of a depot as people see it: folders with their counts, files with their places. Pure; what is given is never
// changed.

import type { DepotChange } from "@contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";

export interface DepotFile {
  /** Below the depot, names separated by slashes. */
  path: string;
  name: string;
  /** Of its folder; empty: the top. */
  folder: string;
  size: number;
  ext: string;
  mime: string;
  download: string;
  comments: string;
  tags: readonly string[];
  uploadDate: string;
}

export interface DepotFolder {
  path: string;
  name: string;
  /** 1 for the depot itself. */
  level: number;
  folders: readonly DepotFolder[];
  /** In it and in all folders below. */
  count: number;
  size: number;
}

interface Entry extends JsonObject {
  name: string;
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Whether a path is the folder or lies in it; everything lies in the depot. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** The depot as its topmost folder, under the label of the field. */
export function readFolders(value: Json | undefined, label: string): DepotFolder {
  return folderOf(entriesOf(value), { path: "", name: label, level: 1 });
}

function folderOf(
  entries: readonly Entry[],
  { path, name, level }: Pick<DepotFolder, "path" | "name" | "level">,
): DepotFolder {
  const folders: DepotFolder[] = [];
  let count = 0;
  let size = 0;
  for (const entry of entries) {
    if (isFolder(entry)) {
      const folder = folderOf(entriesOf(entry), { path: joined(path, entry.name), name: entry.name, level: level + 1 });
      folders.push(folder);
      count += folder.count;
      size += folder.size;
    } else {
      count += 1;
      size += sizeOf(entry);
    }
  }
  folders.sort((a, b) => compare(a.name, b.name));
  return { path, name, level, folders, count, size };
}

export function findFolder(root: DepotFolder, path: string): DepotFolder | undefined {
  if (root.path === path) return root;
  const next = root.folders.find((folder) => isWithin(path, folder.path));
  return next && findFolder(next, path);
}

/** The folders that a tree shows, from the top down: those in open ones. */
export function visibleFolders(root: DepotFolder, open: ReadonlySet<string>): DepotFolder[] {
  return [root, ...(open.has(root.path) ? root.folders.flatMap((folder) => visibleFolders(folder, open)) : [])];
}

/** The files of one folder. */
export function filesIn(value: Json | undefined, folder: string): DepotFile[] {
  const inside = folder === "" ? value : findEntry(value, folder);
  return entriesOf(inside)
    .filter((entry) => !isFolder(entry))
    .map((entry) => fileOf(entry, folder));
}

/** The files of a folder and of all below it, whose name, comments or tags hold all the words. */
export function findFiles(value: Json | undefined, folder: string, search: string): DepotFile[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return allFiles(folder === "" ? value : findEntry(value, folder), folder).filter(({ name, comments, tags }) => {
    const text = [name, comments, ...tags].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function allFiles(value: Json | undefined, folder: string): DepotFile[] {
  return entriesOf(value).flatMap((entry) =>
    isFolder(entry) ? allFiles(entry, joined(folder, entry.name)) : [fileOf(entry, folder)],
  );
}

export type FileColumn = "name" | "size" | "type" | "changed";

/** A copy in the order of a column; equal ones by name. */
export function sortFiles(files: readonly DepotFile[], column: FileColumn, isDown: boolean): DepotFile[] {
  const by: Record<FileColumn, (a: DepotFile, b: DepotFile) => number> = {
    name: () => 0,
    size: (a, b) => a.size - b.size,
    type: (a, b) => compare(a.ext, b.ext),
    changed: (a, b) => (a.uploadDate < b.uploadDate ? -1 : a.uploadDate > b.uploadDate ? 1 : 0),
  };
  const sign = isDown ? -1 : 1;
  return [...files].sort(
    (a, b) =>
      sign * by[column](a, b) || (column === "name" ? sign : 1) * compare(a.name, b.name) || compare(a.path, b.path),
  );
}

/** What the depot will be when the server has done a change, to be shown meanwhile. */
export function applyChange(
  value: Json | undefined,
  { operation, paths, destination = "", name = "" }: DepotChange,
): JsonObject {
  const depot = isJsonObject(value) ? value : { files: [] };
  if (operation === "rename") {
    const [path = ""] = paths;
    return mapEntries(depot, parentOf(path), (entries) =>
      entries.map((entry) => (entry.name === nameOf(path) ? { ...entry, name } : entry)),
    );
  }
  const moved = operation === "move" ? paths.filter((path) => parentOf(path) !== destination) : [];
  const taken = moved.map((path) => findEntry(depot, path)).filter((entry) => entry !== undefined);
  let next = depot;
  for (const [folder, names] of byFolder(operation === "move" ? moved : paths))
    next = mapEntries(next, folder, (entries) => entries.filter((entry) => !names.has(entry.name)));
  return taken.length === 0 ? next : mapEntries(next, destination, (entries) => [...entries, ...taken]);
}

function byFolder(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = folders.get(parentOf(path)) ?? new Set();
    folders.set(parentOf(path), names.add(nameOf(path)));
  }
  return folders;
}

function mapEntries(depot: JsonObject, folder: string, change: (entries: Entry[]) => Entry[]): JsonObject {
  if (folder === "") return { ...depot, files: change(entriesOf(depot)) };
  const [name = "", ...rest] = folder.split("/");
  return {
    ...depot,
    files: entriesOf(depot).map((entry) =>
      isFolder(entry) && entry.name === name ? mapEntries(entry, rest.join("/"), change) : entry,
    ),
  };
}

function findEntry(value: Json | undefined, path: string): Entry | undefined {
  let found: Json | undefined = value;
  for (const name of path.split("/")) found = entriesOf(found).find((entry) => entry.name === name);
  return found as Entry | undefined;
}

function entriesOf(value: Json | undefined): Entry[] {
  const files = isJsonObject(value) ? value.files : undefined;
  return Array.isArray(files) ? files.filter(isEntry) : [];
}

function isEntry(entry: Json): entry is Entry {
  return isJsonObject(entry) && typeof entry.name === "string" && entry.name !== "";
}

function isFolder(entry: JsonObject): boolean {
  return entry.mime === "folder";
}

function fileOf(entry: Entry, folder: string): DepotFile {
  const { name, ext, mime, download, comments, tags, uploadDate } = entry;
  return {
    path: joined(folder, name),
    name,
    folder,
    size: sizeOf(entry),
    ext: textOf(ext),
    mime: textOf(mime),
    download: textOf(download),
    comments: textOf(comments),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    uploadDate: textOf(uploadDate),
  };
}

function sizeOf({ size }: JsonObject): number {
  return typeof size === "number" ? size : 0;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compare(a: string, b: string): number {
  return collator.compare(a, b);
}
