// Items of a deck property. Below any other property the same segment is the name of a file or folder.

import type { FastifyInstance } from "fastify";
import { createDeckItem, deleteDeckItem, getDeckItem, replaceDeckItem } from "#content/objects/decks.ts";
import { isDeck } from "#content/objects/properties.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import type { PropertyPath } from "#http/request.ts";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { move, remove } from "#http/routes/files/property-files.ts";
import { sendJson, sendObject } from "#http/send.ts";
import { described, ref, wrapped } from "#openapi/route-doc.ts";

interface ItemPath extends PropertyPath {
  itemId: string;
}

const tag = "Deck items";
const answer = wrapped(ref("Object"));
const item = { type: "object" };
const isConditional = true;

export function deckRoutes(server: FastifyInstance): void {
  const path = "/:collection/:id/:property/deck";

  server.post<{ Params: PropertyPath }>(
    path,
    described({ tag, isOfPower: true, summary: "Add an item", body: item, isConditional, status: 201, answer }),
    async (request, reply) => {
      const change = { item: bodyOf(request), ifMatch: ifMatchOf(request) };
      return sendObject(reply.code(201), await createDeckItem(request.ctx, request.params, change));
    },
  );
  server.get<{ Params: ItemPath }>(
    `${path}/:itemId`,
    localRead(described({ tag, summary: "Get an item", answer: item })),
    async (request, reply) => sendJson(reply, await getDeckItem(request.ctx, request.params, request.params.itemId)),
  );
  server.put<{ Params: ItemPath }>(
    `${path}/:itemId`,
    described({ tag, isOfPower: true, summary: "Replace an item", body: item, isConditional, answer }),
    async (request, reply) => {
      const { itemId, ...target } = request.params;
      if (itemId === "move" && !(await isDeck(request.ctx, target))) {
        return move(request, reply, { ...target, name: "deck" });
      }
      const change = { itemId, item: bodyOf(request), ifMatch: ifMatchOf(request) };
      return sendObject(reply, await replaceDeckItem(request.ctx, target, change));
    },
  );
  server.delete<{ Params: ItemPath }>(
    `${path}/:itemId`,
    described({ tag, isOfPower: true, summary: "Delete an item", isConditional, answer }),
    async (request, reply) => {
      const { itemId, ...target } = request.params;
      if (!(await isDeck(request.ctx, target)))
        return remove(request, reply, { ...target, path: [target.property, "deck", itemId] });
      return sendObject(reply, await deleteDeckItem(request.ctx, target, { itemId, ifMatch: ifMatchOf(request) }));
    },
  );
}
