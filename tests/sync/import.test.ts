// What an installation hands out and takes in by /api/sync, asked directly.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { upload } from "../support/sample-files.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { article, create, exported, featureObjects, fill, importInto, makeKey, names, snapshotFiles } from "./pair.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await fill(server);
  await create(server, "news", { id: "first", title: "First" });
  await makeUser(server, "ada", ["admin"]);
  await makeUser(server, "ed", ["editor"]);
});
after(() => server.stop());

const page = (data: object, id = "home") => ({ objects: [{ collection: "builder-pages", id, data }] });
const pageOf = async (id: string) => (await server.request("GET", `/api/collections/builder-pages/${id}`)).body.data;

test("SYNC-1 SYNC-3 without parameters the export is all that sync carries, and nothing else", async () => {
  await create(server, "playground", { id: "try", name: "Try", snippet: "x" });
  await create(server, "image", { id: "logo" });
  const { status, body, text } = await server.request("GET", "/api/sync/export");
  assert.equal(status, 200);
  const { version, schemas, collections, templates, objects } = body.data;
  assert.equal(typeof version, "string");
  assert.deepEqual(
    schemas.map(({ id }: { id: string }) => id),
    ["article"],
  );
  const settings = [...collections.reserved, ...collections.custom].map(({ id }) => id).sort();
  assert.deepEqual(settings, ["news", ...Object.keys(featureObjects)].sort());
  assert.deepEqual(templates[0].template, "<h1>{{ title }}</h1>");
  const places = objects.map(({ collection, id }: { collection: string; id: string }) => `${collection}/${id}`);
  assert.deepEqual(
    places.sort(),
    Object.entries(featureObjects)
      .map(([c, { id }]) => `${c}/${id}`)
      .sort(),
  );
  assert.ok(!text.includes("ada@example.test@") && !text.includes(server.key) && !text.includes("correct-horse"));
  for (const key of ["count", "totalObjects", "lastUpdated"]) assert.ok(!(key in collections.custom[0]), key);
  assert.match(collections.custom[0].updated, /^\d{4}-/);
  assert.match(schemas[0].updated, /^\d{4}-/);
});

test("SYNC-2 parameters choose: absent is not asked, empty is all, ids are those", async () => {
  const none = { schemas: [], templates: [], objects: [], collections: { reserved: [], custom: [] } };
  const shape = async (query: string) => {
    const { schemas, templates, objects, collections } = await exported(server, query);
    return { schemas, templates, objects, collections };
  };
  const whole = await shape("");
  assert.deepEqual(await shape("?schemas="), { ...none, schemas: whole.schemas });
  assert.deepEqual(await shape("?schemas=nothing,article"), { ...none, schemas: whole.schemas });
  assert.deepEqual(await shape("?schemas=nothing"), none);
  assert.deepEqual(await shape("?templates=pages/home"), { ...none, templates: whole.templates });
  const collections = whole.collections as { reserved: unknown[]; custom: unknown[] };
  assert.deepEqual(await shape("?collections=news"), {
    ...none,
    collections: { reserved: [], custom: collections.custom },
  });
  const flags = { pages: "builder-pages", dataviews: "dataviews", mailer: "mailer" };
  for (const [name, collection] of Object.entries({
    ...flags,
    "mcp-prompts": "mcp-prompt",
    automations: "automations",
  })) {
    const { objects, ...rest } = await shape(`?${name}=`);
    assert.deepEqual(rest, { schemas: [], templates: [], collections: none.collections }, name);
    assert.deepEqual(
      (objects as { collection: string }[]).map((item) => item.collection),
      [collection],
    );
  }
  const wrong = await server.request("GET", "/api/sync/export?page=home");
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.error.details), ["page"]);
});

test("SYNC-6 SYNC-7 an import creates, replaces and leaves the same, and deletes nothing", async () => {
  const envelope = await exported(server, "?schemas=&collections=news&pages=");
  const again = await importInto(server, envelope);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(names(again.body.data.unchanged), [
    "collection news",
    "object builder-pages/home",
    "schema article",
  ]);
  const { created, updated, skipped, errors } = again.body.data;
  assert.deepEqual([created, updated, skipped, errors], [[], [], [], []]);

  const answer = await importInto(server, {
    schemas: [{ ...article, id: "event" }],
    collections: { reserved: [], custom: [{ id: "events", schema: "event" }] },
    objects: [
      { collection: "builder-pages", id: "home", data: { title: "Home again", template: "pages/home" } },
      { collection: "builder-pages", id: "about", data: { title: "About", template: "pages/home" } },
    ],
    templates: [{ id: "pages/new", template: "{{ x }}", updated: "2024-05-06T07:08:09.000Z" }],
  });
  assert.equal(answer.status, 200, answer.text);
  const report = answer.body.data;
  assert.deepEqual(names(report.updated), ["object builder-pages/home"]);
  assert.deepEqual(names(report.created), [
    "collection events",
    "object builder-pages/about",
    "schema event",
    "template pages/new",
  ]);
  assert.equal((await pageOf("home")).title, "Home again");
  assert.equal((await server.request("GET", "/api/schemas/article")).status, 200);
  assert.equal((await server.request("GET", "/api/collections/news/first")).status, 200);
  const template = await server.request("GET", "/api/templates/pages/new");
  assert.equal(template.body.data.updated, "2024-05-06T07:08:09.000Z");
});

test("SYNC-6 the answer to an export can be sent as it came", async () => {
  const { body } = await server.request("GET", "/api/sync/export");
  const { status, body: answer } = await importInto(server, body);
  assert.equal(status, 200);
  assert.deepEqual([answer.data.created, answer.data.updated], [[], []]);
});

const attacks: [what: string, body: unknown, place: string][] = [
  ["an object id that is a path", page({ title: "x", template: "x" }, "../x"), "objects.builder-pages.../x.id"],
  ["a schema id that is a path", { schemas: [{ ...article, id: "../x" }] }, "schemas.../x.id"],
  ["a template id that is a path", { templates: [{ id: "../../x", template: "x" }] }, "templates.../../x"],
  [
    "a collection id that is a path",
    { collections: { custom: [{ id: "../x", schema: "blog" }] } },
    "collections.../x.id",
  ],
  ["a built-in schema", { schemas: [{ ...article, id: "blog" }] }, "schemas.blog.id"],
  ["the schema of the users", { schemas: [{ ...article, id: "auth" }] }, "schemas.auth.id"],
  ["a reserved schema id", { schemas: [{ ...article, id: "new" }] }, "schemas.new.id"],
  [
    "a reserved collection id",
    { collections: { custom: [{ id: "schemas", schema: "blog" }] } },
    "collections.schemas.id",
  ],
  ["a reserved object id", page({ title: "x", template: "x" }, "settings"), "objects.builder-pages.settings.id"],
  [
    "a feature collection under another schema",
    { collections: { reserved: [{ id: "automations", schema: "blog" }] } },
    "collections.automations.schema",
  ],
  ["the settings of the users", { collections: { reserved: ["auth"] } }, "collections.auth"],
  [
    "users",
    { objects: [{ collection: "auth", id: "eve", data: { email: "e@x.test", groups: ["admin"] } }] },
    "objects.auth",
  ],
  [
    "an automation whose code cannot be read",
    { objects: [{ collection: "automations", id: "bad", data: { name: "x", handler: "export default (" } }] },
    "objects.automations.bad.handler",
  ],
  [
    "objects of another collection",
    { objects: [{ collection: "news", id: "n", data: { title: "x" } }] },
    "objects.news",
  ],
  ["objects of a media collection", { objects: [{ collection: "image", id: "n", data: {} }] }, "objects.image"],
  [
    "the same object twice",
    { objects: [...page({ title: "x" }).objects, ...page({ title: "y" }).objects] },
    "objects.builder-pages.home",
  ],
  ["a list that is none", { schemas: {} }, "schemas"],
  ["an item that is none", { objects: ["x"] }, "objects.0"],
  ["a version that is no text", { version: 3 }, "version"],
  ["a collection without a schema", { collections: { custom: [{ id: "loose" }] } }, "collections.loose.schema"],
  [
    "a collection of an unknown schema",
    { collections: { custom: [{ id: "loose", schema: "nowhere" }] } },
    "collections.loose.schema",
  ],
];

for (const [what, body, place] of attacks) {
  test(`SYNC-8 SYNC-9 ${what} refuses the payload as a whole (T113)`, async () => {
    const good = { id: "stray", ...{ schema: "article" } };
    const sent = body as { collections?: { custom?: object[] } };
    const whole = {
      ...sent,
      collections: { ...sent.collections, custom: [...(sent.collections?.custom ?? []), good] },
    };
    const { status, body: answer, text } = await importInto(server, whole);
    assert.equal(status, 422, text);
    assert.ok(place in answer.error.details, text);
    assert.equal((await server.request("HEAD", "/api/collections/stray")).status, 404);
    assert.ok(!existsSync(join(server.dataDir, "x.json")));
  });
}

test("SYNC-8 SYNC-13 all that is wrong is named at once, and nothing is written", async () => {
  const before = await exported(server);
  const { status, body } = await importInto(server, {
    schemas: [{ ...article, description: "changed" }],
    templates: [{ id: "pages/home", template: "changed" }],
    collections: { custom: [{ id: "news", schema: "article", name: "Changed" }] },
    objects: [
      { collection: "builder-pages", id: "fine", data: { title: "Fine", template: "x" } },
      { collection: "builder-pages", id: "poor", data: { title: "Poor", template: "x", priority: 7 } },
      { collection: "mailer", id: "empty", data: {} },
    ],
  });
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(body.error.details).sort(), [
    "objects.builder-pages.poor.priority",
    "objects.mailer.empty.name",
    "objects.mailer.empty.subject",
    "objects.mailer.empty.to",
  ]);
  assert.deepEqual(await exported(server), before);
  assert.deepEqual(snapshotFiles(server, "schemas"), []);
});

test("SYNC-8 a body that is not an object, or not JSON, is 400", async () => {
  assert.equal((await importInto(server, [])).status, 400);
  const headers = { "content-type": "application/json" };
  assert.equal((await server.request("POST", "/api/sync/import", { raw: "{", headers })).status, 400);
});

test("BOUND-10 a definition of too many values is 400, by sync and by jumpstart, and names what to do", async () => {
  const raw = `{"version":"1.0.0","objects":[${"1,".repeat(2_000_000)}1]}`;
  const headers = { "content-type": "application/json" };
  for (const path of ["/api/sync/import", "/api/import/jumpstart"]) {
    const { status, body } = await server.request("POST", path, { raw, headers });
    assert.equal(status, 400);
    assert.match(body.error.message, /more than 2000000 values: send it in parts/);
  }
});

test("SYNC-13 imported text is cleaned like any other write", async () => {
  const data = { title: "Clean", template: "x", description: "fine<script>alert(1)</script>" };
  assert.equal((await importInto(server, page(data, "clean"))).status, 200);
  assert.ok(!JSON.stringify(await pageOf("clean")).includes("<script"));
});

test("SYNC-10 times come with the items", async () => {
  const [created, modified, updated] = [
    "2020-01-02T03:04:05.000Z",
    "2021-01-02T03:04:05.000Z",
    "2022-01-02T03:04:05.000Z",
  ];
  const { status, text } = await importInto(server, {
    schemas: [{ ...article, id: "dated", updated }],
    collections: { custom: [{ id: "dated", schema: "dated", updated }] },
    ...page({ title: "Dated", template: "x", created, modified, updated: modified }, "dated"),
  });
  assert.equal(status, 200, text);
  const stored = await pageOf("dated");
  assert.deepEqual([stored.created, stored.modified], [created, modified]);
  assert.equal((await server.request("GET", "/api/schemas/dated")).body.updated, updated);
  assert.equal((await server.request("GET", "/api/collections/dated/settings")).body.data.updated, updated);
  const later = "2023-01-02T03:04:05.000Z";
  await importInto(server, {
    collections: { custom: [{ id: "dated", schema: "dated", name: "New", updated: later }] },
  });
  assert.equal((await server.request("GET", "/api/collections/dated/settings")).body.data.updated, later);
});

test("SYNC-11 counters and the time of the last change of an object are the receiver's own (T113)", async () => {
  const before = (await server.request("GET", "/api/collections/news/settings")).body.data;
  const sent = {
    id: "news",
    schema: "article",
    name: "Counted",
    count: 999,
    totalObjects: 999,
    lastUpdated: "2001-01-01",
  };
  assert.equal((await importInto(server, { collections: { custom: [sent] } })).status, 200);
  const { name, count, totalObjects, lastUpdated } = (await server.request("GET", "/api/collections/news/settings"))
    .body.data;
  assert.deepEqual(
    [name, count, totalObjects, lastUpdated],
    ["Counted", before.count, before.totalObjects, before.lastUpdated],
  );
});

test("SYNC-4 SYNC-12 files stay where they are: they are in no export, and an import keeps them", async () => {
  await create(server, "builder-pages", { id: "pictured", title: "Pictured", template: "pages/home" });
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await upload(server, "builder-pages/pictured/image", { name: "dot.png", bytes: png });
  const { image } = await pageOf("pictured");
  assert.equal(image.name, "dot.png");
  const { objects } = (await exported(server, "?pages=pictured")) as { objects: { data: object }[] };
  assert.deepEqual([objects.length, "image" in (objects[0]?.data ?? {})], [1, false]);
  const data = { title: "Pictured anew", template: "x", image: { name: "other.png", size: 1, width: 9 } };
  assert.equal((await importInto(server, page(data, "pictured"))).status, 200);
  const stored = await pageOf("pictured");
  assert.deepEqual([stored.title, stored.image], ["Pictured anew", image]);
  const download = await server.request("GET", "/download/builder-pages/pictured/image");
  assert.equal(download.status, 200);
});

test("SYNC-12 passwords stay the receiver's: an overwritten object still has the one that it must have", async () => {
  const properties = { title: { type: "string" }, secret: { type: "password" } };
  await server.makeSchema({ id: "locked", properties, required: ["secret"], index: [] });
  await server.makeCollection({ id: "locked", schema: "locked" });
  await create(server, "locked", { id: "one", title: "One", secret: "correct-horse" });
  const seed = (id: string, data: object) =>
    server.request("POST", "/api/import/jumpstart?overwrite=1", {
      body: { version: "1.0.0", name: "Seed", objects: [{ collection: "locked", id, data }] },
    });
  const { status, text } = await seed("one", { title: "Two" });
  assert.equal(status, 200, text);
  assert.equal((await server.request("GET", "/api/collections/locked/one")).body.data.title, "Two");
  const bare = await seed("two", { title: "Two" });
  assert.deepEqual([bare.status, Object.keys(bare.body.error.details)], [422, ["objects.locked.two.secret"]]);
});

test("SYNC-12 the receiver keeps its service properties of an automation", async () => {
  const objects = [
    {
      collection: "automations",
      id: "nightly",
      data: { ...featureObjects.automations, consecutiveFailures: 4, autoDisabled: true, name: "Renamed" },
    },
  ];
  assert.equal((await importInto(server, { objects })).status, 200);
  const { name, consecutiveFailures, autoDisabled } = (
    await server.request("GET", "/api/collections/automations/nightly")
  ).body.data;
  assert.deepEqual([name, consecutiveFailures, autoDisabled], ["Renamed", 0, false]);
});

test("SYNC-14 SYNC-17 settings create a missing collection, under a schema of the same payload, and its index is ready", async () => {
  const { status } = await importInto(server, {
    schemas: [{ ...article, id: "fresh" }],
    collections: { custom: [{ id: "fresh", schema: "fresh", name: "Fresh" }] },
  });
  assert.equal(status, 200);
  const { name, totalObjects, index } = (await server.request("GET", "/api/collections/fresh/settings")).body.data;
  assert.deepEqual([name, totalObjects, index.state], ["Fresh", 0, "ready"]);
  await create(server, "fresh", { id: "one", title: "One" });
  const wider = {
    ...article,
    id: "fresh",
    properties: { ...article.properties, more: { type: "string", default: "yes" } },
    index: ["title", "more"],
  };
  assert.equal((await importInto(server, { schemas: [wider] })).status, 200);
  const found = await server.request("GET", "/api/collections/fresh/query?include=more:yes");
  assert.equal(found.body.meta.pagination.total, 1);
});

test("SYNC-15 SYNC-16 only the admin persona may, and a key only by its grant", async () => {
  const [admin, editor] = [await signIn(server, "ada"), await signIn(server, "ed")];
  const both = async (ask: (method: string, path: string, options?: object) => Promise<{ status: number }>) => [
    (await ask("GET", "/api/sync/export?schemas=none")).status,
    (await ask("POST", "/api/sync/import", { body: {} })).status,
  ];
  const keyed = async (endpoints: string, methods?: string) => {
    const key = await makeKey(server, endpoints, methods);
    return both((method, path, options) => server.request(method, path, { ...options, key }));
  };
  assert.deepEqual(await both(admin.request), [200, 200]);
  assert.deepEqual(await both(editor.request), [403, 403]);
  assert.deepEqual(
    await both((method, path, options) => server.request(method, path, { ...options, key: null })),
    [401, 401],
  );
  assert.deepEqual(await keyed("/sync"), [200, 200]);
  assert.deepEqual(await keyed("/sync", "GET"), [200, 401]);
  assert.deepEqual(await keyed("/collections,/schemas,/import/jumpstart"), [401, 401]);
  const key = await makeKey(server, "/sync");
  assert.equal((await server.request("POST", "/api/import/jumpstart", { body: {}, key })).status, 401);
  assert.equal((await server.request("GET", "/api/collections", { key })).status, 401);
});

test("SYNC-18 an import that changed something is in the audit log", async () => {
  await importInto(server, page({ title: "Audited", template: "x" }, "audited"));
  const log = readFileSync(join(server.dataDir, ".system", "logs", "access.log"), "utf8");
  assert.match(log, /"type":"sync.imported".*"created":1,"updated":0/);
});

test("SYNC-19 ATM-4 AUD-12 automations and views that arrive are in the audit log like any other", async () => {
  const bring = (handler: string, more: object = {}) =>
    importInto(server, {
      version: "1.0.0",
      objects: [
        { collection: "automations", id: "arrived", data: { name: "Arrived", handler, ...more } },
        { collection: "dataviews", id: "arrived", data: { name: "Arrived", definition: handler, ...more } },
      ],
    });
  const lines = () =>
    readFileSync(join(server.dataDir, ".system", "logs", "access.log"), "utf8")
      .split("\n")
      .filter((line) => line.includes('"object":"arrived"'))
      .map((line) => JSON.parse(line))
      .map(({ type, changed, by }) => [type, by, changed ?? []].flat().join(" "));
  await bring("export default async () => [1]");
  const created = ["automation.created import", "view.created import"];
  assert.deepEqual(lines(), created);
  await bring("export default async () => [1]", { name: "Another name" });
  assert.deepEqual(lines(), created);
  await bring("export default async () => [2]");
  assert.deepEqual(lines(), [...created, "automation.changed import handler", "view.changed import definition"]);
});

test("SYNC-20 SYNC-22 a replaced item is kept under its id and time, an unchanged one is not (T115)", async () => {
  await importInto(server, page({ title: "One", template: "x" }, "kept"));
  assert.deepEqual(snapshotFiles(server, "objects/builder-pages/kept"), []);
  // More than one a second, and each is a file of its own.
  for (const title of ["Two", "Three", "Three", "Three", "Four"]) {
    await importInto(server, page({ title, template: "x" }, "kept"));
  }
  const files = snapshotFiles(server, "objects/builder-pages/kept");
  assert.equal(files.length, 3, files.join());
  for (const file of files) assert.match(file, /^objects\/builder-pages\/kept\/kept-\d{8}-\d{6}(-\d+)?\.json$/);
  const contents = files.map((file) => JSON.parse(readFileSync(join(server.dataDir, ".system/backups", file), "utf8")));
  assert.deepEqual(contents.map(({ title }) => title).sort(), ["One", "Three", "Two"]);
  assert.equal(statSync(join(server.dataDir, ".system/backups", files[0] as string)).mode & 0o777, 0o600);

  await importInto(server, {
    schemas: [{ ...article, description: "Other words" }],
    collections: { custom: [{ id: "news", schema: "article", name: "Other name" }] },
  });
  assert.match(snapshotFiles(server, "schemas/article").join(), /^schemas\/article\/article-\d{8}-\d{6}\.json$/);
  assert.ok(snapshotFiles(server, "collections/news").length >= 1);
});

test("SYNC-21 the ten newest of an item are kept (T115)", async () => {
  for (let number = 0; number <= 13; number += 1) {
    await importInto(server, page({ title: `Title ${number}`, template: "x" }, "often"));
  }
  const { stdout } = await server.cli(["backup:list", "builder-pages:often", "--json"]);
  const listed: { file: string }[] = JSON.parse(stdout);
  const titles = listed.map(
    ({ file }) => JSON.parse(readFileSync(join(server.dataDir, ".system/backups", file), "utf8")).title,
  );
  assert.deepEqual(
    titles,
    Array.from({ length: 10 }, (_, at) => `Title ${12 - at}`),
  );
});

test("SYNC-23 SYNC-24 a snapshot is listed, and comes back through the normal save", async () => {
  await importInto(server, page({ title: "Before", template: "pages/home" }, "back"));
  await importInto(server, page({ title: "After", template: "pages/home" }, "back"));
  const list = async () => JSON.parse((await server.cli(["backup:list", "builder-pages:back", "--json"])).stdout);
  const [snapshot] = await list();
  assert.deepEqual(Object.keys(snapshot), ["kind", "collection", "id", "file", "created"]);
  assert.deepEqual([snapshot.kind, snapshot.collection, snapshot.id], ["object", "builder-pages", "back"]);
  const { code, stderr } = await server.cli(["backup:restore", snapshot.file]);
  assert.equal(code, 0, stderr);
  const stored = await pageOf("back");
  assert.equal(stored.title, "Before");
  assert.ok(Date.parse(stored.modified) > Date.parse(snapshot.created), "a restore is a save of now");
  assert.equal((await list()).length, 2);

  const schema = JSON.parse((await server.cli(["backup:list", "--json"])).stdout).find(
    ({ kind }: { kind: string }) => kind === "schema",
  );
  const full = join(server.dataDir, ".system", "backups", schema.file);
  assert.equal((await server.cli(["backup:restore", full])).code, 0);
  assert.equal(
    (await server.request("GET", `/api/schemas/${schema.id}`)).body.description,
    JSON.parse(readFileSync(full, "utf8")).description,
  );
});

test("SYNC-25 nothing but a snapshot can be restored (T117)", async () => {
  const before = await exported(server);
  const names = [
    "../../x",
    "../settings.json",
    "/etc/passwd",
    "objects/builder-pages/home/../../../../settings.json",
    "schemas/none/none-20300101-000000.json",
    "",
  ];
  for (const name of names) {
    const { code, stderr } = await server.cli(["backup:restore", name]);
    assert.notEqual(code, 0, name);
    assert.match(stderr, /^cairn: .+\n$/);
  }
  assert.deepEqual(await exported(server), before);
});
