// Looks at a site as a visitor, and reports what a web server in front of it does wrong, each with its cure.
// It has no credentials, and asks for nothing that changes anything.

import { isLoopback } from "#base/net/addresses.ts";
import type { DoctorCheck } from "#contract/mcp.ts";
import { type Answer, type Asked, type AskSite, askerOf } from "./ask-site.ts";

type Add = (check: string, result: DoctorCheck["result"], message: string, fix?: string) => void;
type Check = (tools: Tools) => Promise<void>;

interface Tools {
  url: URL;
  ask: AskSite;
  add: Add;
}

const print = "Take the configuration that cairn server:config prints for your web server";

export async function checkSite(url: URL): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  const add: Add = (check, result, message, fix) => checks.push({ check, result, message, ...(fix && { fix }) });
  const tools = { url, ask: askerOf(url), add };
  if (!(await isReached(tools))) return checks;
  for (const check of everything) await check(tools);
  return checks;
}

const everything: readonly Check[] = [
  checkAddress,
  checkEndpoints,
  checkClosed,
  checkDotFiles,
  checkPaths,
  checkQueries,
  checkMethods,
  checkCredentials,
  checkForwarding,
  checkBodies,
  checkErrors,
  checkCompression,
  checkMetrics,
];

async function isReached({ url, ask, add }: Tools): Promise<boolean> {
  const answer = await ask("/healthz");
  if (typeof answer === "string") {
    add("cairn", "fail", answer, "Check the address, the name's DNS entry, the port and the firewall.");
    return false;
  }
  if (answer.status === 200 && answer.isCairns) {
    add("cairn", "pass", `Cairn answers at ${url.origin}.`);
    return true;
  }
  const isGateway = answer.status === 502 || answer.status === 503 || answer.status === 504;
  const message = `/healthz answers ${answer.status}, and the answer is not Cairn's.`;
  const fix = isGateway
    ? "The web server does not reach Cairn: start Cairn, and compare its port with the one in the configuration of the web server."
    : `The web server passes nothing to Cairn. ${print}.`;
  add("cairn", "fail", message, fix);
  return false;
}

/** Links and cookies go by the configured address, so it must be this one. */
async function checkAddress({ url, ask, add }: Tools): Promise<void> {
  const isHttps = url.protocol === "https:";
  if (!isHttps && !isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    add(
      "https",
      "warn",
      "The address is plain http.",
      "Add a certificate to the web server, and set CAIRN_URL to the https address.",
    );
  const login = await ask("/login");
  const [cookie = ""] = (typeof login !== "string" && login.headers["set-cookie"]) || [];
  if (isHttps && cookie !== "" && !/; Secure/i.test(cookie))
    add("https", "fail", "Cookies are not marked Secure.", `Set CAIRN_URL to ${url.origin} and restart Cairn.`);
  else if (isHttps) add("https", "pass", "The site is reached by https, and Cairn knows it.");
  const discovery = await ask("/.well-known/mcp.json");
  const named =
    typeof discovery !== "string" && /"(https?:\/\/[^"/]+)\/mcp"/.exec(discovery.text.replaceAll("\\/", "/"))?.[1];
  if (!named) return;
  if (named === url.origin || (await isAdmins(url, ask))) add("address", "pass", `Links name ${named}.`);
  else
    add(
      "address",
      "warn",
      `You asked ${url.origin}, but links name ${named}.`,
      `Set CAIRN_URL to ${url.origin} and restart Cairn.`,
    );
}

/** The admin may have a host of its own, which links to it name. */
async function isAdmins({ origin }: URL, ask: AskSite): Promise<boolean> {
  const metadata = await ask("/.well-known/oauth-authorization-server");
  if (typeof metadata === "string") return false;
  return metadata.text.replaceAll("\\/", "/").includes(`"${origin}/oauth/authorize"`);
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const endpoints: readonly [path: string, asked?: Asked][] = [
  ["/.well-known/mcp.json"],
  ["/.well-known/oauth-authorization-server"],
  ["/.well-known/oauth-protected-resource"],
  ["/.well-known/jwks.json"],
  ["/mcp"],
  ["/mcp/none"],
  ["/oauth/authorize"],
  ["/oauth/token", { method: "POST", headers: form, body: "" }],
  ["/oauth/register", { method: "POST", headers: form, body: "" }],
  ["/oauth/revoke", { method: "POST", headers: form, body: "" }],
  ["/automations/server-check"],
  ["/api/server-check"],
  ["/collections/server-check/none"],
  ["/admin"],
  ["/login"],
  ["/setup"],
  ["/download/server-check/none/file"],
  ["/stream/server-check/none/file"],
  ["/imageworks/server-check/none/file.png"],
  ["/forms/server-check/none"],
  ["/sitemap.xml"],
  ["/feed/rss/server-check"],
];

async function checkEndpoints({ ask, add }: Tools): Promise<void> {
  const kept = await failing(endpoints, ask, ({ isCairns }) => isCairns);
  if (kept.length === 0) return add("endpoints", "pass", `All ${endpoints.length} endpoints reach Cairn.`);
  const fix = `${print}: every address that is no file must reach Cairn.`;
  add("endpoints", "fail", `These do not reach Cairn: ${kept.join(", ")}.`, fix);
}

/** Spellings of a path of the data directory; a web server may refuse one by itself. */
const closed = [
  "/data/.system/cairn.db",
  "/data",
  "/DATA/x",
  "//data/x",
  "/./data/x",
  "/%64ata/x",
  "/%2564ata/x",
  "/api/%2e%2e/data/x",
  "/api/../data/x",
  "/data%2fx",
  "/data%5cx",
];

async function checkClosed({ ask, add }: Tools): Promise<void> {
  const open: string[] = [];
  const other: string[] = [];
  for (const path of closed) {
    const answer = await ask(path);
    if (typeof answer === "string" || answer.status === 403) continue;
    const list = answer.status < 300 ? open : other;
    list.push(`${path} (${answer.status})`);
  }
  const cure = `${print}. The data directory must not lie in a folder that the web server sends files from.`;
  if (open.length > 0) add("closed", "fail", `Addresses of the data directory are open: ${open.join(", ")}.`, cure);
  else if (other.length > 0)
    add("closed", "warn", `The web server answers for addresses of the data directory: ${other.join(", ")}.`, cure);
  else add("closed", "pass", "The data directory is closed in every spelling.");
}

async function checkDotFiles({ ask, add }: Tools): Promise<void> {
  const names = ["/.env", "/.git/config", "/.git/HEAD", "/.htaccess", "/.npmrc"];
  const open = await failing(pathsOf(names), ask, ({ status }) => status >= 300);
  if (open.length === 0) return add("dot-files", "pass", "Dot files do not exist.");
  add(
    "dot-files",
    "fail",
    `Dot files are sent: ${open.join(", ")}.`,
    `${print}, which sends none, and remove them from the folder.`,
  );
}

/** Cairn refuses an encoded slash in a name with 400, and takes an encoded percent sign for one. */
async function checkPaths({ ask, add }: Tools): Promise<void> {
  const slash = await ask("/api/collections/a%2Fb");
  const percent = await ask("/api/collections/a%252Fb");
  if (typeof slash === "string" || typeof percent === "string")
    return add("paths", "fail", "Encoded addresses are not answered.", print);
  const cure = "Apache: AllowEncodedSlashes NoDecode, and pass on %{THE_REQUEST}. nginx: proxy_pass without a path.";
  if (!slash.isCairns) add("paths", "fail", "An encoded slash (%2F) does not reach Cairn.", cure);
  else if (slash.status !== 400) add("paths", "fail", "An encoded slash (%2F) is decoded on its way.", cure);
  else if (percent.status === 400) add("paths", "fail", "Addresses are decoded twice: %252F arrives as %2F.", cure);
  else add("paths", "pass", "Paths arrive as they were sent.");
}

/** The login page shows the address that it leads back to. */
async function checkQueries({ ask, add }: Tools): Promise<void> {
  const echo = await ask("/login?redirect=%2Fa%2520b%2Bc%25");
  const isKept = typeof echo !== "string" && echo.text.includes('value="/a%20b+c%"');
  if (!isKept)
    add(
      "query",
      "fail",
      "The query does not arrive as it was sent.",
      `${print}: the query must be passed on unchanged.`,
    );
  const long = await ask(`/healthz?x=${"x".repeat(8_000)}`);
  const isTaken = typeof long !== "string" && long.status === 200;
  const cure = "nginx: large_client_header_buffers 4 16k. Apache: LimitRequestLine 16384.";
  if (!isTaken) add("query", "fail", "A query of 8,000 bytes is refused.", cure);
  if (isKept && isTaken) add("query", "pass", "Queries arrive as they were sent.");
}

async function checkMethods({ ask, add }: Tools): Promise<void> {
  const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];
  const asked = methods.map((method): [string, Asked] => ["/api/server-check", { method }]);
  const dropped = await failing(asked, ask, ({ isCairns }) => isCairns);
  if (dropped.length === 0) return add("methods", "pass", "All methods reach Cairn.");
  add(
    "methods",
    "fail",
    `These do not reach Cairn: ${dropped.join(", ")}.`,
    "Remove limits on methods from the web server (Limit, limit_except).",
  );
}

/** A credential that does not hold is refused otherwise than none. */
async function checkCredentials({ ask, add }: Tools): Promise<void> {
  const path = "/api/collections/server-check/none";
  const without = await ask(path);
  const headers = { "x-api-key": "server-check", authorization: "Bearer server-check" };
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const answer = await ask(path, { headers: { [name]: value } });
    if (bodyOf(answer) === bodyOf(without)) dropped.push(name);
  }
  if (dropped.length === 0) return add("credentials", "pass", "X-API-Key and Authorization arrive.");
  const cure =
    "Remove what drops the header. Apache with CGI: CGIPassAuth On. The edition standard ignores both by itself.";
  add("credentials", "warn", `These headers seem to be dropped: ${dropped.join(", ")}.`, cure);
}

/** Where a forged address is believed, each one has a whole limit to itself. */
async function checkForwarding({ ask, add }: Tools): Promise<void> {
  let isBelieved = true;
  for (let tries = 1; tries <= 4 && isBelieved; tries += 1) {
    const answer = await ask("/api/settings", { headers: { "x-forwarded-for": `198.51.100.${tries * 7}` } });
    const { "x-ratelimit-limit": limit, "x-ratelimit-remaining": left } =
      typeof answer === "string" ? {} : answer.headers;
    if (limit === undefined)
      return add("forwarding", "skip", "The site limits no requests: forged addresses cannot be recognized.");
    isBelieved = Number(left) === Number(limit) - 1;
  }
  if (!isBelieved) return add("forwarding", "pass", "Callers cannot choose their address by X-Forwarded-For.");
  const cure = "Let the web server replace X-Forwarded-For. Without one in front, remove CAIRN_TRUST_PROXY.";
  add("forwarding", "fail", "Callers choose their address by X-Forwarded-For, and so escape limits.", cure);
}

/** More than any caller without credentials may send. */
async function checkBodies({ ask, add }: Tools): Promise<void> {
  const body = JSON.stringify({ server: "x".repeat(2 ** 21) });
  const answer = await ask("/api/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (typeof answer !== "string" && answer.isCairns)
    return add("bodies", "pass", "Large bodies reach Cairn, which limits them.");
  const cure = "nginx: client_max_body_size 0; proxy_request_buffering off. Apache: LimitRequestBody 0.";
  const message =
    typeof answer === "string"
      ? `A body of 2 MB gets no answer: ${answer}`
      : `The web server answers a body of 2 MB itself (${answer.status}).`;
  add("bodies", "fail", message, cure);
}

/** A site may have a page of its own for any address. */
async function checkErrors({ ask, add }: Tools): Promise<void> {
  const json = await ask("/api/server-check");
  const page = await ask("/server-check/none", { headers: { accept: "text/html" } });
  const isError = typeof json !== "string" && json.status === 404 && json.isCairns && json.text.startsWith('{"error":');
  if (isError && typeof page !== "string" && page.isCairns)
    return add("errors", "pass", "Errors of Cairn arrive unchanged.");
  const cure = "nginx: proxy_intercept_errors off. Apache: ProxyErrorOverride Off.";
  add("errors", "fail", "The web server replaces error pages of Cairn.", cure);
}

/** Cairn never compresses a page with a token in it, such as the login page. */
async function checkCompression({ ask, add }: Tools): Promise<void> {
  const answer = await ask("/login", { headers: { "accept-encoding": "gzip, deflate, br, zstd" } });
  const encoding = typeof answer === "string" ? undefined : answer.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity")
    return add("compression", "pass", "The web server compresses no answer of Cairn.");
  const cure = "Cairn compresses by itself. nginx: gzip off. Apache: SetEnv no-gzip 1. Caddy: remove encode.";
  add("compression", "fail", `The web server compresses answers (${encoding}), pages with secret tokens, too.`, cure);
}

async function checkMetrics({ ask, add }: Tools): Promise<void> {
  const answer = await ask("/metrics");
  if (typeof answer === "string" || answer.status >= 300) return add("metrics", "pass", "The metrics are closed.");
  add("metrics", "fail", "The metrics are open to everybody.", "cairn settings:set metrics.openOnLoopback false");
}

function pathsOf(paths: readonly string[]): [string][] {
  return paths.map((path) => [path]);
}

/** What was asked and is not as it should be. */
async function failing(
  all: readonly (readonly [string, Asked?])[],
  ask: AskSite,
  isRight: (answer: Answer) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, asked = {}] of all) {
    const answer = await ask(path, asked);
    if (typeof answer === "string" || !isRight(answer)) wrong.push(`${asked.method ?? "GET"} ${path}`);
  }
  return wrong;
}

/** Without what differs each time. */
function bodyOf(answer: Answer | string): string {
  return typeof answer === "string" ? answer : `${answer.status} ${answer.text}`;
}
