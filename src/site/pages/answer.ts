// The answer to a request for a page: resolve, check who may see it, render. One of these for each request that the page cache
// cannot answer; everything that decided is recorded.

import { allowTarget, isAllowed } from "#access/allow.ts";
import { CairnError } from "#base/errors.ts";
import { NeedsWriter } from "#base/writer-line.ts";
import { getObject } from "#content/objects/objects.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { countPageError } from "#site/site-errors.ts";
import type { Recorder } from "#site/template/recorder.ts";
import { developerAnswer } from "./error-page.ts";
import { refuseVisitor } from "./page-access.ts";
import { pageHeaders } from "./page-headers.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";
import { runSteps, type Stepped, stepsForAll, stepsOf } from "./page-steps.ts";
import { pageTemplateId } from "./page-templates.ts";
import { redirectTo, targetProblem } from "./redirect-answer.ts";
import { type Rendering, renderRecord } from "./render-record.ts";
import { type Found, type FoundObject, type FoundPage, resolve } from "./resolve.ts";
import type { Look, ShownObject } from "./shown-objects.ts";
import { pagesCollection } from "./site-routes.ts";
import { answerStatus, statusOf } from "./status-pages.ts";

export async function answerPage(ctx: Context, request: PageRequest, recorder: Recorder): Promise<PageAnswer> {
  const look: Look = { ctx, recorder, preview: request.preview };
  if (request.preview) recorder.never("It is a preview.");
  let found: Found | undefined;
  try {
    found = await resolve(look, request);
    return await answer(look, request, found);
  } catch (error) {
    recorder.never("It could not be made.");
    if (error instanceof NeedsWriter) throw error;
    // Refusals of the caller, as the API has them.
    if (error instanceof CairnError && error.status < 500) throw error;
    ctx.log.error({ requestId: request.requestId, path: request.path, err: error }, "a page could not be made");
    if (!request.preview) countPageError(ctx, request, { error, collection: collectionOf(found) });
    const told = developerAnswer(ctx, request, error);
    if (told) return told;
    return answerStatus(look, request, statusOf(error));
  }
}

function collectionOf(found: Found | undefined): string {
  return found && "object" in found ? (found.object?.collection.id ?? "") : "";
}

async function answer(look: Look, request: PageRequest, found: Found): Promise<PageAnswer> {
  if (found.kind === "redirect" || found.kind === "robots" || found.kind === "favicon")
    return answerFound(look, request, found);
  const steps = await stepsForAll(look);
  if (!steps) return answerFound(look, request, found);
  const page = { params: {}, ...("params" in found && found), status: 200, isPrivate: false };
  const stepped = await runSteps(look, request, { steps, page });
  return withVary(stepped.answer ?? (await answerFound(look, request, found, stepped)), stepped);
}

/** Caches in between learn what decided. */
function withVary(answer: PageAnswer, { vary }: Stepped): PageAnswer {
  if (vary.size === 0) return answer;
  return { ...answer, headers: { ...answer.headers, vary: [answer.headers.vary ?? "Accept", ...vary].join(", ") } };
}

async function answerFound(
  look: Look,
  request: PageRequest,
  found: Found,
  stepped?: Stepped | undefined,
): Promise<PageAnswer> {
  const { ctx, recorder } = look;
  switch (found.kind) {
    case "missing":
      return answerStatus(look, request, 404);
    case "gone":
      return answerStatus(look, request, 410);
    case "robots":
      return plain(ctx, robots(ctx));
    case "favicon":
      return { ...plain(ctx, ""), status: 204 };
    case "redirect":
      // The query is part of the target, so each one would be kept by itself.
      recorder.never("It is a redirect.");
      return redirectTo(ctx, request, found);
    case "object":
      if (request.wantsJson) return describe(look, request, found);
      return render(look, request, { ...found, ...chosenBy(stepped), status: 200, isPrivate: false });
    case "page":
      return answerFoundPage(look, request, found, stepped);
  }
}

function chosenBy(stepped: Stepped | undefined): Pick<Stepped, "template" | "step"> {
  if (!stepped) return {};
  const { template, step } = stepped;
  return { ...(template !== undefined && { template }), ...(step && { step }) };
}

async function answerFoundPage(
  look: Look,
  request: PageRequest,
  found: FoundPage,
  before: Stepped | undefined,
): Promise<PageAnswer> {
  const { ctx, recorder } = look;
  const { record } = found;
  const groups = Array.isArray(record.accessGroups) ? record.accessGroups.map(String) : [];
  const isPrivate = groups.length > 0;
  const refused = isPrivate ? await refuseVisitor(look, request, groups) : undefined;
  if (refused) return refused;
  const steps = await stepsOf(look, record);
  const own = steps && (await runSteps(look, request, { steps, page: { ...found, status: 200, isPrivate } }));
  if (own?.answer) return withVary(own.answer, own);
  keepAs(recorder, String(record.cache ?? "auto"));
  const status = Number(record.status) || 200;
  if (status === 301 || status === 302) {
    const target = String(record.redirectTo ?? "");
    if (targetProblem(target) !== undefined || target === "") return answerStatus(look, request, 404, { isPrivate });
    recorder.never("It is a redirect.");
    return redirectTo(ctx, request, { target: withQuery(target, request.search), status }, { isPrivate });
  }
  if (request.wantsJson) return describe(look, request, found, status, isPrivate);
  if (String(record.template ?? "") === "")
    return answerStatus(look, request, status === 200 ? 404 : status, { isPrivate });
  const made = await render(look, request, { ...found, ...chosenBy(before), ...chosenBy(own), status, isPrivate });
  return own ? withVary(made, own) : made;
}

async function render(look: Look, request: PageRequest, rendering: Rendering): Promise<PageAnswer> {
  const made = await renderRecord(look, request, rendering);
  return made.abort === undefined
    ? made.answer
    : answerStatus(look, request, made.abort, { isPrivate: rendering.isPrivate });
}

/** `cache` of the page: auto, off, or the seconds that it is kept for. */
function keepAs(recorder: Recorder, cache: string): void {
  if (cache === "off") recorder.never("Its record says: cache off.");
  else if (/^[1-9]\d{0,8}$/.test(cache)) recorder.timed(Number(cache));
}

/** The query is kept unless the target has one. */
function withQuery(target: string, search: string): string {
  if (search === "" || target.includes("?")) return target;
  const [address, ...fragment] = target.split("#");
  return [`${address}?${search}`, ...fragment].join("#");
}

/** The page as data (`?_format=json`): what the caller may read by the API as well. */
async function describe(
  { ctx, recorder }: Look,
  request: PageRequest,
  found: FoundPage | FoundObject,
  status = 200,
  isPrivate = false,
): Promise<PageAnswer> {
  recorder.never();
  const caller = (await request.caller?.()) ?? ctx;
  const { params, object } = found;
  const shown: Record<string, Json> = {
    params,
    template: found.kind === "page" ? pageTemplateId(String(found.record.template ?? "")) : found.template,
    collection: object?.collection.id ?? "",
    status,
    ...(object
      ? { object: await presentObject(caller, object) }
      : found.kind === "page" && { page: presentPage(caller, found) }),
  };
  const asked = { kind: "json", locale: request.locale, isPrivate: true, isNoindex: true };
  const headers = pageHeaders(ctx.settings, asked, { scripts: [], styles: [] });
  return { status, headers, body: JSON.stringify(shown), isPrivate: isPrivate || request.caller !== undefined };
}

/** A template prints some properties of an object; this shows all of them, so it takes the right to read it. */
async function presentObject(ctx: Context, { collection, id }: ShownObject): Promise<Json> {
  allowTarget(ctx, collection.id, "GET");
  return JSON.parse((await getObject(ctx, collection.id, id)).text) as Json;
}

/** Properties that the page shows anyway; all of them for callers that may read pages. */
const publicProperties = ["id", "title", "description", "route", "image", "nav", "navTitle", "parent", "updated"];

function presentPage({ actor }: Context, { record }: FoundPage): Json {
  const pages = { kind: "objects", collection: pagesCollection, publicOperations: [] } as const;
  if (isAllowed(actor, "read", pages)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => publicProperties.includes(name)));
}

function plain({ settings }: Context, body: string): PageAnswer {
  const headers = pageHeaders(
    settings,
    { kind: "txt", locale: "", isPrivate: false, isNoindex: false },
    { scripts: [], styles: [] },
  );
  delete headers["x-robots-tag"];
  return { status: 200, headers, body, isPrivate: false };
}

function robots(ctx: Context): string {
  const isOpen = ctx.settings.get("site.indexed") && ctx.settings.get("environment") !== "development";
  if (!isOpen) return "User-agent: *\nDisallow: /\n";
  return `User-agent: *\nAllow: /\nSitemap: ${siteAddress(ctx)}/sitemap.xml\n`;
}
