// Redirects of the website, for the admin persona and the builder right.

import type { FastifyInstance } from "fastify";
import { fail } from "#base/errors.ts";
import { readPaging } from "#content/query/parameters.ts";
import { isJsonObject } from "#contract/json.ts";
import { listLimit } from "#contract/queries.ts";
import { redirectOrigins, redirectStatuses } from "#contract/redirects.ts";
import { readBody } from "#http/bodies.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { anyValue, described, flag, listOf, pages, text, whole, wrapped } from "#openapi/route-doc.ts";
import {
  createRedirect,
  deleteRedirect,
  importRedirects,
  listRedirects,
  replaceRedirect,
} from "#redirects/redirects.ts";

interface RedirectPath {
  id: string;
}

const tag = "Site";
const object = { type: "object" };
const answer = wrapped(anyValue);
const body = {
  ...object,
  properties: {
    source: text("A path; `/*` at its end stands for all below."),
    target: text("A path of this site or an address; `:splat` stands for what `*` has matched. Empty with status 410."),
    status: whole("The status of the answer.", { enum: [...redirectStatuses], default: 301 }),
  },
};
const maxImportBytes = 8_000_000;
const bareTypes = ["text/csv", "text/plain"];

export function redirectRoutes(server: FastifyInstance): void {
  const { limit } = pages("Redirects", listLimit);
  server.get(
    "/",
    described({
      tag,
      summary: "List redirects, by source",
      query: {
        limit,
        cursor: text("Where to continue, from X-Next-Cursor of the last page."),
        search: text("Part of a source or target."),
        origin: text("Only redirects of this origin.", { enum: [...redirectOrigins] }),
      },
      answer: wrapped(listOf(object)),
    }),
    async (request, reply) => {
      const asked = parametersOf(request);
      const { limit } = readPaging(asked, listLimit);
      const [cursor, search, origin] = [asked.cursor, asked.search, asked.origin].map(textOf);
      const { redirects, total, next } = await listRedirects(request.ctx, { limit, cursor, search, origin });
      if (next !== undefined) reply.header("x-next-cursor", next);
      return sendJson(reply.header("x-total-count", total), { data: redirects, meta: { total, limit } });
    },
  );
  server.post(
    "/",
    described({ tag, summary: "Create a redirect", body, status: 201, answer }),
    async (request, reply) => sendData(reply.code(201), await createRedirect(request.ctx, bodyOf(request))),
  );
  server.put<{ Params: RedirectPath }>(
    "/:id",
    described({ tag, summary: "Replace a redirect", body, answer }),
    async (request, reply) => sendData(reply, await replaceRedirect(request.ctx, request.params.id, bodyOf(request))),
  );
  server.delete<{ Params: RedirectPath }>(
    "/:id",
    described({ tag, summary: "Delete a redirect", status: 204 }),
    async (request, reply) => {
      await deleteRedirect(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}

/** A scope of its own: the file is the bare body. */
export function redirectImportRoutes(server: FastifyInstance): void {
  server.addContentTypeParser(bareTypes, (_request, payload, done) => {
    readBody(payload, { bytes: maxImportBytes, isPublic: false }).then((bytes) => done(null, String(bytes)), done);
  });
  server.post(
    "/import",
    described({
      tag,
      summary: "Import redirects",
      description:
        "CSV with source, target and status, or the `_redirects` form, as the body or as `text` of a JSON body. " +
        "A wrong line is reported by its number, and nothing is stored unless `skipErrors` is set.",
      query: {
        dryRun: flag("`true`: store nothing, answer what would be done, with `errors` by line."),
        skipErrors: flag("`true`: store the lines that are right."),
      },
      body: { ...object, properties: { text: text("The file.") } },
      bodyTypes: bareTypes,
      answer,
    }),
    async (request, reply) => {
      const { dryRun, skipErrors } = parametersOf(request);
      const options = { isDryRun: isOn(dryRun), skipsErrors: isOn(skipErrors) };
      return sendData(reply, await importRedirects(request.ctx, fileOf(bodyOf(request)), options));
    },
  );
}

function fileOf(body: unknown): string {
  if (typeof body === "string") return body;
  const sent = isJsonObject(body as never) ? (body as { text?: unknown }).text : undefined;
  return typeof sent === "string" ? sent : fail("invalid", "The body needs a text.", { text: ["is required"] });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isOn(value: unknown): boolean {
  return value === "true" || value === "1";
}
