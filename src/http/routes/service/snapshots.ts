// Snapshots: content that imports, sync and restores have replaced.

import type { FastifyInstance } from "fastify";
import { findText, readPaging } from "#content/query/parameters.ts";
import { snapshotKinds } from "#contract/admin.ts";
import { parametersOf } from "#http/parameters.ts";
import type { Query } from "#http/query-string.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, pages, ref, text, wrapped } from "#openapi/route-doc.ts";
import { getSnapshot, pageSnapshots, restoreNamed } from "#sync/snapshots/restore.ts";
import type { SnapshotChoice } from "#sync/snapshots/snapshots.ts";

const tag = "Snapshots";
const page = { default: 50, max: 100 };
const rights =
  "Those of objects are for callers that may read and update the objects of the collection by a right of their own, all " +
  "others for administrators.";

export function snapshotRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List snapshots of replaced content, or get one",
      description: `The newest first. Imports, sync and restores leave them, the newest ten of each item. ${rights}`,
      query: {
        kind: text("Only of this kind.", { enum: [...snapshotKinds] }),
        collection: text("Only of objects of this collection."),
        id: text("Only of the item with this id."),
        search: text("Only of items whose id, or whose collection, contains this."),
        file: text("That one with its content, by its name in the list."),
        ...pages("Snapshots", page),
      },
      answer: wrapped({ oneOf: [listOf(ref("Snapshot")), ref("SnapshotContent")] }),
    }),
    async (request, reply) => {
      const query = parametersOf(request);
      const file = findText(query, "file");
      if (file !== undefined) return sendData(reply, await getSnapshot(request.ctx, file));
      const { limit, offset } = readPaging(query, page);
      const { snapshots, total } = await pageSnapshots(request.ctx, {
        ...readTarget(query),
        search: findText(query, "search"),
        limit,
        offset,
      });
      return sendData(reply.header("x-total-count", total), snapshots);
    },
  );
  server.post(
    "/restore",
    described({
      isOfPower: true,
      tag,
      summary: "Restore a snapshot",
      description: `Through the normal save. What it replaces becomes a snapshot; files and passwords stay as they are. ${rights}`,
      body: { type: "object", properties: { file: text("By its name in the list.") }, required: ["file"] },
      answer: wrapped(ref("SnapshotRestored")),
    }),
    async (request, reply) => sendData(reply, await restoreNamed(request.ctx, bodyOf(request))),
  );
}

/** Validated by the route's description. */
function readTarget(query: Query): SnapshotChoice {
  const kind = findText(query, "kind") as SnapshotChoice["kind"];
  return { kind, collection: findText(query, "collection"), id: findText(query, "id") };
}
