// The OpenAPI document and the reference page made from it, and the extensions, which have nothing else to show yet.

import type { FastifyInstance } from "fastify";
import { sendJson } from "#http/answers.ts";
import { docsPage } from "#http/docs-page.ts";
import type { Door } from "#http/door.ts";
import { buildOpenApi, type DocumentedRoute } from "#http/openapi.ts";
import { sendPage } from "#http/pages.ts";

export function docsRoutes(server: FastifyInstance, door: Door, routes: readonly DocumentedRoute[]): void {
  server.get("/openapi.json", async (request, reply) =>
    sendJson(reply, await buildOpenApi(request.ctx, routes, door.baseUrl())),
  );
  server.get("/docs", async (request, reply) =>
    sendPage(reply, docsPage(await buildOpenApi(request.ctx, routes, door.baseUrl()))),
  );
}
