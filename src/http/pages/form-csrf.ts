// The CSRF token of a form with a file: its field may follow the file, so it is known only once the form is read.
// Routes that take such forms spread `formCsrf`; the reader of the form calls `checkFormToken` before anything of
// it is used. Every other request to these routes is checked at once.

import type { FastifyRequest, preValidationHookHandler } from "fastify";
import { isCsrfTokenOf } from "#access/sessions.ts";
import { fail } from "#base/errors.ts";

export const csrfField = "csrf_token";

const unproven = new WeakSet<FastifyRequest>();

const checkUnlessForm: preValidationHookHandler = (request, _reply, done) => {
  const { signedIn, headers, body } = request;
  const token = headers["x-csrf-token"] ?? (body as Record<string, unknown> | undefined)?.[csrfField];
  if (signedIn) unproven.add(request);
  if (token !== undefined || !request.isMultipart()) checkFormToken(request, token);
  done();
};

export const formCsrf = { config: { needsNoCsrf: true }, preValidation: checkUnlessForm } as const;

/** Only the session has been checked so far. */
export function needsFormToken(request: FastifyRequest): boolean {
  return unproven.has(request);
}

/** `token`: the form's field. Requests without a session, or with a proven token, pass. */
export function checkFormToken(request: FastifyRequest, token: unknown): void {
  if (!needsFormToken(request)) return;
  if (!isCsrfTokenOf(request.signedIn?.value ?? "", token)) fail("forbidden", "The CSRF token is missing or wrong.");
  unproven.delete(request);
}
