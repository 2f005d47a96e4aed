// Discovery documents: the endpoints and what they offer (RFC 8414), the server that guards this
// resource (RFC 9728), and the key that access tokens are verified with.

import { adminAddress } from "#content/site-address.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { scopes } from "#contract/scopes.ts";
import { issuerOf, mcpResource } from "./issuer.ts";
import { findKeys, type PublicJwk } from "./keys.ts";

export function serverMetadata(app: App): JsonObject {
  const issuer = issuerOf(app);
  const { settings } = app;
  return {
    issuer,
    authorization_endpoint: `${adminAddress(app)}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    ...(settings.get("oauth.dynamicRegistration") && { registration_endpoint: `${issuer}/oauth/register` }),
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...scopes],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
    ...(settings.get("oauth.clientIdMetadataDocuments") && { client_id_metadata_document_supported: true }),
  };
}

export function resourceMetadata(app: App): JsonObject {
  const issuer = issuerOf(app);
  return {
    resource: mcpResource(issuer),
    authorization_servers: [issuer],
    // Clients request everything listed here by default; administering must be requested explicitly.
    scopes_supported: scopes.filter((scope) => scope !== "cms:admin"),
    bearer_methods_supported: ["header"],
    resource_name: "Cairn",
  };
}

/** Empty before `oauth:setup`. Public members only. */
export function keySet(app: App): { keys: PublicJwk[] } {
  const keys = findKeys(app);
  return { keys: keys ? [keys.jwk] : [] };
}
