// Who calls. Doors make an actor, operations ask allow.ts about it.

export type Actor =
  | { kind: "anonymous" }
  /** The command line and the service itself. */
  | { kind: "system" }
  | { kind: "key"; id: string; name: string }
  | { kind: "user"; id: string; groups: string[]; isAdmin: boolean };

export const anonymous: Actor = { kind: "anonymous" };
export const system: Actor = { kind: "system" };

/** Whoever is not limited by groups: the admin persona. A key's own limits are checked at the door. */
export function isAdminPersona(actor: Actor): boolean {
  return actor.kind === "system" || actor.kind === "key" || (actor.kind === "user" && actor.isAdmin);
}
