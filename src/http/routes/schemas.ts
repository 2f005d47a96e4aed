// Schemas: list, get, create, replace, delete.

import type { FastifyInstance } from "fastify";
import { findText } from "#content/query/parameters.ts";
import { createSchema, deleteSchema, getSchema, listSchemas, replaceSchema } from "#content/schemas.ts";
import { sendJson } from "#http/answers.ts";
import { bodyOf, type Door, queryOf } from "#http/door.ts";
import { described, listOf, ref, text } from "#http/route-doc.ts";

interface SchemaPath {
  id: string;
}

const tag = "Schemas";
const schema = ref("Schema");

export function schemaRoutes(server: FastifyInstance, door: Door): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List schemas",
      query: { filter: text("Only these.", { enum: ["reserved", "custom"] }) },
      answer: { type: "object", properties: { schemas: listOf(ref("SchemaSummary")) } },
    }),
    async (request, reply) =>
      sendJson(reply, { schemas: await listSchemas(request.ctx, findText(queryOf(request), "filter")) }),
  );
  server.get<{ Params: SchemaPath }>(
    "/:id",
    described({
      tag,
      summary: "Get a schema",
      query: { raw: text("`true`: as stored, without what it inherits.", { enum: ["true", "false"] }) },
      answer: schema,
    }),
    async (request, reply) => {
      const raw = queryOf(request).raw === "true";
      return sendJson(reply, await getSchema(request.ctx, request.params.id, { raw }));
    },
  );
  server.post(
    "/",
    described({ tag, summary: "Create a schema", body: schema, status: 201, answer: schema }),
    async (request, reply) => {
      const made = await createSchema(request.ctx, bodyOf(request));
      reply.code(201).header("location", `${door.baseUrl()}/api/schemas/${made.id}`);
      return sendJson(reply, made);
    },
  );
  server.put<{ Params: SchemaPath }>(
    "/:id",
    described({ tag, summary: "Replace a schema", body: schema, answer: schema }),
    async (request, reply) => sendJson(reply, await replaceSchema(request.ctx, request.params.id, bodyOf(request))),
  );
  server.delete<{ Params: SchemaPath }>(
    "/:id",
    described({ tag, summary: "Delete a schema", status: 204 }),
    async (request, reply) => {
      await deleteSchema(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}
