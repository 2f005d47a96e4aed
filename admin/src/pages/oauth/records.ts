// OAuth records as the server keeps them. Nothing here holds a secret: the answer to a creation goes to its dialog alone.

import type {
  CreatedClient,
  GrantReach,
  OAuthClient,
  OAuthGrant,
  PruneResult,
  SigningKeyResult,
  SigningKeyState,
} from "@contract/oauth.ts";
import type { Scope } from "@contract/scopes.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const clientsQuery = queryOptions({
  queryKey: ["oauth", "clients"],
  queryFn: ({ signal }) => askData<OAuthClient[]>(routes.oauthClients, { signal }),
});

export const grantsQuery = queryOptions({
  queryKey: ["oauth", "grants"],
  queryFn: ({ signal }) => askData<OAuthGrant[]>(routes.oauthGrants, { signal }),
});

export const keysQuery = queryOptions({
  queryKey: ["oauth", "keys"],
  queryFn: ({ signal }) => askData<SigningKeyState>(routes.oauthKeys, { signal }),
});

/** Asked for each time: rights may have changed since. */
export const reachQuery = (id: string) =>
  queryOptions({
    queryKey: ["oauth", "reach", id],
    queryFn: ({ signal }) => askData<GrantReach>(routes.grantReach, { path: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

export interface NewClient {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
}

export const createClient = (body: NewClient) => askData<CreatedClient>(routes.createOAuthClient, { body });
export const removeClient = (id: string) => ask(routes.deleteOAuthClient, { path: { id } });
export const pruneClients = (body: { dryRun?: boolean }) => askData<PruneResult>(routes.pruneOAuthClients, { body });
export const revokeGrant = (id: string) => ask(routes.revokeGrant, { path: { id } });
export const revokeGrantsOf = (client: string) =>
  askData<{ grants: number }>(routes.revokeGrants, { query: { client } });
export const makeKeys = (body: { force: boolean }) => askData<SigningKeyResult>(routes.makeOAuthKeys, { body });

/** Where its codes go: the best hint of who an application is. */
export function hostOf({ redirectUris }: Pick<OAuthClient, "redirectUris">): string {
  const url = URL.parse(redirectUris[0] ?? "");
  return url ? url.host || url.protocol.replace(/:$/, "") : "";
}
