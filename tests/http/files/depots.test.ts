// Depots: folders, renaming, moving; and what is deleted from them.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { multipart, send } from "../../support/forms.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let server: Server;
let writer: Person;
const object = "/api/collections/things/one";
const box = `${object}/box`;

before(async () => {
  server = await startServer();
  const properties = {
    title: { type: "string" },
    box: { type: "depot" },
    doc: { type: "file" },
    ruled: { type: "depot", settings: { rules: { filetype: [".txt"] } } },
    photos: { type: "gallery" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing", publicOperations: ["read"] });
  await server.makeCollection({ id: "closed", schema: "thing", groups: ["press"] });
  await server.makeCollection({ id: "pad", schema: "thing", publicOperations: ["read", "update"] });
  await makeUser(server, "writer", ["editor"]);
  writer = await signIn(server, "writer");
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

const change = (body: object, property = "box") =>
  server.request("POST", `/api/depots/things/one/${property}`, { body });

test("PF-91 several files and folders are moved or deleted in one write, or none of them", async () => {
  await upload("/a", "x.txt", "X");
  await upload("/a/b", "y.txt", "Y");
  await upload("", "z.txt", "Z");
  await upload("/c", "z.txt", "taken");
  const before = (await server.request("GET", object)).text;
  for (const [body, status, field] of [
    [{ operation: "move", paths: ["a/x.txt", "z.txt"], destination: "c" }, 400, "destination"],
    [{ operation: "move", paths: ["a/x.txt", "none"], destination: "c" }, 404, undefined],
    [{ operation: "move", paths: ["a"], destination: "a/b" }, 400, "destination"],
    [{ operation: "move", paths: ["a"] }, 400, "destination"],
    [{ operation: "delete", paths: ["a/x.txt", "none"] }, 404, undefined],
    [{ operation: "delete", paths: [] }, 400, "paths"],
    [{ operation: "delete", paths: [""] }, 400, "paths"],
    [{ operation: "delete", paths: ["../x"] }, 400, "paths"],
    [{ operation: "delete", paths: Array.from({ length: 501 }, () => "z.txt") }, 400, "paths"],
    [{ operation: "burn", paths: ["a"] }, 400, "operation"],
  ] as const) {
    const refused = await change(body);
    assert.equal(refused.status, status, JSON.stringify(body));
    if (field) assert.deepEqual(Object.keys(refused.body.error.details), [field]);
  }
  assert.equal((await change({ operation: "delete", paths: ["a"] }, "doc")).status, 400);
  assert.equal((await server.request("GET", object)).text, before);
  assert.equal(existsSync(stored("c/x.txt")), false);
  const answer = await change({ operation: "move", paths: ["a/b/y.txt", "a", "c/z.txt"], destination: "c" });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(tree(answer.body.data.box.files), ["z.txt", { c: ["z.txt", { a: ["x.txt", { b: ["y.txt"] }] }] }]);
  assert.equal(answer.headers.get("etag"), (await server.request("GET", object)).headers.get("etag"));
  assert.equal(readFileSync(stored("c/a/b/y.txt"), "utf8"), "Y");
  assert.equal(existsSync(stored("a")), false);
  const stale = await server.request("POST", "/api/depots/things/one/box", {
    body: { operation: "delete", paths: ["c"] },
    headers: { "if-match": '"old"' },
  });
  assert.equal(stale.status, 412);
  assert.equal((await change({ operation: "delete", paths: ["c/a", "z.txt"] })).status, 200);
  assert.deepEqual(await shown(), [{ c: ["z.txt"] }]);
  assert.equal(existsSync(stored("c/a")), false);
});

test("PF-92 a file is renamed where it is; the rules of the field hold for the new name", async () => {
  await upload("/a", "x.txt", "X");
  await upload("/a", "y.txt", "Y");
  const renamed = await change({ operation: "rename", paths: ["a/x.txt"], name: "Notes 1.md" });
  assert.equal(renamed.status, 200, renamed.text);
  const [file] = renamed.body.data.box.files[0].files;
  assert.deepEqual([file.name, file.ext, file.download], ["Notes 1.md", "md", "Notes 1.md"]);
  assert.equal(readFileSync(stored("a/Notes 1.md"), "utf8"), "X");
  await server.request("PATCH", `${box}/y.txt?path=a`, { body: { download: "why.txt" } });
  const kept = await change({ operation: "rename", paths: ["a/y.txt"], name: "z.txt" });
  assert.equal(kept.body.data.box.files[0].files[1].download, "why.txt");
  for (const name of ["Notes 1.md", "../x", ""]) {
    const refused = await change({ operation: "rename", paths: ["a/z.txt"], name });
    assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["name"]], name);
  }
  assert.equal((await change({ operation: "rename", paths: ["a", "a/z.txt"], name: "b" })).status, 200);
  assert.equal((await change({ operation: "rename", paths: ["b/z.txt", "b/Notes 1.md"], name: "c" })).status, 400);
  assert.equal((await change({ operation: "rename", paths: ["none"], name: "c" })).status, 404);
  await send(server, `${object}/ruled`, multipart([{ field: "file", name: "r.txt", bytes: "R" }]));
  const broken = await change({ operation: "rename", paths: ["r.txt"], name: "r.exe" }, "ruled");
  assert.deepEqual([broken.status, /filetype/.test(broken.text)], [400, true]);
});

test("PF-74 the password of a file stays when one moves whose name begins the same", async () => {
  await upload("", "report");
  await upload("", "report.pdf");
  await server.request("PATCH", `${box}/report.pdf`, { body: { password: "open-sesame" } });
  assert.equal((await move("report", "", "old")).status, 200);
  assert.equal((await server.request("GET", "/download/things/one/box/report.pdf", { key: null })).status, 403);
});

const protection = (path: string, id = "one") =>
  `/api/file-protection?${new URLSearchParams({ collection: "things", id, path })}`;
const protect = (path: string, body: object) =>
  server.request("PUT", "/api/file-protection", { body: { collection: "things", id: "one", path, ...body } });
const fetched = async (path: string) => (await server.request("GET", path, { key: null })).status;

test("PROT-20 what protects a file is shown and changed, and a password removed", async () => {
  await upload("/sub", "a.txt");
  await upload("", "password");
  await send(server, `${object}/doc`, multipart([{ field: "file", name: "d.txt", bytes: "D" }]));
  const state = async (path: string) => (await server.request("GET", protection(path))).body.data;
  const open = { protected: true, hasPassword: false, lockedBy: "", groups: [] };
  for (const path of ["box", "box/sub", "box/sub/a.txt", "doc", "doc/d.txt"]) assert.deepEqual(await state(path), open);
  const set = await protect("box", { password: "lilac-42", protected: false });
  assert.equal(set.status, 200, set.text);
  assert.equal(set.body.data.box.protected, false);
  assert.ok(set.headers.get("etag"));
  assert.deepEqual(await state("box/sub/a.txt"), { ...open, protected: false, lockedBy: "box" });
  await protect("box/sub", { password: "lilac-43" });
  await protect("box/password", { password: "lilac-44" });
  await protect("doc", { password: "lilac-45" });
  assert.equal((await state("box/sub/a.txt")).lockedBy, "box/sub");
  assert.equal((await state("doc/d.txt")).hasPassword, true);
  assert.equal(await fetched("/download/things/one/doc"), 403);
  assert.equal((await protect("box", { password: null })).status, 200);
  assert.equal((await state("box")).hasPassword, false);
  assert.equal((await state("box/password")).hasPassword, true);
  assert.equal((await state("box/sub")).hasPassword, true);
  await protect("box/sub", { password: null });
  await protect("doc", { password: null });
  assert.deepEqual(
    [await fetched("/download/things/one/box/sub/a.txt"), await fetched("/download/things/one/doc")],
    [200, 200],
  );
  assert.doesNotMatch((await server.request("GET", object)).text, /argon2|lilac/);
  for (const [path, body, status] of [
    ["box/none", { password: "x-1" }, 404],
    ["none", { password: "x-1" }, 404],
    ["title", { password: "x-1" }, 400],
    ["box/sub", { protected: true }, 400],
    ["box", { protected: "yes" }, 400],
    ["box", { password: "" }, 400],
    ["box", { password: "a b" }, 400],
    ["box", {}, 400],
    ["../box", { password: "x-1" }, 400],
    ["", { password: "x-1" }, 400],
  ] as const)
    assert.equal((await protect(path, body)).status, status, `${path} ${JSON.stringify(body)}`);
  assert.equal((await server.request("GET", protection("box/none"))).status, 404);
  assert.equal((await server.request("GET", protection("box", "none"))).status, 404);
});

test("PROT-19 a link is made over the API as by the command, and ends", async () => {
  await upload("/sub", "a.txt", "A");
  await protect("box", { password: "lilac-42" });
  const ask = (body: object) =>
    writer.request("POST", "/api/file-links", { body: { collection: "things", id: "one", ...body } });
  const made = await ask({ path: "box/sub/a.txt", password: "lilac-42", expires: "PT1H" });
  assert.equal(made.status, 200, made.text);
  const { pwd, download, stream, isRight } = made.body.data;
  assert.deepEqual([isRight, download], [true, `/download/things/one/box/sub/a.txt?pwd=${pwd}`]);
  assert.deepEqual([await fetched(download), await fetched(stream)], [200, 200]);
  assert.equal((await ask({ path: "box/sub/a.txt", password: "wrong" })).body.data.isRight, false);
  const folder = (await ask({ path: "box/sub", password: "lilac-42" })).body.data;
  assert.equal(await fetched(`/download/things/one/box/sub/a.txt?pwd=${folder.pwd}`), 200);
  const over = (await ask({ path: "box", password: "lilac-42", expires: "PT0S" })).body.data;
  assert.equal(await fetched(`/download/things/one/box/sub/a.txt?pwd=${over.pwd}`), 403);
  for (const [body, field, status] of [
    [{ path: "box" }, "password", 400],
    [{ path: "box", password: "" }, "password", 400],
    [{ path: "box", password: 5 }, "password", 400],
    [{ path: "box", password: "x", expires: "soon" }, "expires", 400],
    [{ path: "box", password: "x", expires: 7 }, "expires", 400],
    [{ password: "x" }, "path", 400],
    [{ path: "../x", password: "x" }, "path", 400],
    [{ path: "box/none", password: "x" }, undefined, 404],
    [{ path: "title", password: "x" }, undefined, 404],
  ] as const) {
    const refused = await ask(body);
    assert.equal(refused.status, status, JSON.stringify(body));
    if (field) assert.deepEqual(Object.keys(refused.body.error.details), [field]);
  }
});

test("PROT-19 PROT-20 callers that may not fetch a file neither link to it nor change its protection", async () => {
  for (const collection of ["closed", "pad"]) {
    await server.request("POST", `/api/collections/${collection}`, { body: { id: "one" } });
    const path = `/api/collections/${collection}/one/doc`;
    await send(server, path, multipart([{ field: "file", name: "d.txt", bytes: "D" }]));
  }
  const link = { collection: "closed", id: "one", path: "doc", password: "x" };
  assert.equal((await writer.request("POST", "/api/file-links", { body: link })).status, 403);
  const change = { collection: "closed", id: "one", path: "doc", protected: false };
  assert.equal((await writer.request("PUT", "/api/file-protection", { body: change })).status, 403);
  assert.equal((await server.request("POST", "/api/file-links", { body: link })).status, 200);
  for (const [method, path] of [
    ["POST", "/api/file-links"],
    ["PUT", "/api/file-protection"],
  ] as const) {
    const body = { ...link, collection: "pad" };
    assert.equal((await server.request(method, path, { key: null, body })).status, 401, path);
  }
});
