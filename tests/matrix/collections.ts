// The collections of the matrix, one for each level of access, and what their objects look like.

import type { Operation } from "#contract/collections.ts";
import type { Server } from "../harness.ts";
import { password } from "./sessions.ts";

export interface Place {
  id: string;
  publicOperations: Operation[];
  /** Properties of each kind; where the schema has none, another stands in and the admin's answer is a 4xx. */
  text: string;
  number: string;
  map: string;
  deck: string;
  files: string;
  /** A body that creates an object, and one that adds a deck item. */
  object(id: string): Record<string, unknown>;
  item(id: string): Record<string, unknown>;
}

const custom = {
  ...{ text: "title", number: "count", map: "map", deck: "parts", files: "box" },
  object: (id: string) => ({ id, title: "T", count: 1, map: { a: 1 }, parts: [{ id: "a", text: "A" }] }),
  item: (id: string) => ({ id, text: "B" }),
};

export const places: readonly Place[] = [
  { id: "closed", publicOperations: [], ...custom },
  { id: "shown", publicOperations: ["read"], ...custom },
  { id: "open", publicOperations: ["create", "update", "delete"], ...custom },
  {
    id: "auth",
    publicOperations: ["create", "read", "update", "delete"],
    ...{ text: "name", number: "loginCount", map: "name", deck: "name", files: "name" },
    object: (id) => ({ id, email: `${id}@example.net`, password, name: "N", active: true, groups: ["viewer"] }),
    item: (id) => ({ id }),
  },
  {
    id: "automations",
    publicOperations: ["read", "update"],
    ...{ text: "name", number: "consecutiveFailures", map: "name", deck: "triggers", files: "name" },
    object: (id) => ({ id, name: "N", handler: "export default () => 1", triggers: [{ id: "a", type: "webhook" }] }),
    item: (id) => ({ id, type: "webhook" }),
  },
  {
    id: "mailer",
    publicOperations: [],
    ...{ text: "name", number: "name", map: "name", deck: "name", files: "name" },
    object: (id) => ({ id, name: "N", to: "to@example.org", subject: "S" }),
    item: (id) => ({ id }),
  },
];

/** Read, and aimed at by whatever is to be refused: at the end it is as it was. */
export const kept = "kept";
/** Changed by whatever is to pass. */
export const work = "work";

const partSchema = {
  id: "part",
  properties: { id: { type: "slug" }, text: { type: "string" } },
  required: ["id"],
  index: [],
};
export const schema = {
  id: "matrix",
  properties: {
    id: { type: "slug" },
    title: { type: "string" },
    count: { type: "number" },
    map: { type: "object" },
    parts: { type: "deck", schemaref: "/schemas/part.json" },
    box: { type: "depot" },
  },
  required: ["id"],
  index: ["id", "title"],
};
export const spareSchema = { ...schema, id: "spare" };

export async function makePlaces(server: Server): Promise<void> {
  await server.makeSchema(partSchema);
  await server.makeSchema(schema);
  await server.makeSchema(spareSchema);
  for (const place of places) {
    const { id, publicOperations } = place;
    const isCustom = place.deck === custom.deck;
    if (isCustom) await server.makeCollection({ id, schema: "matrix", publicOperations, history: "off" });
    for (const object of [kept, work]) {
      const { status, text } = await server.request("POST", `/api/collections/${id}`, { body: place.object(object) });
      if (status !== 201) throw new Error(`${id}/${object}: ${status} ${text}`);
    }
    if (!isCustom) await server.request("PATCH", `/api/collections/${id}/settings`, { body: { publicOperations } });
  }
}
