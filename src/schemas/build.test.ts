import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "#contract/json.ts";
import { build, now, refusal, schemaOf } from "./build.fixture.ts";
import { proposeId } from "./build.ts";

const article = schemaOf(
  {
    title: { type: "string", label: "Title" },
    price: { type: "number", label: "Price", minimum: 1 },
    tags: { type: "list" },
    image: { type: "image" },
    published: { type: "date", default: "now" },
    featured: { type: "boolean", default: "false" },
    note: { type: "string" },
  },
  { required: ["title", "image"] },
);

test("FLD-10 everything that is wrong is reported at once, by property", () => {
  const details = refusal(() =>
    build(article, { title: "", price: "much", tags: 5, featured: "perhaps", published: "soon" }),
  );
  assert.deepEqual(details, {
    title: ["Title is required"],
    price: ["Price must be a number"],
    tags: ["Tags must be a list"],
    featured: ["Featured must be true or false"],
    published: ["Published must be a date"],
  });
});

test("FLD-38 a document has id, schema order, created, modified; absent properties are absent", () => {
  const { document } = build(article, { note: "n", modified: "x", price: 2, title: "T" });
  assert.deepEqual(Object.keys(document), [
    "id",
    "title",
    "price",
    "published",
    "featured",
    "note",
    "created",
    "modified",
  ]);
});

test("FLD-40 null and absent mean the default, empty values are values", () => {
  const { document } = build(article, { title: "T", published: null, featured: null, note: "", tags: [] });
  assert.deepEqual(document, {
    ...{ id: "x", title: "T", tags: [], published: now, featured: false, note: "" },
    ...{ created: now, modified: now },
  });
});

test("FLD-40 an empty date means the default where there is one", () => {
  const schema = schemaOf({ start: { type: "date", default: "now" }, end: { type: "date" } });
  assert.deepEqual(build(schema, { start: "", end: "" }).document, {
    ...{ id: "x", start: now, end: "" },
    ...{ created: now, modified: now },
  });
});

test("FLD-40 a default that breaks the type is ignored", () => {
  const schema = schemaOf({
    n: { type: "number", default: "many" },
    s: { type: "string", default: "<b onclick=x>d</b>" },
  });
  assert.deepEqual(build(schema, {}).document, { id: "x", s: "<b>d</b>", created: now, modified: now });
});

test("FLD-32 required: text and lists not empty, others present", () => {
  const kinds: [string, Json | undefined, boolean][] = [
    ["string", "", false],
    ["string", undefined, false],
    ["string", " ", true],
    ["list", [], false],
    ["list", ["a"], true],
    ["date", "", false],
    ["email", "", false],
    ["deck", [], false],
    ["number", 0, true],
    ["number", undefined, false],
    ["boolean", false, true],
    ["boolean", null, false],
    ["image", undefined, true],
    ["gallery", [], true],
    ["file", undefined, true],
    ["depot", undefined, true],
    ["json", {}, true],
  ];
  for (const [type, value, isAccepted] of kinds) {
    const schema = schemaOf({ it: { type, label: "It" } }, { required: ["it"] });
    const write = () => build(schema, value === undefined ? {} : { it: value });
    if (isAccepted) write();
    else assert.deepEqual(refusal(write), { it: ["It is required"] }, `${type} ${JSON.stringify(value)}`);
  }
});

test("FLD-32 a definition with its own minLength or minItems decides about emptiness", () => {
  const schema = schemaOf(
    { s: { type: "string", minLength: 0, required: true }, l: { type: "list", minItems: 0, required: true } },
    {},
  );
  assert.deepEqual(build(schema, { s: "", l: [] }).document.s, "");
  assert.deepEqual(Object.keys(refusal(() => build(schema, { l: [] }))), ["s"]);
});

test("FLD-32 what a rule of visibility hides is not asked for", () => {
  const rule = { watch: "kind", value: "talk" };
  const schema = schemaOf({
    kind: { type: "string" },
    speaker: { type: "string", label: "Speaker", required: true, settings: { visibility: rule } },
    room: { type: "string", label: "Room", required: true, settings: { visibility: { ...rule, mode: "disable" } } },
  });
  assert.equal(build(schema, { kind: "break", room: "A" }).document.kind, "break");
  assert.deepEqual(
    refusal(() => build(schema, { kind: "break" })),
    { room: ["Room is required"] },
  );
  assert.deepEqual(
    refusal(() => build(schema, { kind: "talk", room: "A" })),
    { speaker: ["Speaker is required"] },
  );
});

test("FLD-36 unknown keys are dropped, or refused by name (T7)", () => {
  assert.equal("zzz" in build(article, { title: "T", zzz: 1, csrf_token: "c" }).document, false);
  const closed = schemaOf({ title: { type: "string" } }, { additionalProperties: false });
  assert.deepEqual(
    refusal(() => build(closed, { title: "T", zzz: 1 })),
    { zzz: ["zzz is not a property of this schema"] },
  );
});

test("FLD-36 csrf_token, created and modified are never refused (T8)", () => {
  const closed = schemaOf({ title: { type: "string" } }, { additionalProperties: false });
  const { document } = build(closed, { title: "T", csrf_token: "c", created: "1999-01-01T00:00:00Z", modified: "x" });
  assert.deepEqual(document, { id: "x", title: "T", created: now, modified: now });
});

test("FLD-37 created and modified come from the service, also when the schema has such properties (T7)", () => {
  const schema = schemaOf({ created: { type: "date" }, modified: { type: "string" }, title: { type: "string" } });
  const { document } = build(schema, { title: "T", created: "1999-01-01T00:00:00Z", modified: "no" });
  assert.deepEqual(Object.entries(document).slice(-2), [
    ["created", now],
    ["modified", now],
  ]);
});

test("FLD-43 onCreate mirrors created and onUpdate mirrors modified, whatever was sent", () => {
  const schema = schemaOf({
    born: { type: "date", settings: { onCreate: true } },
    updated: { type: "date", settings: { onUpdate: true } },
  });
  const times = { created: "2020-01-01T00:00:00.000Z", modified: now };
  const sent = { born: "1999-01-01", updated: "1999-01-01" };
  assert.deepEqual(build(schema, sent, times).document, { id: "x", born: times.created, updated: now, ...times });
  const trusted = build(schema, sent, { ...times, isTrusted: true }).document;
  assert.deepEqual([trusted.born, trusted.updated], ["1999-01-01T00:00:00.000Z", "1999-01-01T00:00:00.000Z"]);
});

test("FLD-45 properties that were not sent stay as they are stored", () => {
  const stored = { title: "", price: -5, note: "<script>x</script>", extra: 1 };
  const { document } = build(article, { ...stored, tags: "a,b" }, { changed: new Set(["tags"]) });
  assert.deepEqual(
    [document.title, document.price, document.note, document.tags],
    ["", -5, "<script>x</script>", ["a", "b"]],
  );
  assert.equal("extra" in document, false);
});

test("FLD-3 a sent id is slugged", () => {
  for (const [sent, id] of [
    ["Hello World", "hello-world"],
    [42, "42"],
    ["a.b", "a-b"],
    ["a/b", "a-b"],
    ["Café & Résumé", "cafe-resume"],
    ["contact@email.com", "contact-at-email-com"],
    ["hello_world_test", "hello_world_test"],
    ["Multiple...Dots", "multiple-dots"],
    ["https://example.com/page", "https-example-com-page"],
    ["_", "_"],
  ] as [Json, string][]) {
    assert.deepEqual(proposeId(article, { id: sent }, { now, counter: 1 }), { id, isGenerated: false });
  }
});

const badIds: Json[] = [
  "---",
  "..",
  "a/../b",
  "./a",
  "a/.",
  "/etc/passwd",
  "a\\b",
  "a\0b",
  "a\nb",
  "../etc",
  "query",
  "Index",
  "settings",
  "x".repeat(201),
  [],
  {},
  true,
];
for (const id of badIds) {
  test(`FLD-3 the id ${JSON.stringify(id).slice(0, 30)} is refused (T18, T19)`, () => {
    assert.deepEqual(Object.keys(refusal(() => proposeId(article, { id }, { now, counter: 1 }))), ["id"]);
  });
}

test("FLD-4 without an id: autogen, title, name, random", () => {
  const auto = schemaOf({ id: { field: "id", settings: { autogen: "${author}-${oid-000}" } } });
  const id = (schema: typeof auto, input: { [key: string]: Json }) => proposeId(schema, input, { now, counter: 7 });
  assert.deepEqual(id(auto, { id: "", author: "Jane", title: "T" }), { id: "jane-007", isGenerated: true });
  assert.equal(id(article, { title: "My Title", name: "N" }).id, "my-title");
  assert.equal(id(article, { title: "!!!", name: "A Name" }).id, "a-name");
  assert.match(id(article, { id: null }).id, /^[0-9a-z]{12}$/);
});

test("FLD-5 a generated id is cut, and gets a suffix when it is a word of the routes (T18)", () => {
  assert.equal(proposeId(article, { title: "Query" }, { now, counter: 1 }).id, "query-1");
  assert.equal(proposeId(article, { title: "x".repeat(500) }, { now, counter: 1 }).id.length, 180);
});

test("FLD-6 snakeCase ids use underscores and do not start with a digit", () => {
  const schema = schemaOf({ id: { field: "id", settings: { autogen: "${name}", snakeCase: true } } });
  assert.equal(proposeId(schema, { name: "Find Old Posts" }, { now, counter: 1 }).id, "find_old_posts");
  assert.equal(proposeId(schema, { name: "3 times" }, { now, counter: 1 }).id, "_3_times");
  assert.deepEqual(Object.keys(refusal(() => proposeId(schema, { id: "3 times" }, { now, counter: 1 }))), ["id"]);
});

test("FLD-33 the rules of the id property hold for the id", () => {
  const schema = schemaOf({ id: { field: "id", pattern: "^[a-z]+$" } });
  assert.deepEqual(
    refusal(() => build(schema, { id: "a1" })),
    { id: ["Value does not match required format"] },
  );
});
