// Routes of extensions: which one fits, whether the caller may call it, and what the code is given.

import { type Actor, isAdminPersona, isLimitedKey } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { hasGrant } from "#access/key-limits.ts";
import { keyAllows } from "#access/key-scope.ts";
import { fail, rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { RouteContribution, SiteRouteContribution } from "#contract/extensions.ts";
import { hasScope } from "#contract/scopes.ts";
import { type JsonCheck, jsonCheck } from "#schemas/json-schema.ts";
import { type Contributed, loadExtensions } from "./load-extensions.ts";
import { readAnswer, type SentAnswer } from "./route-answers.ts";

export interface RouteAddress {
  extension: string;
  method: string;
  /** Below the address of the extension. */
  path: string;
}

export interface RouteRequest extends RouteAddress {
  query: Record<string, string | string[]>;
  headers: Record<string, unknown>;
  body: unknown;
  /** Reads a body that is no JSON, once the caller may send it. Absent: it is JSON, or there is none. */
  readRaw?: ((as: "bytes" | "stream") => Promise<Uint8Array | ReadableStream>) | undefined;
  /** Of the caller, for limits. */
  address: string | undefined;
  /** Of the site: answers redirect to nowhere else. */
  baseUrl: string;
  timeoutMs: number;
}

export interface RouteMatch {
  extension: string;
  entry: RouteContribution;
  params: Record<string, string>;
}

/** `methods`: that the path has, whether or not one fits. */
export async function findRoute(
  ctx: Context,
  { extension, method, path }: RouteAddress,
): Promise<{ match?: RouteMatch; methods: string[] }> {
  const matches = (await loadExtensions(ctx)).of("routes").flatMap((route) => matchOf(route, extension, path) ?? []);
  const wanted = method === "HEAD" ? "GET" : method;
  const match = matches.find(({ entry }) => entry.method === wanted);
  return { ...(match && { match }), methods: matches.map(({ entry }) => entry.method) };
}

function matchOf({ extension, entry }: Contributed<"routes">, wanted: string, path: string): RouteMatch | undefined {
  const params = extension.id === wanted ? paramsOf(entry.path, path) : undefined;
  return params && { extension: extension.id, entry, params };
}

/** Undefined: the path does not fit. */
function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined && value !== "") params[name] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

export async function answerRoute(ctx: Context, match: RouteMatch, request: RouteRequest): Promise<SentAnswer> {
  allowRoute(ctx, match, request);
  return run(ctx, match, request, "routes");
}

/** At the root of the website, for everybody: the code acts with the rights of the public. */
export function answerSiteRoute(ctx: Context, match: SiteMatch, request: RouteRequest): Promise<SentAnswer> {
  return run(ctx, { ...match, entry: { ...match.entry, access: "public" } }, request, "siteRoutes");
}

export interface SiteMatch extends Omit<RouteMatch, "entry"> {
  entry: SiteRouteContribution;
}

/** Undefined: no enabled extension has a route there. At once where none has any. */
export function findSiteRoute(
  ctx: Pick<Context, "extensions">,
  { method, path }: Pick<RouteAddress, "method" | "path">,
): SiteMatch | undefined | Promise<SiteMatch | undefined> {
  const offered = ctx.extensions.of("siteRoutes");
  if (!(offered instanceof Promise) && offered.length === 0) return undefined;
  const wanted = method === "HEAD" ? "GET" : method;
  const choose = (all: Awaited<typeof offered>) => {
    for (const { extension, entry } of all) {
      const params = entry.method === wanted ? paramsOf(entry.path, path) : undefined;
      if (params) return { extension, entry, params };
    }
    return undefined;
  };
  return offered instanceof Promise ? offered.then(choose) : choose(offered);
}

async function run(
  ctx: Context,
  match: RouteMatch,
  request: RouteRequest,
  kind: "routes" | "siteRoutes",
): Promise<SentAnswer> {
  count(ctx, match, request);
  const { extension, entry, params } = match;
  const { method, path, timeoutMs, baseUrl } = request;
  const body = request.readRaw ? await rawBody(entry, request.readRaw) : request.body;
  const problems = request.readRaw ? {} : (checkOf(ctx, match, "input")?.(body as Parameters<JsonCheck>[0]) ?? {});
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  const [query, headers] = [queryFor(request.query), headersFor(request.headers)];
  const answer = await ctx.extensions.call({
    extension,
    kind,
    name: entry.name,
    args: [{ method, path, params, query, headers, body }],
    ctx,
    timeoutMs,
  });
  const mayCookie = kind === "siteRoutes" && (await maySetCookies(ctx, extension));
  const read = readAnswer(answer, { baseUrl, mayCookie, checkBody: checkOf(ctx, match, "output") });
  return "problem" in read ? failed(ctx, match, read.problem) : read;
}

async function maySetCookies(ctx: Context, id: string): Promise<boolean> {
  const live = (await loadExtensions(ctx)).live.find((one) => one.id === id);
  return live?.manifest.permissions.cookies === true && !live.switchedOff.has("cookies");
}

async function rawBody({ body }: RouteContribution, read: NonNullable<RouteRequest["readRaw"]>): Promise<unknown> {
  return body ? read(body) : fail("unsupported-type", "This route takes JSON: send Content-Type: application/json.");
}

// Access

function allowRoute({ actor }: Context, match: RouteMatch, request: RouteAddress): void {
  allowScope(actor, match.entry);
  if (mayCall(actor, match, request)) return;
  fail(actor.kind === "anonymous" ? "unauthenticated" : actor.kind === "key" ? "invalid-key" : "forbidden");
}

function mayCall(actor: Actor, { extension, entry: { access } }: RouteMatch, { method, path }: RouteAddress): boolean {
  if (access === "public") return true;
  if (isLimitedKey(actor)) return access !== "admin" && isGranted(actor, method, `/ext/${extension}${path}`);
  if (isAdminPersona(actor)) return true;
  if (access === "user") return actor.kind === "user" || actor.kind === "token";
  return access === "group" && isAllowed(actor, "read", { kind: "extension", extension });
}

/** The manifest opens a route to tokens, also a public one. */
function allowScope(actor: Actor, { scope }: RouteContribution): void {
  if (actor.kind !== "token") return;
  if (scope === undefined) fail("insufficient-scope", "This endpoint does not accept access tokens.");
  if (!hasScope(actor.scopes, scope)) fail("insufficient-scope", `This needs the scope ${scope}.`);
}

/** By an endpoint that names extensions: a key for published content opens every path, and is none. */
function isGranted(actor: Actor, method: string, path: string): boolean {
  if (actor.kind !== "key" || actor.scope === undefined || !hasGrant(actor.scope, "ext")) return false;
  return keyAllows(actor.scope, method, path);
}

function count({ limiter, clock }: Context, { extension, entry }: RouteMatch, { address }: RouteRequest): void {
  const { name, limit } = entry;
  if (limit === undefined) return;
  const { remaining } = limiter.count(`ext:${extension}:${name}:${address ?? ""}`, limit);
  if (remaining < 0) throw rateLimited(limiter.windowEnd() - clock.now());
}

// What the code is given: never a credential.

const credentials = new Set(["cookie", "authorization", "proxy-authorization", "x-api-key", "x-csrf-token"]);
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function headersFor(headers: Record<string, unknown>): Record<string, string> {
  const ofConnection = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (credentials.has(name) || hopByHop.has(name) || ofConnection.includes(name)) return [];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(kept);
}

function queryFor(query: RouteRequest["query"]): RouteRequest["query"] {
  const { api_key: _key, access_token: _token, csrf_token: _csrf, ...kept } = query;
  return kept;
}

const checks = new WeakMap<object, JsonCheck>();

/** Undefined: everything fits. */
function checkOf(ctx: Context, { extension, entry }: RouteMatch, of: "input" | "output"): JsonCheck | undefined {
  const schema = entry[of];
  if (schema === undefined) return undefined;
  try {
    const check = checks.get(schema) ?? jsonCheck(schema);
    checks.set(schema, check);
    return check;
  } catch (error) {
    return failed(ctx, { extension, entry }, `has an ${of} schema that cannot be used: ${(error as Error).message}`);
  }
}

/** Said to the operator in full, to the caller by name alone. */
function failed(ctx: Context, { extension, entry }: Pick<RouteMatch, "extension" | "entry">, why: string): never {
  ctx.extensions.report(extension, `The route "${entry.name}" ${why}.`);
  return fail("extension-failed", `The extension ${extension} failed.`);
}
