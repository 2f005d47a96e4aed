// Automations: the webhook, and for the admin persona manual runs and the history of runs.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findCredential } from "#access/credentials.ts";
import { listAutomationStates } from "#automations/manage.ts";
import { getRunDetails, listRuns, runAutomation } from "#automations/runs.ts";
import { admitWebhook, callWebhook, getWebhook, type Webhook } from "#automations/webhook.ts";
import { readWebhook } from "#automations/webhook-args.ts";
import { fail, rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { readPaging } from "#content/query/parameters.ts";
import { contextFor } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { bodyLimit, readBody } from "#http/bodies.ts";
import type { RateLimit } from "#http/hooks/rate-limit.ts";
import { parametersOf } from "#http/parameters.ts";
import { BadQuery, parseQuery } from "#http/query-string.ts";
import { type HttpParts, originOf, queryOf } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { isOwnHost } from "#mcp/transport/origins.ts";
import { anyValue, described, listOf, pages, ref, text, wrapped } from "#openapi/route-doc.ts";
import { readStatus } from "./jobs.ts";

const tag = "Automations";
const maxBody = 1_048_576;
const runPage = { default: 50, max: 100 };

interface AutomationPath {
  id: string;
}

/** The automation decides which callers it accepts, before the body is read. */
export function triggerRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts, limit: RateLimit): void {
  const { limiter } = app;
  const admitted = new WeakMap<FastifyRequest, Webhook>();

  /** Calls without a valid key are counted by address, whatever the answer will be. */
  function count(request: FastifyRequest, reply: FastifyReply): void {
    const allowed = app.settings.get("automations.webhookLimit");
    const name = `webhook:${networkOf(request.ip) ?? request.raw.socket.remoteAddress}`;
    const { remaining } = allowed === 0 ? { remaining: 0 } : limiter.count(name, allowed);
    reply.header("x-ratelimit-limit", allowed);
    reply.header("x-ratelimit-remaining", Math.max(0, remaining));
    reply.header("x-ratelimit-reset", limiter.windowEnd() / 1_000);
    if (remaining < 0) throw rateLimited(limiter.windowEnd() - app.clock.now());
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = request.params as AutomationPath;
    const webhook = await getWebhook(app, id).catch((error) => {
      count(request, reply);
      throw error;
    });
    const isKeyed = webhook.trigger.auth === "apiKey";
    if (!isKeyed) count(request, reply);
    // A key in an address ends up in logs, so it is refused, whatever the automation requires.
    if (queryOf(request).api_key !== undefined) {
      if (isKeyed) count(request, reply);
      fail("invalid-key", "Send the API key in a header, not in the address.");
    }
    const { origin, referer } = request.headers;
    // A foreign name that points at this machine does not make its pages same-origin.
    const isOwn = isOwnHost(app, request.host, baseUrl());
    const ownOrigins = [new URL(baseUrl()).origin, ...(isOwn ? [`${request.protocol}://${request.host}`] : [])];
    const caller = { key: keyOf(request), origin, referer, ownOrigins };
    const key = await admitWebhook(app, webhook, caller).catch((error) => {
      if (isKeyed) count(request, reply);
      throw error;
    });
    if (key) {
      request.ctx = contextFor(app, key, originOf(request));
      limit(request, reply);
    }
    admitted.set(request, webhook);
  }

  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, bodyLimit(app, maxBody, request.ctx)),
  );
  const doc = {
    tag,
    summary: "Call the webhook of an automation",
    description:
      "Query and body are merged into the handler's `args`. 202 with a run id, unless the trigger has `sync`.",
    body: anyValue,
    answer: anyValue,
  };
  server.post<{ Params: AutomationPath }>(
    "/automations/:id",
    { ...described(doc), onRequest: admit },
    async (request, reply) => {
      const { query, headers, body } = request;
      const sent = { query: query as Record<string, unknown>, headers, body: body as Buffer | undefined, parseForm };
      const answer = await callWebhook(app, admitted.get(request) as Webhook, await readWebhook(sent));
      if (answer.isQueued) return sendJson(reply.code(202), { status: "queued", runId: answer.runId });
      return sendJson(reply, answer.result);
    },
  );
}

function parseForm(body: string): Record<string, unknown> {
  const query = parseQuery(body);
  if (query instanceof BadQuery) throw query.error;
  return query;
}

function keyOf({ headers, method }: FastifyRequest): string | undefined {
  return findCredential({ key: headers["x-api-key"], authorization: headers.authorization }, method);
}

export function automationRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List automations with their last runs",
      description: "Up to 20 runs of each that have ended, how many wait and run, and when the next one is scheduled.",
      answer: wrapped(listOf(ref("AutomationState"))),
    }),
    async (request, reply) => sendData(reply, await listAutomationStates(request.ctx)),
  );
  server.get<{ Params: AutomationPath & { run: string } }>(
    "/:id/runs/:run",
    described({
      tag,
      summary: "Get a run of an automation",
      description: "With the arguments, the event and the request that its handler was given.",
      answer: wrapped(ref("RunDetails")),
    }),
    async (request, reply) => sendData(reply, await getRunDetails(request.ctx, request.params.id, request.params.run)),
  );
  server.post<{ Params: AutomationPath }>(
    "/:id/run",
    described({
      isOfPower: true,
      tag,
      summary: "Run an automation now",
      description: "Waits for the end; the answer shows whether it succeeded. The body becomes `args`.",
      body: { type: "object" },
      isBodyOptional: true,
      answer: wrapped(ref("Run")),
    }),
    async (request, reply) => {
      const args = (request.body ?? {}) as Json;
      if (!isJsonObject(args)) return fail("invalid", "The body must be a JSON object.");
      return sendData(reply, await runAutomation(request.ctx, request.params.id, args));
    },
  );
  server.get<{ Params: AutomationPath }>(
    "/:id/runs",
    described({
      tag,
      summary: "List the runs of an automation",
      query: {
        ...pages("Runs", runPage),
        status: text("Only these.", { enum: ["queued", "running", "succeeded", "failed"] }),
      },
      answer: wrapped(listOf(ref("Run"))),
    }),
    async (request, reply) => {
      const query = parametersOf(request);
      const page = { ...readPaging(query, runPage), status: readStatus(query) };
      const { runs, total } = await listRuns(request.ctx, request.params.id, page);
      return sendData(reply.header("x-total-count", total), runs);
    },
  );
}
