// Headers that every answer carries. The defaults fit the API; pages and public files set their own over them.

import type { onRequestHookHandler } from "fastify";

export const setHeaders: onRequestHookHandler = (request, reply, done) => {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  reply.header("x-robots-tag", "noindex, nofollow");
  reply.header("cache-control", "no-store");
  done();
};
