// Which names this machine answers to. A page elsewhere can point its own name at 127.0.0.1 and then counts, for the
// browser, as a page of the server there; so a server on a loopback socket answers to its own names alone.
// A proxy that forwards the public name works when `url` is that name, or when `trustProxy` says that there is one.

import type { FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { isLoopback } from "#base/net/addresses.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { isOwnHost } from "#mcp/transport/origins.ts";

/** Health reveals nothing, and answers to any name; the MCP endpoint has the same rule, and its own error. */
const forAnyName = new Set(["/healthz", "/readyz", "/mcp", "/mcp/*"]);

export interface HostCheck {
  /** Every address answers to it. */
  isPlain(host: string | undefined): boolean;
  check(request: FastifyRequest): void;
}

export function createHostCheck({ app, baseUrl }: HttpParts): HostCheck {
  const isProxied = app.settings.get("trustProxy").length > 0;
  const isPlain = (host: string | undefined) => isProxied || host === undefined || isOwnHost(app, host, baseUrl());

  function check(request: FastifyRequest): void {
    // The cheapest check first: the framework collects `routeOptions` each time it is read.
    if (isPlain(request.headers.host)) return;
    if (!isLoopback(request.raw.socket.localAddress ?? "") || forAnyName.has(request.routeOptions.url ?? "")) return;
    fail("forbidden", "The Host header names another site. Behind a proxy, set CAIRN_URL to the public address.");
  }

  return { isPlain, check };
}
