// How redirects spell addresses. Pure. A source is compared decoded and without a slash at its end, so that every spelling
// of an address finds it; a target is kept as a `Location` header carries it.

import type { RedirectStatus } from "#contract/redirects.ts";

const maxLength = 2_000;
/** Stands for the rest of the path that a source with `*` has matched. */
const splat = ":splat";

/** What sources and requests are compared by; undefined: no redirect can be meant. */
export function canonicalPath(path: string): string | undefined {
  if (!path.startsWith("/") || path.length > maxLength || /[\\?#]|\/\//.test(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.slice(1).replace(/\/$/, "").split("/")) {
    const decoded = decode(segment);
    if (/[\p{Cc}/\\]/u.test(decoded) || decoded === "." || decoded === "..") return undefined;
    segments.push(decoded.replace(/[%?#*]/g, encodeURIComponentStrictly));
  }
  return `/${segments.join("/")}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function encodeURIComponentStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll("*", "%2A");
}

export function isPattern(source: string): boolean {
  return source.endsWith("/*");
}

/** Of a pattern: the path that everything below begins with; empty for `/*`. */
export function prefixOf(source: string): string {
  return source.slice(0, -2);
}

type Checked<T> = T | { problem: string };

export function checkSource(source: string): Checked<{ source: string }> {
  const text = source.trim();
  if (!/^\/(?!\/)/.test(text)) return { problem: "must be a path that begins with one slash" };
  if (text.length > maxLength) return { problem: `must not be longer than ${maxLength} characters` };
  if (/[?#]/.test(text)) return { problem: "must be a path without query and fragment" };
  const hasRest = isPattern(text);
  const path = hasRest ? prefixOf(text) : text;
  if (path.includes("*")) return { problem: "may hold * only as its last segment" };
  const canonical = path === "" ? "" : canonicalPath(path);
  if (canonical === undefined)
    return { problem: "must be a path without .. segments, backslashes and control characters" };
  return { source: hasRest ? `${canonical === "/" ? "" : canonical}/*` : canonical };
}

export interface Target {
  /** As a Location header carries it. */
  target: string;
  /** Spelled as sources are, where it is a path of this site without query, fragment and `:splat`; else null. */
  targetPath: string | null;
}

/** A path of this site, or an address with http or https. */
export function checkTarget(target: string, source: string): Checked<Target> {
  const text = target.trim();
  if (text === "") return { problem: "is required" };
  if (text.length > maxLength) return { problem: `must not be longer than ${maxLength} characters` };
  if (/[\p{Cc}\\]/u.test(text) || !text.isWellFormed())
    return { problem: "must not hold backslashes or control characters" };
  if (text.includes(splat) && !isPattern(source))
    return { problem: `may hold ${splat} only when the source ends with /*` };
  if (/^https?:\/\//i.test(text)) return checkAddress(text);
  if (!/^\/(?!\/)/.test(text) || /^[^?#]*\/\//.test(text))
    return { problem: "must be a path of this site that begins with one slash, or an address with http or https" };
  const isBare = !/[?#]/.test(text) && !text.includes(splat);
  return { target: encoded(text), targetPath: isBare ? (canonicalPath(text) ?? null) : null };
}

function checkAddress(text: string): Checked<Target> {
  const url = URL.parse(text);
  if (!url?.hostname || url.hostname.includes(splat)) return { problem: "must be an address with http or https" };
  return url.username || url.password
    ? { problem: "must not hold a user name or password" }
    : { target: url.href, targetPath: null };
}

/** What is encoded stays as it is. */
function encoded(text: string): string {
  return encodeURI(text).replace(/%25([0-9a-f]{2})/gi, "%$1");
}

/** With the rest of the path; the rest is canonical and decoded. */
export function fillTarget(target: string, rest: string): string {
  if (!target.includes(splat)) return target;
  const filled = target.replaceAll(splat, encoded(rest));
  return rest === "" && filled.length > 1 ? filled.replace(/\/(?=$|[?#])/, "") || "/" : filled;
}

/** The path that the target leads to on this site, spelled as sources are; undefined for another site. */
export function pathOfTarget(target: string): string | undefined {
  return target.startsWith("/") ? canonicalPath(target.split(/[?#]/)[0] as string) : undefined;
}

/** The query of the request is kept, unless the target has one. */
export function withQuery(target: string, search: string): string {
  if (search === "") return target;
  const [before, fragment] = target.split("#", 2) as [string, string?];
  return before.includes("?") ? target : `${before}?${search}${fragment === undefined ? "" : `#${fragment}`}`;
}

const permanent = new Set([301, 308]);

/** Of a chain: it is for good only if each step is. */
export function statusOfChain(first: RedirectStatus, second: RedirectStatus): RedirectStatus {
  return permanent.has(first) && !permanent.has(second) ? second : first;
}
