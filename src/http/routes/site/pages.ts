// The last door before an address is unknown: pages of the site. Headless installations pass it by.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { callerOf } from "#access/callers.ts";
import { csrfTokenOf } from "#access/sessions.ts";
import { presentUser } from "#access/signed-in.ts";
import { CairnError } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import { pathOf } from "#http/errors.ts";
import { authenticate, hasCredential } from "#http/hooks/authenticate.ts";
import { originForm } from "#http/origin-form.ts";
import { type HttpParts, requestContexts } from "#http/request-helpers.ts";
import { sendPage } from "#http/send-page.ts";
import { findVisitor } from "#http/visitor.ts";
import { findPage, servePage } from "#site/cache/kept-pages.ts";
import type { PageAddress } from "#site/cache/watched-request.ts";
import { answerPage } from "#site/pages/answer.ts";
import type { PageRequest, SentRequest, Visitor } from "#site/pages/page-request.ts";
import { isServicePath } from "#site/pages/service-paths.ts";
import { isSiteServed } from "#site/pages/site-served.ts";
import { lookThrough } from "#site/previews/look.ts";
import { siteContext } from "#site/site-context.ts";
import type { AnswerPage } from "#site/template/render-page.ts";
import type { DevDoor } from "./dev.ts";
import { noParameters, prefersJson } from "./page-address.ts";
import { withPreviewScript } from "./preview-script.ts";

/** Must be called before `answerUnknown`, which answers what is left. */
export function answerPages(server: FastifyInstance, { app }: HttpParts, dev: DevDoor | undefined): void {
  const contextOf = requestContexts(app);
  const authenticating = authenticate(app);
  const site = siteContext(app);
  const answer: AnswerPage = async (asked, recorder) => {
    const page = await answerPage(site, asked, recorder);
    return asked.preview ? withPreviewScript(page) : page;
  };

  function recognizeCaller(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    return new Promise((admit, refuse) => {
      authenticating.call(server, request, reply, (error) => (error ? refuse(error) : admit(request.ctx)));
    });
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, asked: PageRequest): Promise<boolean> {
    if (!(await isSiteServed(app))) return false;
    const token = asked.query.get("_preview");
    if (token !== undefined) asked.preview = await lookThrough(contextOf(anonymous, request, reply), token, asked.path);
    if (hasCredential(request)) {
      asked.caller = () => recognizeCaller(request, reply);
      if (asked.wantsJson) asked.renderer = async () => (await recognizeCaller(request, reply)).caller;
    }
    const page = dev ? await dev.render(asked, answer) : await servePage(app, asked, answer);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead) sendPage(request, reply, page);
    else if (page.status === 404) return false;
    else refuseMethod(request, reply);
    return true;
  }

  function sendKept(request: FastifyRequest, reply: FastifyReply): boolean {
    if (dev || (request.method !== "GET" && request.method !== "HEAD")) return false;
    const address = addressIn(app, request, request.originalUrl);
    // Data are for a caller with rights of its own.
    const isForOne = address.query.has("_preview") || (address.wantsJson && hasCredential(request));
    const sent = () => sentBy(request, () => contextOf(anonymous, request, reply));
    const kept = isForOne ? undefined : findPage(app, address, sent);
    if (kept) sendPage(request, reply, kept);
    return kept !== undefined;
  }

  server.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !app.settings.get("site.enabled") || isServicePath(pathOf(request))) return done();
    if (sendKept(request, reply)) return;
    const asked = pageRequest(app, request, () => contextOf(anonymous, request, reply));
    serve(request, reply, asked).then((isSent) => isSent || done(), done);
  });
}

function refuseMethod({ method }: FastifyRequest, reply: FastifyReply): void {
  reply.header("allow", "GET, HEAD, OPTIONS");
  if (method === "OPTIONS") reply.code(204).send();
  else reply.send(new CairnError("method-not-allowed"));
}

/** `address`: path and query, where it is not the one of the request. */
export function pageRequest(
  { settings }: App,
  request: FastifyRequest,
  contextOf: () => Context,
  address = request.originalUrl,
): PageRequest {
  return {
    ...addressIn({ settings }, request, address),
    method: request.method === "HEAD" ? "HEAD" : "GET",
    visitor: () => visitorOf(request, contextOf),
    sent: sentBy(request, contextOf),
    async renderer() {
      const found = await findVisitor(contextOf(), request);
      return found ? callerOf(found.actor) : contextOf().caller;
    },
    async formToken() {
      const found = await findVisitor(contextOf(), request);
      return found && csrfTokenOf(found.value);
    },
    requestId: request.id,
  };
}

function addressIn({ settings }: Pick<App, "settings">, request: FastifyRequest, address: string): PageAddress {
  const url = originForm(address);
  const mark = url.indexOf("?");
  const search = mark < 0 ? "" : url.slice(mark + 1);
  const query = search === "" ? noParameters : parametersIn(search);
  return {
    path: mark < 0 ? url : url.slice(0, mark),
    query,
    search,
    locale: settings.get("locales")[0] ?? "en",
    wantsJson: query.get("_format") === "json" || prefersJson(request.headers.accept),
  };
}

function parametersIn(search: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) if (!query.has(name)) query.set(name, value);
  return query;
}

async function visitorOf(request: FastifyRequest, contextOf: () => Context): Promise<Visitor | undefined> {
  const found = await findVisitor(contextOf(), request);
  if (!found) return undefined;
  const { id, name, groups } = presentUser(found.account);
  return { id, name, groups };
}

const credentials = /^(?:cookie|authorization|proxy-authorization|x-api-key|x-csrf-token)$/;

/** Worked out when a step asks. */
function sentBy(request: FastifyRequest, contextOf: () => Context): SentRequest {
  return {
    headers: () =>
      Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          value === undefined || credentials.test(name) ? [] : [[name, String(value)]],
        ),
      ),
    cookies: () =>
      Object.fromEntries(
        (request.headers.cookie ?? "").split(";").flatMap((pair) => {
          const [name = "", ...value] = pair.trim().split("=");
          return name === "" || name.startsWith("cairn_") ? [] : [[name, value.join("=")]];
        }),
      ),
    visitor: () => visitorOf(request, contextOf),
  };
}
