// The caller of the MCP endpoint: an API key, an access token with a scope for MCP, or, where that is allowed, the public.
// access/credentials.ts decides. Session cookies count for nothing here, and neither does anything in the address.
// Checked again for every request, and for every stream as long as it is open.

import type { IncomingHttpHeaders } from "node:http";
import type { Actor, TokenActor } from "#access/actor.ts";
import { callerName } from "#access/callers.ts";
import {
  findCredential,
  type RejectedScope,
  type RequestedAccess,
  recognize,
  rejectScope,
  type SentCredentials,
} from "#access/credentials.ts";
import { isPro } from "#access/edition.ts";
import type { App } from "#context.ts";
import { type Scope, scopes } from "#contract/scopes.ts";
import { Refusal, refuse } from "#mcp/refusal.ts";

export interface Caller {
  actor: Actor;
  /** The owner of sessions: stays the same when a token is refreshed. */
  principal: string;
}

/** The scopes that a client is advised to ask for: all but administering, which people ask for knowingly. */
const usualScopes = scopes.filter((scope) => scope !== "cms:admin");
const mcpScopes: readonly Scope[] = ["mcp:tools", "mcp:resources", "mcp:prompts"];

/** Enough to check the caller again: the credential stays in memory while a stream is open. */
export interface Credentials {
  headers: Pick<IncomingHttpHeaders, "authorization" | "x-api-key">;
  method: string;
  baseUrl: string;
}

/** Throws a Refusal for callers that may not use the endpoint. */
export async function authenticate(app: App, credentials: Credentials): Promise<Caller> {
  if (!app.settings.get("mcp.enabled")) refuse(404, "The MCP endpoint is switched off.");
  const found = await recognize(app, sentWith(credentials), accessOf(credentials.method));
  if (found.refusal === "insufficient-scope") return refuseScope(app, credentials, found, "The MCP endpoint");
  if (found.refusal !== undefined)
    return challenge(app, credentials, "invalid_token", "The API key or access token is not valid here.");
  const { actor } = found;
  if (actor.kind !== "anonymous") return { actor, principal: callerName(actor) };
  if (app.settings.get("mcp.publicAccess")) return { actor, principal: "anonymous" };
  return challenge(app, credentials, "login_required", "Sign in, or send an API key.");
}

function sentWith({ headers }: Credentials): SentCredentials {
  return { key: headers["x-api-key"], authorization: headers.authorization };
}

function accessOf(method: string): RequestedAccess {
  return {
    door: "mcp",
    method,
    path: "/mcp",
    scopes: () => mcpScopes,
    describe: () => ({ path: "/mcp", what: "The MCP endpoint" }),
  };
}

/** Refuses a token that lacks the scope of a message. */
export function refuseMessage(
  app: App,
  credentials: Credentials,
  { token, needed, what }: { token: TokenActor; needed: Scope; what: string },
): never {
  const text = findCredential(sentWith(credentials), credentials.method) ?? "";
  const details = { path: "/mcp", what };
  return refuseScope(app, credentials, rejectScope(app, text, { token, needed: [needed], details }), what);
}

/** Names the scope, so that the client can ask its user for it. */
function refuseScope(app: App, credentials: Credentials, { token, needed }: RejectedScope, what: string): never {
  // The scopes that the token holds are asked for again with the rest: a new token replaces the old one.
  const isForEndpoint = needed === mcpScopes;
  const asked = isForEndpoint ? mcpScopes : scopes.filter((scope) => token.scopes.has(scope) || needed.includes(scope));
  throw new Refusal({
    status: 403,
    message: `Insufficient scope. ${what} needs ${needed.join(" or ")}.`,
    headers: { "www-authenticate": challengeText(app, credentials, "insufficient_scope", asked) },
  });
}

function challenge(app: App, credentials: Credentials, error: string, message: string): never {
  const headers = { "www-authenticate": challengeText(app, credentials, error, usualScopes) };
  throw new Refusal({ status: 401, message, headers });
}

function challengeText(app: App, { baseUrl }: Credentials, error: string, asked: readonly Scope[]): string {
  const parts = [`realm="MCP"`, `error="${error}"`];
  if (isPro(app) && app.settings.get("oauth.enabled")) {
    parts.push(`scope="${asked.join(" ")}"`, `resource_metadata="${metadataUrl(baseUrl)}"`);
  }
  return `Bearer ${parts.join(", ")}`;
}

/** The protected-resource document of this endpoint (RFC 9728). */
export function metadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
}
