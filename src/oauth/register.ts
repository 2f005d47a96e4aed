// Dynamic registration (RFC 7591): an application describes itself and gets an id. That alone opens nothing: a user must
// approve it. It never gets a secret; its own description is not trusted, and no address in it is fetched.

import { isWithinLimit, limitAddress } from "#access/hourly-limits.ts";
import { CairnError } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { recordOAuth } from "./audit.ts";
import { cleanName, maxNameLength, newClient, redirectUrisProblems, saveClient } from "./clients.ts";
import { refuse } from "./errors.ts";
import { registeredScopes } from "./find-client.ts";

const unnamed = "Unnamed application";
const grantTypes = ["authorization_code", "refresh_token"];
const responseTypes = ["code"];
/** Treated as "none": clients ask for a secret by habit, and can do without one. */
const authMethods = ["none", "client_secret_basic", "client_secret_post"];
const addresses = ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"];

export async function registerClient(ctx: Context, body: Json): Promise<JsonObject> {
  checkOpen(ctx);
  const metadata = isJsonObject(body) ? body : refuse("invalid_client_metadata", "The body must be a JSON object.");
  const redirectUris = readRedirectUris(metadata);
  const name = readName(metadata);
  checkAddresses(metadata);
  checkAuthMethod(metadata);
  const grants = chosen(metadata, "grant_types", grantTypes);
  const responses = chosen(metadata, "response_types", responseTypes);
  const client = newClient(ctx, { name, redirectUris, scopes: registeredScopes(metadata), origin: "dynamic" });
  await limitRegistrations(ctx);
  await saveClient(ctx, client);
  recordOAuth(ctx, { type: "client.dynamic_registered", clientId: client.id, scopes: client.scopes });
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.parse(client.created) / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: grants,
    response_types: responses,
    token_endpoint_auth_method: "none",
    scope: client.scopes.join(" "),
  };
}

function checkOpen({ settings }: Context): void {
  if (!settings.get("oauth.dynamicRegistration"))
    refuse("access_denied", "Applications cannot register themselves here.", 403);
}

function readRedirectUris({ redirect_uris: uris }: JsonObject): string[] {
  const [problem] = redirectUrisProblems(uris);
  if (problem !== undefined) refuse("invalid_redirect_uri", `The redirect_uris are not valid: ${asciiOf(problem)}.`);
  return uris as string[];
}

function readName({ client_name: name = unnamed }: JsonObject): string {
  if (typeof name !== "string") return refuse("invalid_client_metadata", "The client_name must be text.");
  const cleaned = cleanName(name);
  if (cleaned.length > maxNameLength)
    return refuse("invalid_client_metadata", `The client_name must not exceed ${maxNameLength} characters.`);
  return cleaned || unnamed;
}

function checkAddresses(metadata: JsonObject): void {
  for (const name of addresses) {
    const value = metadata[name];
    if (value === undefined || value === null) continue;
    const url = typeof value === "string" && value.length <= 2_000 ? URL.parse(value) : null;
    if (url?.protocol !== "https:") refuse("invalid_client_metadata", `The ${name} must be an https address.`);
  }
}

function checkAuthMethod({ token_endpoint_auth_method: method = "none" }: JsonObject): void {
  if (!authMethods.includes(method as string))
    refuse("invalid_client_metadata", "The token_endpoint_auth_method is not supported.");
}

/** The known ones of the requested values; the first is required. */
function chosen(metadata: JsonObject, name: string, known: readonly string[]): string[] {
  const asked = metadata[name] ?? [...known];
  const isList = Array.isArray(asked) && asked.every((word) => typeof word === "string");
  if (!isList || !asked.includes(known[0] as string))
    return refuse("invalid_client_metadata", `The ${name} must be a list with ${known[0]} in it.`);
  return known.filter((word) => asked.includes(word));
}

async function limitRegistrations(ctx: Context): Promise<void> {
  const limit = ctx.settings.get("oauth.dynamicRegistrationLimit");
  if (limit === 0) return;
  try {
    await limitAddress(ctx, "oauth-register", limit);
  } catch (error) {
    const address = ctx.origin?.address ?? "";
    // One line an hour for each address, however many attempts.
    if (error instanceof CairnError && (await isWithinLimit(ctx, "oauth-register-logged", address, 1)))
      recordOAuth(ctx, { type: "security.rate_limit", details: { endpoint: "/oauth/register", address } });
    throw error;
  }
}

function asciiOf(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, "?");
}
