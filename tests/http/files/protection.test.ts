// Protected files: groups, passwords, links, and the same verdict at every door.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { multipart, send } from "../../support/forms.ts";
import { formOf, picture, upload } from "../../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

let server: Server;
const people: Record<string, Person> = {};
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "kit",
    properties: {
      id: { type: "slug" },
      file: { type: "file" },
      other: { type: "file" },
      depot: { type: "depot" },
      image: { type: "image" },
      marked: { type: "image", settings: { watermark: { marktext: "CAIRN" } } },
      gallery: { type: "gallery" },
      text: { type: "string", field: "styledtext", settings: { fileProtectedByCollection: true } },
    },
    required: ["id"],
    index: ["id"],
  });
  await server.makeCollection({ id: "kits", schema: "kit", publicOperations: ["read"] });
  await server.makeCollection({ id: "closed", schema: "kit" });
  await server.makeCollection({ id: "pad", schema: "kit", publicOperations: ["read", "create", "update"] });
  await server.makeSchema({
    id: "frame",
    properties: { file: { type: "image" }, other: { type: "file", settings: { rules: { size: { max: 0.005 } } } } },
    required: [],
    index: [],
  });
  await server.makeCollection({ id: "frames", schema: "frame" });
  for (const collection of ["kits", "closed"]) {
    await server.request("POST", `/api/collections/${collection}`, { body: { id: "a" } });
    for (const property of ["file", "other"]) {
      await upload(server, `${collection}/a/${property}`, { name: "kit.txt", bytes: "0123456789" });
    }
    await upload(server, `${collection}/a/depot`, { name: "one.txt", bytes: "one" });
    await upload(server, `${collection}/a/depot/deep`, { field: "deep", name: "two.txt", bytes: "two" });
    await upload(server, `${collection}/a/image`, { name: "p.jpg", bytes: await picture(40, 20) });
  }
  await server.request("PUT", "/api/access-groups/press", { body: { permissions: {} } });
  await server.request("PUT", "/api/access-groups/none", { body: { permissions: {} } });
  for (const [id, groups] of Object.entries({
    member: ["press"],
    reader: ["viewer"],
    stranger: ["none"],
    boss: ["admin"],
    writer: ["editor"],
  })) {
    await makeUser(server, id, groups);
    people[id] = await signIn(server, id);
  }
});
after(() => server.stop());

const set = (path: string, body: object) => server.request("PATCH", `/api/collections/${path}`, { body });
const groups = (collection: string, names: string[]) => set(`${collection}/settings`, { groups: names });
const anonymous = (path: string, method = "GET", headers = {}) => server.request(method, path, { key: null, headers });

async function link(path: string[], more: string[] = []): Promise<{ pwd: string; download: string; stream: string }> {
  const { code, stdout, stderr } = await server.cli(["file:password", ...path, "--json", ...more]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The same file at every door that has it. */
async function knock(query: string): Promise<Answer[]> {
  return Promise.all([
    anonymous(`/download/closed/a/file${query}`),
    anonymous(`/download/closed/a/file${query}`, "POST"),
    anonymous(`/download/closed/a/file${query}`, "HEAD"),
    anonymous(`/stream/closed/a/file${query}`),
    anonymous(`/stream/closed/a/file${query}`, "HEAD"),
    anonymous(`/stream/closed/a/file${query}`, "GET", { range: "bytes=0-1" }),
    anonymous(`/stream/closed/a/file/kit.txt${query}`),
  ]);
}

test("PROT-1 a protected file is for the groups of its collection, and for admins and keys", async () => {
  await groups("kits", ["press"]);
  const ask = async (who: string) => (await people[who]?.request("GET", "/download/kits/a/file"))?.status;
  assert.deepEqual(
    [await ask("member"), await ask("boss"), await ask("reader"), await ask("stranger")],
    [200, 200, 403, 403],
  );
  assert.equal((await server.request("GET", "/download/kits/a/file")).status, 200);
  assert.equal((await anonymous("/download/kits/a/file")).status, 403);
  assert.equal((await anonymous("/imageworks/kits/a/image.jpg")).status, 200);
  const kept = await people.member?.request("GET", "/download/kits/a/file");
  assert.equal(kept?.headers.get("cache-control"), "private, no-cache");
});

test("PROT-1 members get protected files of objects that they may not read, and nothing else", async () => {
  await groups("closed", ["press"]);
  const ask = async (who: string, path: string) => (await people[who]?.request("GET", path))?.status;
  assert.equal(await ask("member", "/download/closed/a/file"), 200);
  assert.equal(await ask("member", "/imageworks/closed/a/image.jpg"), 403);
  assert.equal(await ask("member", "/api/collections/closed/a"), 403);
  assert.equal(await ask("stranger", "/download/closed/a/file"), 403);
  for (const path of ["a/file", "a/none", "none/file"]) {
    assert.equal((await anonymous(`/download/closed/${path}`)).status, 403, path);
  }
  await groups("closed", []);
  assert.equal(await ask("member", "/download/closed/a/file"), 403);
  assert.equal((await anonymous("/download/closed/a/file")).status, 401);
});

test("PROT-2 without groups it is for callers that may read, with default for signed-in users", async () => {
  await groups("kits", ["default"]);
  assert.equal((await people.stranger?.request("GET", "/download/kits/a/file"))?.status, 200);
  assert.equal((await anonymous("/download/kits/a/file")).status, 403);
  await groups("kits", []);
  assert.equal((await anonymous("/download/kits/a/file")).status, 200);
  await groups("kits", ["press"]);
  await set("kits/a/other", { protected: false });
  assert.equal((await anonymous("/download/kits/a/other")).status, 200);
});

test("PROT-3 the flag of a depot holds for all that is in it", async () => {
  for (const path of ["one.txt", "deep/two.txt"])
    assert.equal((await anonymous(`/download/kits/a/depot/${path}`)).status, 403);
  await set("kits/a/depot", { protected: false });
  for (const path of ["one.txt", "deep/two.txt"])
    assert.equal((await anonymous(`/download/kits/a/depot/${path}`)).status, 200);
});

test("PROT-4 uploads of the editor are protected where the field says so, images never", async () => {
  const send = async (name: string, bytes: string | Uint8Array) =>
    (await server.request("POST", "/api/upload/kits/a/text", formOf({ field: "file", name, bytes }))).body
      .link as string;
  const note = await send("note.txt", "note");
  const image = await send("p.png", await picture(4, 4, { format: "png" }));
  for (const door of ["download", "stream"]) {
    const path = note.replace("/download/", `/${door}/`);
    assert.equal((await anonymous(path)).status, 403, path);
    assert.equal((await people.member?.request("GET", path))?.status, 200, path);
  }
  assert.equal((await anonymous(image)).status, 200);
});

test("PROT-5 a password is required on every route, and never shown (T51)", async () => {
  const saved = await set("closed/a/file", { password: "lilac-42" });
  assert.equal(saved.status, 200);
  assert.ok(!saved.text.includes("lilac") && !saved.text.includes("argon2"));
  const { pwd } = await link(["closed", "a", "file"], ["--password", "lilac-42"]);
  assert.match(pwd, /^[\w-]+$/);
  const wrong = [
    "",
    "?pwd=",
    "?pwd=x",
    `?pwd=${pwd.slice(0, -2)}AA`,
    `?pwd=${(await link(["closed", "a", "other"], ["--password", "lilac-42"])).pwd}`,
    `?pwd=${(await link(["kits", "a", "file"], ["--password", "lilac-42"])).pwd}`,
    `?pwd=${(await link(["closed", "a", "file"], ["--password", "wrong"])).pwd}`,
  ];
  for (const query of wrong.slice(0, 2)) {
    for (const { status, text } of await knock(query)) {
      assert.equal(status, 403, query);
      assert.ok(!text.includes("0123"));
    }
  }
  for (const query of wrong.slice(2))
    assert.equal((await anonymous(`/stream/closed/a/file${query}`)).status, 403, query);
  const right = await knock(`?pwd=${pwd}`);
  assert.deepEqual(
    right.map(({ status }) => status),
    [200, 200, 200, 200, 200, 206, 200],
  );
  for (const { headers } of right) assert.match(headers.get("cache-control") ?? "", /^private/);
});

test("PROT-6 callers that may read the object by a right of their own need no password", async () => {
  for (const path of ["/download/closed/a/file", "/stream/closed/a/file"]) {
    assert.equal((await server.request("GET", path)).status, 200);
    assert.equal((await people.reader?.request("GET", path))?.status, 200);
    assert.equal((await people.stranger?.request("GET", path))?.status, 403);
  }
});

test("PROT-7 POST takes the password as it is typed, from a form or as JSON", async () => {
  const path = "/download/closed/a/file";
  const post = (raw: string, type: string) =>
    server.request("POST", path, { key: null, raw, headers: { "content-type": type } });
  const form = "application/x-www-form-urlencoded";
  assert.equal((await post("password=lilac-42", form)).text, "0123456789");
  assert.equal((await post('{"password":"lilac-42"}', "application/json")).status, 200);
  assert.equal((await post("password=lilac-43", form)).status, 403);
  assert.equal((await post("password=", form)).status, 403);
  assert.equal((await post("password=a&password=b", form)).status, 400);
  const right = { field: "password", value: "lilac-42" };
  for (const [parts, status] of [
    [[right], 200],
    [[{ field: "password", value: "lilac-43" }], 403],
    [[right, right], 400],
    [[{ field: "password", name: "a.txt", bytes: "lilac-42" }], 400],
  ] as const)
    assert.equal((await send(server, path, multipart([...parts]), { key: null })).status, status);
  assert.equal((await post("--b broken", "multipart/form-data; boundary=b")).status, 400);
});

test("PROT-8 a link ends at its time, and with the password", async () => {
  // On a busy machine a command may take longer than its link holds.
  let [download, isOpen] = ["", false];
  for (let seconds = 1; seconds < 40 && !isOpen; seconds *= 2) {
    ({ download } = await link(["closed", "a", "image"], ["--password", "x", "--expires", `PT${seconds}S`]));
    isOpen = (await anonymous(download)).status === 200;
  }
  assert.ok(isOpen);
  const old = await link(["closed", "a", "other"], ["--password", "first"]);
  await set("closed/a/other", { password: "first" });
  assert.equal((await anonymous(old.download)).status, 200);
  await set("closed/a/other", { password: "second" });
  assert.equal((await anonymous(old.download)).status, 403);
  assert.ok(await until(async () => (await anonymous(download)).status === 403));
});

test("PROT-9 a link for a depot opens all that is in it, one for a file only that file", async () => {
  await set("closed/a/depot", { password: "mint-7" });
  const all = await link(["closed", "a", "depot"], ["--password", "mint-7"]);
  const one = await link(["closed", "a", "depot", "deep/two.txt"], ["--password", "mint-7"]);
  assert.equal((await anonymous(one.stream)).text, "two");
  const ask = async (path: string, pwd: string) =>
    (await anonymous(`/stream/closed/a/depot/${path}&pwd=${pwd}`)).status;
  assert.equal(await ask("one.txt?x=1", all.pwd), 200);
  assert.equal(await ask("two.txt?path=deep", all.pwd), 200);
  assert.equal(await ask("two.txt?path=deep", one.pwd), 200);
  assert.equal(await ask("one.txt?x=1", one.pwd), 403);
});

test("PROT-10 a password closes an image to imageworks as well, derived images included (T41, T51)", async () => {
  const paths = ["/imageworks/kits/a/image.jpg", "/imageworks/kits/a/image.webp?w=10", "/stream/kits/a/image"];
  for (const path of paths) assert.equal((await anonymous(path)).status, 200, path);
  await set("kits/a/image", { password: "sage-1" });
  const { pwd } = await link(["kits", "a", "image"], ["--password", "sage-1"]);
  for (const path of paths) {
    assert.equal((await anonymous(path)).status, 403, path);
    const opened = await anonymous(`${path}${path.includes("?") ? "&" : "?"}pwd=${pwd}`);
    assert.equal(opened.status, 200);
    assert.match(opened.headers.get("cache-control") ?? "", /^private/);
  }
});

test("PROT-11 twenty wrong passwords from one address are enough for a while; a link that is right still opens (T51)", async () => {
  await set("kits/a/depot", { password: "basil-9" });
  const { pwd } = await link(["kits", "a", "depot"], ["--password", "basil-9"]);
  const path = "/download/kits/a/depot/one.txt";
  const guess = (word: string) => server.request("POST", path, { key: null, body: { password: word } });
  const tries = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(`guess-${n}`)));
  assert.deepEqual(new Set(tries.map(({ status }) => status)), new Set([403]));
  const late = await guess("basil-9");
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get("retry-after")) > 0);
  assert.equal((await anonymous(`${path}?pwd=wrong`)).status, 429);
  assert.equal((await anonymous(`${path}?pwd=${pwd}`)).status, 200);
  assert.equal((await anonymous("/download/kits/a/depot/deep/two.txt?pwd=wrong")).status, 429);
  assert.equal((await anonymous("/download/kits/a/image?pwd=wrong")).status, 403);
});

test("PROT-15 a browser gets a page that asks for the password, and works without JavaScript", async () => {
  const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  await set("kits/a/file", { password: "thyme-8" });
  await groups("kits", []);
  for (const door of ["download", "stream"]) {
    const page = await anonymous(`/${door}/kits/a/file?pwd=`, "GET", html);
    assert.equal(page.status, 403);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(page.text, /<form method="post" action="\/download\/kits\/a\/file">/);
    assert.match(page.text, /<input[^>]* name="password" type="password"/);
    assert.doesNotMatch(page.text, /<script|is wrong/);
    assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self'/);
  }
  const form = { ...html, "content-type": "application/x-www-form-urlencoded" };
  const post = (raw: string) => server.request("POST", "/download/kits/a/file", { key: null, raw, headers: form });
  const wrong = await post("password=thyme-9");
  assert.equal(wrong.status, 403);
  assert.match(wrong.text, /The password is wrong\./);
  assert.equal((await post("password=thyme-8")).text, "0123456789");
  assert.equal((await anonymous("/download/kits/a/file")).body.error.code, 403);
  const shut = await anonymous("/download/kits/a/depot/two.txt?path=deep&pwd=wrong", "GET", html);
  assert.equal(shut.status, 429);
  assert.match(shut.text, /Too many wrong passwords/);
  assert.ok(Number(shut.headers.get("retry-after")) > 0);
  const folder = await anonymous("/download/kits/a/depot/no.txt?path=%22%3E%3Cb%3E&pwd=", "GET", html);
  assert.doesNotMatch(folder.text, /<b>/);
});

test("PROT-16 a hundred wrong passwords from one address are enough for all files together", async () => {
  const ids = Array.from({ length: 8 }, (_, at) => `many-${at}`);
  const guess = async (id: string, password: string) => {
    const path = `/download/pad/${id}/file`;
    return (await server.request("POST", path, { key: null, body: { password } })).status;
  };
  for (const id of ids) {
    await server.request("POST", "/api/collections/pad", { body: { id } });
    await upload(server, `pad/${id}/file`, { name: "kit.txt", bytes: "0123456789" });
    await set(`pad/${id}/file`, { password: "marjoram-2" });
  }
  const seen: number[] = [];
  for (const id of ids.slice(1)) {
    for (let at = 0; at < 15; at += 1) seen.push(await guess(id, "wrong-word"));
  }
  assert.ok(seen.filter((status) => status === 403).length <= 100);
  assert.equal(seen.at(-1), 429);
  assert.equal(await guess(ids[0] as string, "marjoram-2"), 429);
});

test("PROT-13 a clone copies a file only for callers who may fetch it", async () => {
  const at = "/api/collections/vault/a";
  await server.makeCollection({ id: "vault", schema: "kit", publicOperations: ["read"], groups: ["press"] });
  await server.request("POST", "/api/collections/vault", { body: { id: "a" } });
  await upload(server, "vault/a/file", { name: "kit.txt", bytes: "0123456789" });
  let count = 0;
  const clone = async (ask: (method: string, path: string, options: object) => Promise<Answer> | undefined) => {
    const asked = `copy-${++count}`;
    const answer = await ask("POST", `${at}/clone`, { body: { collection: "pad", id: asked } });
    // Callers without a right of their own on the target do not choose the id.
    const id = answer?.body?.id ?? asked;
    const made = await server.request("GET", `/api/collections/pad/${id}`);
    return { status: answer?.status, details: answer?.body?.error?.details, made: made.status, id };
  };
  const nobody = (method: string, path: string, options: object) =>
    server.request(method, path, { key: null, ...options });
  const as = (who: string) => (method: string, path: string, options: object) =>
    people[who]?.request(method, path, options) as Promise<Answer>;
  for (const ask of [nobody, as("reader"), as("writer")]) {
    const refused = await clone(ask);
    assert.deepEqual([refused.status, refused.made], [403, 404]);
    assert.deepEqual(Object.keys(refused.details), ["file"]);
  }
  assert.ok(!existsSync(join(server.dataDir, "pad", "copy-1")));
  for (const ask of [as("boss"), server.request, as("member")]) {
    const copy = await clone(ask);
    assert.equal(copy.status, 200);
    assert.equal((await anonymous(`/download/pad/${copy.id}/file`)).text, "0123456789");
  }
  await groups("vault", []);
  await set("vault/a/file", { password: "fennel-3" });
  assert.equal((await clone(nobody)).status, 403);
  const locked = await clone(as("writer"));
  assert.equal(locked.status, 200);
  assert.equal((await anonymous(`/download/pad/${locked.id}/file`)).status, 403);
  await set("vault/settings", { publicFiles: false });
  await set("vault/a/file", { password: null });
  await server.request("DELETE", `${at}/file`);
  await upload(server, "vault/a/file", { name: "kit.txt", bytes: "0123456789" });
  assert.equal((await clone(nobody)).status, 403);
});

test("PROT-13 files that the editor has uploaded are cloned by the same rule", async () => {
  const form = formOf({ field: "file", name: "note.txt", bytes: "note" });
  await server.request("POST", "/api/collections/vault", { body: { id: "b" } });
  await server.request("POST", "/api/upload/vault/b/text", form);
  await set("vault/settings", { groups: ["press"] });
  const body = (id: string) => ({ body: { collection: "pad", id } });
  const refused = await people.writer?.request("POST", "/api/collections/vault/b/clone", body("noted"));
  assert.deepEqual([refused?.status, Object.keys(refused?.body.error.details)], [403, ["text"]]);
  const copy = await people.boss?.request("POST", "/api/collections/vault/b/clone", body("noted"));
  assert.equal(copy?.status, 200);
  assert.equal((await anonymous("/download/upload/pad/noted/text/note.txt")).text, "note");
});

test("PROT-14 PROT-17 PROT-18 protection is changed only by callers who may fetch the file, and never by the public", async () => {
  await server.makeCollection({ id: "safe", schema: "kit", publicOperations: ["read", "update"], groups: ["press"] });
  await server.request("POST", "/api/collections/safe", { body: { id: "a" } });
  await upload(server, "safe/a/file", { name: "kit.txt", bytes: "0123456789" });
  await upload(server, "safe/a/depot/deep", { field: "deep", name: "two.txt", bytes: "two" });
  await upload(server, "safe/a/image", { name: "p.jpg", bytes: await picture(4, 4) });
  await set("safe/a/image", { protected: true });
  const at = "/api/collections/safe/a";
  const before = (await server.request("GET", at)).body.data;
  const open = { file: { ...before.file, protected: false } };
  const changes: [string, string, object][] = [
    ["PATCH", `${at}/file`, { protected: false }],
    ["PATCH", `${at}/file`, { password: "mine-12345" }],
    ["PUT", `${at}/file`, open.file],
    ["PATCH", `${at}/file/kit.txt`, { protected: false }],
    ["PATCH", at, open],
    ["PUT", at, { ...before, ...open }],
    ["PATCH", `${at}/depot`, { protected: false }],
    ["PATCH", `${at}/depot/two.txt?path=deep`, { password: "mine-12345" }],
    ["PATCH", at, { depot: { ...before.depot, password: "mine-12345" } }],
  ];
  for (const [method, path, body] of changes) {
    for (const ask of [
      people.writer?.request,
      (...args: Parameters<Server["request"]>) => server.request(args[0], args[1], { key: null, ...args[2] }),
    ]) {
      const refused = await ask?.(method, path, { body });
      assert.equal(refused?.status, 403, `${method} ${path}`);
      assert.match(Object.keys(refused?.body.error.details).join(), /^(file|depot)$/);
    }
  }
  const same = await people.writer?.request("PUT", at, { body: { ...before, text: "x" } });
  assert.equal(same?.status, 200, same?.text);
  for (const property of ["file", "image"]) {
    const bytes = property === "image" ? await picture(4, 5) : "new";
    const form = formOf({ field: property, name: `new.${property === "image" ? "jpg" : "txt"}`, bytes });
    assert.equal((await people.writer?.request("POST", `${at}/${property}`, form))?.status, 200);
    assert.equal((await anonymous(`/stream/safe/a/${property}`)).status, 403, property);
  }
  assert.equal((await people.boss?.request("PATCH", `${at}/file`, { body: { protected: false } }))?.status, 200);
  assert.equal((await anonymous("/download/safe/a/file")).text, "new");
  const unlocked = await server.request("PATCH", `${at}/file`, { key: null, body: { protected: true } });
  assert.equal(unlocked.status, 403);
});

test("PROT-14 only callers who may fetch a file move it out of the folder whose password it has", async () => {
  await server.request("POST", "/api/collections/pad", { body: { id: "moves" } });
  await upload(server, "pad/moves/depot/deep", { field: "deep", name: "two.txt", bytes: "two" });
  const { files } = (await server.request("GET", "/api/collections/pad/moves")).body.data.depot;
  await set("pad/moves", { depot: { files: [{ ...files[0], password: "sorrel-6" }] } });
  const path = "/api/collections/pad/moves/depot/two.txt/move?path=deep";
  const move = { body: { destination: "" } };
  assert.equal((await anonymous("/download/pad/moves/depot/deep/two.txt")).status, 403);
  assert.equal((await server.request("PUT", path, { key: null, ...move })).status, 403);
  assert.equal((await people.writer?.request("PUT", path, move))?.status, 200);
});

test("PF-64 a clone holds files against the kind and the rules of the property that they come to", async () => {
  const clone = (body: object) => server.request("POST", "/api/collections/pad/page/clone", { body });
  await server.request("POST", "/api/collections/pad", { body: { id: "page" } });
  await upload(server, "pad/page/file", { name: "page.html", bytes: "<html><script>1</script></html>" });
  const image = await clone({ collection: "frames" });
  assert.deepEqual([image.status, Object.keys(image.body.error.details)], [400, ["file"]]);
  await server.request("DELETE", "/api/collections/pad/page/file");
  await upload(server, "pad/page/other", { name: "kit.txt", bytes: "0123456789" });
  const large = await clone({ collection: "frames" });
  assert.deepEqual([large.status, Object.keys(large.body.error.details)], [400, ["other"]]);
  assert.equal((await server.request("GET", "/api/collections/frames/page")).status, 404);
  assert.ok(!readdirSync(server.dataDir).includes("frames"));
});

test("PROT-12 file:password says when the password is not the file's, and refuses a missing file", async () => {
  const wrong = await server.cli(["file:password", "closed", "a", "file", "--password", "wrong", "--json"]);
  assert.equal(wrong.code, 0);
  assert.match(wrong.stderr, /not the file's password/);
  const text = await server.cli(["file:password", "closed", "a", "file", "--password", "-"], { input: "lilac-42\n" });
  assert.match(text.stdout, /^\/download\/closed\/a\/file\?pwd=[\w-]+\n\/stream\/closed\/a\/file\?pwd=[\w-]+\n$/);
  assert.equal(text.stderr, "");
  for (const args of [
    ["closed", "a", "none"],
    ["closed", "none", "file"],
    ["none", "a", "file"],
    ["closed", "a", "depot", "no.txt"],
  ]) {
    assert.equal((await server.cli(["file:password", ...args, "--password", "x"])).code, 1, args.join(" "));
  }
  assert.equal((await server.cli(["file:password", "closed", "a", "file"])).code, 2);
  const never = await server.cli(["file:password", "closed", "a", "file", "--password", "x", "--expires", "soon"]);
  assert.equal(never.code, 1);
});

test("IW-25 the stored bytes of a picture with a watermark are for callers that may change its object", async () => {
  await server.request("POST", "/api/collections/closed", { body: { id: "m" } });
  await upload(server, "closed/m/marked", { name: "m.png", bytes: await picture(20, 10, { format: "png" }) });
  await set("closed/settings", { publicFiles: true });
  const website = { name: "website", methods: ["GET"], endpoints: ["/download", "/stream"] };
  const { key } = (await server.request("POST", "/api/apikeys", { body: website })).body.data;
  for (const path of ["/download/closed/m/marked", "/stream/closed/m/marked", "/stream/closed/m/marked/m.png"]) {
    const refused = await anonymous(path);
    assert.equal(refused.status, 403, path);
    assert.match(refused.body.error.message, /imageworks/);
    assert.equal((await people.reader?.request("GET", path))?.status, 403, path);
    assert.equal((await people.writer?.request("GET", path))?.status, 200, path);
    assert.equal((await server.request("GET", path)).status, 200, path);
    assert.equal((await server.request("GET", path, { key })).status, 403, path);
  }
  const { stream } = await link(["closed", "m", "marked"], ["--password", "x"]);
  assert.equal((await anonymous(stream)).status, 403);
  assert.equal((await anonymous("/imageworks/closed/m/marked.png")).status, 200);
  assert.equal((await anonymous("/stream/closed/a/image")).status, 200);
  const clone = { body: { collection: "pad", id: "unmarked" } };
  const copied = await people.reader?.request("POST", "/api/collections/closed/m/clone", clone);
  assert.deepEqual([copied?.status, Object.keys(copied?.body.error.details)], [403, ["marked"]]);
});
