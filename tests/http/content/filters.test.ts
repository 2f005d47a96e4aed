// Groups of filters, and filters inside cards and decks: random filters against a plain evaluation in JavaScript.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;
let objects: Value[];

type Value = Record<string, unknown>;

const words = ["Red", "salt, coarse", "Öl", "a|b", "red wine", ""];
const days = [
  "2024-02-28T23:59:59.999Z",
  "2024-02-29T00:00:00.000Z",
  "2024-02-29T18:30:00.000Z",
  "2024-03-01T00:00:00.000Z",
];

/** The same numbers on every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomNumbers(20_240_229);
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
/** Some values are missing. */
const maybe = (name: string, make: () => unknown): Value => (random(4) === 0 ? {} : { [name]: make() });
const several = <T>(most: number, make: (at: number) => T): T[] =>
  Array.from({ length: random(most + 1) }, (_, at) => make(at));

function makeItem(at: number): Value {
  return {
    id: `i${at}`,
    ...maybe("name", () => pick(words)),
    ...maybe("amount", () => random(5)),
    ...maybe("fresh", () => random(2) === 0),
    ...maybe("best", () => pick(days)),
    ...maybe("marks", () => several(2, () => pick(words.slice(0, 4)))),
  };
}

function makeObject(at: number): Value {
  return {
    id: `o${String(at).padStart(2, "0")}`,
    ...maybe("title", () => pick(words)),
    ...maybe("price", () => random(5)),
    ...maybe("note", () => pick(words)),
    ...maybe("stock", () => random(5)),
    ...maybe("active", () => random(2) === 0),
    ...maybe("released", () => pick(days)),
    ...maybe("tags", () => several(3, () => pick(words.slice(0, 4)))),
    ...maybe("parts", () => several(3, makeItem)),
    ...maybe("box", () => ({ ...maybe("name", () => pick(words)), ...maybe("amount", () => random(5)) })),
  };
}

const inner = {
  name: { type: "string", field: "text" },
  amount: { type: "number", field: "number" },
};

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "part",
    properties: {
      ...inner,
      fresh: { type: "boolean", field: "toggle" },
      best: { type: "date", field: "date" },
      marks: { type: "list", field: "list" },
      code: { type: "password", field: "password" },
    },
    required: ["id"],
    index: [],
  });
  await server.makeSchema({ id: "box", properties: inner, required: [], index: [] });
  await server.makeSchema({
    id: "thing",
    properties: {
      title: { type: "string", field: "text" },
      price: { type: "number", field: "number" },
      note: { type: "string", field: "text" },
      stock: { type: "number", field: "number" },
      active: { type: "boolean", field: "toggle" },
      released: { type: "date", field: "date" },
      tags: { type: "list", field: "list" },
      or: { type: "string", field: "text" },
      parts: { type: "deck", field: "deck", deckref: "part" },
      box: { type: "card", field: "card", schemaref: "box" },
    },
    required: ["id"],
    index: ["id", "title", "price", "active", "released", "tags"],
  });
  await server.makeCollection({ id: "things", schema: "thing" });
  const body = Array.from({ length: 60 }, (_, at) => makeObject(at));
  const made = await server.request("POST", "/api/import/collections/things/json", { body });
  assert.equal(made.status < 300, true, JSON.stringify(made.body));
  objects = (await list("limit=100&sort=id&order=asc")).body.data;
  assert.equal(objects.length, 60);
});

after(() => server.stop());

const list = (query: string): Promise<Answer> => server.request("GET", `/api/collections/things?${query}`);
const idsOf = (answer: Answer): string[] => (answer.body.data ?? []).map(({ id }: Value) => String(id));
const found = async (query: string) => idsOf(await list(`limit=100&sort=id&order=asc&${query}`));
const foundBy = (filter: unknown) => found(`filter=${encodeURIComponent(JSON.stringify(filter))}`);

/** `filter[or][0][title]=a`. */
function brackets(filter: unknown, name = "filter"): string[] {
  if (typeof filter !== "object" || filter === null) return [`${name}=${encodeURIComponent(String(filter))}`];
  return Object.entries(filter).flatMap(([key, value]) =>
    name.endsWith("in]") && Array.isArray(filter)
      ? [`${name}[]=${encodeURIComponent(String(value))}`]
      : brackets(value, `${name}[${key}]`),
  );
}

// The plain evaluation.

const kinds: Record<string, "text" | "number" | "boolean" | "date" | "list"> = {
  ...{ id: "text", title: "text", note: "text", name: "text", price: "number", stock: "number", amount: "number" },
  ...{ active: "boolean", fresh: "boolean", released: "date", best: "date", tags: "list", marks: "list" },
};
const negative: Record<string, string> = { ne: "eq", notin: "in" };

function holds(filter: Value, object: Value): boolean {
  return Object.entries(filter).every(([name, asked]) => {
    if (name === "or") return (asked as Value[]).some((part) => holds(part, object));
    if (name === "and") return (asked as Value[]).every((part) => holds(part, object));
    if (name === "not") return !holds(asked as Value, object);
    const tests = typeof asked === "object" ? Object.entries(asked as Value) : ([["eq", asked]] as const);
    return tests.every(([operator, value]) => meets(object, name.split("."), operator, value));
  });
}

function meets(object: Value, [name = "", ...rest]: string[], operator: string, wanted: unknown): boolean {
  const value = object[name];
  if (rest.length > 0) {
    if (operator === "empty" && wanted === true && name === "box")
      return !meets(object, [name, ...rest], "empty", false);
    const items = (Array.isArray(value) ? value : value === undefined ? [] : [value]) as Value[];
    const some = (asked: string) => items.some((item) => meets(item, rest, asked, wanted));
    return some(operator) && !(negative[operator] && some(negative[operator]));
  }
  const isEmpty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (operator === "empty") return isEmpty === wanted;
  if (value === undefined) return false;
  if (Array.isArray(value)) {
    const some = (asked: string) => value.some((each) => compares("text", each, asked, wanted));
    return negative[operator] ? value.length > 0 && !some(negative[operator]) : some(operator);
  }
  return !(kinds[name] === "date" && value === "") && compares(kinds[name] as string, value, operator, wanted);
}

const fold = (value: unknown): string => String(value).toLowerCase();

function compares(kind: string, value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "in") return (wanted as unknown[]).some((one) => isSame(kind, value, one));
  if (operator === "notin") return !compares(kind, value, "in", wanted);
  const isDay = kind === "date" && /^\d{4}-\d{2}-\d{2}$/.test(String(wanted));
  const left = isDay ? String(value).slice(0, 10) : kind === "number" ? Number(value) : fold(value);
  const right = kind === "number" ? Number(wanted) : isDay ? String(wanted) : fold(wanted);
  if (operator === "eq") return left === right;
  if (operator === "ne") return left !== right;
  if (operator === "lt") return left < right;
  if (operator === "lte") return left <= right;
  if (operator === "gt") return left > right;
  if (operator === "gte") return left >= right;
  if (operator === "contains") return String(left).includes(String(right));
  return operator === "starts" ? String(left).startsWith(String(right)) : String(left).endsWith(String(right));
}

function isSame(kind: string, value: unknown, wanted: unknown): boolean {
  return kind === "number" ? value === Number(wanted) : fold(value) === fold(wanted);
}

const names = [
  ...["id", "title", "note", "price", "stock", "active", "released", "tags"],
  ...["parts.name", "parts.amount", "parts.fresh", "parts.best", "parts.marks", "parts.id", "box.name", "box.amount"],
];
const operators: Record<string, string[]> = {
  text: ["eq", "ne", "in", "notin", "contains", "starts", "ends", "empty"],
  list: ["eq", "ne", "in", "notin", "contains", "starts", "ends", "empty"],
  number: ["eq", "ne", "lt", "lte", "gt", "gte", "in", "notin", "empty"],
  date: ["eq", "ne", "lt", "lte", "gt", "gte", "empty"],
  boolean: ["eq", "ne", "empty"],
};

function makeCondition(): Value {
  const name = pick(names);
  const last = name.split(".").at(-1) as string;
  const kind = kinds[last] as string;
  const operator = pick(operators[kind] as string[]);
  const value = (): unknown => {
    if (kind === "number") return random(5);
    if (kind === "boolean") return random(2) === 0;
    if (kind === "date") return random(2) === 0 ? pick(days) : "2024-02-29";
    return last === "id" ? pick(["i0", "o07", "o1"]) : pick([...words, "red", "öl", "ed", "Red"]);
  };
  if (operator === "empty") return { [name]: { empty: random(2) === 0 } };
  if (operator === "in" || operator === "notin") return { [name]: { [operator]: [value(), value()] } };
  const asked = value();
  // A bare equality of text takes asterisks, of which there are none here.
  return { [name]: operator === "eq" && random(2) === 0 ? asked : { [operator]: asked } };
}

function makeFilter(depth: number): Value {
  const form = depth === 0 ? 0 : random(5);
  if (form === 1) return { or: [makeFilter(depth - 1), makeFilter(depth - 1)] };
  if (form === 2) return { and: [makeFilter(depth - 1), makeFilter(depth - 1)] };
  if (form === 3) return { not: makeFilter(depth - 1) };
  if (form === 4) return { ...makeCondition(), or: [makeFilter(depth - 1), makeFilter(depth - 1)] };
  return makeCondition();
}

test("FIL-19 random filters find what a plain evaluation finds", async () => {
  let matches = 0;
  for (let round = 0; round < 150; round += 1) {
    const filter = makeFilter(round < 60 ? 0 : 4);
    const expected = objects.filter((object) => holds(filter, object)).map(({ id }) => id);
    matches += expected.length;
    const text = JSON.stringify(filter);
    const sent = round % 2 === 0 ? foundBy(filter) : found(brackets(filter).join("&"));
    assert.deepEqual(await sent, expected, text);
  }
  assert.ok(matches > 0);
});

test("FIL-19 groups are taken by the list, the query, the index, reports and exports alike", async () => {
  const filter = { or: [{ price: 1 }, { not: { "parts.amount": { gte: 2 } } }] };
  const expected = objects.filter((object) => holds(filter, object)).map(({ id }) => id);
  const query = `filter[or][0][price]=1&filter[or][1][not][parts.amount][gte]=2&sort=id&order=asc&limit=100`;
  for (const place of ["", "/query", "/index"])
    assert.deepEqual(idsOf(await server.request("GET", `/api/collections/things${place}?${query}`)), expected, place);
  const text = encodeURIComponent(JSON.stringify(filter));
  const report = await server.request("GET", `/api/report/collections/things/json?fields=id&filter=${text}`);
  assert.deepEqual(
    report.body.map(({ id }: Value) => id),
    expected,
  );
  const exported = await server.request("GET", `/api/export/collections/things/json?filter=${text}`);
  assert.deepEqual(exported.body.map(({ id }: Value) => id).sort(), expected);
});

test("FIL-21 a property of a card or deck is named by its path; unknown ones and passwords are refused", async () => {
  for (const name of ["parts.nothing", "parts.code", "title.x", "parts", "box.name.x", "nothing.name", "parts."]) {
    const { status, body } = await list(`filter[${name}]=a`);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["filter"]], name);
  }
  assert.equal((await list("sort=parts.name")).status, 400);
  const clauses = await server.request("GET", "/api/collections/things/query?limit=100&include=parts.amount:gte:2");
  const expected = objects.filter((object) => holds({ "parts.amount": { gte: 2 } }, object)).map(({ id }) => id);
  assert.deepEqual(idsOf(clauses), expected);
});

test("FIL-19 a property called like a group is compared all the same", async () => {
  await server.request("PATCH", "/api/collections/things/o00", { body: { or: "this" } });
  assert.deepEqual(await found("filter[or]=this"), ["o00"]);
  assert.deepEqual(await found("filter[or][starts]=th"), ["o00"]);
  assert.deepEqual(await found("filter[or][0][or]=this&filter[or][1][id]=o01"), ["o00", "o01"]);
});

test("LST-23 fields shows the named properties, and the id always", async () => {
  const whole = objects.find(
    ({ parts, box, title, note }) => (parts as Value[])?.length > 1 && box && title && note,
  ) as Value;
  const path = `/api/collections/things/${whole.id}`;
  const parts = (whole.parts as Value[]).map(({ name, best }) => ({
    ...(name !== undefined && { name }),
    ...(best !== undefined && { best }),
  }));
  const { title, note, created } = whole;
  const chosen = { id: whole.id, title, note, created };
  for (const [fields, data] of [
    ["title,note,created", chosen],
    ["title,%20note,,created,id,title", chosen],
    ["note", { id: whole.id, note }],
    ["parts.name,parts.best", { id: whole.id, parts }],
    ["parts.name,parts", { id: whole.id, parts: whole.parts }],
    ["box.nothing", undefined],
  ] as const) {
    const one = await server.request("GET", `${path}?fields=${fields}`);
    if (data === undefined) assert.equal(one.status, 400, fields);
    else {
      assert.deepEqual(one.body, { data }, fields);
      const listed = await list(`filter[id]=${whole.id}&fields=${fields}`);
      assert.deepEqual(listed.body.data, [data], fields);
      const query = `/api/collections/things/query?filter[id]=${whole.id}&fields=${fields}`;
      assert.deepEqual((await server.request("GET", query)).body.data, [data], fields);
    }
  }
  const names = Object.keys((await server.request("GET", `${path}?fields=note,title`)).body.data);
  assert.deepEqual(names, ["id", "note", "title"]);
  const sparse = await list("fields=title,price&sort=id&order=asc&limit=100");
  const expected = objects.map((object) =>
    Object.fromEntries(["id", "title", "price"].flatMap((name) => (name in object ? [[name, object[name]]] : []))),
  );
  assert.deepEqual(sparse.body.data, expected);
});

test("LST-23 fields that are not there, too many, and passwords are refused by name", async () => {
  const many = Array.from({ length: 101 }, (_, at) => `a${at}`).join(",");
  for (const fields of ["nothing", "title.x", "parts.code", "parts.nothing", ".title", "title.", "constructor", many])
    for (const path of ["/api/collections/things", "/api/collections/things/query", "/api/collections/things/o01"]) {
      const { status, body } = await server.request("GET", `${path}?fields=${fields}`);
      assert.deepEqual([status, Object.keys(body.error.details)], [400, ["fields"]], `${path} ${fields}`);
    }
  const both = await server.request("GET", "/api/collections/things/query?fields=title&include=title");
  assert.equal(both.status, 400);
});

test("LST-23 an object of another revision shows the chosen fields all the same; CSV has a column for each", async () => {
  const csv = await server.request("GET", "/api/collections/things/query?format=csv&fields=title,parts.name&limit=3");
  assert.match(csv.text, /^id,title,parts\.name\r\n/);
  await server.makeCollection({ id: "older", schema: "box" });
  await server.request("POST", "/api/collections/older", { body: { id: "a", name: "A", amount: 1 } });
  const properties = { ...inner, name: { ...inner.name, help: "New." }, color: { type: "string", default: "red" } };
  await server.request("PUT", "/api/schemas/box", { body: { id: "box", properties, required: [], index: [] } });
  const listed = await server.request("GET", "/api/collections/older?fields=name,color");
  assert.deepEqual(listed.body.data, [{ id: "a", name: "A", color: "red" }]);
});

test("LST-23 a chosen part has a tag of its own, which a write takes as that of the object", async () => {
  const path = "/api/collections/things/o01";
  const whole = await server.request("GET", path);
  const part = await server.request("GET", `${path}?fields=price`);
  assert.notEqual(part.headers.get("etag"), whole.headers.get("etag"));
  const headers = { "if-match": String(part.headers.get("etag")) };
  assert.equal((await server.request("PATCH", path, { headers, body: { price: 77 } })).status, 200);
  assert.equal((await server.request("PATCH", path, { headers, body: { price: 78 } })).status, 412);
});

test("PROP-10 GET of a property answers its value, null without one", async () => {
  await server.request("PATCH", "/api/collections/things/o02", { body: { title: "Read me", tags: ["a"], note: null } });
  const read = (name: string) => server.request("GET", `/api/collections/things/o02/${name}`);
  assert.deepEqual((await read("title")).body, { data: "Read me" });
  assert.deepEqual((await read("tags")).body, { data: ["a"] });
  assert.deepEqual((await read("note")).body, { data: null });
  for (const name of ["nothing", "id", "constructor"]) assert.equal((await read(name)).status, 404, name);
  assert.equal((await server.request("GET", "/api/collections/things/none/title")).status, 404);
});

test("FIL-23 a date relative to now is found by, and a cursor goes on with it", async () => {
  assert.equal((await found("filter[created][gt]=now-1d")).length, 60);
  assert.equal((await found("filter[created][gt]=now%2B1d")).length, 0);
  const first = await list("limit=40&filter[created][gt]=now-1d");
  const cursor = String(first.headers.get("x-next-cursor"));
  const second = await list(`limit=40&filter[created][gt]=now-1d&cursor=${cursor}`);
  assert.deepEqual([idsOf(first).length, idsOf(second).length], [40, 20]);
});
