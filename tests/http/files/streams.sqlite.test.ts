// Stream: shown in place where that is harmless, whole or in parts.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes, formOf, picture, upload } from "../../support/sample-files.ts";

const megabyte = 1_048_576;
const big = randomBytes(24 * megabyte);

let server: Server;
before(async () => {
  server = await startServer({ isFresh: true });
  await server.makeSchema({
    id: "media",
    properties: {
      id: { type: "slug" },
      text: { type: "string", field: "styledtext" },
      file: { type: "file" },
      depot: { type: "depot" },
    },
    required: ["id"],
    index: ["id"],
  });
  await server.makeCollection({ id: "media", schema: "media" });
  await server.request("POST", "/api/collections/media", { body: { id: "a" } });
  await upload(server, "media/a/file", { name: "digits.txt", bytes: "0123456789" });
  await upload(server, "media/a/depot", { name: "big.bin", bytes: big });
});
after(() => server.stop());

const stream = (headers: Record<string, string> = {}, method = "GET") =>
  server.request(method, "/stream/media/a/file", { headers });

test("STR-1 types that cannot run are shown in place", async () => {
  const wav = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0", "latin1"), Buffer.alloc(64)]);
  const files: [string, Uint8Array | string, string][] = [
    ["plain.txt", "text", "text/plain; charset=utf-8"],
    ["p.png", await picture(4, 4, { format: "png" }), "image/png"],
    ["p.jpg", await picture(4, 4), "image/jpeg"],
    ["sound.wav", wav, "audio/wav"],
    ["paper.pdf", "%PDF-1.4\n%%EOF\n", "application/pdf"],
    ["data.bin", Buffer.from([0, 1, 2, 3, 255]), "application/octet-stream"],
  ];
  for (const [name, bytes, type] of files) {
    await upload(server, "media/a/depot", { name, bytes });
    const { status, headers } = await fetchBytes(server, `/stream/media/a/depot/${name}`);
    assert.equal(status, 200, name);
    assert.equal(headers["content-type"], type, name);
    assert.equal(headers["content-disposition"], `inline; filename="${name}"`);
    assert.equal(headers["accept-ranges"], "bytes");
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
});

test("STR-2 types that could run are offered for saving, and sandboxed, whatever their names (T33)", async () => {
  const script = "<script>alert(document.cookie)</script>";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><circle r="4"/></svg>`;
  const files: [string, string][] = [
    ["page.html", `<!doctype html><html><body>${script}</body></html>`],
    ["note.txt", `<html>${script}</html>`],
    ["drawing.svg", svg],
    ["feed.xml", `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>`],
    ["page.xhtml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${script}</body></html>`],
    ["code.js", "alert(1)"],
    ["mail.mht", `MIME-Version: 1.0\nContent-Type: text/html\n\n${script}`],
  ];
  for (const [name, bytes] of files) {
    const sent = { name, bytes, type: "image/png" };
    const linked = await server.request("POST", "/api/upload/media/a/text", formOf({ field: "file", ...sent }));
    const saved = await upload(server, "media/a/depot", sent);
    const paths = [`depot/${saved.body.data.depot.files.at(-1).name}`, ...uploadsIn(linked.body.link)].flatMap(
      (path) => (path.startsWith("/") ? [path] : [`/stream/media/a/${path}`, `/download/media/a/${path}`]),
    );
    for (const path of paths) {
      const { status, headers } = await server.request("GET", path);
      assert.equal(status, 200, path);
      assert.match(headers.get("content-disposition") ?? "", /^attachment;/, path);
      assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'$/, path);
      assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    }
  }
});

test("DL-40, DL-42 uploaded code is sent as plain text, at every address; what pages show keeps its type, tag and ranges", async () => {
  const wasm = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const files: [string, string | Uint8Array, string][] = [
    ["run.js", "globalThis.ran = true", "text/plain; charset=utf-8"],
    ["run.mjs", "export default 1", "text/plain; charset=utf-8"],
    ["look.css", "body { color: red }", "text/plain; charset=utf-8"],
    ["run.wasm", wasm, "application/octet-stream"],
    ["app.webmanifest", "{}", "application/json"],
    ["photo.png", await picture(4, 4, { format: "png" }), "image/png"],
  ];
  for (const [name, bytes, type] of files) {
    const linked = await server.request("POST", "/api/upload/media/a/text", formOf({ field: "file", name, bytes }));
    await upload(server, "media/a/depot", { name, bytes });
    for (const path of [
      `/stream/media/a/depot/${name}`,
      `/download/media/a/depot/${name}`,
      ...uploadsIn(linked.body.link),
    ]) {
      const { headers } = await fetchBytes(server, path);
      assert.deepEqual([headers["content-type"], headers["x-content-type-options"]], [type, "nosniff"], path);
      const again = await server.request("GET", path, { headers: { "if-none-match": String(headers.etag) } });
      assert.equal(again.status, 304, path);
    }
    const part = await server.request("GET", `/stream/media/a/depot/${name}`, { headers: { range: "bytes=0-1" } });
    assert.deepEqual([part.status, part.headers.get("content-type")], [206, type], name);
  }
  const { files: stored } = (await server.request("GET", "/api/collections/media/a")).body.data.depot;
  assert.equal(stored.find((file: { name: string }) => file.name === "run.js").mime, "text/javascript");
});

test("DL-41 a browser that asks for a file as a part of a page that runs is refused", async () => {
  const ask = (dest: string, path: string) =>
    server.request("GET", path, { headers: { "sec-fetch-dest": dest } }).then(({ status }) => status);
  for (const dest of ["script", "style", "worker", "serviceworker", "manifest", "audioworklet", "xslt"])
    for (const root of ["stream", "download"]) assert.equal(await ask(dest, `/${root}/media/a/file`), 403, dest);
  for (const dest of ["image", "video", "audio", "font", "document", "iframe", "embed", "empty", "track", "object"])
    assert.equal(await ask(dest, "/stream/media/a/file"), 200, dest);
});

/** The addresses of an upload of the editor, whichever of them the link names. */
function uploadsIn(link: string): string[] {
  const path = link.split("?")[0]?.split("/").slice(2).join("/");
  return [`/stream/${path}`, `/download/${path}`];
}

test("STR-3 a range is sent exactly, from the start, the end, or cut to the file (T52)", async () => {
  for (const [range, text, told] of [
    ["bytes=0-0", "0", "bytes 0-0/10"],
    ["bytes=5-", "56789", "bytes 5-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=0-99", "0123456789", "bytes 0-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["BYTES=2-4", "234", "bytes 2-4/10"],
  ] as const) {
    const answer = await stream({ range });
    assert.deepEqual([answer.status, answer.text, answer.headers.get("content-range")], [206, text, told], range);
    assert.equal(answer.headers.get("content-length"), String(text.length));
  }
});

test("STR-4 a range beyond the file is 416 with its size (T52)", async () => {
  for (const range of ["bytes=10-", "bytes=-0", "bytes=99-100"]) {
    const { status, headers, body } = await stream({ range });
    assert.deepEqual([status, headers.get("content-range"), body.error.code], [416, "bytes */10", 416], range);
    assert.equal(headers.get("content-disposition"), null);
  }
});

test("STR-5 several ranges, and invalid ones, get the whole file (T52, T53)", async () => {
  const many = `bytes=${Array.from({ length: 1_000 }, () => "0-").join(",")}`;
  for (const range of ["bytes=a-b", "items=0-1", "bytes=3-1", "bytes=", "bytes=0-1,3-4", many]) {
    const { status, text, headers } = await stream({ range });
    assert.deepEqual([status, text, headers.get("content-length")], [200, "0123456789", "10"], range.slice(0, 40));
  }
  const { bytes } = await fetchBytes(server, "/stream/media/a/depot/big.bin", { headers: { range: many } });
  assert.equal(bytes.length, big.length);
});

test("STR-6 HEAD takes no notice of a range (T52)", async () => {
  const { status, headers, text } = await stream({ range: "bytes=0-1" }, "HEAD");
  assert.deepEqual([status, headers.get("content-length"), headers.get("content-range"), text], [200, "10", null, ""]);
});

test("STR-7 If-Range gives a part only of the very bytes that the client knows (T54)", async () => {
  await upload(server, "media/a/depot", { name: "resume.txt", bytes: "old old old" });
  const ask = (headers: Record<string, string>) =>
    server.request("GET", "/stream/media/a/depot/resume.txt", { headers });
  const first = await ask({});
  const etag = first.headers.get("etag") as string;
  assert.deepEqual((await ask({ range: "bytes=4-6", "if-range": etag })).text, "old");
  for (const condition of [`W/${etag}`, '"other"', first.headers.get("last-modified") as string]) {
    const answer = await ask({ range: "bytes=4-6", "if-range": condition });
    assert.deepEqual([answer.status, answer.text], [200, "old old old"], condition);
  }
  await server.request("DELETE", "/api/collections/media/a/depot/resume.txt");
  await upload(server, "media/a/depot", { name: "resume.txt", bytes: "new new new" });
  const replaced = await ask({ range: "bytes=4-6", "if-range": etag });
  assert.deepEqual([replaced.status, replaced.text], [200, "new new new"]);
});

test("STR-8 random parts of a large file are right, byte for byte", async () => {
  for (let round = 0; round < 60; round += 1) {
    const start = Math.floor(Math.random() * big.length);
    const end = Math.min(big.length - 1, start + Math.floor(Math.random() * 300_000));
    const { status, bytes } = await fetchBytes(server, "/stream/media/a/depot/big.bin", {
      headers: { range: `bytes=${start}-${end}` },
    });
    assert.equal(status, 206);
    assert.ok(bytes.equals(big.subarray(start, end + 1)), `${start}-${end}`);
  }
  const whole = await fetchBytes(server, "/stream/media/a/depot/big.bin");
  assert.ok(whole.bytes.equals(big));
});

/** Asks for the large file over a socket of its own, and reads no more than shows that it comes. */
async function askAndWait(): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await new Promise((done) => socket.once("connect", done));
  socket.write(`GET /stream/media/a/depot/big.bin HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${server.key}\r\n\r\n`);
  await new Promise((done) => socket.once("readable", () => done(undefined)));
  return socket;
}

function openBigFiles(): number {
  const folder = `/proc/${server.pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).endsWith("big.bin");
    } catch {
      return false;
    }
  }).length;
}

test("STR-9 a client that goes away leaves no file open, and one that is slow takes little memory", async () => {
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
  const before = rss();
  const sockets = await Promise.all(Array.from({ length: 200 }, askAndWait));
  await sleep(1_000);
  const grown = rss() - before;
  assert.ok(openBigFiles() > 0);
  assert.ok(grown < 200, `${grown} MB for 200 readers`);
  for (const socket of sockets) socket.destroy();
  assert.ok(await until(() => openBigFiles() === 0));
});

test("HTTP-51 AUTH-21 an invalid credential is refused at a cached image, which everybody else gets", async () => {
  await server.makeCollection({ id: "open", schema: "media", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/open", { body: { id: "a" } });
  await upload(server, "open/a/depot", { name: "p.jpg", bytes: await picture(8, 8) });
  const path = "/imageworks/open/a/depot/p.jpg?w=4";
  const get = async (address: string, headers: Record<string, string> = {}, key: string | null = null) =>
    fetchBytes(server, address, { headers, key });
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await get(path)).status, 200);
    assert.equal((await get(path, {}, server.key)).status, 200);
    assert.equal((await get(path, {}, "invalid")).status, 401);
    assert.equal((await get(path, { authorization: "Bearer invalid" })).status, 401);
    assert.equal((await get(path, { cookie: "cairn_session=invalid" })).status, 401);
    assert.equal((await get(`${path}&api_key=${server.key}`)).status, 200);
    assert.equal((await get(`${path}&api_key=invalid`)).status, 401);
    assert.equal((await get(`${path}&access_token=invalid`)).status, 401);
  }
});
