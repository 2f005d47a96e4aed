// The admin's own host, where the setting `site.adminHost` names one. On every other host the pages and routes of sessions do not
// exist, and a session's cookie is taken out of the request before anything looks at it. On this host no document has its origin but
// the service's own pages: all others are sent in a sandbox, whichever part of the server sends them.

import type { IncomingHttpHeaders, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hostKey } from "#base/net/host-names.ts";
import type { App } from "#context.ts";
import { sessionCookie } from "#http/cookies.ts";
import { pathOf } from "#http/errors.ts";
import { isServicePath } from "#site/pages/service-paths.ts";

type Configured = Pick<App, "settings">;

const sandbox = "sandbox allow-scripts allow-forms allow-popups";
const policyName = "content-security-policy";
/** Routes that exist on the admin's host alone. */
const closedRoutes =
  /^\/(?:admin|setup|login|account|forgot-password|reset-password|verify-email|oauth\/authorize|api\/auth)(?:\/|$)/;

/** Whether a host is named, and the request is for it. */
export function isOnAdminHost({ settings }: Configured, { host }: FastifyRequest): boolean {
  const named = settings.get("site.adminHost");
  return named !== "" && hostKey(host) === hostKey(named);
}

/** Whether a host is named, and the request is for another one. */
export function isBesideAdminHost(app: Configured, request: FastifyRequest): boolean {
  return app.settings.get("site.adminHost") !== "" && !isOnAdminHost(app, request);
}

/** For answers that are sent before a request is routed: whether one for any host may be sent, as far as its headers say. */
export function isPlainHost({ settings }: Configured, headers: IncomingHttpHeaders): boolean {
  const named = settings.get("site.adminHost");
  if (named === "") return true;
  return headers["x-forwarded-host"] === undefined && hostKey(headers.host ?? "") !== hostKey(named);
}

/** Once the settings are up to date, and before anything looks at the request's cookie. */
export function keepHostsApart(app: Configured, request: FastifyRequest, reply: FastifyReply): void {
  if (app.settings.get("site.adminHost") === "") return;
  const { headers } = request.raw;
  if (!isOnAdminHost(app, request)) {
    dropSession(headers);
    return;
  }
  sandboxDocuments(reply.raw);
  // A browser may have kept the page of a time when the site answered here without a sandbox.
  if (isServicePath(pathOf(request))) return;
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
}

/** By the route, which no spelling of the path changes; by the path where no route fits. */
export function isClosedHere(app: Configured, request: FastifyRequest): boolean {
  if (!isBesideAdminHost(app, request)) return false;
  return closedRoutes.test(request.is404 ? decoded(pathOf(request)) : (request.routeOptions.url ?? ""));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function dropSession(headers: IncomingHttpHeaders): void {
  if (headers.cookie === undefined || !headers.cookie.includes(sessionCookie)) return;
  const kept = headers.cookie.split(";").filter((pair) => pair.split("=")[0]?.trim() !== sessionCookie);
  if (kept.length === 0) delete headers.cookie;
  else headers.cookie = kept.join(";").trim();
}

const ownPages = new WeakSet<ServerResponse>();
const watched = new WeakSet<ServerResponse>();

/** The answer is a page of the service itself, and may have the origin of the admin's host. */
export function markOwnPage({ raw }: FastifyReply): void {
  ownPages.add(raw);
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/** Where the head is written, so that no way to send a document passes it by. */
function sandboxDocuments(response: ServerResponse): void {
  if (watched.has(response)) return;
  watched.add(response);
  const writeHead = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    const hasReason = typeof rest[0] === "string";
    const sent = rest[hasReason ? 1 : 0] as Headers;
    if (ownPages.has(response) || !isDocument(status, valuesOf(response, sent, "content-type")[0]))
      return writeHead(status, ...rest);
    const reason = hasReason ? [rest[0]] : [];
    return writeHead(status, ...reason, withSandbox(sent, valuesOf(response, sent, policyName)));
  };
}

/** What a browser may run scripts in. Without a type it is assumed. */
function isDocument(status: number, type: string | undefined): boolean {
  if (status < 200 || status === 204 || (status >= 300 && status < 400)) return false;
  return type === undefined || /html|xml|^multipart\/|^message\//i.test(type);
}

/** Headers that are given with the head come before those that were set earlier. */
function valuesOf(response: ServerResponse, sent: Headers, name: string): string[] {
  const found: OutgoingHttpHeader[] = [];
  if (Array.isArray(sent)) {
    for (let at = 0; at < sent.length; at += 2)
      if (String(sent[at]).toLowerCase() === name) found.push(sent[at + 1] as OutgoingHttpHeader);
  } else
    for (const [key, value] of Object.entries(sent ?? {}))
      if (key.toLowerCase() === name && value !== undefined) found.push(value);
  const before = found.length > 0 ? undefined : response.getHeader(name);
  return [...found, ...(before === undefined ? [] : [before])].flat().map(String);
}

/** A policy of its own: one that has a sandbox already stays as strict as it is. */
function withSandbox(sent: Headers, policies: readonly string[]): Headers {
  if (policies.includes(sandbox)) return sent;
  if (Array.isArray(sent)) return [...sent, policyName, sandbox];
  const others = Object.entries(sent ?? {}).filter(([key]) => key.toLowerCase() !== policyName);
  return { ...Object.fromEntries(others), [policyName]: [...policies, sandbox].join(", ") };
}
