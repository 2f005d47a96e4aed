// The OpenAPI document, the reference page made from it, and the types of all collections.

import type { FastifyInstance } from "fastify";
import type { Context } from "#context.ts";
import { sessionCookie } from "#http/cookies.ts";
import { docsPage } from "#http/pages/docs-page.ts";
import { sendPage } from "#http/pages/pages.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { buildOpenApi } from "#openapi/document.ts";
import { type DocumentedRoute, described } from "#openapi/route-doc.ts";
import { writeTypes } from "#openapi/write-types.ts";

export function docsRoutes(server: FastifyInstance, door: HttpParts, routes: readonly DocumentedRoute[]): void {
  const document = (ctx: Context) => buildOpenApi(ctx, routes, { baseUrl: door.baseUrl(), sessionCookie });
  server.get("/openapi.json", async (request, reply) => sendJson(reply, await document(request.ctx)));
  const types = described({
    tag: "Schemas",
    summary: "TypeScript types of the collections that you may read",
    answerTypes: { "text/plain": { type: "string" } },
  });
  server.get("/types.d.ts", types, async (request, reply) =>
    reply.header("content-type", "text/plain; charset=utf-8").send(await writeTypes(request.ctx)),
  );
  server.get("/docs", async (request, reply) => sendPage(reply, docsPage(await document(request.ctx))));
}
