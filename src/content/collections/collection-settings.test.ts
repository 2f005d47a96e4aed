import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { checkCollectionId, fillSettings, isSameConfig, mergeSettings, stripDefaults } from "./collection-settings.ts";

const stored: JsonObject = { id: "news", schema: "blog" };

function detailsOf(work: () => unknown): { [key: string]: string[] } {
  try {
    work();
  } catch (error) {
    if (error instanceof CairnError && error.status === 400) return error.details ?? {};
    throw error;
  }
  return {};
}

test("COL-3 a record is filled with its defaults", () => {
  assert.deepEqual(fillSettings(stored), {
    id: "news",
    name: "News",
    schema: "blog",
    description: "A collection of news objects that conform to the blog schema.",
    url: "",
    prettyUrl: false,
    category: "",
    labelPlural: "Posts",
    labelSingular: "Post",
    groups: [],
    publicOperations: [],
    sortBy: "id",
    reverseSort: false,
    queueRebuildOnSave: false,
    requireEmailVerification: false,
    singleton: false,
    mcp: { access: "admin" },
  });
});

test("COL-3 labels follow the schema, and are empty for a schema of the user's own", () => {
  assert.equal(fillSettings({ id: "x", schema: "builder-page" }).labelPlural, "Pages");
  assert.equal(fillSettings({ id: "x", schema: "recipe" }).labelPlural, "");
});

test("COL-4 only values that differ from the defaults are stored", () => {
  const config = mergeSettings(stored, { ...fillSettings(stored), category: "Press" });
  assert.deepEqual(stripDefaults(config), { id: "news", schema: "blog", category: "Press" });
});

test("COL-5 every value of a wrong type is named at once", () => {
  const wrong: { [key: string]: Json } = {
    schema: "Not A Slug",
    name: "",
    description: 1,
    url: ["/x"],
    prettyUrl: "true",
    category: {},
    labelPlural: 2,
    labelSingular: false,
    groups: "admin",
    publicOperations: ["read", "admin"],
    sortBy: 3,
    reverseSort: 1,
    queueRebuildOnSave: "no",
    requireEmailVerification: [],
    singleton: 0,
    publicFiles: "yes",
    onSite: 1,
    properties: { title: "text" },
    customProperties: { one: { title: 1 } },
    formSettings: { helpStyle: "shout" },
    manualSort: { tags: "a" },
    sitemap: { priority: 2 },
    mcp: { access: "everyone" },
  };
  assert.deepEqual(Object.keys(detailsOf(() => mergeSettings(stored, wrong))).sort(), Object.keys(wrong).sort());
});

test("COL-5 a wrong value inside a card is named", () => {
  for (const [key, card] of Object.entries({
    sitemap: [{ enabled: "yes" }, { frequency: "often" }, { date: 1 }, { include: [] }, "on"],
    mcp: [{ resource: 1 }, { description: 1 }, { access: null }, true],
    formSettings: [{ helpOnHover: "x" }, 5],
  }))
    for (const value of card)
      assert.ok(detailsOf(() => mergeSettings(stored, { [key]: value }))[key], `${key} ${JSON.stringify(value)}`);
});

test("COL-6 values of the service are ignored", () => {
  const config = mergeSettings(stored, {
    id: "other",
    count: 99,
    totalObjects: 99,
    lastUpdated: "1999-01-01",
    updated: "1999-01-01",
    index: { state: "ready" },
    csrf_token: "x",
  });
  assert.deepEqual(stripDefaults(config), stored);
});

test("COL-7 a full URL is cut to a path that never names another host", () => {
  const paths: [string, string][] = [
    ["", ""],
    ["blog", "/blog"],
    ["/blog/", "/blog/"],
    ["https://example.com/blog?x=1#y", "/blog"],
    ["HTTPS://example.com", "/"],
    ["//evil.test/blog", "/blog"],
    ["///evil.test", "/evil.test"],
    ["/blog/{{ category }}/{id}", "/blog/{{ category }}/{id}"],
    ["https://example.com/{id}", "/{id}"],
    ["javascript:alert(1)", "/javascript:alert(1)"],
  ];
  for (const [given, expected] of paths) assert.equal(mergeSettings(stored, { url: given }).url, expected, given);
  for (const bad of ["/\\evil.test", "/a\nb"]) assert.ok(detailsOf(() => mergeSettings(stored, { url: bad })).url, bad);
});

test("COL-8 empty cards and null take a key back to its default", () => {
  const full = {
    ...stored,
    formSettings: { helpStyle: "box" },
    manualSort: { tags: ["a"] },
    sitemap: { enabled: true },
    category: "x",
  };
  const config = mergeSettings(full, { formSettings: "", manualSort: "", sitemap: {}, category: null, schema: null });
  assert.deepEqual(stripDefaults(config), stored);
});

test("COL-9 unknown keys are kept, up to 256 kB for the record", () => {
  assert.deepEqual(mergeSettings(stored, { feed: { language: "en" } }).feed, { language: "en" });
  assert.throws(() => mergeSettings(stored, { feed: "x".repeat(300_000) }), { status: 400 });
});

test("COL-10 two records are the same whatever the order of their keys", () => {
  const a = mergeSettings(stored, { sitemap: { enabled: true, date: "d" }, category: "x" });
  const b = mergeSettings(stored, { category: "x", sitemap: { date: "d", enabled: true }, prettyUrl: false });
  assert.equal(isSameConfig(a, b), true);
  assert.equal(isSameConfig(a, mergeSettings(stored, { category: "y" })), false);
});

test("COL-11 mcp.access is admin unless set", () => {
  assert.deepEqual(mergeSettings(stored, { mcp: { resource: true } }).mcp, { access: "admin", resource: true });
  assert.deepEqual(mergeSettings(stored, { mcp: { access: "public" } }).mcp, { access: "public" });
});

test("COL-2 an id that is not a slug, too long, or taken by the service is refused (T18)", () => {
  for (const id of ["news", "a", "my_news-2", "x".repeat(100)]) assert.equal(checkCollectionId(id), id);
  for (const id of [
    undefined,
    null,
    "",
    5,
    "News",
    "a b",
    "a--b",
    "-a",
    "a-",
    "ä",
    "a/b",
    "..",
    ".",
    ".schemas",
    "a.b",
    "%2e%2e",
    "a\0",
    "x".repeat(101),
    "__proto__",
    "constructor",
    "prototype",
    "extensions",
    "templates",
    "logs",
    "schemas",
    "import",
    "export",
    "report",
    "builder",
  ])
    assert.ok(detailsOf(() => checkCollectionId(id as Json)).id, String(id));
});

test("COL-54 a key that looks like a known one is refused, unless it is stored already", () => {
  const wrong = {
    publicOperation: ["read"],
    singletn: true,
    mcp: { acces: "authenticated" },
    sitemap: { enable: true },
  };
  const details = detailsOf(() => mergeSettings(stored, wrong));
  assert.deepEqual(Object.keys(details).sort(), Object.keys(wrong).sort());
  assert.match(String(details.publicOperation), /"publicOperations"/);
  assert.match(String(details.mcp), /"access"/);
  const old = { ...stored, ...wrong };
  assert.deepEqual(
    detailsOf(() => mergeSettings(old, wrong, { known: old })),
    {},
  );
  assert.deepEqual(
    detailsOf(() => mergeSettings(stored, wrong, { known: undefined })),
    {},
  );
});
