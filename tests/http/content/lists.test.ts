// The list of a collection: paging, order, filters, cursors, and who sees what.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "product",
    properties: {
      title: { type: "string", field: "text" },
      price: { type: "number", field: "number" },
      active: { type: "boolean", field: "toggle" },
      released: { type: "date", field: "date" },
      tags: { type: "list", field: "list" },
      notes: { type: "string", field: "text" },
      photo: { type: "image", field: "image" },
      extra: { type: "json", field: "json" },
      secret: { type: "password", field: "password" },
      draft: { type: "boolean", field: "toggle" },
    },
    required: ["id"],
    index: ["id", "title", "price", "active", "released", "tags"],
  });
  await server.makeCollection({ id: "products", schema: "product" });
  const products = [
    { id: "desk", title: "Desk", price: 250, active: true, released: "2024-02-29T10:00:00Z", tags: ["Wood", "large"] },
    {
      id: "lamp",
      title: "Red Lamp",
      price: 30.5,
      active: false,
      released: "2024-03-01T00:00:00Z",
      tags: ["red"],
      extra: { a: 1 },
    },
    { id: "lamp-big", title: "Big lamp", price: 99, active: true, notes: "last one", tags: ["Red", "large"] },
    { id: "vase", title: "vase", price: -5, notes: "Chipped", secret: "sesame-open" },
    { id: "rug", title: "Rug", released: "2023-12-24T18:30:00Z", extra: [2] },
  ];
  for (const body of products) {
    await server.request("POST", "/api/collections/products", { body });
    // Each has a time of its own.
    await sleep(2);
  }
});

after(() => server.stop());

const list = (query: string, options = {}) => server.request("GET", `/api/collections/products?${query}`, options);
const idsOf = (answer: Answer): string[] => answer.body.data.map((object: { id: string }) => object.id);
const ids = async (query: string) => idsOf(await list(query));
const sorted = async (query: string) => (await ids(query)).sort();

/** Each is 400 and names the parameter. */
async function refused(...queries: string[]): Promise<void> {
  for (const query of queries) {
    const { status, body } = await list(query);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["filter"]], query);
  }
}

/** A collection of its own for tests that write. */
async function makeNumbers(id: string, count: number, settings = {}): Promise<void> {
  await server.makeCollection({ id, schema: "product", ...settings });
  for (let n = 1; n <= count; n += 1) {
    const body = { id: `n${String(n).padStart(2, "0")}`, title: `Number ${n}`, price: n % 3 };
    await server.request("POST", `/api/collections/${id}`, { body });
  }
}

test("LST-1 the list holds each object as its own GET shows it", async () => {
  const { body } = await list("filter[id]=vase");
  const single = await server.request("GET", "/api/collections/products/vase");
  assert.deepEqual(body, { data: [single.body.data] });
  assert.equal("secret" in body.data[0], false);
});

test("LST-2 limit is 50 unless given, and never more than 100 (T12)", async () => {
  await makeNumbers("many", 103);
  const count = async (query: string) =>
    (await server.request("GET", `/api/collections/many?${query}`)).body.data.length;
  assert.deepEqual([await count(""), await count("limit=7"), await count("limit=1000000000")], [50, 7, 100]);
});

test("LST-3 bad limits and offsets are refused by name (T12)", async () => {
  for (const limit of ["0", "-1", "1e9", "abc", "10abc", "1.5", ""]) {
    const { status, body } = await list(`limit=${limit}`);
    assert.deepEqual([status, body.error.code, Object.keys(body.error.details)], [400, 400, ["limit"]], limit);
  }
  for (const offset of ["-1", "9e15", "99999999999999999999", "x"]) {
    const { status, body } = await list(`offset=${offset}`);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["offset"]], offset);
  }
  assert.equal((await list("limit=%00")).status, 400);
});

test("LST-4 offset skips, and beyond the end there is nothing", async () => {
  assert.deepEqual(await ids("sort=id&order=asc&offset=1&limit=2"), ["lamp", "lamp-big"]);
  assert.deepEqual(await ids("offset=1000"), []);
});

test("LST-5 the newest come first, and order turns it round", async () => {
  assert.deepEqual(await ids(""), ["rug", "vase", "lamp-big", "lamp", "desk"]);
  assert.deepEqual(await ids("order=asc"), ["desk", "lamp", "lamp-big", "vase", "rug"]);
  assert.deepEqual(Object.keys((await list("order=up")).body.error.details), ["order"]);
});

test("LST-6 any property sorts, indexed or not; values without order come before missing ones", async () => {
  assert.deepEqual(await ids("sort=price&order=asc&limit=4"), ["vase", "lamp", "lamp-big", "desk"]);
  assert.deepEqual(await ids("sort=notes&order=asc&limit=2"), ["vase", "lamp-big"]);
  assert.deepEqual(await ids("sort=extra&order=asc"), ["lamp", "rug", "desk", "lamp-big", "vase"]);
  assert.deepEqual(await ids("sort=extra&order=desc&limit=4"), ["desk", "lamp-big", "vase", "lamp"]);
  assert.equal((await list("sort=photo")).status, 200);
  for (const name of ["nothing", "photo.alt", "secret"]) assert.equal((await list(`sort=${name}`)).status, 400, name);
});

test("LST-7 missing values are last ascending and first descending, ties go by id", async () => {
  assert.equal((await ids("sort=price&order=asc")).at(-1), "rug");
  assert.equal((await ids("sort=price&order=desc"))[0], "rug");
  assert.deepEqual(await ids("sort=notes&order=asc"), ["vase", "lamp-big", "desk", "lamp", "rug"]);
});

test("LST-7 long texts are ordered to their ends, page by page", async () => {
  await server.makeCollection({ id: "stories", schema: "product" });
  const same = "A long beginning that all of these have in common. ".repeat(4);
  for (const [id, end] of Object.entries({ a: "3", b: "1", c: "2", d: "" }))
    await server.request("POST", "/api/collections/stories", { body: { id, title: same + end, notes: same + end } });
  for (const name of ["title", "notes"]) {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body, headers } = await server.request(
        "GET",
        `/api/collections/stories?sort=${name}&order=asc&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(body.data[0].id);
      cursor = headers.get("x-next-cursor") ?? "";
    } while (cursor);
    assert.deepEqual(seen, ["d", "b", "c", "a"], name);
  }
});

test("LST-8 sort takes signs, directions and several properties", async () => {
  assert.deepEqual(await ids("sort=active:desc,-price&filter[price][gt]=0"), ["desk", "lamp-big", "lamp"]);
  assert.equal((await list("sort=price:sideways")).status, 400);
});

test("LST-9 the headers have the total and links to the pages around", async () => {
  const { headers } = await list("limit=2&offset=2&sort=id&order=asc");
  assert.equal(headers.get("x-total-count"), "5");
  const links = new Map(
    (headers.get("link") ?? "").split(", ").map((link) => link.split("; ").reverse() as [string, string]),
  );
  assert.deepEqual([...links.keys()].sort(), ['rel="first"', 'rel="last"', 'rel="next"', 'rel="prev"']);
  assert.match(links.get('rel="next"') ?? "", /offset=4/);
  assert.match(links.get('rel="prev"') ?? "", /offset=0/);
  assert.match(links.get('rel="last"') ?? "", /offset=4/);
  assert.doesNotMatch((await list("limit=2")).headers.get("link") ?? "", /rel="prev"/);
  assert.doesNotMatch((await list("limit=2&offset=4")).headers.get("link") ?? "", /rel="next"/);
});

test("LST-10 the total is that of the filters", async () => {
  assert.equal((await list("filter[active]=true&limit=1")).headers.get("x-total-count"), "2");
  assert.equal((await list("search=lamp&limit=1")).headers.get("x-total-count"), "2");
});

test("LST-11 following the cursor visits every object once, also while others come and go", async () => {
  await makeNumbers("walk", 20);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: Answer = await server.request(
      "GET",
      `/api/collections/walk?sort=price,-title&order=asc&limit=6${from}`,
    );
    assert.equal(page.status, 200);
    seen.push(...idsOf(page));
    cursor = page.headers.get("x-next-cursor");
    if (seen.length === 6) {
      await server.request("DELETE", `/api/collections/walk/${seen[0]}`);
      await server.request("POST", "/api/collections/walk", { body: { id: "early", title: "Number 0", price: -1 } });
    }
  } while (cursor !== null);
  assert.equal(seen.length, 20);
  assert.equal(new Set(seen).size, 20);
});

test("LST-12 a cursor that is not for this request is refused", async () => {
  const cursor = (await list("limit=1")).headers.get("x-next-cursor");
  assert.equal((await list(`limit=1&cursor=${cursor}`)).status, 200);
  for (const query of [`sort=title&cursor=${cursor}`, "cursor=abc", `cursor=${cursor}&offset=0`, "cursor=W10"]) {
    const { status, body } = await list(query);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["cursor"]], query);
  }
});

test("LST-13 the last page and a random order give no cursor", async () => {
  assert.equal((await list("limit=5")).headers.get("x-next-cursor"), null);
  assert.equal((await list("limit=1&sort=shuffle")).headers.get("x-next-cursor"), null);
  assert.equal((await list("limit=1&search=lamp")).headers.get("x-next-cursor"), null);
});

test("LST-14 repeated parameters are refused, unknown ones ignored", async () => {
  assert.equal((await list("sort=title&sort=price")).status, 400);
  assert.equal((await list("limit=1&limit=2")).status, 400);
  assert.equal((await list("colour=blue&_=123")).status, 200);
});

test("HTTP-95 an answer names the parameters that it ignored, and the ones that were meant", async () => {
  const ignored = async (query: string) => (await list(query)).headers.get("x-ignored");
  assert.equal(
    await ignored("sortt=title&filtre[title]=x&colour=blue"),
    "sortt;in=query;meant=sort, filtre;in=query;meant=filter, colour;in=query",
  );
  assert.equal(await ignored("a(b)%22=1"), "a%28b%29%22;in=query");
  for (const fine of ["", "sort=title", "_=123", "_preview=x", "v=2", "utm_source=mail&limit=1"])
    assert.equal(await ignored(fine), null, fine);
});

test("LST-15 a password cannot be found out through filter or order, in no spelling (T1)", async () => {
  const attempts = (name: string) => [
    `filter[${name}]=x`,
    `filter[${name}][starts]=%24argon2id`,
    `filter[${name}][gt]=a`,
    `sort=${name}`,
    `sort=-${name}`,
    `sort=title,${name}:desc`,
  ];
  const refusals = async (name: string, shown = name) => {
    const answers = [];
    for (const query of attempts(name)) answers.push(await list(query));
    return answers.map(({ status, body }) => [status, JSON.stringify(body.error).replaceAll(shown, "NAME")]);
  };
  const unknown = await refusals("nobody");
  assert.deepEqual(await refusals("secret"), unknown);
  for (const name of ["Secret", "secret%20", "photo.secret", "secrets", "%73ecret", "$.secret"])
    for (const query of attempts(name)) assert.equal((await list(query)).status, 400, query);
});

test("LST-16 the public sees no drafts and does not count them", async () => {
  await makeNumbers("open", 3, { publicOperations: ["read"] });
  await server.request("PATCH", "/api/collections/open/n02", { body: { draft: true } });
  const asPublic = await server.request("GET", "/api/collections/open?sort=id&order=asc", { key: null });
  assert.deepEqual([idsOf(asPublic), asPublic.headers.get("x-total-count")], [["n01", "n03"], "2"]);
  const asKey = await server.request("GET", "/api/collections/open");
  assert.equal(asKey.headers.get("x-total-count"), "3");
  for (const query of ["filter[draft]=true", "search=number&filter[draft][ne]=false"])
    assert.deepEqual(idsOf(await server.request("GET", `/api/collections/open?${query}`, { key: null })), [], query);
});

test("LST-17 a reserved collection reads as empty before it exists, another unknown one is 404", async () => {
  const { status, body, headers } = await server.request("GET", "/api/collections/playground");
  assert.deepEqual([status, body, headers.get("x-total-count")], [200, { data: [] }, "0"]);
  assert.equal((await server.request("GET", "/api/collections/no-such")).status, 404);
});

test("LST-18 a write shows in the next list", async () => {
  await makeNumbers("fresh", 2);
  const titles = async () => {
    const { body } = await server.request("GET", "/api/collections/fresh?sort=id&order=asc");
    return body.data.map(({ title }: { title: string }) => title);
  };
  assert.deepEqual(
    [await titles(), await titles()],
    [
      ["Number 1", "Number 2"],
      ["Number 1", "Number 2"],
    ],
  );
  await server.request("PATCH", "/api/collections/fresh/n01", { body: { title: "One" } });
  assert.deepEqual(await titles(), ["One", "Number 2"]);
  await server.request("DELETE", "/api/collections/fresh/n02");
  assert.deepEqual(await titles(), ["One"]);
});

test("LST-19 a closed collection answers the public as a missing one does", async () => {
  for (const path of ["", "/query", "/index"]) {
    const closed = await server.request("GET", `/api/collections/products${path}`, { key: null });
    const missing = await server.request("GET", `/api/collections/no-such${path}`, { key: null });
    assert.deepEqual([closed.status, closed.body], [401, missing.body], path);
  }
});

test("LST-20 shuffle gives all objects in changing order", async () => {
  const orders = new Set<string>();
  for (let n = 0; n < 12; n += 1) orders.add((await ids("sort=shuffle")).join());
  assert.ok(orders.size > 1);
  assert.equal((await ids("sort=shuffle")).length, 5);
});

test("FIL-1 filters are equalities that must all hold", async () => {
  assert.deepEqual(await sorted("filter[active]=true"), ["desk", "lamp-big"]);
  assert.deepEqual(await sorted("filter[active]=true&filter[price]=99"), ["lamp-big"]);
  assert.deepEqual(await sorted("filter[notes]=LAST%20one"), ["lamp-big"]);
});

test("FIL-2 operators compare; unknown ones and unknown properties are refused", async () => {
  assert.deepEqual(await sorted("filter[price][gte]=30.5&filter[price][lt]=250"), ["lamp", "lamp-big"]);
  assert.deepEqual(await sorted("filter[title][ne]=desk"), ["lamp", "lamp-big", "rug", "vase"]);
  for (const query of ["filter[price][near]=5", "filter[nothing]=5", "filter=price", "filter[price][gt][x]=1"])
    assert.equal((await list(query)).status, 400, query);
  assert.deepEqual(Object.keys((await list("filter[nothing]=5")).body.error.details), ["filter"]);
});

test("FIL-3 text is compared without case, with asterisks at its ends", async () => {
  assert.deepEqual(await sorted("filter[title]=VASE"), ["vase"]);
  assert.deepEqual(await sorted("filter[title]=*LAMP"), ["lamp", "lamp-big"]);
  assert.deepEqual(await sorted("filter[title]=r*"), ["lamp", "rug"]);
  assert.deepEqual(await sorted("filter[title]=*e*"), ["desk", "lamp", "vase"]);
  assert.deepEqual(await sorted("filter[title][contains]=%25"), []);
  assert.deepEqual(await sorted("filter[title][ne]=*LAMP"), ["desk", "rug", "vase"]);
  assert.deepEqual(await sorted("filter[title][ne]=r*"), ["desk", "lamp-big", "vase"]);
  assert.deepEqual(await sorted("filter[notes][ne]=*i*"), ["lamp-big"]);
  assert.deepEqual(await sorted("filter[tags][ne]=*d"), []);
  assert.deepEqual(await sorted("filter[tags][ne]=w*"), ["lamp", "lamp-big"]);
});

test("FIL-4 a list matches by any of its elements", async () => {
  assert.deepEqual(await sorted("filter[tags]=red"), ["lamp", "lamp-big"]);
  assert.deepEqual(await sorted("filter[tags][in]=wood|red"), ["desk", "lamp", "lamp-big"]);
  assert.deepEqual(await sorted("filter[tags][starts]=lar"), ["desk", "lamp-big"]);
  assert.deepEqual(await sorted("filter[tags][ne]=large"), ["lamp"]);
});

test("FIL-4, LST-6 elements of any type are compared as text, indexed or not", async () => {
  const mixed = { type: "array", field: "multicheckbox" };
  await server.makeSchema({ id: "mix", properties: { shown: mixed, kept: mixed }, required: [], index: ["shown"] });
  await server.makeCollection({ id: "mixes", schema: "mix" });
  const values = {
    a: [10, "Red"],
    b: ["10"],
    c: [true, 2.5],
    d: [{ x: 1 }, "red"],
    e: [2 ** 53],
    f: [[1]],
    g: [],
    h: [0.1 + 0.2],
  };
  for (const [id, value] of Object.entries(values))
    await server.request("POST", "/api/collections/mixes", { body: { id, shown: value, kept: value } });
  const asked = async (query: string) =>
    idsOf(await server.request("GET", `/api/collections/mixes?order=asc&${query}`)).join("");
  for (const name of ["shown", "kept"]) {
    assert.equal(await asked(`sort=id&filter[${name}]=10`), "ab", name);
    assert.equal(await asked(`sort=id&filter[${name}]=TRUE`), "c", name);
    assert.equal(await asked(`sort=id&filter[${name}][in]=2.5|9007199254740992|red`), "acde", name);
    assert.equal(await asked(`sort=id&filter[${name}]=0.30000000000000004`), "h", name);
    assert.equal(await asked(`sort=id&filter[${name}][starts]=`), "abcdeh", name);
    assert.equal(await asked(`sort=id&filter[${name}][ne]=10`), "cdeh", name);
    assert.equal(await asked(`sort=${name}`), "habecdfg", name);
    assert.equal(await asked(`sort=-${name}`), "dfgceabh", name);
  }
});

test("FIL-5 numbers are compared by value, and by nothing else", async () => {
  assert.deepEqual(await sorted("filter[price]=30.50"), ["lamp"]);
  assert.deepEqual(await sorted("filter[price]=-5"), ["vase"]);
  await refused("filter[price]=abc", "filter[price][lt]=1e400", "filter[price][in]=1|x");
});

test("FIL-6 booleans take true and false only", async () => {
  assert.deepEqual(await sorted("filter[active]=false"), ["lamp"]);
  await refused("filter[active]=1");
});

test("FIL-7 a bare date is its whole day", async () => {
  assert.deepEqual(await sorted("filter[released]=2024-02-29"), ["desk"]);
  assert.deepEqual(await sorted("filter[released][lte]=2024-02-29"), ["desk", "rug"]);
  assert.deepEqual(await sorted("filter[released][gt]=2024-02-29"), ["lamp"]);
  assert.deepEqual(await sorted("filter[released][ne]=2024-02-29"), ["lamp", "rug"]);
  assert.deepEqual(await sorted("filter[released][gte]=2024-02-29T10:00:00Z"), ["desk", "lamp"]);
  await refused("filter[released]=someday");
  assert.equal((await ids("filter[created][gte]=2020-01-01")).length, 5);
});

test("FIL-8 operators that a kind does not have are refused", async () => {
  await refused("filter[title][gt]=a", "filter[price][contains]=5");
});

test("FIL-9 in and notin take several values", async () => {
  assert.deepEqual(await sorted("filter[id][in]=desk|RUG|x"), ["desk", "rug"]);
  assert.deepEqual(await sorted("filter[price][notin]=99|250"), ["lamp", "vase"]);
});

test("FIL-10 an object without the property holds no condition on it", async () => {
  assert.deepEqual(await sorted("filter[price][ne]=99"), ["desk", "lamp", "vase"]);
  assert.deepEqual(await sorted("filter[released][lt]=2030-01-01"), ["desk", "lamp", "rug"]);
  await makeNumbers("undated", 2);
  await server.request("PATCH", "/api/collections/undated/n01", { body: { released: "" } });
  const before = await server.request("GET", "/api/collections/undated?filter[released][lt]=2030-01-01");
  assert.deepEqual(idsOf(before), []);
  await server.request("PATCH", "/api/collections/undated/n02", { body: { tags: [] } });
  assert.deepEqual(idsOf(await server.request("GET", "/api/collections/undated?filter[tags][ne]=red")), []);
});

test("FIL-11 an image cannot be compared", async () => {
  await refused("filter[photo]=x", "filter[photo][ne]=x");
});

test("FIL-18 empty finds objects without a value, or with an empty one", async () => {
  assert.deepEqual(await sorted("filter[tags][empty]=true"), ["rug", "vase"]);
  assert.deepEqual(await sorted("filter[tags][empty]=false"), ["desk", "lamp", "lamp-big"]);
  assert.deepEqual(await sorted("filter[price][empty]=true"), ["rug"]);
  assert.deepEqual(await sorted("filter[notes][empty]=false"), ["lamp-big", "vase"]);
  assert.deepEqual(await sorted("filter[extra][empty]=false&filter[released][gt]=2024-01-01"), ["lamp"]);
  assert.equal((await ids("filter[photo][empty]=true")).length, 5);
  assert.deepEqual(
    [(await ids("filter[id][empty]=true")).length, (await ids("filter[id][empty]=false")).length],
    [0, 5],
  );
  await makeNumbers("hollow", 4);
  const bodies = [
    { released: "", tags: [] },
    { notes: "", extra: {} },
    { extra: [], tags: null },
  ];
  for (const [at, body] of bodies.entries())
    await server.request("PATCH", `/api/collections/hollow/n0${at + 1}`, { body });
  for (const name of ["tags", "notes", "extra", "released"]) {
    const { body } = await server.request("GET", `/api/collections/hollow?filter[${name}][empty]=true`);
    assert.equal(body.data.length, 4, name);
  }
  const refused = await list("filter[tags][empty]=perhaps");
  assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["filter"]]);
});

test("FIL-12 the number of conditions is bounded", async () => {
  const values = new Array(101).fill("a").join("|");
  assert.equal((await list(`filter[title][in]=${values}`)).status, 400);
});

test("FIL-17 without credentials few conditions may be on properties outside the index", async () => {
  await makeNumbers("unread", 2, { publicOperations: ["read"] });
  const clauses = Array.from({ length: 60 }, (_, n) => `notes:contains:zz${n}`);
  const path = (count: number) => `/api/collections/unread/query?limit=1&exclude=${clauses.slice(0, count).join(",")}`;
  // Kept answers of others change nothing.
  assert.equal((await server.request("GET", path(60))).status, 200);
  const refused = await server.request("GET", path(60), { key: null });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.details.exclude[0], /^At most 8 conditions on properties outside the index/);
  assert.equal((await server.request("GET", path(8), { key: null })).status, 200);
});

test("FIL-13 nothing that is sent becomes part of a statement (T10)", async () => {
  const names = ["title')", "a.b'+'c", 'title"', "title]", "title;--", "$.title", "toString", "0"];
  for (const name of names.map(encodeURIComponent)) {
    assert.equal((await list(`filter[${name}]=1`)).status, 400, name);
    assert.equal((await list(`sort=${name}`)).status, 400, name);
  }
  for (const order of ["asc,(select%201)", "desc--"]) assert.equal((await list(`order=${order}`)).status, 400, order);
  for (const value of ["' OR 1=1 --", "%' ESCAPE 'x", "\\", "_%", "'; DROP TABLE objects; --"])
    for (const operator of ["eq", "contains", "starts", "in", "ne"]) {
      const answer = await list(`filter[title][${operator}]=${encodeURIComponent(value)}`);
      assert.equal(answer.status, 200, value);
      assert.equal(answer.body.data.length, operator === "ne" ? 5 : 0, `${operator} ${value}`);
    }
  for (const name of ["__proto__", "constructor"])
    assert.equal((await list(`filter[${name}][polluted]=1`)).status, 400, name);
});

test("LST-7 numbers of any size are ordered by value, and a page goes on from them", async () => {
  await server.makeCollection({ id: "vast", schema: "product" });
  const prices = [2 ** 53, -(2 ** 60), 123456789012345680000, 1e21, 0.30000000000000004, 5e-324, 2 ** 53 - 1, -1e300];
  for (const [at, price] of prices.entries())
    await server.request("POST", "/api/collections/vast", { body: { id: `v${at}`, price } });
  const found: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const path: string = `/api/collections/vast?sort=price&order=asc&limit=1${cursor && `&cursor=${cursor}`}`;
    const page = await server.request("GET", path);
    assert.equal(page.status, 200, page.text);
    found.push(...page.body.data.map(({ price }: { price: number }) => price));
    cursor = page.headers.get("x-next-cursor");
  }
  assert.deepEqual(
    found,
    prices.toSorted((a, b) => a - b),
  );
  const index = await server.request("GET", "/api/collections/vast/index?sort=-price");
  assert.equal(index.body.data.length, prices.length);
});
