// Download and stream, at the root of the site: files of objects, and uploads of the editor.

import type { IncomingMessage } from "node:http";
import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { readBody } from "#http/bodies.ts";
import { type Sending, sendFile } from "#http/file-answers.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { asksForPassword, sendPasswordPage } from "#http/pages/password-page.ts";
import { BadQuery, parseQuery, type Query } from "#http/query-string.ts";
import type { PropertyPath } from "#http/request.ts";
import { queryOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { partsOf } from "#http/uploads.ts";
import { getDownloads } from "#media/serving/download-counts.ts";
import { withFile } from "#media/serving/open-file.ts";
import type { Pass } from "#media/serving/protection.ts";
import { described, listOf, text, whole, wrapped } from "#openapi/route-doc.ts";
import { showsDraftFiles } from "#site/previews/look.ts";

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
const formLimit = { bytes: 16_384, isPublic: false };

/** Registered with the other routes of an object. */
export function downloadCountRoutes(server: FastifyInstance): void {
  server.get<{ Params: PropertyPath }>(
    "/:collection/:id/:property/downloads",
    described({
      tag,
      summary: "Get the download counts of a property's files",
      answer: wrapped({
        type: "object",
        properties: {
          total: whole("Sum over all files."),
          files: listOf({
            type: "object",
            properties: { path: text("Path below the property."), count: whole("Number of downloads.") },
          }),
        },
      }),
    }),
    async (request, reply) => sendData(reply, await getDownloads(request.ctx, request.params)),
  );
}

const download = {
  sending: { disposition: "attachment", hasRanges: false },
  summary: "Download a file",
  description: "The whole file, as an attachment.",
} as const;
const stream = {
  sending: { disposition: "inline", hasRanges: true },
  summary: "Stream a file",
  description: "Shown in place where its type is harmless; `Range` asks for a part.",
} as const;

/** A browser that asks for a file as one of these would run it, or apply it, as a part of a page. */
const partsOfPages = new Set(
  "script style worker sharedworker serviceworker manifest audioworklet paintworklet xslt".split(" "),
);

export function fileRoutes(server: FastifyInstance): void {
  server.addHook("onRequest", (request, _reply, done) => {
    const wanted = request.headers["sec-fetch-dest"];
    if (wanted !== undefined && partsOfPages.has(String(wanted)))
      fail("forbidden", `An uploaded file cannot be the ${wanted} of a page. Put it into public/.`);
    done();
  });
  addDoor(server, "/download", download);
  addDoor(server, "/stream", stream);
  // In a scope of its own, because the form parser runs for each request of its scope.
  server.register((scope, _options, done) => {
    addPasswordDoor(scope);
    done();
  });
}

interface DoorDoc {
  sending: Sending;
  summary: string;
  description: string;
}

const ofObject = "/:collection/:id/:property";

function addDoor(server: FastifyInstance, root: string, { sending, ...doc }: DoorDoc): void {
  const route = localRead(described({ tag, query, answerTypes, ...doc }));
  for (const [url, isUpload] of [
    [`${root}${ofObject}`, false],
    [`${root}${ofObject}/*`, false],
    [`${root}/upload${ofObject}/*`, true],
  ] as const) {
    const handler = (request: FileRequest, reply: FastifyReply) => sendFound(request, reply, { sending, isUpload });
    server.route<{ Params: FilePath }>({ method: ["GET", "HEAD"], url, ...route, handler });
  }
}

const passwordForm = described({
  tag,
  query,
  answerTypes,
  summary: "Download a file with its password",
  description: download.description,
  body: { type: "object", properties: { password: text("The password in plain text.") } },
  bodyTypes: [formType, "multipart/form-data", "application/json"],
});

function addPasswordDoor(server: FastifyInstance): void {
  server.register(fastifyMultipart);
  server.addContentTypeParser(formType, async (_request: unknown, payload: IncomingMessage) => {
    const fields = parseQuery((await readBody(payload, formLimit)).toString("utf8"));
    if (fields instanceof BadQuery) throw fields.error;
    return fields;
  });
  const { sending } = download;
  for (const url of [`/download${ofObject}`, `/download${ofObject}/*`])
    server.post<{ Params: FilePath }>(url, passwordForm, async (request, reply) => {
      const inForm = request.isMultipart() ? await passwordIn(request) : undefined;
      return sendFound(request, reply, { sending, isUpload: false, inForm });
    });
}

type FileRequest = FastifyRequest<{ Params: FilePath }>;

interface Asked {
  sending: Sending;
  isUpload: boolean;
  /** A password. */
  inForm?: string | undefined;
}

async function sendFound(
  request: FileRequest,
  reply: FastifyReply,
  { sending, isUpload, inForm }: Asked,
): Promise<FastifyReply> {
  const { collection, id, property, "*": rest } = request.params;
  const folder = queryOf(request).path;
  const pass = passOf(request, inForm);
  try {
    const seesDraft = await previewOf(request)?.(collection, id);
    const asked = {
      ...(seesDraft && { seesDraft }),
      collection,
      id,
      path: [property, ...segmentsOf(rest)],
      ...(folder !== undefined && { folder: textOf("path", folder) }),
      isUpload,
      pass,
    };
    return await withFile(request.ctx, asked, (file) => sendFile(request, reply, file, sending));
  } catch (error) {
    if (!asksForPassword(request, error)) throw error;
    return sendPasswordPage(request, reply, { error, wasSent: Boolean(pass.password) });
  }
}

/** A plus is a space, as forms write it: no stored name has a plus, and each is composed (NFC). */
export function segmentsOf(path: string | undefined): string[] {
  return path ? path.normalize("NFC").replaceAll("+", " ").split("/") : [];
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

/** Undefined: the address carries no token of a preview. */
export function previewOf(request: FastifyRequest): ((collection: string, id: string) => Promise<boolean>) | undefined {
  const token = queryOf(request)._preview;
  if (typeof token !== "string") return undefined;
  return (collection, id) => showsDraftFiles(request.ctx, token, { collection, id });
}
