// Clients: the applications that may ask users for access. Created by an administrator (static), by themselves (dynamic),
// or described by a document at the address that is their id. A secret exists only in the answer to its creation.

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { allow } from "#access/allow.ts";
import { confirmPower } from "#access/recent-proof.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { uuid } from "#base/ids.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { ClientOrigin, CreatedClient, OAuthClient } from "#contract/oauth.ts";
import { scopes as allScopes, isScope, type Scope } from "#contract/scopes.ts";
import {
  type ClientRow,
  findClient as findRow,
  type ListedClient,
  listClients as listRows,
  putClient,
  deleteClient as removeClient,
} from "#storage/tables/oauth-clients.ts";
import { recordOAuth } from "./audit.ts";
import { countStale, deleteStale } from "./gc.ts";
import { readFlag } from "./read-flag.ts";
import { redirectProblem } from "./redirect-uris.ts";

export interface Client {
  id: string;
  name: string;
  /** SHA-256 of the secret; absent: a public client. */
  secretHash?: string;
  origin: ClientOrigin;
  redirectUris: string[];
  /** Scopes that it may request. */
  scopes: Scope[];
  created: string;
}

const maxRedirectUris = 10;
export const maxNameLength = 200;
/** For clients that name no scopes: administering is never a default. */
export const defaultScopes: readonly Scope[] = allScopes.filter((scope) => scope !== "cms:admin");

export async function createClient(ctx: Context, body: Json): Promise<CreatedClient> {
  allow(ctx, "create", { kind: "oauth" });
  await confirmPower(ctx);
  const { confidential, ...described } = readStatic(body);
  const secret = confidential ? randomBytes(32).toString("base64url") : undefined;
  const client = newClient(ctx, { ...described, origin: "static", secret });
  await saveClient(ctx, client);
  recordOAuth(ctx, { type: "client.created", clientId: client.id, userId: userOf(ctx), scopes: client.scopes });
  const answer = presentClient({ ...rowOf(client), grants: 0 });
  return secret === undefined ? answer : { ...answer, secret };
}

export async function listClients(ctx: Context): Promise<OAuthClient[]> {
  allow(ctx, "read", { kind: "oauth" });
  return (await listRows(ctx.storage)).map(presentClient);
}

/** Its grants end too. */
export async function deleteClient(ctx: Context, id: string): Promise<void> {
  allow(ctx, "delete", { kind: "oauth" });
  await confirmPower(ctx);
  const row = await ctx.storage.write((tx) => removeClient(tx, id));
  if (!row) return fail("not-found", `There is no OAuth client "${id}".`);
  recordOAuth(ctx, { type: "client.deleted", clientId: id, userId: userOf(ctx) });
}

/** The administrator of the session; a key has no user. */
function userOf({ actor }: Context): string | undefined {
  return actor.kind === "user" ? actor.id : undefined;
}

/** Removes self-registered clients that are a day old and have no grant, or with `dryRun` counts them. */
export async function pruneClients(ctx: Context, body: Json = {}): Promise<number> {
  allow(ctx, "delete", { kind: "oauth" });
  if (readFlag(body, "dryRun")) return countStale(ctx);
  return (await deleteStale(ctx, { grants: false })).removed.length;
}

export function newClient(
  app: Pick<App, "clock">,
  about: Pick<Client, "name" | "redirectUris" | "scopes" | "origin"> & { id?: string; secret?: string | undefined },
): Client {
  const { id = uuid(), secret, ...rest } = about;
  return { id, ...rest, ...(secret !== undefined && { secretHash: hashSecret(secret) }), created: app.clock.iso() };
}

export async function saveClient(app: Pick<App, "storage">, client: Client): Promise<void> {
  await app.storage.write((tx) => putClient(tx, rowOf(client)));
}

/** A client described by a document is valid only while the setting allows it. */
export async function findStoredClient(
  app: Pick<App, "storage" | "settings">,
  id: string,
): Promise<Client | undefined> {
  const row = await findRow(app.storage, id);
  if (row?.origin === "document" && !app.settings.get("oauth.clientIdMetadataDocuments")) return undefined;
  return row && clientOf(row);
}

/** In constant time, whatever is wrong. */
export function isSecretOf({ secretHash }: Client, secret: string): boolean {
  const expected = Buffer.from(secretHash ?? "", "hex");
  const given = Buffer.from(hashSecret(secret), "hex");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Codes, tokens and secrets are random, so a plain hash reveals nothing. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** One line, without terminal controls or direction marks. */
export function cleanName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}

export function clientOf(row: ClientRow): Client {
  const { id, name, secretHash, origin, redirectUris, scopes, created } = row;
  return {
    ...{ id, name, origin, created },
    ...(secretHash !== null && { secretHash }),
    redirectUris: JSON.parse(redirectUris) as string[],
    scopes: JSON.parse(scopes) as Scope[],
  };
}

export function rowOf({ secretHash = undefined, redirectUris, scopes, ...rest }: Client): ClientRow {
  return {
    ...rest,
    secretHash: secretHash ?? null,
    redirectUris: JSON.stringify(redirectUris),
    scopes: JSON.stringify(scopes),
    lastUsed: null,
  };
}

function presentClient(row: ListedClient): OAuthClient {
  const { id, name, origin, redirectUris, scopes, created } = clientOf(row);
  const { secretHash, lastUsed, grants } = row;
  return { id, name, origin, redirectUris, scopes, confidential: secretHash !== null, created, lastUsed, grants };
}

interface StaticClient {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
}

function readStatic(body: Json): StaticClient {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const details: ErrorDetails = {};
  const { redirectUris, confidential = true } = body;
  const name = typeof body.name === "string" ? cleanName(body.name) : "";
  if (name === "") details.name = ["is required"];
  else if (name.length > maxNameLength) details.name = [`must not exceed ${maxNameLength} characters`];
  const uriProblems = redirectUrisProblems(redirectUris);
  if (uriProblems.length > 0) details.redirectUris = uriProblems;
  const scopes = readScopes(body, details);
  if (typeof confidential !== "boolean") details.confidential = ["must be true or false"];
  if (Object.keys(details).length > 0) fail("validation-failed", undefined, details);
  return { name, redirectUris: redirectUris as string[], scopes, confidential: confidential === true };
}

function readScopes({ scopes }: JsonObject, details: ErrorDetails): Scope[] {
  if (scopes === undefined || scopes === null) return [...defaultScopes];
  const words = Array.isArray(scopes) ? scopes : [scopes];
  const unknown = words.filter((word) => typeof word !== "string" || !isScope(word));
  if (unknown.length > 0) details.scopes = unknown.map((word) => `${JSON.stringify(word)} is not a scope`);
  else if (words.length === 0) details.scopes = ["at least one is required"];
  return allScopes.filter((scope) => words.includes(scope));
}

export function redirectUrisProblems(uris: unknown): string[] {
  if (!Array.isArray(uris) || uris.length === 0) return ["at least one is required, as an array"];
  if (uris.length > maxRedirectUris) return [`at most ${maxRedirectUris}`];
  return uris.flatMap((uri) => {
    const problem = redirectProblem(uri);
    return problem === undefined ? [] : [`${String(uri).slice(0, 200)}: ${problem}`];
  });
}
