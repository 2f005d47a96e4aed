// The admin's own host: what exists elsewhere, what a session's cookie counts for there, and which documents have this origin.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, http, type Server, startServer } from "../../harness.ts";
import { logIn, makeUser, type Person, password, personOf } from "../../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../../support/smtp-server.ts";

const adminHost = "cms.example.test";
const siteHost = "www.example.test";
const sandbox = "sandbox allow-scripts allow-forms allow-popups";
const project = mkdtempSync(join(tmpdir(), "cairn-admin-host-"));

let server: Server;
let mailbox: Mailbox;
let root: Person;

before(async () => {
  const publicDir = join(project, "public");
  mkdirSync(publicDir);
  writeFileSync(join(publicDir, "own.html"), "<h1>Own</h1>");
  writeFileSync(join(publicDir, "own.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(publicDir, "own.js"), "1");
  mailbox = await openMailbox();
  server = await startServer({
    cwd: project,
    hasOAuth: true,
    env: { CAIRN_URL: `https://${siteHost}` },
    settings: { site: { adminHost }, smtp: mailbox.smtp },
  });
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "note", properties: { title: text }, required: ["id"], index: ["id"] });
  const forms = { ask: { fields: ["title"] }, ours: { fields: ["title"], access: "user" } };
  await server.makeCollection({
    id: "news",
    schema: "note",
    url: "/news",
    prettyUrl: true,
    publicOperations: ["read"],
    forms,
  });
  await server.request("POST", "/api/collections/news", { body: { id: "a", title: "A" } });
  for (const [id, template] of [
    ["plain", "<h1>{{ page.id }}</h1>"],
    ["news", "<h1>{{ object.title }}</h1>"],
    ["broken", '{% render "nowhere" %}'],
  ])
    await server.request("PUT", `/api/templates/pages/${id}`, { body: { template } });
  for (const page of [
    { id: "about", route: "/about", template: "plain" },
    { id: "bad", route: "/bad", template: "broken" },
    { id: "map", route: "/map.xml", template: "plain" },
    { id: "text", route: "/text.txt", template: "plain" },
    { id: "members", route: "/members", template: "plain", accessGroups: ["members"] },
    { id: "missing", status: 404, template: "plain" },
  ])
    await server.request("POST", "/api/collections/builder-pages", { body: { title: page.id, ...page } });
});
after(async () => {
  await server.stop();
  await mailbox.close();
  rmSync(project, { recursive: true });
});

interface Ask {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const ask = (path: string, { host = siteHost, method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> =>
  server.request(method, path, { key: null, headers: { host, ...headers }, ...(body !== undefined && { body }) });
const policyOf = ({ headers }: Answer) => headers.get("content-security-policy") ?? "";

test("AHOST-6, AHOST-3 the setup is on the admin's host, and its link names it", async () => {
  const link = /Create the first administrator at (\S+)/.exec(server.stdout)?.[1] ?? "";
  assert.match(link, new RegExp(`^https://${adminHost}/setup\\?token=`));
  const path = link.slice(link.indexOf("/setup"));
  assert.equal((await ask(path)).status, 404);
  assert.equal((await ask(path, { host: adminHost })).status, 200);
  await makeUser(server, "root", ["admin"]);
  assert.equal((await ask(path, { host: adminHost })).status, 403);
});

test("AHOST-9 a session begins on the admin's host alone, and its cookie has no Domain", async () => {
  const body = { login: "root", password };
  assert.equal((await logIn(server, body, { host: siteHost })).status, 404);
  const answer = await logIn(server, body, { host: adminHost });
  assert.equal(answer.status, 200, answer.text);
  assert.doesNotMatch(answer.headers.get("set-cookie") ?? "", /domain/i);
  assert.match(answer.headers.get("set-cookie") ?? "", /; Secure/);
  root = personOf(server, answer);
});

const session = () => ({ cookie: root.cookie, "x-csrf-token": root.token });

test("AHOST-3, AHOST-5 a table of paths: what each host answers, with and without a session", async () => {
  const closed = [
    ...["/admin", "/admin/collections/news", "/admin/assets/none.js", "/setup", "/setup/environment", "/login"],
    ...["/login/passkey.js", "/login/none", "/account", "/account/connections", "/forgot-password", "/reset-password"],
    ...[
      "/verify-email",
      "/oauth/authorize",
      "/api/auth",
      "/api/auth/session",
      "/api/auth/preferences",
      "/api/auth/none",
    ],
    ...["/%61dmin", "/admi%6e/x", "/api/%61uth/session", "/admin/", "/login/"],
  ];
  for (const path of closed)
    for (const [method, headers] of [
      ["GET", {}],
      ["GET", session()],
      ["POST", { "x-api-key": server.key }],
      ["OPTIONS", {}],
    ] as [string, Record<string, string>][])
      assert.equal((await ask(path, { method, headers })).status, 404, `${method} ${path}`);
  const open = [
    ...["/", "/about", "/news/a", "/own.html", "/api/collections/news", "/api/openapi.json", "/api/docs", "/healthz"],
    ...["/.well-known/oauth-authorization-server", "/.well-known/mcp.json", "/sitemap.xml", "/stream/news/a/none"],
  ];
  for (const path of open) {
    const [elsewhere, here] = [await ask(path), await ask(path, { host: adminHost })];
    assert.equal(elsewhere.status, here.status, path);
  }
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke", "/mcp"])
    assert.notEqual((await ask(path, { method: "POST", body: {} })).status, 404, path);
  assert.equal((await ask("/api/schemas", { headers: { "x-api-key": server.key } })).status, 200);
  for (const path of ["/admin", "/login", "/forgot-password"])
    assert.notEqual((await ask(path, { host: adminHost })).status, 404, path);
  assert.equal((await ask("/api/auth/session", { host: adminHost, headers: session() })).status, 200);
});

test("AHOST-3 every operation below /api/auth is 404 elsewhere", async () => {
  const operations = await operationsOf((path) => path.startsWith("/api/auth/"));
  assert.ok(operations.length > 12, String(operations.length));
  for (const [method, path] of operations) {
    const answer = await ask(path, { method, headers: session(), body: method === "GET" ? undefined : {} });
    assert.equal(answer.status, 404, `${method} ${path}`);
  }
});

test("AHOST-4 elsewhere no reading answers otherwise with a session's cookie than without", async () => {
  const paths = (await operationsOf(() => true)).flatMap(([method, path]) => (method === "GET" ? [path] : []));
  assert.ok(paths.length > 80, String(paths.length));
  const without = (answer: Answer) => [
    answer.status,
    answer.text.replace(/"challenge":"[^"]*"|Request id: [\w-]+/, ""),
    answer.headers.get("set-cookie"),
  ];
  let differing = 0;
  for (const path of [...paths, "/about", "/members", "/bad", "/?_format=json"]) {
    if (path.endsWith("/stream")) continue;
    const plain = await ask(path);
    const spellings = [root.cookie, `other=1; ${root.cookie}`, `${root.cookie}; ${root.cookie.slice(0, -3)}xyz`];
    for (const cookie of path === "/about" ? spellings : [root.cookie])
      assert.deepEqual(without(await ask(path, { headers: { cookie } })), without(plain), path);
    if ((await ask(path, { host: adminHost, headers: session() })).status !== plain.status) differing += 1;
  }
  assert.ok(differing > 30, String(differing));
  for (const host of [siteHost, `${adminHost}.evil.test`, "127.0.0.1"]) {
    const written = await ask("/api/collections/news/a", { host, method: "DELETE", headers: session() });
    assert.ok([401, 403].includes(written.status), `${host} ${written.status}`);
  }
  assert.equal((await ask("/api/changes/stream", { headers: session() })).status, 401);
});

test("AHOST-2 spellings of the host, and requests without one", async () => {
  const status = async (host: string) => (await ask("/api/auth/session", { host, headers: session() })).status;
  for (const host of [adminHost, "CMS.Example.TEST", `${adminHost}.`, `${adminHost}:443`, `${adminHost}:80`])
    assert.equal(await status(host), 200, host);
  for (const host of ["localhost", "127.0.0.1", "[::1]", siteHost, `${siteHost}:8080`])
    assert.equal(await status(host), 404, host);
  // A server on this machine answers to its own names alone.
  for (const host of [`${adminHost}:8080`, `x.${adminHost}`]) assert.equal(await status(host), 403, host);
  // An untrusted client cannot name a host for itself.
  const forwarded = { ...session(), "x-forwarded-host": adminHost };
  assert.equal((await ask("/api/auth/session", { headers: forwarded })).status, 404);
  assert.equal(await rawStatus(`http://${adminHost}/api/auth/session`, { host: siteHost }), 404);
  assert.equal(await rawStatus(`http://${siteHost}/api/auth/session`, { host: adminHost }), 200);
  assert.match(await statusWithoutHost("/login"), /^HTTP\/1\.1 404 /);
  assert.match(await statusWithoutHost("/healthz"), /^HTTP\/1\.1 200 /);
});

/** The first line of the answer. */
function statusWithoutHost(path: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.0\r\n\r\n`));
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.on("error", reject).on("end", () => resolve(text.split("\r\n", 1)[0] ?? ""));
  });
}

/** With the address as it is written here. */
function rawStatus(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, headers: { ...session(), ...headers } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    request.on("error", reject).end();
  });
}

test("AHOST-7, AHOST-8 documents of the site are in a sandbox on the admin's host, and as ever elsewhere", async () => {
  const preview = (await server.request("POST", "/api/previews", { body: { collection: "news", id: "a" } })).body.data
    .url;
  const documents: [string, number][] = [
    ["/about", 200],
    ["/about", 200],
    ["/news/a", 200],
    ["/nowhere", 404],
    ["/bad", 500],
    ["/map.xml", 200],
    ["/own.html", 200],
    ["/own.svg", 200],
    ["/sitemap.xml", 200],
    [preview.slice(preview.indexOf("/news")), 200],
  ];
  for (const [path, status] of documents) {
    const plain = await ask(path);
    assert.deepEqual([plain.status, policyOf(plain).includes("sandbox")], [status, false], path);
    const here = await ask(path, { host: adminHost });
    assert.equal(here.status, status, path);
    if (status !== 500) assert.equal(here.text, plain.text, path);
    assert.ok(policyOf(here).endsWith(sandbox), `${path} ${policyOf(here)}`);
    if (policyOf(plain) !== "") assert.ok(policyOf(here).startsWith(policyOf(plain)), path);
    const tag = plain.headers.get("etag");
    // A sitemap is made by the service.
    if (tag === null || status !== 200 || path === "/sitemap.xml") continue;
    assert.equal((await ask(path, { headers: { "if-none-match": tag } })).status, 304, path);
    const again = await ask(path, { host: adminHost, headers: { "if-none-match": tag } });
    assert.deepEqual([again.status, policyOf(again).endsWith(sandbox)], [200, true], path);
    assert.equal(policyOf(await ask(path)), policyOf(plain), path);
  }
  for (const path of ["/text.txt", "/own.js", "/api/collections/news"])
    assert.ok(!policyOf(await ask(path, { host: adminHost })).includes("sandbox"), path);
});

test("AHOST-7 pages of the service itself keep the origin of the admin's host", async () => {
  for (const path of ["/login", "/admin", "/forgot-password", "/setup", "/api/docs", "/account/connections"]) {
    const answer = await ask(path, { host: adminHost, headers: { cookie: root.cookie } });
    assert.ok(!policyOf(answer).includes("sandbox"), `${path} ${answer.status}`);
  }
});

test("AHOST-6 links to pages of the admin's host name it", async () => {
  const discovery = (await ask("/.well-known/oauth-authorization-server")).body;
  assert.equal(discovery.authorization_endpoint, `https://${adminHost}/oauth/authorize`);
  assert.equal(discovery.issuer, `https://${siteHost}`);
  assert.equal(discovery.token_endpoint, `https://${siteHost}/oauth/token`);
  const members = await ask("/members", { headers: { accept: "text/html" } });
  assert.equal(members.headers.get("location"), `https://${adminHost}/login?redirect=%2Fmembers`);
  const body = { email: "root@example.test" };
  await ask("/api/auth/forgot-password", { host: adminHost, method: "POST", body });
  const mail = await until(() => mailbox.next("root@example.test"));
  assert.match(JSON.stringify(mail), new RegExp(`https://${adminHost}/reset-password`));
});

test("AHOST-10 passkeys are for the name of the admin's host", async () => {
  const { body } = await ask("/api/passkeys/login/options", { host: adminHost, method: "POST", body: {} });
  assert.equal(body.data.rpId, adminHost);
});

test("AHOST-13 a form is taken from a page of the host that it is sent to", async () => {
  const send = async (host: string, origin: string) =>
    (await ask("/forms/news/ask", { host, method: "POST", headers: { origin }, body: { title: "x" } })).status;
  assert.notEqual(await send(siteHost, `https://${siteHost}`), 403);
  assert.notEqual(await send(adminHost, `https://${adminHost}`), 403);
  assert.equal(await send(adminHost, `https://${siteHost}`), 403);
  assert.equal(await send(siteHost, `https://${adminHost}`), 403);
});

test("AHOST-11 the check of the site names what needs a session", async () => {
  const findings = (await server.request("GET", "/api/site/check")).body.data;
  const named = findings.filter(({ message }: { message: string }) => message.includes(adminHost));
  assert.deepEqual(
    named.map(({ level, page, message }: Record<string, string>) => [level, page, /"news\/ours"/.test(message ?? "")]),
    [
      ["error", "members", false],
      ["error", "", true],
    ],
  );
});

test("AHOST-14 printed configurations name both hosts, and Cairn sends the files", async () => {
  for (const [name, expected] of [
    ["nginx", `server_name ${siteHost} ${adminHost};`],
    ["apache", `ServerAlias ${adminHost}`],
    ["caddy", `${siteHost}, ${adminHost} {`],
  ] as const) {
    const { body } = await server.request("GET", `/api/server-config?server=${name}`);
    assert.ok(body.data.text.includes(expected), body.data.text);
    assert.ok(!body.data.text.includes(join(project, "public")), name);
  }
  assert.equal((await server.request("GET", "/api/server-config?server=nginx&files=server")).status, 400);
});

test("AHOST-1, AHOST-12 a running server feels the setting at once; a bad one is refused with its key", async () => {
  for (const value of ["https://a.b", "a b", "a/b", "*.a.b", "a:b", "a.b, c.d", 7, ["a.b"]]) {
    const { status, body } = await server.request("PUT", "/api/settings/site", { body: { adminHost: value } });
    assert.equal(status, 400, String(value));
    assert.deepEqual(Object.keys(body.error.details), ["site.adminHost"]);
  }
  const status = async (host: string) => (await ask("/api/auth/session", { host, headers: session() })).status;
  await server.setSetting("site.adminHost", "localhost:8080");
  assert.deepEqual([await status(adminHost), await status("localhost:8080")], [403, 200]);
  assert.equal((await server.cli(["settings:set", "site.adminHost", '""'])).code, 0);
  assert.deepEqual([await status(siteHost), await status("localhost:8080")], [200, 200]);
  assert.ok(!policyOf(await ask("/about")).includes("sandbox"));
});

test("AHOST-2 behind a trusted proxy the forwarded host counts", async () => {
  const proxied = await startServer({
    env: { CAIRN_TRUST_PROXY: "127.0.0.1" },
    settings: { site: { adminHost } },
  });
  try {
    const status = async (headers: Record<string, string>) =>
      (await proxied.request("GET", "/login", { key: null, headers })).status;
    assert.equal(await status({ "x-forwarded-host": adminHost }), 200);
    assert.equal(await status({ "x-forwarded-host": siteHost, host: adminHost }), 404);
    assert.equal(await status({ host: adminHost }), 200);
    assert.equal(await status({ host: siteHost }), 404);
  } finally {
    await proxied.stop();
  }
});

/** Of the OpenAPI document, with ids in the place of parameters. */
async function operationsOf(isWanted: (path: string) => boolean): Promise<[method: string, path: string][]> {
  const { paths } = (await server.request("GET", "/api/openapi.json")).body;
  return Object.entries<Record<string, unknown>>(paths).flatMap(([template, item]) => {
    const path = template
      .replace(/\{(collection|schema)\}/g, "news")
      .replace(/\{id\}/g, "a")
      .replace(/\{[^}]+\}/g, "x");
    const methods = Object.keys(item).filter((name) => /^(get|post|put|patch|delete)$/.test(name));
    return isWanted(template) ? methods.map((name): [string, string] => [name.toUpperCase(), path]) : [];
  });
}
