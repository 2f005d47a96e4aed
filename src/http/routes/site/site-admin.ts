// Routes of the site for those who build it.

import type { FastifyInstance } from "fastify";
import { checkSite } from "#admin/site-check/check-site.ts";
import { findText } from "#content/query/parameters.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { sendData, sendFresh, sendTagged, tagged, wrapInData } from "#http/send.ts";
import { described, listOf, text, whole, wrapped } from "#openapi/route-doc.ts";
import { explainPath, listSiteRoutes, orderPages } from "#site/pages/site-admin.ts";
import { listErrorsOfSite } from "#site/site-errors.ts";

const tag = "Site";
const route = {
  type: "object",
  properties: {
    kind: text("`page`, or `object` for the addresses of a collection's objects.", { enum: ["page", "object"] }),
    id: text("Id of the page or of the collection."),
    route: text("Path with placeholders; empty for pages without an address."),
    title: text("Title of the page."),
    template: text("Id of its template."),
    status: whole("HTTP status that it answers with."),
    draft: { type: "boolean" },
    collection: text("Collection that the page shows an object of."),
    parent: text("Page above it in menus."),
    order: { type: "number", description: "Place among the pages beside it." },
    clashes: listOf(text("Another route that fits the same addresses: `page` or `object`, and its id.")),
    problem: text("Why it cannot answer; empty when it can."),
  },
};
const explained = {
  type: "object",
  properties: {
    path: text("The path that was asked about."),
    kind: text("What answers.", {
      enum: ["service", "page", "object", "redirect", "gone", "robots", "favicon", "missing", "off"],
    }),
    status: whole("HTTP status."),
    page: text("Id of the page."),
    collection: text("Collection of the object that is shown."),
    object: text("Id of that object."),
    template: text("Id of the template."),
    target: text("Target of a redirect."),
    params: { type: "object", additionalProperties: { type: "string" } },
    steps: listOf(text("A sentence for each step of the decision.")),
  },
};

const finding = {
  type: "object",
  properties: {
    level: text("How bad it is.", { enum: ["error", "warning", "hint"] }),
    message: text("What was found."),
    cure: text("What to do about it."),
    template: text("Id of the template; empty when it is about none."),
    page: text("Id of the page; empty when it is about none."),
    line: whole("Line of the template; 0 where it has no place."),
  },
};

const siteError = {
  type: "object",
  properties: {
    id: text("Id of the error at its place."),
    kind: text("`page`: a page could not be made. `read`: a template asked for what the site may not show.", {
      enum: ["page", "read"],
    }),
    template: text("Id of the template; empty where no template is to blame."),
    line: whole("Line of the template; 0 where it has no place."),
    column: whole("Column of that line."),
    message: text("What is wrong."),
    path: text("Path of the last page; empty for callers that may not read its object."),
    requestId: text("Id of the last request, as in the log."),
    count: whole("How often it occurred."),
    first: text("ISO time of the first."),
    last: text("ISO time of the last."),
  },
};

export function siteAdminRoutes(server: FastifyInstance): void {
  server.get(
    "/routes",
    described({
      tag,
      summary: "List the routes of the site",
      description: "All pages and addresses of objects, with routes that fit the same addresses.",
      isTagged: true,
      answer: wrapped(listOf(route)),
    }),
    async (request, reply) => {
      const { routes, etag } = await listSiteRoutes(request.ctx);
      return sendFresh(request, reply, wrapInData(tagged(routes, etag)));
    },
  );
  server.get(
    "/resolve",
    described({
      tag,
      summary: "Who answers a path, and why",
      query: { path: text("A path of the site, with or without a query.", { minLength: 1 }) },
      answer: wrapped(explained),
    }),
    async (request, reply) =>
      sendData(reply, await explainPath(request.ctx, findText(parametersOf(request), "path") ?? "")),
  );
  server.get(
    "/check",
    described({
      tag,
      summary: "Check the site",
      description: "Findings about templates, routes and pages, errors first, each with a cure.",
      answer: wrapped(listOf(finding)),
    }),
    async (request, reply) => sendData(reply, await checkSite(request.ctx)),
  );
  server.get(
    "/errors",
    described({
      tag,
      summary: "List errors of pages and templates",
      description: "Of the last seven days, counted, the newest first; at most 500.",
      answer: wrapped(listOf(siteError)),
    }),
    async (request, reply) => sendData(reply, await listErrorsOfSite(request.ctx)),
  );
  server.put(
    "/order",
    described({
      tag,
      summary: "Order the pages",
      description:
        "Sets parents and places of all pages that the tree names, at once. Other pages stay where they are.",
      isConditional: true,
      body: {
        type: "object",
        required: ["tree"],
        properties: {
          tree: listOf({
            type: "object",
            required: ["id"],
            properties: { id: text("Id of a page."), children: listOf({ type: "object" }) },
          }),
        },
      },
      answer: wrapped(listOf(route)),
    }),
    async (request, reply) => {
      const { routes, etag } = await orderPages(request.ctx, bodyOf(request), { ifMatch: ifMatchOf(request) });
      return sendTagged(reply, wrapInData(tagged(routes, etag)));
    },
  );
}
