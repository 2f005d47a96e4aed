// What the caches hold, and clearing them: everything, one kind, derived images of one collection.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { checkText, type Params } from "#content/query/parameters.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { sendData, sendJson } from "#http/send.ts";
import { clearCache, clearCaches, getCacheReport } from "#installation/caches.ts";
import { clearAllImages, clearCollectionImages } from "#media/images/derived-images.ts";
import { described, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

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
        "Each kind of cache in all processes: entries, bytes, and hits, misses and evictions since the start. Other processes report their " +
        "numbers every 10 seconds. Image files are counted in the background: while `images.isCounting` is true, their number may grow.",
      answer: wrapped(ref("CacheReport")),
    }),
    async (request, reply) => sendData(reply, await getCacheReport(request.ctx)),
  );

  for (const [method, url] of [
    ["DELETE", ""],
    ["POST", "/clear"],
  ] as const) {
    server.route({
      method,
      url,
      ...described({
        tag,
        summary: "Clear all caches",
        description:
          "Every process feels it before its next answer. What was cleared is made again when it is asked for.",
        answer: {
          type: "object",
          properties: {
            deleted: whole("Number of removed images."),
            cleared: {
              type: "object",
              description: "Number of entries by kind.",
              additionalProperties: { type: "integer" },
            },
          },
        },
      }),
      handler: async (request, reply) => sendJson(reply, await clearCaches(request.ctx)),
    });
  }

  server.delete(
    "/images/all",
    described({ tag, summary: "Clear all derived images", answer }),
    async (request, reply) => sendJson(reply, { deleted: await clearAllImages(request.ctx) }),
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

  server.delete<{ Params: { name: string } }>(
    "/:name",
    described({
      tag,
      summary: "Clear one cache",
      description:
        "By the name that `GET /api/cache` gives. Every process feels it before its next answer. `verdicts` is cleared only together with " +
        "everything else.",
      query: {
        path: text("With `pages`: the path of a page, or with `*` at its end, of all pages below."),
        tag: text("With `pages`: a name of `Cache-Tag`, such as `c:blog`: pages that have read it."),
      },
      answer: {
        type: "object",
        properties: {
          deleted: whole("Number of removed entries; with `path` or `tag`, of the process that answers."),
        },
      },
    }),
    async (request, reply) => {
      const query = parametersOf(request);
      const selection = { path: textIn(query, "path"), tag: textIn(query, "tag") };
      return sendJson(reply, { deleted: await clearCache(request.ctx, request.params.name, selection) });
    },
  );
}

function textIn(query: Params, name: string): string | undefined {
  return query[name] === undefined ? undefined : checkText(name, query[name]);
}

function collectionIn(request: FastifyRequest): unknown {
  const body = request.body as Json | undefined;
  return isJsonObject(body) ? body.collection : parametersOf(request).collection;
}
