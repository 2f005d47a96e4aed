// What a form offers to choose from.

import type { FastifyInstance } from "fastify";
import { listOptions, optionLimit } from "#admin/options.ts";
import { optionSources } from "#contract/admin.ts";
import { parametersOf } from "#http/parameters.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, text, whole, wrapped } from "#openapi/route-doc.ts";

export function optionRoutes(server: FastifyInstance): void {
  const doc = described({
    tag: "Admin",
    summary: "List what can be chosen from a source",
    description: `Sources: ${optionSources.join(", ")}. Each takes the right to read its things. \`values\` are the different values of an indexed property, the most frequent first.`,
    query: {
      collection: text("Of `values`: the collection."),
      property: text("Of `values`: the property; of a list its elements are the values."),
      search: text("Only options that contain this text."),
      limit: whole(`Options in the answer; values above ${optionLimit.max} count as ${optionLimit.max}.`, {
        minimum: 1,
        default: optionLimit.default,
      }),
    },
    answer: wrapped(
      listOf({
        type: "object",
        properties: {
          value: text("What is stored."),
          label: text("What is shown."),
          count: whole("Objects that have it."),
        },
        required: ["value", "label"],
      }),
    ),
  });
  server.get<{ Params: { source: string } }>("/:source", doc, async (request, reply) =>
    sendData(reply, await listOptions(request.ctx, request.params.source, parametersOf(request))),
  );
}
