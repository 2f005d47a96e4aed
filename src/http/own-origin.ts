// Where a browser says that a request comes from. Clients that are no browser say nothing, and count as ours.

import type { FastifyRequest } from "fastify";
import type { HttpParts } from "./request-helpers.ts";

export function isFromHere(
  { headers, host, protocol }: FastifyRequest,
  { baseUrl }: Pick<HttpParts, "baseUrl">,
): boolean {
  const { "sec-fetch-site": site, origin } = headers;
  const isOwn = origin === undefined || origin === `${protocol}://${host}` || origin === URL.parse(baseUrl())?.origin;
  return isOwn && (site === undefined || site === "same-origin" || site === "none");
}
