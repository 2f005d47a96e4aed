// The sessions of any user, for the admin persona.

import type { FastifyInstance } from "fastify";
import { endUserSession, endUserSessions, listUserSessions } from "#access/user-sessions.ts";
import { clearSessionCookie } from "#http/cookies.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, ref, wrapped } from "#openapi/route-doc.ts";

const tag = "Sessions";

export function userSessionRoutes(server: FastifyInstance): void {
  const listDoc = described({
    tag,
    summary: "List the sessions of a user",
    answer: wrapped(listOf(ref("OwnSession"))),
  });
  server.get<{ Params: { id: string } }>("/:id/sessions", listDoc, async (request, reply) =>
    sendData(reply, await listUserSessions(request.ctx, request.params.id)),
  );

  const endAllDoc = described({
    tag,
    summary: "End all sessions of a user",
    description: "All but the one that asks. `ended` is how many these were.",
    answer: wrapped({ type: "object", properties: { ended: { type: "integer" } }, required: ["ended"] }),
  });
  server.delete<{ Params: { id: string } }>("/:id/sessions", endAllDoc, async (request, reply) =>
    sendData(reply, { ended: await endUserSessions(request.ctx, request.params.id) }),
  );

  const endDoc = described({ tag, summary: "End one session of a user", status: 204 });
  server.delete<{ Params: { id: string; session: string } }>(
    "/:id/sessions/:session",
    endDoc,
    async (request, reply) => {
      const { id, session } = request.params;
      const { isCurrent } = await endUserSession(request.ctx, id, session);
      if (isCurrent) clearSessionCookie(reply);
      return reply.code(204).send();
    },
  );
}
