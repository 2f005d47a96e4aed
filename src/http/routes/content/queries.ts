// Query (indexed properties, three formats) and the index of a collection.

import type { FastifyInstance } from "fastify";
import { rebuildIndex } from "#content/collections/reindex.ts";
import { listIndex, type QueryAnswer, queryFormats } from "#content/query/lists.ts";
import { type Expanded, queryExpanded } from "#content/relations/expanded.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { queryLimit } from "#contract/queries.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { csvType, jsonType } from "#http/media-types.ts";
import { setPageHeaders } from "#http/pages/page-headers.ts";
import { sendTable } from "#http/pages/pages.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { asAttachment, sendChunks, sendContentText } from "#http/send.ts";
import {
  choosing,
  choosingFields,
  described,
  expanding,
  expansion,
  listOf,
  paging,
  ref,
  selecting,
  text,
  wrapped,
} from "#openapi/route-doc.ts";
import { renderEntries } from "#site/render-entries.ts";

const tag = "Query and index";

export function queryRoutes(server: FastifyInstance, door: HttpParts): void {
  const queryDoc = localRead(
    described({
      tag,
      summary: "Query the indexed properties",
      query: {
        ...paging("Entries", queryLimit),
        ...selecting,
        ...choosing,
        expand: expanding,
        ...choosingFields,
        format: text("Form of the answer.", { enum: [...queryFormats], default: "json" }),
        template: text("With `format=html`: the template that renders each entry, as `object`."),
      },
      answerTypes: {
        "application/json": {
          type: "object",
          properties: {
            data: listOf({ type: "object" }),
            meta: {
              type: "object",
              properties: {
                pagination: ref("Pagination"),
                search: text("The extension that answered the search; `built-in` where it failed."),
              },
            },
            expand: expansion,
          },
        },
        "text/csv": { type: "string" },
        "text/html": { type: "string" },
      },
    }),
  );
  server.get<{ Params: CollectionPath }>("/:collection/query", queryDoc, async (request, reply) => {
    const { collection } = request.params;
    const page = await queryExpanded(request.ctx, collection, parametersOf(request));
    setPageHeaders(request, reply, page, door);
    switch (page.format) {
      case "csv":
        return asAttachment(reply, csvType, `collection-${collection}.csv`).send(page.text);
      case "html":
        return sendTable(reply, await htmlOf(request.ctx, collection, page));
      case "json":
        return sendContentText(reply, jsonOf(page));
    }
  });

  const indexDoc = {
    tag,
    query: { ...selecting, ...choosing },
    answer: wrapped(listOf({ type: "object" })),
  };
  server.get<{ Params: CollectionPath }>(
    "/:collection/index",
    localRead(described({ ...indexDoc, summary: "Get the whole index" })),
    async (request, reply) => {
      const pieces = await listIndex(request.ctx, request.params.collection, parametersOf(request));
      return sendChunks(reply.header("content-type", jsonType), asData(pieces));
    },
  );
  server.put<{ Params: CollectionPath }>(
    "/:collection/index",
    described({ ...indexDoc, summary: "Rebuild the index and get it" }),
    async (request, reply) => {
      const { collection } = request.params;
      // Rights are checked first: callers that may not read the index must not start a rebuild.
      const pieces = await listIndex(request.ctx, collection, parametersOf(request));
      await rebuildIndex(request.ctx, collection);
      return sendChunks(reply.header("content-type", jsonType), asData(pieces));
    },
  );
}

function jsonOf({ text: data, pagination, search, expand }: QueryAnswer & Expanded): string {
  const along = expand === undefined ? "" : `,"expand":${expand}`;
  return `{"data":${data},"meta":${JSON.stringify({ pagination, search })}${along}}`;
}

/** Without a template it is a table already; with one, `Link` names the next page. */
async function htmlOf(ctx: Context, collection: string, { template, text: found }: QueryAnswer): Promise<string> {
  if (template === undefined) return found;
  return renderEntries(ctx, template, { collection, entries: JSON.parse(found) as JsonObject[] });
}

async function* asData(pieces: AsyncIterable<string>): AsyncIterable<string> {
  yield '{"data":';
  yield* pieces;
  yield "}";
}
