// What the caches hold: derived images, and pages. Clears them; images of one collection, too.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { isJsonObject, type Json } from "#contract/json.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { sendData, sendJson } from "#http/send.ts";
import { clearAllImages, clearCollectionImages, getCacheReport } from "#media/images/derived-images.ts";
import { described, ref, text, whole, wrapped } from "#openapi/route-doc.ts";
import { clearKeptPages, clearPages, measurePages } from "#site/cache/page-report.ts";

const tag = "Cache";
const answer = {
  type: "object",
  properties: { deleted: whole("Number of removed images."), collection: text("Their collection.") },
};

export function cacheRoutes(server: FastifyInstance): void {
  server.get(
    "",
    described({
      tag,
      summary: "Get what the caches hold",
      description:
        "Entries, bytes and hits of derived images on disk and in memory, and of pages in memory. Memory and hits are those of the process that " +
        "answers, since its start. Files are counted in the background: while `isCounting` is true, their number may grow.",
      answer: wrapped(ref("CacheReport")),
    }),
    async (request, reply) => {
      const { kinds, isCounting } = await getCacheReport(request.ctx);
      return sendData(reply, { kinds: [...kinds, measurePages(request.ctx)], isCounting });
    },
  );

  for (const [method, url] of [
    ["DELETE", ""],
    ["POST", "/clear"],
    ["DELETE", "/images/all"],
  ] as const) {
    server.route({
      method,
      url,
      ...described({ tag, summary: "Clear all caches", answer }),
      handler: async (request, reply) => {
        const deleted = await clearAllImages(request.ctx);
        if (url !== "/images/all") clearPages(request.ctx);
        return sendJson(reply, { deleted });
      },
    });
  }

  server.delete(
    "/pages",
    described({
      tag,
      summary: "Clear the kept pages",
      description: "Those of the process that answers. They are rendered again when somebody asks for them.",
      answer: { type: "object", properties: { deleted: whole("Number of removed pages.") } },
    }),
    async (request, reply) => sendJson(reply, { deleted: clearKeptPages(request.ctx) }),
  );

  server.delete(
    "/images",
    described({
      tag,
      summary: "Clear the derived images of the collection in the body",
      description: "Clients that cannot send a body with DELETE name the collection by the parameter.",
      query: { collection: text("Id of the collection.") },
      body: { type: "object", properties: { collection: text("Id of the collection.") } },
      isBodyOptional: true,
      answer,
    }),
    async (request, reply) => sendJson(reply, await clearCollectionImages(request.ctx, collectionIn(request))),
  );

  server.delete<{ Params: CollectionPath }>(
    "/collections/:collection/images",
    described({ tag, summary: "Clear the derived images of a collection", answer }),
    async (request, reply) => sendJson(reply, await clearCollectionImages(request.ctx, request.params.collection)),
  );
}

function collectionIn(request: FastifyRequest): unknown {
  const body = request.body as Json | undefined;
  return isJsonObject(body) ? body.collection : parametersOf(request).collection;
}
