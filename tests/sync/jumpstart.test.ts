// Jumpstart definitions: imported, exported, made up, over HTTP and on the command line.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { leastTime } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "cairn-jumpstart-"));
before(async () => {
  server = await startServer();
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const definition = (more: object) => ({ version: "1.0.0", name: "Test", ...more });
const post = (more: object, query = "", key = server.key): Promise<Answer> =>
  server.request("POST", `/api/import/jumpstart${query}`, { body: definition(more), key });
const get = async (path: string) => (await server.request("GET", `/api/collections/${path}`)).body.data;

const tale = {
  id: "tale",
  properties: {
    id: { $ref: "slug" },
    title: { type: "string" },
    mood: { type: "string", default: "calm" },
    secret: { $ref: "password" },
    cover: { $ref: "image" },
    pages: { type: "number" },
  },
  required: ["id", "title"],
  index: ["id", "title", "pages"],
};
const tales = (id: string) => ({ collections: { custom: [{ id, schema: "tale", name: "Tales" }] } });

test("JMP-1 JMP-4 JMP-5 JMP-32 a definition makes schemas, collections, templates and objects", async () => {
  const { status, body } = await post({
    schemas: [tale],
    collections: {
      custom: [{ id: "tales", schema: "tale", name: "Tales", publicOperations: ["read"] }],
      reserved: [
        "depot",
        { id: "feed-unknown", schema: "feed" },
        { id: "blog", url: "/news/{id}", sortBy: "date", name: "News" },
      ],
    },
    templates: [{ id: "pages/tale", template: "{{ object.title }}" }],
    objects: [{ collection: "tales", id: "one", data: { title: "One", created: "2020-01-02T03:04:05.000Z" } }],
  });
  assert.equal(status, 200);
  assert.deepEqual(body.data.created.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`).sort(), [
    "collection blog",
    "collection depot",
    "collection feed-unknown",
    "collection tales",
    "object one",
    "schema tale",
    "template pages/tale",
  ]);
  assert.deepEqual([body.data.updated, body.data.errors], [[], []]);
  const made = await get("tales/one");
  assert.deepEqual([made.title, made.mood, made.created], ["One", "calm", "2020-01-02T03:04:05.000Z"]);
  const settings = await get("blog/settings");
  assert.deepEqual(
    [settings.url, settings.sortBy, settings.name, settings.schema],
    ["/news/{id}", "date", "News", "blog"],
  );
  assert.equal((await get("tales/settings")).totalObjects, 1);
  assert.equal((await server.request("GET", "/api/collections/tales/one", { key: null })).status, 200);
});

test("JMP-2 existing items are left untouched, whatever their kind", async () => {
  const before = await server.request("GET", "/api/collections/tales/one");
  const { body } = await post({
    schemas: [{ ...tale, required: ["id"], properties: { id: { $ref: "slug" } } }],
    collections: {
      custom: [{ id: "tales", schema: "blog", name: "Taken over" }],
      reserved: [{ id: "blog", name: "Taken over" }],
    },
    templates: [{ id: "pages/tale", template: "taken over" }],
    objects: [
      { collection: "tales", id: "one", data: { title: "Taken over" } },
      { collection: "tales", id: "two", data: { title: "Two" } },
    ],
  });
  assert.deepEqual(body.data.created, [{ kind: "object", collection: "tales", id: "two" }]);
  assert.equal(body.data.skipped.length, 5);
  const after = await server.request("GET", "/api/collections/tales/one");
  assert.deepEqual([after.text, after.headers.get("etag")], [before.text, before.headers.get("etag")]);
  assert.equal((await get("tales/settings")).name, "Tales");
  assert.equal((await server.request("GET", "/api/templates/pages/tale")).body.data.template, "{{ object.title }}");
  assert.ok((await server.request("GET", "/api/schemas/tale")).body.properties.mood);
});

test("JMP-3 one mistake refuses all of it, and every mistake is named", async () => {
  const { status, body } = await post({
    schemas: [
      { ...tale, id: "fresh-tale" },
      { id: "new", properties: {} },
    ],
    ...tales("fresh-tales"),
    templates: [
      { id: "fresh/page", template: "{% if %}" },
      { id: "../x", template: "" },
    ],
    objects: [
      { collection: "fresh-tales", id: "good", data: { title: "Good" } },
      { collection: "tales", id: "bad", data: { pages: "many" } },
      { collection: "tales", id: "../../x", data: { title: "x" } },
      { collection: "nowhere", id: "x", data: {} },
    ],
    factory: [],
  });
  assert.equal(status, 422);
  const places = Object.keys(body.error.details).join(" ");
  for (const place of ["schemas.new", "templates.fresh/page", "templates.../x", "objects.nowhere"]) {
    assert.ok(places.includes(place), `${place} in ${places}`);
  }
  for (const path of [
    "schemas/fresh-tale",
    "collections/fresh-tales",
    "templates/fresh/page",
    "collections/tales/bad",
  ]) {
    assert.equal((await server.request("GET", `/api/${path}`)).status, 404, path);
  }
  const late = await post({
    ...tales("fresh-tales"),
    objects: [{ collection: "tales", id: "bad", data: { pages: "many" } }],
  });
  assert.equal(late.status, 422);
  assert.ok(late.body.error.details["objects.tales.bad.title"]);
  assert.equal((await server.request("GET", "/api/collections/fresh-tales")).status, 404);
});

test("JMP-1 JMP-9 an invalid definition is refused", async () => {
  for (const [body, status] of [
    [[], 400],
    ["x", 400],
    [{ version: "2.0.0", name: "x" }, 422],
    [{ version: 1, name: "x" }, 422],
    [{ version: "1.0.0", name: "x", objects: {} }, 422],
    [{ version: "1.0.0", name: "x", objects: [{ collection: "tales" }] }, 422],
    [{ version: "1.0.0", name: "x", factory: [{ data: {} }] }, 422],
  ] as const) {
    assert.equal(
      (await server.request("POST", "/api/import/jumpstart", { body })).status,
      status,
      JSON.stringify(body),
    );
  }
  for (const collections of [[], [{ id: "tales", schema: "blog" }], "tales"]) {
    const { status, body } = await server.request("POST", "/api/import/jumpstart", {
      body: { name: "x", collections },
    });
    const details = { collections: ["collections must be an object of reserved and custom"] };
    assert.deepEqual([status, body.error.details], [422, details]);
  }
  const lenient = await server.request("POST", "/api/import/jumpstart", { body: { name: "x", colour: "red" } });
  assert.equal(lenient.status, 200);
  const raw = '{"version":"1.0.0","name":"x","objects":[{"collection":"tales","id":"p","data":{"__proto__":{"a":1}}}]}';
  const headers = { "content-type": "application/json" };
  assert.equal((await server.request("POST", "/api/import/jumpstart", { raw, headers })).status, 400);
});

test("JMP-3 a body that is cut off imports nothing, and sending it again does not double it (F24)", async () => {
  const whole = JSON.stringify(definition({ objects: [{ collection: "tales", id: "cut", data: { title: "Cut" } }] }));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /api/import/jumpstart HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${server.key}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n${whole.slice(0, -9)}`);
  await sleep(200);
  socket.destroy();
  await sleep(200);
  assert.equal((await server.request("GET", "/api/collections/tales/cut")).status, 404);
  for (const created of [1, 0]) {
    const { body } = await server.request("POST", "/api/import/jumpstart", { body: JSON.parse(whole) });
    assert.equal(body.data.created.length, created);
  }
});

test("JMP-1 a form's file is taken like a body", async () => {
  const text = JSON.stringify(
    definition({ objects: [{ collection: "tales", id: "by-form", data: { title: "By form" } }] }),
  );
  const raw = `--part\r\nContent-Disposition: form-data; name="jumpstart"; filename="a.json"\r\n\r\n${text}\r\n--part--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=part" };
  const { status, body } = await server.request("POST", "/api/import/jumpstart", { raw, headers });
  assert.deepEqual([status, body.data.created.length], [200, 1]);
});

test("JMP-3 objects of one definition are held against each other, and one that is wrong undoes them all", async () => {
  const id = { $ref: "slug" };
  const coin = {
    id: "coin",
    properties: { id, mark: { type: "string", unique: true } },
    required: ["id"],
    index: ["mark"],
  };
  const collections = { custom: [{ id: "coins", schema: "coin" }] };
  const coins = (marks: string[]) => marks.map((mark, n) => ({ collection: "coins", id: `c${n}`, data: { mark } }));
  const twice = await post({ schemas: [coin], collections, objects: coins(["a", "b", "a"]) });
  assert.deepEqual([twice.status, Object.keys(twice.body.error.details)], [422, ["objects.coins.c2.mark"]]);
  assert.equal((await server.request("GET", "/api/collections/coins")).status, 404);
  assert.equal((await post({ schemas: [coin], collections, objects: coins(["a", "b"]) })).status, 200);
  const clash = await post({ objects: coins(["b", "x"]) }, "?overwrite=1");
  assert.deepEqual([clash.status, Object.keys(clash.body.error.details)], [422, ["objects.coins.c0.mark"]]);
  assert.equal((await get("coins/c1")).mark, "b");
  const titles = Array.from({ length: 45 }, (_, n) => (n === 30 ? "" : `Tale ${n}`));
  const objects = titles.map((title, n) => ({ collection: "many", id: `t${n}`, data: { title } }));
  const wrong = await post({ schemas: [tale], ...tales("many"), objects });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.error.details)], [422, ["objects.many.t30.title"]]);
  assert.equal((await server.request("GET", "/api/collections/many")).status, 404);
});

test("JMP-6 overwrite replaces objects, and keeps their files and passwords", async () => {
  await server.request("POST", "/api/collections/tales", {
    body: { id: "over", title: "Old", secret: "old-password-1", pages: 3 },
  });
  const { body } = await post(
    { objects: [{ collection: "tales", id: "over", data: { title: "New" } }] },
    "?overwrite=1",
  );
  assert.deepEqual(body.data.updated, [{ kind: "object", collection: "tales", id: "over" }]);
  const now = await get("tales/over");
  assert.deepEqual([now.title, now.pages], ["New", undefined]);
  const list = JSON.parse((await server.cli(["backup:list", "--json"])).stdout);
  assert.ok(list.some(({ kind, id }: { kind: string; id: string }) => kind === "object" && id === "over"));
});

test("JMP-7 users are never imported, and a key for seeding writes content alone (T112)", async () => {
  const user = {
    collection: "auth",
    id: "intruder",
    data: { email: "i@example.test", password: "intruder-1234", groups: ["admin"] },
  };
  assert.equal((await post({ objects: [user] })).status, 422);
  assert.equal((await post({ factory: [{ collection: "auth", id: "intruder", data: user.data }] })).status, 422);
  const made = await server.cli([
    "key:create",
    "--name",
    "seed",
    "--methods",
    "POST",
    "--endpoints",
    "/import/jumpstart",
    "--json",
  ]);
  const { key } = JSON.parse(made.stdout);
  const code = { name: "Own", handler: "export default () => 1", triggers: [] };
  for (const collection of [
    "automations",
    "mailer",
    "builder-pages",
    "dataviews",
    "mcp-prompt",
    "image",
    "gallery",
    "file",
    "depot",
    "playground",
    "auth",
  ]) {
    const object = { collection, id: "planted", data: collection === "automations" ? code : { title: "x", name: "x" } };
    for (const more of [{ objects: [object] }, { factory: [{ ...object }] }]) {
      for (const query of ["", "?overwrite=1"]) assert.equal((await post(more, query, key)).status, 422, collection);
    }
    assert.equal((await server.request("GET", `/api/collections/${collection}/planted`)).status, 404);
  }
  assert.equal(
    (await post({ objects: [{ collection: "tales", id: "seeded", data: { title: "Seeded" } }] }, "", key)).status,
    200,
  );
  const other = await server.cli(["key:create", "--name", "other", "--endpoints", "/sync", "--json"]);
  const refused = await post({}, "", JSON.parse(other.stdout).key);
  assert.equal(refused.status, 401);
  assert.match(refused.body.error.message, /Invalid API key or insufficient permissions/);
});

test("JMP-8 JMP-13 an editor imports and exports what an editor may", async () => {
  await makeUser(server, "ed", ["editor"]);
  await makeUser(server, "guest", ["viewer"]);
  const [editor, viewer] = [await signIn(server, "ed"), await signIn(server, "guest")];
  const send = (who: typeof editor, more: object) =>
    who.request("POST", "/api/import/jumpstart", { body: definition(more) });
  assert.equal((await send(viewer, {})).status, 403);
  assert.equal((await viewer.request("GET", "/api/export/jumpstart")).status, 403);
  assert.equal((await viewer.request("GET", "/api/export/jumpstart/demo")).status, 403);
  const objects = [{ collection: "tales", id: "by-editor", data: { title: "By editor" } }];
  assert.equal((await send(editor, { objects })).status, 200);
  const automation = {
    collection: "automations",
    id: "mine",
    data: { name: "Mine", handler: "export default () => 1" },
  };
  for (const more of [{ schemas: [{ ...tale, id: "mine" }] }, tales("mine"), { objects: [automation] }]) {
    const { status } = await send(editor, more);
    assert.ok(status === 403 || status === 422, `${JSON.stringify(more)}: ${status}`);
  }
  await server.request("POST", "/api/collections/automations", {
    body: { id: "quiet", name: "Quiet", handler: "export default () => 1", triggers: [] },
  });
  const all = (await server.request("GET", "/api/export/jumpstart")).text;
  const theirs = (await editor.request("GET", "/api/export/jumpstart")).text;
  assert.ok(all.includes('"collection":"automations"') && theirs.includes('"collection":"tales"'));
  assert.equal(theirs.includes('"collection":"automations"'), false);
});

test("JMP-10 JMP-12 an export is a definition that makes the same site elsewhere", async () => {
  const body = { id: "whole", title: "Whole", secret: "very-secret-9", mood: "merry", pages: 7 };
  await server.request("POST", "/api/collections/tales", { body });
  const exported = await server.request("GET", "/api/export/jumpstart?name=My%20Site");
  assert.match(exported.headers.get("content-disposition") ?? "", /filename="jumpstart-my-site-\d{8}-\d{6}\.json"/);
  assert.equal(exported.body.name, "My Site");
  for (const hidden of ["argon2", "very-secret-9", '"secret":"', '"count"', '"totalObjects"', "intruder", '"auth"']) {
    assert.equal(exported.text.includes(hidden), false, hidden);
  }
  const other = await startServer();
  try {
    const { status } = await other.request("POST", "/api/import/jumpstart", { body: exported.body });
    assert.equal(status, 200);
    const again = await other.request("GET", "/api/export/jumpstart?name=My%20Site");
    assert.deepEqual(again.body, exported.body);
    assert.deepEqual((await other.request("GET", "/api/collections/tales/whole")).body.data, await get("tales/whole"));
  } finally {
    await other.stop();
  }
});

test("JMP-11 parts can be chosen", async () => {
  const choose = async (query: string) => (await server.request("GET", `/api/export/jumpstart?${query}`)).body;
  const ids = (items: { id: string }[]) => items.map(({ id }) => id);
  const one = await choose("schemas=&collections=tales&templates=false");
  assert.deepEqual([one.schemas, ids(one.collections.custom), one.templates], [[], ["tales"], []]);
  assert.ok(
    one.objects.length > 0 && one.objects.every(({ collection }: { collection: string }) => collection === "tales"),
  );
  const bare = await choose("schemas=tale&collections=&objects=false");
  assert.deepEqual([ids(bare.schemas), bare.collections, bare.objects], [["tale"], { reserved: [], custom: [] }, []]);
  assert.equal(bare.templates.length, 1);
  for (const query of ["schemas=nope", "collections=tales,nope", "schemas=a&schemas=b"]) {
    assert.equal((await server.request("GET", `/api/export/jumpstart?${query}`)).status, 400, query);
  }
});

test("JMP-20 JMP-24 JMP-25 JMP-26 a factory fills collections of the same definition, once", async () => {
  const more = {
    schemas: [{ ...tale, id: "made-tale" }],
    collections: { custom: [{ id: "made", schema: "made-tale" }], reserved: ["gallery"] },
    objects: [{ collection: "made", id: "real", data: { title: "Real" } }],
    factory: [
      {
        collection: "made",
        count: 12,
        data: { title: "sentence(3)", pages: "numberBetween(5,9)", cover: "imageBlur", mood: "glad" },
      },
      { collection: "made", id: "real", data: { title: "Made up" } },
      { collection: "gallery", count: 2, data: { gallery: "galleryBlur(2)" } },
    ],
  };
  const first = await post(more);
  assert.equal(first.status, 200, first.text);
  const list = await get("made?limit=100");
  assert.equal(list.length, 13);
  const made = list.filter(({ id }: { id: string }) => id !== "real");
  assert.ok(
    made.every(
      (one: { pages: number; mood: string; cover?: unknown }) =>
        one.pages >= 5 && one.pages <= 9 && one.mood === "glad" && !one.cover,
    ),
  );
  assert.equal((await get("made/real")).title, "Real");
  assert.equal((await get("gallery")).length, 2);
  const second = await post(more);
  assert.deepEqual(second.body.data.created, []);
  assert.equal((await get("made?limit=100")).length, 13);
});

test("JMP-23 hostile rules and counts are refused quickly (T114)", async () => {
  const hostile = [
    { count: 1e9, data: { title: "word" } },
    { count: 5, data: { title: "toString" } },
    { count: 5, data: { title: "system(x)" } },
    { count: 5, data: { title: "paragraphs(99999999)" } },
    { count: 5, data: { title: "hasOwnProperty" } },
  ];
  const took = await leastTime(3_000, async () => {
    for (const item of hostile) {
      const { status, body } = await post({ factory: [{ collection: "tales", ...item }] });
      assert.equal(status, 422, JSON.stringify(item));
      assert.ok(Object.keys(body.error.details)[0]?.startsWith("factory.0."));
    }
  });
  assert.ok(took < 3_000, `${took} ms`);
  assert.equal((await post({ factory: [{ collection: "nowhere", data: {} }] })).status, 422);
});

test("JMP-28 one collection can be filled by rules", async () => {
  const fill = (query: string, body: object) =>
    server.request("POST", `/api/import/collections/tales/factory?${query}`, { body });
  const first = await fill("fqty=20", { title: "sentence" });
  assert.deepEqual([first.status, first.body.created], [200, 20]);
  assert.equal((await fill("fqty=3&seed=5", { title: "sentence" })).body.created, 3);
  assert.equal((await fill("fqty=3&seed=5", { title: "sentence" })).body.skipped, 3);
  assert.equal((await fill("fqty=20000", { title: "word" })).status, 400);
  assert.equal((await fill("fqty=x", { title: "word" })).status, 400);
  assert.equal((await fill("fqty=1", { title: "system(x)" })).status, 422);
  assert.equal(
    (await server.request("POST", "/api/import/collections/auth/factory", { body: {}, key: null })).status,
    401,
  );
});

test("JMP-30 JMP-31 JMP-33 JMP-34 the demo is a site worth looking at", async () => {
  const publicDir = join(folder, "public");
  const site = await startServer({ env: { CAIRN_PUBLIC_DIR: publicDir } });
  try {
    const shown = await site.request("GET", "/api/export/jumpstart/demo");
    assert.equal(shown.body.version, "1.0.0");
    const { status, body } = await site.request("POST", "/api/import/jumpstart?demo=true");
    assert.equal(status, 200, JSON.stringify(body));
    const again = await site.cli(["jumpstart:import", "--demo", "--json"]);
    assert.deepEqual([again.code, JSON.parse(again.stdout).created], [0, []]);
    const open = (path: string) => site.request("GET", path, { key: null });
    for (const collection of ["walks", "journal", "people", "regions"]) {
      const { status: seen, body: list } = await open(`/api/collections/${collection}`);
      assert.ok(seen === 200 && list.data.length >= 3, collection);
      const settings = (await site.request("GET", `/api/collections/${collection}/settings`)).body.data;
      assert.deepEqual([settings.mcp.access, settings.publicOperations], ["public", ["read"]]);
    }
    for (const collection of ["messages", "bookings"])
      assert.equal((await open(`/api/collections/${collection}`)).status, 401, collection);
    assert.equal((await open("/api/collections/journal/query?search=lichen")).body.data.length, 1);
    const walk = (await open("/api/collections/walks/the-grey-sisters")).body.data;
    assert.deepEqual([walk.image.width, walk.gallery.length], [1600, 3]);
    for (const { alt } of [walk.image, ...walk.gallery]) assert.match(alt, /^[A-Z].+\.$/);
    assert.ok(existsSync(join(publicDir, "site.css")));
    assert.equal((await site.request("GET", "/api/access-groups/members")).status, 200);
    assert.equal((await site.request("GET", "/api/settings/site")).body.data.name, "Old Stones");
    const lint = await site.cli(["schema:lint", "--strict"]);
    assert.equal(lint.code, 0, lint.stdout);
    const text = JSON.stringify(shown.body);
    assert.equal(/lorem|ipsum/i.test(text), false);
  } finally {
    await site.stop();
  }
});

test("JMP-31 definitions go through the command line too", async () => {
  const file = join(folder, "site.json");
  const exported = await server.cli([
    "jumpstart:export",
    "--collections",
    "tales",
    "--name",
    "Tales",
    "-o",
    file,
    "--json",
  ]);
  assert.equal(exported.code, 0, exported.stderr);
  const report = JSON.parse(exported.stdout);
  const written = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([report.collections, report.objects, written.name], [1, written.objects.length, "Tales"]);
  const piped = await server.cli(["jumpstart:export", "--no-objects", "--no-templates"]);
  assert.deepEqual([JSON.parse(piped.stdout).objects, JSON.parse(piped.stdout).templates], [[], []]);
  assert.equal((await server.cli(["jumpstart:import", file])).code, 0);
  const wrong = join(folder, "wrong.json");
  writeFileSync(wrong, JSON.stringify(definition({ objects: [{ collection: "nowhere", id: "x", data: {} }] })));
  const refused = await server.cli(["jumpstart:import", wrong]);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^cairn: .*nowhere.*\n$/);
  assert.equal((await server.cli(["jumpstart:import"])).code, 2);
  assert.equal((await server.cli(["jumpstart:import", file, "--demo"])).code, 2);
});
