// Collections and objects for tests of relations. It carries, and never asserts.

import type { Answer, Server } from "../harness.ts";

export const text = { type: "string", field: "text" };

export interface Content {
  get(path: string, key?: string | null): Promise<Answer>;
  create(collection: string, body: object): Promise<Answer>;
  patch(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  remove(path: string, key?: string): Promise<Answer>;
  /** `collection/id property` of each that points to an object; throws when that is refused. */
  pointing(path: string, key?: string | null): Promise<string[]>;
  /** With a title. */
  schema(id: string, properties: object, required?: string[]): Promise<Answer>;
}

export function contentOf(server: Server): Content {
  const at = (path: string) => `/api/collections/${path}`;
  const by = (key: string | null | undefined) => (key === undefined ? {} : { key });
  return {
    get: (path, key) => server.request("GET", at(path), by(key)),
    create: (collection, body) => server.request("POST", at(collection), { body }),
    patch: (path, body, headers = {}) => server.request("PATCH", at(path), { body, headers }),
    remove: (path, key) => server.request("DELETE", at(path), by(key)),
    async pointing(path, key) {
      const { status, body, text: said } = await server.request("GET", at(`${path}/references`), by(key));
      if (status !== 200) throw new Error(`no references of ${path}: ${status} ${said}`);
      return body.data.map((one: Record<string, string>) => `${one.collection}/${one.id} ${one.property}`);
    },
    schema: (id, properties, required = []) =>
      server.makeSchema({ id, properties: { title: text, ...properties }, required, index: ["title"] }),
  };
}
