// What users who register may read beyond the public. They are strangers: before a change of the settings or of a group gives them
// a closed collection, or drafts, somebody must confirm it. What they could read before the change is not asked again.

import { usersCollection } from "#access/accounts.ts";
import { findMemberGroup, loadGroups } from "#access/groups.ts";
import {
  existingGroups,
  isRegistrationOpen,
  registrationGroups,
  registrationGroupsKey,
} from "#access/registration/registration-groups.ts";
import { fail } from "#base/errors.ts";
import type { SettingKey } from "#config/settings-table.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { type AccessGroup, memberGroup, type Permissions } from "#contract/access-groups.ts";
import type { Operation } from "#contract/collections.ts";
import type { Json } from "#contract/json.ts";

export interface Reads {
  /** Closed collections, and open ones with drafts. */
  collections: string[];
  /** Also of collections that are made later. */
  isAll: boolean;
}

const nothing: Reads = { collections: [], isAll: false };
const openKey = "auth.publicRegistration";
/** The answer to a change is the object. */
const showing: readonly Operation[] = ["read", "update"];
const namedAtMost = 20;

export async function readsOf(app: App, permissions: readonly Permissions[]): Promise<Reads> {
  const ctx = contextFor(app, { kind: "user", id: "", isAdmin: false, permissions });
  const found = new Set<string>();
  for (const operation of showing)
    for (const { id, settings, schema } of await listOpenCollections(ctx, operation)) {
      const isOwn = seesDrafts(ctx, operation, id);
      const isClosed = !settings.publicOperations.includes("read");
      if (isOwn && (isClosed || schema.properties.has("draft"))) found.add(id);
    }
  const isAll = permissions.some(
    ({ collections: { operations, all } }) => all && showing.some((one) => operations.includes(one)),
  );
  return { collections: [...found].sort(), isAll };
}

/** Of users who register now; nothing while nobody can. */
export async function readsOfNewUsers(app: App, groups: ReadonlyMap<string, AccessGroup>): Promise<Reads> {
  if (!isRegistrationOpen(app)) return nothing;
  return readsOfGroups(app, await registrationGroups(app), groups);
}

function readsOfGroups(app: App, ids: readonly string[], groups: ReadonlyMap<string, AccessGroup>): Promise<Reads> {
  return readsOf(
    app,
    ids.flatMap((id) => groups.get(id)?.permissions ?? []),
  );
}

/**
 * Before settings are written, when no other save can come between. Without a value of its own the setting names the shipped group,
 * also where that has another id than its default says.
 */
export async function checkRegistration(
  ctx: Context,
  changes: Map<SettingKey, Json>,
  isConfirmed: boolean,
): Promise<void> {
  const opened = changes.get(openKey) as string[] | null | undefined;
  const named = changes.get(registrationGroupsKey) as string[] | null | undefined;
  if (opened === undefined && named === undefined) return;
  const groups = await loadGroups(ctx.storage);
  const unknown = named?.filter((id) => !groups.has(id)) ?? [];
  if (unknown.length > 0)
    fail("invalid", "The settings are not valid.", {
      [registrationGroupsKey]: unknown.map((id) => `names "${id}", and there is no such access group`),
    });
  const member = await findMemberGroup(ctx.storage);
  if (named === null && member !== memberGroup) changes.set(registrationGroupsKey, [member]);
  const isOpen = opened === undefined ? isRegistrationOpen(ctx) : (opened?.includes(usersCollection) ?? false);
  if (isConfirmed || !isOpen) return;
  const ids = named === undefined ? await registrationGroups(ctx) : await existingGroups(ctx.storage, named ?? []);
  requireConfirmation(await readsOfNewUsers(ctx, groups), await readsOfGroups(ctx, ids, groups));
}

export function requireConfirmation(before: Reads, after: Reads): void {
  const collections = after.collections.filter((id) => !before.collections.includes(id));
  const isAll = after.isAll && !before.isAll;
  if (collections.length === 0 && !isAll) return;
  fail(
    "needs-confirmation",
    `Users who register would read ${inWords({ collections, isAll })}. Confirm it with ?confirm=registration, or on the command line with --yes.`,
    { collections: isAll ? [...collections, "*"] : collections },
  );
}

/** "what is closed, or drafts, in a, b". */
export function inWords({ collections, isAll }: Reads): string {
  const shown = collections.slice(0, namedAtMost);
  const rest = collections.length - shown.length;
  const names = [
    ...shown,
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(isAll ? ["every collection that is made later"] : []),
  ];
  return `what is closed, or drafts, in ${names.join(", ")}`;
}
