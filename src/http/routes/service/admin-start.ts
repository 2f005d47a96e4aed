// For the admin: the start of a session, the description of a form, search over all collections, recent changes.

import type { FastifyInstance } from "fastify";
import { describeForm } from "#admin/forms.ts";
import { findRecent, searchEverywhere } from "#admin/search.ts";
import { getAdminStart } from "#admin/start.ts";
import { findText, readPaging, refuse } from "#content/query/parameters.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { signedInOf } from "#http/routes/accounts/auth.ts";
import { sendData, sendFresh, tagged } from "#http/send.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

const tag = "Admin";
const page = { default: 20, max: 100 };
const limit = whole(`Objects in the answer; values above ${page.max} count as ${page.max}.`, {
  minimum: 1,
  default: page.default,
});
const found = wrapped(listOf(ref("FoundObject")));

export function adminStartRoutes(server: FastifyInstance): void {
  server.get(
    "/admin",
    described({
      tag,
      summary: "Get what the admin starts with",
      description:
        "The user and their rights, the site, and the collections that the user may read. For sessions alone.",
      isTagged: true,
      answer: wrapped(ref("AdminStart")),
    }),
    async (request, reply) => {
      const data = await getAdminStart(request.ctx, signedInOf(request));
      return sendFresh(request, reply, tagged({ data }));
    },
  );
  server.get<{ Params: CollectionPath }>(
    "/forms/:collection",
    described({
      tag,
      summary: "Get what the form of an object is drawn from",
      description: "For callers that may read the objects, or this object.",
      query: { object: text("With the overrides of this object.") },
      isTagged: true,
      answer: wrapped(ref("FormDescription")),
    }),
    async (request, reply) => {
      const data = await describeForm(
        request.ctx,
        request.params.collection,
        findText(parametersOf(request), "object"),
      );
      return sendFresh(request, reply, tagged({ data }));
    },
  );
  server.get(
    "/search",
    described({
      tag,
      summary: "Search all collections",
      description:
        "Over all that the caller may read, the best of each collection first. For sessions, and keys for every endpoint.",
      query: {
        q: text("Full-text terms; all must match, or any with `or` between them; quotes make a phrase."),
        limit,
        collections: text("Comma list of collections to search in."),
      },
      answer: found,
    }),
    async (request, reply) => {
      const params = parametersOf(request);
      const query = findText(params, "q")?.trim() || refuse("q", "q is required: the words to search for.");
      const collections = findText(params, "collections")
        ?.split(",")
        .map((id) => id.trim());
      return sendData(
        reply,
        await searchEverywhere(request.ctx, { query, collections, limit: readPaging(params, page).limit }),
      );
    },
  );
  server.get(
    "/recent",
    described({
      tag,
      summary: "List the objects that were changed last",
      description:
        "In all collections that the caller may read, newest first. For sessions, and keys for every endpoint.",
      query: { limit },
      answer: found,
    }),
    async (request, reply) => {
      return sendData(reply, await findRecent(request.ctx, readPaging(parametersOf(request), page).limit));
    },
  );
}
