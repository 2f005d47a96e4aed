// Depots: folders made and renamed, files and folders moved. A folder lives in the value; in the store it is no more
// than a part of the keys of the files in it.

import { fail } from "#base/errors.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { complain, type PropertyTarget } from "#content/objects/properties.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { cleanFileName, cleanFolder, readFolder } from "#files/file-names.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import {
  filesBelow,
  findInDepot,
  noPath,
  pathsBelow,
  removeEntry,
  withEntries,
  withOwnPlaces,
} from "#schemas/values/depot-tree.ts";
import { extensionOf, formerPlace, isFolder, valueAt } from "#schemas/values/file-values.ts";
import { changeFiles, fileRef, getDocument, keyOf, type OpenFiles, objectOf, openFiles } from "./open-files.ts";
import { relocate } from "./property-files.ts";

/** A folder that is there already is fine. */
export async function createFolder(
  ctx: Context,
  target: PropertyTarget,
  { path, ifMatch }: { path: Json | undefined } & Precondition,
): Promise<ObjectAnswer> {
  const files = await openDepot(ctx, target);
  const folder = folderToMake("path", path);
  if (folder.length === 0) fail("invalid", "The path of the folder is missing.", { path: ["is required"] });
  return withObjectFilesLock(ctx, objectOf(files), () =>
    changeFiles(ctx, files, {
      ifMatch,
      next: (value) => withEntries(depotOf(files, value), folder, (entries) => entries, { isMaking: true }),
    }),
  );
}

/** `name` is the last segment alone: a folder stays where it is. */
export async function renameFolder(
  ctx: Context,
  target: PropertyTarget,
  { path, name, ifMatch }: { path: string | undefined; name: Json | undefined } & Precondition,
): Promise<ObjectAnswer> {
  const files = await openDepot(ctx, target);
  const from = readFolder(path ?? "");
  if (from.length === 0) fail("invalid", "The folder to rename is missing.", { path: ["is required"] });
  const to = [...from.slice(0, -1), newName(name)];
  return moveEntries(ctx, files, [{ from, to, isRenaming: true }], { field: "name", ifMatch });
}

/** A file or folder goes to another folder of the depot, which comes into being if need be; empty: to the top. */
export async function moveFile(
  ctx: Context,
  target: PropertyTarget,
  {
    name,
    path,
    destination,
    ifMatch,
  }: { name: string; path: string | undefined; destination: Json | undefined } & Precondition,
): Promise<{ moved: true }> {
  const files = await openDepot(ctx, target);
  const known = name.normalize("NFC");
  const from = [...readFolder(path ?? ""), known];
  const to = [...folderToMake("destination", destination), known];
  await moveEntries(ctx, files, [{ from, to }], { field: "destination", ifMatch });
  return { moved: true };
}

export interface Move {
  from: string[];
  to: string[];
  /** Then it must be a folder. */
  isRenaming?: boolean;
}

/** All of them, or none. `field`: the caller's name for where they go. */
export function moveEntries(
  ctx: Context,
  files: OpenFiles,
  moves: readonly Move[],
  { field, ifMatch }: { field: string } & Precondition,
): Promise<ObjectAnswer> {
  return withObjectFilesLock(ctx, objectOf(files), async () => {
    const pairs: [from: string, to: string][] = [];
    const moved = new Map<string, string>();
    const whole = (path: string[]) => [...files.path, ...path].join(".");
    moveAll(valueAt(await getDocument(ctx, files), files.path), (entry, { from, to }) => {
      for (const { file, path } of filesBelow(entry))
        pairs.push([formerPlace(file)?.join("/") ?? keyOf(files, from) + path, keyOf(files, to) + path]);
      for (const below of pathsBelow(entry)) moved.set(whole([...from, ...below]), whole([...to, ...below]));
    });
    return relocate(ctx, files, pairs, { ifMatch, next: (value) => moveAll(value), moved });
  });

  function moveAll(depot: Json | undefined, each?: (entry: JsonObject, move: Move) => void): Json | undefined {
    let next = depot;
    for (const move of moves) {
      const entry = checkMove(next, move, field);
      each?.(entry, move);
      next = moved(next, entry, move);
    }
    return next;
  }
}

function checkMove(depot: Json | undefined, { from, to, isRenaming }: Move, field: string): JsonObject {
  const entry = findInDepot(depot, from);
  if (!entry || (isRenaming && !isFolder(entry))) return noPath(from);
  if (`${to.join("/")}/`.startsWith(`${from.join("/")}/`) && to.length > from.length) {
    fail("invalid", "A folder cannot go into itself.", { [field]: ["must lie outside of the folder"] });
  }
  if (findInDepot(depot, to)) fail("exists", `"${to.join("/")}" exists already.`, { [field]: ["is taken"] });
  return entry;
}

function moved(depot: Json | undefined, entry: JsonObject, { from, to }: Move): JsonObject {
  const next = renamed(withOwnPlaces(entry), to.at(-1) as string);
  if (from.slice(0, -1).join("/") === to.slice(0, -1).join("/")) {
    return withEntries(depot as JsonObject, from.slice(0, -1), (entries) => entries.with(entries.indexOf(entry), next));
  }
  return withEntries(removeEntry(depot, from), to.slice(0, -1), (entries) => [...entries, next], { isMaking: true });
}

/** A download name that is the name follows it. */
function renamed(entry: JsonObject, name: string): JsonObject {
  const { name: before, download, mime } = entry;
  if (name === before || mime === "folder") return { ...entry, name };
  return { ...entry, name, ext: extensionOf(name), ...(download === before && { download: name }) };
}

export async function openDepot(ctx: Context, target: PropertyTarget): Promise<OpenFiles> {
  const files = await openFiles(ctx, fileRef(target));
  if (files.property.kind.type !== "depot") complain(target.property, "This property is no depot.");
  return files;
}

export function depotOf({ collection, id, property }: OpenFiles, value: Json | undefined): JsonObject {
  const isProtected = fieldSettings(collection.settings, id, property).protectedByCollection !== false;
  return { protected: isProtected, files: [], ...(isJsonObject(value) ? value : {}) };
}

export function folderToMake(field: string, path: Json | undefined): string[] {
  if (typeof path !== "string") return fail("invalid", `The body needs "${field}".`, { [field]: ["must be text"] });
  return cleanFolder(path, field);
}

export function newName(name: Json | undefined): string {
  const plain = typeof name === "string" ? name.normalize("NFC") : "";
  if (plain !== "" && cleanFileName(plain) === plain) return plain;
  const rule = "must be letters, digits, dashes, dots and blanks, no dot or blank at an end, at most 200 bytes";
  return fail("invalid", "The new name must be a plain name.", { name: [rule] });
}
