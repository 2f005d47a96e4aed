// Single properties over HTTP: replace, merge, delete, count, item metadata.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { picture, upload } from "../../support/sample-files.ts";

let server: Server;
const object = "/api/collections/things/one";
const value = async (property: string) => (await server.request("GET", object)).body.data[property];

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "part",
    properties: { label: { type: "string", field: "text" }, size: { type: "number", field: "number" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "thing",
    properties: {
      title: { type: "string", field: "text" },
      status: { type: "string", field: "text", default: "draft" },
      views: { type: "number", field: "number" },
      double: { type: "number", field: "number", settings: { calc: "${views} * 2" } },
      stock: { type: "number", field: "number", settings: { min: 0, max: 10 } },
      tags: { type: "list", field: "list" },
      tint: { type: "color", field: "color" },
      card: { type: "card", field: "card", schemaref: "part" },
      photos: { type: "gallery", field: "gallery" },
      secret: { type: "password", field: "password" },
    },
    required: ["title"],
    index: ["title", "views"],
  });
  await server.makeCollection({ id: "things", schema: "thing" });
  await server.request("POST", "/api/collections/things", { body: { id: "one", title: "One" } });
});
beforeEach(async () => {
  const body = { title: "One", views: 5, stock: 9, tags: ["a"], card: { label: "L", size: 1 } };
  await server.request("PUT", object, { body });
});
after(() => server.stop());

test("PROP-1 PUT replaces a property by whatever JSON is sent", async () => {
  const answer = await server.request("PUT", `${object}/title`, { body: "New title" });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.data.title, "New title");
  assert.equal(answer.body.data.views, 5);
  assert.deepEqual((await server.request("PUT", `${object}/tags`, { body: ["x", "y"] })).body.data.tags, ["x", "y"]);
  assert.equal((await server.request("PUT", `${object}/views`, { body: 0 })).body.data.views, 0);
});

test("PROP-2 PATCH merges into objects only", async () => {
  const answer = await server.request("PATCH", `${object}/card`, { body: { size: 2 } });
  assert.deepEqual([answer.body.data.card.label, answer.body.data.card.size], ["L", 2]);
  for (const body of ["x", 7, null]) {
    assert.equal((await server.request("PATCH", `${object}/card`, { body })).status, 400, JSON.stringify(body));
  }
  assert.equal((await server.request("PATCH", `${object}/title`, { body: { a: 1 } })).status, 400);
});

test("PROP-2 either spelling of a color sets the whole color", async () => {
  const patched = async (body: object) => (await server.request("PATCH", `${object}/tint`, { body })).body.data.tint;
  const red = await patched({ hex: "#ff0000" });
  assert.equal((await patched({ hex: "#00ff00" })).hex, "#00ff00");
  assert.deepEqual(await patched({ oklch: red.oklch }), red);
  assert.deepEqual(await patched({}), red);
});

test("PROP-3 DELETE takes a property away or back to its default", async () => {
  const answer = await server.request("DELETE", `${object}/views`);
  assert.equal(answer.status, 200);
  assert.equal("views" in answer.body.data, false);
  await server.request("PUT", `${object}/status`, { body: "live" });
  assert.equal((await server.request("DELETE", `${object}/status`)).body.data.status, "draft");
  assert.equal((await server.request("DELETE", `${object}/title`)).status, 400);
  assert.equal(await value("title"), "One");
});

test("PROP-4 unknown properties and objects are 404", async () => {
  for (const to of [
    `${object}/nope`,
    `${object}/__proto__`,
    "/api/collections/things/none/views",
    "/api/collections/nowhere/one/title",
  ]) {
    assert.equal((await server.request("PUT", to, { body: 1 })).status, 404, to);
    assert.equal((await server.request("DELETE", to)).status, 404, to);
    assert.equal((await server.request("POST", `${to}/increment`)).status, 404, to);
  }
});

test("PROP-5 numbers count up and down", async () => {
  const count = async (rest: string) => (await server.request("POST", `${object}/${rest}`)).body;
  assert.deepEqual(await count("views/increment"), { property: "views", value: 6 });
  assert.deepEqual(await count("views/increment/4"), { property: "views", value: 10 });
  assert.deepEqual(await count("views/decrement"), { property: "views", value: 9 });
  assert.deepEqual(await count("views/decrement/0.1"), { property: "views", value: 8.9 });
  await server.request("DELETE", `${object}/views`);
  assert.deepEqual(await count("views/increment/3"), { property: "views", value: 3 });
  assert.equal(await value("views"), 3);
  assert.deepEqual(await count("double/increment"), { property: "double", value: 6 });
  assert.deepEqual(await count(`views/increment/1${"0".repeat(22)}`), { property: "views", value: 1e22 });
});

for (const rest of [
  "views/increment/NaN",
  "views/increment/Infinity",
  "views/increment/1e400",
  `views/increment/${"9".repeat(400)}`,
  "views/increment/0x10",
  "views/increment/",
  "views/increment/%20",
  "views/increment/1,5",
  "views/decrement/--1",
  "title/increment",
  "secret/increment",
  "tags/increment/2",
  "stock/increment/2",
  "stock/decrement/10",
])
  test(`PROP-6 ${rest.slice(0, 40)} is refused and changes nothing (T20)`, async () => {
    assert.equal((await server.request("POST", `${object}/${rest}`)).status, 400);
    assert.deepEqual([await value("views"), await value("stock"), await value("title")], [5, 9, "One"]);
  });

test("PROP-5 a hundred increments at once add up", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => server.request("POST", `${object}/views/increment`)),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(await value("views"), 105);
});

test("PROP-7 metadata of a named item is replaced or merged, the file's facts stay", async () => {
  const bytes = await picture(4, 3);
  for (const name of ["a.jpg", "b.jpg"]) await upload(server, "things/one/photos", { name, bytes });
  await server.request("PATCH", `${object}/photos/a.jpg`, { body: { caption: "c" } });
  const merged = await server.request("PATCH", `${object}/photos/a.jpg`, { body: { alt: "new", size: 99 } });
  assert.equal(merged.status, 200);
  const [a] = merged.body.data.photos;
  assert.deepEqual([a.alt, a.caption, a.size], ["new", "c", bytes.length]);
  const replaced = await server.request("PUT", `${object}/photos/a.jpg`, { body: { alt: "only" } });
  assert.deepEqual([replaced.body.data.photos[0].alt, replaced.body.data.photos[0].name], ["only", "a.jpg"]);
  assert.notEqual(replaced.body.data.photos[0].caption, "c");
  assert.equal((await server.request("PATCH", `${object}/photos/none.jpg`, { body: { alt: "x" } })).status, 404);
  assert.equal((await server.request("PATCH", `${object}/photos/a.jpg`, { body: "x" })).status, 400);
});

test("PROP-8 a password set by its property is not shown (T5)", async () => {
  const answer = await server.request("PUT", `${object}/secret`, { body: "open-sesame" });
  assert.equal(answer.status, 200);
  assert.doesNotMatch(answer.text, /secret|sesame|argon2/);
});

test("PROP-9 a value that breaks its rule is named", async () => {
  const answer = await server.request("PUT", `${object}/views`, { body: "many" });
  assert.equal(answer.status, 400);
  assert.ok(answer.body.error.details.views);
  assert.equal(await value("views"), 5);
});

test("HTTP-96 a write names the properties that it ignored", async () => {
  const ignored = async (method: string, to: string, body: object, more = {}) =>
    (await server.request(method, to, { body, ...more })).headers.get("x-ignored");
  const spelt = "/api/collections/things/spelt";
  const body = { id: "spelt", titel: "x", title: "Spelt", nosuch: 1, created: "2020-01-01" };
  assert.equal(await ignored("POST", "/api/collections/things", body), "titel;in=body;meant=title, nosuch;in=body");
  assert.equal(await ignored("PATCH", spelt, { statu: "a" }), "statu;in=body;meant=status");
  assert.equal(await ignored("PUT", `${spelt}?force=1`, { title: "y", ü: 1 }), "force;in=query, %C3%BC;in=body");
  const { data } = (await server.request("GET", spelt)).body;
  assert.equal(await ignored("PUT", spelt, data), null);
  await server.makeCollection({ id: "box", schema: "thing", publicOperations: ["create"] });
  assert.equal(await ignored("POST", "/api/collections/box", { title: "x", secre: 1 }, { key: null }), "secre;in=body");
});
