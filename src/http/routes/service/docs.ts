// The OpenAPI document, the reference page made from it, and the types of all collections: made once for each state of the site.

import type { FastifyInstance } from "fastify";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { markOwnPage } from "#http/admin/admin-host.ts";
import { sessionCookie } from "#http/cookies.ts";
import { jsonType } from "#http/media-types.ts";
import { docsPage } from "#http/pages/docs-page.ts";
import { writePage } from "#http/pages/pages.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { buildOpenApi } from "#openapi/document.ts";
import { type DocumentedRoute, described } from "#openapi/route-doc.ts";
import { writeTypes } from "#openapi/write-types.ts";
import { type DocumentMaker, sendDocument } from "./kept-documents.ts";

export function docsRoutes(server: FastifyInstance, door: HttpParts, routes: readonly DocumentedRoute[]): void {
  const build = (ctx: Context): Promise<JsonObject> =>
    buildOpenApi(ctx, routes, { baseUrl: door.baseUrl(), sessionCookie });
  const openApi: DocumentMaker = {
    name: "openapi",
    make: async (ctx) => ({ text: JSON.stringify(await build(ctx)), headers: { "content-type": jsonType } }),
  };
  const reference: DocumentMaker = { name: "docs", make: async (ctx) => writePage(docsPage(await build(ctx))) };
  const types: DocumentMaker = {
    name: "types",
    make: async (ctx) => ({
      text: await writeTypes(ctx),
      headers: { "content-type": "text/plain; charset=utf-8" },
    }),
  };
  const typesDoc = described({
    tag: "Schemas",
    summary: "TypeScript types of the collections that you may read",
    answerTypes: { "text/plain": { type: "string" } },
    isTagged: true,
  });
  server.get("/openapi.json", (request, reply) => sendDocument(request, reply, openApi));
  server.get("/types.d.ts", typesDoc, (request, reply) => sendDocument(request, reply, types));
  server.get("/docs", (request, reply) => {
    markOwnPage(reply);
    return sendDocument(request, reply, reference);
  });
}
