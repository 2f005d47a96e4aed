// Changes of several files and folders of a depot at once: moved, deleted, or one of them renamed. All of it is stored, or
// nothing.

import { fail } from "#base/errors.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import type { PropertyTarget } from "#content/objects/properties.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { depotOperations, maxDepotPaths } from "#contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { readFolder } from "#files/file-names.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { findInDepot, removeEntry } from "#schemas/values/depot-tree.ts";
import { isFolder, valueAt } from "#schemas/values/file-values.ts";
import { folderToMake, moveEntries, newName, openDepot } from "./depots.ts";
import { changeFiles, getDocument, type OpenFiles, objectOf } from "./open-files.ts";
import { checkRules } from "./upload-rules.ts";

/** The body is a `DepotChange`. */
export async function changeDepot(
  ctx: Context,
  target: PropertyTarget,
  sent: Json,
  condition: Precondition,
): Promise<ObjectAnswer> {
  const files = await openDepot(ctx, target);
  if (!isJsonObject(sent)) fail("invalid", "The body must be a JSON object.");
  const paths = readPaths(sent.paths);
  switch (sent.operation) {
    case "move":
      return moveTo(ctx, files, { paths, destination: sent.destination, ...condition });
    case "rename":
      return rename(ctx, files, { paths, name: sent.name, ...condition });
    case "delete":
      return removeAll(ctx, files, { paths, ...condition });
    default:
      return refuse("operation", `must be one of ${depotOperations.join(", ")}`);
  }
}

interface Chosen extends Precondition {
  paths: string[][];
}

/** What is there already stays. */
function moveTo(
  ctx: Context,
  files: OpenFiles,
  { paths, destination, ifMatch }: Chosen & { destination: Json | undefined },
): Promise<ObjectAnswer> {
  const folder = folderToMake("destination", destination);
  const moves = paths
    .map((from) => ({ from, to: [...folder, from.at(-1) as string] }))
    .filter(({ from, to }) => from.join("/") !== to.join("/"));
  return moveEntries(ctx, files, moves, { field: "destination", ifMatch });
}

async function rename(
  ctx: Context,
  files: OpenFiles,
  { paths, name, ifMatch }: Chosen & { name: Json | undefined },
): Promise<ObjectAnswer> {
  const [from = []] = paths;
  if (paths.length !== 1) refuse("paths", "must be one path: a file or folder is renamed alone");
  const to = [...from.slice(0, -1), newName(name)];
  const entry = findInDepot(valueAt(await getDocument(ctx, files), files.path), from);
  if (entry && !isFolder(entry)) checkName(files, entry, to.at(-1) as string);
  return moveEntries(ctx, files, [{ from, to }], { field: "name", ifMatch });
}

/** The rules of the field hold for the new name as well. */
function checkName({ collection, id, property }: OpenFiles, { mime, size }: JsonObject, name: string): void {
  checkRules(fieldSettings(collection.settings, id, property), { name, mime: String(mime), size: Number(size) });
}

function removeAll(ctx: Context, files: OpenFiles, { paths, ifMatch }: Chosen): Promise<ObjectAnswer> {
  return withObjectFilesLock(ctx, objectOf(files), () =>
    changeFiles(ctx, files, { ifMatch, next: (value) => paths.reduce<Json | undefined>(removeEntry, value) }),
  );
}

/** Each once; one that lies in another of them goes along with it. */
function readPaths(sent: Json | undefined): string[][] {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > maxDepotPaths)
    return refuse("paths", `must be a list of 1 to ${maxDepotPaths} paths`);
  const read = sent.map((path) => (typeof path === "string" ? readFolder(path, "paths") : []));
  if (read.some((path) => path.length === 0)) refuse("paths", "must be paths of files and folders of the depot");
  const byPath = new Map(read.map((path) => [path.join("/"), path]));
  return [...byPath.values()].filter(
    (path) => !path.some((_, at) => at > 0 && byPath.has(path.slice(0, at).join("/"))),
  );
}

function refuse(field: string, message: string): never {
  fail("invalid", `The field "${field}" ${message}.`, { [field]: [message] });
}
