// Extensions for the admin persona: the list, one of them, and the decisions about it. The admin reports what fails in it.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { readWhole } from "#content/query/parameters.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { installExtension, maxZipBytes, removeExtension } from "#extensions/install.ts";
import {
  disableExtension,
  type Enabling,
  enableExtension,
  getExtension,
  listExtensions,
  readExtensionLog,
  reloadExtension,
  reportExtension,
  switchExtension,
} from "#extensions/manage.ts";
import { getSettings, putSettings } from "#extensions/settings.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { cutWhenIdle, readLimited } from "#http/uploads.ts";
import { described, flag, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

interface Address {
  Params: { vendor: string; name: string };
  Body: Json;
}

const tag = "Extensions";
const record = wrapped(ref("Extension"));
const zipTypes = ["application/zip", "application/x-zip-compressed", "application/octet-stream"];
const review = "For administrators who gave their password within the last ten minutes, and keys for every endpoint.";

const idOf = ({ params }: FastifyRequest<Address>) => `${params.vendor}/${params.name}`;

export function extensionRoutes(server: FastifyInstance): void {
  const list = described({ tag, summary: "List extensions", answer: wrapped(listOf(ref("Extension"))) });
  server.get("", list, async (request, reply) => sendData(reply, await listExtensions(request.ctx)));
  const one = described({ tag, summary: "Get an extension", answer: wrapped(ref("ExtensionDetails")) });
  server.get<Address>("/:vendor/:name", one, async (request, reply) =>
    sendData(reply, await getExtension(request.ctx, idOf(request))),
  );
  decisionRoutes(server);
  settingsRoutes(server);
  lifeRoutes(server);
}

function decisionRoutes(server: FastifyInstance): void {
  const enable = described({
    isOfPower: true,
    tag,
    summary: "Enable an extension",
    description:
      "One that asks for more than was approved is 409 with its fingerprint, which `approve` then names. Approving needs " +
      "the command line, a key for every endpoint, or a session that gave its password within ten minutes.",
    body: ref("ExtensionEnabling"),
    isBodyOptional: true,
    answer: record,
  });
  server.post<Address>("/:vendor/:name/enable", enable, async (request, reply) =>
    sendData(reply, await enableExtension(request.ctx, idOf(request), enablingOf(request.body))),
  );
  const disable = described({
    isOfPower: true,
    tag,
    summary: "Disable an extension",
    query: { cascade: flag("Also those that need it.") },
    answer: record,
  });
  server.post<Address>("/:vendor/:name/disable", disable, async (request, reply) => {
    const cascade = isOn(parametersOf(request).cascade);
    return sendData(reply, await disableExtension(request.ctx, idOf(request), { cascade }));
  });
  const change = described({
    isOfPower: true,
    tag,
    summary: "Switch capabilities of an extension",
    body: ref("ExtensionEnabling"),
    answer: record,
  });
  server.patch<Address>("/:vendor/:name", change, async (request, reply) => {
    const { switches } = enablingOf(request.body);
    return sendData(reply, await switchExtension(request.ctx, idOf(request), switches ?? {}));
  });
  const reload = described({ isOfPower: true, tag, summary: "Load the code of an extension again", answer: record });
  server.post<Address>("/:vendor/:name/reload", reload, async (request, reply) =>
    sendData(reply, await reloadExtension(request.ctx, idOf(request))),
  );
}

function settingsRoutes(server: FastifyInstance): void {
  const values = { type: "object", description: "By the schema of the extension. Secrets are `{set: true}`." };
  const read = described({ tag, summary: "Get the settings of an extension", answer: wrapped(values) });
  server.get<Address>("/:vendor/:name/settings", read, async (request, reply) =>
    sendData(reply, await getSettings(request.ctx, idOf(request))),
  );
  const write = described({
    isOfPower: true,
    tag,
    summary: "Replace the settings of an extension",
    description: "Sending `{set: true}` for a secret keeps it.",
    body: values,
    answer: wrapped(values),
  });
  server.put<Address>("/:vendor/:name/settings", write, async (request, reply) =>
    sendData(reply, await putSettings(request.ctx, idOf(request), bodyOf(request))),
  );
  const log = described({
    tag,
    summary: "Read the log of an extension",
    description: "The last 200 lines, oldest first.",
    query: { after: whole("The id of the last line that is known.", { minimum: 0, default: 0 }) },
    answer: wrapped(listOf(ref("ExtensionLogLine"))),
  });
  server.get<Address>("/:vendor/:name/log", log, async (request, reply) => {
    const after = readWhole(parametersOf(request), "after", { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 });
    return sendData(reply, await readExtensionLog(request.ctx, idOf(request), after));
  });
  const report = described({
    tag,
    summary: "Report a failure in the admin",
    description: "For the admin: an element that does not load, or throws. At most 20 a minute from one caller.",
    body: {
      type: "object",
      properties: { message: text("What happened."), name: text("Of the page or field kind.") },
      required: ["message"],
    },
    status: 204,
  });
  server.post<Address>("/:vendor/:name/reports", report, async (request, reply) => {
    const body = request.body ?? {};
    await reportExtension(request.ctx, idOf(request), isJsonObject(body) ? body : {});
    return reply.code(204).send();
  });
}

function lifeRoutes(server: FastifyInstance): void {
  const remove = described({
    isOfPower: true,
    tag,
    summary: "Remove an extension",
    description:
      "One of the data directory; others are 409 with the place where they are. Its store, settings and files stay. " +
      review,
    query: { purge: flag("Deletes its store, settings and files too.") },
    status: 204,
  });
  server.delete<Address>("/:vendor/:name", remove, async (request, reply) => {
    await removeExtension(request.ctx, idOf(request), { purge: isOn(parametersOf(request).purge) });
    return reply.code(204).send();
  });
  server.register((scope, _options, done) => {
    scope.addContentTypeParser(zipTypes, (_request, payload, parsed) => parsed(null, payload));
    const install = described({
      isOfPower: true,
      tag,
      summary: "Install an extension for the sandbox",
      description: `A zip with extension.json at its top, whose runtime is "sandbox". One of the same id is replaced. ${review}`,
      bodyTypes: ["application/zip"],
      status: 201,
      answer: record,
    });
    scope.post("", install, async (request, reply) => {
      const zip = request.body as IncomingMessage | undefined;
      if (typeof zip?.pipe !== "function") return fail("unsupported-type", "Send the bytes of a zip: application/zip.");
      cutWhenIdle(zip);
      const made = await installExtension(request.ctx, readLimited(zip, { bytes: maxZipBytes, isPublic: false }));
      return sendData(reply.code(201).header("location", `/api/extensions/${made.id}`), made);
    });
    done();
  });
}

function isOn(value: unknown): boolean {
  return value === "true" || value === "1";
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
