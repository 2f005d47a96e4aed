// Which browser pages may speak to the endpoint. A page of another site may not, unless its origin is listed; and a name
// that somebody has pointed at this machine (DNS rebinding) does not make a page one of ours.

import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { createLru } from "#base/caches/lru.ts";
import { isLoopback } from "#base/net/addresses.ts";
import { hostKey } from "#base/net/host-names.ts";
import type { App } from "#context.ts";
import { refuse } from "#mcp/refusal.ts";

export interface Asked {
  headers: IncomingHttpHeaders;
  /** Of the socket, on our side. */
  localAddress: string | undefined;
  baseUrl: string;
}

/** Throws a Refusal unless the request may come from where it says it does. */
export function checkOrigin(app: Pick<App, "settings">, asked: Asked): void {
  const host = hostOf(asked.headers.host);
  if (host === undefined) refuse(400, "The Host header is missing or not valid.");
  const isOurs = isOwnHost(app, asked.headers.host, asked.baseUrl);
  if (!isOurs && isLoopback(asked.localAddress ?? "")) {
    refuse(403, "The Host header names another site. Behind a proxy, set CAIRN_URL to the public address.");
  }
  const { origin } = asked.headers;
  if (origin === undefined || isListed(app, origin) || origin === originOf(asked.baseUrl)) return;
  const page = originOf(origin) === undefined ? undefined : new URL(origin);
  if (!page || !isOurs || page.host !== host.withPort) refuse(403, "The Origin header names another site.");
}

/** Whether the header names this site: by its public address, as the admin's host, by a number, or as this machine. */
export function isOwnHost({ settings }: Pick<App, "settings">, header: string | undefined, baseUrl: string): boolean {
  const host = hostOf(header);
  if (host === undefined) return false;
  if (isOurName(host, baseUrl)) return true;
  const adminHost = settings.get("site.adminHost");
  return adminHost !== "" && hostKey(header ?? "") === hostKey(adminHost);
}

/** Headers that let a page of a listed origin read the answer. */
export function corsHeaders(app: Pick<App, "settings">, origin: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { vary: "Origin" };
  if (origin === undefined || !isListed(app, origin)) return headers;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] =
    "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, X-Request-Id";
  return headers;
}

/** The answer to a preflight: it allows listed origins alone. */
export function preflightHeaders(app: Pick<App, "settings">, origin: string | undefined): Record<string, string> {
  const headers = corsHeaders(app, origin);
  if (!headers["access-control-allow-origin"]) return headers;
  delete headers["access-control-expose-headers"];
  return {
    ...headers,
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers":
      "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, X-API-Key",
    "access-control-max-age": "86400",
  };
}

function isListed({ settings }: Pick<App, "settings">, origin: string): boolean {
  const origins = settings.get("mcp.allowedOrigins");
  return origins.includes(origin) || (origins.includes("*") && originOf(origin) === origin);
}

function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? undefined : origin;
}

interface Host {
  /** In lower case, without the port; IPv6 without brackets. */
  name: string;
  withPort: string;
  isNumber: boolean;
}

/** Clients come by few names, and taking one apart costs more than the rest of the check. */
const seenHosts = createLru<Host>(100);

function hostOf(header: string | undefined): Host | undefined {
  if (header === undefined) return undefined;
  const known = seenHosts.get(header);
  if (known) return known;
  const host = readHost(header);
  if (host) seenHosts.set(header, host);
  return host;
}

function readHost(header: string): Host | undefined {
  if (header.length > 300 || !/^[\w.:[\]-]+$/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname, host, pathname, username } = new URL(`http://${header}`);
  if (pathname !== "/" || username !== "" || hostname === "") return undefined;
  const name = hostname.replace(/^\[|\]$/g, "");
  return { name, withPort: host, isNumber: isIP(name) !== 0 };
}

/** A number cannot be pointed at anything else, and `localhost`, with all names below it, is always this machine. */
function isOurName({ name, isNumber }: Host, baseUrl: string): boolean {
  return isNumber || /(^|\.)localhost\.?$/.test(name) || name === nameIn(baseUrl);
}

/** A server has one address, and it is asked for with each request. */
let seenBase = { url: "", name: "" };

function nameIn(baseUrl: string): string {
  if (seenBase.url !== baseUrl) seenBase = { url: baseUrl, name: new URL(baseUrl).hostname };
  return seenBase.name;
}
