// Who calls: an API key from `X-API-Key`, `Authorization: Bearer` or, on reads, `?api_key=`; an access token from
// `Authorization: Bearer` alone; else the session cookie.
// A credential that is sent must hold, also where the public may read; two different ones never do.
// A key or token that came along decides alone: whether it holds or not, the cookie is not looked at.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { anonymous, type TokenActor } from "#access/actor.ts";
import { authenticateKey, type KeyVerdict, keyActor } from "#access/api-keys.ts";
import { isPro } from "#access/edition.ts";
import { keyAllows } from "#access/key-scope.ts";
import { neededScope } from "#access/scopes.ts";
import { findSignedIn, type SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";
import { clearSessionCookie, findSessionCookie } from "#http/cookies.ts";
import { pathOf } from "#http/errors.ts";
import type { Query } from "#http/query-string.ts";
import { requestContexts } from "#http/request-helpers.ts";
import { followSettings } from "#installation/settings.ts";
import { recordOAuth } from "#oauth/audit.ts";
import { authenticateBearer } from "#oauth/bearer.ts";

export function authenticate(app: App): onRequestHookHandler {
  const contextOf = requestContexts(app);

  function admitKey(request: FastifyRequest, reply: FastifyReply, verdict: KeyVerdict | undefined): void {
    if (!verdict || !keyAllows(verdict, request.method, request.raw.url ?? "/")) fail("invalid-key");
    request.verdict = verdict;
    request.ctx = contextOf(keyActor(verdict), request, reply);
  }

  function admitToken(request: FastifyRequest, reply: FastifyReply, actor: TokenActor | undefined): void {
    if (!actor) fail("invalid-token");
    const needed = neededScope(request.method, request.routeOptions.url ?? "");
    if (!needed || !hasScope(actor.scopes, needed)) rejectScope(request, reply, actor, needed);
    request.ctx = contextOf(actor, request, reply);
  }

  function rejectScope(
    request: FastifyRequest,
    reply: FastifyReply,
    { clientId, id: userId, grantId, scopes }: TokenActor,
    needed: Scope | undefined,
  ): never {
    const token = request.headers.authorization?.replace(/^\S+ +/, "");
    const details = { needed: needed ?? "", method: request.method, path: pathOf(request) };
    recordOAuth(app, { type: "scope.rejected", clientId, userId, grantId, scopes, token, details });
    if (!needed) fail("insufficient-scope", "Access tokens do not open this.");
    reply.header("www-authenticate", `Bearer realm="Cairn", error="insufficient_scope", scope="${needed}"`);
    fail("insufficient-scope", `This needs the scope ${needed}.`);
  }

  function admitNobody(request: FastifyRequest, reply: FastifyReply): void {
    request.ctx = contextOf(anonymous, request, reply);
  }

  /** What is left of a session that has ended is taken from the browser, so that the next request is a plain one. */
  function admitUser(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn | undefined): void {
    request.signedIn = signedIn;
    if (signedIn) {
      request.ctx = contextOf(signedIn.actor, request, reply);
      return;
    }
    clearSessionCookie(reply);
    if (!request.routeOptions.config.takesEndedSession) fail("unauthenticated", "The session has ended.");
    admitNobody(request, reply);
  }

  return (request, reply, done) => {
    followSettings(app);
    const credential = findCredential(request);
    if (credential === undefined || !isPro(app)) {
      if (hasTokenInQuery(request) && isPro(app))
        fail("invalid-token", "An access token is sent in the Authorization header.");
      const cookie = findSessionCookie(request.headers.cookie);
      if (cookie === undefined) {
        admitNobody(request, reply);
        return done();
      }
      findSignedIn(app, cookie)
        .then((found) => admitUser(request, reply, found))
        .then(() => done(), done);
      return;
    }
    if (credential === invalid) fail("invalid-key");
    const verdict = authenticateKey(app, credential);
    if (verdict === undefined && isBearerAlone(request)) {
      const actor = authenticateBearer(app, credential, "api");
      if (!(actor instanceof Promise)) {
        admitToken(request, reply, actor);
        return done();
      }
      actor.then((found) => admitToken(request, reply, found)).then(() => done(), done);
      return;
    }
    if (!(verdict instanceof Promise)) {
      admitKey(request, reply, verdict);
      return done();
    }
    // Not returned: the framework would take the promise for a second call of done, and run the request twice.
    verdict.then((found) => admitKey(request, reply, found)).then(() => done(), done);
  };
}

const invalid = Symbol("invalid");

function findCredential(request: FastifyRequest): string | typeof invalid | undefined {
  const { "x-api-key": header, authorization } = request.headers;
  const parameter = (request.query as Query).api_key;
  if (header === undefined && authorization === undefined && parameter === undefined) return undefined;
  const found: unknown[] = [];
  if (header !== undefined) found.push(header);
  if (authorization !== undefined) found.push(/^Bearer +(\S+)$/i.exec(authorization)?.[1]);
  if (parameter !== undefined) found.push(isRead(request.method) ? parameter : undefined);
  const [first] = found;
  if (typeof first !== "string" || first === "") return invalid;
  return found.every((other) => other === first) ? first : invalid;
}

/** What is no key may be a token, if it came in the one place for tokens. */
function isBearerAlone(request: FastifyRequest): boolean {
  const hasKey = request.headers["x-api-key"] !== undefined || (request.query as Query).api_key !== undefined;
  return !hasKey && !hasTokenInQuery(request);
}

/** Addresses end up in logs and histories, so a token in one is refused, and not taken for a name that means nothing. */
function hasTokenInQuery({ query }: FastifyRequest): boolean {
  return (query as Query).access_token !== undefined;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
