// Whatever is wrong with a write is named in one answer.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { logIn, makeUser } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "item",
    properties: {
      title: { type: "string", field: "text", minLength: 2 },
      sku: { type: "string", field: "text", unique: true },
      code: { type: "string", field: "text", unique: true },
    },
    required: ["title"],
    index: ["sku", "code"],
  });
  await server.makeCollection({ id: "items", schema: "item", publicOperations: [] });
  await server.makeCollection({ id: "open-items", schema: "item", publicOperations: ["create"] });
  for (const name of ["items", "open-items"])
    await send("POST", `collections/${name}`, { id: "first", title: "First", sku: "S1", code: "C1" });
  await makeUser(server, "root", ["admin"]);
});
after(() => server.stop());

const send = (method: string, path: string, body: object, key?: null) =>
  server.request(method, `/api/${path}`, { body, ...(key === null && { key }) });

async function named(method: string, path: string, body: object, key?: null): Promise<string[]> {
  const answer = await send(method, path, body, key);
  assert.equal(answer.status, 400, answer.text);
  return Object.keys(answer.body.error.details ?? {}).sort();
}

test("OBJ-27 unique values that are taken are named beside what breaks the schema", async () => {
  const taken = { title: "", sku: "S1", code: "C1" };
  assert.deepEqual(await named("POST", "collections/items", taken), ["code", "sku", "title"]);
  assert.deepEqual(await named("POST", "collections/items", { id: "x", ...taken }), ["code", "sku", "title"]);
  assert.deepEqual(await named("POST", "collections/items", { ...taken, sku: "S2" }), ["code", "title"]);
  await send("POST", "collections/items", { id: "second", title: "Second", sku: "S2", code: "C2" });
  assert.deepEqual(await named("PATCH", "collections/items/second", { title: "", sku: "S1" }), ["sku", "title"]);
  assert.deepEqual(await named("PUT", "collections/items/second", { title: "", sku: "S1", code: "C2" }), [
    "sku",
    "title",
  ]);
});

test("OBJ-27 OBJ-24 strangers learn nothing about values that are taken", async () => {
  assert.deepEqual(await named("POST", "collections/open-items", { title: "", sku: "S1" }, null), ["title"]);
});

test("OBJ-27 an automation is refused for its code, its triggers and its properties at once", async () => {
  const triggers = [
    { id: "a", type: "sometimes" },
    { id: "b", type: "schedule", cron: "never" },
  ];
  const bad = { id: "bad", name: {}, handler: "export default (", triggers, errorMailerId: {} };
  const expected = ["errorMailerId", "handler", "name", "triggers.a.type", "triggers.b.cron"];
  assert.deepEqual(await named("POST", "collections/automations", bad), expected);
  await send("POST", "collections/automations", { id: "good", name: "Good", handler: "export default () => 1" });
  const change = { name: {}, handler: "export default (" };
  assert.deepEqual(await named("PATCH", "collections/automations/good", change), ["handler", "name"]);
});

test("OBJ-27 a user is refused for the password, the groups and the address at once", async () => {
  const bad = { id: "bad", email: "ROOT@example.test", password: "short", groups: ["nobodys"], active: true };
  assert.deepEqual(await named("POST", "collections/auth", bad), ["email", "groups", "password"]);
  const fine = { ...bad, password: "correct-horse-1" };
  assert.deepEqual(await named("POST", "collections/auth", fine), ["email", "groups"]);
  await makeUser(server, "ada");
  const change = { password: "short", groups: ["nobodys"] };
  assert.deepEqual(await named("PATCH", "collections/auth/ada", change), ["groups", "password"]);
  await server.cli(["settings:set", "auth.minPasswordLength", "12"]);
  const longer = { ...bad, password: "too-short-1" };
  assert.deepEqual(await named("POST", "collections/auth", longer), ["email", "groups", "password"]);
  assert.equal((await logIn(server, { login: "bad", password: "too-short-1" })).status, 401);
});

test("OBJ-27 a registration that waits for its link says nothing about addresses that are taken", async () => {
  await server.request("PUT", "/api/settings/auth", { body: { publicRegistration: ["auth"] } });
  await send("PATCH", "collections/auth/settings", { requireEmailVerification: true });
  const register = (email: string) =>
    send("POST", "auth/register", { email, password: "correct-horse-1", name: { bad: true } }, null);
  const [known, unknown] = [await register("root@example.test"), await register("new@example.test")];
  assert.deepEqual([known.status, known.body.error.details], [unknown.status, unknown.body.error.details]);
  assert.equal(known.body.error.details?.email, undefined);
});

test("COL-5 a bad sortBy is named beside other bad settings", async () => {
  const bad = { sortBy: "titel", prettyUrl: "yes", singleton: 1 };
  const expected = ["prettyUrl", "singleton", "sortBy"];
  assert.deepEqual(await named("POST", "collections", { id: "news", schema: "item", ...bad }), expected);
  for (const method of ["PUT", "PATCH"])
    assert.deepEqual(await named(method, "collections/items/settings", bad), expected, method);
});
