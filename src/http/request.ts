// The extensions of Fastify's request and of a route's configuration. Types only.

import type { SignedIn } from "#access/signed-in.ts";
import type { Context } from "#context.ts";
import type { RouteDoc } from "#openapi/route-doc.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by hooks/authenticate.ts before any handler runs. */
    ctx: Context;
    /** The session, when it authenticated the request. */
    signedIn: SignedIn | undefined;
    /** Another process answers it. */
    isForwarded: true | undefined;
  }
  interface FastifyContextConfig {
    /** Shown in the OpenAPI document; a route without one is left out. */
    doc?: RouteDoc;
    /** Upload errors are sent as `{error: text}`. */
    isUpload?: true;
    /** A cookie whose session has ended makes the request anonymous instead of refusing it. */
    takesEndedSession?: true;
    /** Scripts of any origin may call it, without credentials. */
    isOpenToScripts?: true;
    /** Exists only while OAuth is switched on. */
    isOAuth?: true;
    /** The parameter may be an address, slashes included; it is looked up and never part of a path. */
    takesAddresses?: true;
    /** A read that any process of the server can answer; everything else goes to the one that writes. */
    isLocalRead?: true;
    /** Begins a session, so there is no CSRF token yet. */
    needsNoCsrf?: true;
    /** Answered also while the database is away, by the settings known last: at once, or when newer ones cannot be had. */
    takesOldSettings?: "at-once" | "if-needed";
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
