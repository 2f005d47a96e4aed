// What the door hangs on Fastify's request and on a route's configuration. Types only.

import type { KeyVerdict } from "#access/api-keys.ts";
import type { SignedIn } from "#access/signed-in.ts";
import type { Context } from "#context.ts";
import type { RouteDoc } from "./openapi/route-doc.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by hooks/authenticate.ts before any handler runs. */
    ctx: Context;
    /** The API key's limits, when one came with the request. */
    verdict: KeyVerdict | undefined;
    /** The session, when it is what authenticated the request. */
    signedIn: SignedIn | undefined;
  }
  interface FastifyContextConfig {
    /** Shown in the OpenAPI document; a route without one is left out of it. */
    doc?: RouteDoc;
    /** What is wrong with an upload is told as `{error: text}`. */
    isUpload?: true;
    /** A cookie whose session has ended is no reason to refuse the request: it makes it anonymous. */
    takesEndedSession?: true;
    /** Scripts of any origin may call it, without credentials. */
    isOpenToScripts?: true;
    /** Exists only while OAuth is switched on. */
    isOAuth?: true;
    /** What it names may be an address, slashes included; it is looked up and never part of a path. */
    takesAddresses?: true;
    /** Begins a session, so there is none to prove yet. */
    needsNoCsrf?: true;
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
