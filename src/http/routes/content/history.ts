// The history of an object: its changes, its versions, who last changed each property, and the way back.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { diffVersion, getVersion, historyLimit, listHistory, listOrigins } from "#content/history/history.ts";
import { type Restored, restoreVersion } from "#content/history/restore.ts";
import type { Json } from "#contract/json.ts";
import { parametersOf } from "#http/parameters.ts";
import type { ObjectPath } from "#http/request.ts";
import { ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendJson, sendObject } from "#http/send.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

const tag = "History";
type ChangePath = ObjectPath & { change: string };

/** `limit` and `cursor` of lists of changes. */
export const changePaging = {
  limit: whole(`Changes in a page; values above ${historyLimit.max} count as ${historyLimit.max}.`, {
    minimum: 1,
    default: historyLimit.default,
  }),
  cursor: text("Where to continue, from `meta.cursor` of the last page."),
};

export const pageOf = (name: string) => ({
  type: "object",
  properties: {
    data: listOf(ref(name)),
    meta: { type: "object", properties: { cursor: text("Where the next page begins; absent on the last.") } },
  },
  required: ["data", "meta"],
});

export function historyRoutes(server: FastifyInstance): void {
  const listDoc = described({
    tag,
    summary: "List the changes of an object",
    description: "Newest first, also of an object that is deleted. Takes the rights to read and to update it.",
    query: { ...changePaging, property: text("Only changes of this property.") },
    answer: pageOf("Change"),
  });
  server.get<{ Params: ObjectPath }>("/:collection/:id", listDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendJson(reply, await listHistory(request.ctx, collection, id, parametersOf(request)));
  });

  const originsDoc = described({
    tag,
    summary: "Tell who last changed each property",
    answer: wrapped({
      type: "object",
      description: "Property -> `change`, `at` and `by`; or `before`: not since the log began.",
      additionalProperties: { type: "object" },
    }),
  });
  server.get<{ Params: ObjectPath }>("/:collection/:id/properties", originsDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendData(reply, await listOrigins(request.ctx, collection, id));
  });

  const versionDoc = described({
    tag,
    summary: "Get an object as it was after a change",
    description: "Under the present schema. A deletion shows what it deleted. With `diff` a list of what differs.",
    query: { diff: text("`previous`, `current`, or another change.") },
    answer: wrapped({ anyOf: [ref("Object"), listOf(ref("ChangedProperty"))] }),
  });
  server.get<{ Params: ChangePath }>("/:collection/:id/:change", versionDoc, async (request, reply) => {
    const { collection, ...asked } = request.params;
    const { diff } = parametersOf(request);
    if (typeof diff === "string" && diff !== "")
      return sendData(reply, await diffVersion(request.ctx, collection, { ...asked, diff }));
    return sendData(reply, await getVersion(request.ctx, collection, asked));
  });

  const restoreDoc = described({
    isOfPower: true,
    tag,
    summary: "Restore a version",
    description:
      "An ordinary change of the object, recorded as a restore. Files that are gone are left out and named in the " +
      "header X-Cairn-Lost.",
    body: {
      type: "object",
      properties: { properties: listOf({ type: "string" }), note: text("Why, at most 500 characters.") },
    },
    isBodyOptional: true,
    isConditional: true,
    answer: wrapped(ref("Object")),
  });
  server.post<{ Params: ChangePath }>("/:collection/:id/:change/restore", restoreDoc, async (request, reply) => {
    const { collection, id, change } = request.params;
    const asked = { id, change, body: optionalBody(request), ifMatch: ifMatchOf(request) };
    return sendRestored(reply, await restoreVersion(request.ctx, collection, asked));
  });
}

export function optionalBody(request: FastifyRequest): Json | undefined {
  return request.body as Json | undefined;
}

export function sendRestored(reply: FastifyReply, { answer, lost }: Restored): FastifyReply {
  if (lost.length > 0) reply.header("x-cairn-lost", lost.map(encodeURI).join(", ").slice(0, maxHeader));
  return sendObject(reply, answer);
}

/** Proxies limit headers. */
const maxHeader = 4_000;
