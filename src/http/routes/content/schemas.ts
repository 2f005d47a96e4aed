// Schemas: list, get, create, replace, delete.

import type { FastifyInstance } from "fastify";
import { renameProperty } from "#content/collections/rename-property.ts";
import {
  createSchema,
  deleteSchema,
  getSchema,
  listSchemaDetails,
  listSchemas,
  replaceSchema,
} from "#content/collections/schemas.ts";
import { findText } from "#content/query/parameters.ts";
import { nameUnused } from "#http/hooks/name-ignored.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf, type HttpParts, ifMatchOf } from "#http/request-helpers.ts";
import { sendContent, sendJson, sendTagged, tagged } from "#http/send.ts";
import { described, listOf, rawForm, ref, text } from "#openapi/route-doc.ts";
import { unusedKeys } from "#schemas/misspelt.ts";

interface SchemaPath {
  id: string;
}

const tag = "Schemas";
const schema = ref("Schema");

export function schemaRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List schemas",
      query: {
        filter: text("Only these.", { enum: ["reserved", "custom"] }),
        details: text("true: with category, number of properties, parents and schemas that use it.", {
          enum: ["true"],
        }),
      },
      answer: { type: "object", properties: { schemas: listOf(ref("SchemaSummary")) } },
    }),
    async (request, reply) => {
      const parameters = parametersOf(request);
      const list = parameters.details === "true" ? listSchemaDetails : listSchemas;
      return sendJson(reply, { schemas: await list(request.ctx, findText(parameters, "filter")) });
    },
  );
  server.get<{ Params: SchemaPath }>(
    "/:id",
    described({
      tag,
      summary: "Get a schema",
      query: { raw: rawForm },
      isTagged: true,
      answer: schema,
    }),
    async (request, reply) => {
      const raw = parametersOf(request).raw === "true";
      return sendContent(request, reply, tagged(await getSchema(request.ctx, request.params.id, { raw })));
    },
  );
  server.post(
    "/",
    described({ tag, summary: "Create a schema", body: schema, status: 201, answer: schema }),
    async (request, reply) => {
      const made = await createSchema(request.ctx, bodyOf(request));
      nameUnused(reply, unusedKeys(bodyOf(request)));
      reply.code(201).header("location", `${door.baseUrl()}/api/schemas/${made.id}`);
      return sendTagged(reply, tagged(made));
    },
  );
  server.put<{ Params: SchemaPath }>(
    "/:id",
    described({ tag, summary: "Replace a schema", body: schema, isConditional: true, answer: schema }),
    async (request, reply) => {
      const options = { ifMatch: ifMatchOf(request) };
      const saved = await replaceSchema(request.ctx, request.params.id, bodyOf(request), options);
      nameUnused(reply, unusedKeys(bodyOf(request)));
      return sendTagged(reply, tagged(saved));
    },
  );
  server.post<{ Params: SchemaPath }>(
    "/:id/rename",
    described({
      tag,
      summary: "Rename a property and keep its values",
      description:
        "Index, required, layout and overrides follow, also in schemas that inherit from this one. Objects of a collection with more than 1,000 are moved in the background, and show the new name at once. Properties that hold files cannot be renamed.",
      body: {
        type: "object",
        properties: { from: text("Its name now."), to: text("Its new name.") },
        required: ["from", "to"],
      },
      isConditional: true,
      answer: schema,
    }),
    async (request, reply) => {
      const options = { ifMatch: ifMatchOf(request) };
      return sendTagged(reply, tagged(await renameProperty(request.ctx, request.params.id, bodyOf(request), options)));
    },
  );
  server.delete<{ Params: SchemaPath }>(
    "/:id",
    described({ tag, summary: "Delete a schema", isConditional: true, status: 204 }),
    async (request, reply) => {
      await deleteSchema(request.ctx, request.params.id, { ifMatch: ifMatchOf(request) });
      return reply.code(204).send();
    },
  );
}
