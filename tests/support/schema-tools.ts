// What the tests of schemas share: fresh names, schemas and collections made in one word.

import { randomBytes } from "node:crypto";
import type { Answer, Server } from "../harness.ts";

export const id = { field: "id", help: "Names it." };

/** A schema id nobody has used. */
export function fresh(word = "thing"): string {
  return `${word}-${randomBytes(4).toString("hex")}`;
}

export interface SchemaTools {
  made(more?: Record<string, unknown>): Promise<string>;
  collectionOf(schema: string): Promise<string>;
  get(path: string): Promise<Answer>;
  post(body: unknown): Promise<Answer>;
  put(schema: string, body: unknown): Promise<Answer>;
}

/** The server is asked for on each call: it starts after the tools are made. */
export function schemaTools(server: () => Server): SchemaTools {
  return {
    async made(more = {}) {
      const properties = { id, title: { type: "string" } };
      const schema = { id: fresh(), properties, required: ["id"], index: ["id"], ...more };
      await server().makeSchema(schema);
      return schema.id;
    },
    async collectionOf(schema) {
      const collection = fresh("collection");
      await server().makeCollection({ id: collection, schema });
      return collection;
    },
    get: (path) => server().request("GET", path),
    post: (body) => server().request("POST", "/api/schemas", { body }),
    put: (schema, body) => server().request("PUT", `/api/schemas/${schema}`, { body }),
  };
}
