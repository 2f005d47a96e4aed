// Who has an object open.

import type { FastifyInstance } from "fastify";
import { deleteOwnPresence, putOwnPresence } from "#content/objects/presence.ts";
import type { ObjectPath } from "#http/request.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, ref, wrapped } from "#openapi/route-doc.ts";

const tag = "Admin";

export function presenceRoutes(server: FastifyInstance): void {
  const putDoc = described({
    tag,
    summary: "Say that you have an object open",
    description:
      "For sessions. To be repeated every 10 seconds; it is kept for 30. `others` are the other users that have it open, " +
      "`etag` and `modified` are those of the object now.",
    body: { type: "object", properties: { editing: { type: "boolean" } }, required: ["editing"] },
    answer: wrapped(ref("Presence")),
  });
  server.put<{ Params: ObjectPath }>("/:collection/:id", putDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendData(reply, await putOwnPresence(request.ctx, { collection, object: id }, bodyOf(request)));
  });

  const deleteDoc = described({ tag, summary: "Say that you have closed an object", status: 204 });
  server.delete<{ Params: ObjectPath }>("/:collection/:id", deleteDoc, async (request, reply) => {
    const { collection, id } = request.params;
    await deleteOwnPresence(request.ctx, { collection, object: id });
    return reply.code(204).send();
  });
}
