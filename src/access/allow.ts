// The one decision: may this actor do this? Default deny. First line of every operation.

import { fail } from "#base/errors.ts";
import type { Operation } from "#contract/collections.ts";
import type { KeyMethod } from "#contract/keys.ts";
import { hasScope } from "#contract/scopes.ts";
import { type Actor, collectionOfForm, type ExtensionActor, type FormActor, isAdminPersona } from "./actor.ts";
import { hasMethodFor, isDefinitionOfAgent, isNarrow, isWithinLimits, type Limited, methodsOf } from "./key-limits.ts";
import { keyAllows } from "./key-scope.ts";
import { adminOnlyCollections, isForAdmins, permits, serviceCollections } from "./permissions.ts";
import type { Exposure, Subject } from "./subject.ts";

export function isAllowed(actor: Actor, operation: Operation, subject: Subject): boolean {
  if (isLimited(actor)) return isWithinLimits(actor, operation, subject);
  if (isAdminPersona(actor)) return true;
  if (actor.kind === "form") return isOfForm(actor, operation, subject);
  if (actor.kind === "extension") return isOfExtension(actor, operation, subject);
  if (subject.kind === "objects" && subject.exposure !== undefined)
    return isExposed(actor, operation, subject, subject.exposure);
  if (subject.kind === "objects") {
    if (isOwnRecord(actor, operation, subject)) return true;
    const isOpen = !isForAdmins(operation, subject.collection) && subject.publicOperations.includes(operation);
    if (isOpen) return true;
  }
  return byGroups(actor, operation, subject);
}

function isLimited(actor: Actor): actor is Extract<Actor, { kind: "key" }> & Limited {
  return actor.kind === "key" && actor.limits !== undefined;
}

/**
 * Whether the caller may see what was done to a collection, by a right of its own: users that may change its objects, and
 * limited keys that read them, or get them back from a change. The endpoint of the log says the rest of a key.
 */
export function mayLookBack(actor: Actor, collection: string): boolean {
  const needed: Operation[] = isLimited(actor) ? ["read", "update"] : ["update"];
  return needed.some((operation) => isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [] }));
}

/** Whether the address that let a key in is one of the collection, and not the whole of it. */
export function isLetInBelow(actor: Actor, collection: string): boolean {
  return actor.kind === "key" && isNarrow(actor.entry, collection);
}

/** A form makes objects, and adds the files that were sent with them. It reads nothing. */
function isOfForm(actor: FormActor, operation: Operation, subject: Subject): boolean {
  const isMade = operation === "create" || operation === "update";
  return isMade && subject.kind === "objects" && subject.collection === collectionOfForm(actor);
}

/** The service's own collections must be named; users and code are never an extension's. */
function isOfExtension({ collections }: ExtensionActor, operation: Operation, subject: Subject): boolean {
  if (subject.kind !== "objects" || isForAdmins(operation, subject.collection)) return false;
  const { collection } = subject;
  const name = Object.hasOwn(collections, collection) || serviceCollections.has(collection) ? collection : "*";
  return Object.hasOwn(collections, name) && (collections[name]?.includes(operation) ?? false);
}

/** Administrators need no group; code and users take the admin persona all the same. */
function byGroups(actor: Actor, operation: Operation, subject: Subject): boolean {
  if (actor.kind !== "user" && actor.kind !== "token") return false;
  if (actor.isAdmin && !isForAdminPersona(operation, subject)) return true;
  return permits(actor.permissions, operation, subject);
}

function isForAdminPersona(operation: Operation, subject: Subject): boolean {
  if (subject.kind === "objects") return isForAdmins(operation, subject.collection);
  if (subject.kind !== "collections") return true;
  return subject.collection !== undefined && adminOnlyCollections.has(subject.collection);
}

/** Reading what the public sees needs no right; everything else needs both the card and the groups. */
function isExposed(actor: Actor, operation: Operation, subject: Subject & { kind: "objects" }, exposure: Exposure) {
  if (exposure === "admin" || isForAdmins(operation, subject.collection)) return false;
  if (exposure === "public" && operation === "read") return true;
  return byGroups(actor, operation, subject);
}

/** Users see and change their own record; which properties they may change is accounts/users.ts. */
function isOwnRecord(actor: Actor, operation: Operation, { collection, id }: Subject & { kind: "objects" }): boolean {
  if (actor.kind !== "user" || collection !== "auth" || id !== actor.id) return false;
  return operation === "read" || operation === "update";
}

/** Whether the credential itself, by its methods or scopes, lets its holder do this to objects: callers cannot give what they do not have. */
export function hasCredentialFor(actor: Actor, operation: Operation): boolean {
  if (isLimited(actor)) return hasMethodFor(actor, operation);
  return actor.kind !== "token" || hasScope(actor.scopes, operation === "read" ? "cms:read" : "cms:write");
}

/** Whether a key opens this operation on objects by its methods and endpoints, whichever address it came by. */
export function opensOperation(actor: Actor, operation: Operation, collection: string): boolean {
  if (actor.kind !== "key") return true;
  const { scope } = actor;
  // `isAllowed` has asked for the method of a limited key.
  if (scope === undefined) return true;
  const path = `/collections/${encodeURIComponent(collection)}`;
  return methodsOf[operation].some((method) => keyAllows(scope, method, path));
}

/** For requests that do to objects what another method is for: a key needs that one as well. Agents do everything by POST. */
export function allowMethod({ actor, surface }: { actor: Actor; surface?: "mcp" | undefined }, operation: Operation) {
  if (actor.kind !== "key" || actor.scope === undefined || surface === "mcp") return;
  const { methods } = actor.scope;
  if (!methodsOf[operation].some((method) => methods.has(method))) fail("invalid-key");
}

/**
 * For a collection whose objects a request changes although its method or path says something else: a key was let in by
 * these alone. The operation asks `allow` as well.
 */
export function allowTarget({ actor }: { actor: Actor }, collection: string, method: KeyMethod = "POST"): void {
  if (actor.kind !== "key" || actor.scope === undefined) return;
  if (!keyAllows(actor.scope, method, `/collections/${encodeURIComponent(collection)}`)) fail("invalid-key");
}

export function allow(ctx: { actor: Actor }, operation: Operation, subject: Subject): void {
  if (isAllowed(ctx.actor, operation, subject)) return;
  const { actor } = ctx;
  if (isLimited(actor) && !actor.limits.isPublished && isDefinitionOfAgent(actor, subject)) {
    const message =
      "Through /mcp a key with limited endpoints writes no schemas, no templates and no settings of collections: use a key " +
      "with the endpoint *, or an access token with the scope cms:admin.";
    fail("forbidden", message);
  }
  fail(actor.kind === "anonymous" ? "unauthenticated" : actor.kind === "key" ? "invalid-key" : "forbidden");
}
