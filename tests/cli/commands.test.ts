// Commands beside a running server: what they print, and that the server feels it at once.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "cairn-cli-"));

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "book",
    properties: {
      id: { $ref: "slug" },
      title: { type: "string", label: "Title" },
      pages: { type: "number" },
      tags: { type: "list" },
      chapters: { type: "deck", schemaref: "chapter" },
    },
    required: ["title"],
    index: ["id", "title", "pages", "tags"],
  });
  await server.makeSchema({
    id: "chapter",
    properties: { id: { $ref: "slug" }, name: { type: "string" } },
    required: ["name"],
    index: ["id"],
  });
  await server.makeCollection({ id: "books", schema: "book" });
  await server.makeCollection({ id: "few", schema: "book" });
  for (const pages of [10, 20, 30]) {
    await server.request("POST", "/api/collections/few", { body: { id: `b${pages}`, title: `Book ${pages}`, pages } });
  }
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command that must succeed and parses the one document it prints. */
// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await server.cli([...args, "--json"]);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

test("CLI-11 info shows versions, paths, engine and counts", async () => {
  const info = await json("info");
  assert.equal(info.dataDir, server.dataDir);
  assert.equal(info.node, process.versions.node);
  assert.ok(info.engine && info.version && info.edition);
  assert.ok(info.counts.schemas > 20 && info.counts.collections >= 1 && info.counts.keys >= 1);
  assert.ok(info.sizes.other > 0);
  const { stdout } = await server.cli(["info"]);
  assert.match(stdout, /^engine\s+\S+$/m);
  assert.match(stdout, /^size of derived images\s+0 B$/m);
});

test("CLI-12 CLI-22 a key made by command works on the running server at once, within its limits", async () => {
  const { id, key, ...rest } = await json(
    "key:create",
    "--name",
    "reader",
    "--methods",
    "get",
    "--endpoints",
    "/collections/books",
  );
  assert.deepEqual(rest, {});
  assert.match(key, /^cairn_[\w-]{43}$/);
  assert.equal((await server.request("GET", "/api/collections/books", { key })).status, 200);
  assert.equal((await server.request("POST", "/api/collections/books", { key, body: { title: "x" } })).status, 401);
  assert.equal((await server.request("GET", "/api/schemas", { key })).status, 401);
  await json("key:delete", id);
});

test("CLI-22 without --json only the key is on standard output, and standard error says that it is shown once", async () => {
  const { stdout, stderr } = await server.cli(["key:create", "--name", "once"]);
  assert.match(stdout, /^cairn_[\w-]{43}\n$/);
  assert.match(stderr, /only now/);
});

test("CLI-23 an unknown method and no endpoint are refused", async () => {
  for (const flags of [
    ["--methods", "FETCH"],
    ["--methods", ""],
    ["--endpoints", ""],
    ["--endpoints", " , "],
  ]) {
    const { code, stdout, stderr } = await server.cli(["key:create", "--name", "bad", ...flags]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /methods|endpoints/);
  }
});

test("CLI-24 CLI-25 keys are listed without their secret, and end at once when deleted", async () => {
  const { id, key } = await json("key:create", "--name", "short-lived");
  const listed = (await json("key:list")).find((entry: { id: string }) => entry.id === id);
  assert.deepEqual(Object.keys(listed).sort(), ["created", "endpoints", "id", "lastUsed", "methods", "name", "prefix"]);
  assert.ok(!JSON.stringify(listed).includes(key));
  assert.equal((await server.request("GET", "/api/collections/books", { key })).status, 200);
  assert.deepEqual(await json("key:delete", id), { deleted: id });
  assert.equal((await server.request("GET", "/api/collections/books", { key })).status, 401);
  assert.equal((await server.cli(["key:delete", id])).code, 1);
});

test("CLI-6 CLI-7 lists are aligned tables, cleaned of control characters (T116)", async () => {
  await json("key:create", "--name", "evil\u001b[2Jname");
  const { stdout } = await server.cli(["key:list"]);
  assert.ok(!stdout.includes("\u001b"));
  assert.match(stdout, /evil\\u001b\[2Jname/);
  const [head = "", first = ""] = stdout.split("\n");
  assert.equal(first.slice(head.indexOf("NAME") - 1, head.indexOf("NAME")), " ");
});

test("CLI-20 user:create makes a user and prints no password", async () => {
  const { code, stdout } = await server.cli([
    "user:create",
    "--id",
    "ada",
    "--email",
    "ada@example.org",
    "--password",
    "s3cret-word",
    "--groups",
    "admin",
    "--name",
    "Ada",
    "--json",
  ]);
  assert.equal(code, 0);
  assert.ok(!stdout.includes("s3cret-word") && !stdout.includes("$argon2"));
  const user = JSON.parse(stdout);
  assert.deepEqual([user.id, user.email, user.groups], ["ada", "ada@example.org", ["admin"]]);
  assert.equal((await server.request("GET", "/api/collections/auth/ada")).body.data.name, "Ada");
});

test("CLI-21 --password - reads standard input", async () => {
  const { code, stderr } = await server.cli(
    ["user:create", "--id", "bob", "--email", "bob@example.org", "--password", "-"],
    {
      input: "from-a-pipe\n",
    },
  );
  assert.deepEqual([code, stderr], [0, ""]);
  const empty = await server.cli(["user:create", "--id", "eve", "--email", "eve@example.org", "--password", "-"]);
  assert.equal(empty.code, 2);
  assert.equal((await server.request("GET", "/api/collections/auth/eve")).status, 404);
});

test("CLI-26 settings:get shows a key, a section or all, secrets masked", async () => {
  await json("settings:set", "sync.key", "topsecret");
  assert.equal((await server.cli(["settings:get", "edition"])).stdout, "pro\n");
  assert.equal(await json("settings:get", "edition"), "pro");
  assert.equal((await json("settings:get", "htmlclean")).enabled, true);
  const all = await server.cli(["settings:get"]);
  assert.ok(!all.stdout.includes("topsecret"));
  assert.equal(JSON.parse(all.stdout).sync.key, "********");
  assert.equal((await server.cli(["settings:get", "no.such"])).code, 1);
});

test("CLI-12 CLI-27 a running server applies a setting changed by command at once", async () => {
  await json("settings:set", "edition", "lite");
  const refused = await server.request("POST", "/api/collections/books/x/chapters/deck", { body: {} });
  await json("settings:set", "edition", '"pro"');
  // Below Pro a key counts as absent.
  assert.ok([401, 403].includes(refused.status), String(refused.status));
  assert.equal((await server.request("GET", "/api/collections/books")).status, 200);
});

test("CLI-27 values may be JSON, bare words or comma lists; an invalid value is refused naming the setting", async () => {
  assert.deepEqual((await json("settings:set", "smtp.host", "12345")).value, "12345");
  assert.deepEqual((await json("settings:set", "api.corsOrigins", "https://a.example,https://b.example")).value, [
    "https://a.example",
    "https://b.example",
  ]);
  assert.equal((await json("settings:set", "api.corsOrigins", "null")).value, null);
  assert.deepEqual(await json("settings:get", "api.corsOrigins"), ["*"]);
  for (const [key, value] of [
    ["edition", "gold"],
    ["sync.url", "notaurl"],
    ["htmlclean.enabled", "maybe"],
    ["no.such", "1"],
  ] as const) {
    const { code, stderr } = await server.cli(["settings:set", key, value]);
    assert.equal(code, 1);
    assert.ok(stderr.includes(key), stderr);
  }
});

test("CLI-30 CLI-31 schemas are listed, shown, exported, and imported as new or over the old", async () => {
  const file = join(folder, "pen.json");
  writeFileSync(
    file,
    JSON.stringify({
      id: "pen",
      properties: { id: { $ref: "slug" }, ink: { type: "string" } },
      required: ["id"],
      index: ["id"],
    }),
  );
  assert.equal((await json("schema:import", file)).id, "pen");
  assert.ok(
    (await json("schema:list", "--filter", "custom")).some((schema: { name: string }) => schema.name === "pen"),
  );
  assert.equal((await server.request("GET", "/api/schemas/pen")).status, 200);
  const exported = join(folder, "pen-exported.json");
  assert.equal((await server.cli(["schema:export", "pen", "-o", exported])).code, 0);
  const record = JSON.parse(readFileSync(exported, "utf8"));
  writeFileSync(file, JSON.stringify({ ...record, description: "For writing" }));
  await json("schema:import", file);
  assert.equal((await json("schema:get", "pen", "--raw")).description, "For writing");
});

test("CLI-32 schema:lint ends with 0 on warnings, 1 on errors, and --strict counts warnings", async () => {
  await server.makeSchema({
    id: "locked",
    properties: { id: { $ref: "slug" }, code: { $ref: "password" } },
    required: ["id"],
    index: ["id"],
  });
  const file = join(server.dataDir, ".schemas", "locked.json");
  const record = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...record, index: ["id", "code"] }));
  const lenient = await server.cli(["schema:lint", "locked", "--json"]);
  assert.equal(lenient.code, 0);
  assert.ok(JSON.parse(lenient.stdout).some((finding: { level: string }) => finding.level === "warning"));
  assert.equal((await server.cli(["schema:lint", "locked", "--strict"])).code, 1);
  writeFileSync(file, "{ broken");
  assert.equal((await server.cli(["schema:lint", "locked"])).code, 1);
});

test("CLI-33 CLI-34 collections are made, shown and, with --force, deleted", async () => {
  assert.equal(
    (await json("collection:create", "shelf", "--schema", "book", "--name", "Shelf", "--settings", '{"category":"x"}'))
      .name,
    "Shelf",
  );
  assert.equal((await json("collection:get", "shelf")).category, "x");
  await json("object:create", "shelf", "--data-json", '{"title":"One"}');
  assert.equal((await json("collection:list")).find((entry: { name: string }) => entry.name === "shelf").count, 1);
  const unforced = await server.cli(["collection:delete", "shelf"]);
  assert.equal(unforced.code, 2);
  assert.match(unforced.stderr, /--force/);
  assert.deepEqual(await json("collection:delete", "shelf", "--force"), { deleted: "shelf" });
  assert.equal((await server.request("GET", "/api/collections/shelf")).status, 404);
});

test("CLI-12 CLI-42 an object made by command is visible at once", async () => {
  const created = await json("object:create", "books", "--data-json", '{"title":"Moby Dick","pages":635}');
  assert.equal(created.id, "moby-dick");
  assert.equal((await server.request("GET", "/api/collections/books/moby-dick")).body.data.pages, 635);
});

test("CLI-42 object:create reads a file or standard input, and refuses lists, taken ids and two sources", async () => {
  const file = join(folder, "book.json");
  writeFileSync(file, '{"id":"from-file","title":"File"}');
  assert.equal((await json("object:create", "books", file)).id, "from-file");
  const piped = await server.cli(["object:create", "books", "-", "--json"], {
    input: '{"id":"piped","title":"Piped"}',
  });
  assert.equal(JSON.parse(piped.stdout).id, "piped");
  assert.equal((await server.cli(["object:create", "books", file])).code, 1);
  assert.equal((await server.cli(["object:create", "books", "--data-json", '[{"title":"x"}]'])).code, 2);
  assert.equal((await server.cli(["object:create", "books", file, "--data-json", "{}"])).code, 2);
  writeFileSync(file, '[{"title":"x"}]');
  assert.equal((await server.cli(["object:create", "books", file])).code, 1);
});

test("CLI-3 a validation failure names the property", async () => {
  const { code, stderr } = await server.cli(["object:create", "books", "--data-json", '{"pages":1}']);
  assert.equal(code, 1);
  assert.match(stderr, /^cairn: Validation failed \(.*title: .*\)\.\n$/);
});

test("CLI-43 object:patch takes properties as JSON or text, or a JSON object", async () => {
  await json("object:create", "books", "--data-json", '{"id":"patched","title":"Old","pages":1,"tags":["a"]}');
  const byName = await json(
    "object:patch",
    "books",
    "patched",
    "--property",
    "title=New = title",
    "--property",
    "pages=7",
    "--property",
    'tags=["b","c"]',
  );
  assert.deepEqual([byName.title, byName.pages, byName.tags], ["New = title", 7, ["b", "c"]]);
  const piped = await server.cli(["object:patch", "books", "patched", "--json"], { input: '{"pages":8}' });
  assert.deepEqual([JSON.parse(piped.stdout).pages, JSON.parse(piped.stdout).title], [8, "New = title"]);
  assert.equal((await server.cli(["object:patch", "books", "nobody", "--property", "pages=1"])).code, 1);
  const misspelt = await server.cli(["object:patch", "books", "patched", "--property", "pagse=1"]);
  assert.deepEqual(
    [misspelt.code, misspelt.stderr],
    [1, 'cairn: There is no property "pagse" in the schema "book".\n'],
  );
});

test("CLI-41 object:get and object:export print one object as the API answers it", async () => {
  await json("object:create", "books", "--data-json", '{"id":"shown","title":"Shown\\u009b"}');
  const { data } = (await server.request("GET", "/api/collections/books/shown")).body;
  assert.deepEqual(await json("object:get", "books", "shown"), data);
  assert.deepEqual(JSON.parse((await server.cli(["object:export", "books", "shown"])).stdout), data);
  assert.equal((await server.cli(["object:get", "books", "nobody"])).code, 1);
});

test("CLI-34 object:delete needs --force without a terminal", async () => {
  await json("object:create", "books", "--data-json", '{"id":"doomed","title":"Doomed"}');
  assert.equal((await server.cli(["object:delete", "books", "doomed"])).code, 2);
  assert.equal((await server.request("GET", "/api/collections/books/doomed")).status, 200);
  assert.deepEqual(await json("object:delete", "books", "doomed", "--force"), { deleted: "doomed" });
  assert.equal((await server.request("GET", "/api/collections/books/doomed")).status, 404);
});

test("CLI-35 CLI-40 query and list print total, offset, limit and results", async () => {
  const query = await json(
    "collection:query",
    "few",
    "--filter",
    "pages[gt]=10",
    "--sort",
    "-pages",
    "--limit",
    "1",
    "--offset",
    "1",
  );
  assert.deepEqual([query.total, query.offset, query.limit], [2, 1, 1]);
  assert.deepEqual(
    query.results.map((entry: { id: string }) => entry.id),
    ["b20"],
  );
  assert.equal((await json("collection:query", "few", "--search", "book", "--exclude", "pages:20")).total, 2);
  const list = await json("object:list", "few", "--sort", "pages", "--order", "asc");
  assert.deepEqual(
    list.results.map((object: { id: string }) => object.id),
    ["b10", "b20", "b30"],
  );
  const table = await server.cli(["object:list", "few", "--sort", "pages", "--order", "asc"]);
  assert.match(table.stdout, /^ID\s+TITLE\s+PAGES\s+.*MODIFIED\nb10\s+Book 10\s+10 /);
  assert.equal((await server.cli(["object:list", "few", "--limit", "none"])).code, 2);
});

test("CLI-39 CLI-64 index:build builds an index for a kind of query, once", async () => {
  const build = ["index:build", "few", "--equal", "id", "--sort", "modified:desc"];
  assert.deepEqual(await json(...build), { collection: "few", built: true });
  assert.deepEqual(await json(...build), { collection: "few", built: false });
  const carrying = ["index:build", "few", "--sort", "modified", "--carry", "created"];
  assert.deepEqual(await json(...carrying), { collection: "few", built: true });
  assert.deepEqual(await json(...carrying), { collection: "few", built: false });
  for (const wrong of [
    ["--equal", "nothing"],
    ["--sort", "nothing"],
    ["--carry", "nothing"],
  ]) {
    const { code, stderr } = await server.cli(["index:build", "few", ...wrong]);
    assert.equal(code, 1);
    assert.match(stderr, /nothing/);
  }
  assert.equal((await server.cli(["index:build", "few"])).code, 2);
  assert.equal((await server.cli(["index:build", "nowhere", "--sort", "id"])).code, 1);
});

test("CLI-38 repair:index builds the index of one collection or of all", async () => {
  assert.deepEqual(await json("repair:index", "few"), [{ collection: "few", objects: 3 }]);
  assert.ok((await json("repair:index", "--all")).length >= 2);
  assert.equal((await server.cli(["repair:index", "nowhere"])).code, 1);
});

test("CLI-44 deck:import adds items, and with --update changes them", async () => {
  await json(
    "object:create",
    "books",
    "--data-json",
    '{"id":"decked","title":"Decked","chapters":[{"id":"one","name":"One"}]}',
  );
  const file = join(folder, "chapters.csv");
  writeFileSync(file, "id,name\none,Again\ntwo,Two\nthree,\n");
  const importInto = async (...more: string[]) => {
    const { code, stdout } = await server.cli(["deck:import", "books", "decked", "chapters", file, "--json", ...more]);
    return { code, ...JSON.parse(stdout) };
  };
  const added = await importInto();
  assert.deepEqual([added.code, added.created, added.skipped, added.errorCount], [1, 1, 1, 1]);
  const changed = await importInto("--update");
  assert.equal(changed.updated, 2);
  const { data } = (await server.request("GET", "/api/collections/books/decked")).body;
  assert.deepEqual(
    data.chapters.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`),
    ["one Again", "two Two"],
  );
});

test("CLI-36 CLI-37 collections go out to files and come in again", async () => {
  for (const ending of ["json", "csv"]) {
    const file = join(folder, `few.${ending}`);
    assert.equal((await server.cli(["collection:export", "few", "-o", file])).code, 0);
    await json("collection:create", `few-${ending}`, "--schema", "book");
    const { created, errors } = await json("collection:import", `few-${ending}`, file);
    assert.deepEqual([created, errors], [3, []]);
    const [before, now] = [
      await json("object:list", "few", "--sort", "id"),
      await json("object:list", `few-${ending}`, "--sort", "id"),
    ];
    assert.deepEqual(now.results, before.results);
  }
  const piped = await server.cli(["collection:import", "few", "-", "--format", "ndjson", "--json"], {
    input: '{"id":"b10"}\n{"id":"b40","title":"Forty"}\n',
  });
  assert.deepEqual([JSON.parse(piped.stdout).created, JSON.parse(piped.stdout).skipped], [1, 1]);
});

test("CLI-37 an import of nothing but bad rows fails, and names them on standard error", async () => {
  const input = '[{"id":"no-title"},{"pages":"many"}]';
  const { code, stdout, stderr } = await server.cli(["collection:import", "few", "-"], { input });
  assert.equal(code, 1);
  assert.match(stdout, /^0 created, 0 updated, 0 skipped, 2 refused\.\n$/);
  assert.match(stderr, /^Row 1 \(no-title\): title: .*\nRow 2: /);
});

test("CLI-37 an import with some bad rows fails too, and the good ones are in", async () => {
  const input = '[{"id":"b50","title":"Fifty"},{"pages":"many"}]';
  const { code, stdout } = await server.cli(["collection:import", "few", "-"], { input });
  assert.deepEqual([code, stdout], [1, "1 created, 0 updated, 0 skipped, 1 refused.\n"]);
  assert.equal((await json("object:get", "few", "b50")).title, "Fifty");
});

test("CLI-9 progress stays silent into a pipe", async () => {
  const { stderr } = await server.cli(["collection:export", "few"]);
  assert.equal(stderr, "");
});
