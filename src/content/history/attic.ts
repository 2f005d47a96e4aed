// Where the files are kept that objects lose: `{number of the object}/{path of the property}/{hash}-{size}`. So a value of an older
// version finds its own file, whatever lies under its name now. Files that no value names, such as those of an editor, are kept
// by their name and the time. Only collections that keep old values keep files.

import { createHash } from "node:crypto";
import type { Collection } from "#content/collections/collection.ts";
import { removeKept } from "#content/file-removal.ts";
import type { ObjectState } from "#content/objects/change.ts";
import type { App, Context } from "#context.ts";
import { formerPaths, moveFormerSecrets } from "#schemas/former-names.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn, hashLength, type PlacedFile } from "#schemas/values/file-values.ts";
import { followPath } from "#schemas/values/walk.ts";
import { findLastDeletion } from "#storage/tables/history/changes.ts";
import { findDeletion, findStoredObject, lastChangeOf } from "#storage/tables/history/deletions.ts";
import type { ObjectKey, ObjectRow, ObjectSecrets } from "#storage/tables/object-row.ts";
import { historyMode } from "./mode.ts";
import { readDeleted } from "./version.ts";

/** A file that took a password: it comes back only where there is one. */
const lockedEnding = "-locked";
/** Times of files in a bucket have no milliseconds. */
const secondMs = 1_000;

/** Whether what this caller takes out of the collection is kept. */
export function keepsFiles(
  ctx: Pick<App, "settings"> & Partial<Pick<Context, "trail">>,
  collection: Pick<Collection, "id" | "settings">,
): boolean {
  return historyMode(ctx, collection) === "full" && !ctx.trail?.isPurge;
}

/** The content of a file and the property that it belongs to, in one word; undefined: its value does not tell. */
export function contentOf({ item: { hash, size }, property }: PlacedFile): string | undefined {
  const isTold = typeof hash === "string" && /^[0-9a-f]{8,64}$/.test(hash) && Number.isSafeInteger(size);
  return isTold ? `${property}/${hash}-${size}` : undefined;
}

export function isLocked(secrets: ObjectSecrets, { property, type, own }: PlacedFile): boolean {
  const names = type === "gallery" || type === "depot" ? own.slice(property.length + 1).split("/") : [];
  const holders = [property.split("/"), ...names.map((_, at) => [...property.split("/"), ...names.slice(0, at + 1)])];
  return holders.some((path) => secrets[`${path.join(".")}.password`] !== undefined);
}

/** Undefined: the value does not tell what its file is. */
export function placeOf(rid: number, file: PlacedFile, takesPassword: boolean): string | undefined {
  const content = contentOf(file);
  return content && `${rid}/${content}${takesPassword ? lockedEnding : ""}`;
}

/** Where it may be kept: under the names that its property had before, too. */
export function placesOfPast(rid: number, schema: FlatSchema, file: PlacedFile, takesPassword: boolean): string[] {
  const names = formerPaths(schema, file.property.split("/")).map((path) => path.join("/"));
  return names.flatMap((property) => placeOf(rid, { ...file, property }, takesPassword) ?? []);
}

/** Whether the value describes a file of this hash and size. Older values have the beginning of the hash. */
export function isContentOf({ item }: PlacedFile, { hash, size }: { hash: string; size: number }): boolean {
  return typeof item.hash === "string" && item.hash.length >= 8 && hash.startsWith(item.hash) && item.size === size;
}

/** A copy at `to`; false: it is not kept. What a crash has left may be kept by more of its hash than an older value has. */
export async function takeBackFrom({ files }: Pick<App, "files">, at: string, to: string): Promise<boolean> {
  if (await files.attic.takeBack(at, to)) return true;
  const [, folder = "", hash = "", rest = ""] = /^(.+)\/([0-9a-f]+)(-[^/]+)$/.exec(at) ?? [];
  if (hash === "" || hash.length >= hashLength) return false;
  const longer = `${folder}/${hash}`;
  for await (const { key } of files.attic.list(folder)) {
    if (!key.startsWith(longer) || !key.endsWith(rest)) continue;
    if (/^[0-9a-f]*$/.test(key.slice(longer.length, -rest.length))) return files.attic.takeBack(key, to);
  }
  return false;
}

/** Where the files of a document are kept, by their keys below the object's. */
export function placesOf(rid: number, schema: FlatSchema, { document, secrets }: ObjectState): Map<string, string> {
  const places = new Map<string, string>();
  for (const [key, file] of filesIn(schema, document)) {
    const at = placeOf(rid, file, isLocked(secrets, file));
    if (at !== undefined) places.set(key, at);
  }
  return places;
}

/** Of a file that no value names. */
export function placeByName(rid: number, key: string, { time, size }: { time: number; size: number }): string {
  return `${rid}/${key}/t${time}-${size}`;
}

export interface NamedPlace {
  /** Below the object's. */
  key: string;
  time: number;
}

/** Undefined: the file is kept for the value that names it. */
export function readNamedPlace(at: string): NamedPlace | undefined {
  const [, key, time] = /^\d+\/(.+)\/t(\d+)-\d+$/.exec(at) ?? [];
  return key === undefined ? undefined : { key, time: Number(time) };
}

export interface LeftFile {
  collection: Collection;
  id: string;
  /** Below the object's. */
  key: string;
  size: number;
  /** When it was stored. */
  modified: number;
}

/** Where a file belongs that a crash has left; undefined: it is kept nowhere. `row`: of the object that has its id now. */
export async function placeOfLeft(
  app: App,
  { collection, id, key, size, modified }: LeftFile,
  row: Pick<ObjectRow, "rid" | "created"> | undefined,
): Promise<string | undefined> {
  if (historyMode(app, collection) !== "full") return undefined;
  if (!row || modified + secondMs < Date.parse(row.created)) {
    const deleted = await deletedPlaces(app, collection, id);
    if (deleted || !row) return deleted?.placeOf(key, size);
  }
  const { property, path } = followPath(collection.schema, key.split("/"));
  if (!property?.kind.isUploaded) return placeByName(row.rid, key, { time: app.clock.now(), size });
  const hash = await hashOf(app, `${collection.id}/${id}/${key}`);
  return hash && `${row.rid}/${path.join("/")}/${hash}-${size}`;
}

export interface DeletedPlaces {
  placeOf(key: string, size: number): string;
}

/** Where the files of the object belong that was the last to have this id; undefined: nothing of it is kept. */
export async function deletedPlaces(
  { storage }: Pick<App, "storage">,
  { id: collection, schema }: Pick<Collection, "id" | "schema">,
  id: string,
): Promise<DeletedPlaces | undefined> {
  const last = await findLastDeletion(storage, { collection, id });
  const deletion = last && (await findDeletion(storage, last.seq));
  const deleted = deletion && readDeleted(schema, deletion.content);
  if (!deleted) return undefined;
  const { rid, at: time, secrets } = deletion;
  const places = placesOf(rid, schema, {
    document: deleted.whole,
    secrets: moveFormerSecrets(schema, JSON.parse(secrets ?? "{}")),
  });
  return { placeOf: (key, size) => places.get(key) ?? placeByName(rid, key, { time, size }) };
}

/** As new values have it; undefined: there is no such file. */
export async function hashOf({ files }: Pick<App, "files">, key: string): Promise<string | undefined> {
  if (!(await files.find(key))) return undefined;
  const hash = createHash("sha256");
  for await (const bytes of await files.read(key)) hash.update(bytes as Buffer);
  return hash.digest("hex").slice(0, hashLength);
}

/** Of objects that are gone for good; those that came back keep theirs. Never an error: what stays goes by its age. */
export async function clearAttic(app: App, deletions: readonly (ObjectKey & { seq: number })[]): Promise<void> {
  const { storage } = app;
  for (const { rid, collection, seq } of deletions) {
    const isBack =
      rid === 0 || (await findStoredObject(storage, { rid, collection })) || (await lastChangeOf(storage, rid)) > seq;
    if (!isBack) await removeKept(app, rid);
  }
}
