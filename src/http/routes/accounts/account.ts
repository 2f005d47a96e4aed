// Forgotten passwords, verification of an address, registration: for people without a session.
// Answers never reveal whether there is an account.

import type { FastifyInstance } from "fastify";
import { verifyAddress } from "#accounts/address-verification.ts";
import { requestReset, resetPassword } from "#accounts/password-reset.ts";
import { register, requestVerification } from "#accounts/registration.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { adminAddress } from "#content/site-address.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { nameIgnored } from "#http/hooks/name-ignored.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData, sendJson, sendObject } from "#http/send.ts";
import { described, type RouteDoc, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Accounts";
const maxLength = 1_000;
const message = wrapped({ type: "object", properties: { message: text("Text for people.") } });

export const mailSent = "If there is such an account, a message is on its way to its address.";
export const passwordSet = "The new password is set. Sign in with it.";
export const addressVerified = "The address is verified. You can sign in now.";

export function accountRoutes(server: FastifyInstance, { app }: HttpParts): void {
  const forgot = open({ summary: "Ask for a new password", fields: ["email"], status: 202, answer: message });
  server.post("/forgot-password", forgot, async (request, reply) => {
    const { email } = textsOf(bodyOf(request), ["email"]);
    await requestReset(request.ctx, email, adminAddress(app));
    return sendData(reply.code(202), { message: mailSent });
  });

  const reset = open({ summary: "Set a new password", fields: ["token", "password"], answer: message });
  server.post("/reset-password", reset, async (request, reply) => {
    const { token, password } = textsOf(bodyOf(request), ["token", "password"]);
    await resetPassword(request.ctx, token, password);
    return sendData(reply, { message: passwordSet });
  });

  const verify = open({
    summary: "Verify an e-mail address",
    description: "By the token of the mailed link: after a registration, or for a new address of the user.",
    fields: ["token"],
    answer: message,
  });
  server.post("/verify-email", verify, async (request, reply) => {
    await verifyAddress(request.ctx, textsOf(bodyOf(request), ["token"]).token);
    return sendData(reply, { message: addressVerified });
  });

  const resend = open({ summary: "Ask for a new verification link", fields: ["email"], status: 202, answer: message });
  server.post("/resend-verification", resend, async (request, reply) => {
    const { email } = textsOf(bodyOf(request), ["email"]);
    await requestVerification(request.ctx, email, adminAddress(app));
    return sendData(reply.code(202), { message: mailSent });
  });

  const registering = open({
    summary: "Register",
    description:
      "Open where `auth.publicRegistration` allows it. The user gets the groups of `auth.registrationGroups`. Besides address and " +
      "password the body may have the properties of `auth.registrationProperties`; `X-Ignored` names all others.",
    fields: ["email", "password", "name"],
    status: 201,
    answer: wrapped(ref("Object")),
  });
  server.post("/register", registering, async (request, reply) => {
    const body = bodyOf(request);
    const { email, password } = textsOf(body, ["email", "password"]);
    const address = adminAddress(app);
    const { user, ignored } = await register(request.ctx, { email, password, more: body as JsonObject }, address);
    if (user) return sendObject(reply.code(201), { ...user, ignored });
    if (ignored.length > 0) nameIgnored(reply, "body", ignored);
    // The same for a known address: no id, nothing that was looked up.
    return sendJson(reply.code(201), { data: { email }, meta: { requiresVerification: true } });
  });
}

interface OpenRoute extends Pick<RouteDoc, "summary" | "description" | "status" | "answer"> {
  fields: string[];
}

/** Signed-in callers may call it too: it does nothing in their name. */
function open({ fields, ...doc }: OpenRoute) {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
  const required = fields.filter((name) => name !== "name");
  const { config } = described({ tag, ...doc, body: { type: "object", properties, required } });
  return { config: { ...config, takesEndedSession: true, needsNoCsrf: true } } as const;
}

function textsOf<K extends string>(body: Json, names: readonly K[]): Record<K, string> {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const details: ErrorDetails = {};
  for (const name of names) {
    const value = body[name];
    if (value === undefined || value === null || value === "") details[name] = ["is required"];
    else if (typeof value !== "string") details[name] = ["must be text"];
    else if (value.length > maxLength) details[name] = [`must not exceed ${maxLength} characters`];
  }
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  return body as Record<K, string>;
}
