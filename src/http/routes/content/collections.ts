// Collections: the list, creation and deletion, the settings record, the schema.

import type { FastifyInstance } from "fastify";
import { unusedSettings } from "#content/collections/collection-settings.ts";
import {
  createCollection,
  getSettings,
  listCollections,
  patchSettings,
  replaceSettings,
} from "#content/collections/collections.ts";
import { deleteCollection } from "#content/collections/delete-collection.ts";
import { getCollectionSchema } from "#content/collections/schemas.ts";
import { type SettingsAnswer, settingsTag } from "#content/collections/settings-tag.ts";
import { findText } from "#content/query/parameters.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { nameUnused } from "#http/hooks/name-ignored.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { bodyOf, type HttpParts, ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendFresh, sendObject, type Tagged, tagged, wrapInData } from "#http/send.ts";
import { described, flag, listOf, rawForm, ref, text, wrapped } from "#openapi/route-doc.ts";
import { purging } from "./objects.ts";

const tag = "Collections";
const settings = ref("CollectionSettings");

export function collectionRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/",
    localRead(described({ tag, summary: "List collections", answer: wrapped(listOf(ref("Collection"))) })),
    async (request, reply) => sendData(reply, await listCollections(request.ctx)),
  );
  server.post(
    "/",
    described({ tag, summary: "Create a collection", body: settings, status: 201, answer: wrapped(settings) }),
    async (request, reply) => {
      const made = await createCollection(request.ctx, bodyOf(request));
      nameUnused(reply, unusedSettings(bodyOf(request)));
      reply.code(201).header("location", `${door.baseUrl()}/api/collections/${made.id}/settings`);
      return sendObject(reply, withTag(made));
    },
  );
  server.delete<{ Params: CollectionPath }>(
    "/:collection",
    described({
      tag,
      summary: "Delete a collection with its objects",
      query: {
        confirm: text("The collection's id; required when it has objects."),
        purge: flag("`true`: the trash keeps nothing of it."),
      },
      isConditional: true,
      status: 204,
    }),
    async (request, reply) => {
      const options = { confirm: findText(parametersOf(request), "confirm"), ifMatch: ifMatchOf(request) };
      await deleteCollection(purging(request), request.params.collection, options);
      return reply.code(204).send();
    },
  );

  server.get<{ Params: CollectionPath }>(
    "/:collection/settings",
    localRead(described({ tag, summary: "Get a collection's settings", isTagged: true, answer: wrapped(settings) })),
    async (request, reply) =>
      sendFresh(request, reply, wrapInData(withTag(await getSettings(request.ctx, request.params.collection)))),
  );
  for (const [method, change, summary] of [
    ["PUT", replaceSettings, "Replace a collection's settings"],
    ["PATCH", patchSettings, "Change some of a collection's settings"],
  ] as const) {
    server.route<{ Params: CollectionPath }>({
      method,
      url: "/:collection/settings",
      ...described({ tag, summary, body: settings, isConditional: true, answer: wrapped(settings) }),
      handler: async (request, reply) => {
        const options = { ifMatch: ifMatchOf(request) };
        const saved = await change(request.ctx, request.params.collection, bodyOf(request), options);
        nameUnused(reply, unusedSettings(bodyOf(request)));
        return sendObject(reply, withTag(saved));
      },
    });
  }

  server.get<{ Params: CollectionPath }>(
    "/:collection/schema",
    localRead(
      described({
        tag,
        summary: "Get a collection's schema",
        query: { raw: rawForm },
        isTagged: true,
        answer: ref("Schema"),
      }),
    ),
    async (request, reply) => {
      const raw = parametersOf(request).raw === "true";
      return sendFresh(
        request,
        reply,
        tagged(await getCollectionSchema(request.ctx, request.params.collection, { raw })),
      );
    },
  );
}

function withTag(record: SettingsAnswer): Tagged {
  return tagged(record, settingsTag(record));
}
