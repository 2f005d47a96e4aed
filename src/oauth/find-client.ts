// A client by its id, for the consent page: a stored one, or, where the setting allows it, one that is described by
// the document at the address that is its id. Such a client is stored when a user approves it.

import { createLru } from "#base/caches/lru.ts";
import { guardedFetch } from "#base/net/guarded-fetch.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { scopes as allScopes, isScope, type Scope } from "#contract/scopes.ts";
import type { Storage } from "#storage/port.ts";
import {
  type Client,
  cleanName,
  defaultScopes,
  findStoredClient,
  maxNameLength,
  newClient,
  redirectUrisProblems,
} from "./clients.ts";
import { refuse } from "./errors.ts";

const maxBytes = 65_536;
const timeoutMs = 5_000;
const keptMs = 300_000;
const keptClients = 1_000;
/** So that it fits, encoded, into the address of DELETE. */
const maxIdLength = 300;

export async function findClient(app: App, id: string): Promise<Client | undefined> {
  if (!isDescribedByDocument(app, id)) return findStoredClient(app, id);
  const now = app.clock.now();
  const documents = documentsOf(app.storage);
  const kept = documents.get(id);
  if (kept && kept.until > now) return kept.client;
  const client = await fetchClient(app, id);
  if (client) documents.set(id, { client, until: now + keptMs });
  return client;
}

/** Whether the client is described by a document on another server. */
export function isDescribedByDocument({ settings }: Pick<App, "settings">, id: string): boolean {
  return settings.get("oauth.clientIdMetadataDocuments") && isDocumentId(id);
}

/** An https address with a path, and only one possible spelling. */
function isDocumentId(id: string): boolean {
  const url = id.startsWith("https://") && id.length <= maxIdLength ? URL.parse(id) : null;
  return url !== null && url.href === id && url.pathname !== "/" && !/[#@]/.test(id);
}

/** Undefined for any failure: network errors are not disclosed. */
async function fetchClient(app: App, id: string): Promise<Client | undefined> {
  try {
    const allowPrivateHosts = app.settings.get("files.allowPrivateHosts");
    const { body } = await guardedFetch(id, { allowPrivateHosts, maxRedirects: 0, timeoutMs, maxBytes });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return readDocument(app, id, JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
  } catch {
    return undefined;
  }
}

/** It must name its own address, and have no secret, because the document is public. */
function readDocument(app: Pick<App, "clock">, id: string, document: Json): Client | undefined {
  if (!isJsonObject(document) || document.client_id !== id) return undefined;
  const { client_name: name, redirect_uris: redirectUris, token_endpoint_auth_method: method = "none" } = document;
  if (method !== "none" || "client_secret" in document || redirectUrisProblems(redirectUris).length > 0)
    return undefined;
  return newClient(app, {
    id,
    name: (typeof name === "string" && cleanName(name).slice(0, maxNameLength)) || new URL(id).host,
    origin: "document",
    redirectUris: redirectUris as string[],
    scopes: registeredScopes(document),
  });
}

/** Scopes of a client that describes itself: the known ones it names; without any, all but administering. */
export function registeredScopes({ scope = "" }: JsonObject): Scope[] {
  if (typeof scope !== "string") return refuse("invalid_client_metadata", "The scope must be text.");
  const named = new Set(scope.split(" ").filter((word) => word !== ""));
  if (named.size === 0) return [...defaultScopes];
  const known = [...named].filter(isScope);
  if (known.length > 0) return known;
  return refuse("invalid_client_metadata", `None of the scopes is known here. The scopes are ${allScopes.join(", ")}.`);
}

const documentsOf = perInstance((_storage: Storage) => createLru<{ client: Client; until: number }>(keptClients));
