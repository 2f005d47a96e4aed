// Previews: addresses that show drafts and unsaved values to those that have them.

import type { FastifyInstance } from "fastify";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, text, wrapped } from "#openapi/route-doc.ts";
import { createPreview, endPreview, listOwnPreviews, putUnsavedValues } from "#site/previews/previews.ts";

const tag = "Site";
const made = {
  type: "object",
  properties: {
    id: text("Id of the preview."),
    url: text("The address. The token in it is shown this once."),
    expires: text("ISO time at which it ends."),
  },
};
const summary = {
  type: "object",
  properties: {
    id: text("Id of the preview."),
    path: text("Path of the page; `/*` for the whole site."),
    collection: text("Collection of the object, where one was asked for."),
    object: text("Id of that object."),
    shared: { type: "boolean" },
    maker: text("Name of the maker, whose rights decide what is seen."),
    created: text("ISO time."),
    expires: text("ISO time at which it ends."),
  },
};

export function previewRoutes(server: FastifyInstance): void {
  const makeDoc = described({
    tag,
    summary: "Make a preview",
    description:
      "Of a path, of the whole site (`/*`), or of an object. It shows drafts as the maker may see them when somebody looks.",
    body: {
      type: "object",
      properties: {
        path: text("A path of the site, or `/*`."),
        collection: text("With `id`: an object."),
        id: text("Id of the object."),
        expires: text("How long it lasts: `PT1H` unless set, at most `P7D`."),
        shared: { type: "boolean", description: "It is meant for others." },
      },
    },
    showsSecret: true,
    status: 201,
    answer: wrapped(made),
  });
  server.post("/", makeDoc, async (request, reply) =>
    sendData(reply.code(201), await createPreview(request.ctx, bodyOf(request))),
  );

  const listDoc = described({
    tag,
    summary: "List previews",
    description: "Your own, the newest first; the admin persona sees all.",
    answer: wrapped(listOf(summary)),
  });
  server.get("/", listDoc, async (request, reply) => sendData(reply, await listOwnPreviews(request.ctx)));

  const endDoc = described({ tag, summary: "End a preview", status: 204 });
  server.delete<{ Params: { id: string } }>("/:id", endDoc, async (request, reply) => {
    await endPreview(request.ctx, request.params.id);
    return reply.code(204).send();
  });

  const valuesDoc = described({
    isOfPower: true,
    tag,
    summary: "Lay unsaved values over a preview",
    description: "For its maker. They are kept for 10 minutes and shown in this preview alone.",
    body: {
      type: "object",
      properties: {
        values: { type: "object", description: "Properties of the object." },
        templates: { type: "object", description: "Texts of templates, by id." },
      },
    },
    status: 204,
  });
  server.put<{ Params: { id: string } }>("/:id/values", valuesDoc, async (request, reply) => {
    await putUnsavedValues(request.ctx, request.params.id, bodyOf(request));
    return reply.code(204).send();
  });
}
