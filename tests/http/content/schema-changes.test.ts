// What a change of the schema does to objects that exist.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

const base = { required: ["id"], index: ["id", "title"] };
const title = { type: "string", field: "text" };
const note = { type: "string", field: "text" };

test("COL-42 a property that leaves the schema and comes back has its values again", async () => {
  await server.makeSchema({ id: "attic", ...base, properties: { id: { type: "slug", field: "id" }, title, note } });
  await server.makeCollection({ id: "attic", schema: "attic" });
  await server.request("POST", "/api/collections/attic", { body: { id: "a", title: "A", note: "keep me" } });

  const without = { id: "attic", ...base, properties: { id: { type: "slug", field: "id" }, title } };
  assert.equal((await server.request("PUT", "/api/schemas/attic", { body: without })).status, 200);
  const hidden = await server.request("GET", "/api/collections/attic/a");
  assert.equal(hidden.body.data.note, undefined);
  await server.request("PATCH", "/api/collections/attic/a", { body: { title: "B" } });

  const back = { ...without, properties: { ...without.properties, note } };
  assert.equal((await server.request("PUT", "/api/schemas/attic", { body: back })).status, 200);
  const shown = await server.request("GET", "/api/collections/attic/a");
  assert.equal(shown.body.data.note, "keep me");
  assert.equal(shown.body.data.title, "B");
});

test("COL-43 a property that comes back as a password shows no old value (T4)", async () => {
  await server.makeSchema({ id: "turned", ...base, properties: { id: { type: "slug", field: "id" }, title, note } });
  await server.makeCollection({ id: "turned", schema: "turned" });
  await server.request("POST", "/api/collections/turned", { body: { id: "a", title: "A", note: "was public" } });
  const properties = { id: { type: "slug", field: "id" }, title, note: { type: "password", field: "password" } };
  await server.request("PUT", "/api/schemas/turned", { body: { id: "turned", ...base, properties } });
  assert.equal((await server.request("GET", "/api/collections/turned/a")).text.includes("was public"), false);
  await server.request("PUT", "/api/schemas/turned", {
    body: { id: "turned", ...base, properties: { ...properties, note } },
  });
  assert.equal((await server.request("GET", "/api/collections/turned/a")).text.includes("was public"), false);
});

test("COL-44 a schema change leaves allowed frames in old texts alone", async () => {
  const body = { type: "string", field: "styledtext" };
  await server.makeSchema({ id: "framed", ...base, properties: { id: { type: "slug", field: "id" }, title, body } });
  await server.makeCollection({ id: "framed", schema: "framed" });
  const frame = '<iframe src="https://www.youtube.com/embed/x"></iframe>';
  await server.request("POST", "/api/collections/framed", { body: { id: "a", title: "A", body: frame } });
  await server.request("PUT", "/api/schemas/framed", {
    body: { id: "framed", ...base, properties: { id: { type: "slug", field: "id" }, title, body, note } },
  });
  assert.equal((await server.request("GET", "/api/collections/framed/a")).body.data.body, frame);
});
