// Endpoints of keys by the names that people know them by. Pure.

import type { AdminCollection } from "@contract/admin.ts";
import type { ApiKey } from "@contract/keys.ts";

export type Named = Record<string, string>;

/** In the order in which they are offered, those of single collections apart. */
export function generalEndpoints(named: Named): { value: string; label: string }[] {
  return Object.entries(named).map(([value, label]) => ({ value, label }));
}

export function collectionEndpoints(collections: readonly AdminCollection[]): { value: string; label: string }[] {
  return collections.map(({ id, name }) => ({ value: `/collections/${id}`, label: name }));
}

/** One that is made elsewhere may have no name: it is shown as it is. */
export function endpointName(endpoint: string, named: Named, collections: readonly AdminCollection[]): string {
  const known = named[endpoint];
  if (known !== undefined) return known;
  const [, id = ""] = /^\/collections\/([^/]+)$/.exec(endpoint) ?? [];
  return collections.find((collection) => collection.id === id)?.name ?? endpoint;
}

/** Where a first request goes, by endpoint; others are paths themselves. */
const samples: Record<string, string> = {
  "*": "/api/collections",
  "/automations": "/automations/ID",
  "/mcp": "/mcp",
  "/sync": "/api/sync/export",
  "/dataviews": "/api/collections/dataviews",
  "/report": "/api/report/collections/ID/json",
};

/** A request that the key may send, to try it with. */
export function curlLine(
  { methods, endpoints, key }: Pick<ApiKey, "methods" | "endpoints"> & { key: string },
  site: string,
): string {
  const isPosted = (endpoint: string) => ["/automations", "/mcp", "/import/jumpstart"].includes(endpoint);
  const endpoint = endpoints.find((one) => methods.includes(isPosted(one) ? "POST" : "GET")) ?? endpoints[0] ?? "*";
  const takesPost = isPosted(endpoint);
  const method = methods.find((one) => one === (takesPost ? "POST" : "GET")) ?? methods[0] ?? "GET";
  const address = site.replace(/\/$/, "") + (samples[endpoint] ?? `/api${endpoint}`);
  return `curl ${method === "GET" ? "" : `-X ${method} `}-H "X-API-Key: ${key}" ${address}`;
}
