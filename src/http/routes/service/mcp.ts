// The MCP endpoint and its discovery document. The caller is authenticated here before a body is read; the rest is in mcp/.
// Answers are JSON-RPC, refusals too. The protocol's library is loaded with the first request.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CairnError, rateLimited } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { networkOf } from "#base/net/addresses.ts";
import type { App } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { type BodyLimit, bodyLimit, closeUnread, jsonParser } from "#http/bodies.ts";
import { asCairnError } from "#http/errors.ts";
import { jsonType } from "#http/media-types.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendJson, sendText } from "#http/send.ts";
import { parseError, Refusal, refuse } from "#mcp/refusal.ts";
import { authenticate, type Caller, type Credentials } from "#mcp/transport/authenticate.ts";
import { describeEndpoint } from "#mcp/transport/discovery.ts";
import type { Endpoint } from "#mcp/transport/endpoint.ts";
import { checkOrigin, corsHeaders, preflightHeaders } from "#mcp/transport/origins.ts";
import type { ServerMaker } from "#mcp/transport/sessions.ts";
import { anyValue, described } from "#openapi/route-doc.ts";

const methods = ["GET", "POST", "DELETE"] as const;
const docs = {
  GET: "Open the stream of notices of a session (server-sent events).",
  POST: "Send a JSON-RPC message of the Model Context Protocol.",
  DELETE: "End a session.",
};

interface Admitted {
  caller: Caller;
  credentials: Credentials;
}

/** `makeServer`: replaces the product's own server, to test the transport against the protocol's test suites. */
export function mcpRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts, makeServer?: ServerMaker): void {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const limit = createPublicLimit(app);
  let loading: Promise<Endpoint> | undefined;
  let endpoint: Endpoint | undefined;
  server.addHook("preClose", async () => (await loading)?.close());
  server.setErrorHandler((error, request, reply) => answerRefusal(app, error, { request, reply }));
  const maxSize = app.settings.get("api.maxBodySize");
  acceptMessages(server, (request) => bodyLimit(app, maxSize, admitted.get(request)?.caller));

  server.addHook("onRequest", (_request, reply, done) => {
    // The CORS settings of the API do not apply to this endpoint.
    reply.removeHeader("access-control-allow-origin").removeHeader("access-control-expose-headers");
    done();
  });

  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers, method, raw } = request;
    if (restOf(request) !== "") refuse(404, "There is nothing at this address. The endpoint is /mcp.");
    reply.headers(corsHeaders(app, headers.origin));
    checkOrigin(app, { headers, localAddress: raw.socket.localAddress, baseUrl: baseUrl() });
    const { authorization, "x-api-key": key } = headers;
    const credentials = { headers: { authorization, "x-api-key": key }, method, baseUrl: baseUrl() };
    const caller = await authenticate(app, credentials);
    if (caller.actor.kind === "anonymous") limit(request, reply);
    admitted.set(request, { caller, credentials });
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.method === "POST" && request.body === undefined) refuse(400, "The body is empty.", parseError);
    loading ??= loadEndpoint(app, makeServer);
    endpoint ??= await loading;
    await serve(endpoint, admitted.get(request) as Admitted, { request, reply });
  };

  for (const method of methods) {
    const doc = described({ tag: "MCP", summary: docs[method], ...(method === "POST" && { body: anyValue }) });
    server.route({ method, url: "/mcp", onRequest, handler, ...doc });
    server.route({ method, url: "/mcp/*", onRequest, handler });
  }
  server.options("/mcp", async (request, reply) => {
    reply.code(204).headers(preflightHeaders(app, request.headers.origin)).send();
  });
}

/** The path after `/mcp/`; a single slash makes no difference. */
function restOf({ params }: FastifyRequest): string {
  return (params as { "*"?: string })["*"] ?? "";
}

/** Public: it contains nothing secret. */
export function mcpDiscoveryRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts): void {
  const doc = described({
    tag: "MCP",
    summary: "The address of the MCP endpoint, and how to authenticate.",
    answer: { type: "object" },
  });
  server.get("/.well-known/mcp.json", doc, async (_request, reply) => {
    return sendJson(reply, await describeEndpoint(app, baseUrl()));
  });
}

async function loadEndpoint(app: App, maker?: ServerMaker): Promise<Endpoint> {
  const { createEndpoint } = await import("#mcp/transport/endpoint.ts");
  return createEndpoint(app, maker);
}

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The library writes to the socket's response itself, so the reply's headers are copied to it first. */
async function serve(endpoint: Endpoint, admitted: Admitted, { request, reply }: Call): Promise<void> {
  const origin = { address: request.ip, requestId: request.id };
  const exchange = { req: request.raw, res: reply.raw, body: request.body as Json | undefined, origin, ...admitted };
  try {
    const text = await endpoint.serve(exchange, () => {
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
    });
    if (text === undefined) reply.hijack();
    else sendText(reply, text);
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    request.server.log.debug(error);
    reply.hijack();
    reply.raw.destroy();
  }
}

function acceptMessages(server: FastifyInstance, limitOf: (request: FastifyRequest) => BodyLimit): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", jsonParser(limitOf, parseMessage));
}

function parseMessage(bytes: Buffer): Json {
  try {
    return parseJson(bytes);
  } catch (error) {
    return refuse(400, `Parse error. ${(error as Error).message}`, parseError);
  }
}

function createPublicLimit(app: App): (request: FastifyRequest, reply: FastifyReply) => void {
  const { limiter } = app;
  return (request, reply) => {
    const limit = app.settings.get("mcp.publicIpPerMinute");
    if (limit === 0) return;
    const name = networkOf(request.ip) ?? request.raw.socket.remoteAddress;
    const { remaining, reset } = limiter.count(`mcp:${name}`, limit);
    reply.header("x-ratelimit-limit", limit);
    reply.header("x-ratelimit-remaining", Math.max(0, remaining));
    reply.header("x-ratelimit-reset", String(reset / 1_000));
    if (remaining >= 0) return;
    reply.header("x-ratelimit-window", "60");
    throw rateLimited(reset - app.clock.now());
  };
}

function answerRefusal(app: App, error: unknown, { request, reply }: Call): void {
  const refusal = error instanceof Refusal ? error : fromError(error);
  if (!refusal) app.log.error({ requestId: request.id, err: error }, "an MCP request failed");
  closeUnread(request, reply);
  const { status, headers, text } = refusal ?? new Refusal({ status: 500, message: "Something went wrong." });
  if (error instanceof CairnError && error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  reply
    .code(status)
    .headers({ ...headers, "content-type": jsonType, "cache-control": "no-store" })
    .send(text);
}

function fromError(error: unknown): Refusal | undefined {
  const known = asCairnError(error);
  return known && known.word !== "internal" ? new Refusal({ status: known.status, message: known.message }) : undefined;
}
