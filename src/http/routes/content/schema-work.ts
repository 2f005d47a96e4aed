// What a schema would do, checked before it is saved: the plan of its changes, and lint.

import type { FastifyInstance } from "fastify";
import { planChange } from "#admin/schema-plan.ts";
import { lintSchemas, lintUnsaved } from "#content/collections/lint.ts";
import { findText } from "#content/query/parameters.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Schemas";
const findings = wrapped(listOf(ref("SchemaFinding")));

export function schemaWorkRoutes(server: FastifyInstance): void {
  server.post(
    "/schema-plan",
    described({
      tag,
      summary: "Find out what saving a schema would do",
      description:
        "Takes the right to save it, and changes nothing. Up to 100,000 objects are looked at, for up to 15 seconds; `counted.isComplete` is false when there are more. `mentions` are whole words in what the caller may read, so some of them may mean something else.",
      body: ref("Schema"),
      answer: wrapped(ref("SchemaPlan")),
    }),
    async (request, reply) => sendData(reply, await planChange(request.ctx, bodyOf(request))),
  );
  server.get(
    "/schema-lint",
    described({
      tag,
      summary: "Check schemas for mistakes",
      query: { schema: text("Only this one; all custom schemas when left out.") },
      answer: findings,
    }),
    async (request, reply) =>
      sendData(reply, await lintSchemas(request.ctx, findText(parametersOf(request), "schema"))),
  );
  server.post(
    "/schema-lint",
    described({
      tag,
      summary: "Check a schema that is not saved for mistakes",
      body: ref("Schema"),
      answer: findings,
    }),
    async (request, reply) => sendData(reply, await lintUnsaved(request.ctx, bodyOf(request))),
  );
}
