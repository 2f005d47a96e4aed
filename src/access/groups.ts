// Access groups in memory: the saved ones over the shipped ones; `admin` is always as shipped.

import { type AccessGroup, adminGroup, defaultGroup, type Permissions } from "#contract/access-groups.ts";
import { listGroupRows } from "#storage/groups.ts";
import type { Storage } from "#storage/port.ts";
import { shippedGroups } from "./permissions.ts";

interface Loaded {
  version: number;
  groups: ReadonlyMap<string, AccessGroup>;
}

const loaded = new WeakMap<Storage, Loaded>();

/** At once when no group has changed since the last call, else a promise. */
export function loadGroups(
  storage: Storage,
): ReadonlyMap<string, AccessGroup> | Promise<ReadonlyMap<string, AccessGroup>> {
  const version = storage.version("groups");
  const known = loaded.get(storage);
  return known?.version === version ? known.groups : readGroups(storage, version);
}

async function readGroups(storage: Storage, version: number): Promise<ReadonlyMap<string, AccessGroup>> {
  const groups = new Map(shippedGroups.map((group) => [group.id, group]));
  for (const row of await listGroupRows(storage)) {
    if (row.id === adminGroup) continue;
    groups.set(row.id, { id: row.id, description: row.description, permissions: JSON.parse(row.permissions) });
  }
  loaded.set(storage, { version, groups });
  return groups;
}

/** Unknown groups grant nothing; a user without any is in `default`. */
export function permissionsOf(groups: ReadonlyMap<string, AccessGroup>, ids: readonly string[]): Permissions[] {
  const named = ids.length > 0 ? ids : [defaultGroup];
  return named.map((id) => groups.get(id)?.permissions).filter((permissions) => permissions !== undefined);
}
