// Sync between two installations, for the admin persona: export and import of definitions.

import type { FastifyInstance } from "fastify";
import { parseJsonInPieces } from "#base/json-pieces.ts";
import { version } from "#base/version.ts";
import { acceptJson } from "#http/bodies.ts";
import { bodyOf, type HttpParts, queryOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";
import { exportFor, importSync } from "#sync/import.ts";
import { versionHeader } from "#sync/remote.ts";
import { categories } from "#sync/selection.ts";
import { compareWithRemote, differenceToRemote, lookAtRemote, moveToOrFrom } from "#sync/with-remote.ts";

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
    async (request, reply) => {
      const data = await exportFor(request.ctx, queryOf(request));
      return sendData(reply.header(versionHeader, version), data);
    },
  );
  server.post(
    "/import",
    described({
      isOfPower: true,
      tag,
      summary: "Import the export of another installation",
      description: "Replaces items of the same id, deletes nothing. The import is all or nothing.",
      body: definition,
      answer: wrapped(ref("ImportReport")),
    }),
    async (request, reply) => sendData(reply, await importSync(request.ctx, bodyOf(request))),
  );
  remoteRoutes(server);
}

const forAll = "For administrators, and for keys for every endpoint.";

/** With the remote that this installation has the key of. */
function remoteRoutes(server: FastifyInstance): void {
  server.get(
    "/remote",
    described({
      tag,
      summary: "Get the remote of sync",
      description: `Its address, whether it answers and takes the key, its version. ${forAll}`,
      answer: wrapped(ref("SyncRemote")),
    }),
    async (request, reply) => sendData(reply, await lookAtRemote(request.ctx)),
  );
  server.post(
    "/compare",
    described({
      tag,
      summary: "Compare with the remote",
      description: `What a push or a pull would do, item by item. Nothing is changed. ${forAll}`,
      body: ref("SyncRequest"),
      answer: wrapped(ref("SyncComparison")),
    }),
    async (request, reply) => sendData(reply, await compareWithRemote(request.ctx, bodyOf(request))),
  );
  for (const direction of ["push", "pull"] as const) {
    server.post(
      `/${direction}`,
      described({
        tag,
        summary: direction === "push" ? "Push to the remote" : "Pull from the remote",
        description: `Replaces items of the same id, deletes nothing. One push or pull at a time. ${forAll}`,
        ...(direction === "pull" && { isOfPower: true }),
        body: ref("SyncRequest"),
        answer: wrapped(ref("SyncDone")),
      }),
      async (request, reply) => sendData(reply, await moveToOrFrom(request.ctx, direction, bodyOf(request))),
    );
  }
  server.post(
    "/difference",
    described({
      tag,
      summary: "Get both copies of an item",
      description: `\`null\` on the side that has none. Objects that are seeded are not shown by the remote. ${forAll}`,
      body: {
        type: "object",
        properties: {
          kind: text("What it is.", { enum: ["schema", "template", "collection", "object"] }),
          id: text("Its id."),
          collection: text("Of an object."),
        },
        required: ["kind", "id"],
      },
      answer: wrapped(ref("SyncDifference")),
    }),
    async (request, reply) => sendData(reply, await differenceToRemote(request.ctx, bodyOf(request))),
  );
}
