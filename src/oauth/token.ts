// The token endpoint: a code, or a refresh token, for an access token and the next refresh token.
// A code that is used a second time, or wrongly in any way, ends its grant; so does a used refresh token of the client.
// Which request wins is decided by one conditional UPDATE (storage/tables/oauth-tokens.ts).

import { hash, randomBytes } from "node:crypto";
import { actorOf } from "#access/accounts.ts";
import type { App } from "#context.ts";
import type { OAuthEventType } from "#contract/audit.ts";
import { isScope, type Scope } from "#contract/scopes.ts";
import type { Tx } from "#storage/port.ts";
import { stampClient } from "#storage/tables/oauth-clients.ts";
import { deleteGrant, findGrant, type GrantRow, prolongGrant } from "#storage/tables/oauth-grants.ts";
import {
  type CodeRow,
  findCode,
  findRefreshToken,
  insertRefreshToken,
  type RefreshTokenRow,
  useCode,
  useRefreshToken,
} from "#storage/tables/oauth-tokens.ts";
import { signAccessToken } from "./access-tokens.ts";
import { recordOAuth } from "./audit.ts";
import { issuableScopes } from "./authority.ts";
import { authenticateClient } from "./client-auth.ts";
import { type Client, hashSecret } from "./clients.ts";
import { refuse } from "./errors.ts";
import { eventOf, findApprover, scopesOf } from "./grants.ts";
import { issuerOf, resourcesOf } from "./issuer.ts";
import { findKeys, keysMissing, type SigningKeys } from "./keys.ts";
import { chainEndMs, lifetimeMs } from "./lifetimes.ts";
import { type Parameters, readParameters } from "./parameters.ts";

export interface TokenAnswer {
  token_type: "Bearer";
  access_token: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export interface TokenCall {
  /** The parsed body. */
  body: unknown;
  authorization: string | undefined;
}

export async function issueTokens(app: App, { body, authorization }: TokenCall): Promise<TokenAnswer> {
  const parameters = readParameters(body);
  const keys = findKeys(app) ?? refuse("server_error", keysMissing, 503);
  const client = await authenticateClient(app, { authorization, parameters });
  const exchange: Exchange = { client, parameters, keys };
  switch (parameters.grant_type) {
    case "authorization_code":
      return redeemCode(app, exchange);
    case "refresh_token":
      return refresh(app, exchange);
    case undefined:
      return refuse("invalid_request", "The grant_type is missing.");
    default:
      return refuse("unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.");
  }
}

interface Exchange {
  client: Client;
  parameters: Parameters;
  keys: SigningKeys;
}

async function redeemCode(app: App, { client, parameters, keys }: Exchange): Promise<TokenAnswer> {
  const sent = parameters.code ?? refuse("invalid_request", "The code is missing.");
  const code = await findCode(app.storage, hashSecret(sent));
  const grant = code && (await findGrant(app.storage, code.grantId));
  if (!grant) return invalidCode();
  const isRight =
    isUnused(code) &&
    isLive(app, code) &&
    isOfClient(grant, client) &&
    isForHere(app, grant) &&
    isOfRedirect(code, parameters) &&
    isProven(code, parameters);
  const scopes = isRight ? await scopesNow(app, grant) : undefined;
  if (!scopes) {
    await endGrant(app, grant, isUnused(code) ? undefined : "security.code_replay");
    return invalidCode();
  }
  checkResource(app, grant, parameters);
  const { next, hasEnded } = await exchange(app, grant, (tx, now) => useCode(tx, code.hash, now));
  if (hasEnded) recordOAuth(app, { type: "security.code_replay", ...eventOf(grant) });
  if (next === undefined) return invalidCode();
  return makeAnswer(app, { keys, grant, scopes, next, resource: parameters.resource, event: "token.issued" });
}

async function refresh(app: App, { client, parameters, keys }: Exchange): Promise<TokenAnswer> {
  const sent = parameters.refresh_token ?? refuse("invalid_request", "The refresh_token is missing.");
  const token = await findRefreshToken(app.storage, hashSecret(sent));
  const grant = token && (await findGrant(app.storage, token.grantId));
  if (!grant || !isOfClient(grant, client)) return invalidRefreshToken();
  if (!isUnused(token)) {
    await endGrant(app, grant, "security.refresh_replay", sent);
    return invalidRefreshToken();
  }
  if (!isLive(app, token) || !isForHere(app, grant)) return invalidRefreshToken();
  const granted = chainEndMs(app, grant) > app.clock.now() ? await scopesNow(app, grant) : undefined;
  if (!granted) {
    await endGrant(app, grant);
    return invalidRefreshToken();
  }
  const scopes = narrowed(grant, granted, parameters);
  checkResource(app, grant, parameters);
  const { next, hasEnded } = await exchange(app, grant, (tx, now) => useRefreshToken(tx, token.hash, now));
  if (hasEnded) recordOAuth(app, { type: "security.refresh_replay", ...eventOf(grant), token: sent });
  if (next === undefined) return invalidRefreshToken();
  return makeAnswer(app, { keys, grant, scopes, next, resource: parameters.resource, event: "token.refreshed" });
}

function invalidCode(): never {
  return refuse("invalid_grant", "The code is not valid: it is unknown, used, expired, or for a different request.");
}

function invalidRefreshToken(): never {
  return refuse("invalid_grant", "The refresh token is not valid: it is unknown, used, expired, or revoked.");
}

function isUnused({ used }: CodeRow | RefreshTokenRow): boolean {
  return used === null;
}

function isLive(app: App, { expires }: CodeRow | RefreshTokenRow): boolean {
  return expires > app.clock.iso();
}

function isOfClient(grant: GrantRow, client: Client): boolean {
  return grant.clientId === client.id;
}

/** The site may have a different address now, where the tokens of this grant would be invalid. */
function isForHere(app: App, { resource }: GrantRow): boolean {
  return resourcesOf(issuerOf(app)).includes(resource);
}

function isOfRedirect(code: CodeRow, { redirect_uri: redirectUri }: Parameters): boolean {
  return redirectUri === code.redirectUri;
}

/** A verifier without a challenge is as wrong as a challenge without one. */
function isProven({ challenge }: CodeRow, { code_verifier: verifier }: Parameters): boolean {
  if (challenge === null) return verifier === undefined;
  if (verifier === undefined || !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  return hash("sha256", verifier, "base64url") === challenge;
}

/** A grant for one resource is not valid for another; a grant for the whole server may be narrowed. */
function checkResource(app: App, grant: GrantRow, { resource }: Parameters): void {
  if (resource === undefined || resource === grant.resource) return;
  const issuer = issuerOf(app);
  if (grant.resource !== issuer || !resourcesOf(issuer).includes(resource))
    refuse("invalid_target", "The grant is not for this resource.");
}

/** By the user's present groups; undefined when the user may not sign in any more, or nothing is left. */
async function scopesNow(app: App, grant: GrantRow): Promise<Scope[] | undefined> {
  const account = await findApprover(app, grant);
  const scopes = account && issuableScopes(scopesOf(grant), await actorOf(app, account));
  return scopes && scopes.length > 0 ? scopes : undefined;
}

/** A request for fewer scopes than granted is valid, for more is not; the next refresh starts from the grant again. */
function narrowed(grant: GrantRow, granted: readonly Scope[], { scope }: Parameters): Scope[] {
  if (scope === undefined) return [...granted];
  const asked = scope.split(" ").filter((word) => word !== "");
  const held = scopesOf(grant);
  if (asked.length === 0 || !asked.every((word) => isScope(word) && held.includes(word)))
    return refuse("invalid_scope", "The scope goes beyond what was granted.");
  const left = granted.filter((word) => asked.includes(word));
  return left.length > 0 ? left : refuse("invalid_scope", "None of these scopes can be granted any more.");
}

async function endGrant(app: App, grant: GrantRow, type?: OAuthEventType, token?: string): Promise<void> {
  const ended = await app.storage.write((tx) => deleteGrant(tx, grant.id));
  if (ended && type) recordOAuth(app, { type, ...eventOf(grant), token });
}

/** Uses up the sent token and makes the next refresh token, or, when another request was faster, ends the grant. */
async function exchange(
  app: App,
  grant: GrantRow,
  use: (tx: Tx, now: string) => Promise<boolean>,
): Promise<{ next?: string; hasEnded: boolean }> {
  const next = randomBytes(32).toString("base64url");
  const time = app.clock.now();
  const now = new Date(time).toISOString();
  const end = Math.min(time + lifetimeMs(app, "oauth.refreshTokenTtl"), chainEndMs(app, grant));
  const expires = new Date(end).toISOString();
  return app.storage.write(async (tx) => {
    // First the client, then the grant, then its tokens, as in deletions: one lock order prevents deadlocks.
    await stampClient(tx, grant.clientId, now);
    await prolongGrant(tx, grant.id, { now, expires });
    if (!(await use(tx, now))) return { hasEnded: (await deleteGrant(tx, grant.id)) !== undefined };
    await insertRefreshToken(tx, { hash: hashSecret(next), grantId: grant.id, expires });
    return { next, hasEnded: false };
  });
}

interface Issue {
  keys: SigningKeys;
  grant: GrantRow;
  scopes: Scope[];
  next: string;
  resource: string | undefined;
  event: "token.issued" | "token.refreshed";
}

async function makeAnswer(app: App, { keys, grant, scopes, next, resource, event }: Issue): Promise<TokenAnswer> {
  const { token, expiresIn } = await signAccessToken(app, keys, {
    grant,
    scopes,
    resource: resource ?? grant.resource,
  });
  recordOAuth(app, { type: event, ...eventOf(grant), scopes, token });
  return {
    token_type: "Bearer",
    access_token: token,
    expires_in: expiresIn,
    refresh_token: next,
    scope: scopes.join(" "),
  };
}
