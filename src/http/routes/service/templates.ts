// Templates and their versions. Ids are paths, so they take the rest of the address.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { findText } from "#content/query/parameters.ts";
import { isJsonObject } from "#contract/json.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf, type HttpParts, ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendFresh, sendJson, tagged, wrapInData } from "#http/send.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";
import { previewTemplate } from "#site/preview-template.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  getTemplateVersion,
  isGitManaged,
  listTemplates,
  listTemplateVersions,
  replaceTemplate,
  restoreTemplate,
  type TemplateAnswer,
} from "#site/templates.ts";

type TemplateRequest = FastifyRequest<{ Params: { "*": string } }>;

const tag = "Templates";
const summary = {
  type: "object",
  properties: {
    id: text("Its path, without the ending."),
    size: whole("Bytes."),
    updated: text("Time of the last change."),
  },
};
const template = {
  type: "object",
  properties: { ...summary.properties, template: text("The Liquid source.") },
};
const version = {
  type: "object",
  properties: { version: text("Id of the version."), replaced: text("Time when this text was replaced.") },
};

export function templateRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List templates",
      query: { folder: text("Only templates in this folder and below.") },
      answer: {
        type: "object",
        properties: {
          data: listOf(summary),
          meta: { type: "object", properties: { gitManaged: { type: "boolean" } } },
        },
      },
    }),
    async (request, reply) => {
      const data = await listTemplates(request.ctx, findText(parametersOf(request), "folder"));
      return sendJson(reply, { data, meta: { gitManaged: isGitManaged(request.ctx) } });
    },
  );
  server.post(
    "/",
    described({
      isOfPower: true,
      tag,
      summary: "Create a template",
      body: template,
      status: 201,
      answer: wrapped(template),
    }),
    async (request, reply) => {
      const made = await createTemplate(request.ctx, bodyOf(request));
      reply.code(201).header("location", `${door.baseUrl()}/api/templates/${made.template.id}`);
      return sendTemplate(reply, made);
    },
  );
  server.get<{ Params: { "*": string } }>(
    "/*",
    described({ tag, summary: "Get a template", isTagged: true, answer: wrapped(template) }),
    async (request, reply) => {
      const { template: found, etag } = await getTemplate(request.ctx, idOf(request));
      return sendFresh(request, reply, wrapInData(tagged(found, etag)));
    },
  );
  server.put<{ Params: { "*": string } }>(
    "/*",
    described({
      isOfPower: true,
      tag,
      summary: "Create or replace a template",
      description: "201 when the template is new. The replaced text becomes a version.",
      isConditional: true,
      mayCreate: true,
      body: template,
      answer: wrapped(template),
    }),
    async (request, reply) => {
      const options = { ifMatch: ifMatchOf(request) };
      const saved = await replaceTemplate(request.ctx, idOf(request), bodyOf(request), options);
      return sendTemplate(reply.code(saved.isNew ? 201 : 200), saved);
    },
  );
  server.delete<{ Params: { "*": string } }>(
    "/*",
    described({ tag, summary: "Delete a template", isConditional: true, status: 204 }),
    async (request, reply) => {
      await deleteTemplate(request.ctx, idOf(request), { ifMatch: ifMatchOf(request) });
      return reply.code(204).send();
    },
  );
}

export function templateHistoryRoutes(server: FastifyInstance): void {
  server.get<{ Params: { "*": string } }>(
    "/*",
    described({
      tag,
      summary: "List the earlier versions of a template, or get one",
      query: { version: text("Id of a version; it is returned with its text.") },
      answer: wrapped(listOf(version)),
    }),
    async (request, reply) => {
      const asked = findText(parametersOf(request), "version");
      if (asked !== undefined) return sendData(reply, await getTemplateVersion(request.ctx, idOf(request), asked));
      return sendData(reply, await listTemplateVersions(request.ctx, idOf(request)));
    },
  );
  server.post<{ Params: { "*": string } }>(
    "/*",
    described({
      isOfPower: true,
      tag,
      summary: "Restore an earlier version of a template",
      body: { type: "object", properties: { version: version.properties.version } },
      answer: wrapped(template),
    }),
    async (request, reply) => {
      const body = bodyOf(request);
      const asked = isJsonObject(body) ? body.version : undefined;
      if (typeof asked !== "string") fail("invalid", "The version is missing.", { version: ["is required"] });
      return sendTemplate(reply, await restoreTemplate(request.ctx, idOf(request), asked));
    },
  );
}

export function templatePreviewRoutes(server: FastifyInstance): void {
  server.post(
    "/",
    described({
      tag,
      summary: "Try a template without saving it",
      description:
        "With `collection` and `object` the template sees them under these names, as where a query is rendered by a template. Partials and layouts are the stored ones. The answer has `html`, or `errors` with their places.",
      body: {
        type: "object",
        properties: {
          id: text(
            "Where it will be stored. Templates of `pages`, `layouts`, `partials` and `forms` are rendered as the site does; that takes the right to save them.",
          ),
          template: template.properties.template,
          data: { type: "object", description: "Values for the template." },
          collection: text("With `object`: a collection that the caller may read."),
          object: text("The id of the object."),
        },
        required: ["template"],
      },
      answer: wrapped(ref("TemplatePreview")),
    }),
    async (request, reply) => sendData(reply, await previewTemplate(request.ctx, bodyOf(request))),
  );
}

function idOf(request: TemplateRequest): string {
  return request.params["*"];
}

function sendTemplate(reply: FastifyReply, { template: sent, etag }: TemplateAnswer): FastifyReply {
  return sendData(reply.header("etag", etag), sent);
}
