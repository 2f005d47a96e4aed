// The authorization endpoint: an application asks, the signed-in user decides. No state is stored between the page
// and the answer: the form carries the request, signed with the user's session. GET never approves.
// Until client and redirect URI are proven, errors are shown to the user. Afterwards the client receives them, unless
// it has registered itself: then only the user's decision redirects there.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SignedIn } from "#access/signed-in.ts";
import { uuid } from "#base/ids.ts";
import type { App } from "#context.ts";
import { scopes as allScopes, isScope, type Scope } from "#contract/scopes.ts";
import { lockClient, putClient, stampClient } from "#storage/tables/oauth-clients.ts";
import { insertGrant } from "#storage/tables/oauth-grants.ts";
import { insertCode } from "#storage/tables/oauth-tokens.ts";
import { recordOAuth } from "./audit.ts";
import { issuableScopes } from "./authority.ts";
import { type Client, hashSecret, rowOf } from "./clients.ts";
import { OAuthError, refuse } from "./errors.ts";
import { findClient, isDescribedByDocument } from "./find-client.ts";
import { issuerOf, resourcesOf } from "./issuer.ts";
import { findKeys, keysMissing } from "./keys.ts";
import { expiryOf } from "./lifetimes.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { withParameters } from "./redirect-uris.ts";

export interface Consent {
  client: Client;
  redirectUri: string;
  /** The scopes to grant, without those that this user cannot give. */
  scopes: Scope[];
  /** What the tokens will be for. */
  resource: string;
  /** The request, for the hidden fields of the form. */
  fields: Record<string, string>;
}

export type Outcome =
  | { kind: "consent"; consent: Consent }
  | { kind: "login" }
  | { kind: "redirect"; location: string };

/** GET: shows the request. Throws errors that are shown to the user. */
export async function showConsent(app: App, sent: unknown, visitor: SignedIn | undefined): Promise<Outcome> {
  const parameters = readParameters(sent);
  // Anonymous visitors must not make the server fetch a document.
  if (!visitor && isDescribedByDocument(app, parameters.client_id ?? "")) return { kind: "login" };
  const target = await proveTarget(app, parameters);
  const asked = () => {
    const request = readRequest(app, parameters, target);
    if (!visitor) return { kind: "login" } as const;
    refuseImpersonator(visitor);
    const scopes = grantable(request, visitor);
    const fields = fieldsOf(parameters, scopes);
    fields.csrf_token = sealOf(visitor, fields);
    const { client, redirectUri } = target;
    return { kind: "consent", consent: { client, redirectUri, scopes, resource: request.resource, fields } } as const;
  };
  // Anyone can register an address, so no user is redirected to one without having decided.
  return target.client.origin === "static" ? toldToClient(app, target, asked) : asked();
}

/** Called with the password that was sent, before the application gets the rights of an administrator. */
export type Prove = (user: SignedIn, password: string | undefined) => Promise<void>;

/** POST: the user's decision. */
export async function decideConsent(
  app: App,
  sent: unknown,
  { visitor, prove }: { visitor: SignedIn | undefined; prove: Prove },
): Promise<Outcome> {
  const { decision, csrf_token: seal, password, ...parameters } = readParameters(sent);
  const user = checkSeal(visitor, parameters, seal);
  refuseImpersonator(user);
  if (decision !== "allow" && decision !== "deny") return refuse("invalid_request", "Choose to allow or to deny.");
  const target = await proveTarget(app, parameters);
  return toldToClient(app, target, async () => {
    const request = readRequest(app, parameters, target);
    const scopes = grantable(request, user);
    if (decision === "deny") return deny(app, { user, scopes, target });
    if (scopes.includes("cms:admin")) await prove(user, password);
    const code = await approve(app, { user, request: { ...request, scopes }, target });
    return redirectWith(app, target, { code });
  });
}

/** The receiver of the answer: proven, so that no user is redirected to an address that its client has not registered. */
interface Target {
  client: Client;
  redirectUri: string;
  state: string | undefined;
}

async function proveTarget(app: App, parameters: Parameters): Promise<Target> {
  const { client_id: id, redirect_uri: redirectUri, state } = parameters;
  if (id === undefined) return refuse("invalid_request", "The client_id is missing.");
  const client = await findClient(app, id);
  if (!client) return refuse("invalid_client", "This application is not known here.");
  if (redirectUri === undefined) return refuse("invalid_request", "The redirect_uri is missing.");
  if (!client.redirectUris.includes(redirectUri))
    return refuse("invalid_request", "The redirect_uri is not one that this application has registered.");
  if (!findKeys(app)) return refuse("server_error", keysMissing, 503);
  return { client, redirectUri, state };
}

interface AuthorizeRequest {
  scopes: Scope[];
  resource: string;
  challenge: string | undefined;
}

function readRequest(app: App, parameters: Parameters, { client }: Target): AuthorizeRequest {
  checkResponse(parameters);
  return {
    challenge: readChallenge(client, parameters),
    scopes: readScopes(client, parameters),
    resource: readResource(app, parameters),
  };
}

function checkResponse({ response_type: type, response_mode: mode, request, request_uri: requestUri }: Parameters) {
  if (type === undefined) refuse("invalid_request", "The response_type is missing.");
  if (type !== "code") refuse("unsupported_response_type", "The response_type must be code.");
  if (mode !== undefined && mode !== "query") refuse("invalid_request", "The response_mode must be query.");
  if (request ?? requestUri) refuse("invalid_request", "Request objects are not supported.");
}

/** PKCE: always for public clients, and only with S256. */
function readChallenge(client: Client, { code_challenge: challenge, code_challenge_method: method }: Parameters) {
  if (challenge === undefined && method === undefined && client.secretHash !== undefined) return undefined;
  if (challenge === undefined) return refuse("invalid_request", "PKCE is required: the code_challenge is missing.");
  if (method !== "S256") return refuse("invalid_request", "The code_challenge_method must be S256.");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return refuse("invalid_request", "The code_challenge is not valid.");
  return challenge;
}

/** Without a scope: all that the client is registered for. */
function readScopes(client: Client, { scope }: Parameters): Scope[] {
  const asked = scope === undefined ? client.scopes : scope.split(" ").filter((word) => word !== "");
  if (asked.length === 0) return refuse("invalid_scope", "No scope is requested.");
  if (!asked.every((word) => isScope(word) && client.scopes.includes(word)))
    return refuse("invalid_scope", "A scope is unknown, or this client is not registered for it.");
  return allScopes.filter((word) => asked.includes(word));
}

function readResource(app: App, { resource }: Parameters): string {
  const issuer = issuerOf(app);
  if (resource === undefined) return issuer;
  if (!resourcesOf(issuer).includes(resource)) return refuse("invalid_target", "The resource is not of this server.");
  return resource;
}

function grantable({ scopes }: AuthorizeRequest, { actor }: SignedIn): Scope[] {
  const left = issuableScopes(scopes, actor);
  return left.length > 0 ? left : refuse("access_denied", "None of the requested scopes can be granted.");
}

/** Administrators who act as a user cannot approve in their name. */
function refuseImpersonator({ impersonator }: SignedIn): void {
  if (impersonator) throw new Shown("Applications cannot be approved while you act as another user.");
}

/** Errors that are shown to the user only, also once the client is proven. */
class Shown extends OAuthError {
  constructor(text: string) {
    super("access_denied", text, 403);
  }
}

const carried = [
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;

/** The scopes are those that the user sees, so that the answer never grants more than was shown. */
function fieldsOf(parameters: Parameters, scopes: readonly Scope[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of carried) {
    const value = parameters[name];
    if (value !== undefined) fields[name] = value;
  }
  return { ...fields, scope: scopes.join(" ") };
}

/** Made from the session's secret: it is valid for this user, this session and this request. */
function sealOf({ value }: SignedIn, fields: Parameters): string {
  const request = [...carried, "scope"].map((name) => fields[name] ?? null);
  return createHmac("sha256", value)
    .update(`consent ${JSON.stringify(request)}`)
    .digest("base64url");
}

function checkSeal(visitor: SignedIn | undefined, fields: Parameters, seal: string | undefined): SignedIn {
  const expected = Buffer.from(visitor ? sealOf(visitor, fields) : "");
  const given = Buffer.from(seal ?? "");
  if (visitor && given.length === expected.length && timingSafeEqual(given, expected)) return visitor;
  return refuse("invalid_request", "This form is not valid any more. Start again from the application.", 403);
}

interface Decision {
  user: SignedIn;
  target: Target;
}

function deny(app: App, { user, scopes, target }: Decision & { scopes: readonly Scope[] }): never {
  recordOAuth(app, { type: "consent.denied", clientId: target.client.id, userId: user.account.id, scopes });
  return refuse("access_denied", "The user has denied the request.");
}

/** The grant begins with the approval, and ends with the code unless the code is redeemed in time. */
async function approve(app: App, { user, request, target }: Decision & { request: AuthorizeRequest }): Promise<string> {
  const { client, redirectUri } = target;
  const { account } = user;
  const code = randomBytes(32).toString("base64url");
  const now = app.clock.now();
  const created = new Date(now).toISOString();
  const expires = expiryOf(app, "oauth.authCodeTtl", now);
  const grantId = uuid();
  const isDone = await app.storage.write(async (tx) => {
    if (client.origin === "document") await putClient(tx, rowOf(client));
    // A client that was deleted meanwhile gets nothing.
    if (!(await lockClient(tx, client.id))) return false;
    await stampClient(tx, client.id, created);
    await insertGrant(tx, {
      ...{ id: grantId, clientId: client.id, userId: account.id, userRid: account.rid },
      ...{ passwordMark: account.passwordMark, scopes: JSON.stringify(request.scopes), resource: request.resource },
      ...{ created, lastUsed: null, expires },
    });
    const challenge = request.challenge ?? null;
    await insertCode(tx, { hash: hashSecret(code), grantId, redirectUri, challenge, expires, used: null });
    return true;
  });
  if (!isDone) throw new Shown("This application is not known here any more.");
  recordOAuth(app, {
    ...{ type: "consent.granted", clientId: client.id, userId: account.id, scopes: request.scopes, grantId },
  });
  return code;
}

async function toldToClient(app: App, target: Target, work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError) || error instanceof Shown) throw error;
    return redirectWith(app, target, { error: error.code, error_description: error.message });
  }
}

/** RFC 9207: every answer names its issuer. */
function redirectWith(app: App, { redirectUri, state }: Target, parameters: Record<string, string>): Outcome {
  return {
    kind: "redirect",
    location: withParameters(redirectUri, { ...parameters, state, iss: issuerOf(app) }),
  };
}
