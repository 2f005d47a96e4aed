// The one decision: may this actor do this? Default deny. First line of every operation.

import { fail } from "#base/errors.ts";
import type { Operation } from "#contract/collections.ts";
import { type Actor, isAdminPersona } from "./actor.ts";

export type Subject =
  /** The objects of a collection; its settings say what the public may do. */
  | { kind: "objects"; collection: string; publicOperations: readonly Operation[] }
  /** Definitions and settings of collections. */
  | { kind: "collections"; collection?: string }
  | { kind: "schemas"; schema?: string }
  | { kind: "settings" }
  | { kind: "keys" }
  | { kind: "metrics" };

/** Holds users: closed to the public and to groups, whatever its settings say. */
const usersCollection = "auth";

export function isAllowed(actor: Actor, operation: Operation, subject: Subject): boolean {
  if (isAdminPersona(actor)) return true;
  if (subject.kind !== "objects" || subject.collection === usersCollection) return false;
  return subject.publicOperations.includes(operation);
}

export function allow(ctx: { actor: Actor }, operation: Operation, subject: Subject): void {
  if (isAllowed(ctx.actor, operation, subject)) return;
  fail(ctx.actor.kind === "anonymous" ? "unauthenticated" : "forbidden");
}
