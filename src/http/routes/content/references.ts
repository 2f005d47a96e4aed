// What points to an object.

import type { FastifyInstance } from "fastify";
import { listReferences } from "#content/relations/references.ts";
import { referenceLimit } from "#contract/relations.ts";
import { parametersOf } from "#http/parameters.ts";
import type { ObjectPath } from "#http/request.ts";
import { sendJson } from "#http/send.ts";
import { described, listOf, text, whole } from "#openapi/route-doc.ts";

export function referenceRoutes(server: FastifyInstance): void {
  const doc = described({
    tag: "Objects",
    summary: "List the objects that point to an object",
    description: "By the relations of the collections that you may read, in order of collection, id and property.",
    query: {
      limit: whole(`References in a page; values above ${referenceLimit.max} count as ${referenceLimit.max}.`, {
        minimum: 1,
        default: referenceLimit.default,
      }),
      cursor: text("Where to continue, from `meta.cursor` of the last page."),
    },
    answer: {
      type: "object",
      properties: {
        data: listOf({
          type: "object",
          properties: {
            collection: text("Of the object that points here."),
            id: text("Its id."),
            property: text("The relation, dotted through cards and decks."),
          },
          required: ["collection", "id", "property"],
        }),
        meta: {
          type: "object",
          properties: {
            cursor: text("Where the next page begins; absent on the last."),
            indexing: {
              ...listOf({ type: "string" }),
              description: "Collections whose references are still being indexed: some of theirs may be missing.",
            },
          },
        },
      },
      required: ["data", "meta"],
    },
  });
  server.get<{ Params: ObjectPath }>("/:collection/:id/references", doc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendJson(reply, await listReferences(request.ctx, collection, id, parametersOf(request)));
  });
}
