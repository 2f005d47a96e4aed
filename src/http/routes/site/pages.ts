// The last door before an address is unknown: pages of the site. Headless installations pass it by.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { presentUser } from "#access/signed-in.ts";
import { CairnError } from "#base/errors.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import { pathOf } from "#http/errors.ts";
import { authenticate, hasCredential } from "#http/hooks/authenticate.ts";
import { originForm } from "#http/origin-form.ts";
import { type HttpParts, requestContexts } from "#http/request-helpers.ts";
import { findVisitor } from "#http/visitor.ts";
import { followSettings } from "#installation/settings.ts";
import { answerPage } from "#site/pages/answer.ts";
import type { PageAnswer, PageRequest } from "#site/pages/page-request.ts";
import { isServicePath } from "#site/pages/service-paths.ts";
import { isSiteServed } from "#site/pages/site-served.ts";
import { lookThrough } from "#site/previews/look.ts";
import { noRecorder } from "#site/template/recorder.ts";

/** Must be called before `answerUnknown`, which answers what is left. */
export function answerPages(server: FastifyInstance, { app }: HttpParts): void {
  const contextOf = requestContexts(app);
  const authenticating = authenticate(app);

  function recognizeCaller(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    return new Promise((admit, refuse) => {
      authenticating.call(server, request, reply, (error) => (error ? refuse(error) : admit(request.ctx)));
    });
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const ctx = contextOf(anonymous, request, reply);
    await catchUp(ctx);
    if (!(await isSiteServed(app))) return false;
    const asked = await pageRequest(ctx, request);
    if (hasCredential(request)) asked.caller = () => recognizeCaller(request, reply);
    const answer = await answerPage(ctx, asked, noRecorder);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead) send(reply, answer);
    else if (answer.status === 404) return false;
    else refuseMethod(request, reply);
    return true;
  }

  server.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    followSettings(app);
    if (!app.settings.get("site.enabled") || isServicePath(pathOf(request))) return done();
    serve(request, reply).then((isSent) => isSent || done(), done);
  });
}

function refuseMethod({ method }: FastifyRequest, reply: FastifyReply): void {
  reply.header("allow", "GET, HEAD, OPTIONS");
  if (method === "OPTIONS") reply.code(204).send();
  else reply.send(new CairnError("method-not-allowed"));
}

async function pageRequest(ctx: Context, request: FastifyRequest): Promise<PageRequest> {
  const url = originForm(request.originalUrl);
  const mark = url.indexOf("?");
  const search = mark < 0 ? "" : url.slice(mark + 1);
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) if (!query.has(name)) query.set(name, value);
  const path = mark < 0 ? url : url.slice(0, mark);
  const token = query.get("_preview");
  return {
    path,
    query,
    search,
    method: request.method === "HEAD" ? "HEAD" : "GET",
    locale: ctx.settings.get("locales")[0] ?? "en",
    wantsJson: query.get("_format") === "json" || prefersJson(request.headers.accept),
    async visitor() {
      const found = await findVisitor(ctx, request);
      if (!found) return undefined;
      const { id, name, groups } = presentUser(found.account);
      return { id, name, groups };
    },
    ...(token !== undefined && { preview: await lookThrough(ctx, token, path) }),
    requestId: request.id,
  };
}

function prefersJson(accept = ""): boolean {
  return accept.includes("application/json") && !accept.includes("text/html");
}

function send(reply: FastifyReply, { status, headers, body }: PageAnswer): void {
  reply.removeHeader("x-robots-tag");
  reply.code(status).headers(headers);
  reply.send(status === 204 ? undefined : body);
}
