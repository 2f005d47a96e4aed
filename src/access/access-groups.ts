// Access groups: listed, made, replaced, deleted, by the admin persona alone. What changes is felt by the next request.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { type AccessGroup, adminGroup, defaultGroup, memberGroup } from "#contract/access-groups.ts";
import type { Json } from "#contract/json.ts";
import type { Reader } from "#storage/port.ts";
import { deletedGroup, deleteGroupRow, type GroupRow, insertGroup, putGroup } from "#storage/tables/groups.ts";
import { allow } from "./allow.ts";
import { audit } from "./audit.ts";
import { checkGroup } from "./group-rules.ts";
import { findMemberGroup, loadGroups, readGroups } from "./groups.ts";
import { shippedGroups } from "./permissions.ts";
import { confirmPower } from "./recent-proof.ts";
import { guardOf } from "./registration/group-guard.ts";

export async function listGroups(ctx: Context): Promise<AccessGroup[]> {
  allow(ctx, "read", { kind: "groups" });
  const groups = [...(await loadGroups(ctx.storage)).values()];
  return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function getGroup(ctx: Context, id: string): Promise<AccessGroup> {
  allow(ctx, "read", { kind: "groups" });
  return (await loadGroups(ctx.storage)).get(id) ?? noGroup(id);
}

/** `isConfirmed`: users who register may read what they could not read before. */
interface Saving {
  isConfirmed?: boolean;
}

export async function createGroup(
  ctx: Context,
  body: Json,
  { isConfirmed = false }: Saving = {},
): Promise<AccessGroup> {
  allow(ctx, "create", { kind: "groups" });
  await confirmPower(ctx);
  const group = checkGroup(body);
  const isMade = await guardOf(ctx).save(ctx, { group, isConfirmed }, () =>
    ctx.storage.write(async (tx) => !(await isThere(tx, group.id)) && insertGroup(tx, rowOf(ctx, group))),
  );
  if (!isMade) fail("exists", `There is an access group "${group.id}" already.`, { id: ["is taken"] });
  audit(ctx, { type: "group.saved", details: { group: group.id } });
  return group;
}

/** PUT: makes the group when there is none of this id. */
export async function replaceGroup(
  ctx: Context,
  id: string,
  body: Json,
  { isConfirmed = false }: Saving = {},
): Promise<{ group: AccessGroup; isNew: boolean }> {
  allow(ctx, "update", { kind: "groups" });
  await confirmPower(ctx);
  const group = checkGroup(body, id);
  const isNew = await guardOf(ctx).save(ctx, { group, isConfirmed }, () =>
    ctx.storage.write(async (tx) => {
      const wasThere = await isThere(tx, id);
      const ships = id === (await findMemberGroup(tx)) ? memberGroup : "";
      await putGroup(tx, { ...rowOf(ctx, group), ships });
      return !wasThere;
    }),
  );
  audit(ctx, { type: "group.saved", details: { group: id } });
  return { group, isNew };
}

/** Also while users have it: a group that is unknown grants nothing. */
export async function deleteGroup(ctx: Context, id: string): Promise<void> {
  allow(ctx, "delete", { kind: "groups" });
  await confirmPower(ctx);
  const isKept = id === adminGroup || id === defaultGroup || id === (await findMemberGroup(ctx.storage));
  if (isKept) fail("invalid", `The access group "${id}" cannot be deleted.`);
  await guardOf(ctx).delete(ctx, id, () =>
    ctx.storage.write(async (tx) => {
      if (!(await isThere(tx, id))) noGroup(id);
      // A shipped group would come back without a record of its deletion.
      if (isShipped(id)) await putGroup(tx, deletedGroup(id, ctx.clock.iso()));
      else await deleteGroupRow(tx, id);
    }),
  );
  audit(ctx, { type: "group.deleted", details: { group: id } });
}

async function isThere(db: Reader, id: string): Promise<boolean> {
  return (await readGroups(db)).has(id);
}

/** A group `member` that can be deleted is the site's own. */
function isShipped(id: string): boolean {
  return id !== memberGroup && shippedGroups.some((group) => group.id === id);
}

function rowOf(ctx: Context, { id, description, permissions }: AccessGroup): GroupRow {
  return { id, description, permissions: JSON.stringify(permissions), updated: ctx.clock.iso() };
}

function noGroup(id: string): never {
  fail("not-found", `There is no access group "${id}".`);
}
