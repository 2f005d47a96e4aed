// Download and stream, at the root of the site: the files of objects, and what the editor has uploaded.

import type { IncomingMessage } from "node:http";
import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { getDownloads } from "#content/download-counts.ts";
import type { Pass } from "#content/protection.ts";
import { openFile } from "#content/sent-files.ts";
import { sendData } from "#http/answers.ts";
import { readBody } from "#http/bodies.ts";
import { queryOf } from "#http/door.ts";
import { type Sending, sendFile } from "#http/file-answers.ts";
import { BadQuery, parseQuery, type Query } from "#http/query-string.ts";
import type { PropertyPath } from "#http/request.ts";
import { described, listOf, text, whole, wrapped } from "#http/route-doc.ts";
import { partsOf } from "#http/uploads.ts";

interface FilePath extends PropertyPath {
  "*"?: string;
}

const tag = "Files";
const query = {
  path: text("Folder of a depot."),
  pwd: text("Encrypted password of a protected file, as `file:password` makes it."),
};
const answerTypes = { "*/*": { type: "string", format: "binary" } };
const formType = "application/x-www-form-urlencoded";
const maxForm = 16_384;

/** Beside the other routes of an object. */
export function downloadCountRoutes(server: FastifyInstance): void {
  server.get<{ Params: PropertyPath }>(
    "/:collection/:id/:property/downloads",
    described({
      tag,
      summary: "How often the files of a property were fetched",
      answer: wrapped({
        type: "object",
        properties: {
          total: whole("All files together."),
          files: listOf({
            type: "object",
            properties: { path: text("From the property on."), count: whole("How often.") },
          }),
        },
      }),
    }),
    async (request, reply) => sendData(reply, await getDownloads(request.ctx, request.params)),
  );
}

export function fileRoutes(server: FastifyInstance): void {
  acceptPasswords(server);
  addDoor(server, "/download", {
    sending: { disposition: "attachment", hasRanges: false },
    summary: "Download a file",
    description: "The whole file, to be saved.",
  });
  addDoor(server, "/stream", {
    sending: { disposition: "inline", hasRanges: true },
    summary: "Stream a file",
    description: "Shown in place where its type is harmless; `Range` asks for a part.",
  });
}

interface DoorDoc {
  sending: Sending;
  summary: string;
  description: string;
}

function addDoor(server: FastifyInstance, root: string, { sending, ...doc }: DoorDoc): void {
  const route = described({ tag, query, answerTypes, ...doc });
  for (const [place, isUpload] of [
    ["", false],
    ["/upload", true],
  ] as const) {
    const handler = (request: FastifyRequest<{ Params: FilePath }>, reply: FastifyReply) =>
      answer(request, reply, { sending, isUpload });
    for (const rest of isUpload ? ["/*"] : ["", "/*"]) {
      const url = `${root}${place}/:collection/:id/:property${rest}`;
      server.route<{ Params: FilePath }>({ method: ["GET", "HEAD"], url, ...route, handler });
      if (sending.disposition === "inline" || isUpload) continue;
      server.post<{ Params: FilePath }>(url, described({ ...route.config.doc, ...passwordForm }), handler);
    }
  }
}

const passwordForm = {
  summary: "Download a file with its password",
  body: { type: "object", properties: { password: text("As typed.") } },
  bodyTypes: [formType, "multipart/form-data", "application/json"],
};

async function answer(
  request: FastifyRequest<{ Params: FilePath }>,
  reply: FastifyReply,
  { sending, isUpload }: { sending: Sending; isUpload: boolean },
): Promise<FastifyReply> {
  const { collection, id, property, "*": rest } = request.params;
  const folder = queryOf(request).path;
  const file = await openFile(request.ctx, {
    collection,
    id,
    path: [property, ...segmentsOf(rest)],
    ...(folder !== undefined && { folder: textOf("path", folder) }),
    isUpload,
    pass: passOf(request, request.isMultipart() ? await passwordIn(request) : undefined),
  });
  return sendFile(request, reply, file, sending);
}

/** A plus is a blank, as forms write it: no stored name has one. */
export function segmentsOf(path: string | undefined): string[] {
  return path ? path.replaceAll("+", " ").split("/") : [];
}

export function passOf(request: FastifyRequest, inForm?: string): Pass {
  const { pwd } = queryOf(request);
  const password = inForm ?? (request.body as Query | undefined)?.password;
  return {
    pwd: pwd === undefined ? undefined : textOf("pwd", pwd),
    password: password === undefined ? undefined : textOf("password", password),
    address: request.ip,
  };
}

async function passwordIn(request: FastifyRequest): Promise<string | undefined> {
  let password: string | undefined;
  for await (const part of partsOf(request)) {
    if (!("value" in part)) fail("invalid", "This form takes no file.");
    if (part.field !== "password") continue;
    if (password !== undefined) fail("invalid", undefined, { password: ["must be one text"] });
    password = part.value;
  }
  return password;
}

function textOf(name: string, value: unknown): string {
  return typeof value === "string" ? value : fail("invalid", undefined, { [name]: ["must be one text"] });
}

/** Besides JSON, what a form sends, in either of its two ways. */
function acceptPasswords(server: FastifyInstance): void {
  server.register(fastifyMultipart);
  server.addContentTypeParser(formType, async (_request: unknown, payload: IncomingMessage) => {
    const fields = parseQuery((await readBody(payload, maxForm)).toString("utf8"));
    if (fields instanceof BadQuery) throw fields.error;
    return fields;
  });
}
