// Passkeys: signing in by one, and the own ones of a signed-in user.

import type { FastifyInstance } from "fastify";
import {
  deletePasskey,
  listPasskeys,
  logInByPasskey,
  loginOptions,
  registerPasskey,
  registrationOptions,
  requirePasskeys,
  siteAt,
} from "#content/passkeys.ts";
import { sendData } from "#http/answers.ts";
import { findSessionCookie } from "#http/cookies.ts";
import { bodyOf, type Door } from "#http/door.ts";
import { anyValue, described, listOf, type RouteDoc, ref, text, wrapped } from "#http/route-doc.ts";
import { clientOf, sendLogin, signedInOf } from "./auth.ts";

const tag = "Passkeys";
const passkey = {
  type: "object",
  properties: {
    id: text("The credential's id."),
    name: text("As its owner calls it."),
    created: text("When it was made.", { format: "date-time" }),
    lastUsed: { type: ["string", "null"], format: "date-time" },
  },
};

export function passkeyRoutes(server: FastifyInstance, door: Door): void {
  const site = () => siteAt(door.baseUrl());
  server.addHook("preHandler", (request, _reply, done) => {
    requirePasskeys(request.ctx);
    done();
  });

  server.route({
    method: ["GET", "POST"],
    url: "/login/options",
    ...beginning({ summary: "Begin to sign in by passkey", answer: wrapped(anyValue) }),
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
    ...described({ tag, summary: "Begin to make a passkey", answer: wrapped(anyValue) }),
    handler: async (request, reply) =>
      sendData(reply, await registrationOptions(request.ctx, site(), signedInOf(request))),
  });

  const register = described({
    tag,
    summary: "Make a passkey",
    description: "The credential as the browser gives it, or `{credential, name}`.",
    body: anyValue,
    status: 201,
    answer: wrapped(passkey),
  });
  server.post("/register", register, async (request, reply) =>
    sendData(reply.code(201), await registerPasskey(request.ctx, site(), signedInOf(request), bodyOf(request))),
  );

  const list = described({ tag, summary: "List the own passkeys", answer: wrapped(listOf(passkey)) });
  server.get("/", list, async (request, reply) =>
    sendData(reply, await listPasskeys(request.ctx, signedInOf(request))),
  );

  const remove = described({ tag, summary: "Delete one of the own passkeys", status: 204 });
  server.delete<{ Params: { id: string } }>("/:id", remove, async (request, reply) => {
    await deletePasskey(request.ctx, signedInOf(request), request.params.id);
    return reply.code(204).send();
  });
}

/** For who has no session yet. */
function beginning(doc: Omit<RouteDoc, "tag">) {
  const { config } = described({ tag, ...doc });
  return { config: { ...config, takesEndedSession: true, needsNoCsrf: true } } as const;
}
