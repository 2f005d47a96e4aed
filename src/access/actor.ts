// The caller. Doors make an actor (credentials.ts), operations ask allow.ts about it.

import type { Permissions } from "#contract/access-groups.ts";
import type { Operation } from "#contract/collections.ts";
import type { Scope } from "#contract/scopes.ts";
import { hasGrant, isAt } from "./key-limits.ts";
import { type Entry, type KeyScope, keyAllows } from "./key-scope.ts";

export interface UserActor {
  kind: "user";
  id: string;
  /** The number of the user's record, never used again; left out where nothing is stored in the user's name. */
  rid?: number;
  /** In the group `admin`. */
  isAdmin: boolean;
  /** Of the user's groups, as they are at this request. */
  permissions: readonly Permissions[];
  /** The hash of the session, where there is one. */
  session?: string;
  /** The admin who acts as this user. */
  impersonator?: string;
}

/** An application that a user has let in. The door checks its scopes, as it checks the endpoints of a key. */
export interface TokenActor {
  kind: "token";
  /** The user who approved. */
  id: string;
  rid?: number;
  clientId: string;
  grantId: string;
  scopes: ReadonlySet<Scope>;
  /** The approver is in the group `admin`; the admin persona takes `cms:admin` as well. */
  isAdmin: boolean;
  /** Of the approver's groups, as they are at this request. */
  permissions: readonly Permissions[];
}

/** An API key. The door checks its endpoints; allow.ts checks what an operation reaches. */
export interface KeyActor {
  kind: "key";
  id: string;
  name: string;
  /** Undefined: it opens every endpoint, and is an administrator. */
  limits: KeyScope | undefined;
  /** The methods and paths that it opens, where it was let in by a path; left out for deferred work. */
  scope?: KeyScope;
  /** How this request was let in, where the key is limited; left out for deferred work but that of agents. */
  entry?: Entry | undefined;
}

/** A key that came with a request. */
export interface PresentedKey extends KeyActor {
  scope: KeyScope;
}

export type Actor =
  | { kind: "anonymous" }
  /** The command line and the service itself. */
  | { kind: "system" }
  /** A form of the website: makes objects of its collection. The id is `{collection}/{name}`. */
  | FormActor
  | ExtensionActor
  | KeyActor
  | UserActor
  | TokenActor;

export interface FormActor {
  kind: "form";
  id: string;
}

/** An extension that acts for itself, within what an operator approved. */
export interface ExtensionActor {
  kind: "extension";
  id: string;
  /** By collection; `*`: all but the service's own. */
  collections: Readonly<Record<string, readonly Operation[]>>;
}

export function collectionOfForm({ id }: FormActor): string {
  return id.slice(0, id.indexOf("/"));
}

/** The author of deferred work, as it is stored: enough to find the same one again. */
export type Author = (
  | { kind: "system" }
  | { kind: "anonymous" }
  | { kind: "key"; id: string }
  | { kind: "form"; id: string }
  | { kind: "extension"; id: string }
  | { kind: "user"; id: string; rid: number }
  | { kind: "token"; id: string; clientId: string; grantId: string; scopes: Scope[] }
) & {
  /** The door that it came by, where that limits what it sees. */
  surface?: "mcp";
};

export const anonymous: Actor = { kind: "anonymous" };
export const system: Actor = { kind: "system" };

/** Callers that groups do not limit: the admin persona. A limited key is one inside its limits, which allow.ts asks for. */
export function isAdminPersona(actor: Actor): boolean {
  if (actor.kind === "user") return actor.isAdmin;
  if (actor.kind === "token") return actor.isAdmin && actor.scopes.has("cms:admin");
  return actor.kind === "system" || actor.kind === "key";
}

/** A key that does not open everything. */
export function isLimitedKey(actor: Actor): boolean {
  return actor.kind === "key" && actor.limits !== undefined;
}

/** Sync brings automations and views by nature. */
export function carriesCode(actor: Actor): boolean {
  if (actor.kind !== "key" || actor.limits === undefined) return actor.kind === "key";
  return actor.entry === undefined ? hasGrant(actor.limits, "sync") : isAt(actor.entry, "sync");
}

/** A key that sees no drafts, wherever it reads. */
export function isPublishedKey(actor: Actor): boolean {
  return actor.kind === "key" && actor.limits?.isPublished === true;
}

/** Whether a key opens the history of a collection, by whichever address it asks. Agents have it among their tools. */
export function opensHistory(actor: Actor, collection: string): boolean {
  if (actor.kind !== "key" || actor.limits === undefined) return true;
  const { limits, entry, scope } = actor;
  if (limits.isPublished) return false;
  if (isAt(entry, "mcp")) return true;
  return scope !== undefined && keyAllows(scope, "GET", `/history/${encodeURIComponent(collection)}`);
}

/** For logs and the audit. */
export function nameOf(actor: Actor): string {
  if (actor.kind === "token") return `token:${actor.id}:${actor.clientId}`;
  return "id" in actor ? `${actor.kind}:${actor.id}` : actor.kind;
}
