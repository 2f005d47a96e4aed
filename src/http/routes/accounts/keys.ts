// API keys, for the admin persona. A key is in the answer to its creation and nowhere else.

import type { FastifyInstance } from "fastify";
import { createKey, deleteKey, listKeys } from "#access/api-keys.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, ref, wrapped } from "#openapi/route-doc.ts";

const tag = "API keys";
const key = ref("ApiKey");

export function keyRoutes(server: FastifyInstance): void {
  server.get("/", described({ tag, summary: "List API keys", answer: wrapped(listOf(key)) }), async (request, reply) =>
    sendData(reply, await listKeys(request.ctx)),
  );
  server.post(
    "/",
    described({
      isOfPower: true,
      tag,
      summary: "Create an API key",
      description: "The answer shows the key as `key`, only this once.",
      showsSecret: true,
      body: key,
      status: 201,
      answer: wrapped(key),
    }),
    async (request, reply) => sendData(reply.code(201), await createKey(request.ctx, bodyOf(request))),
  );
  server.delete<{ Params: { id: string } }>(
    "/:id",
    described({ isOfPower: true, tag, summary: "Delete an API key", status: 204 }),
    async (request, reply) => {
      await deleteKey(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}
