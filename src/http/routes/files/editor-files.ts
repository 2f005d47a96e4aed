// Files of the rich-text editor, stored beside a text: links instead of objects.

import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findText } from "#content/query/parameters.ts";
import { formCsrf } from "#http/pages/form-csrf.ts";
import type { PropertyPath } from "#http/request.ts";
import { queryOf } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { partsOf, refuseForm } from "#http/uploads.ts";
import { fileRef } from "#media/open-files.ts";
import { deleteEditorFile, getEditorLink, listEditorFiles, openEditorUpload } from "#media/uploads/editor-files.ts";
import { described, listOf, text } from "#openapi/route-doc.ts";
import type { FileRef } from "#schemas/values/resolve-file.ts";

interface FilePath extends PropertyPath {
  "*"?: string;
}
type FileRequest = FastifyRequest<{ Params: FilePath }>;

const tag = "Editor files";
const link = { type: "object", properties: { link: text("Address of the file.") } };
const listed = { type: "object", properties: { name: text("Its name."), thumbnail: text(""), url: text("Its link.") } };

export function editorFileRoutes(server: FastifyInstance): void {
  const path = "/:collection/:id/:property";
  server.register(fastifyMultipart);
  for (const url of [path, `${path}/*`]) {
    const doc = {
      tag,
      summary: url === path ? "Upload a file of a text" : "Upload a file of a text to a folder",
      bodyTypes: ["multipart/form-data"],
      body: { type: "object", properties: { file: text("The file.") } },
      answer: link,
    };
    const config = { ...formCsrf.config, doc, isUpload: true } as const;
    server.post<{ Params: FilePath }>(url, { ...formCsrf, config }, upload);
  }
  server.get<{ Params: FilePath }>(
    path,
    described({
      tag,
      summary: "List the files of a text",
      query: { path: text("Folder.") },
      answer: { type: "object", properties: { files: listOf(listed) } },
    }),
    async (request, reply) => {
      const ref = fileRef(request.params, findText(queryOf(request), "path"));
      return sendJson(reply, await listEditorFiles(request.ctx, ref));
    },
  );
  server.get<{ Params: FilePath }>(
    `${path}/*`,
    described({ tag, summary: "Get the link to a file of a text", answer: link }),
    async (request, reply) => sendJson(reply, await getEditorLink(request.ctx, refOf(request))),
  );
  server.delete<{ Params: FilePath }>(
    `${path}/*`,
    described({
      tag,
      summary: "Delete a file of a text",
      answer: { type: "object", properties: { status: { const: true } } },
    }),
    async (request, reply) => sendJson(reply, await deleteEditorFile(request.ctx, refOf(request))),
  );
}

async function upload(request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opening = openEditorUpload(request.ctx, refOf(request));
  const opened = await opening.catch((error) => refuseForm(request, error));
  const parts = request.isMultipart() ? partsOf(request) : nothing();
  return sendJson(reply, (await opened.receive(parts)) ?? { status: "chunk received" });
}

async function* nothing(): AsyncIterable<never> {}

function refOf({ params }: FileRequest): FileRef {
  return fileRef(params, params["*"]);
}
