// Kept pages, sent before their request is routed: most visits of a site are these. Only plain requests come this way. One with a
// credential, an origin, a query or anything else to decide about is routed, and the answers are the same.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { noteOperation } from "#base/loop-guard.ts";
import type { App } from "#context.ts";
import { findSiteRoute } from "#extensions/routes.ts";
import { isPlainHost } from "#http/admin/admin-host.ts";
import type { AnswerEarly, EarlyParts } from "#http/before-routing.ts";
import { isOpenForReading } from "#http/hooks/cors.ts";
import { readyAnswer } from "#http/send-page.ts";
import { followSettings } from "#installation/settings.ts";
import { countSent, findKept } from "#site/cache/kept-pages.ts";
import { isServicePath } from "#site/pages/service-paths.ts";
import { noParameters, prefersJson } from "./page-address.ts";

interface PageParts extends EarlyParts {
  /** No file in public/ can be meant, and nothing that is closed. */
  isNoFile: (path: string) => boolean;
}

/** Nothing in it is encoded, hidden, a file or a folder. */
const plainPath = /^\/(?:[\w-]+(?:\/[\w-]+)*)?$/;

export function createEarlyPages(
  server: FastifyInstance,
  app: App,
  { nextId, host, isNoFile, metrics }: PageParts,
): AnswerEarly {
  // As pages are counted that were routed.
  const labels = { method: "any", route: "unknown" };
  const counts = new Map([200, 304].map((status) => [status, metrics.countOf({ ...labels, status })]));
  let isClosing = false;
  server.addHook("preClose", async () => {
    // The framework then ends connections with their answers.
    isClosing = true;
  });

  return (request, response) => {
    const { method, url: path = "", headers } = request;
    if (method !== "GET" || isClosing || app.storage.isShared || !plainPath.test(path)) return false;
    if (!isPlain(headers) || !host.isPlain(headers.host) || isServicePath(path) || !isNoFile(path)) return false;
    followSettings(app);
    const { settings, log } = app;
    if (!settings.get("site.enabled") || !isOpenForReading(app) || log.isLevelEnabled("debug")) return false;
    if (!isPlainHost(app, headers)) return false;
    if (findSiteRoute(app, { method, path }) !== undefined) return false;
    let isSentRead = false;
    const locale = settings.get("locales")[0] ?? "en";
    const kept = findKept(app, { path, query: noParameters, search: "", locale, wantsJson: false }, () => {
      isSentRead = true;
      return undefined;
    });
    const ready = kept && !isSentRead ? readyAnswer(headers, kept.page) : undefined;
    const count = ready && counts.get(ready.status);
    if (!kept || !ready || !count) return false;
    countSent(app, kept);
    noteOperation("GET page");
    const began = performance.now();
    const { status, head, octets } = ready;
    head[1] = nextId();
    response.writeHead(status, head);
    if (octets === undefined) response.end();
    else response.end(octets, "latin1");
    const note = () => count(performance.now() - began);
    if (response.socket?.writableLength === 0) note();
    else response.once("finish", note);
    return true;
  };
}

/** The answer depends on the address, and on what the client takes and has. */
function isPlain(headers: IncomingHttpHeaders): boolean {
  const { authorization, cookie, origin, "x-api-key": key, "content-encoding": encoding } = headers;
  return (authorization ?? cookie ?? origin ?? key ?? encoding) === undefined && !prefersJson(headers.accept);
}
