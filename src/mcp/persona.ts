// The caller as the catalogue sees it: the scopes of a token limit what it may ask for at all; what is then
// allowed is decided by the operations themselves.

import { type Actor, isAdminPersona } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";

/** Keys and the command line have no scopes; their limits are elsewhere. */
export function holdsScope({ actor }: Pick<Context, "actor">, scope: Scope): boolean {
  return actor.kind !== "token" || hasScope(actor.scopes, scope);
}

export function isAdmin({ actor }: Pick<Context, "actor">): boolean {
  return isAdminPersona(actor);
}

/** Whether there is a collection in which the caller may do this. */
export async function mayAnywhere(ctx: Context, operation: Operation): Promise<boolean> {
  return isAdmin(ctx) || (ctx.actor.kind !== "anonymous" && (await listOpenCollections(ctx, operation)).length > 0);
}

/** Whether there is a schema, or may be one, with which the caller may do this. */
export function maySchemas({ actor }: Pick<Context, "actor">, operation: Operation): boolean {
  return isAllowed(actor, operation, { kind: "schemas" }) || hasNamedSchema(actor, operation);
}

function hasNamedSchema(actor: Actor, operation: Operation): boolean {
  if (operation === "create" || (actor.kind !== "user" && actor.kind !== "token")) return false;
  return actor.permissions.some(
    ({ schemas }) => schemas.operations.includes(operation) && (schemas.all || schemas.allowed.length > 0),
  );
}
