import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { flattenSchema } from "#schemas/build.fixture.ts";
import type { Condition, Filter, Selection } from "#storage/query/selection.ts";
import { readListSelection, readQuerySelection, readReportSelection, type Source } from "./filters.ts";
import type { Params } from "./parameters.ts";

const schema = flattenSchema({
  id: "product",
  properties: {
    title: { type: "string", field: "text" },
    price: { type: "number", field: "number" },
    active: { type: "boolean", field: "toggle" },
    released: { type: "date", field: "date" },
    tags: { type: "list", field: "list" },
    image: { type: "image", field: "image" },
    notes: { type: "string", field: "textarea" },
    course: { type: "string", field: "select", options: ["starter", { value: "dessert", label: "Dessert" }] },
    secret: { type: "password", field: "password" },
    draft: { type: "boolean", field: "toggle" },
  },
  required: ["id"],
  index: ["id", "title", "price", "active", "released", "tags", "image"],
});
const source: Source = { collection: "products", schema, hideDrafts: false, isPublic: false, isVirtual: false };

const list = (params: Params): Selection => readListSelection(params, source);
const query = (params: Params) => readQuerySelection(params, source);
const filter = (property: string, test: unknown): Selection => list({ filter: { [property]: test } });

/** `title eq x`, for short expectations. */
function brief({ operand, operator, values }: Condition): string {
  return operator === "never" ? "never" : `${operand.property} ${operator} ${values.join("|")}`;
}
const included = (selection: Selection): string[] => selection.include.map(brief);
const excluded = (selection: Selection): string[] => selection.exclude.map(brief);
/** The groups, with their conditions in short. */
const tree = ({ groups = [] }: Selection): unknown[] => groups.map(briefly);
function briefly(part: Filter): unknown {
  if ("all" in part) return { all: part.all.map(briefly) };
  if ("any" in part) return { any: part.any.map(briefly) };
  return "not" in part ? { not: briefly(part.not) } : brief(part);
}

function refusal(read: () => unknown): CairnError {
  try {
    read();
  } catch (error) {
    if (error instanceof CairnError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

test("FIL-1 filters are equalities that must all hold", () => {
  assert.deepEqual(included(list({ filter: { title: "Big Lamp", price: "5" } })), ["title eq big lamp", "price eq 5"]);
});

test("FIL-2 filter[p][op] takes the operators, and several for one property", () => {
  assert.deepEqual(included(filter("price", { gte: "5", lt: "9.5" })), ["price gte 5", "price lt 9.5"]);
  assert.deepEqual(Object.keys(refusal(() => filter("price", { above: "5" })).details ?? {}), ["filter"]);
  assert.deepEqual(Object.keys(refusal(() => filter("nothing", "5")).details ?? {}), ["filter"]);
  assert.equal(refusal(() => list({ filter: "title" })).status, 400);
  assert.equal(refusal(() => filter("title", ["a", "b"])).status, 400);
  assert.equal(refusal(() => filter("title", { eq: { deep: "x" } })).status, 400);
});

test("FIL-3 text takes an asterisk at either end", () => {
  assert.deepEqual(included(filter("title", "La*")), ["title starts la"]);
  assert.deepEqual(included(filter("title", "*mp")), ["title ends mp"]);
  assert.deepEqual(included(filter("title", "*am*")), ["title contains am"]);
  assert.deepEqual(included(filter("title", "a*b")), ["title eq a*b"]);
  assert.deepEqual(included(filter("title", "*")), ["title starts "]);
  const not = (text: string) => included(filter("title", { ne: text }));
  assert.deepEqual(
    [...not("La*"), ...not("*mp"), ...not("*am*"), ...not("a*b")],
    ["title notstarts la", "title notends mp", "title notcontains am", "title ne a*b"],
  );
});

test("FIL-4 lists are compared by their elements, in lower case", () => {
  assert.deepEqual(filter("tags", "Red").include, [
    { operand: { property: "tags", source: "index", comparison: "list" }, operator: "eq", values: ["red"] },
  ]);
});

test("FIL-5 a value that is not a number is refused for a number", () => {
  assert.deepEqual(included(filter("price", "2.50")), ["price eq 2.5"]);
  for (const text of ["abc", "", "1e999", "0x10", "NaN", "1_000"]) {
    const { status, message, details } = refusal(() => filter("price", text));
    assert.deepEqual([status, Object.keys(details ?? {})], [400, ["filter"]], text);
    assert.match(message, /"price" is a number/);
  }
  assert.deepEqual(Object.keys(refusal(() => query({ exclude: "price:abc" })).details ?? {}), ["exclude"]);
});

test("FIL-6 booleans take only true and false", () => {
  assert.deepEqual(filter("active", "true").include[0]?.values, [true]);
  assert.deepEqual(filter("active", "false").include[0]?.values, [false]);
  for (const text of ["1", "TRUE", "yes"]) assert.equal(refusal(() => filter("active", text)).status, 400, text);
});

test("FIL-7 a bare date is the whole day", () => {
  const start = "2024-02-29T00:00:00.000Z";
  const end = "2024-03-01T00:00:00.000Z";
  const on = (operator: string) => included(filter("released", { [operator]: "2024-02-29" }));
  assert.deepEqual(on("eq"), [`released gte ${start}`, `released lt ${end}`]);
  assert.deepEqual(on("lt"), [`released lt ${start}`]);
  assert.deepEqual(on("lte"), [`released lt ${end}`]);
  assert.deepEqual(on("gt"), [`released gte ${end}`]);
  assert.deepEqual(on("gte"), [`released gte ${start}`]);
  assert.deepEqual(included(filter("released", { ne: "2024-02-29" })), ["released notstarts 2024-02-29"]);
  const without = query({ exclude: "released:2024-02-29" }).selection;
  assert.deepEqual(tree(without), [{ not: { all: [`released gte ${start}`, `released lt ${end}`] } }]);
  const only = query({ exclude: "released:ne:2024-02-29" }).selection;
  assert.deepEqual(excluded(only), ["released notstarts 2024-02-29"]);
});

test("FIL-7 a time is one instant, in UTC unless it names a zone; text that is not a date is refused", () => {
  assert.deepEqual(included(filter("created", { gt: "2024-05-01T10:00" })), ["created gt 2024-05-01T10:00:00.000Z"]);
  assert.deepEqual(included(filter("created", { gt: "2024-05-01T10:00:00+02:00" })), [
    "created gt 2024-05-01T08:00:00.000Z",
  ]);
  for (const text of ["soon", "2024-02-30", "2024-13-01", "2024-05-01T25:00", "1714521600"])
    assert.equal(refusal(() => filter("created", text)).status, 400, text);
});

test("FIL-23 now and a distance from it are dates", () => {
  const at = (text: string) => readListSelection({ filter: { created: { gt: text } } }, { ...source, now }).include;
  const now = () => "2024-03-31T12:00:00.000Z";
  for (const [text, time] of [
    ["now", "2024-03-31T12:00:00.000Z"],
    ["now-7d", "2024-03-24T12:00:00.000Z"],
    ["now 2h", "2024-03-31T14:00:00.000Z"],
    ["now+90m", "2024-03-31T13:30:00.000Z"],
    ["now-1w", "2024-03-24T12:00:00.000Z"],
    ["now-1M", "2024-02-29T12:00:00.000Z"],
    ["now+1y", "2025-03-31T12:00:00.000Z"],
  ] as const)
    assert.deepEqual(at(text)[0]?.values, [time], text);
  for (const text of ["now-", "now-7", "now-7x", "now-99999y", "nowhere"])
    assert.equal(refusal(() => at(text)).status, 400, text);
  assert.equal(refusal(() => filter("created", { gt: "now-7d" })).status, 400);
});

test("FIL-19 groups are joined by or, and and not", () => {
  const a = { title: "A" };
  const b = { price: { lt: "5" } };
  assert.deepEqual(tree(list({ filter: { or: { 0: a, 1: b } } })), [{ any: ["title eq a", "price lt 5"] }]);
  assert.deepEqual(tree(list({ filter: JSON.stringify({ or: [a, b] }) })), [{ any: ["title eq a", "price lt 5"] }]);
  assert.deepEqual(included(list({ filter: { and: [a, { and: [b] }] } })), ["title eq a", "price lt 5"]);
  assert.deepEqual(excluded(list({ filter: { not: a } })), ["title eq a"]);
  assert.deepEqual(excluded(list({ filter: { not: { or: [a, b] } } })), ["title eq a", "price lt 5"]);
  assert.deepEqual(tree(list({ filter: { not: { ...a, ...b } } })), [{ not: { all: ["title eq a", "price lt 5"] } }]);
  const both = { or: [{ ...a, ...b }, { not: { or: [a, { active: true }] } }] };
  assert.deepEqual(tree(list({ filter: both })), [
    { any: [{ all: ["title eq a", "price lt 5"] }, { not: { any: ["title eq a", "active eq true"] } }] },
  ]);
});

test("FIL-19 groups that cannot be read are refused", () => {
  const nested = (depth: number): unknown => (depth === 0 ? { title: "a" } : { not: nested(depth - 1) });
  assert.equal(list({ filter: nested(4) }).groups?.length, 1);
  const many = Array.from({ length: 65 }, () => ({ title: "a" }));
  for (const wrong of [
    nested(5),
    { or: many },
    { or: [] },
    { or: {} },
    { or: "x" },
    { or: { title: "a", price: "5" } },
    { or: [{}] },
    { or: ["title"] },
    { not: {} },
    { not: ["a"] },
    { nor: [{ title: "a" }] },
    "{",
    '{"title"}',
    "title",
    [],
    { title: {} },
    { title: null },
    { title: ["a", "b"] },
    { price: { in: [] } },
    { title: { eq: [] } },
  ])
    assert.deepEqual(
      Object.keys(refusal(() => list({ filter: wrong })).details ?? {}),
      ["filter"],
      JSON.stringify(wrong),
    );
});

test("FIL-20 values in a list, or of a repeated parameter, are taken as they stand", () => {
  assert.deepEqual(filter("title", { in: ["A, b", "c|d"] }).include[0]?.values, ["a, b", "c|d"]);
  assert.deepEqual(filter("price", { in: [1, 2.5] }).include[0]?.values, [1, 2.5]);
  assert.deepEqual(filter("title", { in: "A, b|c" }).include[0]?.values, ["a, b", "c"]);
  assert.match(refusal(() => filter("price", { in: "1,2" })).message, /a\|b/);
  assert.match(refusal(() => filter("course", { in: "starter,dessert" })).message, /a\|b/);
  assert.deepEqual(filter("course", { in: "starter|dessert" }).include[0]?.values, ["starter", "dessert"]);
});

test("FIL-18 empty takes properties of every kind, and true or false alone", () => {
  assert.deepEqual(included(filter("title", { empty: "true" })), ["title empty true"]);
  assert.deepEqual(filter("image", { empty: "false" }).include, [
    { operand: { property: "image", source: "index", comparison: "presence" }, operator: "empty", values: [false] },
  ]);
  assert.deepEqual(excluded(query({ exclude: "notes:empty:true" }).selection), ["notes empty true"]);
  assert.deepEqual(included(readReportSelection({ include: "tags:empty:false" }, source)), ["tags empty false"]);
  for (const text of ["", "yes", "TRUE", "1", "true|false"])
    assert.deepEqual(Object.keys(refusal(() => filter("title", { empty: text })).details ?? {}), ["filter"], text);
  assert.deepEqual(Object.keys(refusal(() => query({ exclude: "title:empty:x" })).details ?? {}), ["exclude"]);
  assert.equal(refusal(() => filter("secret", { empty: "true" })).status, 400);
});

test("FIL-8 operators that a kind does not have are refused", () => {
  assert.match(refusal(() => filter("title", { gt: "a" })).message, /"title" is text: the operator gt/);
  assert.equal(refusal(() => filter("price", { contains: "5" })).status, 400);
  assert.equal(refusal(() => filter("active", { lt: "true" })).status, 400);
});

test("FIL-9 in and notin take several values", () => {
  assert.deepEqual(included(filter("title", { in: "A|b" })), ["title in a|b"]);
  assert.equal(refusal(() => filter("price", { notin: "1|x|3" })).status, 400);
});

test("FIL-11 kinds without comparison take empty alone", () => {
  assert.match(refusal(() => filter("image", "cat.jpg")).message, /"image" has no value that can be compared/);
});

test("FIL-12 the number of conditions and values is bounded", () => {
  const clauses = new Array(65).fill("title:a").join(",");
  assert.equal(refusal(() => query({ include: clauses })).status, 400);
  const values = new Array(101).fill("a").join("|");
  assert.equal(refusal(() => filter("title", { in: values })).status, 400);
});

test("FIL-12 each limit names itself and the parameter", () => {
  const named = (read: () => unknown) =>
    Object.entries(refusal(read).details ?? {})
      .flat(2)
      .join(" ");
  const title = (count: number) => new Array(count).fill("title:a").join(",");
  assert.match(
    named(() => query({ include: title(60), exclude: title(5) })),
    /^exclude At most 64 conditions/,
  );
  assert.match(
    named(() => query({ include: title(65) })),
    /^include At most 64 conditions/,
  );
  assert.match(
    named(() => filter("title", "x".repeat(1_001))),
    /^filter A value of filter may have at most 1000/,
  );
  assert.match(
    named(() => query({ exclude: `title:${"x".repeat(1_001)}` })),
    /^exclude A value of exclude/,
  );
  assert.equal(filter("title", { in: `${"x".repeat(1_000)}|${"y".repeat(1_000)}` }).include.length, 1);
  const codes = [
    ...Array.from({ length: 336 }, (_, at) => 0x100 + at),
    ...Array.from({ length: 496 }, (_, at) => 0x370 + at),
  ];
  const letters = String.fromCodePoint(...codes).toLowerCase();
  assert.match(
    named(() => filter("notes", letters)),
    /^filter Values for properties outside the index .* 200/,
  );
  assert.equal(filter("title", letters).include.length, 1);
});

test("FIL-17 without a right of one's own few conditions may be on properties outside the index", () => {
  const open = { ...source, isPublic: true };
  const notes = (count: number) => Array.from({ length: count }, (_, n) => `notes:contains:x${n}`).join(",");
  const read = (params: Params, from = open) => readQuerySelection(params, from).selection;
  assert.equal(read({ include: notes(4), exclude: notes(4) }).exclude.length, 4);
  const refused = refusal(() => read({ filter: { notes: "x" }, exclude: notes(8) }));
  assert.match(refused.details?.exclude?.[0] ?? "", /^At most 8 conditions on properties outside the index/);
  assert.equal(refusal(() => readReportSelection({ include: notes(9) }, open)).status, 400);
  assert.equal(read({ include: notes(60) }, source).include.length, 60);
  assert.equal(read({ include: new Array(60).fill("title:contains:a").join(",") }).include.length, 60);
});

test("FIL-13 names that are not properties are refused (T10)", () => {
  for (const name of ["title')", "a.b'+'c", "title;--", "__proto__", "constructor", "toString", "image.alt", "Title"])
    assert.equal(refusal(() => filter(name, "1")).status, 400, name);
  for (const sort of ["title;--", "title,(select 1)", "image.alt", "title desc", "-", ":", "title:up", "title:asc:x"])
    assert.deepEqual(Object.keys(refusal(() => list({ sort })).details ?? {}), ["sort"], sort);
  for (const order of ["asc,(select 1)", "DESC", "up"])
    assert.deepEqual(Object.keys(refusal(() => list({ order })).details ?? {}), ["order"], order);
});

test("FIL-14 clauses are name:value or name:operator:value, and values may hold colons", () => {
  const { selection } = query({ include: "title:Lamp, price:gte:5,title:http://x:80,title:eq:a:b" });
  assert.deepEqual(included(selection), ["title eq lamp", "price gte 5", "title eq http://x:80", "title eq a:b"]);
});

test("FIL-16 filters and orders reach every property, columns of query and index only indexed ones", () => {
  const sources = ({ include, sort }: Selection) => [...include, ...sort].map(({ operand }) => operand.source);
  for (const read of [list, (params: Params) => query(params).selection]) {
    assert.deepEqual(sources(read({ filter: { notes: "x" }, sort: "notes" })), ["document", "document"]);
    assert.deepEqual(sources(read({ filter: { title: "x" }, sort: "title" })), ["index", "index"]);
  }
  assert.deepEqual(sources(query({ include: "notes:x" }).selection), ["document"]);
  for (const params of [{ include: "notes" }, { exclude: "notes" }])
    assert.equal(refusal(() => query(params)).status, 400);
});

test("LST-15 a password property is as unknown as one that does not exist (T1)", () => {
  const attempts = (name: string): Params[] => [
    { filter: { [name]: { starts: "$argon" } } },
    { sort: name },
    { sort: `-${name}` },
    { sort: `title,${name}:desc` },
  ];
  const clauses = (name: string): Params[] => [
    ...attempts(name),
    { include: name },
    { exclude: name },
    { include: `title:x,${name}:starts:$argon` },
    { exclude: `${name}:x` },
  ];
  const messages = (name: string) => [
    ...attempts(name).map((params) => refusal(() => list(params))),
    ...clauses(name).map((params) => refusal(() => query(params))),
    ...[{ include: `${name}:x` }, { exclude: name }].map((params) =>
      refusal(() => readReportSelection(params, source)),
    ),
  ];
  const own = messages("secret").map(({ message }) => message);
  const missing = messages("nobody").map(({ message }) => message.replaceAll("nobody", "secret"));
  assert.deepEqual(own, missing);
});

test("LST-5 the list is sorted by created, newest first", () => {
  assert.deepEqual(
    list({}).sort.map(({ operand, descending }) => [operand.property, descending]),
    [["created", true]],
  );
  assert.equal(list({ order: "asc" }).sort[0]?.descending, false);
});

test("LST-8 sort takes signs, directions and lists; order applies to those without", () => {
  const keys = (params: Params) => list(params).sort.map((key) => `${key.operand.property} ${key.descending}`);
  assert.deepEqual(keys({ sort: "-title,price:asc,released", order: "desc" }), [
    "title true",
    "price false",
    "released true",
  ]);
  assert.deepEqual(
    query({ sort: "title,-price" }).selection.sort.map((key) => key.descending),
    [false, true],
  );
  assert.equal(refusal(() => list({ sort: "id,id,id,id,id,id" })).status, 400);
});

test("LST-6 values of kinds without order come before missing ones", () => {
  assert.deepEqual(list({ sort: "image:asc" }).sort, [
    { operand: { property: "image", source: "index", comparison: "presence" }, descending: false },
  ]);
});

test("LST-20 shuffle alone is a random order", () => {
  assert.deepEqual([list({ sort: "shuffle" }).shuffle, list({ sort: "shuffle" }).sort], [true, []]);
  assert.equal(refusal(() => list({ sort: "title,shuffle" })).status, 400);
});

test("LST-16 drafts are hidden from callers that may not see them", () => {
  assert.equal(readListSelection({}, { ...source, hideDrafts: true }).hideDrafts, true);
  assert.equal(readListSelection({}, source).hideDrafts, false);
});

test("LST-17 a reserved collection that does not exist yet holds nothing", () => {
  assert.deepEqual(included(readListSelection({}, { ...source, isVirtual: true })), ["never"]);
});

test("SEA-7 a search without sort is by relevance", () => {
  assert.deepEqual(list({ search: "lamp" }).sort, []);
  assert.equal(list({ search: "lamp", sort: "title" }).sort.length, 1);
  assert.deepEqual(query({}).selection.sort, []);
});

test("QRY-4 bare names in include choose the columns, id first", () => {
  assert.deepEqual(query({ include: "price,title" }).columns, ["id", "price", "title"]);
  assert.deepEqual(query({}).columns, [
    "id",
    "title",
    "price",
    "active",
    "released",
    "tags",
    "image",
    "created",
    "modified",
  ]);
});

test("QRY-5 bare names in exclude leave columns out", () => {
  assert.deepEqual(query({ exclude: "image,tags,modified" }).columns, [
    "id",
    "title",
    "price",
    "active",
    "released",
    "created",
  ]);
});

test("QRY-6 clauses filter and bare names choose, side by side", () => {
  const { selection, columns } = query({ include: "title,price:gt:3", exclude: "active:true" });
  assert.deepEqual(columns, ["id", "title"]);
  assert.deepEqual([included(selection), excluded(selection)], [["price gt 3"], ["active eq true"]]);
});

test("REP-13 in reports a bare name asks for true", () => {
  const selection = readReportSelection({ include: "active,price:gt:3", exclude: "draft" }, source);
  assert.deepEqual(included(selection), ["active eq true", "price gt 3"]);
  assert.deepEqual(excluded(selection), ["draft eq true"]);
});
