// Real web servers in front, each with the very file that `cairn server:config` prints: Apache in both forms, nginx and Caddy,
// before one Cairn. What they let through is compared with what Cairn answers without them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { leastTime, until } from "#base/patience.fixture.ts";
import { freePort } from "../../../scripts/free-port.ts";
import { type FrontKind, frontKinds, startFront } from "../../../scripts/fronts.ts";
import { root, type Server } from "../../harness.ts";
import { alone, type EventStream, opening, openStream } from "../../mcp/event-stream.ts";
import {
  type Asked,
  ask,
  beginDownload,
  comparable,
  mebibyte,
  memoryOf,
  sendLarge,
} from "../../support/front-requests.ts";
import { asset, script } from "../../support/own-installation.ts";
import {
  badNginx,
  bytes,
  type PrintedFronts,
  publicDir,
  startPrintedFronts,
  style,
} from "../../support/printed-fronts.ts";
import { formOf } from "../../support/sample-files.ts";
import { password } from "../../support/sign-in.ts";

const isFull = process.env.CAIRN_TEST_FULL === "1";
let all: PrintedFronts;
let server: Server;
let fronts: PrintedFronts["fronts"];
const json = { "content-type": "application/json" };
const withKey = () => ({ "x-api-key": server.key });

before(async () => {
  all = await startPrintedFronts();
  ({ server, fronts } = all);
});
after(() => all?.close());

async function assertSame(kind: FrontKind, path: string, asked: Asked): Promise<void> {
  const direct = await ask(server.url, path, asked);
  const through = await ask(fronts[kind].url, path, asked);
  assert.deepEqual(comparable(through), comparable(direct), `${kind}: ${asked.method ?? "GET"} ${path}`);
}

test("PROXY-1 the API answers with the text that the command prints", async () => {
  const choice = { domain: "stones.example.net", public: "/srv/stones", upstream: "127.0.0.1:9000" };
  const options = Object.entries(choice).flatMap(([name, value]) => [`--${name}`, value]);
  for (const [args, query] of [
    [["nginx", "--files", "cairn"], "server=nginx&files=cairn"],
    [["apache", "--htaccess"], "server=apache&htaccess=true"],
    ...["apache", "caddy", "systemd", "docker", "compose", "cron"].map((name) => [[name], `server=${name}`] as const),
  ] as const) {
    const { stdout } = await server.cli(["server:config", ...args, ...options]);
    const { body } = await server.request("GET", `/api/server-config?${query}&${new URLSearchParams(choice)}`);
    assert.equal(body.data.text.replaceAll(all.installation, root), stdout, query);
    assert.match(stdout, /^#/m);
  }
});

test("PROXY-2 a wrong value is named, by the command and by the API", async () => {
  for (const [args, query, name] of [
    [["iis"], "server=iis", /server/],
    [["nginx", "--domain", "a b"], "domain=a+b", /domain/],
    [["nginx", "--upstream", "x"], "upstream=x", /upstream/],
    [["nginx", "--files", "x"], "files=x", /files/],
    [["caddy", "--htaccess"], "server=caddy&htaccess=true", /htaccess/],
  ] as const) {
    const { code, stdout, stderr } = await server.cli(["server:config", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, name);
    const { status, text } = await server.request("GET", `/api/server-config?${query}`);
    assert.equal(status, 400);
    assert.match(text, name);
  }
});

const discovery = ["mcp.json", "oauth-authorization-server", "oauth-protected-resource", "jwks.json"];
const form = { "content-type": "application/x-www-form-urlencoded" };
const endpoints: [path: string, asked?: Asked][] = [
  ...discovery.map((name): [string] => [`/.well-known/${name}`]),
  ["/mcp"],
  ["/mcp", { method: "DELETE" }],
  ["/mcp/", { method: "POST", headers: { ...json, accept: "application/json" }, body: "{}" }],
  ["/mcp/more"],
  ["/oauth/authorize?client_id=none&x=%2B"],
  ["/oauth/token", { method: "POST", headers: form, body: "grant_type=none" }],
  ["/oauth/register", { method: "POST", headers: json, body: "{}" }],
  ["/oauth/revoke", { method: "POST", headers: form, body: "token=none" }],
  ["/automations/none"],
  ["/automations/none?x=1", { method: "POST", headers: json, body: "{}" }],
  ["/imageworks/papers/a/file.png?w=10"],
  ["/download/papers/a/file"],
  ["/stream/papers/none/file"],
  ["/sitemap.xml"],
  ["/sitemap/papers.xml?x=1"],
  ["/feed/rss/papers?limit=2"],
  ["/forms/papers/contact", { method: "POST", headers: form, body: "a=b" }],
  ["/admin"],
  ["/admin/collections/papers?search=a%20b"],
  ["/login?redirect=%2Fapi%3Fa%3Db%2520c"],
  ["/setup"],
  ["/healthz"],
  ["/readyz"],
  ["/api/auth/session"],
  ["/none"],
];

for (const kind of frontKinds)
  test(`PROXY-3 ${kind}: every endpoint answers as without it, and gets its query`, async () => {
    for (const [path, asked = {}] of endpoints) await assertSame(kind, path, asked);
    for (const path of [
      "/api/collections?limit=1",
      "/api/collections/papers?sort=-id&limit=2",
      "/api/collections?limit=x",
    ])
      await assertSame(kind, path, { headers: withKey() });
  });

const closed = [
  "/data/.system/logs/mcp.log",
  ...["data/x", "data", "DATA/x", "data./x"].map((path) => `/${path}`),
  "//data/x",
  "/./data/x",
  "/%64ata/x",
  "/%2564ata/x",
  "/docs/%2e%2e/data/x",
  "/data%2fx",
  "/data%5cx",
  "/content/marker.txt",
  "/Content/x",
  "/data/../docs",
  "/healthz/../data/x",
  "/mcp/..%2fdata%2fx",
  "/collections/%252e%252e/data/x",
  "/private/content/marker.txt",
  "/private/content/",
  "/private/CONTENT/marker.txt",
  "/private//content/marker.txt",
  "/private/./content/marker.txt",
  "/private/%63ontent/marker.txt",
  "/private/x/../content/marker.txt",
  ...["data.txt", "folder", "folder/", "folder/marker.txt", "folder/none"].map((name) => `/link-${name}`),
];

for (const kind of frontKinds)
  test(`PROXY-4 ${kind}: no spelling and no link opens the data directory (T31) (T55)`, async () => {
    for (const path of closed) {
      for (const headers of [{}, withKey(), { "x-api-key": "junk" }] as Record<string, string>[]) {
        const { status, text } = await ask(fronts[kind].url, path, { headers });
        assert.equal(status, 403, `${kind}: ${path}`);
        assert.doesNotMatch(text, /marker/);
      }
      await assertSame(kind, path, { method: "POST" });
    }
  });

for (const kind of frontKinds)
  test(`PROXY-5 ${kind}: real files are sent, what is none comes from Cairn, dot files do not exist`, async () => {
    const get = (path: string, headers = {}) => ask(fronts[kind].url, path, { headers });
    const file = await get("/hello.txt?v=1");
    assert.deepEqual([file.status, file.text], [200, "0123456789"]);
    assert.equal(file.headers["content-type"], "text/plain; charset=utf-8");
    assert.equal(file.headers["cache-control"], "public, max-age=0");
    assert.equal(file.headers["x-content-type-options"], "nosniff");
    assert.equal((await get("/hello.txt", { "if-none-match": file.headers.etag })).status, 304);
    const part = await get("/hello.txt", { range: "bytes=2-4" });
    assert.deepEqual([part.status, part.text], [206, "234"]);
    assert.equal((await get("/with%20space%20%C3%BC.txt")).text, "spaced");
    assert.equal((await get("/link-in.txt")).text, "0123456789");
    assert.equal((await get("/.well-known/security.txt")).text, "Contact: us");
    assert.equal((await get("/docs/")).text, "<h1>Docs</h1>");
    await assertSame(kind, "/docs?a=1", {});
    for (const path of [
      "/empty",
      "/empty/",
      "/.env",
      "/%2eenv",
      "/docs/.git/config",
      "/admin/site.js",
      "/none.txt",
      "/hello.txt/",
    ])
      await assertSame(kind, path, {});
    assert.equal((await get("/.env")).status, 404);
    await assertSame(kind, "/hello.txt", { method: "POST", headers: json, body: "{}" });
    assert.equal((await get("/metrics", withKey())).status, 404);
  });

const addresses = [
  "/a%2Fb",
  "/a%20b",
  "/a%2520b%252F",
  "/a+b?c+d=%2B%26&e=f%3D",
  "/%C3%BC/%E2%82%AC",
  "/a%3Fb?c=%3F",
  "/a;b=c/d,e:@!$&'()*~",
  "//a//b",
  "/a/./b",
  `/a?q=${"x".repeat(8_000)}`,
];

for (const kind of frontKinds)
  test(`PROXY-6 ${kind}: addresses reach Cairn byte for byte`, async () => {
    for (const path of addresses) {
      const { text } = await ask(all.echoes[kind].url, path);
      assert.equal(JSON.parse(text).url, path, kind);
    }
    const { text } = await ask(server.url, "/api/collections/papers/a%2Fb", { headers: withKey() });
    assert.equal(
      (await ask(fronts[kind].url, "/api/collections/papers/a%2Fb", { headers: withKey() })).status,
      400,
      text,
    );
  });

for (const kind of frontKinds)
  test(`PROXY-7 ${kind}: credentials and cookies arrive, forwarding headers of callers do not`, async () => {
    const forged = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
      forwarded: "for=203.0.113.9;host=evil.test",
    };
    const sent = { authorization: "Bearer x", "x-api-key": "k", cookie: "a=b; c=d", ...forged };
    const { text } = await ask(all.echoes[kind].url, "/", { headers: sent, localAddress: "127.0.0.2" });
    const { headers } = JSON.parse(text) as { headers: Record<string, string> };
    assert.deepEqual([headers.authorization, headers["x-api-key"], headers.cookie], ["Bearer x", "k", "a=b; c=d"]);
    assert.deepEqual(
      [headers["x-forwarded-for"], headers["x-forwarded-proto"], headers.forwarded],
      ["127.0.0.2", "http", undefined],
    );
    assert.equal(headers["x-forwarded-host"], new URL(all.echoes[kind].url).host);

    const failed = { method: "POST", body: JSON.stringify({ login: kind, password: "wrong" }) };
    const localAddress = `127.0.0.${10 + frontKinds.indexOf(kind)}`;
    await ask(fronts[kind].url, "/api/auth/login", { ...failed, headers: { ...json, ...forged }, localAddress });
    const audit = await server.cli(["audit:list", "--type", "login.failed", "--json"]);
    const seen = JSON.parse(audit.stdout).map(({ address }: { address: string }) => address);
    assert.ok(seen.includes(localAddress), `${kind}: ${seen}`);
    assert.ok(!seen.includes("203.0.113.9"), kind);

    const body = JSON.stringify({ login: "ada", password });
    const login = await ask(fronts[kind].url, "/api/auth/login", { method: "POST", headers: json, body });
    assert.equal(login.status, 200, login.text);
    const [cookie = ""] = login.headers["set-cookie"] ?? [];
    assert.match(cookie, /^cairn_session=.*; Secure/);
    const me = await ask(fronts[kind].url, "/api/auth/session", {
      headers: { cookie: cookie.split(";", 1)[0] as string },
    });
    assert.match(me.text, /"ada"/);
  });

/** In mebibytes; in a full run a gigabyte through all. */
const sizes: Record<FrontKind, number> = { nginx: 320, apache: 64, htaccess: 64, caddy: 64 };

for (const kind of frontKinds)
  test(`PROXY-8 ${kind}: a large upload takes no memory, and what is too large is refused by Cairn`, async () => {
    const size = (isFull ? 1_024 : sizes[kind]) * mebibyte;
    const before = [server.pid, fronts[kind].pid].map(memoryOf);
    let most = before;
    const timer = setInterval(() => {
      most = [server.pid, fronts[kind].pid].map((pid, at) => Math.max(memoryOf(pid), most[at] as number));
    }, 100);
    const answer = await sendLarge(server, fronts[kind].url, `/api/collections/papers/${kind}/file`, size);
    clearInterval(timer);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, new RegExp(`"size":${size}\\b`));
    const [cairn = 0, front = 0] = most.map((peak, at) => peak - (before[at] as number));
    assert.ok(cairn < 200 * mebibyte, `Cairn took ${cairn} bytes`);
    assert.ok(front < 64 * mebibyte, `${kind} took ${front} bytes`);

    for (const index of [1, 0, 2]) {
      const fields = {
        dzuuid: `1b4e28ba-2fa1-11d2-883f-0016d3cca42${frontKinds.indexOf(kind)}`,
        dzchunkindex: String(index),
      };
      const { raw, headers } = formOf({
        ...{ field: "file", name: "pieces.bin", bytes: bytes.subarray(index * 100_000, (index + 1) * 100_000) },
        fields: { ...fields, dztotalchunkcount: "3" },
      });
      const sent = {
        method: "POST",
        headers: { ...headers, ...withKey() } as Record<string, string>,
        body: raw as Uint8Array,
      };
      const piece = await ask(fronts[kind].url, `/api/collections/papers/${kind}/file`, sent);
      assert.equal(piece.status, 200, piece.text);
    }
    assert.deepEqual(
      (await ask(fronts[kind].url, `/download/papers/${kind}/file`, { headers: withKey() })).bytes,
      bytes,
    );

    const body = JSON.stringify({ id: "x", title: "x".repeat(11 * mebibyte) });
    const refused = await ask(fronts[kind].url, "/api/collections/papers", {
      method: "POST",
      headers: { ...json, ...withKey() },
      body,
    });
    assert.equal(refused.status, 413, kind);
    assert.ok(refused.headers["x-request-id"], refused.text);
  });

for (const kind of frontKinds)
  test(`PROXY-9 ${kind}: ranges, conditions and HEAD hold, and a hundred downloads at once`, async () => {
    const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
      ask(fronts[kind].url, path, { method, headers: { ...withKey(), ...headers } });
    const part = await get("/stream/papers/a/file", { range: "bytes=100000-100099" });
    assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(100_000, 100_100)]);
    assert.equal(part.headers["content-range"], `bytes 100000-100099/${bytes.length}`);
    assert.equal((await get("/stream/papers/a/file", { range: "bytes=999999-" })).status, 416);
    const whole = await get("/stream/papers/a/file");
    assert.equal((await get("/stream/papers/a/file", { "if-none-match": whole.headers.etag as string })).status, 304);
    const head = await get("/download/papers/a/file", {}, "HEAD");
    assert.deepEqual([head.status, head.headers["content-length"], head.text], [200, String(bytes.length), ""]);

    const object = await get(`/api/collections/papers/${kind}`, { "accept-encoding": "gzip, br" });
    const tag = object.headers.etag as string;
    assert.equal((await get(`/api/collections/papers/${kind}`, { "if-none-match": tag })).status, 304);
    const patch = (ifMatch: string) =>
      ask(fronts[kind].url, `/api/collections/papers/${kind}`, {
        method: "PATCH",
        headers: { ...json, ...withKey(), "if-match": ifMatch },
        body: JSON.stringify({ title: "New" }),
      });
    assert.equal((await patch(tag)).status, 200);
    assert.equal((await patch(tag)).status, 412);

    const all = await Promise.all(Array.from({ length: 100 }, () => get("/download/papers/a/file")));
    assert.ok(all.every((answer) => answer.status === 200 && answer.bytes.equals(bytes)));
  });

test("PROXY-10 events arrive as they happen, and streams stay open", async () => {
  for (const kind of frontKinds) {
    const { headers, body } = alone("subscriptions/listen", { notifications: { resourcesListChanged: true } });
    const least = await leastTime(500, async () => {
      const sent = { method: "POST", headers: { ...headers, ...withKey() }, body };
      const stream = await openStream(fronts[kind].url, sent);
      assert.ok(await stream.find(({ method }) => method === "notifications/subscriptions/acknowledged"), kind);
      stream.close();
    });
    assert.ok(least < 500, `${kind}: the first event came after ${least} ms`);
  }
  const streams = await Promise.all(frontKinds.map(follow));
  // Longer than any of them waits by itself: Cairn writes to an open stream every 15 seconds.
  if (isFull) await sleep(70_000);
  await server.request("PATCH", "/api/collections/papers/a", { body: { title: "Changed" } });
  for (const { kind, stream, session } of streams) {
    assert.ok(stream.isOpen(), kind);
    assert.ok(await stream.find(({ method }) => method === "notifications/resources/updated"), kind);
    const ended = await ask(fronts[kind].url, "/mcp", { method: "DELETE", headers: session });
    assert.ok(ended.status < 300, `${kind}: ${ended.status} ${ended.text}`);
    assert.ok(await stream.closed(), kind);
    await assertSame(kind, "/mcp", { method: "PUT" });
    await assertSame(kind, "/api/collections", { method: "DELETE", headers: withKey() });
  }
});

async function follow(
  kind: FrontKind,
): Promise<{ kind: FrontKind; stream: EventStream; session: Record<string, string> }> {
  const { url } = fronts[kind];
  const accept = "application/json, text/event-stream";
  const send = (body: object, headers: Record<string, string>) =>
    ask(url, "/mcp", { method: "POST", headers: { ...json, accept, ...headers }, body: JSON.stringify(body) });
  const begun = await send(opening("2025-11-25"), withKey());
  const session = { ...withKey(), "mcp-session-id": begun.headers["mcp-session-id"] as string };
  await send({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "cairn://papers/" } }, session);
  const stream = await openStream(url, { headers: session });
  assert.equal(stream.status, 200);
  return { kind, stream, session };
}

for (const kind of frontKinds)
  test(`PROXY-11 ${kind}: compressed answers pass as Cairn made them, and are never compressed twice`, async () => {
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const { headers, bytes: sent } = await ask(fronts[kind].url, `/admin/${asset}`, {
        headers: { "accept-encoding": encoding },
      });
      assert.equal(headers["content-encoding"], encoding, kind);
      assert.equal(decode(sent).toString(), script);
      assert.match(headers.vary ?? "", /^accept-encoding$/i);
    }
    // nginx and a virtual host of Apache send the files of the site as they are.
    const isCairns = kind === "htaccess" || kind === "caddy";
    const file = await ask(fronts[kind].url, "/style.css", { headers: { "accept-encoding": "br, gzip" } });
    assert.equal(file.headers["content-encoding"], isCairns ? "br" : undefined, kind);
    assert.equal((isCairns ? brotliDecompressSync(file.bytes) : file.bytes).toString(), style);
    const plain = await ask(fronts[kind].url, `/admin/${asset}`);
    assert.deepEqual([plain.headers["content-encoding"], plain.text], [undefined, script]);
    for (const path of ["/login", "/api/collections/papers/a", "/sitemap.xml"])
      await assertSame(kind, path, { headers: { ...withKey(), "accept-encoding": "gzip, deflate, br" } });
  });

const failures: [path: string, asked: Asked][] = [
  ["/api/collections?limit=x", {}],
  ["/api/settings", {}],
  ["/api/none", {}],
  ["/api/collections/papers/none", {}],
  ["/none", { headers: { accept: "text/html" } }],
  ["/setup/environment", {}],
  ["/api/collections", { method: "PUT", headers: json, body: "{}" }],
  ["/api/collections/papers", { method: "POST", headers: json, body: "{" }],
  ["/api/collections/papers", { method: "POST", headers: json, body: JSON.stringify({ id: "a" }) }],
  ["/api/collections/papers", { method: "POST", headers: { "content-type": "text/plain" }, body: "x" }],
  ["/api/collections/papers/a", { method: "PATCH", headers: { ...json, "if-match": '"old"' }, body: "{}" }],
  ["/api/collections/papers", { method: "POST", headers: { ...json, "content-encoding": "gzip" }, body: "x" }],
  ["/api/collections/a%2Fb", {}],
];

for (const kind of frontKinds)
  test(`PROXY-13 ${kind}: every error of Cairn passes unchanged`, async () => {
    const statuses = new Set<number>();
    for (const [path, asked] of failures) {
      for (const headers of [
        asked.headers ?? {},
        { ...asked.headers, ...withKey() },
        { ...asked.headers, "x-api-key": "junk" },
      ]) {
        await assertSame(kind, path, { ...asked, headers });
        statuses.add((await ask(fronts[kind].url, path, { ...asked, headers })).status);
      }
    }
    assert.deepEqual(
      [400, 401, 403, 404, 405, 412, 415].filter((status) => !statuses.has(status)),
      [],
    );
  });

test("PROXY-12 a restart of Cairn cuts no answer off, and all go on as soon as it is back", async () => {
  const size = 32 * mebibyte;
  const stored = await sendLarge(server, server.url, "/api/collections/papers/a/file", size);
  assert.equal(stored.status, 200, stored.text);
  const downloads = await Promise.all(frontKinds.map((kind) => beginDownload(server, fronts[kind].url)));
  const ended = server.terminate();
  for (const [at, finish] of downloads.entries()) assert.equal(await finish(), size, frontKinds[at]);
  assert.equal(await ended, 0);
  for (const kind of frontKinds) {
    const { status } = await ask(fronts[kind].url, "/healthz");
    assert.ok(status === 502 || status === 503, `${kind}: ${status}`);
  }
  await server.restart();
  for (const kind of frontKinds) {
    const isWell = async () => (await ask(fronts[kind].url, "/healthz")).status === 200;
    const waited = await leastTime(5_000, () => until(isWell));
    assert.ok(waited < 5_000, `${kind}: ${waited} ms`);
  }
});

test("PROXY-16 server:check finds nothing wrong with the printed files", async () => {
  await server.setSetting("api.rateLimit", 100_000);
  for (const kind of frontKinds) {
    const { code, stdout } = await server.cli(["server:check", fronts[kind].url, "--json"]);
    const { isWell, checks } = JSON.parse(stdout) as { isWell: boolean; checks: { check: string; result: string }[] };
    const wrong = checks.filter(({ check, result }) => result !== "pass" && check !== "address");
    assert.deepEqual([code, isWell, wrong], [0, true, []], kind);
    assert.ok(checks.length > 12, stdout);
  }
});

test("PROXY-17 server:check finds what a web server does wrong, and names the cure", async () => {
  const port = await freePort();
  const bad = await startFront("nginx", { text: badNginx(server, port), port, publicDir });
  try {
    const { code, stdout } = await server.cli(["server:check", bad.url, "--json"]);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; result: string; fix?: string }[] };
    const found = new Set(
      checks.filter(({ result }) => result === "fail" || result === "warn").map(({ check }) => check),
    );
    const expected = ["endpoints", "closed", "dot-files", "paths", "query", "methods", "credentials", "forwarding"];
    assert.deepEqual(
      [...expected, "bodies", "errors", "compression"].filter((check) => !found.has(check)),
      [],
    );
    assert.ok(checks.every(({ result, fix }) => result === "pass" || result === "skip" || fix));
    assert.equal(code, 1);
    const { code: same, stdout: table } = await server.cli(["server:check", bad.url]);
    assert.equal(same, 1);
    assert.match(table, /^paths: +Apache: AllowEncodedSlashes NoDecode/m);
  } finally {
    await bad.stop();
  }
  const nowhere = await server.cli(["server:check", `http://127.0.0.1:${port}`]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stdout, /firewall/);
  assert.equal((await server.cli(["server:check", "example.org"])).code, 2);
});
