// The scope of an API key: its methods, and path prefixes compared segment by segment.
// Paths are read as the router reads them (decoded once); an ambiguous path opens nothing.

import { type KeyMethod, keyMethods } from "#contract/keys.ts";

/** First segments that a key may be granted. All others (keys, setup) open for `*` only. */
const grantable = new Set([
  "automations",
  "automations-admin",
  "cache",
  "changes",
  "collections",
  "dataviews",
  "download",
  "export",
  "ext",
  "extensions",
  "history",
  "import",
  "imageworks",
  "mcp",
  "metrics",
  "report",
  "schemas",
  "settings",
  "stream",
  "sync",
  "template-history",
  "templates",
  "trash",
  "undo",
  "upload",
]);

/** `*` is every endpoint; otherwise the segments a path must begin with. */
export type Grant = "*" | readonly string[];

export interface KeyScope {
  methods: ReadonlySet<string>;
  grants: readonly Grant[];
  /** Sees no drafts. */
  isPublished: boolean;
}

export function keyScope(methods: readonly string[], endpoints: readonly string[], isPublished = false): KeyScope {
  const grants = endpoints.map((endpoint): Grant => (endpoint === "*" ? "*" : (segmentsOf(endpoint) ?? [])));
  return {
    methods: new Set(methods),
    // A damaged record must not open everything: a prefix without segments grants nothing.
    grants: grants.some((grant) => grant === "*") ? ["*"] : grants.filter((grant) => grant.length > 0),
    isPublished,
  };
}

export function keyAllows(scope: KeyScope, method: string, path: string): boolean {
  if (!scope.methods.has(method === "HEAD" ? "GET" : method)) return false;
  if (scope.grants[0] === "*") return true;
  const segments = segmentsOf(path);
  return segments !== undefined && scope.grants.some((grant) => covers(grant, segments));
}

/** How a request was let in. */
export interface Entry {
  segments: readonly string[];
  /** Those that cover the address. */
  grants: readonly Grant[];
}

/** Undefined: the key does not open this address. */
export function findEntry(scope: KeyScope, method: string, path: string): Entry | undefined {
  if (!keyAllows(scope, method, path)) return undefined;
  const segments = segmentsOf(path) ?? [];
  return { segments, grants: scope.grants.filter((grant) => covers(grant, segments)) };
}

/** Whether the outer scope opens everything that the inner one opens. */
export function isWithin(inner: KeyScope, outer: KeyScope): boolean {
  return (
    inner.methods.isSubsetOf(outer.methods) &&
    (inner.isPublished || !outer.isPublished) &&
    inner.grants.every((wanted) => outer.grants.some((grant) => covers(grant, wanted)))
  );
}

export function covers(grant: Grant, wanted: Grant): boolean {
  if (grant === "*" || wanted === "*") return grant === "*";
  return grant.length <= wanted.length && grant.every((part, at) => part === wanted[at]);
}

export function isKeyMethod(method: unknown): method is KeyMethod {
  return (keyMethods as readonly unknown[]).includes(method);
}

/** The stored form of an endpoint: `*` or `/collections/blog`; undefined when it is not an endpoint. */
export function normalizeEndpoint(endpoint: string): string | undefined {
  const text = endpoint.trim();
  if (text === "*") return text;
  if (!/^(\/[\w.~-]+)+\/?$/.test(text)) return undefined;
  const segments = segmentsOf(text);
  if (!segments || !grantable.has(segments[0] ?? "")) return undefined;
  return `/${segments.join("/")}`;
}

/**
 * Decoded segments without a leading `api`, with `objects` as `collections`; undefined when the path is ambiguous.
 * `/automations` is for webhooks only: the administration of automations, below `/api`, has a name of its own.
 */
function segmentsOf(path: string): string[] | undefined {
  const end = path.search(/[?#]/);
  const segments: string[] = [];
  for (const raw of (end < 0 ? path : path.slice(0, end)).split("/")) {
    if (raw === "") continue;
    const segment = decodeOnce(raw);
    if (segment === undefined || segment === "." || segment === ".." || hasSeparator(segment)) return undefined;
    segments.push(segment);
  }
  if (segments[0] === "objects") segments[0] = "collections";
  if (segments[0] !== "api") return segments;
  const [, first, ...rest] = segments;
  return first === undefined ? [] : [apiNames.get(first) ?? first, ...rest];
}

const apiNames = new Map([
  ["writers", "changes"],
  ["automations", "automations-admin"],
  ["objects", "collections"],
]);

function decodeOnce(segment: string): string | undefined {
  try {
    return segment.includes("%") ? decodeURIComponent(segment) : segment;
  } catch {
    return undefined;
  }
}

function hasSeparator(segment: string): boolean {
  return segment.includes("/") || segment.includes("\\") || segment.includes("\0");
}
