// The groups of users who register, at every door: those of the setting that exist. It never leaves such a user without a group,
// because users without one are in `default`, which as shipped reads all content.

import { usersCollection } from "#access/accounts.ts";
import { findMemberGroup, loadGroups } from "#access/groups.ts";
import type { App } from "#context.ts";
import { adminGroup } from "#contract/access-groups.ts";
import type { Storage } from "#storage/port.ts";

export const registrationGroupsKey = "auth.registrationGroups";

export function isRegistrationOpen({ settings }: Pick<App, "settings">): boolean {
  return settings.get("auth.publicRegistration").includes(usersCollection);
}

/** At least one, never `admin`. */
export async function registrationGroups({ settings, storage }: Pick<App, "settings" | "storage">): Promise<string[]> {
  const isChosen = settings.sourceOf(registrationGroupsKey) !== "default";
  return existingGroups(storage, isChosen ? settings.get(registrationGroupsKey) : []);
}

/** The groups that such a value of the setting means now. */
export async function existingGroups(storage: Storage, named: readonly string[]): Promise<string[]> {
  const groups = await loadGroups(storage);
  const found = [...new Set(named)].filter((id) => id !== adminGroup && groups.has(id));
  return found.length > 0 ? found : [await findMemberGroup(storage)];
}
