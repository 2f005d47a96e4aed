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
import { findInDepot, keysBelow, noPath, removeEntry, withEntries } from "#schemas/values/depot-tree.ts";
import { isFolder, valueAt } from "#schemas/values/file-values.ts";
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
  return moveEntry(ctx, files, { from, to, ifMatch, isRenaming: true });
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
  await moveEntry(ctx, files, { from, to, ifMatch });
  return { moved: true };
}

interface Move extends Precondition {
  from: string[];
  to: string[];
  /** Then it must be a folder. */
  isRenaming?: boolean;
}

function moveEntry(
  ctx: Context,
  files: OpenFiles,
  { from, to, ifMatch, isRenaming = false }: Move,
): Promise<ObjectAnswer> {
  return withObjectFilesLock(ctx, objectOf(files), async () => {
    const depot = valueAt(await getDocument(ctx, files), files.path);
    const entry = checkMove(depot, { from, to, isRenaming });
    const pairs = keysBelow(entry).map((below) => [keyOf(files, from) + below, keyOf(files, to) + below] as const);
    return relocate(ctx, files, pairs, {
      ifMatch,
      next: (value) => moved(value, { from, to, isRenaming }),
      move: { from: [...files.path, ...from].join("."), to: [...files.path, ...to].join(".") },
    });
  });
}

function checkMove(depot: Json | undefined, { from, to, isRenaming }: Omit<Move, "ifMatch">): JsonObject {
  const entry = findInDepot(depot, from);
  if (!entry || (isRenaming && !isFolder(entry))) return noPath(from);
  if (`${to.join("/")}/`.startsWith(`${from.join("/")}/`) && to.length > from.length) {
    fail("invalid", "A folder cannot go into itself.", { destination: ["must lie outside of the folder"] });
  }
  if (findInDepot(depot, to)) {
    fail("exists", `"${to.join("/")}" exists already.`, { [isRenaming ? "name" : "destination"]: ["is taken"] });
  }
  return entry;
}

function moved(depot: Json | undefined, move: Omit<Move, "ifMatch">): JsonObject {
  const entry = checkMove(depot, move);
  const { from, to } = move;
  const next = { ...entry, name: to.at(-1) as string };
  if (from.slice(0, -1).join("/") === to.slice(0, -1).join("/")) {
    return withEntries(depot as JsonObject, from.slice(0, -1), (entries) => entries.with(entries.indexOf(entry), next));
  }
  return withEntries(removeEntry(depot, from), to.slice(0, -1), (entries) => [...entries, next], { isMaking: true });
}

async function openDepot(ctx: Context, target: PropertyTarget): Promise<OpenFiles> {
  const files = await openFiles(ctx, fileRef(target));
  if (files.property.kind.type !== "depot") complain(target.property, "This property is no depot.");
  return files;
}

function depotOf({ collection, id, property }: OpenFiles, value: Json | undefined): JsonObject {
  const isProtected = fieldSettings(collection.settings, id, property).protectedByCollection !== false;
  return { protected: isProtected, files: [], ...(isJsonObject(value) ? value : {}) };
}

function folderToMake(field: string, path: Json | undefined): string[] {
  if (typeof path !== "string") return fail("invalid", `The body needs "${field}".`, { [field]: ["must be text"] });
  return cleanFolder(path, field);
}

function newName(name: Json | undefined): string {
  const plain = typeof name === "string" ? name.normalize("NFC") : "";
  if (plain !== "" && cleanFileName(plain) === plain) return plain;
  const rule = "must be letters, digits, dashes, dots and blanks, no dot or blank at an end, at most 200 bytes";
  return fail("invalid", "The new name must be a plain name.", { name: [rule] });
}
