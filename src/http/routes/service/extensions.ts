// Extensions of the service: an empty list, and nothing below it. For the admin persona.

import type { FastifyInstance } from "fastify";
import { sendData } from "#http/send.ts";
import { findNoExtension, listExtensions } from "#installation/extensions.ts";
import { described, listOf, wrapped } from "#openapi/route-doc.ts";

const operations = { GET: "read", POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" } as const;

export function extensionRoutes(server: FastifyInstance): void {
  const list = described({
    tag: "Extensions",
    summary: "List extensions",
    description: "This version has none.",
    answer: wrapped(listOf({ type: "object" })),
  });
  server.get("", list, async (request, reply) => sendData(reply, listExtensions(request.ctx)));
  for (const [method, operation] of Object.entries(operations)) {
    server.route<{ Params: { "*": string } }>({
      method,
      url: "/*",
      handler: (request) => findNoExtension(request.ctx, operation, request.params["*"]),
    });
  }
}
