// Who calls: an API key from `X-API-Key`, `Authorization: Bearer` or, on reads, `?api_key=`; else the session cookie.
// A credential that is sent must hold, also where the public may read; two different ones never do.
// A key that came along decides alone: whether it holds or not, the cookie is not looked at.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { type Actor, anonymous } from "#access/actor.ts";
import { authenticateKey, type KeyVerdict } from "#access/api-keys.ts";
import { keyAllows } from "#access/key-scope.ts";
import { fail } from "#base/errors.ts";
import { isPro } from "#content/edition.ts";
import { followSettings } from "#content/settings.ts";
import { findSignedIn, type SignedIn } from "#content/signed-in.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { clearSessionCookie, findSessionCookie } from "#http/cookies.ts";
import { originOf } from "#http/door.ts";
import type { Query } from "#http/query-string.ts";

export function authenticate(app: App): onRequestHookHandler {
  const nobody = contextFor(app, anonymous);

  function admitKey(request: FastifyRequest, verdict: KeyVerdict | undefined): void {
    if (!verdict || !keyAllows(verdict, request.method, request.raw.url ?? "/")) fail("invalid-key");
    request.verdict = verdict;
    const origin = originOf(request);
    if (origin) request.ctx = contextFor(app, keyActor(verdict), origin);
    else request.ctx = readerOf(verdict);
  }

  /** Reads by one key share a context: it says who calls and nothing of the call. */
  const readers = new WeakMap<KeyVerdict, Context>();
  function readerOf(verdict: KeyVerdict): Context {
    let reader = readers.get(verdict);
    if (!reader) {
      reader = contextFor(app, keyActor(verdict));
      readers.set(verdict, reader);
    }
    return reader;
  }

  function admitNobody(request: FastifyRequest): void {
    const origin = originOf(request);
    request.ctx = origin ? contextFor(app, anonymous, origin) : nobody;
  }

  /** What is left of a session that has ended is taken from the browser, so that the next request is a plain one. */
  function admitUser(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn | undefined): void {
    request.signedIn = signedIn;
    if (signedIn) {
      request.ctx = contextFor(app, signedIn.actor, originOf(request));
      return;
    }
    clearSessionCookie(reply);
    if (!request.routeOptions.config.takesEndedSession) fail("unauthenticated", "The session has ended.");
    admitNobody(request);
  }

  return (request, reply, done) => {
    followSettings(app);
    const credential = findCredential(request);
    if (credential === undefined || !isPro(app)) {
      const cookie = findSessionCookie(request.headers.cookie);
      if (cookie === undefined) {
        admitNobody(request);
        return done();
      }
      findSignedIn(app, cookie)
        .then((found) => admitUser(request, reply, found))
        .then(() => done(), done);
      return;
    }
    if (credential === invalid) fail("invalid-key");
    const verdict = authenticateKey(app, credential);
    if (!(verdict instanceof Promise)) {
      admitKey(request, verdict);
      return done();
    }
    // Not returned: the framework would take the promise for a second call of done, and run the request twice.
    verdict.then((found) => admitKey(request, found)).then(() => done(), done);
  };
}

function keyActor({ id, name }: KeyVerdict): Actor {
  return { kind: "key", id, name };
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

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
