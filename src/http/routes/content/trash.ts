// The trash: what was deleted and can come back.

import type { FastifyInstance } from "fastify";
import { emptyTrash, listTrash, purgeTrash, restoreTrash } from "#content/history/trash.ts";
import { parametersOf } from "#http/parameters.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";
import { changePaging, optionalBody, pageOf, sendRestored } from "./history.ts";

const tag = "History";
interface ChangePath {
  change: string;
}

export function trashRoutes(server: FastifyInstance, door: HttpParts): void {
  const listDoc = described({
    tag,
    summary: "List what is in the trash",
    description: "Newest first, of the collections in which you may create, read and delete.",
    query: { ...changePaging, collection: text("Only of this collection.") },
    answer: pageOf("TrashEntry"),
  });
  server.get("", listDoc, async (request, reply) =>
    sendJson(reply, await listTrash(request.ctx, parametersOf(request))),
  );

  const emptyDoc = described({
    tag,
    summary: "Empty the trash of a collection",
    query: { collection: text("The collection."), confirm: text("Its id again.") },
    status: 204,
  });
  server.delete("", emptyDoc, async (request, reply) => {
    await emptyTrash(request.ctx, parametersOf(request));
    return reply.code(204).send();
  });

  const restoreDoc = described({
    isOfPower: true,
    tag,
    summary: "Bring back what was deleted",
    description:
      "An object with its history and its passwords. A collection answers 202: its objects come back in a job. Files that " +
      "are gone are left out and named in the header X-Cairn-Lost.",
    body: { type: "object", properties: { id: text("Another id.") } },
    isBodyOptional: true,
    answer: wrapped(ref("Object")),
  });
  server.post<{ Params: ChangePath }>("/:change/restore", restoreDoc, async (request, reply) => {
    const restored = await restoreTrash(request.ctx, request.params.change, optionalBody(request));
    if (!("job" in restored)) return sendRestored(reply, restored);
    reply.code(202).header("location", `${door.baseUrl()}/api/jobs/${restored.job}`);
    return sendData(reply, restored);
  });

  const purgeDoc = described({ tag, summary: "Delete from the trash for good", status: 204 });
  server.delete<{ Params: ChangePath }>("/:change", purgeDoc, async (request, reply) => {
    await purgeTrash(request.ctx, request.params.change);
    return reply.code(204).send();
  });
}
