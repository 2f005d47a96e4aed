// Deck items over HTTP.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
const object = "/api/collections/menus/one";
const deck = `${object}/courses/deck`;
const courses = async () => (await server.request("GET", object)).body.data.courses;
const ids = async () => (await courses()).map(({ id }: { id: string }) => id);

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "course",
    properties: {
      id: { type: "slug", field: "text" },
      name: { type: "string", field: "text", label: "Name" },
      price: { type: "number", field: "number" },
      secret: { type: "password", field: "password" },
    },
    required: ["name"],
    index: [],
  });
  await server.makeSchema({
    id: "menu",
    properties: {
      title: { type: "string", field: "text" },
      courses: { type: "deck", field: "deck", deckref: "course" },
    },
    required: [],
    index: ["title"],
  });
  await server.makeCollection({ id: "menus", schema: "menu" });
  await server.request("POST", "/api/collections/menus", { body: { id: "one", title: "One" } });
});
beforeEach(async () => {
  const items = [
    { id: "soup", name: "Soup", price: 5 },
    { id: "fish", name: "Fish", price: 15 },
  ];
  await server.request("PUT", object, { body: { title: "One", courses: items } });
});
after(() => server.stop());

test("DECK-1 an item is added at the end, with an id of its own when none is sent", async () => {
  const answer = await server.request("POST", deck, { body: { id: "cake", name: "Cake" } });
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body.data.courses.at(-1), { id: "cake", name: "Cake" });
  const generated = await server.request("POST", deck, { body: { name: "Tea" } });
  assert.equal(generated.status, 201);
  assert.match(generated.body.data.courses.at(-1).id, /^[\w-]+$/);
  assert.deepEqual((await ids()).slice(0, 3), ["soup", "fish", "cake"]);
});

test("DECK-1 an id that exists is refused", async () => {
  const answer = await server.request("POST", deck, { body: { id: "fish", name: "Other fish" } });
  assert.equal(answer.status, 400);
  assert.equal((await courses())[1].name, "Fish");
});

test("DECK-2 one item is answered bare", async () => {
  const answer = await server.request("GET", `${deck}/soup`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { id: "soup", name: "Soup", price: 5 });
});

test("DECK-3 PUT replaces an item in its place", async () => {
  const answer = await server.request("PUT", `${deck}/soup`, { body: { name: "Broth" } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.data.courses[0], { id: "soup", name: "Broth" });
  assert.deepEqual(await ids(), ["soup", "fish"]);
  assert.equal((await server.request("PUT", `${deck}/soup`, { body: { id: "x", name: "Y" } })).status, 400);
  await server.request("POST", deck, { body: { id: 7, name: "Seventh" } });
  for (const id of [7, "7", null])
    assert.equal(
      (await server.request("PUT", `${deck}/7`, { body: { id, name: "Y" } })).status,
      200,
      JSON.stringify(id),
    );
});

test("DECK-4 DELETE takes an item out", async () => {
  const answer = await server.request("DELETE", `${deck}/soup`);
  assert.equal(answer.status, 200);
  assert.deepEqual(await ids(), ["fish"]);
});

test("DECK-5 unknown items are 404, other properties 400", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const body = method === "PUT" ? { name: "x" } : undefined;
    assert.equal((await server.request(method, `${deck}/none`, { body })).status, 404, method);
    assert.equal((await server.request(method, `${object}/title/deck/none`, { body })).status, 400, method);
  }
  assert.equal((await server.request("POST", `${object}/title/deck`, { body: { name: "x" } })).status, 400);
  assert.equal((await server.request("POST", `${object}/none/deck`, { body: { name: "x" } })).status, 404);
});

test("DECK-6 an item is checked by the deck's schema", async () => {
  const answer = await server.request("POST", deck, { body: { id: "bad", price: "dear" } });
  assert.equal(answer.status, 400);
  assert.deepEqual(Object.keys(answer.body.error.details).sort(), ["courses.bad.name", "courses.bad.price"]);
  for (const body of [
    [],
    "x",
    7,
    null,
    { id: "__proto__", name: "x" },
    { id: "a/b", name: "x" },
    { id: "", name: "" },
  ]) {
    assert.equal((await server.request("POST", deck, { body })).status, 400, JSON.stringify(body));
  }
  assert.deepEqual(await ids(), ["soup", "fish"]);
});

test("DECK-1 items added at once are all kept", async () => {
  const add = (n: number) => server.request("POST", deck, { body: { id: `item${n}`, name: `Item ${n}` } });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => add(n)));
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal((await ids()).length, 32);
});

test("DECK-1 the passwords of items are not shown (T5)", async () => {
  const answer = await server.request("POST", deck, { body: { id: "hush", name: "x", secret: "open-sesame" } });
  assert.doesNotMatch(answer.text, /sesame|argon2/);
  assert.deepEqual((await server.request("GET", `${deck}/hush`)).body, { id: "hush", name: "x" });
});

test("DECK-7 below the Pro edition deck routes are closed", async () => {
  await server.request("PATCH", "/api/collections/menus/settings", { body: { publicOperations: ["read", "update"] } });
  await server.request("PUT", "/api/settings/general", { body: { edition: "standard" } });
  const answer = await server.request("POST", deck, { body: { name: "x" } });
  const item = await server.request("GET", `${deck}/soup`);
  await server.cli(["settings:set", "edition", "pro"]);
  assert.deepEqual([answer.status, item.status], [403, 403]);
  assert.match(answer.body.error.message, /Pro/);
});
