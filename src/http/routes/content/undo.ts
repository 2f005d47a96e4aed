// Undo: the preview, and its application by a job.

import type { FastifyInstance } from "fastify";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, ref, wrapped } from "#openapi/route-doc.ts";
import { undo } from "#review/undo.ts";

export function undoRoutes(server: FastifyInstance, door: HttpParts): void {
  const doc = described({
    isOfPower: true,
    tag: "Objects",
    summary: "Take back what somebody wrote",
    description:
      "Without `apply` the answer is a preview, and nothing changes. With the plan of a preview in `apply` the answer is " +
      "202 with the id of a job. 412 when the content has changed since the preview; `details.plan` then holds the new " +
      "plan. Users undo their own writes and those of their grants, administrators everything; each object takes the " +
      "right to change it.",
    body: ref("UndoRequest"),
    answer: wrapped({ oneOf: [ref("UndoPreview"), { type: "object", properties: { job: { type: "string" } } }] }),
  });
  server.post("/", doc, async (request, reply) => {
    const answer = await undo(request.ctx, bodyOf(request));
    if ("job" in answer) reply.code(202).header("location", `${door.baseUrl()}/api/jobs/${answer.job}`);
    return sendData(reply, answer);
  });
}
