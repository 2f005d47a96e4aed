// Headers of paged answers: the total, the next cursor, and links to the pages around this one.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { PagePosition } from "#content/query/lists.ts";
import { pathOf } from "#http/errors.ts";
import { writeQuery } from "#http/query-string.ts";
import { type HttpParts, queryOf } from "#http/request-helpers.ts";

/** Each link repeats the whole query, and clients refuse headers that are too long. */
const maxLinkLength = 8_192;

export function setPageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PagePosition,
  door: HttpParts,
): void {
  reply.header("x-total-count", String(page.total));
  const link = links(request, page, door);
  if (link.length <= maxLinkLength) reply.header("link", link);
  if (page.nextCursor !== undefined) reply.header("x-next-cursor", page.nextCursor);
  if (page.search !== undefined) reply.header("x-search", page.search);
}

function links(request: FastifyRequest, { total, limit, offset, nextCursor }: PagePosition, door: HttpParts): string {
  const address = door.baseUrl() + pathOf(request);
  const query = queryOf(request);
  // A link never contains the key; offset and cursor exclude each other.
  const kept = writeQuery(query, { limit: String(limit), offset: undefined, cursor: undefined, api_key: undefined });
  const link = (rel: string, name: "offset" | "cursor", value: string | number) =>
    `<${address}?${kept}&${name}=${encodeURIComponent(value)}>; rel="${rel}"`;
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const found = [link("first", "offset", 0)];
  if (query.cursor !== undefined) {
    if (nextCursor !== undefined) found.push(link("next", "cursor", nextCursor));
  } else {
    if (offset > 0) found.push(link("prev", "offset", Math.max(0, Math.min(offset - limit, last))));
    if (offset + limit < total) found.push(link("next", "offset", offset + limit));
  }
  found.push(link("last", "offset", last));
  return found.join(", ");
}
