// The logs of the service, for administrators.

import type { FastifyInstance } from "fastify";
import { auditLimit, getAuditPage } from "#admin/audit-page.ts";
import { auditLogs } from "#contract/audit.ts";
import { parametersOf } from "#http/parameters.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

export function auditRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag: "System",
      summary: "Read the logs",
      description:
        "Newest first. A request reads a bounded part of the log: a page may have fewer entries than `limit`, even none, and X-Next-Cursor all the same.",
      query: {
        log: text("Sign-ins and changes of rights, the OAuth server, or calls over MCP.", {
          enum: [...auditLogs],
          default: "access",
        }),
        type: text("Only events of this type."),
        user: text("Only events about this user, or caused by this user."),
        since: text("Only events from this time on: an ISO time, or a duration before now such as P1D."),
        until: text("Only events up to this time, in the same form."),
        limit: whole(`Entries in a page; values above ${auditLimit.max} count as ${auditLimit.max}.`, {
          minimum: 1,
          default: auditLimit.default,
        }),
        cursor: text("Where to continue, from X-Next-Cursor of the last page."),
        after: text("Only entries that are newer than the one with this id."),
      },
      answer: wrapped(listOf(ref("AuditEntry"))),
    }),
    async (request, reply) => {
      const { entries, cursor } = await getAuditPage(request.ctx, parametersOf(request));
      if (cursor !== undefined) reply.header("x-next-cursor", cursor);
      return sendData(reply, entries);
    },
  );
}
