// Data views: their state, their data, queries on it, rebuild and test.

import type { FastifyInstance } from "fastify";
import { isLimitedKey } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import { readChoice } from "#content/query/parameters.ts";
import { csvTable } from "#content/query/tables.ts";
import { queryLimit } from "#contract/queries.ts";
import { checkHandler, getView, getViewData, listViews, queryView, rebuildView, testView } from "#data-views/views.ts";
import { csvType } from "#http/media-types.ts";
import { setPageHeaders } from "#http/pages/page-headers.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { asAttachment, sendContent, sendData, sendJson } from "#http/send.ts";
import { anyValue, choosing, described, listOf, pages, ref, selecting, text, wrapped } from "#openapi/route-doc.ts";

interface ViewPath {
  id: string;
}

const tag = "Data views";
const object = { type: "object" };

export function viewRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/",
    described({ tag, summary: "List data views", answer: wrapped(listOf(object)) }),
    async (request, reply) => sendData(reply, await listViews(request.ctx)),
  );
  server.post(
    "/test",
    described({
      tag,
      summary: "Run a definition without storing anything",
      description: "It reads with the rights of the caller. A definition that fails is a result, not an error.",
      body: { ...object, properties: { definition: text("A module: `export default async (ctx) => data`.") } },
      answer: object,
    }),
    async (request, reply) => {
      // The module decides what is read, so no endpoint of a limited key covers it.
      if (isLimitedKey(request.ctx.actor)) fail("invalid-key");
      return sendJson(reply, await testView(request.ctx, bodyOf(request)));
    },
  );
  server.get<{ Params: ViewPath }>(
    "/:id",
    described({ tag, summary: "Get the state of a data view", answer: wrapped(object) }),
    async (request, reply) => sendData(reply, await getView(request.ctx, request.params.id)),
  );
  server.get<{ Params: ViewPath }>(
    "/:id/data",
    described({
      tag,
      summary: "Get the data of a view",
      description: "As the definition returned it.",
      isTagged: true,
      answer: anyValue,
    }),
    async (request, reply) => sendContent(request, reply, await getViewData(request.ctx, request.params.id)),
  );
  server.get<{ Params: ViewPath }>(
    "/:id/query",
    described({
      tag,
      summary: "Query a view that is a list of objects",
      query: {
        ...pages("Rows", queryLimit),
        sort: selecting.sort,
        search: selecting.search,
        filter: selecting.filter,
        ...choosing,
        format: text("Form of the answer.", { enum: ["json", "csv"], default: "json" }),
      },
      answerTypes: {
        "application/json": {
          ...object,
          properties: { data: listOf(object), meta: { ...object, properties: { pagination: ref("Pagination") } } },
        },
        "text/csv": { type: "string" },
      },
    }),
    async (request, reply) => {
      const { id } = request.params;
      const params = parametersOf(request);
      const format = readChoice(params, "format", ["json", "csv"], "json");
      const { rows, etag: _etag, ...page } = await queryView(request.ctx, id, params);
      setPageHeaders(request, reply, page, door);
      if (format === "csv") {
        const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
        return asAttachment(reply, csvType, `view-${id}.csv`).send(csvTable(columns, rows));
      }
      const { total, count, limit, offset } = page;
      const pages = {
        current_page: Math.floor(offset / limit) + 1,
        total_pages: Math.max(1, Math.ceil(total / limit)),
      };
      return sendJson(reply, { data: rows, meta: { pagination: { total, count, per_page: limit, ...pages } } });
    },
  );
  server.post<{ Params: ViewPath }>(
    "/:id/rebuild",
    described({ tag, summary: "Build a data view now", answer: wrapped(object) }),
    async (request, reply) => sendData(reply, await rebuildView(request.ctx, request.params.id)),
  );
}

/** Beside the routes of data views: automations have handlers too. */
export function handlerRoutes(server: FastifyInstance): void {
  server.post(
    "/handler-check",
    described({
      tag,
      summary: "Check the text of a handler without running it",
      description: "Takes the right to create data views. `problem` is null for a module that can be read.",
      body: { ...object, properties: { source: text("A module: `export default async (ctx) => value`.") } },
      answer: wrapped(object),
    }),
    async (request, reply) => sendData(reply, await checkHandler(request.ctx, bodyOf(request))),
  );
}
