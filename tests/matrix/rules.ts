// Who may what, written from the specification and not from the code: the matrix holds the server against this.

import type { Operation } from "#contract/collections.ts";
import type { Place } from "./collections.ts";
import type { Grant, Persona, Who } from "./personas.ts";

/** Something that must be granted; `on` is the name of a collection or schema, absent when it is about all of them. */
export interface Need {
  what: "objects" | "collections" | "schemas" | "templates" | "jumpstart";
  operation: Operation;
  on?: string;
}

export type Asks =
  /** Nobody looks at credentials. */
  | "nothing"
  /** Open to everybody whose credentials hold. */
  | "anyone"
  /** Open even when the session has ended. */
  | "anyone, also after a session"
  | "a session"
  /** Not that of an admin who acts as somebody else. */
  | "the own session"
  | "a session, or none"
  /** A session, or a key that reaches it. */
  | "a known caller"
  | "the session of an admin"
  | "the admin persona"
  /** An unlimited key, or a session that gave its password a moment ago, as all of these have. */
  | "the admin persona, confirmed"
  /** A key for it, or a token with a scope for it; sessions count for nothing. */
  | "the way in of MCP"
  | Need[];

export type Verdict = "passes" | 401 | 403;

export interface Attempt {
  method: string;
  /** As sent, without the query. */
  path: string;
  asks: Asks;
  place?: Place | undefined;
  /** Changes nothing, whatever its method. */
  isSafe?: boolean;
  /** What it takes beside the rights: any credential, a session, or rights of one's own where the public has them too. */
  takes?: "credential" | "session" | "own rights" | undefined;
}

const closedToGroups = ["auth", "automations"];
/** A limited key reaches these only by an endpoint that names them. */
const takesName = ["auth", "automations", "dataviews"];
const switchOf: Record<string, string> = { mailer: "mailer", dataviews: "dataviews" };

export function judge({ who }: Persona, attempt: Attempt): Verdict {
  const { asks } = attempt;
  if (asks === "nothing") return "passes";
  if (asks === "the way in of MCP" && who.kind !== "key" && who.kind !== "token") return 401;
  if (who.kind === "refused") {
    const isForgiven = who.hadSession && (asks === "anyone, also after a session" || asks === "a session, or none");
    return isForgiven ? "passes" : 401;
  }
  if (who.kind === "key") {
    const method = attempt.method === "HEAD" ? "GET" : attempt.method;
    if (!who.methods.includes(method) || !reaches(who.endpoint, attempt.path)) return 401;
    if (!isWithin(who, attempt)) return 401;
    if (attempt.takes === "session") return 403;
    return typeof asks === "string" && asks.includes("session") && !asks.startsWith("anyone") ? 403 : "passes";
  }
  if (who.kind === "token") return judgeToken(who, attempt);
  if (who.kind === "nobody") return isOpenToAll(attempt) && !attempt.takes ? "passes" : 401;
  if (!who.hasToken && isWrite(attempt)) return 403;
  if (asks === "the own session") return who.isImpersonated ? 403 : "passes";
  if (asks === "a session" || asks === "a session, or none" || asks === "a known caller") return "passes";
  if (who.isAdmin || isOpenToAll(attempt)) return "passes";
  if (typeof asks === "string") return 403;
  const place = attempt.takes === "own rights" ? undefined : attempt.place;
  return asks.every((need) => isPublic(need, place) || who.grants.some((grant) => gives(grant, need))) ? "passes" : 403;
}

/** Whether a key that does not open everything may touch what the route is about. */
function isWithin({ endpoint, published }: Who & { kind: "key" }, { asks, takes }: Attempt): boolean {
  if (endpoint === "*" && !published) return true;
  // Snapshots hold drafts too.
  if (published && takes === "own rights") return false;
  if (typeof asks === "string") return !published || !asks.startsWith("the admin persona");
  return asks.every(({ what, operation, on = "" }) => {
    if (what === "objects" || what === "collections") {
      if (takesName.includes(on) && !endpoint.endsWith(`/${on}`)) return false;
    }
    if (!published || operation === "read") return true;
    // Changing mailers is the right to send mail.
    return what === "objects" && on !== "mailer";
  });
}

/**
 * Whether the caller may fetch a locked file of a collection that everybody may read. By a group: its members. By a
 * password, which is not sent here: those with a right of their own to read the objects.
 */
export function fetches({ name, who }: Persona, lock: { groups?: string[]; on: string }): boolean {
  if (who.kind === "key") return true;
  if (who.kind !== "user" && who.kind !== "token") return false;
  if (who.isAdmin && (who.kind === "user" || who.scopes.includes("cms:admin"))) return true;
  if (lock.groups) return lock.groups.some((member) => name.split(" ").includes(member));
  return who.isAdmin || who.grants.some((grant) => gives(grant, { what: "objects", operation: "read", on: lock.on }));
}

/** The scope opens the path, and the approver's rights the rest; only both together make an administrator. */
function judgeToken(who: Who & { kind: "token" }, attempt: Attempt): Verdict {
  const { asks } = attempt;
  const place = attempt.takes === "own rights" ? undefined : attempt.place;
  if (who.resource && (who.resource === "/mcp") !== (asks === "the way in of MCP")) return 401;
  if (asks === "the way in of MCP") return who.scopes.some((scope) => scope.startsWith("mcp:")) ? "passes" : 403;
  if (asks === "the admin persona, confirmed") return 403;
  // Each route of an extension asks for its own scope.
  if (attempt.path.startsWith("/api/ext/") && asks === "anyone") return "passes";
  const isElevated = who.isAdmin && who.scopes.includes("cms:admin");
  const needed = scopeFor(attempt);
  const implied = needed !== undefined && needed !== "cms:admin" && who.scopes.includes("cms:admin");
  if (needed === undefined || !(implied || who.scopes.includes(needed))) return 403;
  if (isElevated || isOpenToAll(attempt)) return "passes";
  if (asks === "a known caller" && attempt.takes === "own rights") return "passes";
  if (typeof asks === "string") return 403;
  const isGranted = (need: Need) => {
    if (isPublic(need, place) || who.grants.some((grant) => gives(grant, need))) return true;
    return who.isAdmin && need.what !== "schemas" && !closedToGroups.includes(need.on ?? "");
  };
  return asks.every(isGranted) ? "passes" : 403;
}

/** The specification's table, with the files and reports of objects beside the objects. */
function scopeFor({ method, path, isSafe }: Attempt): string | undefined {
  const isRead = isSafe || method === "GET" || method === "HEAD";
  if (/^(\/api\/(collections|objects|history)|\/collections)(\/|$)/.test(path))
    return isRead ? "cms:read" : "cms:write";
  if (/^\/(api\/report\/collections|download|stream|imageworks|feed\/(?:rss|atom|json))\//.test(path))
    return isRead ? "cms:read" : undefined;
  if (/^\/api\/(changes|writers)(\/|$)/.test(path)) return "cms:read";
  return /^\/api\/(schemas|types\.d\.ts|cache|extensions)(\/|$)/.test(path) ? "cms:admin" : undefined;
}

/** By a session it needs the CSRF token, unless it is for those who have no session yet. */
function isWrite({ method, asks, isSafe }: Attempt): boolean {
  return !isSafe && method !== "GET" && method !== "HEAD" && asks !== "anyone, also after a session";
}

function isOpenToAll({ asks, place, takes }: Attempt): boolean {
  if (takes === "own rights") return false;
  if (typeof asks === "string") return asks.startsWith("anyone") || asks === "a session, or none";
  return asks.every((need) => isPublic(need, place));
}

function isPublic({ what, operation, on }: Need, place: Place | undefined): boolean {
  return (
    what === "objects" &&
    place !== undefined &&
    place.id === on &&
    !closedToGroups.includes(place.id) &&
    place.publicOperations.includes(operation)
  );
}

function gives(grant: Grant, { what, operation, on }: Need): boolean {
  if (what === "templates") return grant.switches?.includes("builder") ?? false;
  if (what === "jumpstart") return grant.utils?.includes("jumpstart") ?? false;
  const [operations, names] = grant[what] ?? [[], []];
  if (!operations.includes(operation)) return false;
  if (on === undefined) return names === "*" || (operation === "read" && names.length > 0);
  if (what !== "schemas" && closedToGroups.includes(on)) return false;
  const feature = what === "objects" ? switchOf[on] : undefined;
  if (feature !== undefined && !grant.switches?.includes(feature)) return false;
  return names === "*" || names.includes(on);
}

/** Grants of keys are paths without `/api`; objects are another name of collections. */
function reaches(endpoint: string, path: string): boolean {
  if (endpoint === "*") return true;
  const plain = path
    .replace(/^\/api\/automations(?=\/|$)/, "/automations-admin")
    .replace(/^\/api(?=\/)/, "")
    .replace(/^\/objects(?=\/|$)/, "/collections");
  return plain === endpoint || plain.startsWith(`${endpoint}/`);
}
