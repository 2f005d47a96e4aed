// What the door hangs on Fastify's request and on a route's configuration. Types only.

import type { KeyVerdict } from "#access/api-keys.ts";
import type { Context } from "#context.ts";
import type { RouteDoc } from "./route-doc.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by hooks/authenticate.ts before any handler runs. */
    ctx: Context;
    /** The API key's limits, when one came with the request. */
    verdict: KeyVerdict | undefined;
  }
  interface FastifyContextConfig {
    /** Shown in the OpenAPI document; a route without one is left out of it. */
    doc?: RouteDoc;
  }
}

export interface CollectionPath {
  collection: string;
}
export interface ObjectPath extends CollectionPath {
  id: string;
}
export interface PropertyPath extends ObjectPath {
  property: string;
}
