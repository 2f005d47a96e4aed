// Routes of extensions, below /api/ext/{vendor}/{name}/. The manifest says who may call each; this door asks it first.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerRoute } from "#extensions/routes.ts";
import type { HttpParts } from "#http/request-helpers.ts";

interface Address {
  Params: { vendor: string; name: string; "*": string };
}

const timeoutMs = 30_000;

export function extensionCallRoutes(server: FastifyInstance, _door: HttpParts): void {
  const answer = async (request: FastifyRequest<Address>, reply: FastifyReply) => {
    const { vendor, name, "*": rest } = request.params;
    const sent = await answerRoute(request.ctx, {
      extension: `${vendor}/${name}`,
      method: request.method,
      path: `/${rest}`,
      query: request.query as Record<string, string | string[]>,
      headers: {},
      body: request.body ?? null,
      timeoutMs,
    });
    return reply.status(sent.status).headers(sent.headers).send(sent.body);
  };
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    server.route<Address>({ method, url: "/:vendor/:name/*", handler: answer });
}
