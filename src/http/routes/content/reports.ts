// Reports: chosen fields of all objects as a file, and the list of fields to choose from.

import type { FastifyInstance } from "fastify";
import { localRead } from "#http/forward/forward-requests.ts";
import { csvType, jsonType } from "#http/media-types.ts";
import { sendTable } from "#http/pages/pages.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { asAttachment, sendChunks, sendText } from "#http/send.ts";
import { described, expanding, filtering, listOf, ref, selecting, text } from "#openapi/route-doc.ts";
import { reportCsv, reportJson, showReportFields } from "#transfer/reports.ts";

const tag = "Reports";

export function reportRoutes(server: FastifyInstance): void {
  const fieldsDoc = localRead(
    described({
      tag,
      summary: "List the fields for a report",
      query: { format: text("Form of the answer.", { enum: ["html", "json"], default: "html" }) },
      answerTypes: { "text/html": { type: "string" }, "application/json": listOf(ref("ReportField")) },
    }),
  );
  server.get<{ Params: CollectionPath }>("/:collection/fields", fieldsDoc, async (request, reply) => {
    const answer = await showReportFields(request.ctx, request.params.collection, parametersOf(request));
    return answer.format === "json" ? sendText(reply, answer.text) : sendTable(reply, answer.text);
  });

  for (const [format, report, type] of [
    ["csv", reportCsv, csvType],
    ["json", reportJson, jsonType],
  ] as const) {
    const doc = localRead(
      described({
        tag,
        summary: `Report as ${format.toUpperCase()}`,
        query: {
          fields: {
            type: ["string", "array"],
            items: { type: "string" },
            description:
              "Comma list of properties, or `fields[]` for each; `deck.field` for the fields of deck items. Required.",
          },
          ...filtering,
          expand: {
            ...expanding,
            description: `${expanding.description} As JSON alone: the answer is then {data, expand}.`,
          },
          search: selecting.search,
          filter: {
            ...selecting.filter,
            type: ["object", "string"],
            description: "`filter[property]=value` as on lists; as text, an alias of include.",
          },
        },
        answerTypes:
          format === "csv" ? { "text/csv": { type: "string" } } : { "application/json": listOf({ type: "object" }) },
      }),
    );
    server.get<{ Params: CollectionPath }>(`/:collection/${format}`, doc, async (request, reply) => {
      const { fileName, chunks } = await report(request.ctx, request.params.collection, parametersOf(request));
      return sendChunks(asAttachment(reply, type, fileName), chunks);
    });
  }
}
