// From an access token to the application and its user. A token is valid only while its grant is active and the
// approver is the same user, with the same password; its rights are those of their groups at this moment.
// Verified tokens are cached by their hash; every end of a grant, and every change of a user or a group,
// in any process, moves a version that invalidates the entry. Invalid tokens are never cached.

import { hash } from "node:crypto";
import type { JWTPayload } from "jose";
import { type Account, actorOf, isUsable, usersCollection } from "#access/accounts.ts";
import type { TokenActor } from "#access/actor.ts";
import type { BearerTokens, TokenDoor } from "#access/credentials.ts";
import { verdictRoom } from "#access/verdicts.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { lazily } from "#base/lazy.ts";
import type { App } from "#context.ts";
import type { Scope } from "#contract/scopes.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import { findGrant, type GrantRow, stampGrants } from "#storage/tables/oauth-grants.ts";
import { recordOAuth } from "./audit.ts";
import { findApprover, scopesOf } from "./grants.ts";
import { issuerOf, opensResource, resourcesOf } from "./issuer.ts";
import { findKeys } from "./keys.ts";

const jose = lazily<typeof import("jose")>("jose");

const keptTokens = 10_000;
const stampEveryMs = 60_000;

interface Verified {
  grant: GrantRow;
  scopes: ReadonlySet<Scope>;
  /** The resource it was issued for. */
  audience: string;
  /** Milliseconds since 1970. */
  expires: number;
  /** The approver as of these versions; undefined: to be loaded. */
  holder?: { account: Account; actor: TokenActor; users: number; groups: number };
  /** When `lastUsed` of the grant was last written. */
  stamped: number;
}

/** For access/credentials.ts. */
export const bearerTokens: BearerTokens = {
  verify: authenticateBearer,
  recordRejectedScope(app, { actor: { clientId, id: userId, grantId, scopes }, token, details }) {
    recordOAuth(app, { type: "scope.rejected", clientId, userId, grantId, scopes, token, details });
  },
};

/** Synchronous for a cached token, else a promise; undefined: the token is invalid, or not for this resource. */
export function authenticateBearer(
  app: App,
  token: string,
  door: TokenDoor | "any",
): TokenActor | undefined | Promise<TokenActor | undefined> {
  const found = tokens.get(app.storage, hash("sha256", token, "base64url"), () => verify(app, token));
  return found instanceof Promise ? found.then((verified) => actorAt(app, verified, door)) : actorAt(app, found, door);
}

function isFor(app: App, { audience }: Verified, door: TokenDoor | "any"): boolean {
  return door === "any" || opensResource(issuerOf(app), audience, door);
}

/** By the hash of the token. */
const tokens = createVersionedMap<Storage, Verified>((storage) => storage.version("grants"), verdictRoom(keptTokens));

function actorAt(
  app: App,
  verified: Verified | undefined,
  door: TokenDoor | "any",
): TokenActor | undefined | Promise<TokenActor | undefined> {
  return verified && isFor(app, verified, door) ? recall(app, verified) : undefined;
}

/** The cached result, unless the approver or a group has changed since. */
function recall(app: App, known: Verified): TokenActor | undefined | Promise<TokenActor | undefined> {
  const { storage, clock } = app;
  const { holder } = known;
  if (holder?.users !== versionOfUsers(storage) || holder.groups !== storage.version("groups"))
    return admit(app, known);
  const now = clock.now();
  if (known.expires <= now) return undefined;
  if (holder.account.expiration !== "" && !isUsable(holder.account, clock.iso())) return undefined;
  noteUse(app, known, now);
  return holder.actor;
}

async function verify(app: App, token: string): Promise<Verified | undefined> {
  const claims = await readClaims(app, token);
  const grant = typeof claims?.grant_id === "string" ? await findGrant(app.storage, claims.grant_id) : undefined;
  if (!claims || !grant || claims.sub !== grant.userId || claims.client_id !== grant.clientId) return undefined;
  if (typeof claims.scope !== "string" || typeof claims.aud !== "string") return undefined;
  const asked = claims.scope.split(" ");
  return {
    grant,
    scopes: new Set(scopesOf(grant).filter((scope) => asked.includes(scope))),
    audience: claims.aud,
    expires: (claims.exp as number) * 1_000,
    stamped: Date.parse(grant.lastUsed ?? grant.created),
  };
}

/** Only our own key and algorithm: keys and addresses in the header are ignored. */
async function readClaims(app: App, token: string): Promise<JWTPayload | undefined> {
  const keys = findKeys(app);
  if (!keys) return undefined;
  const issuer = issuerOf(app);
  try {
    const { payload, protectedHeader } = await jose().jwtVerify(token, keys.publicKey, {
      algorithms: ["RS256"],
      typ: "at+jwt",
      issuer,
      audience: [...resourcesOf(issuer)],
      requiredClaims: ["sub", "client_id", "grant_id", "scope", "jti", "iat", "exp"],
      currentDate: new Date(app.clock.now()),
    });
    return protectedHeader.kid === keys.kid ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the approver and their rights again. */
async function admit(app: App, verified: Verified): Promise<TokenActor | undefined> {
  const { storage, clock } = app;
  const users = versionOfUsers(storage);
  const groups = storage.version("groups");
  const { grant, scopes } = verified;
  const account = await findApprover(app, grant);
  if (!account || verified.expires <= clock.now()) return undefined;
  const { isAdmin, permissions, rid } = await actorOf(app, account);
  const { id: grantId, clientId } = grant;
  const actor: TokenActor = {
    ...{ kind: "token", id: account.id, clientId, grantId, scopes },
    ...{ isAdmin, permissions, ...(rid !== undefined && { rid }) },
  };
  verified.holder = { account, actor, users, groups };
  noteUse(app, verified, clock.now());
  return actor;
}

/** Written at most once a minute, outside the request. */
function noteUse(app: App, verified: Verified, now: number): void {
  if (now - verified.stamped < stampEveryMs) return;
  verified.stamped = now;
  const stamps = [{ id: verified.grant.id, lastUsed: new Date(now).toISOString() }];
  note(app.storage, (tx) => stampGrants(tx, stamps)).catch((error) =>
    app.log.warn({ err: error }, "lastUsed of a grant could not be written"),
  );
}

function versionOfUsers(storage: Storage): number {
  return storage.version(`objects:${usersCollection}`);
}
