// Outbound webhooks, for the admin persona. A secret is only in the answer to its creation.

import type { FastifyInstance } from "fastify";
import { readPaging } from "#content/query/parameters.ts";
import { listLimit } from "#contract/queries.ts";
import { webhookEvents } from "#contract/webhooks.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendFresh, sendJson, sendObject, tagged, wrapInData } from "#http/send.ts";
import { anyValue, described, listOf, pages, text, wrapped } from "#openapi/route-doc.ts";
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  patchWebhook,
  replayDelivery,
  rotateSecret,
  testWebhook,
} from "#webhooks/webhooks.ts";

interface WebhookPath {
  id: string;
}

const tag = "Webhooks";
const object = { type: "object" };
const answer = wrapped(anyValue);
const body = {
  ...object,
  properties: {
    name: text("What it is for."),
    url: text("Where events are sent by POST.", { format: "uri" }),
    events: listOf(text(`One of ${webhookEvents.join(", ")}; object.* and the like; or *.`)),
    collections: listOf(text("Only events about these; empty: all.")),
    headers: listOf({
      ...object,
      description:
        "Sent with each delivery. Values are stored encrypted and never shown; without one the stored value stays.",
      properties: { name: text("Name of the header."), value: text("Its value.") },
      required: ["name"],
    }),
    active: { type: "boolean", default: true },
  },
};

export function webhookRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({ tag, summary: "List webhooks", answer: wrapped(listOf(object)) }),
    async (request, reply) => sendData(reply, await listWebhooks(request.ctx)),
  );
  server.post(
    "/",
    described({
      isOfPower: true,
      tag,
      summary: "Create a webhook",
      description: "The answer shows the `secret` that deliveries are signed with, only this once.",
      showsSecret: true,
      body,
      status: 201,
      answer,
    }),
    async (request, reply) => sendData(reply.code(201), await createWebhook(request.ctx, bodyOf(request))),
  );
  server.get<{ Params: WebhookPath }>(
    "/:id",
    described({ tag, summary: "Get a webhook", isTagged: true, answer }),
    async (request, reply) =>
      sendFresh(request, reply, wrapInData(tagged(await getWebhook(request.ctx, request.params.id)))),
  );
  server.patch<{ Params: WebhookPath }>(
    "/:id",
    described({ isOfPower: true, tag, summary: "Change a webhook", body, isConditional: true, answer }),
    async (request, reply) => {
      const options = { ifMatch: ifMatchOf(request) };
      return sendObject(reply, tagged(await patchWebhook(request.ctx, request.params.id, bodyOf(request), options)));
    },
  );
  server.delete<{ Params: WebhookPath }>(
    "/:id",
    described({ isOfPower: true, tag, summary: "Delete a webhook and its log", status: 204 }),
    async (request, reply) => {
      await deleteWebhook(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
  server.post<{ Params: WebhookPath }>(
    "/:id/rotate",
    described({
      isOfPower: true,
      tag,
      summary: "Create a new secret; the old one also signs for a day",
      showsSecret: true,
      answer,
    }),
    async (request, reply) => sendData(reply, await rotateSecret(request.ctx, request.params.id)),
  );
  server.post<{ Params: WebhookPath }>(
    "/:id/test",
    described({ tag, summary: "Send a test and wait for the answer", answer }),
    async (request, reply) => sendData(reply, await testWebhook(request.ctx, request.params.id)),
  );
  server.get<{ Params: WebhookPath }>(
    "/:id/deliveries",
    described({
      tag,
      summary: "List deliveries, newest first",
      query: {
        ...pages("Deliveries", listLimit),
      },
      answer: wrapped(listOf(object)),
    }),
    async (request, reply) => {
      const { limit, offset } = readPaging(parametersOf(request), listLimit);
      const { deliveries, total } = await listDeliveries(request.ctx, request.params.id, { limit, offset });
      return sendJson(reply.header("x-total-count", total), { data: deliveries, meta: { total, limit, offset } });
    },
  );
  server.get<{ Params: WebhookPath & { delivery: string } }>(
    "/:id/deliveries/:delivery",
    described({ tag, summary: "Get a delivery with the body that is sent", answer }),
    async (request, reply) => {
      const { id, delivery } = request.params;
      return sendData(reply, await getDelivery(request.ctx, id, delivery));
    },
  );
  server.post<{ Params: WebhookPath & { delivery: string } }>(
    "/:id/deliveries/:delivery/replay",
    described({ tag, summary: "Deliver again", status: 202, answer }),
    async (request, reply) => {
      const { id, delivery } = request.params;
      return sendData(reply.code(202), await replayDelivery(request.ctx, id, delivery));
    },
  );
}
