// One slash at the end of a service's address makes no difference: it is dropped before anything reads the address, so
// that the router and every check by path see the same one. Where standards require exact addresses, nothing is changed; nor is
// it for writes: a client that lost the name after the slash would replace or delete more than it meant to.

import type { IncomingMessage } from "node:http";

const tolerant = /^\/(?:api|collections|download|stream|imageworks|automations)\//;
const replacing = new Set(["PUT", "PATCH", "DELETE"]);
/** There the amount is missing. */
const unfinished = /^\/(?:api\/(?:collections|objects)|collections)(?:\/[^/]+){3}\/(?:in|de)crement\/$/;

export function dropTrailingSlash({ method = "", url = "/" }: Pick<IncomingMessage, "method" | "url">): string {
  if ((!url.endsWith("/") && !url.includes("/?")) || replacing.has(method)) return url;
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (!/[^/]\/$/.test(path) || !tolerant.test(path) || unfinished.test(path)) return url;
  return path.slice(0, -1) + url.slice(path.length);
}
