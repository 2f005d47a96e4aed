// Forms of the website: what visitors send. A public form needs no token: where the request comes from is told by the browser,
// so pages with forms can be kept. A form for users needs the session and its token.

import type { IncomingMessage } from "node:http";
import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isCsrfTokenOf } from "#access/sessions.ts";
import { CairnError, fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { readPaging } from "#content/query/parameters.ts";
import { adminPrefix } from "#content/site-address.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { listLimit } from "#contract/queries.ts";
import { beginSending } from "#forms/count-sendings.ts";
import type { SentFile } from "#forms/form-files.ts";
import { acceptRejected, listForms, listRejected } from "#forms/manage-forms.ts";
import { type OpenForm, openForm } from "#forms/open-form.ts";
import { ownFields, RefusedSending, requireVisitor, sendForm } from "#forms/send-form.ts";
import { readBody, tooLarge } from "#http/bodies.ts";
import { isFromHere } from "#http/own-origin.ts";
import { sendMessage } from "#http/pages/pages.ts";
import { parametersOf } from "#http/parameters.ts";
import { addressOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { cutWhenIdle } from "#http/uploads.ts";
import { anyValue, described, listOf, pages, text, wrapped } from "#openapi/route-doc.ts";
import { answerOutcome, answerRefusal, type SendingPage } from "./form-answers.ts";
import { formsScript } from "./forms-script.ts";

interface FormPath {
  collection: string;
  name: string;
}

const tag = "Forms";
const object = { type: "object" };
/** Of texts, without files. */
const maxTextBytes = 1_000_000;
const maxFields = 500;

export function formRoutes(server: FastifyInstance, door: HttpParts): void {
  server.removeAllContentTypeParsers();
  server.register(fastifyMultipart);
  const limitOf = () => ({ bytes: Math.min(maxTextBytes, door.app.settings.get("forms.maxBytes")), isPublic: true });
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (_request: unknown, payload: IncomingMessage) => fieldsOf(await readBody(payload, limitOf())),
  );
  server.addContentTypeParser("application/json", async (_request: unknown, payload: IncomingMessage) =>
    parseJson(await readBody(payload, limitOf())),
  );
  server.post<{ Params: FormPath }>(
    "/forms/:collection/:name",
    {
      config: {
        ...described({
          tag,
          summary: "Send a form of the website",
          description:
            "For visitors, from pages of this site. Answers 303 or the page again with status 422; clients that want " +
            "JSON get 201 with a message, 202 with a challenge, or the error.",
          body: object,
          bodyTypes: ["application/x-www-form-urlencoded", "multipart/form-data"],
          status: 201,
          answer: wrapped(object),
        }).config,
        needsNoCsrf: true,
      },
      onRequest: (request, _reply, done) => {
        checkOrigin(request, door);
        done();
      },
    },
    async (request, reply) => receive(request, reply, door),
  );
  server.get("/-/forms.js", described({ tag, summary: "The optional script of forms" }), (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(formsScript),
  );
}

export function formStateRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({ tag, summary: "List the forms of collections", answer: wrapped(listOf(object)) }),
    async (request, reply) => sendData(reply, await listForms(request.ctx)),
  );
  const { limit } = pages("Sendings", listLimit);
  server.get<{ Params: FormPath }>(
    "/:collection/:name/rejected",
    described({
      tag,
      summary: "List what a form has rejected, newest first",
      query: { limit, cursor: text("Where to continue, from X-Next-Cursor of the last page.") },
      answer: wrapped(listOf(object)),
    }),
    async (request, reply) => {
      const asked = parametersOf(request);
      const { limit } = readPaging(asked, listLimit);
      const cursor = typeof asked.cursor === "string" && asked.cursor !== "" ? asked.cursor : undefined;
      const { rejected, total, next } = await listRejected(request.ctx, request.params, { limit, cursor });
      if (next !== undefined) reply.header("x-next-cursor", next);
      return sendJson(reply.header("x-total-count", total), { data: rejected, meta: { total, limit } });
    },
  );
  server.post<{ Params: FormPath & { id: string } }>(
    "/:collection/:name/rejected/:id/accept",
    described({ tag, summary: "Store what was rejected", status: 201, answer: wrapped(anyValue) }),
    async (request, reply) => {
      const { id, ...form } = request.params;
      return sendData(reply.code(201), await acceptRejected(request.ctx, form, id));
    },
  );
}

async function receive(
  request: FastifyRequest<{ Params: FormPath }>,
  reply: FastifyReply,
  door: HttpParts,
): Promise<FastifyReply> {
  const { app } = door;
  const { collection, name } = request.params;
  const form = await openForm(request.ctx, collection, name);
  const address = addressOf(request) ?? "";
  const sending: SendingPage = { page: pageFrom(request.headers.referer, door), wantsJson: wantsJson(request) };
  let end: (() => void) | undefined;
  try {
    if (request.body instanceof Map) sending.page = pageOf(request.body, sending.page);
    end = await beginSending(app, form, address);
    requireVisitor(form, request.signedIn !== undefined);
    const sent = await readSent(request, form, app.settings.get("forms.maxBytes"));
    sending.page = pageOf(sent.fields, sending.page);
    checkToken(request, form, sent.fields);
    const outcome = await sendForm(app, form, { ...sent, address });
    return answerOutcome(reply, form, outcome, sending);
  } catch (error) {
    if (error instanceof RefusedSending) return answerRefusal(door, reply, { form, refused: error, sending, request });
    return answerError(reply, error, sending);
  } finally {
    end?.();
  }
}

/** For people: a page that says what to do. */
function answerError(reply: FastifyReply, error: unknown, { page, wantsJson }: SendingPage): FastifyReply {
  if (wantsJson || !(error instanceof CairnError) || error.status >= 500) throw error;
  reply.header("cache-control", "private, no-store");
  if (error.word === "unauthenticated")
    return reply
      .code(303)
      .header("location", `${adminPrefix(reply.request.ctx)}/login?redirect=${encodeURIComponent(page ?? "/")}`)
      .send();
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  return sendMessage(reply.code(error.status), "The form was not sent", error.message);
}

interface Sent {
  fields: Map<string, string[]>;
  values?: JsonObject;
  files: SentFile[];
}

async function readSent(request: FastifyRequest, form: OpenForm, maxBytes: number): Promise<Sent> {
  if (request.isMultipart()) return readParts(request, form, maxBytes);
  const { body } = request;
  if (body instanceof Map) return { fields: body as Map<string, string[]>, files: [] };
  const values = body as Json | undefined;
  if (!isJsonObject(values)) return fail("invalid", "The request needs a form or a JSON object.");
  const fields = new Map<string, string[]>();
  for (const [name, value] of Object.entries(values)) if (typeof value === "string") fields.set(name, [value]);
  return { fields, values, files: [] };
}

/** Files go to the staging area as they arrive; all parts together stay within the limit. */
async function readParts(request: FastifyRequest, { definition }: OpenForm, maxBytes: number): Promise<Sent> {
  const { raw, ctx } = request;
  const limit = { bytes: maxBytes, isPublic: true };
  if (Number(raw.headers["content-length"]) > maxBytes) throw tooLarge(limit);
  cutWhenIdle(raw);
  const sent: Sent = { fields: new Map(), files: [] };
  let room = maxBytes;
  // As in a form without files.
  const textLimit = { bytes: Math.min(maxTextBytes, maxBytes), isPublic: true };
  let textRoom = textLimit.bytes;
  const limits = { fileSize: maxBytes, files: 100, fields: maxFields, fieldSize: maxTextBytes, fieldNameSize: 200 };
  try {
    for await (const part of request.parts({ limits })) {
      const { fieldname: field } = part;
      if (part.type !== "file") {
        const value = String(part.value);
        const size = Buffer.byteLength(value);
        room -= size;
        textRoom -= size;
        if (room < 0 || textRoom < 0) throw tooLarge(room < 0 ? limit : textLimit);
        sent.fields.set(field, [...(sent.fields.get(field) ?? []), value]);
        continue;
      }
      if (!part.filename) {
        part.file.resume();
        continue;
      }
      if (!Object.hasOwn(definition.files, field))
        throw new RefusedSending({}, new CairnError("validation-failed", undefined, { [field]: ["takes no files"] }));
      const staged = await ctx.staging.receive(part.file, room);
      room -= staged.size;
      sent.files.push({ field, name: part.filename, staged });
    }
    return sent;
  } catch (error) {
    for (const { staged } of sent.files) await ctx.staging.discard(staged);
    const { statusCode } = error as { statusCode?: number };
    const isKnown = error instanceof CairnError || error instanceof RefusedSending || statusCode !== undefined;
    throw isKnown ? error : new CairnError("invalid", "The form cannot be read.");
  }
}

function fieldsOf(bytes: Buffer): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) {
    if (++count > maxFields) fail("invalid", `The form has more than ${maxFields} fields.`);
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

function checkOrigin(request: FastifyRequest, door: HttpParts): void {
  if (!isFromHere(request, door)) fail("forbidden", "A form can be sent from pages of this site only.");
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin;
}

function checkToken(request: FastifyRequest, { definition }: OpenForm, fields: Sent["fields"]): void {
  if (definition.access !== "user") return;
  const token = request.headers["x-csrf-token"] ?? fields.get(ownFields.csrf)?.[0];
  if (!isCsrfTokenOf(request.signedIn?.value ?? "", token)) fail("forbidden", "The CSRF token is missing or wrong.");
}

/** As the form says; the address before has the query as well, where it is the same page. */
function pageOf(fields: ReadonlyMap<string, readonly string[]>, before: string | undefined): string | undefined {
  const page = ownPath(fields.get(ownFields.page)?.[0]);
  return page === undefined || before?.split("?")[0] === page ? before : page;
}

/** A path of this site with its query. */
function ownPath(value: string | undefined): string | undefined {
  return value !== undefined &&
    value.length <= 2_000 &&
    /^\/(?![/\\])[\x21-\x7e]*$/.test(value) &&
    !value.includes("\\")
    ? value
    : undefined;
}

function pageFrom(referer: string | undefined, door: HttpParts): string | undefined {
  const url = referer === undefined ? null : URL.parse(referer);
  return url && url.origin === originOf(door.baseUrl()) ? ownPath(url.pathname + url.search) : undefined;
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const { accept = "", "content-type": type = "" } = headers;
  return type.startsWith("application/json") || (accept.includes("application/json") && !accept.includes("text/html"));
}
