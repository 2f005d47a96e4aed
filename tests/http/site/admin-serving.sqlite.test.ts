// The admin web app as the server sends it, and its build at the first start. The server runs from an installation of its own,
// whose build script writes a few small files when the test lets it.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { until } from "#base/patience.fixture.ts";
import { http, type Server, startServer } from "../../harness.ts";
import { asset, buildingEnvironment, makeInstallation, script } from "../../support/own-installation.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let place: string;
let server: Server;
let ada: Person;
let ben: Person;
const inPlace = (...names: string[]) => join(place, ...names);
const get = (path: string, headers: Record<string, string> = {}) => server.request("GET", path, { key: null, headers });
const buildsIn = (text: string) => text.split("Building the admin web app, once ...").length - 1;

before(async () => {
  place = makeInstallation();
  mkdirSync(inPlace("public/admin/assets"), { recursive: true });
  writeFileSync(inPlace("public/admin/index.html"), "a file of the site");
  writeFileSync(inPlace("public/admin/assets/site.js"), "a file of the site");
  server = await startServer({
    installation: place,
    env: buildingEnvironment(place),
  });
});
after(async () => {
  await server.stop();
  rmSync(place, { recursive: true });
});

test("ADM-1 the first start builds the app while the server answers, and requests for it wait", async () => {
  await until(() => buildsIn(server.stderr) === 1);
  let isAnswered = false;
  const waiting = get("/admin").finally(() => {
    isAnswered = true;
  });
  assert.equal((await get("/healthz")).status, 200);
  assert.equal((await get("/sitemap")).status, 200);
  assert.equal(isAnswered, false);
  writeFileSync(inPlace("go"), "");
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.match(answer.text, /<title>Cairn<\/title>/);
  await until(() => server.stderr.includes(`The admin web app is ready at ${server.url}/admin\n`));
  assert.match(server.stdout, /Cairn is ready at \S+\n$/);
});

test("ADM-3 every address of the app gets its page, with a policy and a nonce of its own", async () => {
  const nonces = new Set<string>();
  for (const path of [
    "/admin",
    "/admin/",
    "/admin/collections/blog?search=a",
    "/admin/no/such/page",
    "/admin/%2e%2e/x",
  ]) {
    const { status, headers, text } = await get(path);
    assert.equal(status, 200, path);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(headers.get("cache-control"), "no-store");
    const policy = headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'self' 'nonce-([\w-]{22})'; style-src-attr 'unsafe-inline';/.exec(policy)?.[1] ?? "";
    assert.ok(text.includes(`<meta property="csp-nonce" nonce="${nonce}">`), text);
    const { host } = new URL(server.url);
    assert.ok(policy.startsWith(`default-src 'self'; script-src ${host}/admin/assets/ ${host}/api/ext/; `), policy);
    assert.match(policy, /object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("referrer-policy"), "same-origin");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 5);
  assert.equal((await server.request("HEAD", "/admin", { key: null })).status, 200);
  const refused = await server.request("POST", "/admin", { key: null });
  assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
});

test("ADM-4 a file of the build is sent compressed as the client takes it, and kept for good", async () => {
  const whole = await get(`/admin/${asset}`);
  assert.equal(whole.status, 200);
  assert.equal(whole.text, script);
  assert.equal(whole.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(whole.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(whole.headers.get("vary"), "accept-encoding");
  for (const [accepted, expected, unpack] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, *", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0", null, (bytes: Buffer) => bytes],
    ["deflate", null, (bytes: Buffer) => bytes],
  ] as const) {
    const { bytes, headers } = await bytesOf(`/admin/${asset}`, { "accept-encoding": accepted });
    assert.equal(headers["content-encoding"] ?? null, expected, accepted);
    assert.equal(unpack(bytes).toString("utf8"), script);
    assert.equal(headers["content-length"], String(bytes.length));
    const etag = headers.etag ?? "";
    assert.equal(etag === whole.headers.get("etag"), expected === null);
    const again = await get(`/admin/${asset}`, { "accept-encoding": accepted, "if-none-match": etag });
    assert.deepEqual([again.status, again.text], [304, ""]);
  }
  const head = await server.request("HEAD", `/admin/${asset}`, { key: null });
  assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(script.length)]);
});

test("ADM-5 a file that the build does not have is 404, and no path leads out of it", async () => {
  for (const path of [
    "assets/none.js",
    `${asset}.br`,
    "assets/..%2findex.html",
    "assets/../../package.json",
    "assets/%2e%2e/%2e%2e/package.json",
    "assets//etc/passwd",
    "assets/",
  ]) {
    const { status, text } = await get(`/admin/${path}`);
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /<title>Cairn<|"name"/);
  }
});

test("ADM-6 files of the site never take the place of the app", async () => {
  assert.match((await get("/admin/")).text, /<title>Cairn<\/title>/);
  assert.match((await get("/admin/index.html")).text, /<title>Cairn<\/title>/);
  assert.equal((await get("/admin/assets/site.js")).status, 404);
});

test("ADM-7 the steps after the setup are pages of the app, for administrators", async () => {
  const steps = ["environment", "content", "server-config", "complete"].map((step) => `/setup/${step}`);
  for (const path of steps) {
    const before = await get(path);
    assert.equal(before.status, 403, path);
    assert.match(before.text, /no administrator yet.*setup link/);
  }
  await makeUser(server, "ada", ["admin"]);
  await makeUser(server, "ben", ["editor"]);
  [ada, ben] = [await signIn(server, "ada"), await signIn(server, "ben")];
  for (const path of steps) {
    const shown = await ada.request("GET", path);
    assert.equal(shown.status, 200, path);
    assert.match(shown.text, /<title>Cairn<\/title>/);
    assert.match(shown.headers.get("content-security-policy") ?? "", /nonce-/);
    assert.equal((await ben.request("GET", path)).status, 403);
    const nobody = await get(path);
    assert.equal(nobody.status, 403);
    assert.match(nobody.text, /href="\/login\?redirect=%2Fsetup%2Fenvironment"/);
    // A key is not a session.
    assert.equal((await server.request("GET", path)).status, 403);
  }
  assert.equal((await ada.request("GET", "/setup/none")).status, 404);
  const led = await ada.request("GET", "/setup");
  assert.deepEqual([led.status, led.headers.get("location")], [303, "/setup/environment"]);
  assert.equal((await ben.request("GET", "/setup")).status, 403);
});

test("ADM-10, ADM-11 an administrator sees the state of the service, and what to do about it", async () => {
  const { status, body } = await ada.request("GET", "/api/system");
  assert.equal(status, 200);
  const { checks, disk, counts, ...rest } = body.data;
  const info = JSON.parse((await server.cli(["info", "--json"])).stdout);
  for (const name of ["version", "node", "engine", "edition", "dataDir"]) assert.equal(rest[name], info[name], name);
  assert.deepEqual(counts, info.counts);
  assert.deepEqual([rest.files, rest.projectDir], ["disk", place]);
  assert.ok(disk.free > 0 && disk.total >= disk.free && rest.uptimeSeconds >= 0);
  const levels = Object.fromEntries(checks.map(({ id, level }: { id: string; level: string }) => [id, level]));
  const good = { "data-directory": "good", database: "good", workers: "good", address: "good" };
  assert.deepEqual(
    { ...levels, "disk-space": "any" },
    { ...good, "disk-space": "any", proxy: "good", https: "good", mail: "warn" },
  );
  for (const { level, message, cure } of checks) {
    assert.notEqual(message, "");
    assert.equal(cure === "", level === "good", message);
  }
});

test("ADM-11, ADM-12 a proxy that is not trusted is found, and the configuration for it", async () => {
  const through = { "x-forwarded-for": "192.0.2.7", "x-forwarded-server": "front.example.net" };
  const { checks } = (await ada.request("GET", "/api/system", { headers: through })).body.data;
  const { level, cure } = checks.find(({ id }: { id: string }) => id === "proxy");
  assert.deepEqual(
    [level, cure],
    ["warn", "Set CAIRN_TRUST_PROXY to the address of the proxy, 127.0.0.1, and restart."],
  );
  const config = async (query: string, headers = {}) =>
    (await ada.request("GET", `/api/server-config${query}`, { headers })).body.data;
  assert.equal((await config("", through)).detected, "apache");
  assert.equal((await config("", { "x-forwarded-for": "192.0.2.7" })).detected, "nginx");
  const { port } = new URL(server.url);
  const nginx = await config("?server=nginx");
  assert.equal(nginx.detected, null);
  assert.ok(nginx.text.includes(`server 127.0.0.1:${port};`), nginx.text);
  const { text } = await config("?server=systemd");
  for (const part of [`CAIRN_DATA=${server.dataDir}`, `CAIRN_PORT=${port}`, `ExecStart=${place}/bin/cairn serve`])
    assert.ok(text.includes(part), text);
  const unknown = await ada.request("GET", "/api/server-config?server=iis");
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /"server"/);
  assert.equal((await ben.request("GET", "/api/server-config")).status, 403);
  assert.equal((await get("/api/system")).status, 401);
});

test("ADM-2 a build that is newer than its sources stays", async () => {
  await server.restart();
  assert.equal((await get("/admin")).status, 200);
  assert.equal(buildsIn(server.stderr), 0);
});

test("ADM-2, ADM-8 newer sources make a new build; when it fails the log says why, and the old one stays", async () => {
  const later = new Date(Date.now() + 60_000);
  utimesSync(inPlace("admin/src/main.tsx"), later, later);
  writeFileSync(inPlace("mistake"), "");
  await server.restart();
  assert.equal((await get("/admin")).status, 200);
  const failures = () => server.stderr.split("\n").filter((line) => line.includes("could not be built"));
  const lines = await until(failures, ({ length }) => length > 0);
  assert.equal(buildsIn(server.stderr), 1);
  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0] as string).reason, "main.tsx has a mistake in line 7.");
});

test("ADM-8 without a build the page says how to make one by hand, and the rest works", async () => {
  rmSync(inPlace("admin/dist"), { recursive: true });
  const answer = await get("/admin/collections");
  assert.equal(answer.status, 503);
  assert.match(answer.text, /npm run build:admin/);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
  assert.equal((await get("/admin/assets/none.js")).status, 404);
  assert.equal((await ada.request("GET", "/setup/environment")).status, 503);
  assert.equal((await get("/healthz")).status, 200);
});

/** Undecoded. */
function bytesOf(path: string, headers: Record<string, string>) {
  return new Promise<{ bytes: Buffer; headers: Record<string, string> }>((done, failed) => {
    http
      .get(server.url + path, { headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          done({ bytes: Buffer.concat(chunks), headers: answer.headers as Record<string, string> }),
        );
      })
      .on("error", failed);
  });
}
