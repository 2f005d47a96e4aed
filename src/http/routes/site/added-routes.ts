// Routes of extensions at the root of the website, before its pages. They are for everybody: no credential of a visitor is
// looked at, and none reaches the code.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import type { CairnError } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { NeedsWriter } from "#base/writer-line.ts";
import { answerSiteRoute, findSiteRoute, type SiteMatch } from "#extensions/routes.ts";
import { bodyLimit, readBody } from "#http/bodies.ts";
import { pathOf } from "#http/errors.ts";
import { sendAdded } from "#http/extension-answers.ts";
import { originForm } from "#http/origin-form.ts";
import { addressOf, type HttpParts, requestContexts } from "#http/request-helpers.ts";
import { isServicePath } from "#site/pages/service-paths.ts";

const timeoutMs = 30_000;
const maxBody = 1_048_576;

/** Must be called before `answerPages`. */
export function answerAddedRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts): void {
  const contextOf = requestContexts(app);

  async function answer(request: FastifyRequest, reply: FastifyReply, match: SiteMatch): Promise<void> {
    const ctx = contextOf(anonymous, request, reply);
    const search = new URL(originForm(request.originalUrl), "http://site").searchParams;
    const sent = await answerSiteRoute(ctx, match, {
      extension: match.extension,
      method: request.method,
      path: pathOf(request),
      query: queryOf(search),
      headers: request.headers,
      body: request.method === "POST" ? await bodyOf(request) : null,
      address: addressOf(request),
      baseUrl: baseUrl(),
      timeoutMs,
    });
    sendAdded(reply, sent);
  }

  /** JSON and forms as values, everything else as bytes. */
  async function bodyOf({ raw, headers }: FastifyRequest): Promise<unknown> {
    const bytes = await readBody(raw, bodyLimit(app, maxBody, undefined));
    if (bytes.length === 0) return null;
    const type = headers["content-type"] ?? "";
    if (/^application\/([\w.-]+\+)?json\b/.test(type)) return parseJson(bytes);
    if (type.startsWith("application/x-www-form-urlencoded"))
      return queryOf(new URLSearchParams(bytes.toString("utf8")));
    return new Uint8Array(bytes);
  }

  server.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || isServicePath(pathOf(request))) return done();
    const found = findSiteRoute(app, { method: request.method, path: pathOf(request) });
    const serve = (match: SiteMatch | undefined) => {
      if (!match) done();
      else if (app.storage.line) done(new NeedsWriter());
      else answer(request, reply, match).catch((error) => done(error));
    };
    if (found instanceof Promise) found.then(serve, (error) => done(error as CairnError));
    else serve(found);
  });
}

function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const all = search.getAll(name);
      return [name, all.length === 1 ? (all[0] as string) : all];
    }),
  );
}
