// Who calls the endpoint: an API key, an access token with a scope for MCP, or, where that is allowed, nobody in
// particular. Session cookies count for nothing here, and neither does anything in the address.
// Asked again for every request, and for every stream as long as it is open.

import type { IncomingHttpHeaders } from "node:http";
import { type Actor, anonymous, type TokenActor } from "#access/actor.ts";
import { authenticateKey, type KeyVerdict, keyActor } from "#access/api-keys.ts";
import { isPro } from "#access/edition.ts";
import { keyAllows } from "#access/key-scope.ts";
import type { App } from "#context.ts";
import { type Scope, scopes } from "#contract/scopes.ts";
import { Refusal, refuse } from "#mcp/refusal.ts";
import { recordOAuth } from "#oauth/audit.ts";
import { authenticateBearer } from "#oauth/bearer.ts";

export interface Caller {
  actor: Actor;
  /** Whose sessions these are: stays the same when a token is refreshed. */
  principal: string;
}

/** What a client is told to ask for: all but administering, which people ask for knowingly. */
const usualScopes = scopes.filter((scope) => scope !== "cms:admin");
const mcpScopes: readonly Scope[] = ["mcp:tools", "mcp:resources", "mcp:prompts"];

const nobody: Caller = { actor: anonymous, principal: "anonymous" };

/** How to ask the caller again: the credential stays in memory while a stream is open. */
export interface Credentials {
  headers: Pick<IncomingHttpHeaders, "authorization" | "x-api-key">;
  method: string;
  baseUrl: string;
}

/** Throws a Refusal for whoever may not speak to the endpoint. */
export async function authenticate(app: App, introduction: Credentials): Promise<Caller> {
  if (!app.settings.get("mcp.enabled")) refuse(404, "The MCP endpoint is switched off.");
  const credential = isPro(app) ? findCredential(introduction.headers) : undefined;
  if (credential === undefined) {
    if (app.settings.get("mcp.publicAccess")) return nobody;
    return challenge(app, introduction, "login_required", "Sign in, or send an API key.");
  }
  const { text, isAlone } = credential;
  const found = text === "" ? undefined : authenticateKey(app, text);
  const verdict: KeyVerdict | undefined = found instanceof Promise ? await found : found;
  if (verdict && keyAllows(verdict, introduction.method, "/mcp")) {
    return { actor: keyActor(verdict), principal: `key:${verdict.id}` };
  }
  const token = verdict || !isAlone ? undefined : await authenticateBearer(app, text, "mcp");
  if (!token) {
    return challenge(app, introduction, "invalid_token", "The API key or access token is not valid here.");
  }
  if (!mcpScopes.some((scope) => token.scopes.has(scope))) {
    rejectScope(app, introduction, { token, needed: mcpScopes, what: "The MCP endpoint" });
  }
  return { actor: token, principal: `token:${token.grantId}` };
}

/** A token that lacks a scope is told which, so that its client can ask the user for more. */
export function rejectScope(
  app: App,
  introduction: Credentials,
  { token, needed, what }: { token: TokenActor; needed: readonly Scope[]; what: string },
): never {
  const { clientId, id: userId, grantId, scopes: held } = token;
  const details = { needed: needed.join(" "), path: "/mcp", what };
  const text = findCredential(introduction.headers)?.text;
  recordOAuth(app, { type: "scope.rejected", clientId, userId, grantId, scopes: held, token: text, details });
  // What it holds already is asked for again with the rest: a new token replaces the old one.
  const asked = needed === mcpScopes ? mcpScopes : scopes.filter((scope) => held.has(scope) || needed.includes(scope));
  throw new Refusal({
    status: 403,
    message: `Insufficient scope. ${what} needs ${needed.join(" or ")}.`,
    headers: { "www-authenticate": challengeText(app, introduction, "insufficient_scope", asked) },
  });
}

function challenge(app: App, introduction: Credentials, error: string, message: string): never {
  const headers = { "www-authenticate": challengeText(app, introduction, error, usualScopes) };
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

interface Credential {
  /** Empty: it is none that could hold. */
  text: string;
  /** It came as a bearer token and in no other way: only so can it be an access token. */
  isAlone: boolean;
}

function findCredential({ authorization, "x-api-key": key }: Credentials["headers"]): Credential | undefined {
  if (authorization === undefined && key === undefined) return undefined;
  const bearer = authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
  const isTorn = bearer !== undefined && key !== undefined && bearer !== key;
  const text = isTorn || Array.isArray(key) ? "" : (bearer ?? key ?? "");
  return { text, isAlone: key === undefined };
}
