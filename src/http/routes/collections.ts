// Collections: the list, creation and deletion, the settings record, the schema.

import type { FastifyInstance } from "fastify";
import {
  createCollection,
  deleteCollection,
  getSettings,
  listCollections,
  patchSettings,
  replaceSettings,
} from "#content/collections.ts";
import { findText } from "#content/query/parameters.ts";
import { getCollectionSchema } from "#content/schemas.ts";
import { sendData, sendJson } from "#http/answers.ts";
import { bodyOf, type Door, queryOf } from "#http/door.ts";
import type { CollectionPath } from "#http/request.ts";
import { described, listOf, ref, text, wrapped } from "#http/route-doc.ts";

const tag = "Collections";
const settings = ref("CollectionSettings");

export function collectionRoutes(server: FastifyInstance, door: Door): void {
  server.get(
    "/",
    described({ tag, summary: "List collections", answer: wrapped(listOf(ref("Collection"))) }),
    async (request, reply) => sendData(reply, await listCollections(request.ctx)),
  );
  server.post(
    "/",
    described({ tag, summary: "Create a collection", body: settings, status: 201, answer: wrapped(settings) }),
    async (request, reply) => {
      const made = await createCollection(request.ctx, bodyOf(request));
      reply.code(201).header("location", `${door.baseUrl()}/api/collections/${made.id}/settings`);
      return sendData(reply, made);
    },
  );
  server.delete<{ Params: CollectionPath }>(
    "/:collection",
    described({
      tag,
      summary: "Delete a collection with its objects",
      query: { confirm: text("The collection's id; needed when it holds objects.") },
      status: 204,
    }),
    async (request, reply) => {
      await deleteCollection(request.ctx, request.params.collection, findText(queryOf(request), "confirm"));
      return reply.code(204).send();
    },
  );

  server.get<{ Params: CollectionPath }>(
    "/:collection/settings",
    described({ tag, summary: "Get a collection's settings", answer: wrapped(settings) }),
    async (request, reply) => sendData(reply, await getSettings(request.ctx, request.params.collection)),
  );
  server.put<{ Params: CollectionPath }>(
    "/:collection/settings",
    described({ tag, summary: "Replace a collection's settings", body: settings, answer: wrapped(settings) }),
    async (request, reply) =>
      sendData(reply, await replaceSettings(request.ctx, request.params.collection, bodyOf(request))),
  );
  server.patch<{ Params: CollectionPath }>(
    "/:collection/settings",
    described({ tag, summary: "Change some of a collection's settings", body: settings, answer: wrapped(settings) }),
    async (request, reply) =>
      sendData(reply, await patchSettings(request.ctx, request.params.collection, bodyOf(request))),
  );

  server.get<{ Params: CollectionPath }>(
    "/:collection/schema",
    described({
      tag,
      summary: "Get a collection's schema",
      query: { raw: text("`true`: as stored, without what it inherits.", { enum: ["true", "false"] }) },
      answer: ref("Schema"),
    }),
    async (request, reply) => {
      const raw = queryOf(request).raw === "true";
      return sendJson(reply, await getCollectionSchema(request.ctx, request.params.collection, { raw }));
    },
  );
}
