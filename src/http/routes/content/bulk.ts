// Bulk changes of the objects of a collection.

import type { FastifyInstance } from "fastify";
import { changeMany } from "#content/bulk/bulk.ts";
import { bulkAtOnce } from "#contract/admin.ts";
import type { CollectionPath } from "#http/request.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, ref, wrapped } from "#openapi/route-doc.ts";

export function bulkRoutes(server: FastifyInstance, door: HttpParts): void {
  const doc = described({
    isOfPower: true,
    tag: "Objects",
    summary: "Change or delete many objects",
    description:
      "By ids, or by search and filter. 412 when `expect` is not the number of objects; `details.expect` then holds the " +
      `real number, and nothing is changed. Above ${bulkAtOnce} objects the answer is 202 with the id of a job, whose ` +
      "result is the same.",
    body: ref("BulkRequest"),
    answer: wrapped({ oneOf: [ref("BulkResult"), { type: "object", properties: { job: { type: "string" } } }] }),
  });
  server.post<{ Params: CollectionPath }>("/:collection", doc, async (request, reply) => {
    const answer = await changeMany(request.ctx, request.params.collection, bodyOf(request));
    if ("job" in answer) reply.code(202).header("location", `${door.baseUrl()}/api/jobs/${answer.job}`);
    return sendData(reply, answer);
  });
}
