// The caller of a request: from the text of a credential, and where it was found, to an actor or a refusal. Every door asks
// here. A door only says where it found credentials, and puts the result into the words of its protocol.
// A credential that is sent must hold, also where the public may read. Two different ones never do. A key or token
// decides alone: whether it holds or not, the session is not looked at.

import type { App } from "#context.ts";
import { hasScope, type Scope } from "#contract/scopes.ts";
import { type Actor, anonymous, type PresentedKey, type TokenActor } from "./actor.ts";
import { authenticateKey } from "./api-keys.ts";
import { isPro } from "./edition.ts";
import { findEntry, keyAllows } from "./key-scope.ts";
import { findSignedIn, type SignedIn } from "./signed-in.ts";

/** What a request sent, as far as its door takes it. */
export interface SentCredentials {
  /** The header `X-API-Key`. */
  key: unknown;
  /** The header `Authorization`. */
  authorization: string | undefined;
  /** The parameter `api_key`: a key, on reads. */
  keyInAddress?: unknown;
  /** The parameter `access_token`: always refused, because addresses end up in logs and histories. */
  tokenInAddress?: unknown;
  /** The value of the session cookie. */
  session?: string | undefined;
}

/** The parts of the service that accept access tokens. Files, images and feeds belong to the API, wherever their addresses are. */
export type TokenDoor = "api" | "mcp";

/** What the request is about, as far as a credential may be limited to it. */
export interface RequestedAccess {
  door: TokenDoor;
  method: string;
  /** The address that an endpoint of the key must cover. */
  path: string;
  /** A token must hold one of these scopes. None: this is closed to tokens. */
  scopes(): readonly Scope[];
  /** What the record of a token without the scope says about the request. */
  describe(): Record<string, string>;
}

export type Recognized =
  | { refusal?: undefined; actor: Actor; signedIn?: SignedIn }
  | { refusal: "invalid-key" | "invalid-token" | "token-in-address" | "session-ended" }
  | RejectedScope;

export interface RejectedScope {
  refusal: "insufficient-scope";
  /** None: no scope opens this. */
  needed: readonly Scope[];
  token: TokenActor;
}

/** Access tokens as the OAuth server knows them. This room stands below it, so the app hands it in. */
export interface BearerTokens {
  /** At once for a token that is remembered. Undefined: the token does not hold, or not at this door. */
  verify(app: App, token: string, door: TokenDoor): TokenActor | undefined | Promise<TokenActor | undefined>;
  recordRejectedScope(app: App, rejected: { actor: TokenActor; token: string; details: Record<string, string> }): void;
}

/** At once for a key or token that is remembered, and for callers without credentials; else a promise. */
export function recognize(app: App, sent: SentCredentials, access: RequestedAccess): Recognized | Promise<Recognized> {
  if (!isPro(app)) return recognizeSession(app, sent);
  const credential = findCredential(sent, access.method);
  if (credential === undefined)
    return sent.tokenInAddress === undefined ? recognizeSession(app, sent) : { refusal: "token-in-address" };
  if (credential === "") return { refusal: "invalid-key" };
  const key = authenticateKey(app, credential);
  if (key === undefined && isTokenPlace(sent)) return recognizeToken(app, credential, access);
  return key instanceof Promise ? key.then((found) => toRecognized(found, access)) : toRecognized(key, access);
}

/** Undefined: the key does not hold, or not for this path. */
export async function recognizeKey(
  app: App,
  key: string,
  { method, path }: Pick<RequestedAccess, "method" | "path">,
): Promise<PresentedKey | undefined> {
  const { actor } = toRecognized(await authenticateKey(app, key), { method, path });
  return actor;
}

/** Whom a credential names, whatever it opens: to count requests that no route answers. One that does not hold names nobody. */
export async function nameCaller(
  app: App,
  sent: SentCredentials,
  { door, method }: Pick<RequestedAccess, "door" | "method">,
): Promise<Actor> {
  const credential = isPro(app) ? findCredential(sent, method) : undefined;
  if (credential === "") return anonymous;
  if (credential === undefined) {
    const found = await recognizeSession(app, sent);
    return found.refusal === undefined ? found.actor : anonymous;
  }
  const key = await authenticateKey(app, credential);
  if (key || !isTokenPlace(sent)) return key ?? anonymous;
  return (await app.bearer.verify(app, credential, door)) ?? anonymous;
}

type RecognizedKey = { refusal?: undefined; actor: PresentedKey } | { refusal: "invalid-key"; actor?: undefined };

function toRecognized(
  key: PresentedKey | undefined,
  { method, path }: Pick<RequestedAccess, "method" | "path">,
): RecognizedKey {
  if (!key) return { refusal: "invalid-key" };
  if (!key.limits) return keyAllows(key.scope, method, path) ? { actor: key } : { refusal: "invalid-key" };
  const entry = findEntry(key.scope, method, path);
  return entry ? { actor: { ...key, entry } } : { refusal: "invalid-key" };
}

function recognizeToken(app: App, text: string, access: RequestedAccess): Recognized | Promise<Recognized> {
  const check = (actor: TokenActor | undefined): Recognized => {
    if (!actor) return { refusal: "invalid-token" };
    const needed = access.scopes();
    if (needed.some((scope) => hasScope(actor.scopes, scope))) return { actor };
    return rejectScope(app, text, { token: actor, needed, details: access.describe() });
  };
  const found = app.bearer.verify(app, text, access.door);
  return found instanceof Promise ? found.then(check) : check(found);
}

/** Records that the token lacks a scope. `text`: the token as it was sent. */
export function rejectScope(
  app: App,
  text: string,
  { token, needed, details }: Omit<RejectedScope, "refusal"> & { details: Record<string, string> },
): RejectedScope {
  app.bearer.recordRejectedScope(app, {
    actor: token,
    token: text,
    details: { needed: needed.join(" "), ...details },
  });
  return { refusal: "insufficient-scope", needed, token };
}

function recognizeSession(app: App, { session }: SentCredentials): Recognized | Promise<Recognized> {
  if (session === undefined) return { actor: anonymous };
  return findSignedIn(app, session).then((signedIn) =>
    signedIn ? { actor: signedIn.actor, signedIn } : { refusal: "session-ended" },
  );
}

/** The key or token that was sent. Undefined: there was none. Empty: what was sent cannot hold. */
export function findCredential(
  { key, authorization, keyInAddress }: SentCredentials,
  method: string,
): string | undefined {
  if (key === undefined && authorization === undefined && keyInAddress === undefined) return undefined;
  const found: unknown[] = [];
  if (key !== undefined) found.push(key);
  if (authorization !== undefined) found.push(/^Bearer +(\S+)$/i.exec(authorization)?.[1]);
  if (keyInAddress !== undefined) found.push(method === "GET" || method === "HEAD" ? keyInAddress : undefined);
  const [first] = found;
  return typeof first === "string" && found.every((other) => other === first) ? first : "";
}

/** A text that is no key may be an access token, if it was sent as a bearer token and in no other way. */
function isTokenPlace({ key, keyInAddress, tokenInAddress }: SentCredentials): boolean {
  return key === undefined && keyInAddress === undefined && tokenInAddress === undefined;
}
