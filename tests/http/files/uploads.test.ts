// Uploads in one form: where they go, what is kept of them, and what is refused.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import sharp from "sharp";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { multipart, send } from "../../support/forms.ts";
import { fetchBytes, picture } from "../../support/sample-files.ts";

let server: Server;
const object = "/api/collections/things/one";
const limit = 3_000_000;

before(async () => {
  server = await startServer({ settings: { files: { maxUploadSize: limit } } });
  const child = { title: { type: "string" }, image: { type: "image" }, doc: { type: "file" } };
  const oddChild = { move: { type: "file" }, rename: { type: "file" }, deck: { type: "file" } };
  await server.makeSchema({ id: "child", properties: child, required: [], index: [] });
  await server.makeSchema({ id: "odd", properties: oddChild, required: [], index: [] });
  await server.makeSchema({
    id: "thing",
    properties: {
      title: { type: "string" },
      cover: { type: "image" },
      photos: { type: "gallery" },
      doc: { type: "file" },
      box: { type: "depot" },
      card: { type: "card", schemaref: "child" },
      parts: { type: "deck", schemaref: "child" },
      odd: { type: "deck", schemaref: "odd" },
      oddCard: { type: "card", schemaref: "odd" },
      plain: { type: "image", settings: { extractExif: false, extractPalette: false } },
    },
    required: ["title"],
    index: ["title"],
  });
  await server.makeCollection({ id: "things", schema: "thing" });
});
after(() => server.stop());
beforeEach(async () => {
  await server.request("DELETE", object);
  const body = { id: "one", title: "One", parts: [{ id: "a", title: "A" }] };
  assert.equal((await server.request("POST", "/api/collections/things", { body })).status, 201);
});

const upload = (path: string, name: string, bytes: string | Uint8Array, field = "file") =>
  send(server, `${object}/${path}`, multipart([{ field, name, bytes }]));
const get = async () => (await server.request("GET", object)).body.data;
const stored = (path: string) => join(server.dataDir, "things", "one", path);
const staging = () => readdirSync(join(server.dataDir, ".system", "uploads"));
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

test("PF-1, PF-7 a file comes under the property's name, and its bytes are stored as they came", async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));
  const answer = await upload("doc", "data.bin", bytes, "doc");
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("etag") ?? "", /^"/);
  assert.equal(answer.body.data.id, "one");
  assert.equal(answer.body.data.doc.size, bytes.length);
  assert.deepEqual(readFileSync(stored("doc/data.bin")), bytes);
  assert.deepEqual(answer.body.data, await get());
  assert.deepEqual(staging(), []);
});

test("PF-2 the routes are served at all three addresses", async () => {
  for (const root of ["/api/collections", "/api/objects", "/collections"]) {
    const form = multipart([{ field: "doc", name: "a.txt", bytes: root }]);
    assert.equal((await send(server, `${root}/things/one/doc`, form)).status, 200, root);
    assert.equal(readFileSync(stored("doc/a.txt"), "utf8"), root);
    assert.equal((await server.request("DELETE", `${root}/things/one/doc/a.txt`)).status, 200, root);
  }
});

test("PF-3 missing rights and missing objects are reported before the body is read", async () => {
  const form = multipart([{ field: "doc", name: "a.txt", bytes: "x" }]);
  assert.equal((await send(server, `${object}/doc`, form, { key: null })).status, 401);
  for (const path of ["things/none/doc", "things/one/nope", "nowhere/one/doc", "things/one/card/nope"]) {
    assert.equal((await send(server, `/api/collections/${path}`, form)).status, 404, path);
  }
  assert.equal((await send(server, "/api/collections/things/one/parts/b/image", form)).status, 404);
  assert.equal((await send(server, "/api/collections/things/one/title", form)).status, 400);
  assert.equal(await firstAnswer("/api/collections/things/one/doc", {}), 401);
  assert.equal(await firstAnswer("/api/collections/things/none/doc", { "x-api-key": server.key }), 404);
});

/** The status that comes while a body is announced but not sent. */
function firstAnswer(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  const type = { "content-type": "multipart/form-data; boundary=x", "content-length": "1000000" };
  return new Promise((done, failed) => {
    const outgoing = httpRequest(
      { hostname, port, method: "POST", path, headers: { ...type, ...headers } },
      (incoming) => {
        incoming.resume();
        done(incoming.statusCode);
        outgoing.destroy();
      },
    );
    outgoing.on("error", failed);
    outgoing.flushHeaders();
  });
}

test("PF-4 a request without the file is 400 and names the property", async () => {
  const missing = (answer: Answer, property: string) =>
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: `No file found in request for property: ${property}` }],
    );
  missing(await server.request("POST", `${object}/doc`), "doc");
  missing(await server.request("POST", `${object}/doc`, { body: {} }), "doc");
  missing(await send(server, `${object}/doc`, multipart([{ field: "note", value: "x" }])), "doc");
  missing(await upload("doc", "a.txt", "x", "other"), "doc");
  missing(await upload("card/image", "a.txt", "x", "other"), "card/image");
  assert.equal("doc" in (await get()), false);
});

test("PF-5 a file over the limit is 413, and nothing of it stays", async () => {
  for (const size of [limit + 1, limit + 200_000]) {
    const answer = await upload("doc", "big.bin", Buffer.alloc(size));
    assert.equal(answer.status, 413);
    assert.equal(typeof answer.body.error, "string");
  }
  assert.deepEqual([staging(), existsSync(stored("doc"))], [[], false]);
  assert.equal((await upload("doc", "fits.bin", Buffer.alloc(limit))).status, 200);
});

test("PF-6 errors of the upload are text, other errors have the usual shape", async () => {
  assert.equal(typeof (await upload("cover", "a.jpg", "no image")).body.error, "string");
  assert.equal(typeof (await upload("title", "a.jpg", "x")).body.error, "string");
  const form = multipart([{ field: "doc", name: "a.txt", bytes: "x" }]);
  assert.equal((await send(server, `${object}/doc`, form, { key: null })).body.error.code, 401);
  assert.equal((await send(server, `${object}/nope`, form)).body.error.code, 404);
  assert.equal((await send(server, `${object}/doc`, form, { headers: { "if-match": '"x"' } })).body.error.code, 412);
});

for (const [sent, kept] of [
  ["../../x.txt", "x.txt"],
  ["/etc/passwd", "passwd"],
  ["C:\\\\dir\\\\y.txt", "y.txt"],
  [".htaccess", "htaccess"],
  ["..", "file"],
  ["ü ñ 文.txt", "ü ñ 文.txt"],
  ["a<b>c?.txt", "a-b-c.txt"],
  [`${"n".repeat(300)}.txt`, `${"n".repeat(196)}.txt`],
] as const)
  test(`PF-8 the file name ${sent.slice(0, 20)} is kept as a plain name (T29)`, async () => {
    const answer = await upload("doc", sent, "bytes", "doc");
    assert.equal(answer.status, 200);
    const { name } = answer.body.data.doc;
    assert.equal(name, kept);
    assert.equal(readFileSync(stored(`doc/${name}`), "utf8"), "bytes");
    assert.deepEqual(readdirSync(stored(".")), ["doc"]);
  });

test("PF-8 an encoded file name leads nowhere else (T29)", async () => {
  writeFileSync(join(server.dataDir, "canary.txt"), "canary");
  for (const filename of ["filename*=UTF-8''..%2f..%2f..%2fcanary.txt", "filename*=UTF-8''%00canary.txt"]) {
    const disposition = `form-data; name="doc"; ${filename}`;
    const answer = await send(
      server,
      `${object}/doc`,
      multipart([{ field: "doc", name: "", bytes: "x", disposition }]),
    );
    assert.ok([200, 400].includes(answer.status), filename);
    if (answer.status === 200) assert.equal(answer.body.data.doc.name, "canary.txt");
  }
  assert.equal(readFileSync(join(server.dataDir, "canary.txt"), "utf8"), "canary");
});

test("PF-9, PF-14 a gallery gets one more image, and a name that is taken a number", async () => {
  const first = (await upload("photos", "a.jpg", await picture(4, 3), "photos")).body.data.photos;
  await server.request("PATCH", `${object}/photos/a.jpg`, { body: { alt: "first" } });
  await upload("photos", "a.jpg", await picture(5, 3));
  const { photos } = (await upload("photos", "a.jpg", await picture(6, 3))).body.data;
  assert.deepEqual(
    photos.map(({ name }: { name: string }) => name),
    ["a.jpg", "a-2.jpg", "a-3.jpg"],
  );
  assert.deepEqual(photos[0], { ...first[0], alt: "first" });
  assert.equal(photos[2].width, 6);
});

test("PF-10 an image value describes the picture and has its address", async () => {
  const bytes = await picture(40, 30);
  const { cover } = (await upload("cover", "Hill view.jpg", bytes, "cover")).body.data;
  const { uploadDate, palette, thumbhash, ...rest } = cover;
  assert.deepEqual(rest, {
    name: "Hill view.jpg",
    url: `/imageworks/things/one/cover.jpg?v=${hashOf(bytes)}`,
    size: bytes.length,
    mime: "image/jpeg",
    width: 40,
    height: 30,
    hash: hashOf(bytes),
    exif: {},
    alt: "",
    focalpoint: { x: 50, y: 50 },
    link: "",
    featured: false,
    tags: [],
  });
  assert.ok(Math.abs(Date.parse(uploadDate) - Date.now()) < 60_000);
  assert.match(palette[0], /^#[0-9a-f]{6}$/);
  assert.ok(thumbhash.length > 10);
  const { photos } = (await upload("photos", "b c.png", await picture(4, 3, { format: "png" }))).body.data;
  assert.match(photos[0].url, /^\/imageworks\/things\/one\/photos\/b%20c\.png\?v=[0-9a-f]{32}$/);
});

test("PF-11 a file value describes the file", async () => {
  const { doc } = (await upload("doc", "Report 1.pdf", "%PDF-1.4\n%%EOF", "doc")).body.data;
  const { uploadDate, hash, ...rest } = doc;
  assert.deepEqual(rest, {
    ...{ name: "Report 1.pdf", size: 14, ext: "pdf", mime: "application/pdf", download: "Report 1.pdf" },
    ...{ comments: "", tags: [], protected: true },
  });
  assert.match(`${uploadDate} ${hash}`, /^20\d\d-.*Z [0-9a-f]{32}$/);
});

test("PF-12 a new image replaces the old one, and its texts stay", async () => {
  const first = (await upload("cover", "a.jpg", await picture(4, 3))).body.data.cover;
  const said = { alt: "A hill", tags: ["x"], link: "/y", featured: true };
  await server.request("PATCH", `${object}/cover`, { body: { ...said, focalpoint: { x: 1, y: 2 } } });
  const { cover } = (await upload("cover", "b.png", await picture(8, 3, { format: "png" }))).body.data;
  assert.deepEqual({ ...cover, ...said }, cover);
  assert.deepEqual(
    [cover.name, cover.width, cover.mime, cover.focalpoint],
    ["b.png", 8, "image/png", { x: 50, y: 50 }],
  );
  assert.notEqual(cover.hash, first.hash);
  assert.deepEqual(readdirSync(stored("cover")), ["b.png"]);
});

/** The number of the stored version, from an ETag. */
const revisionOf = (answer: Answer) => Number(/^"\d+-(\d+)-/.exec(answer.headers.get("etag") ?? "")?.[1]);

test("PF-12, PF-90 a file of the same name keeps that name, is one revision, and is stored beside the old one", async () => {
  let revision = revisionOf(await server.request("GET", object));
  for (const [at, width] of [4, 5, 6].entries()) {
    const bytes = await picture(width, 3);
    const answer = await upload("cover", "a.jpg", bytes);
    const { cover } = answer.body.data;
    assert.deepEqual([cover.name, cover.width, cover.hash], ["a.jpg", width, hashOf(bytes)]);
    revision += 1;
    assert.equal(revisionOf(answer), revision);
    const file = at % 2 === 0 ? "a.jpg" : "a-2.jpg";
    assert.equal(cover.storedAs, file === "a.jpg" ? undefined : file);
    assert.deepEqual(readdirSync(stored("cover")), [file]);
    assert.deepEqual(readFileSync(stored(`cover/${file}`)), bytes);
    assert.deepEqual((await fetchBytes(server, cover.url)).bytes, bytes);
    assert.deepEqual((await fetchBytes(server, "/stream/things/one/cover/a.jpg")).bytes, bytes);
    assert.equal((await fetchBytes(server, `${cover.url}&w=2`)).status, 200);
  }
});

test("PF-90 a replaced file is described, cloned, checked, cleared and deleted under the name it is stored as", async () => {
  await upload("doc", "a.txt", "one");
  await upload("doc", "a.txt", "two");
  await upload("parts/a/image", "p.png", await picture(2, 2, { format: "png" }));
  const part = (await upload("parts/a/image", "p.png", await picture(3, 3, { format: "png" }))).body.data.parts[0]
    .image;
  assert.deepEqual([part.name, part.storedAs, part.width], ["p.png", "p-2.png", 3]);
  assert.equal((await fetchBytes(server, `${part.url}&w=1`)).status, 200);
  assert.equal((await server.request("DELETE", `${object}/parts/a/image/p.png/cache`)).body.deleted, 1);
  const said = { comments: "c", storedAs: "other.txt" };
  const { doc } = (await server.request("PATCH", `${object}/doc`, { body: said })).body.data;
  assert.deepEqual([doc.storedAs, doc.comments, doc.ext], ["a-2.txt", "c", "txt"]);
  const got = await fetchBytes(server, "/download/things/one/doc/a.txt");
  assert.equal(got.bytes.toString(), "two");
  assert.match(String(got.headers["content-disposition"]), /filename="a\.txt"/);
  assert.equal((await fetchBytes(server, "/download/things/one/doc/a-2.txt")).status, 404);
  const copy = await server.request("POST", `${object}/clone`, { body: { id: "copy" } });
  assert.equal(copy.status, 200, copy.text);
  assert.equal((await fetchBytes(server, "/stream/things/copy/doc")).bytes.toString(), "two");
  assert.equal((await fetchBytes(server, "/stream/things/copy/parts/a/image")).status, 200);
  const check = await server.cli(["files:check", "--json"]);
  assert.deepEqual([check.code, JSON.parse(check.stdout)], [0, []]);
  await server.request("PATCH", object, { body: { doc: null } });
  assert.equal(existsSync(stored("doc")), false);
  await server.request("DELETE", "/api/collections/things/copy");
});

test("PF-90 an upload of the same name that is refused leaves the file as it was", async () => {
  await upload("doc", "a.txt", "one");
  const form = multipart([{ field: "file", name: "a.txt", bytes: "two" }]);
  const refused = await send(server, `${object}/doc`, form, { headers: { "if-match": '"1-1-x"' } });
  assert.equal(refused.status, 412);
  assert.deepEqual(readdirSync(stored("doc")), ["a.txt"]);
  assert.equal((await fetchBytes(server, "/stream/things/one/doc")).bytes.toString(), "one");
});

test("PF-13 a new file keeps name for download, comments, tags, protection and password of the one before", async () => {
  await upload("doc", "a.txt", "one");
  const said = { download: "Nice name.txt", comments: "c", tags: ["t"], protected: false };
  await server.request("PATCH", `${object}/doc/a.txt`, { body: { ...said, password: "open-sesame" } });
  const answer = await upload("doc", "b.md", "two");
  const { doc } = answer.body.data;
  assert.deepEqual({ ...doc, ...said, download: "Nice name.md" }, doc);
  assert.doesNotMatch(answer.text, /password|sesame|argon2/);
  assert.equal(readFileSync(stored("doc/b.md"), "utf8"), "two");
});

test("PF-15 a depot takes files into folders, by path or by query, and makes them", async () => {
  await upload("box", "top.txt", "1", "box");
  await upload("box/2026/q1", "deep.txt", "2", "q1");
  await upload("box?path=2026/q1", "deep.txt", "3");
  const { box } = (await upload("box/2026", "mid.txt", "4", "box")).body.data;
  const names = (files: { name: string; files?: [] }[]): unknown[] =>
    files.map(({ name, files: below }) => (below ? [name, names(below)] : name));
  assert.deepEqual(names(box.files), ["top.txt", ["2026", [["q1", ["deep.txt", "deep-2.txt"]], "mid.txt"]]]);
  assert.equal(box.files[1].mime, "folder");
  assert.equal(readFileSync(stored("box/2026/q1/deep-2.txt"), "utf8"), "3");
  assert.equal(box.files[1].files[0].files[1].download, "deep.txt");
});

test("PF-16 a child of a card or a deck item takes a file under its own name", async () => {
  const image = await picture(4, 3);
  const { card } = (await upload("card/image", "c.jpg", image, "image")).body.data;
  assert.equal(card.image.url, `/imageworks/things/one/card/image.jpg?v=${hashOf(image)}`);
  assert.deepEqual(readFileSync(stored("card/image/c.jpg")), image);
  const { parts } = (await upload("parts/a/doc", "d.txt", "text", "doc")).body.data;
  assert.deepEqual([parts[0].title, parts[0].doc.name, parts[0].doc.size], ["A", "d.txt", 4]);
  assert.equal(readFileSync(stored("parts/a/doc/d.txt"), "utf8"), "text");
  const patched = await server.request("PATCH", `${object}/parts/a/doc`, { body: { comments: "C", size: 99 } });
  assert.deepEqual([patched.body.data.parts[0].doc.comments, patched.body.data.parts[0].doc.size], ["C", 4]);
});

test("PF-75 PF-89 children may have the names of words of the API", async () => {
  await server.request("PATCH", object, { body: { odd: [{ id: "folder" }] } });
  for (const child of ["move", "rename"]) {
    assert.equal((await upload(`odd/folder/${child}`, "a.txt", child, child)).status, 200);
    for (const method of ["PUT", "PATCH"]) {
      const answer = await server.request(method, `${object}/odd/folder/${child}`, { body: { comments: method } });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data.odd[0][child].comments, method);
    }
    assert.equal((await fetchBytes(server, `/download/things/one/odd/folder/${child}`)).bytes.toString(), child);
    assert.equal((await server.request("DELETE", `${object}/odd/folder/${child}`)).status, 200);
  }
  const form = multipart([{ field: "file", name: "a.txt", bytes: "A" }]);
  const { body } = await send(server, "/api/upload/things/one/oddCard/deck", form);
  assert.equal((await fetchBytes(server, body.link)).bytes.toString(), "A");
  assert.equal((await server.request("DELETE", `${object}/oddCard/deck/b.txt`)).status, 404);
  assert.equal((await server.request("DELETE", `${object}/oddCard/deck/a.txt`)).status, 200);
  assert.equal((await server.request("DELETE", `${object}/title/deck/x`)).status, 400);
});

test("PF-17 a file that is not an image is refused by image properties, and changes nothing (T32)", async () => {
  const before = (await upload("cover", "a.jpg", await picture(4, 3))).body.data;
  const jpegThenNothing = (await picture(40, 30)).subarray(0, 60);
  for (const [name, bytes] of [
    ["a.jpg", "<!doctype html><script>alert(1)</script>"],
    ["a.jpg", "plain text"],
    ["a.png", "%PDF-1.4"],
    ["a.jpg", jpegThenNothing],
    ["a.jpg", ""],
  ] as const) {
    for (const property of ["cover", "photos", "card/image", "parts/a/image"]) {
      const answer = await upload(property, name, bytes);
      assert.deepEqual([answer.status, typeof answer.body.error], [400, "string"], `${property} ${answer.text}`);
    }
  }
  assert.deepEqual(await get(), before);
  assert.deepEqual(readdirSync(stored(".")), ["cover"]);
  assert.deepEqual(staging(), []);
});

test("PF-17 the same bytes are a file like any other where files go", async () => {
  const html = "<!doctype html><script>alert(1)</script>";
  const { doc } = (await upload("doc", "a.jpg", html)).body.data;
  assert.deepEqual([doc.name, doc.mime], ["a.jpg", "text/html"]);
  assert.equal(readFileSync(stored("doc/a.jpg"), "utf8"), html);
});

test("PF-19 a drawing is stored without scripts (T35)", async () => {
  const svg =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="alert(1)">' +
    '<script>alert(2)</script><image href="http://canary.test/x"/><rect width="20" height="10" fill="red"/></svg>';
  for (const property of ["cover", "doc", "box", "photos"]) {
    const answer = await upload(property, "d.svg", svg);
    assert.equal(answer.status, 200, answer.text);
    const text = readFileSync(stored(`${property}/d.svg`), "utf8");
    assert.match(text, /<rect width="20"/);
    assert.doesNotMatch(text, /script|onload|canary/);
  }
  const { cover } = await get();
  assert.deepEqual([cover.mime, cover.width, cover.height], ["image/svg+xml", 20, 10]);
});

test("PF-20 the extension of an image is that of its bytes", async () => {
  const png = await picture(4, 3, { format: "png" });
  assert.equal((await upload("cover", "photo.jpg", png)).body.data.cover.name, "photo.png");
  assert.equal((await upload("cover", "photo", png)).body.data.cover.name, "photo.png");
  assert.equal((await upload("cover", "photo.JPEG", await picture(4, 3))).body.data.cover.name, "photo.JPEG");
});

test("PF-22 a field that wants neither gets no palette", async () => {
  const { plain } = (await upload("plain", "a.jpg", await picture(4, 3))).body.data;
  assert.deepEqual([plain.width, plain.palette, plain.exif], [4, [], {}]);
});

test("PF-65 the location of a picture is neither shown nor stored, unless the setting allows it", async () => {
  const place = {
    GPSLatitudeRef: "N",
    GPSLatitude: "48/1 51/1 30/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "2/1 17/1 40/1",
  };
  const base = await picture(40, 30);
  const photo = await sharp(base)
    .withExif({ IFD0: { Model: "One" }, IFD3: place })
    .jpeg()
    .toBuffer();
  const { cover, doc } = (await upload("cover", "a.jpg", photo)) && (await upload("doc", "a.jpg", photo)).body.data;
  const bytes = readFileSync(stored("cover/a.jpg"));
  assert.deepEqual([cover.exif.camera, cover.exif.latitude], ["One", undefined]);
  assert.deepEqual([cover.hash, cover.size], [hashOf(bytes), photo.length]);
  const exif = async (file: Buffer) => (await sharp(file).metadata()).exif as Buffer;
  assert.ok(
    (await exif(photo)).includes(Buffer.from([0x88, 0x25])) || (await exif(photo)).includes(Buffer.from([0x25, 0x88])),
  );
  assert.ok(
    !(await exif(bytes)).includes(Buffer.from([0x88, 0x25])) &&
      !(await exif(bytes)).includes(Buffer.from([0x25, 0x88])),
  );
  assert.deepEqual(readFileSync(stored(`doc/${doc.name}`)), photo);
  await server.setSetting("imageworks.gatherLocation", true);
  const kept = (await upload("cover", "b.jpg", photo)).body.data.cover;
  assert.match(String(kept.exif.latitude), /^48\.858/);
  assert.deepEqual(readFileSync(stored("cover/b.jpg")), photo);
  await server.setSetting("imageworks.gatherLocation", false);
});

test("PF-23 If-Match counts, and a refused upload leaves nothing behind", async () => {
  const { headers } = await upload("doc", "a.txt", "one");
  const form = multipart([{ field: "doc", name: "b.txt", bytes: "two" }]);
  const stale = await send(server, `${object}/doc`, form, { headers: { "if-match": '"1-1-x"' } });
  assert.equal(stale.status, 412);
  assert.deepEqual(readdirSync(stored("doc")), ["a.txt"]);
  const fresh = await send(server, `${object}/doc`, form, { headers: { "if-match": headers.get("etag") as string } });
  assert.equal(fresh.status, 200);
});

test("PF-9 uploads of one name at the same moment are all kept", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => upload("box", "same.txt", `number ${at}`)));
  assert.ok(answers.every(({ status }) => status === 200));
  const { box } = await get();
  const texts = box.files.map(({ name }: { name: string }) => readFileSync(stored(`box/${name}`), "utf8"));
  assert.deepEqual(texts.sort(), Array.from({ length: 20 }, (_, at) => `number ${at}`).sort());
});

test("PF-25 a reader gets the old file or the new one, whole (T56)", async () => {
  const bodies = ["a", "b"].map((letter) => Buffer.alloc(limit - 1, letter));
  await upload("doc", "big.bin", bodies[0] as Buffer);
  let isDone = false;
  let reads = 0;
  const write = async () => {
    for (let at = 1; at <= 12 || reads <= 5; at++)
      assert.equal((await upload("doc", "big.bin", bodies[at % 2] as Buffer)).status, 200);
    isDone = true;
  };
  const read = async () => {
    while (!isDone) {
      const { status, bytes } = await fetchBytes(server, "/stream/things/one/doc");
      assert.equal(status, 200, bytes.toString("utf8").slice(0, 200));
      assert.ok(
        bodies.some((body) => body.equals(bytes)),
        `${bytes.length} bytes`,
      );
      reads += 1;
    }
  };
  await Promise.all([write(), read(), read(), read()]);
});

test("PF-26 a file that no value names is not overwritten", async () => {
  mkdirSync(stored("box"), { recursive: true });
  writeFileSync(stored("box/a.txt"), "left behind");
  assert.equal((await upload("box", "a.txt", "new")).body.data.box.files[0].name, "a-2.txt");
  assert.equal(readFileSync(stored("box/a.txt"), "utf8"), "left behind");
});
