// Headers that every answer carries. The defaults fit the API; pages and public files set their own over them.

import type { FastifyReply, FastifyRequest } from "fastify";

export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  // Images are for search engines as well.
  if (!request.raw.url?.startsWith("/imageworks/")) reply.header("x-robots-tag", "noindex, nofollow");
  reply.header("cache-control", "no-store");
}
