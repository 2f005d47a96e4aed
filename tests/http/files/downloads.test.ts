// Download: whole files of objects, of their cards and decks, and of the editor; and how often they are fetched.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { fetchBytes, formOf, picture, upload } from "../../support/sample-files.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "leaf",
    properties: { id: { type: "slug" }, doc: { type: "file" }, pic: { type: "image" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "paper",
    properties: {
      id: { type: "slug" },
      title: { type: "string" },
      text: { type: "string", field: "styledtext" },
      draft: { type: "boolean" },
      file: { type: "file" },
      depot: { type: "depot" },
      image: { type: "image" },
      gallery: { type: "gallery" },
      card: { type: "card", schemaref: "/schemas/leaf.json" },
      deck: { type: "deck", schemaref: "/schemas/leaf.json" },
    },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "papers", schema: "paper" });
  await server.makeCollection({ id: "open", schema: "paper", publicOperations: ["read"] });
  for (const collection of ["papers", "open"]) {
    const body = { id: "a", title: "A", card: {}, deck: [{ id: "one" }] };
    await server.request("POST", `/api/collections/${collection}`, { body });
    await upload(server, `${collection}/a/file`, { name: "plan.txt", bytes: "the plan" });
  }
  await upload(server, "papers/a/depot", { name: "root.txt", bytes: "root" });
  await upload(server, "papers/a/depot/2026/spring", { field: "spring", name: "deep.txt", bytes: "deep" });
  await upload(server, "papers/a/card/doc", { field: "doc", name: "in card.txt", bytes: "card" });
  await upload(server, "papers/a/deck/one/doc", { field: "doc", name: "in-deck.txt", bytes: "deck" });
});
after(() => server.stop());

test("DL-1 a file is sent whole, with its type and length, to be saved", async () => {
  const { status, headers, text } = await server.request("GET", "/download/papers/a/file");
  assert.equal(status, 200);
  assert.equal(text, "the plan");
  assert.equal(headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(headers.get("content-length"), "8");
  assert.equal(headers.get("content-disposition"), 'attachment; filename="plan.txt"');
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal((await server.request("GET", "/download/papers/a/file/plan.txt")).text, "the plan");
});

test("DL-20 large files arrive byte for byte, many at once; a client that disconnects leaves no file open", async () => {
  const large = randomBytes(3_000_001);
  await upload(server, "open/a/depot", { field: "depot", name: "large.bin", bytes: large });
  const address = `${server.url}/download/open/a/depot/large.bin`;
  const all = await Promise.all(Array.from({ length: 8 }, async () => (await fetch(address)).arrayBuffer()));
  for (const bytes of all) assert.ok(large.equals(Buffer.from(bytes)));
  for (let round = 0; round < 10; round += 1) {
    const leaving = new AbortController();
    const { body } = await fetch(address, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
  }
  const openFiles = () =>
    readdirSync(`/proc/${server.pid}/fd`).filter((name) => {
      try {
        return readlinkSync(`/proc/${server.pid}/fd/${name}`).endsWith("large.bin");
      } catch {
        return false;
      }
    });
  assert.ok(await until(() => openFiles().length === 0));
  assert.ok(large.equals(Buffer.from(await (await fetch(address)).arrayBuffer())));
});

test("DL-2 files of a depot are found by name, their folder in the path or beside it", async () => {
  for (const [path, expected] of [
    ["root.txt", "root"],
    ["2026/spring/deep.txt", "deep"],
    ["deep.txt?path=2026/spring", "deep"],
    ["deep.txt?path=/2026/spring/", "deep"],
    ["spring/deep.txt?path=2026", "deep"],
  ]) {
    assert.equal((await server.request("GET", `/download/papers/a/depot/${path}`)).text, expected, path);
  }
  for (const path of ["", "/none.txt", "/deep.txt", "/2026", "/2026/spring", "/root.txt?path=2026"]) {
    assert.equal((await server.request("GET", `/download/papers/a/depot${path}`)).status, 404, path);
  }
  const outside = await server.request("GET", "/download/papers/a/depot/root.txt?path=../../open");
  assert.equal(outside.status, 400);
  assert.ok(outside.body.error.details.path);
});

test("DL-3 children of cards and deck items have files too, and a plus is a blank", async () => {
  for (const [path, expected] of [
    ["card/doc", "card"],
    ["card/doc/in%20card.txt", "card"],
    ["card/doc/in+card.txt", "card"],
    ["deck/one/doc", "deck"],
    ["deck/one/doc/in-deck.txt", "deck"],
  ]) {
    assert.equal((await server.request("GET", `/download/papers/a/${path}`)).text, expected, path);
  }
  for (const path of ["card", "card/none", "card/pic", "deck", "deck/one", "deck/two/doc", "title", "none", "id"]) {
    assert.equal((await server.request("GET", `/download/papers/a/${path}`)).status, 404, path);
  }
});

test("DL-4 POST does the same as GET", async () => {
  const { status, text } = await server.request("POST", "/download/papers/a/depot/deep.txt?path=2026/spring");
  assert.deepEqual([status, text], [200, "deep"]);
  assert.equal((await server.request("POST", "/stream/papers/a/file")).status, 405);
});

test("DL-5 the name that is offered is the value's own, in one header line (T34)", async () => {
  for (const [download, expected] of [
    ["ü.txt", `attachment; filename="_.txt"; filename*=UTF-8''%C3%BC.txt`],
    [
      'a"\r\nX-Injected: 1.txt',
      `attachment; filename="a_X-Injected: 1.txt"; filename*=UTF-8''a%22X-Injected%3A%201.txt`,
    ],
  ] as const) {
    await server.request("PATCH", "/api/collections/papers/a/file", { body: { download } });
    const { headers } = await server.request("GET", "/download/papers/a/file");
    assert.equal(headers.get("content-disposition"), expected);
    assert.equal(headers.get("x-injected"), null);
  }
});

test("DL-6 a file that the client has is not sent again", async () => {
  const path = "/download/papers/a/file";
  const { headers } = await server.request("GET", path);
  const etag = headers.get("etag") as string;
  assert.match(etag, /^"[\w-]+"$/);
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const answer = await server.request("GET", path, { headers: { "if-none-match": known } });
    assert.deepEqual([answer.status, answer.text, answer.headers.get("etag")], [304, "", etag]);
  }
  const modified = headers.get("last-modified") as string;
  const since = (value: string, more = {}) =>
    server.request("GET", path, { headers: { "if-modified-since": value, ...more } });
  assert.equal((await since(modified)).status, 304);
  assert.equal((await since("Thu, 01 Jan 1970 00:00:00 GMT")).status, 200);
  assert.equal((await since(modified, { "if-none-match": '"other"' })).status, 200);
  await upload(server, "papers/a/file", { name: "plan.txt", bytes: "the new plan" });
  const replaced = await server.request("GET", path, { headers: { "if-none-match": etag } });
  assert.deepEqual([replaced.status, replaced.text], [200, "the new plan"]);
});

test("DL-7 a download knows no ranges", async () => {
  const { status, headers, text } = await server.request("GET", "/download/papers/a/depot/root.txt", {
    headers: { range: "bytes=0-1" },
  });
  assert.deepEqual([status, text], [200, "root"]);
  assert.equal(headers.get("accept-ranges"), null);
});

test("DL-8 HEAD has the headers of GET", async () => {
  const path = "/download/papers/a/depot/root.txt";
  const get = await server.request("GET", path);
  const head = await server.request("HEAD", path);
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const name of ["content-length", "content-type", "content-disposition", "etag", "last-modified"]) {
    assert.equal(head.headers.get(name), get.headers.get(name), name);
  }
});

test("DL-9 callers that may not read do not learn which files exist (T15)", async () => {
  await server.request("PUT", "/api/access-groups/nobody", { body: { permissions: {} } });
  await makeUser(server, "stranger", ["nobody"]);
  const stranger = await signIn(server, "stranger");
  for (const door of ["download", "stream", "imageworks"]) {
    for (const path of [
      "papers/a/file",
      "papers/a/none",
      "papers/none/file",
      "none/a/file",
      "papers/a/depot/root.txt",
    ]) {
      assert.equal((await server.request("GET", `/${door}/${path}`, { key: null })).status, 401, `${door} ${path}`);
      assert.equal((await stranger.request("GET", `/${door}/${path}`)).status, 403, `${door} ${path}`);
    }
  }
  assert.equal((await server.request("GET", "/download/open/a/file", { key: null })).text, "the plan");
  assert.equal((await server.request("GET", "/download/open/none/file", { key: null })).status, 404);
  assert.equal((await server.request("GET", "/download/open/a/file", { key: "cairn_wrong" })).status, 401);
});

test("DL-10 the setting publicFiles opens the files of a closed collection, and closes those of an open one", async () => {
  const set = (id: string, publicFiles: boolean | null) =>
    server.request("PATCH", `/api/collections/${id}/settings`, { body: { publicFiles } });
  const ask = (path: string) => server.request("GET", `/download/${path}`, { key: null });
  await set("papers", true);
  assert.equal((await ask("papers/a/depot/root.txt")).status, 200);
  assert.equal((await ask("papers/a/none")).status, 404);
  await set("papers", null);
  assert.equal((await ask("papers/a/depot/root.txt")).status, 401);
  await set("open", false);
  assert.equal((await ask("open/a/file")).status, 401);
  await set("open", null);
  assert.equal((await ask("open/a/file")).status, 200);
});

test("DL-11 files of a draft are not for the public", async () => {
  const ask = (key?: null) => server.request("GET", "/download/open/a/file", key === null ? { key } : {});
  await server.request("PATCH", "/api/collections/open/a", { body: { draft: true } });
  assert.equal((await ask(null)).status, 404);
  assert.equal((await ask()).status, 200);
  await server.request("PATCH", "/api/collections/open/a", { body: { draft: false } });
  assert.equal((await ask(null)).status, 200);
});

test("DL-12 shared caches keep only public files", async () => {
  const kept = async (path: string, key?: null) =>
    (await server.request("GET", path, key === null ? { key } : {})).headers.get("cache-control");
  await upload(server, "open/a/image", { name: "p.png", bytes: await picture(8, 8, { format: "png" }) });
  assert.equal(await kept("/stream/open/a/image", null), "public, no-cache");
  assert.equal(await kept("/stream/open/a/file", null), "private, no-cache");
  assert.equal(await kept("/download/papers/a/file"), "private, no-cache");
  assert.equal(await kept("/download/papers/a/none"), "no-store");
});

test("DL-13 a link in the data directory leads nowhere (T31)", async () => {
  const outside = join(server.dataDir, "..", `outside-${process.pid}.txt`);
  writeFileSync(outside, "outside marker");
  await upload(server, "papers/a/depot", { name: "bait.txt", bytes: "bait" });
  const folder = join(server.dataDir, "papers", "a", "depot");
  symlinkSync(outside, join(folder, "planted.txt"));
  symlinkSync(join(server.dataDir, ".."), join(folder, "out"));
  rmSync(join(folder, "bait.txt"));
  symlinkSync(outside, join(folder, "bait.txt"));
  try {
    for (const path of ["planted.txt", "bait.txt", `out/outside-${process.pid}.txt`]) {
      for (const door of ["download", "stream", "imageworks"]) {
        const answer = await server.request("GET", `/${door}/papers/a/depot/${path}`);
        assert.equal(answer.status, 404, `${door} ${path}`);
        assert.ok(!answer.text.includes("outside marker"));
      }
    }
  } finally {
    rmSync(outside);
  }
});

test("DL-14 addresses that climb or hide are not found (T19)", async () => {
  for (const path of [
    "papers/a/depot/..%2f..%2f..%2f.system%2fsite.key",
    "papers/a/depot/%2e%2e/%2e%2e/x",
    "papers/a/depot/%252e%252e%252fx",
    "papers/a/depot/..%5cx",
    "papers/%2e%2e/depot/x",
    "..%2fpapers/a/file",
    "upload/papers/a/text/..%2f..%2ffile%2fplan.txt",
    "upload/papers/a/text/.cache/x",
    "upload/papers/a/depot/root.txt",
    "upload/papers/a/card/doc/in%20card.txt",
  ]) {
    for (const door of ["download", "stream", "imageworks"]) {
      const { status } = await server.request("GET", `/${door}/${path}`);
      assert.ok(status === 404 || status === 400, `${door}/${path}: ${status}`);
    }
  }
});

test("DL-15 uploads of the editor have their own addresses", async () => {
  const form = formOf({ field: "file", name: "note.txt", bytes: "a note" });
  const { status, body } = await server.request("POST", "/api/upload/papers/a/text", form);
  assert.equal(status, 200);
  assert.equal(body.link, "/download/upload/papers/a/text/note.txt");
  const answer = await server.request("GET", body.link);
  assert.deepEqual([answer.status, answer.text], [200, "a note"]);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal((await server.request("GET", body.link, { key: null })).status, 401);
  assert.equal((await server.request("GET", "/stream/upload/papers/a/text/note.txt")).text, "a note");
  assert.equal((await server.request("GET", "/download/upload/papers/a/text/none.txt")).status, 404);
});

test("DL-16 downloads are counted beside the object, which stays as it is", async () => {
  await upload(server, "papers/a/depot", { name: "counted.txt", bytes: "0123456789" });
  const before = await server.request("GET", "/api/collections/papers/a");
  await server.request("GET", "/download/papers/a/depot/counted.txt");
  await server.request("POST", "/download/papers/a/depot/counted.txt");
  await server.request("HEAD", "/download/papers/a/depot/counted.txt");
  for (const range of ["bytes=0-1", "bytes=2-3", "bytes=-1"])
    await server.request("GET", "/stream/papers/a/depot/counted.txt", { headers: { range } });
  const counts = async () => (await server.request("GET", "/api/collections/papers/a/depot/downloads")).body.data;
  const countOf = ({ files }: { files: { path: string; count: number }[] }) =>
    files.find(({ path }) => path === "depot/counted.txt")?.count ?? 0;
  // Other nodes write down what they counted a moment later.
  const counted = await until(counts, (found) => countOf(found) >= 3);
  assert.equal(countOf(counted), 3);
  assert.ok(counted.total >= 3);
  const now = await server.request("GET", "/api/collections/papers/a");
  assert.equal(now.text, before.text);
  assert.equal(now.headers.get("etag"), before.headers.get("etag"));
  assert.equal((await server.request("GET", "/api/collections/papers/a/none/downloads")).status, 404);
  assert.equal((await server.request("GET", "/api/collections/papers/a/depot/downloads", { key: null })).status, 401);
});

test("DL-17 counts survive a restart and go with their object", async () => {
  await server.request("POST", "/api/collections/papers", { body: { id: "gone" } });
  await upload(server, "papers/gone/file", { name: "x.txt", bytes: "x" });
  await server.request("GET", "/download/papers/gone/file");
  await server.restart();
  const counts = () => server.request("GET", "/api/collections/papers/gone/file/downloads");
  assert.deepEqual((await counts()).body.data, { total: 1, files: [{ path: "file", count: 1 }] });
  await server.request("DELETE", "/api/collections/papers/gone");
  await server.request("POST", "/api/collections/papers", { body: { id: "gone" } });
  assert.deepEqual((await counts()).body.data, { total: 0, files: [] });
  assert.equal((await fetchBytes(server, "/download/papers/gone/file")).status, 404);
});

test("DL-18 with files.handover the server in front sends the file", async () => {
  const set = (body: object) => server.request("PUT", "/api/settings/files", { body });
  await set({ handover: "x-accel-redirect", handoverPrefix: "/private" });
  const accel = await server.request("GET", "/download/papers/a/card/doc");
  assert.deepEqual([accel.status, accel.text], [200, ""]);
  assert.equal(accel.headers.get("x-accel-redirect"), "/private/papers/a/card/doc/in%20card.txt");
  assert.match(accel.headers.get("content-disposition") ?? "", /^attachment; filename="in card\.txt"/);
  assert.equal((await server.request("GET", "/download/papers/a/none")).status, 404);
  assert.equal((await server.request("GET", "/download/papers/a/card/doc", { key: null })).status, 401);
  await set({ handover: "x-sendfile" });
  const sent = await server.request("GET", "/stream/papers/a/depot/root.txt", { headers: { range: "bytes=0-1" } });
  assert.equal(sent.headers.get("x-sendfile"), join(server.dataDir, "papers/a/depot/root.txt"));
  assert.deepEqual([sent.status, sent.text], [200, ""]);
  await set({ handover: "" });
  assert.equal((await server.request("GET", "/download/papers/a/depot/root.txt")).text, "root");
});
