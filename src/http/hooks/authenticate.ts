// The caller of a request over HTTP: an API key from `X-API-Key`, `Authorization: Bearer` or, on reads, `?api_key=`; an
// access token from `Authorization: Bearer` alone; else the session cookie. access/credentials.ts decides. This file
// says where they are, and answers refusals.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { anonymous } from "#access/actor.ts";
import { type Recognized, type RequestedAccess, recognize, type SentCredentials } from "#access/credentials.ts";
import { openingScopes } from "#access/scopes.ts";
import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { Scope } from "#contract/scopes.ts";
import { clearSessionCookie, findSessionCookie } from "#http/cookies.ts";
import { pathOf } from "#http/errors.ts";
import type { Query } from "#http/query-string.ts";
import { requestContexts } from "#http/request-helpers.ts";
import { goOnAfter } from "./go-on-after.ts";

export function authenticate(app: App): onRequestHookHandler {
  const contextOf = requestContexts(app);

  function admit(request: FastifyRequest, reply: FastifyReply, found: Recognized): void {
    if (found.refusal === undefined) {
      request.signedIn = found.signedIn;
      request.ctx = contextOf(found.actor, request, reply);
    } else {
      refuse(request, reply, found);
      request.ctx = contextOf(anonymous, request, reply);
    }
  }

  return (request, reply, done) => {
    const found = recognize(app, sentCredentials(request), requestedAccess(request));
    if (found instanceof Promise) {
      const admitted = found.then((known) => admit(request, reply, known));
      goOnAfter(admitted, { request, reply, done, log: app.log });
      return;
    }
    admit(request, reply, found);
    done();
  };
}

/** A key, a token or any cookie, in each place where one is looked for. */
export function hasCredential({ headers, query }: FastifyRequest): boolean {
  const { "x-api-key": key, authorization, cookie } = headers;
  const { api_key, access_token } = query as Query;
  return (key ?? authorization ?? cookie ?? api_key ?? access_token) !== undefined;
}

export function sentCredentials({ headers, query }: FastifyRequest): SentCredentials {
  const { api_key, access_token } = query as Query;
  return {
    key: headers["x-api-key"],
    authorization: headers.authorization,
    keyInAddress: api_key,
    tokenInAddress: access_token,
    session: findSessionCookie(headers.cookie),
  };
}

export function requestedAccess(request: FastifyRequest): RequestedAccess {
  const { method } = request;
  return {
    door: "api",
    method,
    path: request.raw.url ?? "/",
    scopes: () => openingScopes(method, request.routeOptions.url ?? ""),
    describe: () => ({ method, path: pathOf(request) }),
  };
}

/** Returns only where an ended session makes the caller anonymous. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Exclude<Recognized, { refusal?: undefined }>,
): void {
  const { refusal } = found;
  if (refusal === "session-ended") {
    // The browser drops the cookie, so that its next request is a plain one.
    clearSessionCookie(reply);
    if (!request.routeOptions.config.takesEndedSession) fail("unauthenticated", "The session has ended.");
  } else if (refusal === "insufficient-scope") refuseScope(reply, found.needed[0]);
  else if (refusal === "token-in-address")
    fail("invalid-token", "An access token is sent in the Authorization header.");
  else fail(refusal);
}

function refuseScope(reply: FastifyReply, needed: Scope | undefined): never {
  if (!needed) fail("insufficient-scope", "This endpoint does not accept access tokens.");
  reply.header("www-authenticate", `Bearer realm="Cairn", error="insufficient_scope", scope="${needed}"`);
  fail("insufficient-scope", `This needs the scope ${needed}.`);
}
