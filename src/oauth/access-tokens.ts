// Access tokens: JWTs signed with RS256, `typ` at+jwt (RFC 9068). They carry no rights of their own: each use is checked
// against the grant and its user (bearer.ts).

import { uuid } from "#base/ids.ts";
import { lazily } from "#base/lazy.ts";
import type { App } from "#context.ts";
import type { Scope } from "#contract/scopes.ts";
import type { GrantRow } from "#storage/tables/oauth-grants.ts";
import { issuerOf } from "./issuer.ts";
import type { SigningKeys } from "./keys.ts";
import { lifetimeMs } from "./lifetimes.ts";

const jose = lazily<typeof import("jose")>("jose");

export interface AccessToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
}

export async function signAccessToken(
  app: App,
  keys: SigningKeys,
  { grant, scopes, resource }: { grant: GrantRow; scopes: readonly Scope[]; resource: string },
): Promise<AccessToken> {
  const expiresIn = Math.floor(lifetimeMs(app, "oauth.accessTokenTtl") / 1_000);
  const iat = Math.floor(app.clock.now() / 1_000);
  const claims = {
    iss: issuerOf(app),
    aud: resource,
    sub: grant.userId,
    client_id: grant.clientId,
    scope: scopes.join(" "),
    grant_id: grant.id,
    jti: uuid(),
    iat,
    exp: iat + expiresIn,
  };
  const header = { alg: "RS256", typ: "at+jwt", kid: keys.kid };
  return { token: await new (jose().SignJWT)(claims).setProtectedHeader(header).sign(keys.privateKey), expiresIn };
}
