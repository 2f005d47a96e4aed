// What the audit log learns of users, and of code that the server runs, by whichever door they are written.
// Called after the commit.

import { usersCollection } from "#access/accounts.ts";
import { audit } from "#access/audit.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";

/** What decides who somebody is to the service, and what they may do. The log names them, never their values. */
const watched = ["email", "groups", "active", "expiration", "maxLoginCount"];
/** The same of code that the server runs, and what its lines are called. */
const watchedCode: ReadonlyMap<string, { kind: "automation" | "view"; properties: readonly string[] }> = new Map([
  ["automations", { kind: "automation", properties: ["handler", "triggers", "enabled"] }],
  ["dataviews", { kind: "view", properties: ["definition", "dependencies", "mcp"] }],
]);

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
  const code = watchedCode.get(collection);
  if (!code) return;
  const what = type.slice("user.".length) as "created" | "changed" | "deleted";
  audit(ctx, { type: `${code.kind}.${what}`, details: { ...details, object: id } });
}

export function watchedChanges(collection: string, before: UserState, after: UserState): string[] {
  const code = watchedCode.get(collection);
  if (collection !== usersCollection && !code) return [];
  const differs = (name: string) => JSON.stringify(before.document[name]) !== JSON.stringify(after.document[name]);
  if (code) return code.properties.filter(differs);
  const isNewPassword = before.secrets.password !== after.secrets.password;
  return [...watched.filter(differs), ...(isNewPassword ? ["password"] : [])];
}
