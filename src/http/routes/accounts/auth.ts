// Signing in and out, the user's sessions and connected applications, and acting as another user. For browsers: a key has no session.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { csrfTokenOf } from "#access/sessions.ts";
import { presentUser, type SignedIn } from "#access/signed-in.ts";
import { endOwnSession, listOwnSessions } from "#access/user-sessions.ts";
import { confirmByPassword } from "#accounts/identity-proof.ts";
import { impersonate, stopImpersonating } from "#accounts/impersonation.ts";
import { type Client, type Login, logIn, logOut } from "#accounts/login.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { clearSessionCookie, findSessionCookie, setSessionCookie } from "#http/cookies.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { listOwnGrants, revokeOwnGrant } from "#oauth/grants.ts";
import { described, listOf, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Sessions";
const session = wrapped(ref("Session"));
const maxLength = 1_000;

export function authRoutes(server: FastifyInstance, door: HttpParts): void {
  const loginDoc = described({
    tag,
    summary: "Sign in",
    description: "Sets the session cookie. Writes with it need the CSRF token, as X-CSRF-Token or csrf_token.",
    body: {
      type: "object",
      properties: {
        email: text("E-mail address or id; also named `login`."),
        password: text("The password."),
        remember: { type: "boolean", description: "Stay signed in when the browser is closed." },
      },
      required: ["email", "password"],
    },
    answer: session,
  });
  const loginConfig = {
    config: { ...loginDoc.config, takesEndedSession: true, needsNoCsrf: true },
  } as const;
  server.post("/login", loginConfig, async (request, reply) => {
    const form = loginForm(bodyOf(request));
    const previous = findSessionCookie(request.headers.cookie);
    const login = await logIn(request.ctx, { ...form, ...clientOf(request), previous });
    return sendLogin(reply, door, login, form.isRemembered);
  });

  const logoutDoc = described({ tag, summary: "Sign out", status: 204 });
  const logoutConfig = { config: { ...logoutDoc.config, takesEndedSession: true } } as const;
  server.post("/logout", logoutConfig, async (request, reply) => {
    refuseKeys(request);
    if (request.signedIn) await logOut(request.ctx, request.signedIn);
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  const sessionDoc = described({ tag, summary: "Get the signed-in user", answer: session });
  server.get("/session", sessionDoc, async (request, reply) => {
    const { account, value, impersonator } = signedInOf(request);
    return sendData(reply, {
      user: presentUser(account),
      csrfToken: csrfTokenOf(value),
      ...(impersonator && { impersonator: presentUser(impersonator.account) }),
    });
  });

  const confirmDoc = described({
    tag,
    summary: "Confirm your password",
    description: "For ten minutes, what asks for a recent password (whole backups) is open to this session.",
    body: { type: "object", properties: { password: text("The password of the user.") }, required: ["password"] },
    answer: wrapped({
      type: "object",
      properties: { confirmedUntil: text("Until when.", { format: "date-time" }) },
    }),
  });
  server.post("/confirm", confirmDoc, async (request, reply) =>
    sendData(reply, await confirmByPassword(request.ctx, signedInOf(request), bodyOf(request))),
  );

  const listDoc = described({ tag, summary: "List your sessions", answer: wrapped(listOf(ref("OwnSession"))) });
  server.get("/sessions", listDoc, async (request, reply) =>
    sendData(reply, await listOwnSessions(request.ctx, signedInOf(request))),
  );

  const endDoc = described({ tag, summary: "End one of your sessions", status: 204 });
  server.delete<{ Params: { id: string } }>("/sessions/:id", endDoc, async (request, reply) => {
    const { isCurrent } = await endOwnSession(request.ctx, signedInOf(request), request.params.id);
    if (isCurrent) clearSessionCookie(reply);
    return reply.code(204).send();
  });

  const connections = wrapped(listOf(ref("OAuthGrant")));
  const connectedDoc = described({ tag, summary: "List connected applications", answer: connections });
  server.get("/connections", connectedDoc, async (request, reply) =>
    sendData(reply, await listOwnGrants(request.ctx, signedInOf(request))),
  );

  const disconnectDoc = described({
    tag,
    summary: "End the access of an application",
    description: "All its tokens are invalid with the next request.",
    status: 204,
  });
  server.delete<{ Params: { id: string } }>("/connections/:id", disconnectDoc, async (request, reply) => {
    await revokeOwnGrant(request.ctx, signedInOf(request), request.params.id);
    return reply.code(204).send();
  });

  const startDoc = described({ isOfPower: true, tag, summary: "Act as another user", answer: session });
  server.post<{ Params: { userId: string } }>("/impersonate/:userId", startDoc, async (request, reply) => {
    const { userId } = request.params;
    return sendLogin(reply, door, await impersonate(request.ctx, signedInOf(request), userId, clientOf(request)));
  });

  const stopDoc = described({ tag, summary: "Stop acting as another user", answer: session });
  server.post("/impersonate/stop", stopDoc, async (request, reply) => {
    const signedIn = signedInOf(request);
    const isRemembered = signedIn.impersonator?.session.isRemembered === 1;
    return sendLogin(reply, door, await stopImpersonating(request.ctx, signedIn, clientOf(request)), isRemembered);
  });
}

/** The answer to every way of signing in. */
export function sendLogin(reply: FastifyReply, door: HttpParts, login: Login, isRemembered = false): FastifyReply {
  setSessionCookie(reply, door, login.session, isRemembered);
  return sendData(reply, { user: presentUser(login.account), csrfToken: login.session.csrfToken });
}

export function signedInOf(request: FastifyRequest): SignedIn {
  refuseKeys(request);
  return request.signedIn ?? fail("unauthenticated");
}

function refuseKeys({ ctx }: FastifyRequest): void {
  if (ctx.actor.kind === "key") fail("forbidden", "This is for signed-in users: an API key has no session.");
}

export function clientOf(request: FastifyRequest): Client {
  return { address: request.ip, agent: request.headers["user-agent"] ?? "" };
}

function loginForm(body: Json): { login: string; password: string; isRemembered: boolean } {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const { email, login = email, password, remember } = body;
  const details: ErrorDetails = {};
  if (!isGiven(login)) details.email = ["is required"];
  if (!isGiven(password)) details.password = ["is required"];
  if (Object.keys(details).length > 0) fail("invalid", "An e-mail address and a password are needed.", details);
  return { login: login as string, password: password as string, isRemembered: remember === true };
}

function isGiven(value: Json | undefined): boolean {
  return typeof value === "string" && value !== "" && value.length <= maxLength;
}
