// Routes of extensions, below /api/ext/{vendor}/{name}/. The manifest says who may call each; this door asks it first.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { answerRoute, findRoute } from "#extensions/routes.ts";
import { addressOf, type HttpParts } from "#http/request-helpers.ts";

interface Address {
  Params: { vendor: string; name: string; "*": string };
}

const timeoutMs = 30_000;

export function extensionCallRoutes(server: FastifyInstance, { baseUrl }: HttpParts): void {
  const answer = async (request: FastifyRequest<Address>, reply: FastifyReply) => {
    const { ctx, method, headers } = request;
    const { vendor, name, "*": rest } = request.params;
    const asked = { extension: `${vendor}/${name}`, method, path: `/${rest}` };
    const { match, methods } = await findRoute(ctx, asked);
    if (!match && methods.length > 0) {
      reply.header("allow", [...new Set(methods)].sort().join(", "));
      fail("method-not-allowed");
    }
    const sent = await answerRoute(ctx, match ?? fail("not-found"), {
      ...asked,
      query: request.query as Record<string, string | string[]>,
      headers,
      body: request.body ?? null,
      address: addressOf(request),
      baseUrl: baseUrl(),
      timeoutMs,
    });
    return reply.status(sent.status).headers(sent.headers).send(sent.body);
  };
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    server.route<Address>({ method, url: "/:vendor/:name/*", handler: answer });
}
