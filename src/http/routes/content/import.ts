// Imports: a file in a form, or the bare body. Nothing is loaded into memory as a whole: a form's file is staged on disk until
// all fields are known, a bare body is read as it arrives.

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import fastifyMultipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { installStarter } from "#admin/starters/install-starter.ts";
import { fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { parseJsonInPieces } from "#base/json-pieces.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { importSchema } from "#content/collections/schemas.ts";
import type { Json } from "#contract/json.ts";
import { type BodyLimit, bodyLimit, isKnownTooLarge, readBody, tooLarge } from "#http/bodies.ts";
import { checkFormToken, formCsrf } from "#http/pages/form-csrf.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath } from "#http/request.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { cutWhenIdle, readLimited, saveForm } from "#http/uploads.ts";
import { described, flag, type RouteDoc, ref, text, whole, wrapped } from "#openapi/route-doc.ts";
import { maxCount } from "#sync/jumpstart/factory.ts";
import { fillCollection } from "#sync/jumpstart/factory-import.ts";
import { importJumpstart } from "#sync/jumpstart/jumpstart.ts";
import { importFile } from "#transfer/import.ts";
import { importDeck } from "#transfer/import-deck.ts";
import type { ImportFile } from "#transfer/read-rows.ts";
import type { ImportOptions } from "#transfer/rows.ts";

const tag = "Import and export";
const formats = ["csv", "json"] as const;
type Format = (typeof formats)[number];

const bareTypes = {
  csv: ["text/csv"],
  json: ["application/json", "application/x-ndjson"],
} satisfies Record<Format, string[]>;

const dryRunning = {
  dryRun: flag("`true`: store nothing, answer the same, and `rows` with the first 20 as they would be."),
};
const updating = {
  update: flag("`true`: change existing objects instead of creating new ones."),
  ...dryRunning,
};

export function importRoutes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.register(fastifyMultipart);
  // The bare body is passed on unread.
  server.addContentTypeParser(Object.values(bareTypes).flat(), (_request, payload, done) => done(null, payload));

  for (const format of formats) {
    const upload = {
      bodyTypes: ["multipart/form-data", ...bareTypes[format]],
      body: { type: "string" },
      query: updating,
    };
    server.post<{ Params: CollectionPath }>(
      `/collections/:collection/${format}`,
      form({
        tag,
        summary: `Import objects from ${format.toUpperCase()}`,
        isOfPower: true,
        ...upload,
        answer: ref("ImportResult"),
      }),
      async (request, reply) => {
        const { collection } = request.params;
        // Rights are checked before a byte is read; `update` is known only with the form's fields, so the import checks again.
        await openCollection(request.ctx, isSet(parametersOf(request).update) ? "update" : "create", collection);
        const { file, fields } = await openUpload(request, format);
        return sendJson(reply, await importFile(request.ctx, collection, file, optionsOf(fields)));
      },
    );
    server.post<{ Params: CollectionPath }>(
      `/collections/:collection/deck/${format}`,
      form({
        tag,
        summary: `Import deck items from ${format.toUpperCase()}`,
        isOfPower: true,
        ...upload,
        query: { object: text("Id of the object."), property: text("Name of the deck."), ...updating },
        answer: ref("ImportResult"),
      }),
      async (request, reply) => importItems(request, reply, format),
    );
  }

  server.register((scope, _options, done) => {
    definitionRoutes(scope);
    done();
  });
}

/** Small enough to be read as a whole: their JSON is a body like any other. */
function definitionRoutes(server: FastifyInstance): void {
  server.removeContentTypeParser(Object.values(bareTypes).flat());
  server.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, definitionLimit(request));
    return bytes.length === 0 ? undefined : parseDefinition(request, bytes);
  });

  server.post(
    "/schemas",
    form({
      tag,
      summary: "Import a schema",
      bodyTypes: ["multipart/form-data", "application/json"],
      body: ref("Schema"),
      answer: ref("Schema"),
    }),
    async (request, reply) => sendJson(reply, await importSchema(request.ctx, await readDefinition(request))),
  );

  server.post<{ Params: CollectionPath }>(
    "/collections/:collection/factory",
    described({
      tag,
      summary: "Fill a collection with made-up objects",
      isOfPower: true,
      body: { type: "object", description: "Property to generator rule, such as `sentence(5)`, or value." },
      query: {
        fqty: whole("Number of objects.", { minimum: 0, maximum: maxCount, default: 1 }),
        seed: whole("The same seed makes the same objects."),
        ...dryRunning,
      },
      answer: ref("ImportResult"),
    }),
    async (request, reply) => {
      const { collection } = request.params;
      await openCollection(request.ctx, "create", collection);
      const { fqty = 1, seed, dryRun } = parametersOf(request);
      const options = {
        rules: bodyOf(request),
        count: Number(fqty),
        dryRun: isSet(dryRun),
        ...(seed !== undefined && { seed: Number(seed) }),
      };
      return sendJson(reply, await fillCollection(request.ctx, collection, options));
    },
  );

  server.post(
    "/jumpstart",
    form({
      tag,
      summary: "Import a jumpstart definition",
      isOfPower: true,
      description: "Existing items stay unchanged. The import is all or nothing.",
      bodyTypes: ["application/json", "multipart/form-data"],
      body: ref("JumpstartDefinition"),
      query: {
        overwrite: flag("`1`: existing objects are replaced, after a snapshot."),
        demo: flag("`true`: the site that ships with the service, with its pictures, instead of a body."),
        dryRun: flag("`true`: store nothing, and answer the same."),
      },
      answer: wrapped(ref("ImportReport")),
    }),
    async (request, reply) => {
      const { demo, overwrite, dryRun } = parametersOf(request);
      const options = { overwrite: isSet(overwrite), dryRun: isSet(dryRun) };
      if (!isSet(demo))
        return sendData(reply, await importJumpstart(request.ctx, await readDefinition(request), options));
      // A form that was not read has proven nothing.
      checkFormToken(request, undefined);
      return sendData(reply, await installStarter(request.ctx, "walks", options));
    },
  );
}

/** A route that takes a form with a file, or the bare file. */
function form(doc: RouteDoc) {
  return { ...formCsrf, config: { ...formCsrf.config, ...described(doc).config } } as const;
}

function isJumpstart({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.endsWith("/jumpstart") ?? false;
}

function definitionLimit(request: FastifyRequest): BodyLimit {
  const { ctx } = request;
  return bodyLimit(ctx, ctx.settings.get(isJumpstart(request) ? "sync.maxBodySize" : "api.maxBodySize"), ctx);
}

function parseDefinition(request: FastifyRequest, bytes: Buffer): Json | Promise<Json> {
  return isJumpstart(request) ? parseJsonInPieces(bytes) : parseJson(bytes);
}

async function readDefinition(request: FastifyRequest): Promise<Json> {
  if (!request.isMultipart())
    return (request.body as Json | undefined) ?? fail("invalid", "The request needs a JSON body.");
  cutWhenIdle(request.raw);
  const { files } = await saveForm(request, definitionLimit(request));
  const [file] = files;
  return file ? parseDefinition(request, await readFile(file.filepath)) : fail("invalid", "The request needs a file.");
}

async function importItems(
  request: FastifyRequest<{ Params: CollectionPath }>,
  reply: FastifyReply,
  format: Format,
): Promise<FastifyReply> {
  const { collection } = request.params;
  await openCollection(request.ctx, "update", collection);
  const { file, fields } = await openUpload(request, format);
  const target = { collection, id: needed(fields, "object"), property: needed(fields, "property") };
  return sendJson(reply, await importDeck(request.ctx, target, file, optionsOf(fields)));
}

interface Upload {
  file: ImportFile;
  /** Query parameters, overridden by the form's fields. */
  fields: Record<string, unknown>;
}

/** A format is also the name of the form's file. NDJSON is recognised by its media type or file ending. */
async function openUpload(request: FastifyRequest, format: Format): Promise<Upload> {
  cutWhenIdle(request.raw);
  const query = parametersOf(request);
  const limit = bodyLimit(request.ctx, request.ctx.settings.get("import.maxSize"), request.ctx);
  if (isKnownTooLarge(request.raw, limit)) throw tooLarge(limit);
  if (!request.isMultipart()) {
    const bytes = request.body as IncomingMessage | undefined;
    if (!bytes) return fail("invalid", `The request needs a file "${format}" or a body.`);
    const isLines = request.headers["content-type"]?.startsWith("application/x-ndjson") ?? false;
    return { file: { format: isLines ? "ndjson" : format, bytes: readLimited(bytes, limit) }, fields: query };
  }
  const { files, fields } = await saveForm(request, limit);
  const { filename, filepath } = files.find(({ fieldname }) => fieldname === format) ?? noFile(format);
  const isLines = format === "json" && /\.(ndjson|jsonl)$/i.test(filename);
  const file: ImportFile = { format: isLines ? "ndjson" : format, bytes: createReadStream(filepath) };
  return { file, fields: { ...query, ...fields } };
}

function optionsOf({ update, dryRun }: Record<string, unknown>): ImportOptions {
  return { update: isSet(update), dryRun: isSet(dryRun) };
}

function isSet(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value !== "0" && value !== "false";
}

function needed(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  return fail("invalid", `The field "${name}" is required.`, { [name]: ["is required"] });
}

function noFile(field: string): never {
  return fail("invalid", `No file found in the request: send it in the field "${field}".`);
}
