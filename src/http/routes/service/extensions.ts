// Extensions for the admin persona: the list, one of them, and the decisions about it.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import {
  disableExtension,
  type Enabling,
  enableExtension,
  getExtension,
  listExtensions,
  switchExtension,
} from "#extensions/manage.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, wrapped } from "#openapi/route-doc.ts";

interface Address {
  Params: { vendor: string; name: string };
  Body: Json;
  Querystring: Record<string, string | undefined>;
}

const idOf = ({ params }: FastifyRequest<Address>) => `${params.vendor}/${params.name}`;

export function extensionRoutes(server: FastifyInstance): void {
  const list = described({
    tag: "Extensions",
    summary: "List extensions",
    answer: wrapped(listOf({ type: "object" })),
  });
  server.get("", list, async (request, reply) => sendData(reply, await listExtensions(request.ctx)));
  const one = described({ tag: "Extensions", summary: "Get an extension", answer: wrapped({ type: "object" }) });
  server.get<Address>("/:vendor/:name", one, async (request, reply) =>
    sendData(reply, await getExtension(request.ctx, idOf(request))),
  );
  const enable = described({ tag: "Extensions", summary: "Enable an extension", answer: wrapped({ type: "object" }) });
  server.post<Address>("/:vendor/:name/enable", enable, async (request, reply) =>
    sendData(reply, await enableExtension(request.ctx, idOf(request), enablingOf(request.body))),
  );
  const disable = described({
    tag: "Extensions",
    summary: "Disable an extension",
    answer: wrapped({ type: "object" }),
  });
  server.post<Address>("/:vendor/:name/disable", disable, async (request, reply) => {
    const cascade = request.query.cascade === "true";
    return sendData(reply, await disableExtension(request.ctx, idOf(request), { cascade }));
  });
  const change = described({
    tag: "Extensions",
    summary: "Switch capabilities of an extension",
    answer: wrapped({ type: "object" }),
  });
  server.patch<Address>("/:vendor/:name", change, async (request, reply) => {
    const { switches } = enablingOf(request.body);
    return sendData(reply, await switchExtension(request.ctx, idOf(request), switches ?? {}));
  });
}

function enablingOf(body: Json | undefined): Enabling {
  if (body === undefined || body === null) return {};
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const { approve, switches } = body;
  if (approve !== undefined && typeof approve !== "string")
    fail("invalid", undefined, { approve: ["must be the fingerprint"] });
  const isSwitches =
    switches === undefined ||
    (isJsonObject(switches) && Object.values(switches).every((on) => typeof on === "boolean"));
  if (!isSwitches) fail("invalid", undefined, { switches: ["must be true or false by capability"] });
  return { approve, switches } as Enabling;
}
