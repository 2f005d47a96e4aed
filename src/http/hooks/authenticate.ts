// Who calls: an API key from `X-API-Key`, `Authorization: Bearer` or, on reads, `?api_key=`.
// A credential that is sent must hold, also where the public may read; two different ones never do.

import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { anonymous } from "#access/actor.ts";
import { authenticateKey, type KeyVerdict } from "#access/api-keys.ts";
import { keyAllows } from "#access/key-scope.ts";
import { fail } from "#base/errors.ts";
import { isPro } from "#content/edition.ts";
import { followSettings } from "#content/settings.ts";
import { type App, contextFor } from "#context.ts";
import type { Query } from "#http/query-string.ts";

export function authenticate(app: App): onRequestHookHandler {
  const nobody = contextFor(app, anonymous);

  function admit(request: FastifyRequest, verdict: KeyVerdict | undefined): void {
    if (!verdict || !keyAllows(verdict, request.method, request.raw.url ?? "/")) fail("invalid-key");
    request.verdict = verdict;
    request.ctx = contextFor(app, { kind: "key", id: verdict.id, name: verdict.name });
  }

  return (request, _reply, done) => {
    followSettings(app);
    const credential = findCredential(request);
    if (credential === undefined || !isPro(app)) {
      request.ctx = nobody;
      return done();
    }
    if (credential === invalid) fail("invalid-key");
    const verdict = authenticateKey(app, credential);
    if (!(verdict instanceof Promise)) {
      admit(request, verdict);
      return done();
    }
    // Not returned: the framework would take the promise for a second call of done, and run the request twice.
    verdict.then((found) => admit(request, found)).then(() => done(), done);
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

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
