// Which scope a message takes: that of its method, and of a tool its own. A list is never refused: it shows what the
// scopes allow. Checked before the message is dealt with, so that the client is told by HTTP what to ask its user for.

import type { TokenActor } from "#access/actor.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Scope } from "#contract/scopes.ts";
import { missingToolScope } from "#mcp/catalogue.ts";
import { type Credentials, refuseMessage } from "./authenticate.ts";

const scopeOfMethod: Record<string, Scope> = {
  "tools/call": "mcp:tools",
  "resources/read": "mcp:resources",
  "resources/subscribe": "mcp:resources",
  "resources/unsubscribe": "mcp:resources",
  "prompts/get": "mcp:prompts",
};

/** Nothing to wait for where the caller has no token. */
export function checkScopes(
  ctx: Context,
  introduction: Credentials,
  body: Json | undefined,
): Promise<void> | undefined {
  return ctx.actor.kind === "token" ? checkToken(ctx, ctx.actor, { introduction, body }) : undefined;
}

async function checkToken(
  ctx: Context,
  token: TokenActor,
  { introduction, body }: { introduction: Credentials; body: Json | undefined },
): Promise<void> {
  for (const message of Array.isArray(body) ? body : [body ?? null]) {
    if (!isJsonObject(message) || typeof message.method !== "string") continue;
    const needed = await missingScope(ctx, message.method, message.params);
    const what = message.method.slice(0, 100);
    if (needed) refuseMessage(ctx, introduction, { token, needed, what });
  }
}

async function missingScope(ctx: Context, method: string, params: Json | undefined): Promise<Scope | undefined> {
  const needed = Object.hasOwn(scopeOfMethod, method) ? scopeOfMethod[method] : undefined;
  if (needed && ctx.actor.kind === "token" && !ctx.actor.scopes.has(needed)) return needed;
  const name = method === "tools/call" ? (params as JsonObject | undefined)?.name : undefined;
  return typeof name === "string" ? missingToolScope(ctx, name) : undefined;
}
