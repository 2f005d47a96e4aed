// What callers may say about files in the values of an object, and what goes when the values go.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { multipart, send } from "../../support/forms.ts";
import { fetchBytes, picture } from "../../support/sample-files.ts";

let server: Server;
const object = "/api/collections/things/one";

before(async () => {
  server = await startServer();
  const child = { title: { type: "string" }, image: { type: "image" } };
  await server.makeSchema({ id: "child", properties: child, required: [], index: [] });
  const properties = {
    title: { type: "string" },
    cover: { type: "image" },
    photos: { type: "gallery", settings: { rules: { count: { max: 4 } } } },
    doc: { type: "file" },
    box: { type: "depot" },
    card: { type: "card", schemaref: "child" },
    parts: { type: "deck", schemaref: "child" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: ["title"] });
  await server.makeSchema({
    id: "bare",
    properties: { title: { type: "string" }, cover: { type: "image" } },
    required: [],
    index: [],
  });
  await server.makeCollection({ id: "things", schema: "thing" });
  await server.makeCollection({ id: "bares", schema: "bare" });
});
after(() => server.stop());
beforeEach(async () => {
  await server.request("DELETE", object);
  const body = {
    id: "one",
    title: "One",
    parts: [
      { id: "a", title: "A" },
      { id: "b", title: "B" },
    ],
  };
  await server.request("POST", "/api/collections/things", { body });
});

const upload = async (path: string, name: string, bytes: string | Uint8Array) => {
  const answer = await send(server, `${object}/${path}`, multipart([{ field: "file", name, bytes }]));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const get = async () => (await server.request("GET", object)).body.data;
const folder = (path = "") => join(server.dataDir, "things", "one", path);
const names = (values: { name: string }[]) => values.map(({ name }) => name);

test("PF-50 properties of the bytes are set by the service, whatever a body says", async () => {
  const { cover } = await upload("cover", "a.jpg", await picture(4, 3));
  const lies = {
    ...{ name: "b.jpg", url: "http://evil.test/", size: 1, mime: "text/html", width: 9, height: 9, hash: "0" },
    ...{ exif: { title: "x" }, palette: ["#000000"], thumbhash: "x", uploadDate: "x", ext: "exe", count: 7 },
  };
  for (const [method, path, body] of [
    ["PUT", object, { title: "One", cover: { ...lies, alt: "A" } }],
    ["PATCH", object, { cover: { ...lies, alt: "A" } }],
    ["PUT", `${object}/cover`, { ...lies, alt: "A" }],
    ["PATCH", `${object}/cover`, { ...lies, alt: "A" }],
    ["PUT", `${object}/cover/a.jpg`, { ...lies, alt: "A" }],
    ["PATCH", `${object}/cover/a.jpg`, { ...lies, alt: "A" }],
  ] as const) {
    const answer = await server.request(method, path, { body });
    assert.equal(answer.status, 200, answer.text);
    const { focalpoint: _, link: __, featured: ___, tags: ____, ...facts } = cover;
    const now = answer.body.data.cover;
    for (const key of Object.keys(facts))
      assert.deepEqual(now[key], key === "alt" ? "A" : facts[key], `${method} ${key}`);
    assert.equal("ext" in now || "count" in now, false);
  }
});

test("PF-51 files cannot be made up: values without a stored file are dropped", async () => {
  const made = {
    title: "Two",
    cover: { name: "a.jpg", alt: "x" },
    photos: [{ name: "a.jpg" }],
    doc: { name: "a.txt" },
    box: { files: [{ name: "a.txt" }, { name: "sub", mime: "folder", files: [{ name: "b.txt" }] }] },
    card: { title: "C", image: { name: "a.jpg" } },
    parts: [{ id: "a", image: { name: "a.jpg" } }],
  };
  await server.request("DELETE", "/api/collections/things/two");
  const created = await server.request("POST", "/api/collections/things", { body: { id: "two", ...made } });
  assert.equal(created.status, 201);
  const written = await server.request("PUT", object, { body: made });
  for (const { cover, photos, doc, box, card, parts } of [created.body.data, written.body.data]) {
    assert.deepEqual([cover, doc, photos], [undefined, undefined, []]);
    assert.deepEqual(box, { files: [{ name: "sub", mime: "folder", files: [] }] });
    assert.deepEqual([card, parts], [{ title: "C" }, [{ id: "a" }]]);
  }
});

test("PF-51 a file of another property or object is not this one's", async () => {
  await upload("cover", "a.jpg", await picture(4, 3));
  const { data } = (
    await server.request("PATCH", object, { body: { photos: [{ name: "a.jpg" }], doc: { name: "a.jpg" } } })
  ).body;
  assert.deepEqual([data.photos, data.doc], [[], undefined]);
  for (const name of ["../cover/a.jpg", "../../one/cover/a.jpg", "/etc/passwd"]) {
    const answer = await server.request("PATCH", object, { body: { photos: [{ name }], box: { files: [{ name }] } } });
    assert.deepEqual([answer.body.data.photos, answer.body.data.box], [[], { files: [] }]);
  }
  const bad = await server.request("PATCH", object, { body: { box: { files: [{ name: "../x", mime: "folder" }] } } });
  assert.equal(bad.status, 400);
});

test("PF-52 metadata and the order of a gallery are the caller's", async () => {
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await upload("photos", name, await picture(4, 3));
  const photos = [
    { name: "c.jpg", alt: "C", caption: "new" },
    { name: "a.jpg", tags: ["t"], featured: true },
    { name: "b.jpg" },
  ];
  const { data } = (await server.request("PUT", `${object}/photos`, { body: photos })).body;
  assert.deepEqual(names(data.photos), ["c.jpg", "a.jpg", "b.jpg"]);
  assert.deepEqual([data.photos[0].alt, data.photos[0].caption, data.photos[0].width], ["C", "new", 4]);
  assert.deepEqual([data.photos[1].tags, data.photos[1].featured], [["t"], true]);
  const twice = await server.request("PUT", `${object}/photos`, { body: [{ name: "a.jpg" }, { name: "a.jpg" }] });
  assert.deepEqual(names(twice.body.data.photos), ["a.jpg"]);
});

test("PF-53 an item left out is deleted, with its file", async () => {
  for (const name of ["a.jpg", "b.jpg"]) await upload("photos", name, await picture(4, 3));
  await upload("cover", "c.jpg", await picture(4, 3));
  await upload("doc", "d.txt", "x");
  await upload("parts/a/image", "e.jpg", await picture(4, 3));
  await upload("parts/b/image", "f.jpg", await picture(4, 3));
  const before = await get();
  await server.request("PATCH", object, { body: { photos: [before.photos[1]] } });
  assert.deepEqual(readdirSync(folder("photos")), ["b.jpg"]);
  await server.request("DELETE", `${object}/parts/deck/a`);
  assert.deepEqual(readdirSync(folder("parts")), ["b"]);
  await server.request("PATCH", object, { body: { doc: null } });
  assert.equal(existsSync(folder("doc")), false);
  await server.request("PUT", object, { body: { title: "One", cover: before.cover } });
  assert.deepEqual(readdirSync(folder()), ["cover"]);
});

test("PF-53 a refused change takes no file away", async () => {
  await upload("cover", "a.jpg", await picture(4, 3));
  const answer = await server.request("PATCH", object, { body: { cover: null, title: { no: "text" } } });
  assert.equal(answer.status, 400);
  assert.ok(existsSync(folder("cover/a.jpg")));
});

test("PF-55 an import leaves the files of an object alone", async () => {
  await upload("photos", "a.jpg", await picture(4, 3));
  const rows = [{ id: "one", title: "Imported", photos: [{ name: "other.jpg" }], cover: { name: "x.jpg" } }];
  const answer = await server.request("POST", "/api/import/collections/things/json?update=true", { body: rows });
  assert.equal(answer.body.updated, 1, answer.text);
  const { title, photos, cover } = await get();
  assert.deepEqual([title, names(photos), cover], ["Imported", ["a.jpg"], undefined]);
  assert.ok(existsSync(folder("photos/a.jpg")));
});

test("PF-60 an image of a gallery, and the file of a child, are deleted by path", async () => {
  for (const name of ["a.jpg", "b.jpg"]) await upload("photos", name, await picture(4, 3));
  await upload("card/image", "c.jpg", await picture(4, 3));
  await upload("parts/a/image", "d.jpg", await picture(4, 3));
  await upload("cover", "e.jpg", await picture(4, 3));
  const gone = await server.request("DELETE", `${object}/photos/a.jpg`);
  assert.deepEqual([gone.status, names(gone.body.data.photos)], [200, ["b.jpg"]]);
  for (const path of ["card/image", "parts/a/image", "cover/e.jpg"]) {
    assert.equal((await server.request("DELETE", `${object}/${path}`)).status, 200, path);
  }
  for (const path of ["photos/a.jpg", "card/image", "parts/a/image", "cover/e.jpg", "parts/none/image", "nope/x"]) {
    assert.equal((await server.request("DELETE", `${object}/${path}`)).status, 404, path);
  }
  assert.equal((await server.request("DELETE", "/api/collections/things/none/photos/a.jpg")).status, 404);
  assert.deepEqual(readdirSync(folder()), ["photos"]);
  assert.deepEqual((await get()).parts[0], { id: "a", title: "A" });
});

test("PF-61 files go with their property, their object and their collection", async () => {
  await upload("cover", "a.jpg", await picture(4, 3));
  await upload("box/sub", "b.txt", "x");
  const answer = await server.request("DELETE", `${object}/cover`);
  assert.equal("cover" in answer.body.data, false);
  assert.deepEqual(readdirSync(folder()), ["box"]);
  await server.request("DELETE", object);
  assert.equal(existsSync(folder()), false);
  await server.makeCollection({ id: "gone", schema: "bare" });
  await server.request("POST", "/api/collections/gone", { body: { id: "x" } });
  await send(
    server,
    "/api/collections/gone/x/cover",
    multipart([{ field: "file", name: "a.jpg", bytes: await picture(4, 3) }]),
  );
  assert.ok(existsSync(join(server.dataDir, "gone", "x", "cover", "a.jpg")));
  await server.request("DELETE", "/api/collections/gone?confirm=gone");
  assert.equal(existsSync(join(server.dataDir, "gone")), false);
});

test("LST-24 files carry their addresses when they are asked for, as paths or absolute", async () => {
  const image = await picture(4, 3);
  const { cover } = await upload("cover", "a.jpg", image);
  await upload("doc", "b.txt", "B");
  await upload("box/sub", "c d.txt", "C");
  await upload("parts/a/image", "e.jpg", image);
  const asked = async (query: string) => (await server.request("GET", `${object}?${query}`)).body.data;
  const chosen = await asked("fields=cover.url,doc.url,doc.name,box.files.files.url,parts.image.url");
  assert.deepEqual(chosen.cover, { url: cover.url });
  assert.equal(chosen.doc.name, "b.txt");
  assert.equal((await fetchBytes(server, chosen.doc.url)).bytes.toString(), "B");
  const [folder] = chosen.box.files;
  assert.equal((await fetchBytes(server, folder.files[0].url)).bytes.toString(), "C");
  assert.deepEqual((await fetchBytes(server, chosen.parts[0].image.url)).bytes, image);
  const absolute = await asked("urls=absolute");
  assert.equal(absolute.cover.url, `${server.url}${cover.url}`);
  assert.equal(absolute.doc.url, `${server.url}${chosen.doc.url}`);
  assert.equal((await asked("fields=doc.url&urls=absolute")).doc.url, absolute.doc.url);
  const [listed] = (await server.request("GET", "/api/collections/things?urls=path&filter[id]=one")).body.data;
  assert.deepEqual([listed.doc.url, listed.title], [chosen.doc.url, "One"]);
  const [found] = (await server.request("GET", "/api/collections/things/query?urls=path&filter[id]=one")).body.data;
  assert.deepEqual(Object.keys(found), ["id", "title", "created", "modified"]);
  assert.equal("url" in (await get()).doc, false);
  assert.equal((await server.request("GET", `${object}?urls=both`)).status, 400);
  const one = await server.request("GET", `${object}/doc?urls=absolute`);
  assert.equal(one.body.data.url, absolute.doc.url);
  const plain = await server.request("GET", `${object}/doc`);
  assert.equal("url" in plain.body.data, false);
  assert.notEqual(one.headers.get("etag"), plain.headers.get("etag"));
  assert.equal((await server.request("GET", `${object}/doc?urls=both`)).status, 400);
});

test("PF-62 a clone has files of its own", async () => {
  const image = await picture(4, 3);
  await upload("cover", "a.jpg", image);
  await upload("photos", "b.jpg", image);
  await upload("box/sub", "c.txt", "C");
  for (const id of ["copy", "copy-two"]) await server.request("DELETE", `/api/collections/things/${id}`);
  const copy = (await server.request("POST", `${object}/clone`, { body: { id: "copy" } })).body;
  assert.match(copy.cover.url, /^\/imageworks\/things\/copy\/cover\.jpg\?v=/);
  assert.match(copy.photos[0].url, /^\/imageworks\/things\/copy\/photos\/b\.jpg\?v=/);
  await server.request("DELETE", object);
  const copied = (path: string) => readFileSync(join(server.dataDir, "things", "copy", path));
  assert.deepEqual([copied("cover/a.jpg"), copied("photos/b.jpg")], [image, image]);
  assert.equal(copied("box/sub/c.txt").toString(), "C");
  assert.deepEqual((await fetchBytes(server, copy.cover.url)).bytes, image);
});

test("PF-62 a clone in another collection takes the properties of its schema; one that fails leaves nothing", async () => {
  await upload("cover", "a.jpg", await picture(4, 3));
  await upload("doc", "b.txt", "x");
  await server.request("DELETE", "/api/collections/bares/far");
  const far = await server.request("POST", `${object}/clone`, { body: { id: "far", collection: "bares" } });
  assert.equal(far.status, 200, far.text);
  assert.deepEqual(readdirSync(join(server.dataDir, "bares", "far")), ["cover"]);
  const taken = await server.request("POST", `${object}/clone`, { body: { id: "far", collection: "bares" } });
  assert.equal(taken.status, 400);
  assert.ok(existsSync(join(server.dataDir, "bares", "far", "cover", "a.jpg")));
});

test("PF-63 derived images are counted when they are cleared", async () => {
  for (const name of ["a.jpg", "b.jpg"]) await upload("photos", name, await picture(40, 30));
  for (const path of ["photos/a.jpg?w=10", "photos/a.jpg?w=11", "photos/b.jpg?w=10"]) {
    assert.equal((await fetchBytes(server, `/imageworks/things/one/${path}`)).status, 200, path);
  }
  const clear = async (path: string) => (await server.request("DELETE", `${object}/${path}`)).body;
  assert.deepEqual(await clear("photos/b.jpg/cache"), { deleted: 1 });
  assert.deepEqual(await clear("photos/cache"), { deleted: 2 });
  assert.deepEqual(await clear("photos/cache"), { deleted: 0 });
  for (const path of [`${object}/nope`, `${object}/photos/nope.jpg`, `${object}/photos/a.jpg/x`, `${object}x/photos`])
    assert.equal((await server.request("DELETE", `${path}/cache`)).status, 404, path);
  assert.equal((await server.request("DELETE", `${object}/photos/cache`, { key: null })).status, 401);
});

test("PF-21 a gallery that is full takes no more, also at the same moment", async () => {
  const image = await picture(4, 3);
  const form = multipart([{ field: "file", name: "a.jpg", bytes: image }]);
  const answers = await Promise.all(Array.from({ length: 7 }, () => send(server, `${object}/photos`, form)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 400, 400, 400]);
  assert.match(answers.find(({ status }) => status === 400)?.body.error, /"count"/);
  assert.equal(readdirSync(folder("photos")).length, 4);
});

test("IW-27 a 404 for the form of an address says what to write, to callers that may see the image", async () => {
  await upload("cover", "one.png", await picture(20, 20, { format: "png" }));
  await upload("photos", "one.png", await picture(20, 20, { format: "png" }));
  const get404 = async (path: string, key: string | null = server.key) => {
    const { status, bytes } = await fetchBytes(server, `/imageworks/things/one/${path}`, { key });
    return `${status} ${bytes.toString()}`;
  };
  assert.match(await get404("cover.tiff"), /^404 .*images are made as jpg, png, webp, avif, gif, not as tiff/s);
  assert.match(await get404("photos/one.bmp"), /^404 .*not as bmp/s);
  assert.match(await get404("photos/last.jpg"), /^404 .*last takes no extension: write last\?format=jpg/s);
  assert.doesNotMatch(await get404("cover.tiff", null), /tiff/);
});
