// The namespace of the rich-text editor: files beside a text, answered as links.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { makeUser, signIn } from "../../matrix/sessions.ts";
import { chunk, multipart, send } from "../../support/forms.ts";
import { fetchBytes, picture } from "../../support/sample-files.ts";

let server: Server;
const object = "/api/collections/things/one";
const editor = "/api/upload/things/one/body";

before(async () => {
  server = await startServer();
  const properties = {
    body: { type: "string", field: "styledtext" },
    small: { type: "string", field: "styledtext", settings: { rules: { size: { max: 1 } } } },
    photos: { type: "gallery" },
    cover: { type: "image" },
    box: { type: "depot" },
    doc: { type: "file" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing", publicOperations: ["read"] });
});
after(() => server.stop());
beforeEach(async () => {
  await server.request("DELETE", object);
  await server.request("POST", "/api/collections/things", { body: { id: "one", body: "<p>Text</p>" } });
});

const upload = (path: string, name: string, bytes: string | Uint8Array, field = "file") =>
  send(server, path, multipart([{ field, name, bytes }]));
const stored = (path: string) => join(server.dataDir, "things", "one", path);

test("PF-80 a file is stored beside the text, and a link is answered by its kind", async () => {
  const image = await picture(4, 3);
  const before = (await server.request("GET", object)).text;
  const answer = await upload(editor, "My pic.jpg", image);
  assert.deepEqual([answer.status, answer.body], [200, { link: "/imageworks/upload/things/one/body/My%20pic.jpg" }]);
  assert.deepEqual(readFileSync(stored("body/My pic.jpg")), image);
  const mp3 = Buffer.concat([Buffer.from("ID3\u0003\0\0\0\0\0\0"), Buffer.alloc(200, 0xff)]);
  assert.deepEqual((await upload(editor, "a.mp3", mp3)).body, { link: "/stream/upload/things/one/body/a.mp3" });
  assert.deepEqual((await upload(`${editor}/sub`, "a.txt", "x")).body, {
    link: "/download/upload/things/one/body/sub/a.txt",
  });
  assert.deepEqual((await upload(editor, "My pic.jpg", image)).body, {
    link: "/imageworks/upload/things/one/body/My%20pic-2.jpg",
  });
  assert.equal((await server.request("GET", object)).text, before);
});

test("PF-80 the links lead to the bytes", async () => {
  const image = await picture(4, 3);
  for (const [name, bytes] of [
    ["a.jpg", image],
    ["b.txt", Buffer.from("text")],
  ] as const) {
    const { link } = (await upload(editor, name, bytes)).body;
    const fetched = await fetchBytes(server, link);
    assert.deepEqual([fetched.status, fetched.bytes], [200, bytes], link);
  }
});

test("PF-81 GET returns the link of a file, and without one lists them", async () => {
  await upload(editor, "a.jpg", await picture(4, 3));
  await upload(`${editor}/sub`, "b.txt", "x");
  assert.deepEqual((await server.request("GET", `${editor}/a.jpg`)).body, {
    link: "/imageworks/upload/things/one/body/a.jpg",
  });
  assert.equal((await server.request("GET", `${editor}/none.jpg`)).status, 404);
  const { files } = (await server.request("GET", editor)).body;
  assert.deepEqual(files, [
    {
      name: "a.jpg",
      thumbnail: "/imageworks/upload/things/one/body/a.jpg?w=200&h=200&fit=crop",
      url: "/imageworks/upload/things/one/body/a.jpg",
    },
    { name: "b.txt", thumbnail: "", url: "/download/upload/things/one/body/sub/b.txt" },
  ]);
  const below = (await server.request("GET", `${editor}?path=sub`)).body.files;
  assert.deepEqual(
    below.map(({ name }: { name: string }) => name),
    ["b.txt"],
  );
});

test("PF-82 DELETE takes a file away once", async () => {
  await upload(editor, "a.jpg", await picture(4, 3));
  const answer = await server.request("DELETE", `${editor}/a.jpg`);
  assert.deepEqual([answer.status, answer.body], [200, { status: true }]);
  assert.equal((await server.request("DELETE", `${editor}/a.jpg`)).status, 404);
  assert.equal(existsSync(stored("body")), false);
});

test("PF-83 the file passes the same checks: one with an image name must be an image (T32)", async () => {
  const html = "<!doctype html><script>alert(1)</script>";
  for (const path of [editor, `${editor}/sub`, "/api/upload/things/one/cover", "/api/upload/things/one/photos"]) {
    const answer = await upload(path, "a.jpg", html);
    assert.deepEqual([answer.status, typeof answer.body.error], [400, "string"], path);
  }
  assert.equal((await upload("/api/upload/things/one/small", "a.txt", "x".repeat(2_000))).status, 400);
  const missing = await upload(editor, "a.jpg", "x", "other");
  assert.deepEqual([missing.status, missing.body], [400, { error: "No file found for upload" }]);
  assert.equal((await server.request("POST", editor)).status, 400);
  assert.equal(existsSync(stored(".")), false);
});

test("PF-83 scripts in a drawing go, and the link of other active files is for download", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script>1</script><path d="M0 0"/></svg>';
  await upload(editor, "d.svg", svg);
  assert.doesNotMatch(readFileSync(stored("body/d.svg"), "utf8"), /script/);
  assert.match((await upload(editor, "p.html", "<html></html>")).body.link, /^\/download\/upload\//);
});

test("PF-84 chunks are taken here too", async () => {
  const part = (index: number, text: string) =>
    send(server, editor, chunk({ field: "file", name: "a.txt", bytes: Buffer.from(text), index, total: 2, uuid: "e" }));
  assert.deepEqual((await part(0, "ab")).body, { status: "chunk received" });
  assert.deepEqual((await part(1, "cd")).body, { link: "/download/upload/things/one/body/a.txt" });
  assert.equal(readFileSync(stored("body/a.txt"), "utf8"), "abcd");
});

test("PF-85 callers that may not change the object may do none of it; sessions need their token", async () => {
  await upload(editor, "a.txt", "x");
  const form = multipart([{ field: "file", name: "b.txt", bytes: "x" }]);
  const attempts = async (headers: Record<string, string>) => [
    (await send(server, editor, form, { key: null, headers })).status,
    (await server.request("GET", editor, { key: null, headers })).status,
    (await server.request("GET", `${editor}/a.txt`, { key: null, headers })).status,
    (await server.request("DELETE", `${editor}/a.txt`, { key: null, headers })).status,
  ];
  assert.deepEqual(await attempts({}), [401, 401, 401, 401]);
  await makeUser(server, "reader", ["viewer"]);
  await makeUser(server, "writer", ["editor"]);
  assert.deepEqual(await attempts(await signIn(server, "reader")), [403, 403, 403, 403]);
  const { cookie, ...token } = await signIn(server, "writer");
  assert.deepEqual(await attempts({ cookie }), [403, 200, 200, 403]);
  assert.deepEqual(await attempts({ cookie, ...token }), [200, 200, 200, 200]);
});

test("PF-86 places that are not there, and paths that lead out", async () => {
  for (const path of ["things/none/body", "things/one/nope", "nowhere/one/body"]) {
    assert.equal((await upload(`/api/upload/${path}`, "a.txt", "x")).status, 404, path);
    assert.equal((await server.request("GET", `/api/upload/${path}`)).status, 404, path);
  }
  for (const path of ["..%2f..%2fx", "%2e%2e/x", ".hidden", "a%00b"]) {
    for (const method of ["GET", "DELETE"]) {
      assert.ok([400, 404].includes((await server.request(method, `${editor}/${path}`)).status), path);
    }
    assert.ok([400, 404].includes((await upload(`${editor}/${path}`, "a.txt", "x")).status), path);
  }
  assert.equal((await server.request("GET", `${editor}?path=..%2f..`)).status, 400);
});

test("PF-87 on a property that holds files these routes reach the same files", async () => {
  const image = await picture(4, 3);
  const { link } = (await upload("/api/upload/things/one/photos", "a.jpg", image)).body;
  const { photos } = (await server.request("GET", object)).body.data;
  assert.deepEqual([photos[0].name, photos[0].url], ["a.jpg", link]);
  assert.deepEqual((await server.request("GET", "/api/upload/things/one/photos/a.jpg")).body, { link });
  assert.equal((await server.request("GET", "/api/upload/things/one/photos")).body.files[0].url, link);
  assert.match(
    (await upload("/api/upload/things/one/cover", "c.jpg", image)).body.link,
    /^\/imageworks\/things\/one\/cover\.jpg/,
  );
  assert.deepEqual((await upload("/api/upload/things/one/box/sub", "b.txt", "x")).body, {
    link: "/download/things/one/box/b.txt?path=sub",
  });
  assert.deepEqual((await upload("/api/upload/things/one/doc", "d.txt", "x")).body, {
    link: "/download/things/one/doc",
  });
  // A file that has replaced one of its name is called as before.
  await upload("/api/upload/things/one/doc", "d.txt", "y");
  const link2 = { link: "/download/things/one/doc" };
  assert.deepEqual((await server.request("GET", "/api/upload/things/one/doc/d.txt")).body, link2);
  assert.deepEqual((await server.request("GET", "/api/upload/things/one/doc")).body, {
    files: [{ name: "d.txt", thumbnail: "", url: link2.link }],
  });
  assert.equal((await server.request("GET", "/api/upload/things/one/doc/d-2.txt")).status, 404);
  assert.deepEqual((await server.request("DELETE", "/api/upload/things/one/photos/a.jpg")).body, { status: true });
  assert.deepEqual((await server.request("GET", object)).body.data.photos, []);
  assert.equal((await server.request("DELETE", "/api/upload/things/one/photos/a.jpg")).status, 404);
});

test("PF-61 the files of a text go with the property and with the object", async () => {
  await upload(editor, "a.txt", "x");
  await upload("/api/upload/things/one/small", "b.txt", "x");
  await server.request("DELETE", `${object}/body`);
  assert.deepEqual(readdirSync(stored(".")), ["small"]);
  await server.request("DELETE", object);
  assert.equal(existsSync(stored(".")), false);
});
