// Addresses of objects as routes: from the URL pattern of a collection to the ids that a path may mean. Pure.

import { urlParts } from "#content/query/object-url.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { Part, RoutePattern, Segment } from "./route-pattern.ts";

export interface ObjectAddress {
  pattern: RoutePattern;
  /** Ids to try, by the values of the placeholders. */
  idsIn(params: Readonly<Record<string, string>>): string[];
}

/** Splits of one segment that are tried where the id stands beside another placeholder. */
const maxSplits = 10;

/** Undefined where the collection has no address that a path can name. */
export function objectAddress({
  url,
  prettyUrl,
}: Pick<CollectionConfig, "url" | "prettyUrl">): ObjectAddress | undefined {
  if (!/^\/(?![/\\])[^?#\\]*$/.test(url) || (!url.includes("{") && !prettyUrl)) return undefined;
  const segments = segmentsIn(url);
  if (!segments.flat().some(isId)) segments.push([{ name: "id" }]);
  const at = segments.findIndex((segment) => segment.some(isId));
  const segment = segments[at] as Segment;
  return {
    pattern: { segments: segments.map(asOne) },
    idsIn: (params) => idsIn(segment, params[segment.length > 1 ? nameOf(segment) : "id"] ?? ""),
  };
}

function isId(part: Part): boolean {
  return typeof part !== "string" && part.name === "id";
}

function segmentsIn(url: string): Segment[] {
  const segments: Part[][] = [[]];
  for (const part of urlParts(url)) {
    if (typeof part !== "string") segments.at(-1)?.push({ name: part.property });
    else {
      const [first, ...more] = part.split("/");
      if (first) segments.at(-1)?.push(first);
      segments.push(...more.map((text) => (text === "" ? [] : [text])));
    }
  }
  return segments.filter((segment) => segment.length > 0);
}

/** Several placeholders of one segment are matched as one; the text between them stays with it. */
function asOne(segment: Segment): Segment {
  const first = segment.findIndex((part) => typeof part !== "string");
  const last = segment.findLastIndex((part) => typeof part !== "string");
  if (first === last) return segment;
  return [...segment.slice(0, first), { name: nameOf(segment) }, ...segment.slice(last + 1)];
}

function nameOf(segment: Segment): string {
  const names = segment.flatMap((part) => (typeof part === "string" ? [] : [part.name]));
  return names.join(" ");
}

function idsIn(segment: Segment, value: string): string[] {
  const inner = segment.slice(
    segment.findIndex((part) => typeof part !== "string"),
    segment.findLastIndex((part) => typeof part !== "string") + 1,
  );
  if (inner.length === 1) return [value];
  const isLast = isId(inner.at(-1) as Part);
  const beside = isLast ? inner.at(-2) : inner[1];
  // Without text between them nothing tells where the id begins.
  if (typeof beside !== "string" || (!isLast && !isId(inner[0] as Part))) return [];
  const ids: string[] = [];
  for (let at = value.indexOf(beside); at >= 0 && ids.length < maxSplits; at = value.indexOf(beside, at + 1)) {
    ids.push(isLast ? value.slice(at + beside.length) : value.slice(0, at));
  }
  return ids.filter((id) => id !== "");
}
