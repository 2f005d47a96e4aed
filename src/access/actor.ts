// Who calls. Doors make an actor, operations ask allow.ts about it.

import type { Permissions } from "#contract/access-groups.ts";

export interface UserActor {
  kind: "user";
  id: string;
  /** In the group `admin`. */
  isAdmin: boolean;
  /** Of the user's groups, as they are at this request. */
  permissions: readonly Permissions[];
  /** The admin who looks at the site as this user. */
  impersonator?: string;
}

export type Actor =
  | { kind: "anonymous" }
  /** The command line and the service itself. */
  | { kind: "system" }
  | { kind: "key"; id: string; name: string }
  | UserActor;

export const anonymous: Actor = { kind: "anonymous" };
export const system: Actor = { kind: "system" };

/** Whoever is not limited by groups: the admin persona. A key's own limits are checked at the door. */
export function isAdminPersona(actor: Actor): boolean {
  return actor.kind === "system" || actor.kind === "key" || (actor.kind === "user" && actor.isAdmin);
}

/** For logs and the audit. */
export function nameOf(actor: Actor): string {
  return "id" in actor ? `${actor.kind}:${actor.id}` : actor.kind;
}
