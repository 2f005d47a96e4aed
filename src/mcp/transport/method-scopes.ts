// The scope that a message needs: that of its method, and for a tool the tool's own. A list is never refused: it shows what
// the scopes allow. Checked before the message is handled, so that the HTTP answer names the scope to ask the user for.

import type { TokenActor } from "#access/actor.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Scope } from "#contract/scopes.ts";
import type { ToolFinder } from "#mcp/catalogue.ts";
import { refuseMessage } from "./authenticate.ts";
import type { OpenExchange } from "./exchange.ts";

const scopeOfMethod: Record<string, Scope> = {
  "tools/call": "mcp:tools",
  "resources/read": "mcp:resources",
  "resources/subscribe": "mcp:resources",
  "resources/unsubscribe": "mcp:resources",
  "prompts/get": "mcp:prompts",
};

/** Undefined: nothing to wait for, because the caller has no token. */
export function checkScopes(exchange: OpenExchange): Promise<void> | undefined {
  const { actor } = exchange.ctx;
  return actor.kind === "token" ? checkToken(exchange, actor) : undefined;
}

async function checkToken({ ctx, body, credentials, findTool }: OpenExchange, token: TokenActor): Promise<void> {
  for (const message of Array.isArray(body) ? body : [body ?? null]) {
    if (!isJsonObject(message) || typeof message.method !== "string") continue;
    const needed = await missingScope(message.method, message.params, { token, findTool });
    const what = message.method.slice(0, 100);
    if (needed) refuseMessage(ctx, credentials, { token, needed, what });
  }
}

async function missingScope(
  method: string,
  params: Json | undefined,
  { token, findTool }: { token: TokenActor; findTool: ToolFinder },
): Promise<Scope | undefined> {
  const needed = Object.hasOwn(scopeOfMethod, method) ? scopeOfMethod[method] : undefined;
  if (needed && !token.scopes.has(needed)) return needed;
  const name = method === "tools/call" ? (params as JsonObject | undefined)?.name : undefined;
  return typeof name === "string" ? (await findTool(name)).missingScope : undefined;
}
