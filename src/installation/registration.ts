// Registration as administrators see it: what is asked before a group of new users grows, what new users may do, and the checks of
// the system report. Users who register are accounts/registration.ts.

import { usersCollection } from "#access/accounts.ts";
import { system } from "#access/actor.ts";
import { findMemberGroup, loadGroups } from "#access/groups.ts";
import { isNothing } from "#access/permissions.ts";
import { nameGroupGuard } from "#access/registration/group-guard.ts";
import {
  isRegistrationOpen,
  registrationGroups,
  registrationGroupsKey,
} from "#access/registration/registration-groups.ts";
import { fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { listObjects } from "#content/query/lists.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { defaultGroup, memberGroup } from "#contract/access-groups.ts";
import type { SystemCheck } from "#contract/admin.ts";
import { withLease } from "#jobs/leases.ts";
import { inWords, type Reads, readsOf, readsOfNewUsers, requireConfirmation } from "./registration-reads.ts";
import { catchUpSettings, setSetting, settingsLease } from "./settings.ts";

/** Settings stand still meanwhile: registration is not opened while its groups grow. */
function withSettings<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  return withLease(ctx, settingsLease, async () => {
    await catchUpSettings(ctx);
    return work();
  });
}

export function guardRegistrationGroups(app: App): void {
  nameGroupGuard(app, {
    save: (ctx, { group, isConfirmed }, work) =>
      withSettings(ctx, async () => {
        if (!isConfirmed && isRegistrationOpen(ctx)) {
          const groups = await loadGroups(ctx.storage);
          const after = new Map(groups).set(group.id, group);
          requireConfirmation(await readsOfNewUsers(ctx, groups), await readsOfNewUsers(ctx, after));
        }
        return work();
      }),
    delete: (ctx, id, work) =>
      withSettings(ctx, async () => {
        if ((await registrationGroups(ctx)).includes(id))
          fail(
            "in-use",
            `The setting ${registrationGroupsKey} names the access group "${id}": name others there first.`,
          );
        return work();
      }),
  });
}

/** Where a site had a group `member` of its own before, the setting names the shipped one by its id. */
export async function nameMemberGroup(app: App): Promise<void> {
  if (app.settings.sourceOf(registrationGroupsKey) !== "default") return;
  const member = await findMemberGroup(app.storage);
  if (member !== memberGroup) await setSetting(contextFor(app, system), registrationGroupsKey, [member]);
}

/** What the groups of users who register grant; undefined while nobody can. */
export async function describeNewUsers(ctx: Context): Promise<string | undefined> {
  if (!isRegistrationOpen(ctx)) return undefined;
  const ids = await registrationGroups(ctx);
  const groups = await loadGroups(ctx.storage);
  const granted = ids.flatMap((id) => groups.get(id)?.permissions ?? []);
  const start = `New users are in the ${ids.length === 1 ? "group" : "groups"} ${ids.join(", ")}, which may`;
  if (granted.every(isNothing)) return `${start} do nothing beyond what is public.`;
  const reads = await readsOf(ctx, granted);
  return isEmpty(reads) ? `${start} do more than the public.` : `${start} read ${inWords(reads)}.`;
}

function isEmpty({ collections, isAll }: Reads): boolean {
  return collections.length === 0 && !isAll;
}

/** For the system report; none while registration is closed. */
export async function checkOpenRegistration(ctx: Context): Promise<SystemCheck[]> {
  if (!isRegistrationOpen(ctx)) return [];
  const groups = await loadGroups(ctx.storage);
  return [await checkReads(ctx, groups), await checkDefault(ctx, groups), await checkProof(ctx)];
}

type Groups = Awaited<ReturnType<typeof loadGroups>>;

async function checkReads(ctx: Context, groups: Groups): Promise<SystemCheck> {
  const id = "registration-reads";
  const reads = await readsOfNewUsers(ctx, groups);
  if (isEmpty(reads))
    return { id, level: "good", message: "Users who register read nothing that is closed.", cure: "" };
  return {
    id,
    level: "warn",
    message: `Registration is open, and users who register read ${inWords(reads)}.`,
    cure: `Name groups that read less in ${registrationGroupsKey}, such as "member".`,
  };
}

/** Users who registered before the setting came have no group. */
async function checkDefault(ctx: Context, groups: Groups): Promise<SystemCheck> {
  const id = "registration-default";
  const good: SystemCheck = { id, level: "good", message: "No users without a group read what is closed.", cure: "" };
  const permissions = groups.get(defaultGroup)?.permissions;
  if (!permissions || isEmpty(await readsOf(ctx, [permissions]))) return good;
  const { total } = await listObjects(contextFor(ctx, system), usersCollection, {
    ...{ filter: { groups: { empty: "true" } }, fields: "id", limit: "1" },
  });
  if (total === 0) return good;
  const users = total === 1 ? "1 user without a group reads" : `${total} users without a group read`;
  return {
    id,
    level: "warn",
    message: `Registration is open, and ${users} what the group ${defaultGroup} may read.`,
    cure: `Give users who registered a group such as "member", or let the group ${defaultGroup} read less.`,
  };
}

async function checkProof(ctx: Context): Promise<SystemCheck> {
  const id = "registration-unproven";
  const { settings } = await getCollection(ctx, usersCollection);
  const hasMail = ctx.settings.get("smtp.host") !== "" && ctx.settings.get("smtp.from") !== "";
  if (settings.requireEmailVerification)
    return { id, level: "good", message: "Users who register prove their address.", cure: "" };
  if (!hasMail) return { id, level: "good", message: "Without mail nobody can prove an address.", cure: "" };
  return {
    id,
    level: "warn",
    message: "Registration is open, and users do not prove that their address is theirs.",
    cure: `Set requireEmailVerification in the settings of the collection "${usersCollection}".`,
  };
}
