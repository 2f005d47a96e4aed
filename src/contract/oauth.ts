// OAuth records on the wire, as administrators see them: clients, grants, what a grant reaches, the signing keys.

import type { Scope } from "./scopes.ts";

/** static: made by an administrator; dynamic: registered by itself; document: described at the address that is its id. */
export type ClientOrigin = "static" | "dynamic" | "document";

export interface OAuthClient {
  id: string;
  name: string;
  origin: ClientOrigin;
  redirectUris: string[];
  /** Scopes that it may request. */
  scopes: Scope[];
  /** It has a secret. */
  confidential: boolean;
  created: string;
  lastUsed: string | null;
  grants: number;
}

/** `POST /api/oauth-clients`: the secret is shown only this once. */
export type CreatedClient = OAuthClient & { secret?: string };

/** `POST /api/oauth-clients/prune`. */
export interface PruneResult {
  /** Clients that were removed, or with `dryRun` would be. */
  clients: number;
}

export interface OAuthGrant {
  id: string;
  clientId: string;
  clientName: string;
  clientOrigin: ClientOrigin;
  userId: string;
  /** The name of the user, else the email address. */
  userName: string;
  scopes: Scope[];
  /** What its tokens are for: the whole service, its `/mcp` or its `/api`. */
  resource: string;
  created: string;
  lastUsed: string | null;
  expires: string;
}

/** `GET /api/oauth-grants/{id}/reach`: what its tokens reach at this moment, as the consent page works it out. */
export interface GrantReach {
  /** No groups limit it: it is an administrator. */
  unlimited: boolean;
  collections: ReachedCollection[];
}

export interface ReachedCollection {
  id: string;
  name: string;
  /** Objects now; null where they can be written but not read. */
  count: number | null;
  read: boolean;
  write: boolean;
}

/** `GET` and `POST /api/oauth-keys`. */
export interface SigningKeyState {
  configured: boolean;
  /** The name of the key in tokens; null without a key that works. */
  kid: string | null;
  /** When the key was stored; null without one. */
  created: string | null;
  /** Why a stored key does not work; absent otherwise. */
  problem?: string;
}

/** `POST /api/oauth-keys`. */
export interface SigningKeyResult extends SigningKeyState {
  /** False: there were keys already, and they stay. */
  isNew: boolean;
  /** Grants that ended with the old keys. */
  revoked: number;
}
