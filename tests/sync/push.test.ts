// cairn push between two installations: every row of the table of flags.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { create, exported, featureObjects, fill, makeKey, names, type Pair, snapshotFiles, startPair } from "./pair.ts";

let pair: Pair;

before(async () => {
  pair = await startPair();
  const { here } = pair;
  await fill(here);
  await here.makeSchema({ id: "event", properties: { title: { type: "string" } }, required: [], index: [] });
  await create(here, "builder-pages", { id: "about", title: "About", template: "pages/home" });
  for (const id of ["one", "two", "three"]) await create(here, "news", { id, title: `Title ${id}` });
  await create(here, "blog", { id: "hello", title: "Hello" });
});
after(() => pair.stop());

interface Pushed {
  code: number | null;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: the one document of a command
  json: any;
}

async function push(...flags: string[]): Promise<Pushed> {
  const { code, stdout, stderr } = await pair.here.cli(["push", "--json", ...flags]);
  return { code, stderr, json: stdout === "" ? undefined : JSON.parse(stdout) };
}

const flags: [rule: string, flag: string, items: string[]][] = [
  ["SYNC-31 SYNC-39 push", "--schemas=article", ["schema article"]],
  ["SYNC-31 push", "--schemas", ["schema article", "schema event"]],
  ["SYNC-32 push", "--templates=pages/home", ["template pages/home"]],
  ["SYNC-33 SYNC-39 push", "--pages=about", ["object builder-pages/about"]],
  ["SYNC-33 push", "--pages", ["object builder-pages/about", "object builder-pages/home"]],
  ["SYNC-34 push", "--dataviews", ["object dataviews/totals"]],
  ["SYNC-35 push", "--mailer", ["object mailer/welcome"]],
  ["SYNC-36 push", "--mcp-prompts=review", ["object mcp-prompt/review"]],
  ["SYNC-37 push", "--automations", ["object automations/nightly"]],
  ["SYNC-14 SYNC-38 push", "--collections=news", ["collection news"]],
];

for (const [rule, flag, items] of flags) {
  test(`${rule} ${flag} carries ${items.join(", ")} and nothing else`, async () => {
    const { code, json, stderr } = await push(flag);
    assert.equal(code, 0, stderr);
    assert.deepEqual(names(json.items), items);
    assert.deepEqual([json.direction, json.sent, json.remote], ["push", true, `${pair.there.url}/api`]);
  });
}

test("SYNC-38 settings go without objects", async () => {
  const { name, totalObjects } = (await pair.there.request("GET", "/api/collections/news/settings")).body.data;
  assert.deepEqual([name, totalObjects], ["News of here", 0]);
});

test("SYNC-30 without a filter everything goes, except seeded objects; --overwrite and --force alone change nothing", async () => {
  const { code, json, stderr } = await push("--overwrite", "--force");
  assert.equal(code, 0, stderr);
  const objects = Object.entries(featureObjects).map(([collection, { id }]) => `object ${collection}/${id}`);
  const collections = ["blog", "news", ...Object.keys(featureObjects)].map((id) => `collection ${id}`);
  const others = ["object builder-pages/about", "schema article", "schema event", "template pages/home"];
  assert.deepEqual(names(json.items), [...objects, ...collections, ...others].sort());
  const [mine, theirs] = [await exported(pair.here), await exported(pair.there)];
  for (const key of ["schemas", "templates", "objects"]) assert.deepEqual(theirs[key], mine[key], key);
  assert.equal((await pair.there.request("GET", "/api/collections/blog")).body.data.length, 0);
});

test("SYNC-22 SYNC-47 pushed again all is identical, and no snapshot is added", async () => {
  const before = snapshotFiles(pair.there);
  const { json } = await push();
  assert.deepEqual([...new Set(json.items.map(({ status }: { status: string }) => status))], ["identical"]);
  assert.deepEqual([json.compared, json.sent], [true, true]);
  assert.deepEqual(snapshotFiles(pair.there), before);
});

test("SYNC-40 --objects seeds missing objects, leaves existing ones alone, and may be repeated", async () => {
  const titles = async () => {
    const { body } = await pair.there.request("GET", "/api/collections/news?sort=id&order=asc");
    return body.data.map(({ title }: { title: string }) => title);
  };
  const first = await push("--objects=news:one,two", "--objects=blog");
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(names(first.json.items), ["object blog/hello", "object news/one", "object news/two"]);
  await pair.there.request("PATCH", "/api/collections/news/one", { body: { title: "Theirs" } });
  const second = await push("--objects=news", "--overwrite", "--dry-run");
  assert.equal(second.code, 0, "a dry run needs no force");
  const third = await push("--objects=news");
  assert.deepEqual(names(third.json.result.skipped), ["object news/one", "object news/two"]);
  assert.deepEqual(names(third.json.result.created), ["object news/three"]);
  assert.deepEqual(await titles(), ["Theirs", "Title three", "Title two"]);
});

test("SYNC-41 SYNC-42 --overwrite lets seeded objects replace, and needs --force", async () => {
  const title = async () => (await pair.there.request("GET", "/api/collections/news/one")).body.data.title;
  const refused = await push("--objects=news:one", "--overwrite");
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--force/);
  assert.equal(await title(), "Theirs");
  const { code, json, stderr } = await push("--objects=news:one", "--overwrite", "--force");
  assert.equal(code, 0, stderr);
  assert.deepEqual(names(json.result.updated), ["object news/one"]);
  assert.equal(await title(), "Title one");
  assert.equal(snapshotFiles(pair.there, "objects/news/one").length, 1);
});

test("SYNC-44 feature and media collections, the playground and users cannot be seeded (T112)", async () => {
  for (const collection of ["automations", "builder-pages", "image", "playground", "auth"]) {
    const { code, stderr } = await push(`--objects=${collection}`);
    assert.equal(code, 2, collection);
    assert.match(stderr, /seed|carried/);
  }
});

test("SYNC-44 a key for seeding brings no automation, page or user, whatever is sent (T112)", async () => {
  const handler = "export default async () => 2";
  const key = await makeKey(pair.there, "/import/jumpstart");
  for (const [collection, id] of [
    ["automations", "nightly"],
    ["automations", "evil"],
    ["builder-pages", "evil"],
    ["auth", "eve"],
    ["image", "x"],
  ]) {
    for (const query of ["", "?overwrite=1"]) {
      const objects = [{ collection, id, data: { handler, title: "x", template: "x", email: "e@example.test" } }];
      const body = { version: "1.0.0", name: "x", objects };
      const { status } = await pair.there.request("POST", `/api/import/jumpstart${query}`, { body, key });
      assert.equal(status, 422, `${collection}${query}`);
    }
  }
  const { body } = await pair.there.request("GET", "/api/collections/automations/nightly");
  assert.equal(body.data.handler, featureObjects.automations.handler);
});

test("SYNC-46 --collection-meta is gone, with a hint", async () => {
  const { code, stderr } = await push("--collection-meta=news");
  assert.equal(code, 2);
  assert.match(stderr, /--collections/);
});

test("SYNC-48 ids that do not exist are named, and fail when there is nothing else", async () => {
  const some = await push("--schemas=article,nowhere");
  assert.deepEqual([some.code, names(some.json.items)], [0, ["schema article"]]);
  assert.match(some.stderr, /no schema nowhere/);
  const none = await push("--pages=nowhere");
  assert.deepEqual([none.code, none.json.sent, none.json.items], [1, false, []]);
  assert.match(none.stderr, /no object builder-pages\/nowhere/);
  assert.equal((await push("--schemas=")).code, 2);
  assert.equal((await push("--objects")).code, 2);
  assert.equal((await push("--objects=:x")).code, 2);
});

test("SYNC-55 a push names what replaces newer work, and asks for nothing without a terminal", async () => {
  await pair.there.request("PATCH", "/api/collections/mailer/welcome", { body: { subject: "Newer" } });
  const { code, stderr, json } = await push("--mailer");
  assert.equal(code, 0, stderr);
  assert.match(stderr, /WARNING: object mailer\/welcome: the older local copy would overwrite the newer remote one/);
  assert.deepEqual(names(json.result.updated), ["object mailer/welcome"]);
  assert.equal((await push("--mailer", "--yes")).stderr, "");
});

test("SYNC-49 nothing to push is not a failure", async () => {
  const { here } = pair;
  await here.request("DELETE", "/api/collections/dataviews/totals");
  const { code, stdout, stderr } = await here.cli(["push", "--dataviews"]);
  assert.deepEqual([code, stdout, stderr], [0, "Nothing to push.\n", ""]);
});

test("SYNC-7 items deleted here stay there", async () => {
  assert.equal((await pair.there.request("GET", "/api/collections/dataviews/totals")).status, 200);
});
