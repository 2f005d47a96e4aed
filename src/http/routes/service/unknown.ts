// Requests that match no route: 405 when a different method would match, the answer to a CORS preflight, the start page at `/`,
// else 404.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { nameCaller } from "#access/credentials.ts";
import { CairnError, errorCatalogue } from "#base/errors.ts";
import { adminPrefix } from "#content/site-address.ts";
import type { App } from "#context.ts";
import { closeUnread } from "#http/bodies.ts";
import { pathOf } from "#http/errors.ts";
import { hasCredential, sentCredentials } from "#http/hooks/authenticate.ts";
import { answerOpenPreflight, answerPreflight } from "#http/hooks/cors.ts";
import { goOnAfter } from "#http/hooks/go-on-after.ts";
import type { RateLimit } from "#http/hooks/rate-limit.ts";
import { jsonType } from "#http/media-types.ts";
import { sendMissingPage, sendPage } from "#http/pages/pages.ts";
import type { SetupGate } from "#http/pages/setup.ts";
import { startPage } from "#http/pages/start-page.ts";
import { isApiPath } from "#http/request-helpers.ts";
import { Refusal } from "#mcp/refusal.ts";
import { isOAuthOn } from "#oauth/switch.ts";

interface Pattern {
  segments: string[];
  methods: Set<string>;
  /** Scripts of any origin may call it, writes included. */
  isOpen: boolean;
  /** Exists only while OAuth is switched on. */
  isOAuth: boolean;
}

interface UnknownParts {
  limit: RateLimit;
  setup: Pick<SetupGate, "isOpen">;
}

/** Must be called before any route is added: it collects the methods of each path from them. */
export function answerUnknown(server: FastifyInstance, app: App, { limit, setup }: UnknownParts): void {
  const patterns = new Map<string, Pattern>();
  server.addHook("onRoute", ({ url, method, config }) => {
    const { isOpenToScripts: isOpen = false, isOAuth = false } = config ?? {};
    const pattern = patterns.get(url) ?? { segments: segmentsOf(url), methods: new Set(), isOpen, isOAuth };
    for (const name of [method].flat()) pattern.methods.add(name);
    patterns.set(url, pattern);
  });

  function allowed(path: string): { methods: string[]; isOpen: boolean; isOAuth: boolean } {
    const segments = segmentsOf(path);
    const found = [...patterns.values()].filter(
      (pattern) => matches(pattern.segments, segments) && (!pattern.isOAuth || isOAuthOn(app)),
    );
    const methods = new Set(found.flatMap((pattern) => [...pattern.methods]));
    methods.delete("OPTIONS");
    return {
      methods: [...methods].sort(),
      isOpen: found.some((pattern) => pattern.isOpen),
      isOAuth: found.some((pattern) => pattern.isOAuth),
    };
  }

  server.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !isApiPath(pathOf(request))) return done();
    const { method } = request;
    if (method === "OPTIONS" || !hasCredential(request)) {
      limit(request, reply);
      return done();
    }
    const known = nameCaller(app, sentCredentials(request), { door: "api", method });
    const limited = known.then((actor) => limit(request, reply, actor));
    goOnAfter(limited, { request, reply, done, log: app.log });
  });
  // Answered before the body is read; the handler exists only because Fastify requires one.
  server.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request);
    const { methods, isOpen, isOAuth } = allowed(path);
    if (methods.length > 0) reply.header("allow", [...methods, "OPTIONS"].join(", "));
    if (methods.length > 0 && request.method === "OPTIONS") {
      if (isOpen) answerOpenPreflight(reply, methods);
      else answerPreflight(app, request, reply, methods);
      reply.code(204).send();
    } else if (methods.length > 0) {
      if (isOAuth) refuseInWords(request, reply, oauthRefusal);
      else if (/^\/mcp(\/|$)/.test(path)) refuseInWords(request, reply, mcpRefusal);
      else done(new CairnError("method-not-allowed"));
    } else if (path === "/" && isRead(request)) {
      const name = app.settings.get("site.name");
      const admin = adminPrefix(app);
      setup.isOpen().then((needsSetup) => sendPage(reply, startPage({ name, needsSetup, admin })), done);
    } else answerNotFound(request, reply);
  });
  server.setNotFoundHandler(answerNotFound);
}

const { status: notAllowed, message } = errorCatalogue["method-not-allowed"];
const oauthRefusal = JSON.stringify({ error: "invalid_request", error_description: message });
const mcpRefusal = new Refusal({ status: notAllowed, message }).text;

/** In the words of the protocol that is spoken there. */
function refuseInWords(request: FastifyRequest, reply: FastifyReply, text: string): void {
  closeUnread(request, reply);
  reply.code(notAllowed).header("content-type", jsonType).send(text);
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const isForPeople = !isApiPath(pathOf(request)) && isRead(request);
  if (!isForPeople) reply.send(new CairnError("not-found"));
  else sendMissingPage(reply);
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** An empty segment counts: an address with an extra slash is a different address. */
function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

/** A star matches the rest of the path. */
function matches(pattern: string[], segments: string[]): boolean {
  const isOpen = pattern.at(-1) === "*";
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, at) => part === "*" || (part.startsWith(":") && segments[at]) || part === segments[at]);
}
