// What a framed element may ask of the server: the routes of its own extension, and objects of declared collections. Pure.

import type { Operation } from "@contract/collections.ts";
import type { ElementPart } from "./part.ts";

/** Parts of a collection that are no objects. */
const notObjects = new Set(["settings", "schema", "index"]);
/** In no answer, whatever the manifest asks for. */
const closed = new Set(["auth", "automations"]);
const operations: Record<string, Operation> = {
  ...{ GET: "read", POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" },
};

/** The address to ask, or undefined where the frame may not. */
export function framePath(
  { extension, collections }: Pick<ElementPart, "extension" | "collections">,
  path: string,
  method: string,
): string | undefined {
  const origin = "http://cairn.invalid";
  const url = URL.parse(path, origin);
  // An encoded slash could be another path for the server than for this check.
  if (!url || url.origin !== origin || /%2f|%5c|\\/i.test(url.pathname)) return undefined;
  const address = `${url.pathname}${url.search}`;
  if (url.pathname.startsWith(`/api/ext/${extension}/`)) return address;
  const [, api, kind, collection = "", id, ...more] = url.pathname.split("/").map(decoded);
  const operation = operations[method.toUpperCase()];
  if (api !== "api" || kind !== "collections" || operation === undefined || more.length > 0) return undefined;
  if (collection === "" || closed.has(collection) || notObjects.has(id ?? "")) return undefined;
  const granted = collections[collection] ?? collections["*"] ?? [];
  return granted.includes(operation) ? address : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
