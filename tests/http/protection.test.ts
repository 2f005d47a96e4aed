// Protected files: groups, passwords, links, and the same verdict at every door.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { formOf, picture, upload } from "../files.ts";
import { multipart, send } from "../forms.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import { makeUser, type Person, signIn } from "../sign-in.ts";

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
      gallery: { type: "gallery" },
      text: { type: "string", field: "styledtext", settings: { fileProtectedByCollection: true } },
    },
    required: ["id"],
    index: ["id"],
  });
  await server.makeCollection({ id: "kits", schema: "kit", publicOperations: ["read"] });
  await server.makeCollection({ id: "closed", schema: "kit" });
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

test("PROT-2 without groups it is for whoever may read, with default for whoever is signed in", async () => {
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

test("PROT-5 a password is asked for at every door, and never shown (T51)", async () => {
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

test("PROT-6 who may read the object by a right of their own needs no password", async () => {
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

test("PROT-10 a password closes an image to imageworks as well, and to what was made before (T41, T51)", async () => {
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
  assert.equal((await anonymous("/download/kits/a/depot/deep/two.txt?pwd=wrong")).status, 403);
});

test("PROT-12 file:password says when the password is not the file's, and refuses what is no file", async () => {
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
