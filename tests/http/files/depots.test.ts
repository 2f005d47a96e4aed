// Depots: folders, renaming, moving; and what is deleted from them.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { multipart, send } from "../../support/forms.ts";

let server: Server;
const object = "/api/collections/things/one";
const box = `${object}/box`;

before(async () => {
  server = await startServer();
  const properties = {
    title: { type: "string" },
    box: { type: "depot" },
    doc: { type: "file" },
    photos: { type: "gallery" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing", publicOperations: ["read"] });
  writeFileSync(join(server.dataDir, "canary.txt"), "canary");
});
after(() => server.stop());
beforeEach(async () => {
  await server.request("DELETE", object);
  await server.request("POST", "/api/collections/things", { body: { id: "one" } });
});

const stored = (path: string) => join(server.dataDir, "things", "one", "box", path);
const upload = (path: string, name: string, text = name) =>
  send(server, `${box}${path}`, multipart([{ field: "file", name, bytes: text }]));
const makeFolder = (path: unknown) => server.request("POST", `${box}/folder`, { body: { path } });
const move = (name: string, from: string, destination: unknown) =>
  server.request("PUT", `${box}/${encodeURIComponent(name)}/move?path=${encodeURIComponent(from)}`, {
    body: { destination },
  });
const rename = (path: string, name: unknown) =>
  server.request("PUT", `${box}/folder/rename?path=${encodeURIComponent(path)}`, { body: { name } });

interface Entry {
  name: string;
  files?: Entry[];
}
const tree = (files: Entry[]): unknown[] =>
  files.map(({ name, files: below }) => (below ? { [name]: tree(below) } : name));
const shown = async () => tree((await server.request("GET", object)).body.data.box?.files ?? []);

test("PF-70 folders are made, nested ones too, and made again without harm", async () => {
  const answer = await makeFolder("2026/q1");
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.data.box, {
    protected: true,
    files: [{ name: "2026", mime: "folder", files: [{ name: "q1", mime: "folder", files: [] }] }],
  });
  await upload("/2026/q1", "a.txt");
  assert.equal((await makeFolder("2026/q1")).status, 200);
  assert.equal((await makeFolder("/2026/q2/")).status, 200);
  assert.deepEqual(await shown(), [{ "2026": [{ q1: ["a.txt"] }, { q2: [] }] }]);
  for (const path of [undefined, "", 5, null]) assert.equal((await makeFolder(path)).status, 400, String(path));
  await upload("", "file.txt");
  assert.equal((await makeFolder("file.txt/x")).status, 400);
  assert.equal((await server.request("POST", `${object}/doc/folder`, { body: { path: "x" } })).status, 400);
});

test("PF-71 a folder gets another name where it is, with all that is in it", async () => {
  await upload("/a/inner", "x.txt", "X");
  await upload("/a", "y.txt", "Y");
  await upload("", "z.txt");
  const answer = await rename("a", "b c");
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await shown(), [{ "b c": [{ inner: ["x.txt"] }, "y.txt"] }, "z.txt"]);
  assert.equal(readFileSync(stored("b c/inner/x.txt"), "utf8"), "X");
  assert.deepEqual(readdirSync(stored(".")).sort(), ["b c", "z.txt"]);
  assert.equal((await rename("b c/inner", "deep")).status, 200);
  assert.equal(readFileSync(stored("b c/deep/x.txt"), "utf8"), "X");
});

test("PF-71 an empty folder is renamed as well; a name that is taken, or no folder, is not", async () => {
  await makeFolder("empty");
  await makeFolder("other");
  await upload("", "file.txt");
  assert.equal((await rename("empty", "full")).status, 200);
  assert.equal((await rename("full", "other")).status, 400);
  assert.equal((await rename("full", "file.txt")).status, 400);
  assert.equal((await rename("full", "full")).status, 400);
  assert.equal((await rename("none", "x")).status, 404);
  assert.equal((await rename("file.txt", "x")).status, 404);
  assert.equal((await rename("", "x")).status, 400);
  assert.deepEqual(await shown(), [{ full: [] }, { other: [] }, "file.txt"]);
});

test("PF-72 a file goes to another folder, which is made, and back to the top", async () => {
  await upload("", "a.txt", "A");
  const answer = await move("a.txt", "", "new/deep");
  assert.deepEqual([answer.status, answer.body], [200, { moved: true }]);
  assert.deepEqual(await shown(), [{ new: [{ deep: ["a.txt"] }] }]);
  assert.equal(readFileSync(stored("new/deep/a.txt"), "utf8"), "A");
  assert.equal(existsSync(stored("a.txt")), false);
  assert.deepEqual((await move("a.txt", "new/deep", "")).body, { moved: true });
  assert.deepEqual(await shown(), [{ new: [{ deep: [] }] }, "a.txt"]);
  assert.equal(readFileSync(stored("a.txt"), "utf8"), "A");
});

test("PF-72 nothing is moved onto another, from nowhere, or into itself", async () => {
  await upload("", "a.txt", "A");
  await upload("/sub", "a.txt", "B");
  assert.equal((await move("a.txt", "", "sub")).status, 400);
  assert.equal((await move("a.txt", "", "")).status, 400);
  assert.equal((await move("none.txt", "", "sub")).status, 404);
  assert.equal((await move("a.txt", "none", "")).status, 404);
  assert.equal((await move("sub", "", "sub/below")).status, 400);
  assert.equal((await move("a.txt", "", "a.txt")).status, 400);
  assert.equal((await move("a.txt", "", undefined)).status, 400);
  assert.deepEqual(await shown(), ["a.txt", { sub: ["a.txt"] }]);
  assert.equal(readFileSync(stored("sub/a.txt"), "utf8"), "B");
});

test("PF-72 a folder moves with all that is in it", async () => {
  await upload("/a/b", "x.txt", "X");
  await makeFolder("c");
  assert.equal((await move("b", "a", "c")).status, 200);
  assert.deepEqual(await shown(), [{ a: [] }, { c: [{ b: ["x.txt"] }] }]);
  assert.equal(readFileSync(stored("c/b/x.txt"), "utf8"), "X");
});

for (const path of ["../x", "..", "a/../../x", "/../x", "a//b", "a\\..\\b", ".", "./a", "a/./b", ".hidden", "a\u0000b"])
  test(`PF-73 the path ${JSON.stringify(path)} stays inside the property (T30)`, async () => {
    await upload("/sub", "a.txt");
    const before = (await server.request("GET", object)).text;
    const query = `path=${encodeURIComponent(path)}`;
    const form = multipart([{ field: "file", name: "x.txt", bytes: "x" }]);
    const answers = [
      await makeFolder(path),
      await rename("sub", path),
      await rename(path, "x"),
      await move("a.txt", "sub", path),
      await move("a.txt", path, "x"),
      await send(server, `${box}?${query}`, form),
      await send(server, `${box}/${encodeURIComponent(path)}`, form),
      await server.request("DELETE", `${box}/a.txt?${query}`),
      await server.request("DELETE", `${box}/${encodeURIComponent(path)}`),
      await server.request("PATCH", `${box}/a.txt?${query}`, { body: { comments: "x" } }),
      await server.request("DELETE", `${box}/${encodeURIComponent(path)}/cache`),
    ];
    for (const [at, { status, text }] of answers.entries())
      assert.ok([400, 404].includes(status), `${at}: ${status} ${text}`);
    assert.equal((await server.request("GET", object)).text, before);
    assert.deepEqual(readdirSync(join(server.dataDir, "things", "one")), ["box"]);
    assert.equal(readFileSync(join(server.dataDir, "canary.txt"), "utf8"), "canary");
  });

test("PF-73 a name with a slash is not a folder name (T30)", async () => {
  await makeFolder("sub");
  for (const name of ["a/b", "", "..", ".x", "a\\b", 7, undefined]) {
    assert.equal((await rename("sub", name)).status, 400, String(name));
  }
});

for (const word of [
  "deck",
  "folder",
  "cache",
  "move",
  "rename",
  "increment",
  "decrement",
  "downloads",
  "box",
  "upload",
])
  test(`PF-75 PF-88 PF-89 a file and a folder may be called "${word}"`, async () => {
    const ask = async (method: string, path: string, body?: unknown) => {
      const { status, text } = await server.request(method, path, body === undefined ? {} : { body });
      assert.equal(status, 200, `${method} ${path}: ${text}`);
      return text;
    };
    assert.equal((await upload("", word, "top")).status, 200);
    assert.equal((await upload(`?path=in/${word}`, word, "below")).status, 200);
    assert.equal(await ask("GET", `/download/things/one/box/${word}`), "top");
    assert.equal(await ask("GET", `/stream/things/one/box/in/${word}/${word}`), "below");
    assert.equal(await ask("GET", `/download/things/one/box/${word}?path=in/${word}`), "below");
    await ask("PUT", `${box}/${word}`, { comments: "a" });
    await ask("PATCH", `${box}/${word}?path=in/${word}`, { comments: "b" });
    await ask("PUT", `${box}/${word}/move`, { destination: "out" });
    await ask("PUT", `${box}/${word}/move?path=in`, { destination: "" });
    assert.deepEqual(await shown(), [{ in: [] }, { out: [word] }, { [word]: [word] }]);
    await ask("PUT", `${box}/folder/rename?path=${word}`, { name: "other" });
    await ask("PUT", `${box}/folder/rename?path=other`, { name: word });
    assert.equal(await ask("GET", `/download/things/one/box/${word}/${word}`), "below");
    assert.equal((await upload(`?path=${word}`, "more.txt")).status, 200);
    await ask("DELETE", `${box}/${word}/more.txt`);
    await ask("DELETE", `${box}/${word}?path=${word}`);
    await ask("DELETE", `${box}/${word}?path=`);
    assert.deepEqual(await shown(), [{ in: [] }, { out: [word] }]);
  });

test("PF-88 `cache` below a folder without files clears nothing, and is not a file", async () => {
  await makeFolder("empty");
  await upload("/full", "cache");
  assert.deepEqual((await server.request("DELETE", `${box}/empty/cache`)).body, { deleted: 0 });
  assert.deepEqual((await server.request("DELETE", `${box}/full/cache`)).body, { deleted: 0 });
  assert.equal((await server.request("DELETE", `${box}/none/cache`)).status, 404);
  assert.deepEqual(await shown(), [{ empty: [] }, { full: ["cache"] }]);
});

test("PF-76 files and folders are found by their own name alone, composed or not", async () => {
  await upload("/a-b", "file", "F");
  await upload("/a-b", "caf\u00e9.txt", "C");
  const before = await shown();
  for (const path of ["a:b/file", "a-b/%20", "a-b/%F0%9F%8E%89", "a-b/file.", "a-b/%25", "A-b/file", "a-b/File"]) {
    assert.equal((await server.request("DELETE", `${box}/${path}`)).status, 404, path);
    assert.equal((await server.request("GET", `/download/things/one/box/${path}`)).status, 404, path);
  }
  assert.equal((await rename("a:b", "x")).status, 404);
  assert.equal((await move("file", "a:b", "x")).status, 404);
  assert.deepEqual(await shown(), before);
  const twin = encodeURIComponent("cafe\u0301.txt");
  assert.equal((await server.request("GET", `/download/things/one/box/a-b/${twin}`)).text, "C");
  assert.equal((await server.request("PATCH", `${box}/${twin}?path=a-b`, { body: { comments: "x" } })).status, 200);
  assert.equal((await move("cafe\u0301.txt", "a-b", "e\u0301te\u0301")).status, 200);
  assert.equal((await rename("e\u0301te\u0301", "e\u0301")).status, 200);
  assert.deepEqual(await shown(), [{ "a-b": ["file"] }, { é: ["café.txt"] }]);
  assert.equal((await server.request("DELETE", `${box}/e%CC%81/${twin}`)).status, 200);
});

test("PF-76 a refused name leaves everything as it was, and says which field is wrong", async () => {
  await upload("/old", "f.txt", "bytes");
  await makeFolder("taken");
  const before = (await server.request("GET", object)).text;
  const long = "é".repeat(127);
  for (const name of [
    "a/b",
    "a%2Fb",
    "a\\b",
    ".x",
    "x.",
    " x",
    "x ",
    " ",
    "🎉",
    "🎉x",
    long,
    "a\u202eb",
    "taken",
    "old",
  ]) {
    const { status, body } = await rename("old", name);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["name"]], name);
  }
  for (const destination of ["..", ".x", "a\\b", "🎉", " ", "a/ /b", "old", Array(17).fill("a").join("/")]) {
    const { status, body } = await move("f.txt", "old", destination);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["destination"]], destination);
  }
  const deep = Array(5).fill("d".repeat(200)).join("/");
  assert.equal((await move("old", "", deep)).status, 400);
  assert.equal((await server.request("GET", object)).text, before);
  assert.deepEqual(readdirSync(stored(".")), ["old"]);
  assert.equal(readFileSync(stored("old/f.txt"), "utf8"), "bytes");
});

test("PF-71 only the case of a name may change, and names may differ by it alone", async () => {
  await upload("/A", "f.txt", "bytes");
  assert.equal((await rename("A", "a")).status, 200);
  assert.equal((await makeFolder("A")).status, 200);
  assert.deepEqual(await shown(), [{ a: ["f.txt"] }, { A: [] }]);
  assert.equal((await server.request("GET", "/download/things/one/box/a/f.txt")).text, "bytes");
});

test("PF-74 the password of a file is never shown, and goes with the file", async () => {
  await upload("/sub", "a.txt");
  const set = await server.request("PATCH", `${box}/a.txt?path=sub`, { body: { password: "open-sesame" } });
  assert.equal(set.status, 200, set.text);
  await move("a.txt", "sub", "other");
  await rename("other", "third");
  assert.doesNotMatch((await server.request("GET", object)).text, /password|sesame|argon2/);
  const fetchWith = (password: string) =>
    server.request("POST", "/download/things/one/box/a.txt?path=third", {
      key: null,
      raw: `password=${password}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  assert.equal((await fetchWith("wrong")).status, 403);
  const right = await fetchWith("open-sesame");
  assert.deepEqual([right.status, right.text], [200, "a.txt"]);
});

test("PF-60 one file, or a folder with all that is in it, is deleted", async () => {
  await upload("", "a.txt");
  await upload("/sub/deep", "b.txt");
  await upload("/sub", "c.txt");
  await upload("/sub", "d.txt");
  assert.equal((await server.request("DELETE", `${box}/a.txt`)).status, 200);
  assert.equal((await server.request("DELETE", `${box}/sub/c.txt`)).status, 200);
  assert.equal((await server.request("DELETE", `${box}/d.txt?path=sub`)).status, 200);
  assert.deepEqual(await shown(), [{ sub: [{ deep: ["b.txt"] }] }]);
  for (const path of ["a.txt", "sub/c.txt", "none/x.txt", "sub/none"]) {
    assert.equal((await server.request("DELETE", `${box}/${path}`)).status, 404, path);
  }
  const answer = await server.request("DELETE", `${box}/sub`);
  assert.deepEqual(answer.body.data.box.files, []);
  assert.equal(existsSync(stored(".")), false);
});

test("PF-72 moves at the same moment lose nothing", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `f${at}.txt`);
  for (const name of names) await upload("", name);
  const answers = await Promise.all(names.map((name, at) => move(name, "", `d${at % 3}`)));
  assert.ok(answers.every(({ status }) => status === 200));
  for (const [at, name] of names.entries()) assert.equal(readFileSync(stored(`d${at % 3}/${name}`), "utf8"), name);
});
