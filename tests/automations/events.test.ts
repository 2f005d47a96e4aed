// What sets automations off: writes, imports, definitions; and what keeps them from setting each other off for ever.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engine, type Server, startServer } from "../harness.ts";
import { logIn, makeUser, signIn } from "../support/sign-in.ts";
import { automate, runsOf, settledRuns } from "./samples.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { automations: { webhookLimit: 0 }, api: { rateLimit: 0 } } });
  for (const id of ["north", "south", "chain"]) await server.makeCollection({ id, schema: "text" });
});
after(() => server.stop());

async function write(collection: string, id: string): Promise<void> {
  const answer = await server.request("POST", `/api/collections/${collection}`, { body: { id, text: "x" } });
  assert.equal(answer.status, 201, answer.text);
}

test("ATM-27 an event trigger fires for its event and its collection", async () => {
  const on = (event: string, collection = "") => ({ type: "event", event, collection });
  await automate(server, "north-only", { body: "return ctx.event", triggers: [on("object.created", "north")] });
  await automate(server, "all", { body: "return ctx.event", triggers: [on("object.updated"), on("object.deleted")] });
  await automate(server, "asleep", { body: "return 1", enabled: false, triggers: [on("object.created")] });
  await write("north", "one");
  await write("south", "two");
  await server.request("PATCH", "/api/collections/south/two", { body: { text: "y" } });
  await server.request("DELETE", "/api/collections/north/one");
  const events = async (id: string, count: number) =>
    (await settledRuns(server, id, count)).map(({ result, trigger }) => ({ ...result, trigger })).reverse();
  assert.deepEqual(await events("north-only", 1), [
    { name: "object.created", collection: "north", id: "one", trigger: "event" },
  ]);
  assert.deepEqual(await events("all", 2), [
    { name: "object.updated", collection: "south", id: "two", trigger: "event" },
    { name: "object.deleted", collection: "north", id: "one", trigger: "event" },
  ]);
  assert.deepEqual(await runsOf(server, "asleep"), []);
});

test("ATM-27 a write that is refused sets nothing off, and the request does not wait for the run", async () => {
  const triggers = [{ type: "event", event: "object.created", collection: "south" }];
  const isOver = 'ctx.objects.get("north", "over").then(() => true, () => false)';
  await automate(server, "patient", { body: `while (!(await ${isOver})) await ctx.sleep(100)`, triggers });
  await write("south", "quick");
  assert.equal((await server.request("POST", "/api/collections/south", { body: { id: "quick" } })).status, 400);
  assert.equal((await runsOf(server, "patient"))[0]?.finishedAt, null);
  await write("north", "over");
  assert.equal((await settledRuns(server, "patient", 1)).length, 1);
  await server.request("DELETE", "/api/collections/automations/patient");
});

test("ATM-28 an import has events of its own", async () => {
  const on = (event: string) => ({ type: "event", event, collection: "north" });
  const triggers = ["import.created", "import.updated", "import.completed", "object.created"].map(on);
  await automate(server, "importing", { body: "return ctx.event", triggers });
  const file = JSON.stringify([
    { id: "i1", text: "a" },
    { id: "i2", text: "b" },
  ]);
  const headers = { "content-type": "application/json" };
  const answer = await server.request("POST", "/api/import/collections/north/json", { raw: file, headers });
  assert.equal(answer.status, 200, answer.text);
  const runs = await settledRuns(server, "importing", 3);
  assert.deepEqual(runs.map(({ result }) => [result.name, result.id ?? result.created]).toSorted(), [
    ["import.completed", 2],
    ["import.created", "i1"],
    ["import.created", "i2"],
  ]);
});

test("ATM-27 collections and schemas have events too", async () => {
  const names = ["collection.created", "collection.updated", "collection.deleted", "schema.saved", "schema.deleted"];
  await automate(server, "defining", {
    body: "return ctx.event",
    triggers: names.map((event) => ({ type: "event", event })),
  });
  await server.makeSchema({ id: "kind", properties: { id: { type: "string" } }, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "kinds", schema: "kind" });
  await server.request("PATCH", "/api/collections/kinds/settings", { body: { description: "of things" } });
  await server.request("DELETE", "/api/collections/kinds");
  await server.request("DELETE", "/api/schemas/kind");
  const seen = (await settledRuns(server, "defining", 5)).map(({ result }) => result.name);
  assert.deepEqual(seen.toSorted(), names.toSorted());
});

/** An automation that returns each of these events; `seen` lists them as text, sorted. */
async function listen(id: string, names: string[]) {
  await automate(server, id, {
    body: "return ctx.event",
    triggers: names.map((event) => ({ type: "event", event })),
  });
  return {
    seen: async (count: number) =>
      (await settledRuns(server, id, count))
        .map(({ result: { name, ...rest } }) => `${name} ${Object.values(rest)}`)
        .sort(),
    remove: () => server.request("DELETE", `/api/collections/automations/${id}`),
  };
}

const kindSchema = (id: string, more: object = {}) => ({
  id,
  properties: { id: { type: "string" }, ...more },
  required: ["id"],
  index: ["id"],
});

test("SYNC-19 ATM-27 ATM-28 an import by sync or jumpstart triggers automations", async () => {
  const names = ["collection.created", "collection.updated", "schema.saved", "template.saved", "import.completed"];
  const heard = await listen("receiving", [...names, "import.created", "import.updated", "object.created"]);
  const send = async (path: string, body: object) => {
    const answer = await server.request("POST", path, { body: { version: "1.0.0", name: "Test", ...body } });
    assert.equal(answer.status, 200, answer.text);
  };
  const page = (title: string) => ({ collection: "builder-pages", id: "start", data: { title, template: "x" } });
  await send("/api/sync/import", {
    schemas: [kindSchema("brought")],
    collections: { reserved: [], custom: [{ id: "brought", schema: "brought" }] },
    templates: [{ id: "brought", template: "x" }],
    objects: [page("One")],
  });
  const first = [
    "collection.created brought",
    "collection.created builder-pages",
    "import.completed builder-pages,1,0",
    "import.created builder-pages,start",
    "schema.saved brought",
    "template.saved brought",
  ];
  assert.deepEqual(await heard.seen(first.length), first);
  await send("/api/sync/import", {
    schemas: [kindSchema("brought", { title: { type: "string" } })],
    collections: { reserved: [], custom: [{ id: "brought", schema: "brought", description: "Other" }] },
    objects: [page("Two")],
  });
  await send("/api/import/jumpstart", {
    schemas: [kindSchema("started")],
    collections: { reserved: ["text"], custom: [{ id: "started", schema: "started" }] },
    objects: [{ collection: "started", id: "a", data: {} }],
  });
  const later = [
    "collection.created started",
    "collection.created text",
    "collection.updated brought",
    "import.completed builder-pages,0,1",
    "import.completed started,1,0",
    "import.created started,a",
    "import.updated builder-pages,start",
    "schema.saved brought",
    "schema.saved started",
  ];
  assert.deepEqual(await heard.seen(first.length + later.length), [...first, ...later].sort());
  await heard.remove();
});

test("SCH-47 a schema file that an editor changes has one event, also when no server ran, and not after a restart", async () => {
  const heard = await listen("files", ["schema.saved", "schema.deleted"]);
  const file = (id: string) => join(server.dataDir, ".schemas", `${id}.json`);
  const edit = (id: string, more: object = {}) => writeFileSync(file(id), JSON.stringify(kindSchema(id, more)));
  edit("edited");
  assert.deepEqual(await heard.seen(1), ["schema.saved edited"]);
  edit("edited", { title: { type: "string" } });
  assert.deepEqual(await heard.seen(2), ["schema.saved edited", "schema.saved edited"]);
  // Saved by a command: the server sees the file as well.
  await server.cli(["schema:import", file("edited")]);
  assert.equal((await heard.seen(3)).length, 3);
  await server.restart();
  edit("marker");
  assert.deepEqual((await heard.seen(4)).slice(-1), ["schema.saved marker"]);
  await server.terminate();
  rmSync(file("marker"));
  edit("edited", { title: { type: "string" }, text: { type: "string" } });
  await server.restart();
  const seen = [...Array(4).fill("schema.saved edited"), "schema.saved marker"];
  if (engine === "postgres") {
    // There the database decides, and the file is put back (NOD-5).
    assert.deepEqual(await heard.seen(5), seen);
    assert.ok(existsSync(file("marker")));
  } else {
    assert.deepEqual(await heard.seen(6), ["schema.deleted marker", ...seen]);
    const audited = readFileSync(join(server.dataDir, ".system", "logs", "access.log"), "utf8");
    assert.match(audited, /"type":"schema.deleted","actor":"system".*"schema":"marker","by":"file"/);
  }
  await heard.remove();
});

test("ATM-27 signing in and out are events, and a refused login is not", async () => {
  const triggers = ["user.login", "user.logout", "object.updated"].map((event) => ({ type: "event", event }));
  await makeUser(server, "comer");
  await automate(server, "door", { body: "return ctx.event", triggers });
  assert.equal((await logIn(server, { login: "comer", password: "wrong-horse-1" })).status, 401);
  const comer = await signIn(server, "comer");
  assert.equal((await comer.request("POST", "/api/auth/logout")).status, 204);
  const seen = (await settledRuns(server, "door", 2)).map(({ result }) => result);
  assert.deepEqual(seen.toReversed(), [
    { name: "user.login", user: "comer" },
    { name: "user.logout", user: "comer" },
  ]);
  await server.request("DELETE", "/api/collections/automations/door");
});

test("ATM-29 an automation does not set itself off", async () => {
  const triggers = [{ type: "event", event: "object.updated", collection: "south" }];
  const body = 'return (await ctx.objects.patch("south", ctx.event.id, { text: ctx.now() })).id';
  await automate(server, "restless", { body, triggers });
  await server.request("PATCH", "/api/collections/south/two", { body: { text: "z" } });
  await settledRuns(server, "restless", 1);
  await sleep(500);
  assert.equal((await runsOf(server, "restless")).length, 1);
  await server.request("DELETE", "/api/collections/automations/restless");
});

test("ATM-29 automations that set each other off come to an end", async () => {
  const triggers = [{ type: "event", event: "object.created", collection: "chain" }];
  const body = 'await ctx.objects.create("chain", { text: ctx.automation.id })';
  await automate(server, "ping", { body, triggers });
  await automate(server, "pong", { body, triggers });
  await write("chain", "start");
  let known = -1;
  for (let quiet = 0; quiet < 2; quiet += 1) {
    const count = (await settledRuns(server, "ping", 1)).length + (await settledRuns(server, "pong", 1)).length;
    if (count !== known) quiet = 0;
    known = count;
    await sleep(400);
  }
  // Both react to the first write, and to what the other one writes: 2, then one each for four more links.
  assert.equal(known, 2 * 5);
});
