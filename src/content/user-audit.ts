// What the audit log learns of users, and of code that the server runs, by whichever door they are written.
// Called after the commit.

import { audit } from "#access/audit.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ObjectSecrets } from "#storage/objects.ts";
import { usersCollection } from "./accounts.ts";

/** What decides who somebody is to the service, and what they may do. The log names them, never their values. */
const watched = ["email", "groups", "active", "expiration", "maxLoginCount"];
const watchedOfAutomations = ["handler", "triggers", "enabled"];
const automationsCollection = "automations";

interface UserState {
  document: JsonObject;
  secrets: ObjectSecrets;
}

export type UserEvent = "user.created" | "user.changed" | "user.deleted";

/** Objects of other collections are not recorded. */
export function auditUser(
  ctx: Context,
  type: UserEvent,
  { collection, id }: { collection: string; id: string },
  details?: JsonObject,
): void {
  if (collection === usersCollection) audit(ctx, { type, user: id, ...(details && { details }) });
  if (collection !== automationsCollection) return;
  const what = type.slice("user.".length) as "created" | "changed" | "deleted";
  audit(ctx, { type: `automation.${what}`, details: { ...details, object: id } });
}

export function watchedChanges(collection: string, before: UserState, after: UserState): string[] {
  if (collection !== usersCollection && collection !== automationsCollection) return [];
  const differs = (name: string) => JSON.stringify(before.document[name]) !== JSON.stringify(after.document[name]);
  if (collection === automationsCollection) return watchedOfAutomations.filter(differs);
  const isNewPassword = before.secrets.password !== after.secrets.password;
  return [...watched.filter(differs), ...(isNewPassword ? ["password"] : [])];
}
