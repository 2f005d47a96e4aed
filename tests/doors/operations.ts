// The operations of the document as doors: every one that reads, with the parameters of parameters.ts.

import type { Door } from "./door.ts";
import { fixedQuery, pictureAt, queriesFor, type Values, valuesFor } from "./parameters.ts";
import type { Site } from "./site.ts";

interface Parameter {
  name: string;
  in: string;
}
type Operations = Record<string, { operationId: string; parameters?: Parameter[] }>;
export interface Document {
  paths: Record<string, Operations>;
}
export interface Operation {
  /** `GET /api/collections/{collection}` */
  name: string;
  method: string;
  path: string;
  query: string[];
}

/** The document describes some routes once more for each collection: these are the same operations. */
export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const isTyped = /^\/api\/collections\/[^{]/.test(path);
    if (isTyped) return [];
    return Object.entries(methods).map(([method, { parameters = [] }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    }));
  });
}

/** They are followed, not read: streams.ts and agents.ts. */
const followed = ["GET /api/changes/stream", "GET /mcp"];

export function readsOf(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ method, name }) => method === "GET" && !followed.includes(name));
}

/** Only these are asked with each query parameter; of the others a collection shows nothing that these do not. */
const thorough = new Set(["notes", "vault"]);

/** The requests of one operation; a text says which parameter nothing is known of. */
export function doorsOf(site: Site, { name, path, query }: Operation): Door[] | string {
  const all = valuesFor(site, path);
  const missing = all?.flatMap((values) => namesIn(path).filter((one) => values[one] === undefined));
  if (!all || missing?.length) return `${name}: no value for ${missing?.[0] ?? "its path"}`;
  const variants: string[] = [""];
  for (const parameter of query) {
    const values = queriesFor(site, name, parameter);
    if (!values) return `${name}: nothing to try for the query parameter ${parameter}`;
    variants.push(...values.map((value) => `${parameter}=${encodeURIComponent(value)}`));
  }
  return all.flatMap((values) => {
    const { collection } = values;
    const chosen = collection === undefined || thorough.has(collection) ? variants : [""];
    const fixed = fill(fixedQuery(name), values);
    return chosen.map((variant): Door => {
      const kept = fixed.split("&").filter((part) => part !== "" && part.split("=")[0] !== variant.split("=")[0]);
      const asked = [...kept, variant].filter(Boolean).join("&");
      const to = fill(path, values) + (asked && `?${asked}`);
      const shows = pictureAt(site, to);
      return { operation: name, method: "GET", path: to, isVariant: variant !== "", ...(shows && { shows }) };
    });
  });
}

export const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
