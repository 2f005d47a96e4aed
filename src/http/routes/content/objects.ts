// Objects of a collection: list, get, create, replace, patch, delete, clone.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import {
  type CreateOptions,
  createObject,
  deleteObject,
  patchObject,
  replaceObject,
} from "#content/objects/objects.ts";
import { refuse } from "#content/query/parameters.ts";
import { getExpanded, listExpanded } from "#content/relations/expanded.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { listLimit } from "#contract/queries.ts";
import { readAllFields } from "#forms/sent-values.ts";
import { acceptForms, FormBody, formTypes } from "#http/form-bodies.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { setPageHeaders } from "#http/pages/page-headers.ts";
import { parametersOf } from "#http/parameters.ts";
import type { CollectionPath, ObjectPath } from "#http/request.ts";
import { bodyOf, type HttpParts, ifMatchOf, queryOf } from "#http/request-helpers.ts";
import { sendAround, sendContent, sendObject, sendTagged, wrapInData } from "#http/send.ts";
import { type CloneTarget, cloneObject } from "#media/clone-object.ts";
import {
  choosingFields,
  described,
  expandable,
  expanding,
  flag,
  listOf,
  paging,
  ref,
  selecting,
  text,
  wrapped,
} from "#openapi/route-doc.ts";

export interface ObjectRoutesOptions {
  /** `described`: lists answer with the keys collection, total, count, limit, offset, objects. */
  lists: "wrapped" | "described";
}

const tag = "Objects";
const object = ref("Object");

export function objectRoutes(server: FastifyInstance, door: HttpParts, { lists }: ObjectRoutesOptions): void {
  const listDoc = localRead(
    described({
      tag,
      summary: "List objects",
      query: {
        ...paging("Objects", listLimit),
        ...selecting,
        expand: expanding,
        ...choosingFields,
        order: text("Direction of the sort.", { enum: ["asc", "desc"], default: "desc" }),
      },
      answer: expandable(listOf(object)),
    }),
  );
  server.get<{ Params: CollectionPath }>("/:collection", listDoc, async (request, reply) => {
    const { collection } = request.params;
    const page = await listExpanded(request.ctx, collection, parametersOf(request));
    setPageHeaders(request, reply, page, door);
    const along = page.expand === undefined ? "" : `"expand":${page.expand},`;
    if (lists === "wrapped") return sendAround(reply, `{${along}"data":`, page.bytes);
    const { total, count, limit, offset } = page;
    const head = JSON.stringify({ collection, total, count, limit, offset });
    return sendAround(reply, `${head.slice(0, -1)},${along}"objects":`, page.bytes);
  });

  const getDoc = localRead(
    described({
      tag,
      summary: "Get one object",
      query: {
        expand: expanding,
        ...choosingFields,
        as_of: text("A time: the object as it was then, where its collection keeps a full history."),
      },
      isTagged: true,
      answer: expandable(object),
    }),
  );
  server.get<{ Params: ObjectPath }>("/:collection/:id", getDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendContent(
      request,
      reply,
      wrapInData(await getExpanded(request.ctx, collection, id, parametersOf(request))),
    );
  });

  const createDoc = described({
    isOfPower: true,
    tag,
    summary: "Create an object",
    description:
      "Also takes a form without files. A form that a page of another origin sends needs that origin in `cors.origins`.",
    body: object,
    bodyTypes: ["application/json", ...formTypes],
    status: 201,
    answer: wrapped(object),
  });
  // In a scope of its own: no other route of objects takes forms.
  server.register((scope, _options, done) => {
    acceptForms(scope, door);
    scope.post<{ Params: CollectionPath }>("/:collection", createDoc, async (request, reply) => {
      const { collection } = request.params;
      const answer = await create(request, collection);
      reply.code(201).header("location", `${door.baseUrl()}/api/collections/${collection}/${answer.id}`);
      return sendObject(reply, answer);
    });
    done();
  });

  const replaceDoc = described({
    isOfPower: true,
    tag,
    summary: "Replace an object",
    description:
      "Properties left out go back to their defaults; a password that is left out stays. A new password or e-mail " +
      "address of your own user takes `currentPassword` too.",
    body: object,
    isConditional: true,
    answer: wrapped(object),
  });
  server.put<{ Params: ObjectPath }>("/:collection/:id", replaceDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendObject(reply, await replaceObject(request.ctx, collection, id, changeOf(request)));
  });

  const patchDoc = described({
    isOfPower: true,
    tag,
    summary: "Change some properties of an object",
    description:
      "Only the sent properties change; null resets one to its default. A new password or e-mail address of your " +
      "own user takes `currentPassword` too.",
    body: object,
    isConditional: true,
    answer: wrapped(object),
  });
  server.patch<{ Params: ObjectPath }>("/:collection/:id", patchDoc, async (request, reply) => {
    const { collection, id } = request.params;
    return sendObject(reply, await patchObject(request.ctx, collection, id, changeOf(request)));
  });

  const deleteDoc = described({
    isOfPower: true,
    tag,
    summary: "Delete an object",
    query: { purge: flag("`true`: the trash keeps nothing of it.") },
    isConditional: true,
    status: 204,
  });
  server.delete<{ Params: ObjectPath }>("/:collection/:id", deleteDoc, async (request, reply) => {
    const { collection, id } = request.params;
    await deleteObject(purging(request), collection, id, { ifMatch: ifMatchOf(request) });
    return reply.code(204).send();
  });

  const cloneDoc = described({
    isOfPower: true,
    tag,
    summary: "Clone an object",
    description: "Without a body the clone is the object itself.",
    body: { type: "object", properties: { id: text("Id of the copy."), collection: text("Collection of the copy.") } },
    isBodyOptional: true,
    isConditional: true,
    answer: object,
  });
  server.post<{ Params: ObjectPath }>("/:collection/:id/clone", cloneDoc, async (request, reply) => {
    const { collection, id } = request.params;
    const target = { ...cloneTarget(request.body as Json | undefined), ifMatch: ifMatchOf(request) };
    const answer = await cloneObject(request.ctx, collection, id, target);
    return sendTagged(reply, answer);
  });
}

/** The caller's context; with `?purge=true` the log keeps no content of what it deletes. */
export function purging(request: FastifyRequest): Context {
  const { purge } = parametersOf(request);
  const { ctx } = request;
  return purge === "true" || purge === "1" ? { ...ctx, trail: { ...ctx.trail, isPurge: true } } : ctx;
}

/** What was cannot be changed: a write that names a time would change the present. */
export function refusePastWrites(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.method !== "GET" && request.method !== "HEAD" && queryOf(request).as_of !== undefined)
    refuse("as_of", "as_of is for reading one object.");
  done();
}

function create(request: FastifyRequest, collection: string): Promise<ObjectAnswer> {
  const body: unknown = bodyOf(request);
  if (!(body instanceof FormBody)) return createObject(request.ctx, collection, body as JsonObject);
  const prepare: CreateOptions["prepare"] = (_sent, { schema }) => readAllFields(schema, body.fields());
  return createObject(request.ctx, collection, {}, { prepare });
}

function changeOf(request: FastifyRequest): { body: JsonObject; ifMatch: string | undefined } {
  return { body: bodyOf(request) as JsonObject, ifMatch: ifMatchOf(request) };
}

function cloneTarget(body: Json = {}): CloneTarget {
  if (!isJsonObject(body)) fail("invalid", "The body must be a JSON object.");
  const { id, collection } = body;
  return { id: textOf("id", id), collection: textOf("collection", collection) };
}

function textOf(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : fail("invalid", undefined, { [name]: ["Must be text."] });
}
