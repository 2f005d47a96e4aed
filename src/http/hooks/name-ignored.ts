// The header `X-Ignored` names what a request sent and nothing read: parameters that the route does not have, and
// properties that the schema does not have, as `sortt;in=query;meant=sort, titel;in=body`. Names are percent-encoded.
// An address without a query costs one comparison.

import type { FastifyReply, FastifyRequest } from "fastify";
import { type Ignored, ignoredNames } from "#content/objects/ignored.ts";
import { noQuery, type Query } from "#http/query-string.ts";
import { queryOf } from "#http/request-helpers.ts";

const header = "x-ignored";
/** Names that are sent to pass caches, to count visitors, or for the door itself. */
const forOthers = /^(?:_.*|v|utm_.*|api_key)$/;
const longest = 100;
const most = 20;
/** Addresses are repeated, and each has one query. */
const known = new WeakMap<Query, { described: object; ignored: Ignored[] }>();
const nothing = {};

export function nameIgnoredParameters(request: FastifyRequest, reply: FastifyReply): void {
  const query = queryOf(request);
  if (query === noQuery) return;
  const { doc } = request.routeOptions.config;
  if (!doc) return;
  const described = doc.query ?? nothing;
  let found = known.get(query);
  if (found?.described !== described) {
    found = { described, ignored: ignoredParameters(query, described) };
    known.set(query, found);
  }
  if (found.ignored.length > 0) nameIgnored(reply, "query", found.ignored);
}

export function ignoredParameters(query: Query, described: object): Ignored[] {
  const names = Object.keys(query).filter((name) => !Object.hasOwn(described, name) && !forOthers.test(name));
  return names.length === 0 ? [] : ignoredNames(names, Object.keys(described));
}

export function nameIgnored(reply: FastifyReply, place: "query" | "body", ignored: readonly Ignored[]): void {
  const before = reply.getHeader(header);
  const text = writeIgnored(place, ignored);
  reply.header(header, before === undefined ? text : `${before}, ${text}`);
}

/** Keys of the body that were kept, and have no effect. */
export function nameUnused(reply: FastifyReply, keys: readonly string[]): void {
  const ignored = keys.map((name) => ({ name }));
  if (ignored.length > 0) nameIgnored(reply, "body", ignored);
}

export function writeIgnored(place: string, ignored: readonly Ignored[]): string {
  const items = ignored
    .slice(0, most)
    .map(({ name, meant }) => `${token(name)};in=${place}${meant === undefined ? "" : `;meant=${token(meant)}`}`);
  return items.join(", ");
}

/** Only characters of a token (RFC 9110, 5.6.2). */
function token(name: string): string {
  const encoded = encodeURIComponent(name.slice(0, longest).toWellFormed());
  return encoded.replaceAll("(", "%28").replaceAll(")", "%29");
}
