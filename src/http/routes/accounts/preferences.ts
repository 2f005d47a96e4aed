// The preferences of the signed-in user.

import type { FastifyInstance } from "fastify";
import { getPreferences, maxPreferencesBytes, replacePreferences } from "#accounts/preferences.ts";
import { acceptJson } from "#http/bodies.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData, sendFresh, tagged } from "#http/send.ts";
import { described, wrapped } from "#openapi/route-doc.ts";
import { signedInOf } from "./auth.ts";

const tag = "Sessions";
const preferences = { type: "object", additionalProperties: true };

export function preferenceRoutes(server: FastifyInstance, { app }: HttpParts): void {
  acceptJson(server, app, maxPreferencesBytes);
  server.get(
    "/",
    described({ tag, summary: "Get your preferences", isTagged: true, answer: wrapped(preferences) }),
    async (request, reply) => {
      const data = await getPreferences(request.ctx, signedInOf(request));
      return sendFresh(request, reply, tagged({ data }));
    },
  );
  server.put(
    "/",
    described({
      tag,
      summary: "Replace your preferences",
      description: "Any JSON object of at most 64 kB. The admin keeps theme, columns and own views in it.",
      body: preferences,
      answer: wrapped(preferences),
    }),
    async (request, reply) => {
      const signedIn = signedInOf(request);
      return sendData(reply, await replacePreferences(request.ctx, signedIn, bodyOf(request)));
    },
  );
}
