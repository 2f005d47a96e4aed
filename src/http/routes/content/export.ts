// Exports: whole collections, single decks and schemas as files.

import type { FastifyInstance } from "fastify";
import { exportDemo } from "#admin/starters/install-starter.ts";
import { exportSchema } from "#content/collections/schemas.ts";
import { csvType, jsonType } from "#http/media-types.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath, PropertyPath } from "#http/request.ts";
import { asAttachment, sendChunks } from "#http/send.ts";
import { described, filtering, listOf, ref, selecting, text } from "#openapi/route-doc.ts";
import { exportJumpstart, readChoice } from "#sync/jumpstart/jumpstart-export.ts";
import { exportCsv, exportDeck, exportJson } from "#transfer/export.ts";

const tag = "Import and export";
const answers = {
  json: { "application/json": listOf({ type: "object" }) },
  csv: { "text/csv": { type: "string" } },
};

export function exportRoutes(server: FastifyInstance): void {
  for (const [path, format, make, type] of [
    ["", "json", exportJson, jsonType],
    ["/json", "json", exportJson, jsonType],
    ["/csv", "csv", exportCsv, csvType],
  ] as const) {
    server.get<{ Params: CollectionPath }>(
      `/collections/:collection${path}`,
      described({
        tag,
        summary: `Export a collection as ${format.toUpperCase()}`,
        query: { ...filtering, search: selecting.search, filter: selecting.filter },
        answerTypes: answers[format],
      }),
      async (request, reply) => {
        const { collection } = request.params;
        const chunks = await make(request.ctx, collection, { params: parametersOf(request) });
        return sendChunks(asAttachment(reply, type, `collection-${collection}.${format}`), chunks);
      },
    );
  }

  for (const [path, format, type] of [
    ["/deck", "json", jsonType],
    ["/deck/json", "json", jsonType],
    ["/deck/csv", "csv", csvType],
  ] as const) {
    server.get<{ Params: PropertyPath }>(
      `/collections/:collection/:id/:property${path}`,
      described({ tag, summary: `Export a deck as ${format.toUpperCase()}`, answerTypes: answers[format] }),
      async (request, reply) => {
        const { collection, id, property } = request.params;
        const content = await exportDeck(request.ctx, request.params, format);
        return asAttachment(reply, type, `deck-${collection}-${id}-${property}.${format}`).send(content);
      },
    );
  }

  server.get(
    "/jumpstart",
    described({
      tag,
      summary: "Export the site as a jumpstart definition",
      description: "Contains what the caller may read, without passwords, users and uploaded files.",
      query: {
        name: text("Name of the definition."),
        description: text("Description of the definition."),
        schemas: text("Comma list of ids; all when left out, none when empty."),
        collections: text("Comma list of ids; all when left out, none when empty."),
        objects: text("`false`: without objects.", { enum: ["true", "false"] }),
        templates: text("`false`: without templates.", { enum: ["true", "false"] }),
      },
      answer: ref("JumpstartDefinition"),
    }),
    async (request, reply) => {
      const { fileName, text: chunks } = await exportJumpstart(request.ctx, readChoice(parametersOf(request)));
      return sendChunks(asAttachment(reply, jsonType, fileName), chunks);
    },
  );
  server.get(
    "/jumpstart/demo",
    described({ tag, summary: "The definition that ships with the service", answer: ref("JumpstartDefinition") }),
    async (request, reply) => asAttachment(reply, jsonType, "jumpstart-demo.json").send(await exportDemo(request.ctx)),
  );

  server.get<{ Params: { id: string } }>(
    "/schemas/:id",
    described({ tag, summary: "Export a schema", answer: ref("Schema") }),
    async (request, reply) => {
      const { id } = request.params;
      const schema = await exportSchema(request.ctx, id);
      return asAttachment(reply, jsonType, `schema-${schema.id}.json`).send(`${JSON.stringify(schema, null, 2)}\n`);
    },
  );
}
