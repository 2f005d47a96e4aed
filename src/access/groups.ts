// Access groups in memory: the saved ones over the shipped ones; `admin` is always as shipped.

import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { type AccessGroup, adminGroup, defaultGroup, memberGroup, type Permissions } from "#contract/access-groups.ts";
import type { Reader, Storage, Tx } from "#storage/port.ts";
import { findGroupRow, type GroupRow, isDeletedGroup, listGroupRows, putGroup } from "#storage/tables/groups.ts";
import { noPermissions, shippedGroups } from "./permissions.ts";

const loaded = createVersionedValue<Storage, ReadonlyMap<string, AccessGroup>>((storage) => storage.version("groups"));

/** At once when no group has changed since the last call, else a promise. */
export function loadGroups(
  storage: Storage,
): ReadonlyMap<string, AccessGroup> | Promise<ReadonlyMap<string, AccessGroup>> {
  return loaded.get(storage, () => readGroups(storage));
}

export async function readGroups(db: Reader): Promise<ReadonlyMap<string, AccessGroup>> {
  const rows = await listGroupRows(db);
  const member = memberAmong(rows);
  const groups = new Map(
    shippedGroups.map((group) => (group.id === memberGroup ? [member, { ...group, id: member }] : [group.id, group])),
  );
  for (const row of rows) {
    if (row.id === adminGroup) continue;
    if (isDeletedGroup(row)) groups.delete(row.id);
    else
      groups.set(row.id, { id: row.id, description: row.description, permissions: readPermissions(row.permissions) });
  }
  return groups;
}

/** The id of the shipped group of users who register. */
export async function findMemberGroup(db: Reader): Promise<string> {
  return memberAmong(await listGroupRows(db));
}

/** A group of the site that had the id before stays the site's. */
function memberAmong(rows: readonly GroupRow[]): string {
  const saved = rows.find(({ ships }) => ships === memberGroup);
  if (saved) return saved.id;
  const taken = new Set(rows.map(({ id }) => id));
  if (!taken.has(memberGroup)) return memberGroup;
  let number = 2;
  while (taken.has(`${memberGroup}-${number}`)) number += 1;
  return `${memberGroup}-${number}`;
}

/** A group that was saved before a part existed grants nothing of that part. */
function readPermissions(text: string): Permissions {
  return { ...noPermissions, ...(JSON.parse(text) as Partial<Permissions>) };
}

/** The migration after which the shipped `editor` has no builder. It saves the former one where a site relied on it. */
export const editorMigration = "0080-shipped-editor";

/** What that migration does, for rows that come from an earlier site. */
export async function keepFormerEditor(tx: Tx, updated: string): Promise<void> {
  const editor = shippedGroups.find(({ id }) => id === "editor");
  if (!editor || (await findGroupRow(tx, editor.id))) return;
  const permissions: Permissions = { ...editor.permissions, builder: true };
  await putGroup(tx, { ...editor, permissions: JSON.stringify(permissions), updated });
}

/** Unknown groups grant nothing; a user without any is in `default`. */
export function permissionsOf(groups: ReadonlyMap<string, AccessGroup>, ids: readonly string[]): Permissions[] {
  const named = ids.length > 0 ? ids : [defaultGroup];
  return named.map((id) => groups.get(id)?.permissions).filter((permissions) => permissions !== undefined);
}
