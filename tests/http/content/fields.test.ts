// Values between the caller and the document, over HTTP: coercion, defaults, rules, HTML, passwords, made values.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "line",
    properties: {
      name: { type: "string", field: "text", label: "Name" },
      qty: { type: "integer", field: "number", default: 1 },
      pin: { type: "password", field: "password" },
    },
    required: ["name"],
    index: ["id"],
  });
  await server.makeSchema({
    id: "order",
    properties: {
      title: { type: "string", field: "text", label: "Title", maxLength: 40 },
      price: { type: "number", field: "number", label: "Price", minimum: 0 },
      paid: { type: "boolean", field: "toggle", default: false },
      due: { type: "date", field: "date" },
      opened: { type: "date", field: "date", default: "now" },
      mail: { type: "email", field: "email", label: "Mail" },
      status: { type: "string", field: "select", enum: ["new", "done"] },
      tags: { type: "list", field: "list" },
      text: { type: "string", field: "styledtext" },
      image: { type: "image", field: "image" },
      lines: { type: "deck", field: "deck", schemaref: "line" },
      total: { type: "number", field: "number", settings: { calc: "${price} * count(${lines.qty})" } },
      code: { type: "string", field: "text", settings: { autogen: "ORD-${oid-000}" } },
      updated: { type: "date", field: "date", settings: { onUpdate: true } },
      poison: { type: "string", field: "text", pattern: "^(a+)+$" },
      password: { type: "password", field: "password", label: "Password", minLength: 4 },
    },
    required: ["title"],
    index: ["id", "title", "status", "tags"],
  });
  await server.makeSchema({
    id: "closed",
    properties: { title: { type: "string", field: "text" } },
    required: ["id"],
    index: ["id"],
    additionalProperties: false,
  });
  await server.makeCollection({ id: "orders", schema: "order" });
  await server.makeCollection({ id: "closed", schema: "closed" });
});

after(() => server.stop());

const create = (body: unknown, collection = "orders") =>
  server.request("POST", `/api/collections/${collection}`, { body });

test("FLD-12, FLD-14, FLD-15, FLD-17 values are read as their type and answered in one form", async () => {
  const sent = { title: 7, price: "12.5", paid: "yes", due: "2024-01-15", tags: "a, b,,a", mail: " a@b.co " };
  const { status, body } = await create(sent);
  assert.equal(status, 201);
  const { title, price, paid, due, tags, mail } = body.data;
  assert.deepEqual(
    { title, price, paid, due, tags, mail },
    { title: "7", price: 12.5, paid: true, due: "2024-01-15T00:00:00.000Z", tags: ["a", "b"], mail: "a@b.co" },
  );
});

test("FLD-10 every property that is wrong is in details, and nothing is stored", async () => {
  const body = {
    id: "wrong",
    title: "",
    price: "free",
    mail: "x",
    status: "old",
    lines: [{ id: "l", qty: 1.5 }],
    password: "abc",
  };
  const answer = await create(body);
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.error, {
    code: 400,
    message: "Validation failed",
    details: {
      title: ["Title is required"],
      price: ["Price must be a number"],
      mail: ["Mail must be an e-mail address"],
      status: ["Value must be one of: new, done"],
      "lines.l.name": ["Name is required"],
      "lines.l.qty": ["Qty must be a whole number"],
      password: ["String must be at least 4 characters"],
    },
  });
  assert.equal((await server.request("GET", "/api/collections/orders/wrong")).status, 404);
});

test("FLD-32, FLD-33 PUT and PATCH obey the rules too", async () => {
  const { body } = await create({ title: "Ruled" });
  const path = `/api/collections/orders/${body.data.id}`;
  const patched = await server.request("PATCH", path, { body: { price: -1 } });
  assert.deepEqual([patched.status, patched.body.error.details], [400, { price: ["Value must be at least 0"] }]);
  const put = await server.request("PUT", path, { body: { title: "x".repeat(41) } });
  assert.deepEqual([put.status, put.body.error.details], [400, { title: ["String exceeds maximum length of 40"] }]);
  const cleared = await server.request("PATCH", path, { body: { title: null } });
  assert.deepEqual([cleared.status, cleared.body.error.details], [400, { title: ["Title is required"] }]);
});

test("FLD-38, FLD-40 defaults fill absent values, other properties stay absent, the order is the schema's", async () => {
  const { body } = await create({ title: "Plain", tags: [], text: "" });
  assert.deepEqual(Object.keys(body.data), [
    ...["id", "title", "paid", "opened", "tags", "text", "total", "code", "updated", "created", "modified"],
  ]);
  assert.equal(body.data.opened, body.data.created);
  assert.deepEqual([body.data.paid, body.data.tags, body.data.text], [false, [], ""]);
});

test("FLD-36, FLD-37 unknown keys and service-owned fields cannot be set (T7, T8)", async () => {
  const sent = {
    title: "Mass",
    zzz: 1,
    groups: ["admin"],
    csrf_token: "t",
    created: "1999-01-01T00:00:00Z",
    modified: "1999-01-01T00:00:00Z",
  };
  const { status, body } = await create(sent);
  assert.equal(status, 201);
  for (const key of ["zzz", "groups", "csrf_token"]) assert.equal(key in body.data, false, key);
  assert.doesNotMatch(body.data.created + body.data.modified, /1999/);
  const refused = await create({ id: "c", title: "T", zzz: 1 }, "closed");
  assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["zzz"]]);
  assert.equal((await create({ id: "c", title: "T", csrf_token: "t" }, "closed")).status, 201);
});

test("FLD-70, FLD-71 HTML is cleaned on write, plain text is not touched (T23)", async () => {
  const text = '<p onclick="x()">Hi<script>alert(1)</script> <a href="javascript:alert(1)">link</a></p>';
  const { body } = await create({
    title: "a < b & c",
    text,
    lines: [{ id: "l", name: "<img src=x onerror=alert(1)>" }],
  });
  assert.equal(body.data.title, "a < b & c");
  assert.equal(body.data.text, "<p>Hi <a>link</a></p>");
  assert.equal(body.data.lines[0].name, '<img src="x" />');
});

test("FLD-51, FLD-52 a password is in no answer, and stays when it is not sent (T5)", async () => {
  const password = "open-sesame-42";
  const answers = [
    await create({ id: "keeper", title: "Keeper", password, lines: [{ id: "l", name: "L", pin: password }] }),
  ];
  const path = "/api/collections/orders/keeper";
  for (const [method, target, body] of [
    ["GET", path],
    ["PATCH", path, { title: "Kept" }],
    ["PUT", path, { title: "Kept", password: "", lines: [{ id: "l", name: "L" }] }],
    ["GET", "/api/collections/orders?limit=100"],
    ["GET", "/api/collections/orders/query?limit=100"],
    ["GET", "/api/collections/orders/index"],
    ["PUT", `${path}/password`, "another-secret-7"],
    ["POST", `${path}/clone`, { id: "keeper-2" }],
  ] as [string, string, unknown?][]) {
    answers.push(await server.request(method, target, body === undefined ? {} : { body }));
  }
  for (const { status, text } of answers) {
    assert.ok(status < 300, text);
    assert.doesNotMatch(text, /open-sesame|another-secret|argon2|"password"|"pin"/);
  }
});

test("FLD-41, FLD-42, FLD-43 values are generated, computed and stamped", async () => {
  const { body } = await create({
    title: "Made",
    price: 5,
    total: 999,
    updated: "1999-01-01",
    lines: [{ name: "A" }, { name: "B" }],
  });
  assert.equal(body.data.total, 10);
  assert.match(body.data.code, /^ORD-\d{3}$/);
  assert.equal(body.data.updated, body.data.modified);
  const [first, second] = body.data.lines;
  assert.match(first.id, /^[a-z0-9]{12}$/);
  assert.notEqual(first.id, second.id);
});

test("FLD-28 a deck may be sent by id and is answered as a list", async () => {
  const { body } = await create({ title: "Deck", lines: { two: { name: "2" }, one: { name: "1", qty: "3" } } });
  assert.deepEqual(body.data.lines, [
    { id: "two", name: "2", qty: 1 },
    { id: "one", name: "1", qty: 3 },
  ]);
});

for (const id of ["query", "../x", "a/../b", "/x", "a\\b", "a\u0000b", "---", "x".repeat(201), ["x"]]) {
  test(`FLD-3 the id ${JSON.stringify(id).slice(0, 20)} is refused over HTTP (T18, T19)`, async () => {
    const { status, body } = await create({ id, title: "T" });
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["id"]]);
  });
}

test("FLD-3, FLD-4, FLD-5 ids are slugged, made from the title, and get a suffix when they are route words", async () => {
  assert.equal((await create({ id: "Grüezi Wohl", title: "T" })).body.data.id, "gruezi-wohl");
  assert.equal((await create({ id: "Multiple...Dots", title: "T" })).body.data.id, "multiple-dots");
  assert.equal((await create({ id: "https://example.com/page", title: "T" })).body.data.id, "https-example-com-page");
  assert.equal((await create({ title: "Café & Résumé" })).body.data.id, "cafe-resume");
  assert.equal((await create({ title: "Café & Résumé" })).body.data.id, "cafe-resume-2");
  assert.equal((await create({ title: "Index" })).body.data.id, "index-1");
});

test("FLD-31 a hostile pattern answers quickly (T11)", async () => {
  const poison = `${"a".repeat(50_000)}!`;
  const refuse = async () => assert.equal((await create({ title: "Poison", poison })).status, 400);
  assert.ok((await leastTime(500, refuse)) < 500);
});

test("FLD-81 a property that was a password shows nothing after it is retyped (T4)", async () => {
  const schema = (type: string) => ({
    id: "vault",
    properties: {
      word: { type, field: type === "password" ? "password" : "text" },
      title: { type: "string", field: "text" },
    },
    required: ["id"],
    index: ["id", "word"],
  });
  await server.makeSchema(schema("password"));
  await server.makeCollection({ id: "vault", schema: "vault" });
  await create({ id: "v", word: "hidden-word-1" }, "vault");
  assert.equal((await server.request("PUT", "/api/schemas/vault", { body: schema("string") })).status, 200);
  for (const path of ["/v", "", "/query", "/index"]) {
    const { text } = await server.request("GET", `/api/collections/vault${path}`);
    assert.doesNotMatch(text, /hidden-word|argon2|"word"/, path);
  }
});
