// The OAuth endpoints for applications: discovery, keys, tokens, registration, revocation. Cookies are ignored, so
// scripts of any origin may call them. Errors have the form of the RFCs: `{error, error_description}`.

import type { IncomingMessage } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { anonymous } from "#access/actor.ts";
import { CairnError, fail, rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { type App, contextFor } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { readBody } from "#http/bodies.ts";
import { openToScripts } from "#http/hooks/cors.ts";
import { BadQuery, parseQuery } from "#http/query-string.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { recordOAuth } from "#oauth/audit.ts";
import { OAuthError } from "#oauth/errors.ts";
import { sweepDaily } from "#oauth/gc.ts";
import { keySet, resourceMetadata, serverMetadata } from "#oauth/metadata.ts";
import { registerClient } from "#oauth/register.ts";
import { revokeToken } from "#oauth/revoke.ts";
import { isOAuthOn } from "#oauth/switch.ts";
import { issueTokens } from "#oauth/token.ts";
import { described, type RouteDoc, text } from "#openapi/route-doc.ts";

const tag = "OAuth";
const formLimit = { bytes: 65_536, isPublic: false };
const document = { type: "object" };
const formTypes = ["application/x-www-form-urlencoded", "application/json"];

export function oauthRoutes(server: FastifyInstance, { app }: HttpParts): void {
  acceptOAuthForms(server);
  server.setErrorHandler(answerOAuthError);
  server.addHook("onRequest", (request, reply, done) => {
    if (!isOAuthOn(app)) fail("not-found");
    openToScripts(reply);
    request.ctx = contextFor(app, anonymous, { address: request.ip, requestId: request.id });
    done();
  });
  const limitTokens = createTokenLimit(app);

  const server8414 = open({ summary: "The authorization server's metadata", answer: document });
  server.get("/.well-known/oauth-authorization-server", server8414, async (_request, reply) =>
    sendJson(reply, serverMetadata(app)),
  );

  const resource9728 = open({ summary: "The protected resource's metadata", answer: document });
  for (const path of ["", "/mcp"]) {
    server.get(`/.well-known/oauth-protected-resource${path}`, resource9728, async (_request, reply) =>
      sendJson(reply, resourceMetadata(app)),
    );
  }

  const jwks = open({ summary: "The keys that access tokens are verified with", answer: document });
  server.get("/.well-known/jwks.json", jwks, async (_request, reply) => sendJson(reply, keySet(app)));

  const token = open({
    summary: "Get tokens for a code or a refresh token",
    body: fields(["grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "resource"]),
    answer: document,
  });
  server.post("/oauth/token", { ...token, onRequest: limitTokens }, async (request, reply) => {
    sweepDaily(app);
    reply.header("pragma", "no-cache");
    return sendJson(reply, await issueTokens(app, callOf(request)));
  });

  const register = open({
    summary: "Register an application",
    description: "RFC 7591. Closed while oauth.dynamicRegistration is off.",
    body: {
      type: "object",
      properties: { redirect_uris: { type: "array" }, client_name: text("Text for people.") },
    },
    bodyTypes: ["application/json"],
    status: 201,
    answer: document,
  });
  server.post("/oauth/register", register, async (request, reply) => {
    sweepDaily(app);
    return sendJson(reply.code(201), await registerClient(request.ctx, (request.body ?? null) as Json));
  });

  const revoke = open({
    summary: "Revoke a token, and with it its grant",
    description: "RFC 7009. The answer is the same whether there was such a token or not.",
    body: fields(["token", "token_type_hint"]),
  });
  server.post("/oauth/revoke", revoke, async (request, reply) => {
    await revokeToken(app, callOf(request));
    return reply.code(200).send();
  });
}

function open(doc: Omit<RouteDoc, "tag">) {
  const bodyTypes = doc.body && { bodyTypes: doc.bodyTypes ?? formTypes };
  const { config } = described({ tag, ...doc, ...bodyTypes });
  return { config: { ...config, isOpenToScripts: true, isOAuth: true } } as const;
}

function fields(names: string[]): JsonObject {
  const all = [...names, "client_id", "client_secret"];
  return { type: "object", properties: Object.fromEntries(all.map((name) => [name, { type: "string" }])) };
}

/** Forms, as the RFCs require, besides JSON. */
function acceptOAuthForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (_request: unknown, payload: IncomingMessage) => {
      const form = parseQuery((await readBody(payload, formLimit)).toString("utf8"));
      if (form instanceof BadQuery) throw form.error;
      return form;
    },
  );
}

function callOf({ body, headers }: FastifyRequest): { body: unknown; authorization: string | undefined } {
  return { body: body ?? {}, authorization: headers.authorization };
}

/** Counted before the body is read, by address, in windows of a minute. */
function createTokenLimit(app: App): onRequestHookHandler {
  const { limiter } = app;
  return (request, reply, done) => {
    const limit = app.settings.get("oauth.tokenEndpointLimit");
    if (limit === 0) return done();
    const address = networkOf(request.ip) ?? request.ip;
    const { remaining, reset } = limiter.count(`oauth-token:${address}`, limit);
    reply
      .header("x-ratelimit-limit", limit)
      .header("x-ratelimit-remaining", Math.max(0, remaining))
      .header("x-ratelimit-reset", reset / 1_000);
    if (remaining >= 0) return done();
    // One line for each address and window, however many attempts.
    if (limiter.count(`oauth-token-recorded:${address}`, 1).remaining === 0) {
      recordOAuth(app, { type: "security.rate_limit", details: { endpoint: "/oauth/token", address: request.ip } });
    }
    throw rateLimited(reset - app.clock.now());
  };
}

function answerOAuthError(error: FastifyError | CairnError, request: FastifyRequest, reply: FastifyReply): void {
  const failure = error instanceof OAuthError ? error : asOAuthError(error, request);
  // Failures of the service, and unknown addresses, have the usual form.
  if (!failure) return void reply.send(error);
  if (error instanceof CairnError && error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  if (failure.status === 401) reply.header("www-authenticate", 'Basic realm="Cairn"');
  sendJson(reply.code(failure.status), { error: failure.code, error_description: failure.message });
}

const unavailable = new Set([429, 503]);

function asOAuthError(error: FastifyError | CairnError, { routeOptions }: FastifyRequest): OAuthError | undefined {
  const status = error instanceof CairnError ? error.status : (error.statusCode ?? 500);
  if (unavailable.has(status)) return new OAuthError("temporarily_unavailable", error.message, status);
  if (status === 404 || status >= 500) return undefined;
  const code = routeOptions.url === "/oauth/register" ? "invalid_client_metadata" : "invalid_request";
  return new OAuthError(code, "The request cannot be read.", status);
}
