// Passkeys: signing in by one, and the passkeys of a signed-in user.

import type { FastifyInstance } from "fastify";
import {
  confirmationOptions,
  confirmByPasskey,
  deletePasskey,
  listPasskeys,
  logInByPasskey,
  loginOptions,
  registerPasskey,
  registrationOptions,
  requirePasskeys,
  siteAt,
} from "#accounts/passkeys.ts";
import { adminAddress } from "#content/site-address.ts";
import type { Json } from "#contract/json.ts";
import { findSessionCookie } from "#http/cookies.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { anyValue, described, listOf, type RouteDoc, ref, text, wrapped } from "#openapi/route-doc.ts";
import { clientOf, sendLogin, signedInOf } from "./auth.ts";

const tag = "Passkeys";
const passkey = {
  type: "object",
  properties: {
    id: text("The credential's id."),
    name: text("Name given by its owner."),
    created: text("Time of creation.", { format: "date-time" }),
    lastUsed: { type: ["string", "null"], format: "date-time" },
  },
};

const proof = { type: "object", properties: { currentPassword: text("The password of the user.") } };
const proofNote =
  "Takes the user's password as `currentPassword`, unless a passkey was confirmed within the last five minutes.";

export function passkeyRoutes(server: FastifyInstance, door: HttpParts): void {
  const site = () => siteAt(adminAddress(door.app));
  server.addHook("preHandler", (request, _reply, done) => {
    requirePasskeys(request.ctx);
    done();
  });

  server.route({
    method: ["GET", "POST"],
    url: "/login/options",
    ...beginning({ summary: "Start a sign-in by passkey", answer: wrapped(anyValue) }),
    handler: async (request, reply) => sendData(reply, await loginOptions(request.ctx, site())),
  });

  const login = beginning({ summary: "Sign in by passkey", body: anyValue, answer: wrapped(ref("Session")) });
  server.post("/login", login, async (request, reply) => {
    const previous = findSessionCookie(request.headers.cookie);
    const start = { ...clientOf(request), isRemembered: false, previous };
    return sendLogin(reply, door, await logInByPasskey(request.ctx, site(), bodyOf(request), start));
  });

  server.route({
    method: ["GET", "POST"],
    url: "/register/options",
    ...described({
      tag,
      summary: "Start the creation of a passkey",
      description: `${proofNote} GET works after a passkey was confirmed.`,
      body: proof,
      isBodyOptional: true,
      answer: wrapped(anyValue),
    }),
    handler: async (request, reply) => {
      const body = (request.body ?? null) as Json;
      return sendData(reply, await registrationOptions(request.ctx, site(), signedInOf(request), body));
    },
  });

  const register = described({
    tag,
    summary: "Create a passkey",
    description: `The credential as the browser gives it, or \`{credential, name}\`. ${proofNote}`,
    body: anyValue,
    status: 201,
    answer: wrapped(passkey),
  });
  server.post("/register", register, async (request, reply) =>
    sendData(reply.code(201), await registerPasskey(request.ctx, site(), signedInOf(request), bodyOf(request))),
  );

  const list = described({ tag, summary: "List your passkeys", answer: wrapped(listOf(passkey)) });
  server.get("/", list, async (request, reply) =>
    sendData(reply, await listPasskeys(request.ctx, signedInOf(request))),
  );

  const confirmOptions = described({
    tag,
    summary: "Start a confirmation by passkey",
    description: "For signed-in users who are about to change their password, their address or their passkeys.",
    answer: wrapped(anyValue),
  });
  server.post("/confirm/options", confirmOptions, async (request, reply) =>
    sendData(reply, await confirmationOptions(request.ctx, site(), signedInOf(request))),
  );

  const confirm = described({
    tag,
    summary: "Confirm by passkey",
    description: "For five minutes the session then needs no `currentPassword`.",
    body: anyValue,
    answer: wrapped({
      type: "object",
      properties: { confirmedUntil: text("Until when.", { format: "date-time" }) },
    }),
  });
  server.post("/confirm", confirm, async (request, reply) =>
    sendData(reply, await confirmByPasskey(request.ctx, site(), signedInOf(request), bodyOf(request))),
  );

  const remove = described({
    tag,
    summary: "Delete one of your passkeys",
    description: proofNote,
    body: proof,
    isBodyOptional: true,
    status: 204,
  });
  server.delete<{ Params: { id: string } }>("/:id", remove, async (request, reply) => {
    await deletePasskey(request.ctx, signedInOf(request), request.params.id, (request.body ?? null) as Json);
    return reply.code(204).send();
  });
}

/** For callers without a session. */
function beginning(doc: Omit<RouteDoc, "tag">) {
  const { config } = described({ tag, ...doc });
  return { config: { ...config, takesEndedSession: true, needsNoCsrf: true } } as const;
}
