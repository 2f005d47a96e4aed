// An application for black-box tests of OAuth: it asks, a signed-in person answers the consent form, it gets tokens.
// It builds and carries; it never asserts, but throws when a step that is only a means does not work.

import { createHash, randomBytes } from "node:crypto";
import type { Answer, RequestOptions, Server } from "../harness.ts";
import { type Person, password } from "./sign-in.ts";

/** All that it needs of a server, and of a person. */
type Site = Pick<Server, "request">;
type Approver = Pick<Person, "request">;

export const redirectUri = "https://app.example.test/callback";

export interface Client {
  id: string;
  /** Of a confidential client. */
  secret?: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  scope: string;
}

/** Everything, in the order of the specification. */
export const allScopes = "cms:read cms:write cms:admin mcp:tools mcp:resources mcp:prompts";

/** A client that an administrator makes; public unless told otherwise. */
export async function makeClient(server: Site, more: Record<string, unknown> = {}): Promise<Client> {
  const body = {
    name: "App",
    redirectUris: [redirectUri],
    scopes: allScopes.split(" "),
    confidential: false,
    ...more,
  };
  const answer = await server.request("POST", "/api/oauth-clients", { body });
  if (answer.status !== 201) throw new Error(`no client: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

export function register(server: Site, body: Record<string, unknown> = {}): Promise<Answer> {
  return server.request("POST", "/oauth/register", {
    key: null,
    body: { client_name: "App", redirect_uris: [redirectUri], ...body },
  });
}

export function makePkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The address that the application opens in the person's browser. */
export function authorizePath(query: Record<string, string>): string {
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}

export function askFor(client: Client, challenge: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    state: "st",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", "#34": '"' };

/** The hidden fields of the page's form. */
export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of html.matchAll(/<input\b[^>]*>/g)) {
    const attribute = (name: string) =>
      new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]?.replace(/&(#?\w+);/g, (all, name) => entities[name] ?? all);
    const name = attribute("name");
    if (attribute("type") === "hidden" && name !== undefined) fields[name] = attribute("value") ?? "";
  }
  return fields;
}

export function formOf(fields: Record<string, string>): RequestOptions {
  return {
    raw: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
}

/** Opens the consent page, enters the password of tests where it is asked for, and presses a button; the answer is the redirect. */
export async function decide(
  person: Approver,
  query: Record<string, string>,
  decision: "allow" | "deny" = "allow",
): Promise<Answer> {
  const page = await person.request("GET", authorizePath(query));
  if (page.status !== 200)
    throw new Error(`no consent page: ${page.status} ${page.headers.get("location")} ${page.text}`);
  const proof = page.text.includes('name="password"') ? { password } : {};
  return person.request("POST", "/oauth/authorize", formOf({ ...hiddenFields(page.text), ...proof, decision }));
}

/** The parameters with which the browser is sent back. */
export function sentBack(answer: Answer): URLSearchParams {
  const location = answer.headers.get("location");
  if (!location) throw new Error(`no redirect: ${answer.status} ${answer.text}`);
  return new URL(location).searchParams;
}

export async function getCode(person: Approver, query: Record<string, string>): Promise<string> {
  const back = sentBack(await decide(person, query));
  const code = back.get("code");
  if (!code) throw new Error(`no code: ${back}`);
  return code;
}

/** A POST to the token endpoint, with the client's secret where it has one. */
export function askToken(server: Site, client: Client, fields: Record<string, string>): Promise<Answer> {
  const form = formOf({ client_id: client.id, ...(client.secret && { client_secret: client.secret }), ...fields });
  return server.request("POST", "/oauth/token", { key: null, ...form });
}

export function refresh(server: Site, client: Client, refreshToken: string, scope?: string): Promise<Answer> {
  return askToken(server, client, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...(scope !== undefined && { scope }),
  });
}

/** The whole way: ask, approve, exchange. */
export async function connect(
  server: Site,
  person: Approver,
  { client, scope, ...more }: { client: Client; scope: string } & Record<string, unknown>,
): Promise<Tokens> {
  const { verifier, challenge } = makePkce();
  const code = await getCode(person, askFor(client, challenge, { scope, ...(more as Record<string, string>) }));
  const { status, text, body } = await askToken(server, client, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  if (status !== 200) throw new Error(`no token: ${status} ${text}`);
  return { accessToken: body.access_token, refreshToken: body.refresh_token, scope: body.scope };
}

/** A request with a token and nothing else. */
export function withToken(
  server: Site,
  token: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  return server.request(method, path, { key: null, ...options, headers });
}

/** The claims, unverified. */
// biome-ignore lint/suspicious/noExplicitAny: tests read claims of many shapes
export function claimsOf(token: string): any {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}
