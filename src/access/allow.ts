// The one decision: may this actor do this? Default deny. First line of every operation.

import { fail } from "#base/errors.ts";
import type { Operation } from "#contract/collections.ts";
import { type Actor, isAdminPersona } from "./actor.ts";
import { adminOnlyCollections, permits } from "./permissions.ts";

export type Subject =
  /** The objects of a collection; its settings say what the public may do. `id`: one of them. */
  | { kind: "objects"; collection: string; publicOperations: readonly Operation[]; id?: string | undefined }
  /** Definitions and settings of collections. */
  | { kind: "collections"; collection?: string }
  | { kind: "schemas"; schema?: string }
  | { kind: "util"; util: string }
  | { kind: "settings" }
  | { kind: "keys" }
  | { kind: "groups" }
  | { kind: "users" }
  | { kind: "audit" }
  | { kind: "metrics" };

export function isAllowed(actor: Actor, operation: Operation, subject: Subject): boolean {
  if (isAdminPersona(actor)) return true;
  if (subject.kind === "objects") {
    if (isOwnRecord(actor, operation, subject)) return true;
    const isOpen = !adminOnlyCollections.has(subject.collection) && subject.publicOperations.includes(operation);
    if (isOpen) return true;
  }
  return actor.kind === "user" && permits(actor.permissions, operation, subject);
}

/** Users see and change their own record; which properties they may change is content/users.ts. */
function isOwnRecord(actor: Actor, operation: Operation, { collection, id }: Subject & { kind: "objects" }): boolean {
  if (actor.kind !== "user" || collection !== "auth" || id !== actor.id) return false;
  return operation === "read" || operation === "update";
}

export function allow(ctx: { actor: Actor }, operation: Operation, subject: Subject): void {
  if (isAllowed(ctx.actor, operation, subject)) return;
  fail(ctx.actor.kind === "anonymous" ? "unauthenticated" : "forbidden");
}
