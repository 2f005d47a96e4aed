// What is read and changes nothing: reports (fields, CSV and JSON), and dry runs of imports.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { type Answer, engine, type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "line",
    properties: { sku: text, key: { type: "password", field: "password" }, count: { type: "number", field: "number" } },
    required: ["id"],
    index: [],
  });
  await server.makeSchema({ id: "remark", properties: { text }, required: ["id"], index: [] });
  await server.makeSchema({
    id: "order",
    properties: {
      title: { ...text, label: "Order title" },
      paid: { type: "boolean", field: "toggle" },
      total: { type: "number", field: "price" },
      tags: { type: "list", field: "list" },
      memo: { type: "string", field: "textarea" },
      lines: { type: "deck", field: "deck", schemaref: "line" },
      remarks: { type: "deck", field: "deck", schemaref: "remark" },
      secret: { type: "password", field: "password" },
      draft: { type: "boolean", field: "toggle" },
    },
    required: ["id"],
    index: ["id", "title", "paid"],
  });
  await server.makeSchema({ id: "piece", properties: { name: text }, required: ["name"], index: ["id"] });
  await server.makeSchema({
    id: "good",
    properties: {
      title: { ...text, label: "Title" },
      price: { type: "number" },
      tags: { type: "list" },
      parts: { type: "deck", schemaref: "piece" },
      password: { $ref: "password" },
      sku: { type: "string", unique: true },
    },
    required: ["title"],
    index: ["id", "title", "sku"],
  });
  await server.makeCollection({ id: "orders", schema: "order", publicOperations: ["read"] });
  const orders = [
    {
      id: "a1",
      title: "=SUM(A1)",
      paid: true,
      total: -5,
      tags: ["x", "y"],
      memo: "one\ntwo",
      secret: "open-sesame",
      lines: [
        { id: "l1", sku: "lamp", count: 2, key: "hush-hush" },
        { id: "l2", sku: 'de"sk', count: 1 },
      ],
      remarks: [{ id: "r1", text: "fast, please" }],
    },
    { id: "a2", title: "Second", paid: false, total: 12.5 },
    { id: "a3", title: "Third", paid: true, draft: true, lines: [{ id: "l1", sku: "rug" }] },
  ];
  for (const body of orders)
    assert.equal((await server.request("POST", "/api/collections/orders", { body })).status, 201);
});

after(() => server.stop());

const report = (path: string, options = {}) => server.request("GET", `/api/report/collections/orders/${path}`, options);
const rows = async (parameters: string) => (await report(`csv?${parameters}`)).text.split("\r\n").slice(0, -1);
const data = async (parameters: string) => (await report(`json?${parameters}`)).body;

test("REP-1 the fields are listed by name, those of decks last", async () => {
  const { body } = await report("fields?format=json");
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    [
      ..."created draft id memo modified paid tags title total".split(" "),
      ..."lines.count lines.id lines.sku remarks.id remarks.text".split(" "),
    ],
  );
  const total = body.find(({ name }: { name: string }) => name === "total");
  assert.deepEqual(total, { name: "total", label: "Total", type: "price" });
  assert.equal(body.find(({ name }: { name: string }) => name === "title").label, "Order title");
});

test("REP-2 the fields come as checkboxes unless JSON is asked for (T21)", async () => {
  const { headers, text } = await report("fields");
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  assert.match(text, /<input type="checkbox" name="fields\[\]" value="lines\.sku">/);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "unsafe-inline", /unsafe-inline/);
  assert.equal((await report("fields?format=xml")).status, 400);
});

test("REP-3 passwords are not fields, and no report shows them (T3)", async () => {
  assert.doesNotMatch((await report("fields?format=json")).text, /secret|lines\.key/);
  for (const field of ["secret", "lines.key", "Secret", "lines.KEY", "lines.key.x"])
    for (const format of ["csv", "json"]) {
      const { status, text } = await report(`${format}?fields=id,${field}`);
      assert.equal(status, 400, field);
      assert.doesNotMatch(text, /argon/);
    }
  const unknown = (await report("csv?fields=nobody")).text.replaceAll("nobody", "secret");
  const strip = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
  assert.equal(strip((await report("csv?fields=secret")).text), strip(unknown));
  for (const clause of ["include=secret:x", "exclude=secret", "include=lines.key:x", "filter=secret:starts:$argon"])
    assert.equal((await report(`csv?fields=id&${clause}`)).status, 400, clause);
  assert.doesNotMatch((await report("json?fields=lines")).text, /argon|hush/);
});

test("REP-4 fields are required, as a comma list or repeated", async () => {
  for (const parameters of ["", "fields=", "fields=,", "include=paid"]) {
    const { status, body } = await report(`csv?${parameters}`);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["fields"]], parameters);
  }
  assert.deepEqual(await data("fields[]=id&fields[]=total&include=title:second"), [{ id: "a2", total: 12.5 }]);
});

test("REP-5 an unknown field is refused by name", async () => {
  for (const field of ["nothing", "lines.nothing", "nothing.sku", "title.x", "__proto__"]) {
    const { status, body } = await report(`json?fields=id,${field}`);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["fields"]], field);
  }
});

test("REP-6 the CSV is an attachment, own fields before those of decks", async () => {
  const { headers, text } = await report("csv?fields=lines.sku,title,id");
  assert.match(headers.get("content-type") ?? "", /^text\/csv/);
  assert.match(headers.get("content-disposition") ?? "", /attachment; filename="report-orders.csv"/);
  assert.equal(text.split("\r\n")[0], "title,id,lines.sku");
});

test("REP-7 each deck item is a row with the object's fields repeated", async () => {
  assert.deepEqual(await rows("fields=id,lines.sku,lines.count"), [
    "id,lines.sku,lines.count",
    "a1,lamp,2",
    'a1,"de""sk",1',
    "a2,,",
    "a3,rug,",
  ]);
});

test("REP-8 the rows of several decks add up", async () => {
  assert.deepEqual(await rows("fields=id,lines.sku,remarks.text,remarks.id&include=id:a1"), [
    "id,lines.sku,remarks.text,remarks.id",
    "a1,lamp,,",
    'a1,"de""sk",,',
    'a1,,"fast, please",r1',
  ]);
});

test("REP-9 an object without items is one row", async () => {
  assert.deepEqual(await rows("fields=id,remarks.text&include=id:a2"), ["id,remarks.text", "a2,"]);
});

test("REP-10 cells are safe and stay on their line (T22)", async () => {
  assert.deepEqual(await rows("fields=title,paid,total,tags,memo&include=id:a1"), [
    "title,paid,total,tags,memo",
    '\'=SUM(A1),true,-5,"[""x"",""y""]",one\\ntwo',
  ]);
});

test("REP-11 the JSON has only the asked fields, decks nested", async () => {
  const { headers, body } = await report("json?fields=id,total,lines.sku,remarks.text");
  assert.match(headers.get("content-disposition") ?? "", /attachment; filename="report-orders.json"/);
  assert.deepEqual(body[0], {
    id: "a1",
    total: -5,
    lines: [{ sku: "lamp" }, { sku: 'de"sk' }],
    remarks: [{ text: "fast, please" }],
  });
  assert.deepEqual(body.length, 3);
  const [whole] = await data("fields=lines&include=id:a3");
  assert.equal(whole.lines[0].sku, "rug");
  assert.deepEqual(await data("fields=lines,lines.sku&include=id:a3"), [whole]);
});

/** As a fault of the disk or of a hand would: behind the back of the server. */
async function damage(collection: string, id: string): Promise<void> {
  const sql = `UPDATE objects SET doc = '{"id":' WHERE collection = '${collection}' AND id = '${id}'`;
  if (engine === "sqlite") {
    const database = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { timeout: 45_000 });
    database.exec(sql);
    database.close();
    return;
  }
  const client = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test("REP-12 an object that cannot be read is left out and named (F19)", async () => {
  await server.makeCollection({ id: "worn", schema: "order" });
  for (const id of ["w1", "w2", "w3"])
    await server.request("POST", "/api/collections/worn", { body: { id, total: 1 } });
  await damage("worn", "w2");
  const json = await server.request("GET", "/api/report/collections/worn/json?fields=id");
  assert.deepEqual(json.body, { data: [{ id: "w1" }, { id: "w3" }], errors: ["w2"] });
  const csv = await server.request("GET", "/api/report/collections/worn/csv?fields=id");
  assert.equal(csv.text, "id\r\nw1\r\nw3\r\n");
});

test("EXP-14, LST-22 one damaged object costs neither a list nor an export (F19)", async () => {
  const read = (path: string) => server.request("GET", `/api/${path}`);
  const idsOf = ({ body }: Answer) => (body.data ?? body).map(({ id }: { id: string }) => id);
  await server.makeCollection({ id: "torn", schema: "order" });
  for (const id of ["w1", "w2", "w3"])
    await server.request("POST", "/api/collections/torn", { body: { id, total: 1 } });
  await damage("torn", "w2");
  for (const path of ["?sort=id&order=asc", "?sort=id&order=asc&filter[total]=1"])
    assert.deepEqual(idsOf(await read(`collections/torn${path}`)), ["w1", "w3"], path);
  assert.deepEqual(idsOf(await read("export/collections/torn/json")), ["w1", "w3"]);
  assert.equal((await read("export/collections/torn/csv")).text.match(/^w\d/gm)?.join(" "), "w1 w3");
});

test("OBJ-20 a damaged object is reported, and can be replaced and deleted (F19)", async () => {
  await server.makeCollection({ id: "spoilt", schema: "order" });
  const at = (id: string) => `/api/collections/spoilt/${id}`;
  for (const id of ["w1", "w2"]) {
    await server.request("POST", "/api/collections/spoilt", { body: { id, total: 1 } });
    await damage("spoilt", id);
    const read = await server.request("GET", at(id));
    assert.equal(read.status, 500);
    assert.match(read.body.error.message, /damaged/);
    assert.equal((await server.request("PATCH", at(id), { body: { total: 2 } })).status, 500);
  }
  assert.equal((await server.request("PUT", at("w1"), { body: { total: 7 } })).status, 200);
  assert.equal((await server.request("GET", at("w1"))).body.data.total, 7);
  assert.equal((await server.request("DELETE", at("w2"))).status, 204);
  assert.equal((await server.request("GET", at("w2"))).status, 404);
});

test("REP-13 include and exclude filter by any property, and filter is another name for include", async () => {
  const ids = async (clauses: string) => (await data(`fields=id&${clauses}`)).map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids("include=paid"), ["a1", "a3"]);
  assert.deepEqual(await ids("include=paid&exclude=draft"), ["a1"]);
  assert.deepEqual(await ids("include=total:gt:0"), ["a2"]);
  assert.deepEqual(await ids("filter=tags:y"), ["a1"]);
  assert.deepEqual(await ids("filter[paid]=true&exclude=draft"), ["a1"]);
  assert.deepEqual(await ids("filter[total][gt]=0"), ["a2"]);
  assert.equal((await report("json?fields=id&include=nothing:1")).status, 400);
});

test("REP-14 reports go by id and follow the access rules", async () => {
  assert.deepEqual(await data("fields=id"), [{ id: "a1" }, { id: "a2" }, { id: "a3" }]);
  const asPublic = await report("json?fields=id", { key: null });
  assert.deepEqual(asPublic.body, [{ id: "a1" }, { id: "a2" }]);
  await server.makeCollection({ id: "closed", schema: "order" });
  for (const path of ["fields", "csv?fields=id", "json?fields=id"]) {
    const closed = await server.request("GET", `/api/report/collections/closed/${path}`, { key: null });
    assert.equal(closed.status, 401, path);
    assert.equal((await server.request("GET", `/api/report/collections/no-such/${path}`)).status, 404, path);
  }
});

test("REP-15 a report of many objects arrives whole", async () => {
  await server.makeCollection({ id: "bulk", schema: "order" });
  const objects = Array.from({ length: 1_100 }, (_, n) => ({ id: `o${String(n).padStart(4, "0")}`, total: n }));
  await Promise.all(objects.map((body) => server.request("POST", "/api/collections/bulk", { body })));
  const csv = await server.request("GET", "/api/report/collections/bulk/csv?fields=total");
  assert.equal(csv.text, `total\r\n${objects.map(({ total }) => `${total}\r\n`).join("")}`);
  const json = await server.request("GET", "/api/report/collections/bulk/json?fields=id,total");
  assert.deepEqual(json.body, objects);
});

/** A collection of its own for each dry run. */
async function goods(): Promise<string> {
  made += 1;
  await server.makeCollection({ id: `goods-${made}`, schema: "good" });
  return `goods-${made}`;
}
let made = 0;

function importJson(name: string, rows: unknown, query = ""): Promise<Answer> {
  return server.request("POST", `/api/import/collections/${name}/json${query}`, { body: rows });
}

async function get(path: string) {
  return (await server.request("GET", `/api/collections/${path}`)).body.data;
}

test("IMP-19 properties that the schema does not have are named once", async () => {
  const name = await goods();
  const strange = await importJson(name, [
    { id: "a", titel: "A", title: "A", colour: 1 },
    { id: "b", titel: "B", title: "B" },
  ]);
  assert.deepEqual(
    [strange.body.created, strange.body.ignored],
    [2, [{ name: "titel", meant: "title" }, { name: "colour" }]],
  );
  const { body } = await server.request("POST", `/api/import/collections/${name}/csv?update=true&dryRun=true`, {
    raw: "id,title,nothing\na,C,1\n",
    headers: { "content-type": "text/csv" },
  });
  assert.deepEqual([body.updated, body.ignored], [1, [{ name: "nothing" }]]);
  assert.equal("colour" in (await get(`${name}/a`)), false);
});

test("IMP-30 IMP-31 a dry run answers as the import does, shows its rows and stores nothing", async () => {
  const name = await goods();
  await importJson(name, [{ id: "a", title: "A", price: 1 }]);
  const before = await get(`${name}/settings`);
  const rows = [
    { id: "a", title: "Again" },
    { id: "b", title: "B", price: "2", password: "secret-word" },
    { id: "bad" },
    { title: "No id" },
  ];
  const tried = await importJson(name, rows, "?dryRun=true");
  assert.equal(tried.status, 200);
  const { dryRun, rows: shown, ...answer } = tried.body;
  assert.equal(dryRun, true);
  assert.deepEqual(
    shown.map((row: { row: number; done: string; id?: string }) => [row.row, row.done, row.id]),
    [
      [1, "skipped", "a"],
      [2, "created", "b"],
      [3, "refused", "bad"],
      [4, "created", "no-id"],
    ],
  );
  assert.deepEqual([shown[1].object.title, shown[1].object.price], ["B", 2]);
  assert.doesNotMatch(JSON.stringify(tried.body), /secret-word|argon2/);
  assert.equal((await server.request("GET", `/api/collections/${name}/b`)).status, 404);
  assert.deepEqual(await get(`${name}/settings`), before);
  const { run, ...done } = (await importJson(name, rows)).body;
  assert.deepEqual([typeof run, done], ["string", answer]);

  const change = [{ id: "a", price: 5 }, { id: "z", price: 1 }, { price: 3 }];
  const update = await importJson(name, change, "?update=1&dryRun=1");
  assert.deepEqual([update.body.updated, update.body.skipped, update.body.errorCount], [1, 1, 1]);
  assert.deepEqual([update.body.rows[0].object.title, update.body.rows[0].object.price], ["A", 5]);
  assert.equal((await get(`${name}/a`)).price, 1);

  // A collection that its first object creates is not there afterwards.
  const virtual = await importJson("blog", [{ id: "x", title: "X" }], "?dryRun=true");
  assert.equal(virtual.body.created, 1, JSON.stringify(virtual.body));
  const { body: all } = await server.request("GET", "/api/collections");
  assert.ok(!all.data.some((one: { name: string }) => one.name === "blog"));
});

test("IMP-32 rows of a dry run know the rows before them, however many there are", async () => {
  const name = await goods();
  const row = (at: number) => ({ id: `r${at}`, title: `Row ${at}`, sku: `s${at}` });
  const rows = [
    ...Array.from({ length: 1_500 }, (_, at) => row(at)),
    { ...row(0), title: "Twice" },
    { ...row(2_000), sku: "s1" },
    { ...row(2_001), sku: "" },
  ];
  const tried = await importJson(name, rows, "?dryRun=true");
  assert.equal(tried.body.rows.length, 20);
  const { dryRun, rows: _, ...answer } = tried.body;
  assert.equal(dryRun, true);
  assert.deepEqual([answer.created, answer.skipped, answer.errorCount], [1_501, 1, 1]);
  assert.deepEqual(answer.errors[0].details, {
    sku: ["Sku must be unique. The value 's1' already exists in this collection."],
  });
  const { run, ...done } = (await importJson(name, rows)).body;
  assert.deepEqual([typeof run, done], ["string", answer]);
});

test("IMP-33 every format, decks and the factory have a dry run", async () => {
  const name = await goods();
  const open = { key: null, body: [{ id: "a", title: "A" }] };
  assert.equal((await server.request("POST", `/api/import/collections/${name}/json?dryRun=1`, open)).status, 401);
  const csv = await server.request("POST", `/api/import/collections/${name}/csv?dryRun=true`, {
    raw: 'id,title,tags\na,A,"x,y"\n',
    headers: { "content-type": "text/csv" },
  });
  assert.deepEqual([csv.body.created, csv.body.rows[0].object.tags], [1, ["x", "y"]]);
  const ndjson = await server.request("POST", `/api/import/collections/${name}/json?dryRun=true`, {
    raw: '{"id":"a","title":"A"}\n',
    headers: { "content-type": "application/x-ndjson" },
  });
  assert.deepEqual([ndjson.body.created, ndjson.body.dryRun], [1, true]);
  const fill = `/api/import/collections/${name}/factory?fqty=30&seed=7&dryRun=true`;
  const made = await server.request("POST", fill, { body: { title: "sentence(3)", sku: "uuid" } });
  assert.deepEqual([made.body.created, made.body.rows.length], [30, 20]);
  assert.equal((await get(`${name}/settings`)).totalObjects, 0);

  await importJson(name, [{ id: "a", title: "A", parts: [{ id: "one", name: "One" }] }]);
  const deck = `/api/import/collections/${name}/deck`;
  const items = [{ id: "one", name: "X" }, { id: "two", name: "Two" }, { id: "bad" }];
  const query = "object=a&property=parts&dryRun=1";
  const tried = await server.request("POST", `${deck}/json?${query}`, { body: items });
  assert.deepEqual([tried.body.created, tried.body.skipped, tried.body.errorCount], [1, 1, 1]);
  assert.deepEqual(
    tried.body.rows.map((row: { done: string; object?: { name: string } }) => [row.done, row.object?.name]),
    [
      ["skipped", undefined],
      ["created", "Two"],
      ["refused", undefined],
    ],
  );
  const one = { raw: "id,name\none,Eins\n", headers: { "content-type": "text/csv" } };
  const changed = await server.request("POST", `${deck}/csv?${query}&update=1`, one);
  assert.deepEqual([changed.body.updated, changed.body.rows[0].object.name], [1, "Eins"]);
  assert.deepEqual(
    (await get(`${name}/a`)).parts.map((part: { name: string }) => part.name),
    ["One"],
  );
});
