// History over MCP: what an agent wrote, why, and the way back; hidden properties are in none of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { type Agent, asKey } from "./tool-caller.ts";

let server: Server;
let key: Agent;
const collection = "things";

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const hidden = { field: "text", mcp: { expose: false } };
  await server.makeSchema({ id: "thing", properties: { title: { field: "text" }, hidden } });
  await server.makeCollection({ id: collection, schema: "thing", history: "full" });
  key = await asKey(server);
});
after(() => server.stop());

test("HIS-20 a restore by an agent keeps what is hidden from it in cards and decks", async () => {
  const part = { text: { field: "text" }, secret: { field: "text", mcp: { expose: false } } };
  await server.makeSchema({ id: "part", properties: part });
  const schemaref = "/schemas/part.json";
  const inner = { card: { field: "card", schemaref }, parts: { field: "deck", schemaref } };
  await server.makeSchema({ id: "whole", properties: { title: { field: "text" }, ...inner } });
  await server.makeCollection({ id: "wholes", schema: "whole", history: "full" });
  const at = "/api/collections/wholes";
  const values = (text: string, secret: string) => ({
    card: { text, secret },
    parts: [{ id: "p", text, secret }],
  });
  await server.request("POST", at, { body: { id: "w", title: "T", ...values("old", "hidden then") } });
  await server.request("PATCH", `${at}/w`, { body: values("new", "hidden now") });
  const { changes } = await key.ask("object_history", { collection: "wholes", id: "w" });
  const { change } = changes.at(-1);
  const { version } = await key.ask("object_history", { collection: "wholes", id: "w", change });
  assert.doesNotMatch(JSON.stringify(version), /hidden/);
  const restored = await key.ask("restore_version", { collection: "wholes", id: "w", change });
  assert.doesNotMatch(JSON.stringify(restored), /hidden/);
  const { card, parts } = (await server.request("GET", `${at}/w`)).body.data;
  assert.deepEqual({ card, parts }, values("old", "hidden now"));
  // An item that was taken out comes back whole.
  await server.request("PUT", `${at}/w`, { body: { title: "T" } });
  await key.ask("restore_version", { collection: "wholes", id: "w", change, properties: ["parts"] });
  assert.deepEqual((await server.request("GET", `${at}/w`)).body.data.parts, values("old", "hidden then").parts);
});

test("HIS-20 object_history lists changes, versions and differences, restore_version goes back, and writes take a note", async () => {
  await key.ask("create_object", { collection, id: "a", data: { title: "A" }, note: "first" });
  const body = { hidden: "secret", title: "B" };
  await server.request("PATCH", "/api/collections/things/a", { body });
  await key.ask("patch_object", { collection, id: "a", data: { title: "C" }, note: "better" });
  const { changes } = await key.ask("object_history", { collection, id: "a" });
  assert.deepEqual(
    changes.map(({ note, properties, by }: Record<string, Record<string, string>>) => [note, properties, by?.door]),
    [
      ["better", ["title"], "mcp"],
      [undefined, ["title"], "api"],
      ["first", [], "mcp"],
    ],
  );
  const [last, middle, first] = changes.map(({ change }: { change: string }) => change);
  const { version } = await key.ask("object_history", { collection, id: "a", change: middle });
  assert.deepEqual([version.title, version.hidden], ["B", undefined]);
  const { differences } = await key.ask("object_history", { collection, id: "a", change: middle, diff: "previous" });
  assert.deepEqual(
    differences.map(({ property }: { property: string }) => property),
    ["title"],
  );
  const restored = await key.ask("restore_version", { collection, id: "a", change: first, note: "back" });
  assert.equal(restored.title, "A");
  const stored = (await server.request("GET", "/api/collections/things/a")).body.data;
  assert.deepEqual([stored.title, stored.hidden], ["A", "secret"]);
  const after = await key.ask("object_history", { collection, id: "a", limit: 1 });
  assert.deepEqual(
    [after.changes[0].kind, after.changes[0].note, after.cursor],
    ["restore", "back", after.changes[0].change],
  );
  assert.notEqual(after.changes[0].change, last);
  await key.failing("restore_version", { collection, id: "a", change: first, properties: ["hidden"] });
  await key.failing("object_history", { collection, id: "none" });
});

test("HIS-27 object_history knows nothing of a former collection of the same id", async () => {
  const make = () => server.makeCollection({ id: "again", schema: "thing", history: "full" });
  await make();
  await key.ask("create_object", { collection: "again", id: "priv", data: { title: "Secret" } });
  assert.equal((await server.request("DELETE", "/api/collections/again?confirm=again")).status, 204);
  await make();
  assert.match(await key.failing("object_history", { collection: "again", id: "priv" }), /no object/i);
});
