// What an access token opens over REST: one scope for each part of the address space, for reads and for writes.
// Everything outside the table is closed to tokens, also to those of administrators: a token cannot make keys, change
// settings or manage other grants, and so leaves nothing behind when its own grant ends.

import { type Scope, scopes } from "#contract/scopes.ts";

interface Opening {
  /** The route itself and everything below it. */
  under: string;
  read: Scope;
  write?: Scope;
}

const openings: readonly Opening[] = [
  { under: "/api/collections", read: "cms:read", write: "cms:write" },
  { under: "/api/objects", read: "cms:read", write: "cms:write" },
  { under: "/collections", read: "cms:read", write: "cms:write" },
  { under: "/api/history", read: "cms:read", write: "cms:write" },
  { under: "/api/report/collections", read: "cms:read" },
  { under: "/api/changes", read: "cms:read" },
  { under: "/api/writers", read: "cms:read" },
  { under: "/imageworks", read: "cms:read" },
  { under: "/stream", read: "cms:read" },
  { under: "/feed", read: "cms:read" },
  // A POST carries the password of a file and changes nothing.
  { under: "/download", read: "cms:read", write: "cms:read" },
  { under: "/api/schemas", read: "cms:admin", write: "cms:admin" },
  { under: "/api/types.d.ts", read: "cms:admin" },
  { under: "/api/cache", read: "cms:admin", write: "cms:admin" },
  { under: "/api/extensions", read: "cms:admin", write: "cms:admin" },
];

/** `route` as it is registered, so that the spelling of an address does not matter. Undefined: no scope opens it. */
export function neededScope(method: string, route: string): Scope | undefined {
  const opening = openings.find(({ under }) => route === under || route.startsWith(`${under}/`));
  return method === "GET" || method === "HEAD" ? opening?.read : opening?.write;
}

/** A token must hold one of these. None: closed to tokens. */
export function openingScopes(method: string, route: string): readonly Scope[] {
  // Each route of an extension names its own scope, and asks for it.
  if (route === "/api/ext/:vendor/:name/*") return scopes;
  const needed = neededScope(method, route);
  return needed ? [needed] : [];
}
