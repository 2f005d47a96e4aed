// The OpenAPI document, the reference page made from it, and the list of extensions.

import type { FastifyInstance } from "fastify";
import { docsPage } from "#http/openapi/docs-page.ts";
import { buildOpenApi, type DocumentedRoute } from "#http/openapi/openapi.ts";
import { sendPage } from "#http/pages/pages.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";

export function docsRoutes(server: FastifyInstance, door: HttpParts, routes: readonly DocumentedRoute[]): void {
  server.get("/openapi.json", async (request, reply) =>
    sendJson(reply, await buildOpenApi(request.ctx, routes, door.baseUrl())),
  );
  server.get("/docs", async (request, reply) =>
    sendPage(reply, docsPage(await buildOpenApi(request.ctx, routes, door.baseUrl()))),
  );
}
