// Steps of extensions that run before a page: those for all pages, then those that the page names in its `middleware`. What a
// step has read of the visitor becomes part of the page's key, so that no visitor is shown what was decided for another.

import { NeedsWriter } from "#base/writer-line.ts";
import type { Offered } from "#content/extension-port.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { sentName, sentValue } from "#site/cache/watched-request.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";
import { pageTemplateId } from "./page-templates.ts";
import { redirectTo, targetProblem } from "./redirect-answer.ts";
import { type Rendering, renderRecord } from "./render-record.ts";
import type { Look } from "./shown-objects.ts";
import { answerStatus } from "./status-pages.ts";

type Step = Offered<"pageSteps">;

const timeoutMs = 1_000;
const statuses = [301, 302, 307];
const ownHeaders =
  /^(?:set-cookie|content-.*|connection|transfer-encoding|keep-alive|upgrade|location|vary|cache-control)$/;

/** What the steps left of the page: an answer of their own, or another template. */
export interface Stepped {
  answer?: PageAnswer;
  template?: string;
  step?: JsonObject;
  /** Names for the header Vary. */
  vary: Set<string>;
}

/** `acme/map:near` */
function nameOf({ extension, entry }: Step): string {
  return `${extension}:${entry.name}`;
}

/** Undefined: there are none, as on nearly all sites. The page depends on that. */
export async function stepsForAll({ ctx, recorder }: Look): Promise<readonly Step[] | undefined> {
  const ask = async () => (await everywhere(ctx)).map((step) => `${nameOf(step)} ${step.mark}`).join();
  const steps = await everywhere(ctx);
  recorder.fact({ scopes: ["extensions"], value: await ask(), ask });
  return steps.length === 0 ? undefined : steps;
}

async function everywhere({ extensions }: Context): Promise<readonly Step[]> {
  const offered = extensions.of("pageSteps");
  return (offered instanceof Promise ? await offered : offered).filter(({ isEverywhere }) => isEverywhere);
}

/** Those that the page names, in its order. Names that no extension offers are passed over; `site:check` tells them. */
export async function stepsOf({ ctx }: Look, record: JsonObject): Promise<readonly Step[] | undefined> {
  const names = Array.isArray(record.middleware) ? record.middleware : [];
  if (names.length === 0) return undefined;
  const offered = (await ctx.extensions.of("pageSteps")).filter(({ isEverywhere }) => !isEverywhere);
  return names.flatMap((name) => offered.find((step) => nameOf(step) === name) ?? []);
}

export async function runSteps(
  look: Look,
  request: PageRequest,
  { steps, page }: { steps: readonly Step[]; page: Rendering },
): Promise<Stepped> {
  const { ctx, recorder } = look;
  recorder.scope("extensions");
  // Steps are given all of the object.
  if (page.object) recorder.scope(`objects:${page.object.collection.id}`);
  const stepped: Stepped = { vary: new Set() };
  for (const step of steps) {
    const verdict = await ask(look, request, { step, page, vary: stepped.vary });
    if (verdict === undefined && step.entry.protects) {
      recorder.never("A step that protects it failed.");
      return { ...stepped, answer: await answerStatus(look, request, 503, { isPrivate: true }) };
    }
    if (verdict === undefined) recorder.never("A step failed.");
    if (verdict === undefined || verdict === "go") continue;
    const { redirect, status, template, data } = verdict;
    if (typeof redirect === "string") {
      recorder.never("It is a redirect.");
      const target = { target: redirect, status: typeof status === "number" ? status : 302 };
      return { ...stepped, answer: redirectTo(ctx, request, target) };
    }
    if (typeof template === "string") stepped.template = pageTemplateId(template);
    if (isJsonObject(data)) stepped.step = data;
    if (typeof status === "number")
      return { ...stepped, answer: await answerWith(look, request, { page, verdict, status, stepped }) };
  }
  return stepped;
}

interface Decided {
  page: Rendering;
  verdict: JsonObject;
  status: number;
  stepped: Stepped;
}

async function answerWith(
  look: Look,
  request: PageRequest,
  { page, verdict, status, stepped }: Decided,
): Promise<PageAnswer> {
  const isPrivate = page.isPrivate || status >= 500;
  const { template, step } = stepped;
  const made =
    typeof verdict.template === "string" && !request.wantsJson
      ? await renderRecord(look, request, { ...page, template, step, status, isPrivate })
      : undefined;
  const answer =
    made?.abort === undefined && made ? made.answer : await answerStatus(look, request, status, { isPrivate });
  const more = Object.entries(isJsonObject(verdict.headers) ? verdict.headers : {})
    .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
    .filter(([name, value]) => !ownHeaders.test(name) && /^[\x20-\x7e]*$/.test(value) && /^[a-z0-9-]+$/.test(name));
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(more) } };
}

/** Undefined: it failed, or answered what is no verdict. */
async function ask(
  look: Look,
  request: PageRequest,
  { step, page, vary }: { step: Step; page: Rendering; vary: Set<string> },
): Promise<"go" | JsonObject | undefined> {
  const { ctx } = look;
  const { extension, entry } = step;
  let told: unknown;
  try {
    const args = [await visitOf(request, page)];
    told = await ctx.extensions.call({ extension, kind: "pageSteps", name: entry.name, args, timeoutMs });
  } catch (error) {
    if (error instanceof NeedsWriter) throw error;
    return undefined;
  }
  const { verdict = "go", reads = [] } = (told ?? {}) as { verdict?: unknown; reads?: unknown };
  const problem = problemOf(verdict);
  if (problem !== undefined) {
    ctx.extensions.report(extension, `The page step "${entry.name}" answered no verdict: ${problem}.`);
    return undefined;
  }
  const kept = isJsonObject(verdict as JsonObject) ? (verdict as JsonObject) : {};
  const declared = Array.isArray(kept.vary) ? kept.vary : [];
  for (const name of [...(reads as string[]), ...declared]) noteRead(look, request, String(name), vary);
  if (kept.private === true) look.recorder.visitor();
  if (typeof kept.until === "string") {
    // A moment before, so that no kept page outlives the time that it takes to make it.
    const seconds = Math.floor((Date.parse(kept.until) - ctx.clock.now()) / 1_000) - 1;
    look.recorder.expires(Math.max(0, seconds));
  }
  return verdict === "go" ? "go" : kept;
}

function problemOf(verdict: unknown): string | undefined {
  if (verdict === "go") return undefined;
  if (typeof verdict !== "object" || verdict === null || Array.isArray(verdict))
    return 'it is neither "go" nor an object';
  const { redirect, status, template, until } = verdict as JsonObject;
  if (redirect !== undefined) {
    if (typeof redirect !== "string" || targetProblem(redirect) !== undefined) return "its redirect is not an address";
    return status === undefined || statuses.includes(Number(status)) ? undefined : "its status is none of a redirect";
  }
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599))
    return "its status is none";
  if (template !== undefined && typeof template !== "string") return "its template is no text";
  if (until !== undefined && Number.isNaN(Date.parse(String(until)))) return "until is no time";
  return undefined;
}

function noteRead({ recorder }: Look, request: PageRequest, read: string, vary: Set<string>): void {
  const at = read.indexOf(":");
  const [place, name] = at < 0 ? [read, ""] : [read.slice(0, at), read.slice(at + 1)];
  if (place === "user") {
    recorder.visitor();
    return;
  }
  if (place === "query" && name !== "*") {
    recorder.parameter(name, request.query.get(name));
    return;
  }
  if (place === "query") {
    // Reading it records it.
    void request.search;
    return;
  }
  if ((place !== "header" && place !== "cookie") || name === "*") {
    recorder.never("A step looks at all that the visitor sent.");
    return;
  }
  vary.add(place === "cookie" ? "Cookie" : name);
  const key = sentName(place, name);
  recorder.parameter(key, request.sent && sentValue(request.sent, key));
}

async function visitOf(request: PageRequest, { record, object }: Rendering): Promise<JsonObject> {
  const { path, sent, query } = unwatched(request);
  const visitor = await sent?.visitor();
  return {
    path,
    method: "GET",
    query,
    headers: sent?.headers() ?? {},
    cookies: sent?.cookies() ?? {},
    page: record ?? {},
    object: object?.document ?? null,
    user: visitor ? { id: visitor.id, groups: [...visitor.groups] } : null,
  };
}

/** The step says what it has read of it. */
function unwatched({ path, sent, everyParameter, query }: PageRequest) {
  return { path, sent, query: Object.fromEntries(everyParameter?.() ?? query) };
}
