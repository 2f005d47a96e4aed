// Takes the steps of a client that has never seen the site, and reports what it found and what to do about it.
// It knows only the address, so it also works for a remote server behind proxies and firewalls.

import { allow } from "#access/allow.ts";
import { CairnError, fail } from "#base/errors.ts";
import { parseAddress } from "#base/net/guarded-fetch.ts";
import { guardedRequest } from "#base/net/guarded-request.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { DoctorCheck, DoctorReport } from "#contract/mcp.ts";
import { endpointOf } from "./status.ts";

interface Answer extends Received {
  // biome-ignore lint/suspicious/noExplicitAny: whatever another server sends
  json: any;
}

/** What came back; the text is cut where it is long. */
interface Received {
  status: number;
  headers: Headers;
  text: string;
}

interface Asked {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Sends a request, follows no redirect. Throws when there is no answer. */
export type Asker = (url: string, asked: Asked) => Promise<Received>;

const timeoutMs = 10_000;
const maxText = 1_000_000;
const accept = "application/json, text/event-stream";
const opening = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "cairn-doctor", version: "1" } },
};

/** All of its requests together, when the server itself is asked to examine an endpoint. */
const patienceMs = 30_000;

/** For administrators: from the server, to its own endpoint unless the body names another. */
export async function runDoctor(ctx: Context, body: Json): Promise<DoctorReport> {
  allow(ctx, "read", { kind: "settings" });
  const own = endpointOf(ctx);
  const url = readAddress(body) ?? new URL(own);
  const checks = await examine(url, { ask: askGuarded(ctx, new URL(own).origin) });
  return { url: url.href, isWell: isWell(checks), checks };
}

function readAddress(body: Json): URL | undefined {
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  if (body.url === undefined || body.url === null || body.url === "") return undefined;
  const url = typeof body.url === "string" ? parseAddress(body.url) : undefined;
  const message = "must be an http or https URL without credentials, such as https://example.org/mcp";
  return url ?? fail("validation-failed", undefined, { url: [message] });
}

export function isWell(checks: readonly DoctorCheck[]): boolean {
  return checks.every(({ result }) => result !== "fail");
}

interface Examination {
  ask: Asker;
  /** An API key, to try the first messages with. */
  key?: string | undefined;
}

export async function examine(address: URL, { ask: send, key }: Examination): Promise<DoctorCheck[]> {
  const ask = parsing(send);
  const findings: DoctorCheck[] = [];
  const add = (check: string, result: DoctorCheck["result"], message: string, fix?: string) => {
    findings.push({ check, result, message, ...(fix !== undefined && { fix }) });
    return result !== "fail";
  };
  const base = address.href
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .replace(/\/mcp$/, "");
  const endpoint = `${base}/mcp`;

  const tools = { ask, add };
  checkAddress(new URL(endpoint), add);
  const first = await ask("POST", endpoint, {});
  if (typeof first === "string") {
    add("endpoint", "fail", first, "Check the address, the name's DNS entry, the port and the firewall.");
    return findings;
  }
  if (!checkEndpoint(first, add)) return findings;
  await checkAuthorization(endpoint, first, tools);
  await checkDiscovery(base, endpoint, tools);
  await checkMetadata(endpoint, first, tools);
  await checkHandshake(endpoint, { first, key, ...tools });
  return findings;
}

type Add = (check: string, result: DoctorCheck["result"], message: string, fix?: string) => boolean;
/** A text is the reason why there is no answer. */
type Ask = (method: string, url: string, headers: Record<string, string>, body?: object) => Promise<Answer | string>;

interface Tools {
  ask: Ask;
  add: Add;
}

function checkAddress({ protocol, hostname }: URL, add: Add): void {
  const isLocal = hostname === "localhost" || /^127\.|^\[::1\]$/.test(hostname);
  if (protocol === "https:" || isLocal) add("address", "pass", "Clients accept the address.");
  else
    add(
      "address",
      "warn",
      "The address is plain http.",
      "Most clients accept only https from other machines: add TLS.",
    );
}

/** Whether the service itself answers, and not a server in front of it. */
function checkEndpoint({ status, headers, json, text }: Answer, add: Add): boolean {
  const isOurs = json?.jsonrpc === "2.0" || /^data: \{/m.test(text);
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "";
    return add(
      "endpoint",
      "fail",
      `The address redirects to ${to}.`,
      "Give clients that address: a redirect loses the message.",
    );
  }
  if (isOurs && status === 404)
    return add("endpoint", "fail", "The endpoint is switched off.", "cairn settings:set mcp.enabled true");
  if (isOurs && status === 403)
    return add(
      "endpoint",
      "fail",
      `The service refuses the host or origin: ${json?.error?.message ?? ""}`,
      "Set CAIRN_URL to the public address.",
    );
  if (isOurs && status === 429)
    return add(
      "endpoint",
      "fail",
      "Too many requests without credentials.",
      "Wait a minute, or raise mcp.publicIpPerMinute.",
    );
  if (isOurs && status < 500) return add("endpoint", "pass", `The service answers (${status}).`);
  if (status === 404 || status === 405)
    return add(
      "rewrite",
      "fail",
      `Nothing answers at /mcp (${status}).`,
      "The web server in front must pass /mcp and all paths below it to the service, for GET, POST and DELETE.",
    );
  if (status === 403 || status === 406 || status === 503)
    return add(
      "endpoint",
      "fail",
      `A server in front of the service refuses the client (${status}).`,
      "A firewall or bot protection: exempt /mcp, /oauth/* and /.well-known/*.",
    );
  return add(
    "endpoint",
    "fail",
    `The answer is not JSON-RPC (${status}).`,
    "See the log of the service and of the web server in front of it.",
  );
}

/** The challenge is sent, and the header that answers it arrives. */
async function checkAuthorization(endpoint: string, first: Answer, { ask, add }: Tools): Promise<void> {
  const challenge = first.headers.get("www-authenticate") ?? "";
  if (first.status !== 401) add("challenge", "skip", "The public may enter without signing in.");
  else if (/^Bearer /i.test(challenge)) add("challenge", "pass", "The refusal says how to authenticate.");
  else
    add(
      "challenge",
      "fail",
      "The refusal has no WWW-Authenticate header.",
      "The web server in front must pass this header on.",
    );
  const wrong = await ask("POST", endpoint, { authorization: "Bearer cairn_doctor" });
  const error = typeof wrong === "string" ? "" : (wrong.headers.get("www-authenticate") ?? "");
  if (/invalid_token/.test(error)) add("bearer", "pass", "The Authorization header reaches the service.");
  else
    add(
      "bearer",
      "fail",
      "The Authorization header does not reach the service.",
      "The web server in front must pass it on (Apache: CGIPassAuth On, or SetEnvIf Authorization).",
    );
}

async function checkDiscovery(base: string, endpoint: string, { ask, add }: Tools): Promise<void> {
  const found = await ask("GET", `${base}/.well-known/mcp.json`, {});
  const fix = "The web server in front must pass /.well-known/ to the service, folders with a dot included.";
  if (typeof found === "string" || found.status !== 200 || typeof found.json?.endpoint !== "string")
    add("discovery", "fail", "There is no discovery document at /.well-known/mcp.json.", fix);
  else if (found.json.endpoint !== endpoint)
    add(
      "discovery",
      "fail",
      `The service takes ${found.json.endpoint} for its address.`,
      `Set CAIRN_URL to ${base} and restart.`,
    );
  else add("discovery", "pass", "The discovery document names this endpoint.");
}

/** From the challenge to the authorization server, by RFC 9728 and RFC 8414. */
async function checkMetadata(endpoint: string, { headers }: Answer, { ask, add }: Tools): Promise<void> {
  const link = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1];
  if (!link) {
    add("protected resource", "skip", "OAuth is off here: clients connect with an API key, or as the public.");
    return;
  }
  const resource = await ask("GET", link, {});
  if (typeof resource === "string" || resource.status !== 200 || !resource.json) {
    add(
      "protected resource",
      "fail",
      `There is no document at ${link}.`,
      "The web server in front must pass /.well-known/ to the service.",
    );
    return;
  }
  const [issuer] = (resource.json.authorization_servers ?? []) as string[];
  if (resource.json.resource !== endpoint || !issuer) {
    add(
      "protected resource",
      "fail",
      `The document is about ${resource.json.resource}, not about this endpoint.`,
      "Set CAIRN_URL to the public address and restart.",
    );
    return;
  }
  add("protected resource", "pass", "The resource names its authorization server.");
  await checkIssuer(issuer, { ask, add });
}

async function checkIssuer(issuer: string, { ask, add }: Tools): Promise<void> {
  const { origin, pathname } = URL.parse(issuer) ?? { origin: issuer, pathname: "/" };
  const link = `${origin}/.well-known/oauth-authorization-server${pathname === "/" ? "" : pathname}`;
  const server = await ask("GET", link, {});
  if (typeof server === "string" || server.status !== 200 || !server.json?.token_endpoint) {
    add(
      "authorization server",
      "fail",
      `There is no metadata at ${link}.`,
      "The web server in front must pass /.well-known/ and /oauth/ to the service; without signing keys, run cairn oauth:setup.",
    );
    return;
  }
  const {
    issuer: named,
    code_challenge_methods_supported: methods = [],
    registration_endpoint,
    jwks_uri,
  } = server.json;
  if (named !== issuer)
    add(
      "authorization server",
      "fail",
      `Its metadata names ${named}, not ${issuer}.`,
      "Set CAIRN_URL to the public address and restart.",
    );
  else if (!methods.includes("S256"))
    add("authorization server", "fail", "It does not offer PKCE with S256.", "Update the service.");
  else add("authorization server", "pass", "The authorization server publishes its metadata.");
  if (registration_endpoint) add("registration", "pass", "Clients can register by themselves.");
  else
    add(
      "registration",
      "warn",
      "Clients cannot register by themselves.",
      "Make a client for each in the admin, or cairn settings:set oauth.dynamicRegistration true.",
    );
  const keys = jwks_uri ? await ask("GET", String(jwks_uri), {}) : "";
  if (typeof keys !== "string" && keys.json?.keys?.length > 0)
    add("signing keys", "pass", "Tokens can be signed and checked.");
  else add("signing keys", "fail", "There are no signing keys.", "cairn oauth:setup");
}

/** The first messages, with a key or as the public. */
async function checkHandshake(
  endpoint: string,
  { first, key, ask, add }: Tools & { first: Answer; key: string | undefined },
): Promise<void> {
  if (first.status === 401 && key === undefined) {
    add("first message", "skip", "It takes a credential. To test it: cairn mcp:doctor with an API key in --key.");
    return;
  }
  const who: Record<string, string> = key === undefined ? {} : { "x-api-key": key };
  const hello = key === undefined ? first : await ask("POST", endpoint, who);
  if (typeof hello === "string" || hello.status !== 200 || !hello.json?.result) {
    const status = typeof hello === "string" ? hello : hello.status;
    add(
      "first message",
      "fail",
      `The key is refused (${status}).`,
      "The key needs the endpoint /mcp with GET, POST and DELETE.",
    );
    return;
  }
  const { protocolVersion, serverInfo } = hello.json.result;
  add("first message", "pass", `${serverInfo?.name} ${serverInfo?.version} speaks ${protocolVersion}.`);
  const session = {
    ...who,
    "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": protocolVersion,
  };
  const list = await ask("POST", endpoint, session, { jsonrpc: "2.0", id: 2, method: "tools/list" });
  const tools = typeof list === "string" ? undefined : list.json?.result?.tools;
  if (Array.isArray(tools)) add("tools", "pass", `${tools.length} tools are offered.`);
  else
    add(
      "tools",
      "fail",
      "The tools could not be listed.",
      "The session may not reach the same installation: check the proxy.",
    );
  await ask("DELETE", endpoint, session);
}

function parsing(send: Asker): Ask {
  return async (method, url, headers, body = opening) => {
    const json = method === "POST" && { "content-type": "application/json" };
    try {
      const answer = await send(url, {
        method,
        headers: { accept, ...json, ...headers },
        body: method === "POST" ? JSON.stringify(body) : undefined,
      });
      return { ...answer, json: parse(/^data: (\{.+)$/m.exec(answer.text)?.[1] ?? answer.text) };
    } catch (error) {
      if (error instanceof CairnError) return error.message;
      const { cause, name } = error as Error & { cause?: { code?: string } };
      return name === "TimeoutError"
        ? "There was no answer in time."
        : `There is no connection${cause?.code === undefined ? "" : ` (${cause.code})`}.`;
    }
  };
}

/** From the command line: wherever its user may connect to. */
export const askPlainly: Asker = async (url, { method, headers, body }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, { method, redirect: "manual", signal, headers, ...(body !== undefined && { body }) });
  const { status, headers: received } = answer;
  return { status, headers: received, text: (await answer.text()).slice(0, maxText) };
};

/** From the server: public addresses, and its own. Refusals look alike and disclose nothing about its network. */
function askGuarded({ settings }: Context, own: string): Asker {
  const signal = AbortSignal.timeout(patienceMs);
  return async (url, asked) => {
    const { status, headers, body } = await guardedRequest(url, {
      ...asked,
      ...{ signal, timeoutMs, maxRedirects: 0, maxBytes: maxText },
      allowPrivateHosts: URL.parse(url)?.origin === own || settings.get("files.allowPrivateHosts"),
    });
    return { status, headers: new Headers(headers), text: body.toString("utf8") };
  };
}

function parse(text: string): Answer["json"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
