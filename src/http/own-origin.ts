// Where a browser says that a request comes from. Clients that are no browser say nothing, and count as ours.

import type { FastifyRequest } from "fastify";
import { adminAddress } from "#content/site-address.ts";
import { isOnAdminHost } from "./admin/admin-host.ts";
import type { HttpParts } from "./request-helpers.ts";

export function isFromHere(request: FastifyRequest, { app, baseUrl }: HttpParts): boolean {
  const { "sec-fetch-site": site, origin } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined || origin === `${request.protocol}://${request.host}`) return true;
  return origin === URL.parse(isOnAdminHost(app, request) ? adminAddress(app) : baseUrl())?.origin;
}
