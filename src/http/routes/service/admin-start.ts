// For the admin: the start of a session, and the description of a form.

import type { FastifyInstance } from "fastify";
import { describeForm } from "#admin/forms.ts";
import { getAdminStart } from "#admin/start.ts";
import { findText } from "#content/query/parameters.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { signedInOf } from "#http/routes/accounts/auth.ts";
import { sendFresh, tagged } from "#http/send.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Admin";

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
}
