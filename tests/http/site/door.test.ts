// What holds for every route: headers, methods, links, other origins, credentials.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { leastTime, patience, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { makeUser } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer({ env: { CAIRN_LOG_LEVEL: "debug" } });
  await server.makeSchema({
    id: "page",
    properties: { title: { type: "string", field: "text" }, kind: { type: "string", field: "text" } },
    required: [],
    index: ["title", "kind"],
  });
  await server.makeCollection({ id: "pages", schema: "page", publicOperations: ["read"] });
  for (let n = 1; n <= 5; n += 1) {
    await server.request("POST", "/api/collections/pages", { body: { id: `p${n}`, title: `T${n}`, kind: "a b" } });
  }
});
after(() => server.stop());

/** What a socket answers to these bytes, until it is closed. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => done(text));
    socket.setTimeout(patience, () => socket.destroy());
  });
}

const everywhere: [string, string, number][] = [
  ["GET", "/api/collections", 200],
  ["GET", "/api/collections/pages/p1", 200],
  ["GET", "/api/collections/pages/none", 404],
  ["GET", "/api/nothing", 404],
  ["GET", "/nothing", 404],
  ["POST", "/api/collections/pages", 400],
  ["DELETE", "/api/openapi.json", 405],
  ["GET", "/api/%zz", 400],
  ["GET", "/api/collections?a=%zz", 400],
  ["OPTIONS", "/api/collections", 204],
  ["GET", "/data/x", 403],
  ["GET", "/healthz", 200],
  ["GET", "/setup", 403],
];

test("HTTP-4 every answer carries an id of its own", async () => {
  const seen = new Set<string>();
  for (const [method, path, status] of everywhere) {
    const answer = await server.request(method, path);
    assert.equal(answer.status, status, path);
    seen.add(answer.headers.get("x-request-id") ?? "");
  }
  assert.equal(seen.size, everywhere.length);
  assert.equal(seen.has(""), false);
  assert.match(await exchange("nonsense\r\n\r\n"), /^HTTP\/1\.1 400 .*X-Request-Id: \S+\r\n/s);
});

test("HTTP-97 a request without Host, or with an unknown Expect, gets an answer like any other", async () => {
  for (const [status, first, headers] of [
    [400, "GET /api/collections HTTP/1.1", ""],
    [400, "POST /api/collections/pages HTTP/1.1", "Content-Type: application/json\r\nContent-Length: 2\r\n"],
    [400, "GET /healthz HTTP/1.1", ""],
    [400, "POST /mcp HTTP/1.1", "Content-Length: 0\r\n"],
    [417, "POST /api/collections/pages HTTP/1.1", "Host: localhost\r\nExpect: nothing\r\nContent-Length: 2\r\n"],
  ] as const) {
    const answer = await exchange(`${first}\r\n${headers}\r\n`);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} .*X-Request-Id: \\S+\r\n`, "is"), first);
    const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    assert.equal(error.code, status);
    assert.equal(typeof error.message, "string");
  }
  assert.match(await exchange("GET /healthz HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /);
});

test("HTTP-5 API answers are not stored, sniffed or indexed", async () => {
  for (const [method, path] of everywhere) {
    const { headers } = await server.request(method, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("x-robots-tag"), "noindex, nofollow", path);
    const isTagged = headers.get("etag") !== null;
    assert.equal(headers.get("cache-control"), isTagged ? "private, no-cache" : "no-store", path);
  }
});

test("HTTP-14 unknown addresses are JSON for programs and a page for people", async () => {
  for (const path of ["/api", "/api/nothing", "/api/nowhere/a/b/c", "/api/upload/a"]) {
    const answer = await server.request("GET", path);
    assert.deepEqual([answer.status, answer.body?.error.code], [404, 404], path);
  }
  const page = await server.request("GET", "/nothing");
  assert.equal(page.status, 404);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  const head = await server.request("HEAD", "/nothing");
  assert.deepEqual([head.status, head.text], [404, ""]);
  for (const name of ["content-type", "content-length"]) assert.equal(head.headers.get(name), page.headers.get(name));
});

test("HTTP-94 the address that the start prints says where to go", async () => {
  const start = await server.request("GET", "/", { key: null });
  assert.equal(start.status, 200);
  assert.match(start.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  for (const path of ["/admin", "/api/docs"]) assert.ok(start.text.includes(`href="${path}"`), path);
  assert.match(start.text, /There is no administrator yet/);
  assert.equal(start.text.includes("token="), false);
  assert.equal((await server.request("POST", "/", { key: null })).status, 404);
  await makeUser(server, "root", ["admin"]);
  const ready = await server.request("GET", "/", { key: null });
  assert.match(ready.text, /href="\/login"/);
  assert.doesNotMatch(ready.text, /no administrator/);
});

test("HTTP-29 a whole address in the first line is read as its path and query", async () => {
  for (const [target, status] of [
    ["/api/collections/pages?limit=1", 200],
    ["/api/collections/pages/?limit=none", 400],
    ["/data/x", 403],
    ["?x=1", 200],
  ] as const) {
    const answer = await exchange(
      `GET http://other.test${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), target);
  }
});

test("HTTP-15 another method on a known address is 405 with Allow", async () => {
  for (const [method, path, allowed] of [
    ["PATCH", "/api/collections", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/api/collections/pages/p1", "DELETE, GET, HEAD, PATCH, PUT, OPTIONS"],
    ["GET", "/api/handler-check", "POST, OPTIONS"],
    ["PUT", "/healthz", "GET, HEAD, OPTIONS"],
    ["TRACE", "/api/schemas", "GET, HEAD, POST, OPTIONS"],
  ] as const) {
    const answer = await server.request(method, path, { raw: "{}", headers: { "content-type": "application/json" } });
    assert.deepEqual([answer.status, answer.headers.get("allow")], [405, allowed], `${method} ${path}`);
  }
});

test("HTTP-15 Allow never names the refused method, whatever the slashes", async () => {
  for (const path of [
    "/api//collections/pages",
    "//api/collections",
    "/api/collections/pages/p1//",
    "/api/settings/general//",
  ]) {
    const answer = await server.request("GET", path);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(answer.headers.get("allow") ?? "", /GET/, path);
  }
});

test("HTTP-9 one slash at the end of a service's address makes no difference", async () => {
  for (const path of [
    "/api/collections",
    "/api/collections/pages",
    "/api/collections/pages/p1",
    "/api/objects/pages/p1",
    "/collections/pages",
    "/api/collections/pages/query",
    "/api/schemas/page",
    "/api/settings/api",
    "/api/report/collections/pages/fields",
    "/api/openapi.json",
  ]) {
    for (const [query, slashed] of [
      ["", "/"],
      ["?limit=2&search=a/", "/?limit=2&search=a/"],
    ]) {
      const plain = await server.request("GET", path + query);
      const answer = await server.request("GET", path + slashed);
      assert.equal(plain.status, 200, path);
      assert.deepEqual([answer.status, answer.text], [200, plain.text], path + slashed);
      assert.equal(answer.headers.get("link"), plain.headers.get("link"), path);
    }
  }
  const slashed = await server.request("POST", "/api/collections/pages/p1/?x=1", { body: {} });
  assert.deepEqual([slashed.status, slashed.headers.get("allow")?.includes("PUT")], [405, true]);
});

test("HTTP-91 a write whose last name is missing neither replaces nor deletes what precedes it", async () => {
  await server.makeCollection({ id: "kept", schema: "page" });
  const made = await server.request("POST", "/api/collections/kept/", { body: { id: "one", title: "T", kind: "k" } });
  assert.equal(made.status, 201);
  for (const [method, path] of [
    ["DELETE", "/api/collections/kept/one/"],
    ["PUT", "/api/collections/kept/one/"],
    ["PATCH", "/api/collections/kept/one/"],
    ["DELETE", "/api/collections/kept/?confirm=kept"],
  ] as const) {
    const answer = await server.request(method, path, { ...(method !== "DELETE" && { body: { title: "x" } }) });
    assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status}`);
  }
  assert.equal((await server.request("GET", "/api/collections/kept/one")).body.data.kind, "k");
});

test("HTTP-91 two slashes, and addresses that must be exact, are not shortened", async () => {
  for (const path of ["/api/collections//", "/api//collections/", "/api/collections/pages//", "/api/collections//?a=1"])
    assert.equal((await server.request("GET", path)).status, 404, path);
  for (const path of ["/healthz/", "/login/", "/.well-known/mcp.json/", "/.well-known/jwks.json/", "/oauth/authorize/"])
    assert.equal((await server.request("GET", path)).status, 404, path);
  assert.equal((await server.request("POST", "/oauth/token/", { body: {} })).status, 404);
  assert.equal((await server.request("GET", "/api/collections/pages/%2F/")).status, 400);
  assert.equal((await server.request("GET", "/api/collections/pages/../")).status, 400);
});

test("HTTP-9 a slash opens nothing: keys, the public and the data directory are judged as without it (T28, T55)", async () => {
  await server.makeCollection({ id: "shut", schema: "page" });
  const { key } = await server.makeKey({ endpoints: ["/collections/pages"] });
  for (const [path, who, status] of [
    ["/api/collections/pages/", key, 200],
    ["/api/collections/shut/", key, 401],
    ["/api/collections/", key, 401],
    ["/api/schemas/", key, 401],
    ["/api/collections/shut/", null, 401],
    ["/collections/shut/", null, 401],
    ["/api/settings/api/", null, 401],
    ["/data/", server.key, 403],
    ["/data/.system/", server.key, 403],
  ] as const)
    assert.equal((await server.request("GET", path, { key: who })).status, status, path);
  const counted = await server.request("GET", "/api/collections/pages/", { key: null });
  assert.ok(counted.headers.get("x-ratelimit-limit"));
});

test("HTTP-17 no header or field changes the method (T28)", async () => {
  const { key } = await server.makeKey({ methods: ["GET"] });
  for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
    const answer = await server.request("GET", "/api/collections/pages/p1?_method=DELETE", {
      key,
      headers: { [name]: "DELETE" },
    });
    assert.equal(answer.status, 200);
  }
  assert.equal((await server.request("GET", "/api/collections/pages/p1")).status, 200);
});

test("HTTP-30 links name the server, whatever the request says (T27)", async () => {
  const headers = {
    host: "203.0.113.9",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.test",
  };
  const list = await server.request("GET", "/api/collections/pages?limit=2", { headers });
  const made = await server.request("POST", "/api/collections/pages", { headers, body: { id: "hosted", title: "x" } });
  const document = await server.request("GET", "/api/openapi.json", { headers });
  await server.request("DELETE", "/api/collections/pages/hosted");
  assert.ok(made.headers.get("location")?.startsWith(`${server.url}/api/`));
  for (const text of [list.headers.get("link") ?? "", document.text]) {
    assert.ok(text.includes(server.url));
    assert.doesNotMatch(text, /evil\.test|203\.0\.113\.9/);
  }
});

test("HTTP-90 HTTP-93 a foreign name that points at this machine is refused (T99)", async () => {
  const { port } = new URL(server.url);
  const ask = async (host: string, path: string) => (await server.request("GET", path, { headers: { host } })).status;
  const paths = ["/api/collections/pages", "/api/collections", "/metrics", "/sitemap", "/setup", "/nothing"];
  for (const host of [
    `evil.test:${port}`,
    "evil.test",
    `127.0.0.1.evil.test:${port}`,
    "localhost.evil.test",
    "notlocalhost",
    "a b",
  ])
    for (const path of paths) assert.ok([400, 403].includes(await ask(host, path)), `${host} ${path}`);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "[::1]", "LOCALHOST", "cms.localhost", "localhost."])
    assert.equal(await ask(host, "/api/collections/pages"), 200, host);
  for (const path of ["/healthz", "/readyz"]) assert.equal(await ask("evil.test", path), 200, path);
  const { body } = await server.request("GET", "/api/collections", { headers: { host: "evil.test" } });
  assert.match(body.error.message, /CAIRN_URL/);
});

test("HTTP-31, HTTP-32 a page links to its neighbours with all parameters but the key (T69)", async () => {
  const answer = await server.request(
    "GET",
    `/api/collections/pages?filter[kind]=a+b&limit=2&offset=2&api_key=${server.key}`,
    { key: null },
  );
  assert.equal(answer.headers.get("x-total-count"), "5");
  const base = `${server.url}/api/collections/pages?filter[kind]=a%20b&limit=2&offset=`;
  assert.equal(
    answer.headers.get("link"),
    `<${base}0>; rel="first", <${base}0>; rel="prev", <${base}4>; rel="next", <${base}4>; rel="last"`,
  );
  const first = await server.request("GET", "/api/collections/pages");
  assert.match(first.headers.get("link") ?? "", /first.*last/);
  assert.doesNotMatch(first.headers.get("link") ?? "", /prev|next/);
  const long = await server.request("GET", `/api/collections/pages?x=${"x".repeat(12_000)}`);
  assert.deepEqual([long.status, long.headers.get("link")], [200, null]);
});

test("HTTP-33 the next page is named by a cursor", async () => {
  const ids: string[] = [];
  let path: string | undefined = "/api/collections/pages?limit=2&sort=title&order=asc";
  for (let pages = 0; path !== undefined; pages += 1) {
    assert.ok(pages < 5);
    const answer = await server.request("GET", path);
    ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
    const cursor = answer.headers.get("x-next-cursor");
    path =
      cursor === null
        ? undefined
        : `/api/collections/pages?limit=2&sort=title&order=asc&cursor=${encodeURIComponent(cursor)}`;
    if (pages === 1) assert.match(answer.headers.get("link") ?? "", /cursor=[^>]+>; rel="next"/);
  }
  assert.deepEqual(ids, ["p1", "p2", "p3", "p4", "p5"]);
});

test("HTTP-40, HTTP-42 other origins may read, without credentials (T64)", async () => {
  const headers = { origin: "https://evil.test", cookie: "a=b" };
  const read = await server.request("GET", "/api/collections/pages", { key: null, headers });
  assert.equal(read.headers.get("access-control-allow-origin"), "*");
  assert.equal(read.headers.get("access-control-allow-credentials"), null);
  const write = await server.request("POST", "/api/collections/pages", { headers, body: { title: "x" } });
  assert.equal(write.headers.get("access-control-allow-origin"), null);
  const asked = { ...headers, "access-control-request-method": "GET" };
  const preflight = await server.request("OPTIONS", "/api/collections/pages", { key: null, headers: asked });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-methods"), "GET, HEAD");
  assert.equal(preflight.headers.get("access-control-max-age"), "86400");
  const closed = await server.request("OPTIONS", "/api/handler-check", { key: null, headers: asked });
  assert.equal(closed.headers.get("access-control-allow-origin"), null);
});

test("HTTP-41 listed origins are named to themselves alone", async () => {
  await server.request("PUT", "/api/settings/api", { body: { corsOrigins: ["https://a.test", "https://b.test"] } });
  const ask = (origin: string) => server.request("GET", "/api/collections/pages", { headers: { origin } });
  const [known, foreign] = [await ask("https://b.test"), await ask("https://evil.test")];
  await server.request("PUT", "/api/settings/api", { body: { corsOrigins: null } });
  assert.equal(known.headers.get("access-control-allow-origin"), "https://b.test");
  assert.equal(known.headers.get("vary"), "Origin");
  assert.equal(foreign.headers.get("access-control-allow-origin"), null);
});

test("HTTP-43 pages have a strict policy (T63)", async () => {
  for (const path of [
    "/nothing",
    "/setup",
    "/api/docs",
    "/api/collections/pages/query?format=html",
    "/api/report/collections/pages/fields",
  ]) {
    const { headers } = await server.request("GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.doesNotMatch(policy, /unsafe/, path);
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin", path);
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
  }
});

test("HTTP-50 a key may be sent in three places", async () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    server.request("GET", path, { key: null, headers });
  assert.equal((await ask("/api/schemas", { "x-api-key": server.key })).status, 200);
  assert.equal((await ask("/api/schemas", { authorization: `Bearer ${server.key}` })).status, 200);
  assert.equal((await ask(`/api/schemas?api_key=${server.key}`)).status, 200);
  assert.equal((await ask("/api/schemas")).status, 401);
});

const badCredentials: Record<string, string>[] = [
  { "x-api-key": "" },
  { "x-api-key": "cairn_wrong" },
  { "x-api-key": "x".repeat(5_000) },
  { authorization: "Bearer" },
  { authorization: "Bearer a b" },
  { authorization: "Basic dXNlcjpwYXNz" },
  { authorization: "nonsense" },
];
for (const headers of badCredentials)
  test(`HTTP-51 ${JSON.stringify(headers).slice(0, 50)} is 401 where the public may read (T59)`, async () => {
    const answer = await server.request("GET", "/api/collections/pages/p1", { key: null, headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.message, "Invalid API key or insufficient permissions");
    assert.equal(answer.text.includes("T1"), false);
  });

test("HTTP-52 two different credentials are 401, the same one twice is one (T58)", async () => {
  const ask = (headers: Record<string, string>, path = "/api/schemas") =>
    server.request("GET", path, { key: null, headers });
  const good = { "x-api-key": server.key };
  assert.equal((await ask({ ...good, authorization: `Bearer ${server.key}` })).status, 200);
  assert.equal((await ask({ ...good, authorization: "Bearer junk" })).status, 401);
  assert.equal((await ask({ "x-api-key": "junk", authorization: `Bearer ${server.key}` })).status, 401);
  assert.equal((await ask(good, "/api/schemas?api_key=junk")).status, 401);
  assert.equal((await ask({}, `/api/schemas?api_key=${server.key}&api_key=${server.key}`)).status, 401);
});

test("HTTP-53 a key in the query of a write is 401, and no query is logged (T69)", async () => {
  for (const [method, path] of [
    ["POST", "/api/collections/pages"],
    ["DELETE", "/api/collections/pages/p5"],
  ] as const) {
    assert.equal((await server.request(method, `${path}?api_key=${server.key}`, { key: null })).status, 401);
    assert.equal((await server.request(method, `${path}?api_key=${server.key}`)).status, 401);
  }
  assert.equal((await server.request("GET", "/api/collections/pages/p5?marked=by-the-test")).status, 200);
  assert.ok(await until(() => server.stderr.includes("/pages/p5")));
  assert.equal(server.stderr.includes("by-the-test") || server.stderr.includes(server.key), false);
});

test("HTTP-54 below the Pro edition keys count as absent", async () => {
  await server.setSetting("edition", "standard");
  const answers = [
    await server.request("GET", "/api/collections/pages/p1"),
    await server.request("GET", "/api/collections/pages/p1", { key: "cairn_wrong" }),
    await server.request("GET", "/api/schemas"),
  ];
  await server.cli(["settings:set", "edition", "pro"]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 401],
  );
});

test("HTTP-26 slow headers are cut within 15 seconds", async () => {
  const wait = async () =>
    assert.match(await exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\n"), /^HTTP\/1\.1 408 /);
  assert.ok((await leastTime(16_000, wait)) < 16_000);
});
