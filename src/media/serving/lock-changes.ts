// Changes of what protects files: `protected` and `password` of files, folders and depots, and moves out of a folder that has a
// password. They take the right to fetch the files, and never come from callers who change the object as the public does.

import { isAdminPersona } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { type FileEntry, hasFiles, listEntries, listLocks, placesIn } from "#schemas/values/resolve-file.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { type FileRights, fileRights, isProtectedByDefault, lockIn, mayFetch } from "./file-rights.ts";
import { secretOf } from "./protection.ts";

interface State {
  document: JsonObject;
  secrets: ObjectSecrets;
}

export interface LockChange {
  collection: Collection;
  id: string;
  before: State;
  after: State;
  /** What lay at one path lies at the other, names joined by dots. */
  move?: { from: string; to: string } | undefined;
  /** New files and folders are the service's own, protected as the field says. */
  isOwn?: boolean | undefined;
}

/** Asked before the transaction, in which nothing else is read; undefined: nothing to check for this caller. */
export async function lockRights(ctx: Context, collection: Collection, id: string): Promise<FileRights | undefined> {
  if (isAdminPersona(ctx.actor) || !mayHoldFiles(collection.schema)) return undefined;
  return fileRights(ctx, collection, id);
}

function mayHoldFiles({ properties }: FlatSchema): boolean {
  for (const property of properties.values()) if (hasFiles(property)) return true;
  return false;
}

export function checkLocks(rights: FileRights | undefined, change: LockChange): void {
  if (!rights) return;
  const { schema } = change.collection;
  const before = locksOf(change, change.before);
  const after = locksOf(change, change.after);
  const moved = (name: string) => movedTo(name, change.move);
  const changed = new Set<string>();
  for (const [name, lock] of before) {
    const now = after.get(moved(name));
    if (now && (now.flag !== lock.flag || now.hash !== lock.hash || now.nearest !== lock.nearest)) changed.add(name);
  }
  if (!change.isOwn) {
    const known = new Set([...before.keys()].map(moved));
    for (const [name, { isAsShipped, hash }] of after) {
      if (!known.has(name) && (!isAsShipped || hash !== undefined)) refuseUnless(rights.mayUpdateByRight, name);
    }
  }
  if (changed.size === 0) return;
  for (const name of changed) refuseUnless(rights.mayUpdateByRight, name);
  for (const { entry, property } of entriesOf(schema, change.before.document)) {
    if (!entry.locks.some(({ path }) => changed.has(path.join(".")))) continue;
    const settings = fieldSettings(change.collection.settings, change.id, property);
    const lock = lockIn(
      change.collection,
      { id: change.id, secrets: change.before.secrets, settings },
      { entry, property },
    );
    refuseUnless(mayFetch(rights, lock), entry.path.join("."));
  }
}

interface LockState {
  /** Whether it is protected, and whether that is what the field says for new ones. */
  flag: Json;
  isAsShipped: boolean;
  hash: string | undefined;
  /** Of a file: the password that it takes, wherever it is set. */
  nearest: string | undefined;
}

/** By path, names joined by dots. */
function locksOf({ collection, id }: LockChange, { document, secrets }: State): Map<string, LockState> {
  const locks = new Map<string, LockState>();
  for (const place of placesIn(collection.schema, document)) {
    const { property } = place;
    const isByDefault = isProtectedByDefault({ property }, fieldSettings(collection.settings, id, property));
    for (const { value, path } of listLocks(place)) {
      const hash = secrets[secretOf(path)];
      const flag = value.protected ?? isByDefault;
      locks.set(path.join("."), { flag, isAsShipped: flag === isByDefault, hash, nearest: hash });
    }
    for (const { locks: own } of listEntries(place)) {
      const hashes = own.map(({ path }) => secrets[secretOf(path)]);
      const lock = locks.get(own[0]?.path.join(".") ?? "");
      if (lock) lock.nearest = hashes.find((hash) => hash !== undefined);
    }
  }
  return locks;
}

function* entriesOf(schema: FlatSchema, document: JsonObject): Iterable<{ entry: FileEntry; property: Property }> {
  for (const place of placesIn(schema, document)) {
    for (const entry of listEntries(place)) yield { entry, property: place.property };
  }
}

function movedTo(name: string, move: LockChange["move"]): string {
  if (!move) return name;
  return name === move.from || name.startsWith(`${move.from}.`) ? move.to + name.slice(move.from.length) : name;
}

function refuseUnless(isRight: boolean, path: string): void {
  if (isRight) return;
  const [property = ""] = path.split(".");
  fail("forbidden", `The protection of files in "${property}" is changed only by callers who may fetch them.`, {
    [property]: ["holds a file whose protection you may not change"],
  });
}
