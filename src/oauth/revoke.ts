// The revocation endpoint (RFC 7009): a client returns a token, which ends the whole grant. Anything that is not a live
// token of this client gets the same answer and is left alone.

import type { App } from "#context.ts";
import { deleteGrant, findGrant } from "#storage/tables/oauth-grants.ts";
import { findRefreshToken } from "#storage/tables/oauth-tokens.ts";
import { recordOAuth } from "./audit.ts";
import { authenticateBearer } from "./bearer.ts";
import { authenticateClient } from "./client-auth.ts";
import { hashSecret } from "./clients.ts";
import { refuse } from "./errors.ts";
import { eventOf } from "./grants.ts";
import { readParameters } from "./parameters.ts";
import type { TokenCall } from "./token.ts";

export async function revokeToken(app: App, { body, authorization }: TokenCall): Promise<void> {
  const parameters = readParameters(body);
  const client = await authenticateClient(app, { authorization, parameters });
  const token = parameters.token ?? refuse("invalid_request", "The token is missing.");
  const kept = await findRefreshToken(app.storage, hashSecret(token));
  const grantId = kept?.grantId ?? (await authenticateBearer(app, token, "any"))?.grantId;
  const grant = grantId === undefined ? undefined : await findGrant(app.storage, grantId);
  if (grant?.clientId !== client.id) return;
  const revoked = await app.storage.write((tx) => deleteGrant(tx, grant.id));
  if (revoked) recordOAuth(app, { type: "token.revoked", ...eventOf(grant), token });
}
