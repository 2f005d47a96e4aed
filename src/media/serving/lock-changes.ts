// Changes of what protects files: `protected` and `password` of files, folders and depots, and moves out of a folder that has a
// password; files that an older version brings back open. They take the right to fetch the files, and never come from callers
// who change the object as the public does.

import { isAdminPersona } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { ObjectState } from "#content/objects/change.ts";
import type { ChangeRules, JudgedChange } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { type FileEntry, hasFiles, listEntries, listLocks, listPlaces } from "#schemas/values/resolve-file.ts";
import { type FileRights, fileRights, isProtectedByDefault, lockIn, mayFetch } from "./file-rights.ts";
import { secretOf } from "./protection.ts";

/** For all collections: each may hold files. */
export function registerFileLocks({ rules }: Pick<App, "rules">): void {
  rules.addToAll({
    openChange: (ctx, { collection, id = "" }) =>
      isAdminPersona(ctx.actor) || !mayHoldFiles(collection.schema) ? undefined : openLocks(ctx, collection, id),
  });
}

/** Before the transaction, in which nothing else is read. */
async function openLocks(ctx: Context, collection: Collection, id: string): Promise<ChangeRules> {
  const rights = await fileRights(ctx, collection, id);
  return { judge: (change) => checkLocks(rights, change) };
}

function mayHoldFiles({ properties }: FlatSchema): boolean {
  for (const property of properties.values()) if (hasFiles(property)) return true;
  return false;
}

function checkLocks(rights: FileRights, change: JudgedChange): void {
  const before = locksOf(change, change.before);
  const after = locksOf(change, change.after);
  const moved = (name: string) => change.moved?.get(name) ?? name;
  const changed = new Set<string>();
  for (const [name, lock] of before) {
    const now = after.get(moved(name));
    if (now && (now.flag !== lock.flag || now.hash !== lock.hash || now.nearest !== lock.nearest)) changed.add(name);
  }
  // New files and folders of a change by the service are protected as the field says.
  if (!change.isOwn) {
    const known = new Set([...before.keys()].map(moved));
    for (const [name, { isAsShipped, hash }] of after) {
      if (!known.has(name) && (!isAsShipped || hash !== undefined)) refuseUnless(rights.mayUpdateByRight, name);
    }
  }
  if (change.isReturn) checkReturned(rights, change);
  if (changed.size === 0) return;
  for (const name of changed) refuseUnless(rights.mayUpdateByRight, name);
  for (const entry of entriesOf(change, change.before)) {
    if (!entry.locks.some(({ path }) => changed.has(path.join(".")))) continue;
    const settings = fieldSettings(change.collection.settings, change.id, entry.property);
    const lock = lockIn(change.collection, { id: change.id, secrets: change.before.secrets, settings }, entry);
    refuseUnless(mayFetch(rights, lock), entry.path.join("."));
  }
}

/** A file may have been closed since the version that it comes back with: the present object does not tell. */
function checkReturned(rights: FileRights, change: JudgedChange): void {
  const { collection, id, before, after } = change;
  const { groups } = collection.settings;
  if (groups.length === 0) return;
  const known = new Set(entriesOf(change, before).map(nameWithContent));
  for (const entry of entriesOf(change, after)) {
    if (known.has(nameWithContent(entry))) continue;
    const settings = fieldSettings(collection.settings, id, entry.property);
    const lock = lockIn(collection, { id, secrets: after.secrets, settings }, entry);
    if (lock.groups.length > 0) continue;
    const mayOpen = rights.mayUpdateByRight && mayFetch(rights, { ...lock, groups });
    refuseUnless(mayOpen, entry.path.join("."));
  }
}

function entriesOf({ collection }: JudgedChange, { document }: ObjectState): FileEntry[] {
  return listPlaces(collection.schema, document).flatMap(listEntries);
}

function nameWithContent({ path, value }: FileEntry): string {
  return `${path.join("/")}/${value.hash}-${value.size}`;
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
function locksOf({ collection, id }: JudgedChange, { document, secrets }: ObjectState): Map<string, LockState> {
  const locks = new Map<string, LockState>();
  for (const place of listPlaces(collection.schema, document)) {
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

function refuseUnless(isRight: boolean, path: string): void {
  if (isRight) return;
  const [property = ""] = path.split(".");
  fail("forbidden", `The protection of files in "${property}" is changed only by callers who may fetch them.`, {
    [property]: ["holds a file whose protection you may not change"],
  });
}
