// Authenticates the client at the token and revocation endpoints. A confidential client proves itself by
// its secret, in the header or in the body; a public one has none, and sending one is refused. Nothing is fetched.

import type { App } from "#context.ts";
import { type Client, findStoredClient, isSecretOf } from "./clients.ts";
import { refuse } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

export interface Proof {
  /** The header, as sent. */
  authorization: string | undefined;
  parameters: Parameters;
}

export async function authenticateClient(app: App, proof: Proof): Promise<Client> {
  const { id, secret } = readCredentials(proof);
  const client = await findStoredClient(app, id);
  if (!client) return unknown();
  if (client.secretHash === undefined ? secret !== undefined : !isSecretOf(client, secret ?? "")) return unknown();
  return client;
}

function unknown(): never {
  return refuse("invalid_client", "The client is unknown, or its authentication failed.", 401);
}

function readCredentials({ authorization, parameters }: Proof): { id: string; secret: string | undefined } {
  const { client_id: id, client_secret: secret } = parameters;
  if (authorization === undefined) {
    if (id === undefined) return refuse("invalid_client", "The client_id is missing.", 401);
    return { id, secret };
  }
  const basic = readBasic(authorization) ?? unknown();
  if (secret !== undefined)
    refuse("invalid_request", "Authenticate the client in one way only: by header or in the body.");
  if (id !== undefined && id !== basic.id) refuse("invalid_request", "Two different clients are named.");
  return { id: basic.id, secret: basic.secret === "" ? undefined : basic.secret };
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function readBasic(authorization: string): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { id: decodePart(id), secret: decodePart(secret) };
  } catch {
    return undefined;
  }
}

function decodePart(text: string): string {
  const decoded = decodeURIComponent(text.replaceAll("+", " "));
  if (decoded.includes("\0")) throw new Error("no text");
  return decoded;
}
