// Sync between two installations, for the admin persona: export and import of definitions.

import type { FastifyInstance } from "fastify";
import { parseJsonInPieces } from "#base/json-pieces.ts";
import { acceptJson } from "#http/bodies.ts";
import { bodyOf, type HttpParts, queryOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";
import { exportFor, importSync } from "#sync/import.ts";
import { categories } from "#sync/selection.ts";

const tag = "Sync";
const definition = ref("JumpstartDefinition");
const ids = "Comma list of ids; empty: all of them; left out: none, unless no parameter is given.";

export function syncRoutes(server: FastifyInstance, { app }: HttpParts): void {
  acceptJson(server, app, app.settings.get("sync.maxBodySize"), parseJsonInPieces);
  server.get(
    "/export",
    described({
      tag,
      summary: "Export schemas, templates, collection settings and feature objects",
      description: "Without parameters, everything that sync transfers.",
      query: {
        ...Object.fromEntries(categories.map((category) => [category, text(`The ${category}. ${ids}`)])),
        objects: text("`collection` or `collection:id,id`: which objects that may be seeded exist, by content hash."),
      },
      answer: wrapped(definition),
    }),
    // Unknown parameters are refused: a misspelled one would ask for everything.
    async (request, reply) => sendData(reply, await exportFor(request.ctx, queryOf(request))),
  );
  server.post(
    "/import",
    described({
      tag,
      summary: "Import the export of another installation",
      description: "Replaces items of the same id, deletes nothing. The import is all or nothing.",
      body: definition,
      answer: wrapped(ref("ImportReport")),
    }),
    async (request, reply) => sendData(reply, await importSync(request.ctx, bodyOf(request))),
  );
}
