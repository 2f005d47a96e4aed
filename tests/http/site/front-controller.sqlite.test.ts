// Files at the site root: what public/ shows, and what nobody ever sees.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { until } from "#base/patience.fixture.ts";
import { http, type Server, startServer } from "../../harness.ts";

const site = mkdtempSync(join(tmpdir(), "cairn-site-"));
const publicDir = join(site, "public");
const dataDir = join(publicDir, "private", "content");
let server: Server;

before(async () => {
  for (const folder of [
    dataDir,
    join(publicDir, "docs"),
    join(publicDir, "empty"),
    join(publicDir, "api"),
    join(publicDir, ".well-known"),
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(site, "outside.txt"), "outside marker");
  writeFileSync(join(publicDir, "index.html"), "<h1>Home</h1>");
  writeFileSync(join(publicDir, "docs", "index.html"), "<h1>Docs</h1>");
  writeFileSync(join(publicDir, "hello.txt"), "0123456789");
  writeFileSync(join(publicDir, "with space ü.txt"), "spaced");
  writeFileSync(join(publicDir, ".env"), "secret marker");
  writeFileSync(join(publicDir, ".well-known", "security.txt"), "Contact: us");
  writeFileSync(join(publicDir, "api", "shadow.txt"), "shadow");
  writeFileSync(join(dataDir, "marker.txt"), "data marker");
  symlinkSync(join(site, "outside.txt"), join(publicDir, "link-out.txt"));
  symlinkSync(join(dataDir, "marker.txt"), join(publicDir, "link-data.txt"));
  symlinkSync(dataDir, join(publicDir, "link-folder"));
  symlinkSync(join(publicDir, "hello.txt"), join(publicDir, "link-in.txt"));
  server = await startServer({ dataDir, settings: { publicDir } });
});
after(async () => {
  await server.stop();
  rmSync(site, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) => server.request("GET", path, { key: null, headers });

test("FRONT-1 real files are served, everything else goes to the service", async () => {
  const file = await get("/hello.txt?v=1");
  assert.deepEqual([file.status, file.text], [200, "0123456789"]);
  assert.match(file.headers.get("content-type") ?? "", /^text\/plain/);
  assert.equal(file.headers.get("x-content-type-options"), "nosniff");
  assert.equal(file.headers.get("x-robots-tag"), null);
  assert.equal((await get("/with%20space%20%C3%BC.txt")).text, "spaced");
  assert.equal((await get("/missing.txt")).status, 404);
  assert.equal((await get("/hello.txt/")).status, 404);
  assert.equal((await server.request("GET", "/api/collections?x=1")).status, 200);
  assert.equal((await server.request("POST", "/hello.txt", { body: {} })).status, 404);
  const head = await server.request("HEAD", "/hello.txt");
  assert.deepEqual([head.status, head.text, head.headers.get("content-length")], [200, "", "10"]);
});

test("FRONT-2 folders show their index", async () => {
  assert.equal((await get("/")).text, "<h1>Home</h1>");
  assert.equal((await get("/docs/")).text, "<h1>Docs</h1>");
  const bare = await get("/docs?a=1");
  assert.deepEqual([bare.status, bare.headers.get("location")], [301, "/docs/?a=1"]);
  assert.equal((await get("/empty/")).status, 404);
  assert.equal((await get("/empty")).status, 404);
});

test("FRONT-3 files have tags and ranges", async () => {
  const file = await get("/hello.txt");
  assert.equal(file.headers.get("cache-control"), "public, max-age=0");
  assert.ok(file.headers.get("last-modified"));
  const etag = file.headers.get("etag") as string;
  assert.equal((await get("/hello.txt", { "if-none-match": etag })).status, 304);
  const part = await get("/hello.txt", { range: "bytes=2-4" });
  assert.deepEqual([part.status, part.text, part.headers.get("content-range")], [206, "234", "bytes 2-4/10"]);
  assert.equal((await get("/hello.txt", { range: "bytes=20-" })).status, 416);
});

test("FRONT-4 a file goes before a route", async () => {
  assert.equal((await get("/api/shadow.txt")).text, "shadow");
  assert.equal((await server.request("GET", "/api/collections")).status, 200);
});

test("FRONT-4 a folder that bears the name of a service shows its index, and does not send in circles", async () => {
  writeFileSync(join(publicDir, "api", "index.html"), "<h1>Shadow</h1>");
  const folder = await get("/api/");
  assert.deepEqual([folder.status, folder.text], [200, "<h1>Shadow</h1>"]);
  assert.equal((await get("/api")).headers.get("location"), "/api/");
  assert.equal((await server.request("GET", "/api/collections/")).status, 200);
  rmSync(join(publicDir, "api", "index.html"));
});

test("FRONT-5 dot files and links that lead out do not exist (T31)", async () => {
  for (const path of [
    "/.env",
    "/%2eenv",
    "/docs/../.env",
    "/link-out.txt",
    "/../outside.txt",
    "/..%2foutside.txt",
    "/docs/..%2f..%2foutside.txt",
    "/%2e%2e/outside.txt",
  ]) {
    const answer = await get(path);
    assert.ok(answer.status === 404 || answer.status === 400, `${path}: ${answer.status}`);
    assert.doesNotMatch(answer.text, /marker/);
  }
  assert.equal((await get("/link-in.txt")).text, "0123456789");
  assert.equal((await get("/.well-known/security.txt")).text, "Contact: us");
});

const spellings = [
  "/data/.system/logs/mcp.log",
  "/data",
  "/DATA/x",
  "/data./x",
  "//data/x",
  "/./data/x",
  "/%64ata/x",
  "/%2564ata/x",
  "/docs/%2e%2e/data/x",
  "/data%2fx",
  "/data%5cx",
  "/content/marker.txt",
  "/content/.schemas/x.json",
  "/Content/x",
  "/data/../docs",
  "/healthz/../data/x",
  "/mcp/..%2fdata%2fx",
  "/collections/%252e%252e/data/x",
];
for (const path of spellings)
  test(`FRONT-6 ${path} is 403 for everyone (T55)`, async () => {
    for (const key of [null, server.key, "junk"]) {
      for (const method of ["GET", "POST", "HEAD"]) {
        const answer = await server.request(method, path, { key, ...(method === "POST" && { body: {} }) });
        assert.equal(answer.status, 403, `${method} ${path}`);
        assert.doesNotMatch(answer.text, /marker/);
      }
    }
  });

for (const path of [
  "/private/content/marker.txt",
  "/private/content",
  "/private/CONTENT/marker.txt",
  "/private//content/marker.txt",
  "/private/./content/marker.txt",
  "/private/%63ontent/marker.txt",
  "/private/x/../content/cairn.db",
])
  test(`FRONT-7 ${path} is 403 although it is inside public/ (T55)`, async () => {
    const answer = await get(path);
    assert.equal(answer.status, 403);
    assert.doesNotMatch(answer.text, /marker/);
  });

test("FRONT-7 every link into the data directory is 403, whatever is behind it (T31) (T55)", async () => {
  for (const rest of ["data.txt", "folder", "folder/", "folder/marker.txt", "folder/.system/cairn.db", "folder/none"]) {
    const answer = await get(`/link-${rest}`);
    assert.equal(answer.status, 403, rest);
    assert.doesNotMatch(answer.text, /marker/);
  }
});

test("FRONT-8 files put there while the server runs are found", async () => {
  assert.equal((await get("/late.txt")).status, 404);
  writeFileSync(join(publicDir, "late.txt"), "late");
  assert.equal((await get("/late.txt")).text, "late");
  const later = join(site, "later");
  const bare = await startServer({ settings: { publicDir: later } });
  const answers = [
    await bare.request("GET", "/healthz"),
    await bare.request("GET", "/data/x"),
    await bare.request("GET", "/x"),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 404],
  );
  // Also under a name of the service, and when the whole folder is made anew.
  for (const text of ["first", "second"]) {
    rmSync(later, { recursive: true, force: true });
    mkdirSync(join(later, "api"), { recursive: true });
    writeFileSync(join(later, "api", "note.txt"), text);
    await until(async () => (await bare.request("GET", "/api/note.txt")).text === text);
  }
  await bare.stop();
});

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
const style = "main { color: red }\n".repeat(200);

/** The bytes as they are sent. */
function getRaw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  return new Promise((done, failed) => {
    const outgoing = http.get(server.url + path, { headers }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () => done({ headers: incoming.headers, bytes: Buffer.concat(parts) }));
    });
    outgoing.on("error", failed);
  });
}

test("FRONT-9, FRONT-11 compressed forms are made once, and sent to clients that take them", async () => {
  const names = [
    "site.css",
    "app.js",
    "mark.svg",
    "list.json",
    "page.html",
    "notes.txt",
    "app.webmanifest",
    "data.xml",
  ];
  for (const name of names) writeFileSync(join(publicDir, name), style);
  writeFileSync(join(publicDir, "small.css"), "a{}");
  symlinkSync(join(publicDir, "site.css"), join(publicDir, "link.css"));
  writeFileSync(join(dataDir, "inside.css"), style);
  const first = JSON.parse((await server.cli(["site:compress", "--json"])).stdout);
  assert.deepEqual([first.files, first.written], [names.length, names.length * 3]);
  assert.equal(JSON.parse((await server.cli(["site:compress", "--json"])).stdout).written, 0);
  for (const made of ["small.css.br", "link.css.br", "private/content/inside.css.br"])
    assert.equal(existsSync(join(publicDir, made)), false, made);

  const tags = new Set<string | undefined>();
  for (const name of names) {
    const plain = await getRaw(`/${name}`);
    assert.deepEqual([plain.headers["content-encoding"], plain.bytes.toString()], [undefined, style]);
    assert.equal(plain.headers.vary, "Accept-Encoding");
    tags.add(`${name} ${plain.headers.etag}`);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { headers, bytes } = await getRaw(`/${name}`, { "accept-encoding": encoding });
      assert.equal(headers["content-encoding"], encoding);
      assert.equal(decode(bytes).toString(), style);
      assert.equal(headers["content-type"], plain.headers["content-type"]);
      assert.equal(headers.vary, "Accept-Encoding");
      tags.add(`${name} ${headers.etag}`);
      assert.equal(
        (await get(`/${name}`, { "accept-encoding": encoding, "if-none-match": headers.etag ?? "" })).status,
        304,
      );
    }
  }
  assert.equal(tags.size, names.length * 4);
  assert.equal((await getRaw("/site.css", { "accept-encoding": "gzip, br" })).headers["content-encoding"], "br");
  const part = await getRaw("/site.css", { "accept-encoding": "br", range: "bytes=0-3" });
  assert.deepEqual([part.headers["content-encoding"], part.bytes.toString()], [undefined, "main"]);
});

test("FRONT-9 a form that is older than its text, or a link, is not sent", async () => {
  writeFileSync(join(publicDir, "old.css"), style);
  writeFileSync(join(publicDir, "old.css.br"), brotliCompressSync("outdated"));
  utimesSync(join(publicDir, "old.css.br"), new Date(0), new Date(0));
  symlinkSync(join(site, "outside.txt"), join(publicDir, "old.css.gz"));
  const { headers, bytes } = await getRaw("/old.css", { "accept-encoding": "br, gzip" });
  assert.deepEqual([headers["content-encoding"], bytes.toString()], [undefined, style]);
  await server.cli(["site:compress"]);
  assert.equal(brotliDecompressSync((await getRaw("/old.css", { "accept-encoding": "br" })).bytes).toString(), style);
});

test("FRONT-10 a file at the address of its present hash is kept for good", async () => {
  const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 16);
  writeFileSync(join(publicDir, "kept.css"), "one");
  const cacheOf = async (version: string) => (await get(`/kept.css?v=${version}`)).headers.get("cache-control");
  assert.equal(await cacheOf(hashOf("one")), "public, max-age=31536000, immutable");
  writeFileSync(join(publicDir, "kept.css"), "second");
  assert.equal(await cacheOf(hashOf("one")), "public, max-age=0");
  assert.equal(await cacheOf(hashOf("second")), "public, max-age=31536000, immutable");
  assert.equal(await cacheOf("1"), "public, max-age=0");
});
