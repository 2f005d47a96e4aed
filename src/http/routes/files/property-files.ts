// Files of a property: upload, delete, folders of a depot, and the cache of derived images.

import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { replaceItem } from "#content/objects/items.ts";
import { isDeck } from "#content/objects/properties.ts";
import { findText } from "#content/query/parameters.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { formCsrf } from "#http/pages/form-csrf.ts";
import type { PropertyPath } from "#http/request.ts";
import { bodyOf, ifMatchOf, queryOf } from "#http/request-helpers.ts";
import { sendJson, sendObject } from "#http/send.ts";
import { partsOf, refuseForm } from "#http/uploads.ts";
import { createFolder, moveFile, renameFolder } from "#media/depots.ts";
import { fileRef } from "#media/open-files.ts";
import { clearCache, deleteFile } from "#media/property-files.ts";
import { openUpload, uploadForm, uploadFromUrl } from "#media/uploads/uploads.ts";
import { described, type RouteDoc, ref, text, whole, wrapped } from "#openapi/route-doc.ts";
import type { FileRef } from "#schemas/values/resolve-file.ts";

interface FilePath extends PropertyPath {
  "*"?: string;
}
type FileRequest = FastifyRequest<{ Params: FilePath }>;

const tag = "Property files";
const answer = wrapped(ref("Object"));
const isConditional = true;
const folderQuery = { path: text("Folder of a depot.") };
const cleared = { type: "object", properties: { deleted: whole("Cached images removed.") } };

export function propertyFileRoutes(server: FastifyInstance): void {
  const path = "/:collection/:id/:property";
  const uploadDoc: RouteDoc = {
    tag,
    summary: "Upload a file",
    description:
      "A form with the file under the property's name, the same in chunks (dzchunkindex, dztotalchunkcount), " +
      "or a JSON body with the property's name set to a URL.",
    query: folderQuery,
    bodyTypes: ["multipart/form-data", "application/json"],
    body: { type: "object", additionalProperties: text("The file, or its URL.") },
    isConditional,
    answer: { oneOf: [answer, { type: "object", properties: { status: text("`chunk received`") } }] },
  };

  // In a scope of its own: no other route takes forms.
  server.register((scope, _options, done) => {
    scope.register(fastifyMultipart);
    for (const [url, summary] of [
      [path, "Upload a file"],
      [`${path}/*`, "Upload a file to a folder or a child"],
    ] as const) {
      const config = { ...formCsrf.config, doc: { ...uploadDoc, summary }, isUpload: true } as const;
      scope.post<{ Params: FilePath }>(url, { ...formCsrf, config }, upload);
    }
    done();
  });

  server.delete<{ Params: FilePath }>(
    `${path}/*`,
    described({ tag, summary: "Delete a file or folder", query: folderQuery, isConditional, answer }),
    (request, reply) => remove(request, reply, refOf(request)),
  );
  server.delete<{ Params: PropertyPath }>(
    `${path}/cache`,
    described({ tag, summary: "Clear the cached images of a property", query: folderQuery, answer: cleared }),
    (request, reply) => remove(request, reply, fileRef(request.params, "cache")),
  );

  server.post<{ Params: PropertyPath }>(
    `${path}/folder`,
    described({
      tag,
      summary: "Make a folder in a depot",
      body: { type: "object", properties: { path: text("Slashes make nested folders.") }, required: ["path"] },
      isConditional,
      answer,
    }),
    async (request, reply) => {
      const change = { path: fieldsOf(request).path, ifMatch: ifMatchOf(request) };
      return sendObject(reply, await createFolder(request.ctx, request.params, change));
    },
  );
  server.put<{ Params: PropertyPath }>(
    `${path}/folder/rename`,
    described({
      tag,
      summary: "Rename a folder of a depot",
      query: { path: text("Present path of the folder.") },
      body: { type: "object", properties: { name: text("New name of the last segment.") }, required: ["name"] },
      isConditional,
      answer,
    }),
    async (request, reply) => {
      if (await isDeck(request.ctx, request.params)) return replaceChild(request, reply, ["folder", "rename"]);
      const { name } = fieldsOf(request);
      const change = { path: findText(queryOf(request), "path"), name, ifMatch: ifMatchOf(request) };
      return sendObject(reply, await renameFolder(request.ctx, request.params, change));
    },
  );
  server.put<{ Params: PropertyPath & { name: string } }>(
    `${path}/:name/move`,
    described({
      tag,
      summary: "Move a file of a depot to another folder",
      query: folderQuery,
      body: {
        type: "object",
        properties: { destination: text("Folder to move to; empty: the top.") },
        required: ["destination"],
      },
      isConditional,
      answer: { type: "object", properties: { moved: { const: true } } },
    }),
    async (request, reply) => {
      const { name, ...target } = request.params;
      if (await isDeck(request.ctx, target)) return replaceChild(request, reply, [name, "move"]);
      return move(request, reply, { ...target, name });
    },
  );
}

export async function move(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, ...target }: PropertyPath & { name: string },
): Promise<FastifyReply> {
  const { destination } = fieldsOf(request);
  const change = { name, path: findText(queryOf(request), "path"), destination, ifMatch: ifMatchOf(request) };
  return sendJson(reply, await moveFile(request.ctx, target, change));
}

/** A file called `cache` is meant only where its folder is named in the query, also for the top folder. */
export async function remove(request: FastifyRequest, reply: FastifyReply, ref: FileRef): Promise<FastifyReply> {
  const query = queryOf(request);
  if (ref.path.length > 1 && ref.path.at(-1) === "cache" && query.path === undefined) {
    return sendJson(reply, await clearCache(request.ctx, { ...ref, path: ref.path.slice(0, -1) }));
  }
  const change = { folder: findText(query, "path"), ifMatch: ifMatchOf(request) };
  return sendObject(reply, await deleteFile(request.ctx, ref, change));
}

/** The child of a deck item may have the name of a depot operation. */
async function replaceChild(
  request: FastifyRequest<{ Params: PropertyPath }>,
  reply: FastifyReply,
  [name, child]: [string, string],
): Promise<FastifyReply> {
  const change = { name, child, fields: bodyOf(request), ifMatch: ifMatchOf(request) };
  return sendObject(reply, await replaceItem(request.ctx, request.params, change));
}

async function upload(request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx } = request;
  const opening = openUpload(ctx, refOf(request), findText(queryOf(request), "path"));
  const opened = await opening.catch((error) => refuseForm(request, error));
  const condition = { ifMatch: ifMatchOf(request) };
  const saved = request.isMultipart()
    ? await uploadForm(ctx, opened, partsOf(request), condition)
    : await uploadFromUrl(ctx, opened, request.body as Json | undefined, condition);
  return saved ? sendObject(reply, saved.answer) : sendJson(reply, { status: "chunk received" });
}

function refOf({ params }: FileRequest): FileRef {
  return fileRef(params, params["*"]);
}

function fieldsOf({ body }: FastifyRequest): JsonObject {
  return isJsonObject(body as Json | undefined) ? (body as JsonObject) : {};
}
