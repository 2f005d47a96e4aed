// Who may what, written from the specification and not from the code: the matrix holds the server against this.

import type { Operation } from "#contract/collections.ts";
import type { Place } from "./collections.ts";
import type { Grant, Persona } from "./personas.ts";

/** Something that must be granted; `on` is the name of a collection or schema, absent when it is about all of them. */
export interface Need {
  what: "objects" | "collections" | "schemas";
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
  | "the session of an admin"
  | "the admin persona"
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
}

const closedToGroups = ["auth", "automations"];
const switchOf: Record<string, string> = { mailer: "mailer" };

export function judge({ who }: Persona, attempt: Attempt): Verdict {
  const { asks } = attempt;
  if (asks === "nothing") return "passes";
  if (who.kind === "refused") {
    const isForgiven = who.hadSession && (asks === "anyone, also after a session" || asks === "a session, or none");
    return isForgiven ? "passes" : 401;
  }
  if (who.kind === "key") {
    const method = attempt.method === "HEAD" ? "GET" : attempt.method;
    if (!who.methods.includes(method) || !reaches(who.endpoint, attempt.path)) return 401;
    return typeof asks === "string" && asks.includes("session") && !asks.startsWith("anyone") ? 403 : "passes";
  }
  if (who.kind === "nobody") return isOpenToAll(attempt) ? "passes" : 401;
  if (!who.hasToken && isWrite(attempt)) return 403;
  if (asks === "the own session") return who.isImpersonated ? 403 : "passes";
  if (asks === "a session" || asks === "a session, or none") return "passes";
  if (who.isAdmin || isOpenToAll(attempt)) return "passes";
  if (typeof asks === "string") return 403;
  return asks.every((need) => isPublic(need, attempt.place) || who.grants.some((grant) => gives(grant, need)))
    ? "passes"
    : 403;
}

/** By a session it needs the CSRF token, unless it is for those who have no session yet. */
function isWrite({ method, asks, isSafe }: Attempt): boolean {
  return !isSafe && method !== "GET" && method !== "HEAD" && asks !== "anyone, also after a session";
}

function isOpenToAll({ asks, place }: Attempt): boolean {
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
  const plain = path.replace(/^\/api(?=\/)/, "").replace(/^\/objects(?=\/|$)/, "/collections");
  return plain === endpoint || plain.startsWith(`${endpoint}/`);
}
