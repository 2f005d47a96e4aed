// One property of an object: get, replace, patch, delete, increment and decrement, metadata of its items.

import type { FastifyInstance } from "fastify";
import { fail } from "#base/errors.ts";
import { patchItem, replaceItem } from "#content/objects/items.ts";
import {
  deleteProperty,
  incrementProperty,
  patchProperty,
  readProperty,
  replaceProperty,
} from "#content/objects/properties.ts";
import { findText } from "#content/query/parameters.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import { parametersOf } from "#http/parameters.ts";
import type { PropertyPath } from "#http/request.ts";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { sendContent, sendJson, sendObject, wrapInData } from "#http/send.ts";
import { anyValue, choosingFields, described, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "Properties";
const answer = wrapped(ref("Object"));
const isConditional = true;

export function propertyRoutes(server: FastifyInstance): void {
  const path = "/:collection/:id/:property";

  server.get<{ Params: PropertyPath }>(
    path,
    localRead(
      described({
        tag,
        summary: "Get one property",
        description: "Its value; null without one.",
        query: { urls: choosingFields.urls },
        isTagged: true,
        answer: wrapped(anyValue),
      }),
    ),
    async (request, reply) => {
      const value = await readProperty(request.ctx, request.params, parametersOf(request));
      return sendContent(request, reply, wrapInData(value));
    },
  );
  server.put<{ Params: PropertyPath }>(
    path,
    described({ tag, isOfPower: true, summary: "Replace a property", body: anyValue, isConditional, answer }),
    async (request, reply) => {
      const change = { value: bodyOf(request), ifMatch: ifMatchOf(request) };
      return sendObject(reply, await replaceProperty(request.ctx, request.params, change));
    },
  );
  server.patch<{ Params: PropertyPath }>(
    path,
    described({
      tag,
      isOfPower: true,
      summary: "Merge fields into a property",
      body: { type: "object" },
      isConditional,
      answer,
    }),
    async (request, reply) => {
      const change = { fields: bodyOf(request), ifMatch: ifMatchOf(request) };
      return sendObject(reply, await patchProperty(request.ctx, request.params, change));
    },
  );
  server.delete<{ Params: PropertyPath }>(
    path,
    described({ tag, isOfPower: true, summary: "Delete a property", isConditional, answer }),
    async (request, reply) =>
      sendObject(reply, await deleteProperty(request.ctx, request.params, { ifMatch: ifMatchOf(request) })),
  );

  for (const [word, sign] of [
    ["increment", 1],
    ["decrement", -1],
  ] as const) {
    for (const url of [`${path}/${word}`, `${path}/${word}/:amount`]) {
      const doc = described({
        tag,
        summary: url.endsWith("amount")
          ? `${sign > 0 ? "Increment" : "Decrement"} a number`
          : `${sign > 0 ? "Increment" : "Decrement"} by one`,
        isConditional,
        answer: ref("PropertyValue"),
      });
      server.post<{ Params: PropertyPath & { amount?: string } }>(url, doc, async (request, reply) => {
        const amount = sign * amountOf(request.params.amount ?? "1");
        const change = { amount, ifMatch: ifMatchOf(request) };
        return sendJson(reply, await incrementProperty(request.ctx, request.params, change));
      });
    }
  }

  for (const [method, change, summary] of [
    ["PUT", replaceItem, "Replace the metadata of an item"],
    ["PATCH", patchItem, "Merge into the metadata of an item"],
  ] as const) {
    for (const url of [`${path}/:name`, `${path}/:name/:child`]) {
      server.route<{ Params: PropertyPath & { name: string; child?: string } }>({
        method,
        url,
        ...described({
          tag,
          summary: url.endsWith(":child") ? `${summary} in a deck` : summary,
          query: { path: text("Subfolder of a depot file.") },
          body: { type: "object" },
          isConditional,
          answer,
        }),
        handler: async (request, reply) => {
          const { name, child, ...target } = request.params;
          const folder = findText(parametersOf(request), "path");
          const sent = { name, child, folder, fields: bodyOf(request), ifMatch: ifMatchOf(request) };
          return sendObject(reply, await change(request.ctx, target, sent));
        },
      });
    }
  }
}

/** Plain decimal digits only. */
function amountOf(amount: string): number {
  if (/^-?\d+(\.\d+)?$/.test(amount)) return Number(amount);
  return fail("invalid", "The amount must be a number.", { amount: ["Must be a number."] });
}
