// Generator rules and the objects that are made by them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { factoryRules } from "#contract/factory.ts";
import type { JsonObject } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { createFlattener } from "#schemas/flatten.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { Problems } from "#sync/definition.ts";
import { makeObjects, readFactory } from "./factory.ts";
import { readDate } from "./factory-parts.ts";
import { readRule, ruleNames } from "./factory-rules.ts";

const now = "2030-06-15T12:00:00.000Z";

function flat(properties: { [name: string]: PropertyDefinition }, required: string[] = []): FlatSchema {
  const record = { id: "thing", properties: { id: { $ref: "slug" }, ...properties }, required, index: [] };
  return createFlattener((id) => (id === "thing" ? record : undefined), new Map())("thing") as FlatSchema;
}

function make(item: JsonObject, schema = flat({ value: { type: "json" } })): JsonObject[] {
  const problems = new Problems();
  const [read] = readFactory([{ collection: "things", ...item }], problems);
  problems.refuse();
  return makeObjects(read as NonNullable<typeof read>, schema, { now, related }).map(({ id, data }) => ({
    id,
    ...data,
  }));
}

const related = new Map([["people", ["ada", "bo"]]]);

const value = (rule: string): unknown => make({ data: { value: rule } })[0]?.value;

const shapes: [rule: string, form: RegExp | ((made: unknown) => boolean)][] = [
  ["word", /^[a-z]+$/],
  ["words(4)", /^\w+ \w+ \w+ \w+$/],
  ["sentence(3)", /^\w+ \w+ \w+\.$/],
  ["sentences(2)", /\. .*\.$/],
  ["paragraph(2)", /\./],
  ["paragraphs(3)", (made) => String(made).split("\n\n").length === 3],
  ["text(50)", (made) => String(made).length <= 50 && String(made).length > 0],
  ["styledtext(2,2)", /^<p>.*<\/p><p>.*<\/p>$/],
  [
    "randomFloat(1,2,3)",
    (made) => typeof made === "number" && made >= 2 && made <= 3 && /^\d(\.\d)?$/.test(String(made)),
  ],
  ["numberBetween(5,6)", (made) => made === 5 || made === 6],
  ["numberBetween(6,5)", (made) => made === 5 || made === 6],
  ["randomDigit", (made) => Number.isInteger(made) && Number(made) < 10],
  ["boolean(100)", (made) => made === true],
  ["boolean(0)", (made) => made === false],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date(d.m.Y)", /^\d\d\.\d\d\.\d{4}$/],
  [
    "dateTimeBetween('-1 year','now')",
    (made) => String(made) >= "2029-06-15" && String(made) <= "2030-06-15T00:00:00.000Z",
  ],
  ["dateTimeBetween(2020-01-01, 2020-01-31)", /^2020-01-/],
  ["iso8601", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ["time", /^\d\d:\d\d:\d\d$/],
  ["year", /^\d{4}$/],
  ["month", /^\d\d$/],
  ["dayOfWeek", /day$/],
  ["name", /^\S+ \S+/],
  ["firstName", /^\S/],
  ["lastName", /^\S/],
  ["title", /^\S/],
  ["jobTitle", / /],
  ["company", /^\S/],
  ["catchPhrase", / /],
  ["email", /^\S+@example\.(com|net|org)$/],
  ["safeEmail", /^\S+@example\.(com|net|org)$/],
  ["userName", /^\S+$/],
  ["url", /^https:\/\/\w+\.example\/[\w-]+$/],
  ["domainName", /^\w+\.example$/],
  ["slug", /^[a-z]+-[a-z]+-[a-z]+$/],
  ["ipv4", /^192\.0\.2\.\d+$/],
  ["uuid", /^[0-9a-f-]{36}$/],
  ["password", /^.{20}$/],
  ["phoneNumber", /^\+\d+$/],
  ["address", /,/],
  ["city", /^\S/],
  ["country", /^\S/],
  ["postcode", /\d/],
  ["latitude", (made) => Math.abs(Number(made)) <= 90],
  ["longitude", (made) => Math.abs(Number(made)) <= 180],
  ["tags(2,2)", (made) => Array.isArray(made) && new Set(made).size === 2],
  ["tags(2,2,red,green)", (made) => Array.isArray(made) && made.toSorted().join() === "green,red"],
];

for (const [rule, form] of shapes) {
  test(`JMP-21 JMP-22 JMP-27 the rule ${rule}`, () => {
    const made = value(rule);
    assert.ok(form instanceof RegExp ? form.test(String(made)) : form(made), `made ${JSON.stringify(made)}`);
  });
}

test("JMP-22 every rule of the list is one, and none besides", () => {
  const tried = shapes.map(([rule]) => rule.replace(/\(.*/, ""));
  const media = ruleNames.filter((name) => /^(image|gallery|file|depot)/.test(name));
  assert.deepEqual([...new Set([...tried, ...media, "id"])].sort(), [...ruleNames].sort());
  // What the admin offers.
  assert.deepEqual([...factoryRules].sort(), ruleNames.filter((name) => !media.includes(name)).sort());
});

test("JMP-21 a value that names no rule is literal", () => {
  const values = { a: "live", b: "Hello (world)", c: 5, d: true, e: ["word"], f: { g: "word" }, h: "", i: "two words" };
  const [{ id: _, ...made } = {}] = make({ data: values }, flat({}));
  assert.deepEqual(made, values);
});

test("JMP-23 names outside the list are refused, at once (T114)", async () => {
  const work = () => {
    for (const rule of [
      "constructor",
      "toString",
      "__proto__",
      "valueOf",
      "hasOwnProperty",
      "system(x)",
      "eval(1)",
      "words(x)",
    ]) {
      assert.throws(() => value(rule), { word: "refused" }, rule);
    }
    for (const rule of [
      "paragraphs(1000000)",
      "words(-1)",
      "words(1.5)",
      "text(99999999)",
      "tags(0,1000000000)",
      "dateTimeBetween(x,y)",
      "randomFloat(99,0,1)",
    ]) {
      assert.throws(() => value(rule), { word: "refused" }, rule);
    }
    assert.equal(typeof readRule(`word(${"9".repeat(5_000)})`), "undefined");
  };
  assert.ok((await leastTime(1_000, work)) < 1_000);
});

test("JMP-20 JMP-23 counts are bounded (T114)", () => {
  for (const count of [1e9, 10_001, -1, 1.5, "5", null]) {
    assert.throws(() => make({ count, data: {} }), { word: "refused" }, String(count));
  }
  const many = Array.from({ length: 3 }, () => ({ collection: "things", count: 9_000, data: {} }));
  const problems = new Problems();
  readFactory(many, problems);
  assert.throws(() => problems.refuse(), { word: "refused" });
  assert.equal(make({ count: 3, data: {} }).length, 3);
  assert.equal(make({ data: {} }).length, 1);
  assert.deepEqual(make({ count: 5, id: "only", data: { value: "a" } }), [{ id: "only", value: "a" }]);
});

test("JMP-20 every object has an id of its own", () => {
  const made = make(
    { count: 2_000, data: { id: "tags(1,1,stone)", title: "word" } },
    flat({ title: { type: "string" } }),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, 2_000);
  assert.deepEqual([made[0]?.id, made[1]?.id], ["stone", "stone-2"]);
  const titled = make({ data: { title: "A fine day" } }, flat({ title: { type: "string" } }));
  assert.equal(titled[0]?.id, "a-fine-day");
});

test("JMP-24 the schema's rules fill properties that the item leaves out, and required properties get something", () => {
  const schema = flat(
    {
      title: { type: "string", factory: "numberBetween(7,7)" },
      kind: { type: "string", field: "select", options: [{ label: "A", value: "a" }] },
      mail: { $ref: "email" },
      price: { type: "number" },
      note: { type: "string" },
      state: { type: "string", default: "open" },
    },
    ["title", "kind", "mail", "price", "state"],
  );
  const [made] = make({ data: { title: "Mine" } }, schema);
  assert.equal(made?.title, "Mine");
  assert.equal(made?.kind, "a");
  assert.match(String(made?.mail), /@example/);
  assert.equal(typeof made?.price, "number");
  assert.deepEqual([made?.note, made?.state], [undefined, undefined]);
  assert.equal(make({ data: {} }, schema)[0]?.title, 7);
});

test("JMP-24 properties that choose from a collection get ids of it", () => {
  const settings = { relationalOptions: { collection: "people" } };
  const schema = flat({ author: { type: "string", settings }, readers: { type: "list", settings } });
  const made = make({ count: 20, data: {} }, schema);
  assert.deepEqual([...new Set(made.map(({ author }) => author))].sort(), ["ada", "bo"]);
  assert.ok(made.every(({ readers }) => Array.isArray(readers) && readers.length === 1));
  assert.equal(make({ data: { author: "nobody" } }, schema)[0]?.author, "nobody");
});

test("JMP-25 nothing is made up for properties of files", () => {
  const schema = flat({ photo: { type: "image" }, paper: { type: "file" }, album: { type: "gallery" } }, ["photo"]);
  const [made] = make(
    { data: { photo: "imageBlur(640,480)", paper: "word", album: "galleryBlur(3)", other: "image" } },
    schema,
  );
  assert.deepEqual(Object.keys(made ?? {}), ["id"]);
});

test("JMP-24 generated values fit the property: length, uniqueness, HTML, lists", () => {
  const schema = flat({
    short: { type: "string", maxLength: 10 },
    code: { type: "string", unique: true },
    body: { type: "string", field: "styledtext" },
    list: { type: "list" },
  });
  const data = { short: "paragraph", code: "numberBetween(1,9)", body: "paragraphs(2)", list: "paragraphs(2)" };
  const made = make({ count: 8, data }, schema);
  assert.ok(made.every(({ short }) => String(short).length <= 10));
  assert.equal(new Set(made.map(({ code }) => code)).size, 8);
  assert.match(String(made[0]?.body), /^<p>.*<\/p><p>.*<\/p>$/);
  assert.equal(Array.isArray(made[0]?.list) && made[0].list.length, 2);
});

test("JMP-26 the same item makes the same objects, another seed others", () => {
  const item = { count: 5, data: { title: "sentence", at: "dateTimeBetween('-1 year','now')" } };
  assert.deepEqual(make(item), make(item));
  assert.deepEqual(make({ ...item, count: 3 }), make(item).slice(0, 3));
  assert.notDeepEqual(make({ ...item, seed: 1 }), make({ ...item, seed: 2 }));
  assert.deepEqual(make({ ...item, seed: 1 }), make({ ...item, seed: 1 }));
  assert.throws(() => make({ ...item, seed: "x" }), { word: "refused" });
});

test("JMP-21 dates may be relative to now", () => {
  const from = new Date(now);
  const told = (text: string) => readDate(text, from).toISOString();
  assert.equal(told("now"), now);
  assert.equal(told("today"), "2030-06-15T00:00:00.000Z");
  assert.equal(told("-1 year"), "2029-06-15T12:00:00.000Z");
  assert.equal(told("+2 weeks"), "2030-06-29T12:00:00.000Z");
  assert.equal(told("3 days ago"), "2030-06-12T12:00:00.000Z");
  assert.equal(told("1 month"), "2030-07-15T12:00:00.000Z");
  assert.equal(told("2001-02-03"), "2001-02-03T00:00:00.000Z");
  for (const text of ["whenever", "9999999 years", "-1 constructor", "2030-99-99"])
    assert.throws(() => told(text), text);
});
