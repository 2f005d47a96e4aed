// Reports: chosen fields of all objects as a file, and the list of fields to choose from.

import type { FastifyInstance } from "fastify";
import { reportCsv, reportJson, showReportFields } from "#content/reports.ts";
import { asAttachment, sendChunks, sendText } from "#http/answers.ts";
import { queryOf } from "#http/door.ts";
import { csvType, jsonType } from "#http/media-types.ts";
import { sendTable } from "#http/pages.ts";
import type { CollectionPath } from "#http/request.ts";
import { described, listOf, ref, text } from "#http/route-doc.ts";

const tag = "Reports";

export function reportRoutes(server: FastifyInstance): void {
  const fieldsDoc = described({
    tag,
    summary: "List the fields that a report can have",
    query: { format: text("Form of the answer.", { enum: ["html", "json"], default: "html" }) },
    answerTypes: { "text/html": { type: "string" }, "application/json": listOf(ref("ReportField")) },
  });
  server.get<{ Params: CollectionPath }>("/:collection/fields", fieldsDoc, async (request, reply) => {
    const answer = await showReportFields(request.ctx, request.params.collection, queryOf(request));
    return answer.format === "json" ? sendText(reply, answer.text) : sendTable(reply, answer.text);
  });

  for (const [format, report, type] of [
    ["csv", reportCsv, csvType],
    ["json", reportJson, jsonType],
  ] as const) {
    const doc = described({
      tag,
      summary: `Report as ${format.toUpperCase()}`,
      query: {
        fields: text("Comma list of properties; `deck.field` for the fields of deck items. Required."),
        include: text("Comma list of `property:value` or `property:operator:value`; all must hold."),
        exclude: text("The same; objects that match any are left out."),
      },
      answerTypes:
        format === "csv" ? { "text/csv": { type: "string" } } : { "application/json": listOf({ type: "object" }) },
    });
    server.get<{ Params: CollectionPath }>(`/:collection/${format}`, doc, async (request, reply) => {
      const { fileName, chunks } = await report(request.ctx, request.params.collection, queryOf(request));
      return sendChunks(asAttachment(reply, type, fileName), chunks);
    });
  }
}
