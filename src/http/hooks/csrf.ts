// A write that is authenticated by the session cookie must prove that it comes from our own pages: by the session's token
// in the header `X-CSRF-Token` or the body's field `csrf_token`, which never reaches an operation.
// Keys and tokens are not sent by a browser on its own, so they need none; only a request that a session authenticated does.

import type { preHandlerHookHandler } from "fastify";
import { isCsrfTokenOf } from "#access/sessions.ts";
import { fail } from "#base/errors.ts";

const field = "csrf_token";

export const checkCsrf: preHandlerHookHandler = (request, _reply, done) => {
  const { signedIn, method, headers } = request;
  if (signedIn && method !== "GET" && method !== "HEAD") {
    const inBody = takeField(request.body);
    if (!request.routeOptions.config.needsNoCsrf && !isCsrfTokenOf(signedIn.value, headers["x-csrf-token"] ?? inBody)) {
      fail("forbidden", "The CSRF token is missing or wrong.");
    }
  }
  done();
};

function takeField(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, field)) return undefined;
  const fields = body as Record<string, unknown>;
  const token = fields[field];
  delete fields[field];
  return token;
}
