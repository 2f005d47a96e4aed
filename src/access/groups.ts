// Access groups in memory: the saved ones over the shipped ones; `admin` is always as shipped.

import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { type AccessGroup, adminGroup, defaultGroup, type Permissions } from "#contract/access-groups.ts";
import type { Reader, Storage } from "#storage/port.ts";
import { isDeletedGroup, listGroupRows } from "#storage/tables/groups.ts";
import { noPermissions, shippedGroups } from "./permissions.ts";

const loaded = createVersionedValue<Storage, ReadonlyMap<string, AccessGroup>>((storage) => storage.version("groups"));

/** At once when no group has changed since the last call, else a promise. */
export function loadGroups(
  storage: Storage,
): ReadonlyMap<string, AccessGroup> | Promise<ReadonlyMap<string, AccessGroup>> {
  return loaded.get(storage, () => readGroups(storage));
}

export async function readGroups(db: Reader): Promise<ReadonlyMap<string, AccessGroup>> {
  const groups = new Map(shippedGroups.map((group) => [group.id, group]));
  for (const row of await listGroupRows(db)) {
    if (row.id === adminGroup) continue;
    if (isDeletedGroup(row)) groups.delete(row.id);
    else
      groups.set(row.id, { id: row.id, description: row.description, permissions: readPermissions(row.permissions) });
  }
  return groups;
}

/** A group that was saved before a part existed grants nothing of that part. */
function readPermissions(text: string): Permissions {
  return { ...noPermissions, ...(JSON.parse(text) as Partial<Permissions>) };
}

/** Unknown groups grant nothing; a user without any is in `default`. */
export function permissionsOf(groups: ReadonlyMap<string, AccessGroup>, ids: readonly string[]): Permissions[] {
  const named = ids.length > 0 ? ids : [defaultGroup];
  return named.map((id) => groups.get(id)?.permissions).filter((permissions) => permissions !== undefined);
}
