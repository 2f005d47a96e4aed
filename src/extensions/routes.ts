// Routes of extensions: which one fits, whether the caller may call it, and what is left of its answer.

import { isAdminPersona } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { RouteContribution } from "#contract/extensions.ts";
import { type Contributed, loadExtensions } from "./load-extensions.ts";

export interface RouteRequest {
  extension: string;
  method: string;
  /** Below the address of the extension. */
  path: string;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  body: unknown;
  timeoutMs: number;
}

export interface SentAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | ReadableStream;
}

export async function answerRoute(ctx: Context, request: RouteRequest): Promise<SentAnswer> {
  const found = findRoute((await loadExtensions(ctx)).of("routes"), request);
  if (!found) return fail("not-found");
  const { extension, entry, params } = found;
  allowRoute(ctx, entry);
  const { method, path, query, headers, body, timeoutMs } = request;
  const answer = await ctx.extensions.call({
    extension: extension.id,
    kind: "routes",
    name: entry.name,
    args: [{ method, path, params, query, headers, body }],
    ctx,
    timeoutMs,
  });
  return readAnswer(answer);
}

function findRoute(
  routes: readonly Contributed<"routes">[],
  { extension, method, path }: RouteRequest,
): (Contributed<"routes"> & { params: Record<string, string> }) | undefined {
  for (const route of routes) {
    if (route.extension.id !== extension || route.entry.method !== (method === "HEAD" ? "GET" : method)) continue;
    const params = paramsOf(route.entry.path, path);
    if (params) return { ...route, params };
  }
  return undefined;
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

function allowRoute({ actor }: Context, { access }: RouteContribution): void {
  if (access === "public" || isAdminPersona(actor)) return;
  if (access === "user" && actor.kind === "user") return;
  fail(actor.kind === "anonymous" ? "unauthenticated" : "forbidden");
}

const dropped =
  /^(set-cookie|content-security-policy.*|connection|transfer-encoding|keep-alive|upgrade|content-length)$/;

function readAnswer(answer: unknown): SentAnswer {
  const {
    status = 200,
    headers = {},
    body = null,
  } = (answer ?? {}) as {
    status?: number;
    headers?: Record<string, string>;
    body?: unknown;
  };
  const kept = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  const own = Object.fromEntries(kept.filter(([name]) => !dropped.test(name)));
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream)
    return { status, headers: { "content-type": "text/plain; charset=utf-8", ...own }, body };
  return { status, headers: { ...own, "content-type": "application/json; charset=utf-8" }, body: JSON.stringify(body) };
}
