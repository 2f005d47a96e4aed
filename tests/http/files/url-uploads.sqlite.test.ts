// Uploads from an address: fetched by the server, for callers who must not reach its network.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { picture } from "../../support/sample-files.ts";

const object = "/api/collections/things/one";
const megabyte = 1_048_576;
let open: Server;
let closed: Server;
let origin: string;
let image: Buffer;
const payload = randomBytes(300_000);

/** Every request that reaches this machine by way of a server. */
const hits: string[] = [];

type Page = (request: IncomingMessage, response: ServerResponse) => void;
const redirect =
  (to: string): Page =>
  (_request, response) =>
    response.writeHead(302, { location: to }).end();
const pages: Record<string, Page> = {
  "/file.bin": (_request, response) => response.end(payload),
  "/photo.jpg": (_request, response) => response.end(image),
  "/picture": (_request, response) => response.end(image),
  "/a%20b.txt": (_request, response) => response.end("text"),
  "/html.jpg": (_request, response) => response.end("<!doctype html><script>1</script>"),
  "/missing": (_request, response) => response.writeHead(404).end("SECRET REMOTE TEXT"),
  "/broken": (_request, response) => response.writeHead(500).end("SECRET REMOTE TEXT"),
  "/loop": redirect("/loop"),
  "/to-file": redirect("/file.bin"),
  "/to-scheme": redirect("file:///etc/passwd"),
  "/lying": (request, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("short");
    setTimeout(() => request.socket.destroy(), 50);
  },
  "/endless": (request, response) => {
    const block = Buffer.alloc(65_536, "x");
    const more = () => {
      while (!request.socket.destroyed && response.write(block));
      if (!request.socket.destroyed) response.once("drain", more);
    };
    more();
  },
  "/bomb": (_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(20 * megabyte)));
  },
};
for (let hop = 1; hop <= 6; hop++) pages[`/hop${hop}`] = redirect(hop === 1 ? "/file.bin" : `/hop${hop - 1}`);

const site = createServer((request, response) => {
  hits.push(request.url as string);
  (pages[new URL(request.url as string, origin).pathname] ?? ((_request, answer) => answer.writeHead(404).end()))(
    request,
    response,
  );
});

async function start(allowPrivateHosts: boolean): Promise<Server> {
  const server = await startServer({ settings: { maxDownloadSize: 1, files: { allowPrivateHosts } } });
  const properties = { doc: { type: "file" }, cover: { type: "image" }, photos: { type: "gallery" } };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing" });
  await server.request("POST", "/api/collections/things", { body: { id: "one" } });
  return server;
}

before(async () => {
  image = await picture(40, 30);
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  [open, closed] = await Promise.all([start(true), start(false)]);
});
after(async () => {
  site.closeAllConnections();
  site.close();
  await Promise.all([open.stop(), closed.stop()]);
});
beforeEach(() => {
  hits.length = 0;
});

const fetchTo = (server: Server, property: string, url: string): Promise<Answer> =>
  server.request("POST", `${object}/${property}`, { body: { [property]: url } });
const staging = (server: Server) => readdirSync(join(server.dataDir, ".system", "uploads"));
const stored = (path: string) => readFileSync(join(open.dataDir, "things", "one", path));

test("PF-40 the body names the address under the property, and the file is stored as it came", async () => {
  const answer = await fetchTo(open, "doc", `${origin}/file.bin`);
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.body.data.doc.name, answer.body.data.doc.size], ["file.bin", payload.length]);
  assert.deepEqual(stored("doc/file.bin"), payload);
  const { cover } = (await fetchTo(open, "cover", `${origin}/photo.jpg`)).body.data;
  assert.deepEqual([cover.name, cover.width], ["photo.jpg", 40]);
  assert.deepEqual(staging(open), []);
});

test("PF-40 the name is that of the address, with an extension by content", async () => {
  assert.equal((await fetchTo(open, "doc", `${origin}/a%20b.txt?x=1#y`)).body.data.doc.name, "a b.txt");
  assert.equal((await fetchTo(open, "doc", `${origin}/picture`)).body.data.doc.name, "picture.jpg");
});

test("PF-44 redirects are followed, five at most", async () => {
  assert.equal((await fetchTo(open, "doc", `${origin}/to-file`)).status, 200);
  assert.equal((await fetchTo(open, "doc", `${origin}/hop5`)).status, 200);
  assert.equal((await fetchTo(open, "doc", `${origin}/hop6`)).status, 422);
  assert.equal((await fetchTo(open, "doc", `${origin}/loop`)).status, 422);
  assert.equal((await fetchTo(open, "doc", `${origin}/to-scheme`)).status, 422);
});

test("PF-36 a fetched file passes the same checks (T32)", async () => {
  const before = (await open.request("GET", object)).text;
  for (const property of ["cover", "photos"]) {
    const answer = await fetchTo(open, property, `${origin}/html.jpg`);
    assert.deepEqual([answer.status, typeof answer.body.error], [400, "string"]);
  }
  assert.equal((await open.request("GET", object)).text, before);
  assert.deepEqual(staging(open), []);
});

for (const url of [
  "not a url",
  "//host/x",
  "file:///etc/passwd",
  "ftp://127.0.0.1/x",
  "data:text/plain,hello",
  "gopher://127.0.0.1/x",
  "javascript:alert(1)",
  "http://user@127.0.0.1/x",
  "http://a:b@127.0.0.1/x",
  "http://",
  "http://[::1",
])
  test(`PF-41 ${url} is refused as an address to fetch from (T50)`, async () => {
    const answer = await fetchTo(open, "doc", url);
    assert.deepEqual([answer.status, typeof answer.body.error], [400, "string"], answer.text);
  });

test("PF-41 all network failures look alike, and disclose nothing (T50)", async () => {
  const answers = [];
  for (const url of [
    `${origin}/missing`,
    `${origin}/broken`,
    `${origin}/lying`,
    // Given to nobody who asks for any free port, and so closed.
    "http://127.0.0.1:1/",
    "http://no-such-host.invalid/x",
  ]) {
    answers.push(await fetchTo(open, "doc", url));
  }
  answers.push(await fetchTo(closed, "doc", `${origin}/file.bin`));
  assert.deepEqual(
    // The text of the setting (PF-42) depends on no address.
    [...new Set(answers.map(({ status, text }) => `${status} ${text.replace(/ Private and local .* them\./, "")}`))],
    ['422 {"error":"The file could not be fetched from that address."}'],
  );
  assert.deepEqual([staging(open), staging(closed)], [[], []]);
});

const port = () => new URL(origin).port;
for (const [form, url] of [
  ["loopback", () => `http://127.0.0.1:${port()}/file.bin`],
  ["another loopback", () => `http://127.9.8.7:${port()}/file.bin`],
  ["a name", () => `http://localhost:${port()}/file.bin`],
  ["one number", () => `http://2130706433:${port()}/file.bin`],
  ["hexadecimal", () => `http://0x7f000001:${port()}/file.bin`],
  ["hexadecimal parts", () => `http://0x7f.0.0.1:${port()}/file.bin`],
  ["octal", () => `http://0177.0.0.1:${port()}/file.bin`],
  ["short", () => `http://127.1:${port()}/file.bin`],
  ["zero", () => `http://0.0.0.0:${port()}/file.bin`],
  ["zero alone", () => `http://0:${port()}/file.bin`],
  ["IPv6", () => `http://[::1]:${port()}/file.bin`],
  ["IPv6 nothing", () => `http://[::]:${port()}/file.bin`],
  ["mapped", () => `http://[::ffff:127.0.0.1]:${port()}/file.bin`],
  ["mapped hexadecimal", () => `http://[::ffff:7f00:1]:${port()}/file.bin`],
  ["translated", () => `http://[64:ff9b::7f00:1]:${port()}/file.bin`],
  ["a dot behind", () => `http://localhost.:${port()}/file.bin`],
  ["wide digits", () => `http://１２７.0.0.1:${port()}/file.bin`],
  ["circled digits", () => `http://①②⑦.0.0.1:${port()}/file.bin`],
  ["upper case", () => `HTTP://LOCALHOST:${port()}/file.bin`],
  ["private", () => "http://10.0.0.1/x"],
  ["private 172", () => "http://172.16.0.1/x"],
  ["private 192", () => "http://192.168.0.1/x"],
  ["carrier", () => "http://100.64.0.1/x"],
  ["link-local, where clouds tell secrets", () => "http://169.254.169.254/latest/meta-data/"],
  ["unique local", () => "http://[fd00::1]/x"],
  ["broadcast", () => "http://255.255.255.255/x"],
] as const)
  test(`PF-42 an address of the inside is refused: ${form} (T47)`, async () => {
    const answer = await fetchTo(closed, "doc", url());
    assert.deepEqual([answer.status, hits], [422, []], answer.text);
  });

test("PF-42 administrators learn which setting refuses, by the same text for every failure", async () => {
  const said = async (url: string) => (await fetchTo(closed, "doc", url)).text;
  const inside = await said(`http://127.0.0.1:${port()}/file.bin`);
  assert.match(inside, /unless the setting files\.allowPrivateHosts allows them/);
  assert.equal(await said("http://nowhere.invalid/x"), inside);
});

test("PF-42 a name that means the inside is refused wherever it comes up (T48)", async () => {
  for (const host of ["127.0.0.1.nip.io", "localtest.me", "localhost.localdomain"]) {
    const answer = await fetchTo(closed, "doc", `http://${host}:${port()}/file.bin`);
    assert.equal(answer.status, 422, host);
  }
  assert.deepEqual(hits, []);
});

for (const [what, path] of [
  ["an endless body", "/endless"],
  ["a small body that grows when it is unpacked", "/bomb"],
] as const)
  test(`PF-43 ${what} ends at maxDownloadSize and leaves nothing (T49)`, async () => {
    const answer = await fetchTo(open, "doc", origin + path);
    assert.deepEqual([answer.status, typeof answer.body.error], [422, "string"], answer.text);
    assert.deepEqual(staging(open), []);
  });

test("PF-3 a caller that may not change the object causes no request", async () => {
  const body = { doc: `${origin}/file.bin` };
  assert.equal((await open.request("POST", `${object}/doc`, { body, key: null })).status, 401);
  assert.equal((await open.request("POST", "/api/collections/things/none/doc", { body })).status, 404);
  assert.deepEqual(hits, []);
});
