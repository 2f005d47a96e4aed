// What checks of extensions do to writes, over every door.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import { connect } from "../mcp/tool-caller.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const code = `export function register(cairn) {
  cairn.check("title", async (call, { operation, id, before, after }) => {
    if (operation === "delete")
      return before.title === "Keep" ? { ok: false, details: { title: ["It is kept."] } } : { ok: true };
    if (after.title === "Count") {
      const { text } = await call.as.objects.get("other", "gate");
      if (text === "wait") await call.as.objects.increment("notes", id, "number");
    }
    if (after.title === "Throw") throw new Error("a secret of the code");
    if (after.title === "Refuse") cairn.fail(409, "Not now.");
    if (after.title === "Odd") return { ok: "yes" };
    if (after.title.startsWith("Bad")) return { ok: false, details: { title: ["It is bad."], id: [operation + " " + id] } };
    if (after.title === "Big") return { ok: true, changes: { title: "X".repeat(200) } };
    return { ok: true, changes: { text: (before ? "was " + before.title : "new") + " for " + call.actor.kind, id: "x" } };
  });
  cairn.check("also", async (call, { operation, after }) => {
    if (after.title === "Bad thrice" && operation === "create") return { ok: false, details: { title: ["Thrice."] } };
    return after.title === "Bad twice" ? { ok: false, details: { title: ["Twice."] } } : { ok: true };
  });
}`;
const failing = `export function register(cairn) {
  cairn.check("open", async () => { throw new Error("always"); });
}`;

let server: Server;
const notes = "/api/collections/notes";
const operations = ["create", "update", "delete"];

before(async () => {
  server = await startServer();
  const folder = join(server.dataDir, "extensions");
  const checks = [
    { name: "title", collections: ["notes"], operations, onFailure: "closed" },
    { name: "also", collections: ["*"], operations: ["create", "update"] },
  ];
  writeExtension(folder, { id: "acme/checks", manifest: { contributes: { checks } }, files: { "index.ts": code } });
  const open = { checks: [{ name: "open", collections: ["other"], operations }] };
  writeExtension(folder, { id: "acme/open", manifest: { contributes: open }, files: { "index.ts": failing } });
  await server.makeSchema({ id: "part", properties: { label: { type: "string", field: "text" } }, index: [] });
  await server.makeSchema({
    id: "note",
    properties: {
      title: { type: "string", field: "text", maxLength: 100 },
      text: { type: "string", field: "text" },
      number: { type: "number", field: "number" },
      parts: { type: "deck", field: "deck", deckref: "part" },
    },
    required: ["title"],
    index: ["title"],
  });
  for (const id of ["notes", "other"]) await server.makeCollection({ id, schema: "note" });
  await enableExtension(server, "acme/checks");
});
after(() => server.stop());

/** A check has 2 seconds, which a busy machine may take: the write is then refused with 503. */
const inTime = (ask: () => Promise<Answer>) => until(ask, ({ status }) => status !== 503);
const create = (title: string, id?: string) =>
  inTime(() => server.request("POST", notes, { body: { title, ...(id && { id }) } }));
const patchOnce = (id: string, body: unknown, headers = {}) =>
  server.request("PATCH", `${notes}/${id}`, { body, headers });
const patch = (...asked: Parameters<typeof patchOnce>) => inTime(() => patchOnce(...asked));
const stored = async (id: string) => (await server.request("GET", `${notes}/${id}`)).body.data;

test("EXT-90 EXT-91 a check sees what would be stored, refuses with details, or changes it", async () => {
  const made = await create("One", "one");
  assert.deepEqual([made.status, made.body.data.id, made.body.data.text], [201, "one", "new for key"]);
  const unnamed = await create("Bad twice");
  assert.equal(unnamed.status, 400);
  assert.deepEqual(unnamed.body.error.details, { title: ["It is bad.", "Twice."], id: ["create null"] });
  assert.deepEqual((await create("", "two")).body.error.details.title?.length, 1);

  assert.equal((await patch("one", { title: "Second" })).body.data.text, "was One for key");
  const replaced = await server.request("PUT", `${notes}/one`, { body: { title: "Bad" } });
  assert.deepEqual(replaced.body.error.details, { title: ["It is bad."], id: ["update one"] });
  assert.equal((await patch("one", { title: "Big" })).status, 400);
  assert.equal((await patch("one", { title: "Refuse" })).status, 409);
  assert.equal((await stored("one")).title, "Second");

  assert.equal(
    (await server.request("POST", `${notes}/one/parts/deck`, { body: { id: "a", label: "A" } })).status,
    201,
  );
  assert.equal((await stored("one")).text, "was Second for key");
  await create("Keep", "keep");
  assert.deepEqual((await server.request("DELETE", `${notes}/keep`)).body.error.details, { title: ["It is kept."] });
  assert.equal((await server.request("DELETE", `${notes}/one`)).status, 204);
});

test("EXT-90 checks hold for MCP, copies, bulk changes and imports", async () => {
  const agent = await connect(server, { "x-api-key": server.key });
  assert.match(await agent.failing("create_object", { collection: "notes", data: { title: "Bad" } }), /It is bad/);
  await create("Plain", "plain");
  const copied = await server.request("POST", `${notes}/plain/clone`, { body: { id: "copy" } });
  assert.equal(copied.status, 200, copied.text);
  assert.equal((await stored("copy")).text, "new for key");

  const body = { operation: "patch", ids: ["plain", "copy"], expect: 2, body: { title: "Bad" } };
  const bulk = await server.request("POST", "/api/bulk/notes", { body });
  assert.deepEqual([bulk.body.data.done, bulk.body.data.failed[0].details.title], [0, ["It is bad."]]);
  const removed = await server.request("POST", "/api/bulk/notes", {
    body: { operation: "delete", ids: ["keep", "copy"], expect: 2 },
  });
  assert.deepEqual([removed.body.data.done, removed.body.data.failed[0].id], [1, "keep"]);

  const rows = [
    { id: "r1", title: "Row" },
    { id: "r2", title: "Bad" },
    { id: "plain", title: "Taken" },
  ];
  const imported = await server.request("POST", "/api/import/collections/notes/json", { body: rows });
  const { created, skipped, errors } = imported.body;
  assert.deepEqual([created, skipped, errors], [1, 1, [{ row: 2, id: "r2", ...bad }]]);
  assert.equal((await stored("r1")).text, "new for key");
  const changed = await server.request("POST", "/api/import/collections/notes/json?update=true", {
    body: [
      { id: "r1", title: "Again" },
      { id: "plain", title: "Throw" },
    ],
  });
  assert.deepEqual([changed.body.updated, changed.body.errors[0].id], [1, "plain"]);
  assert.match(changed.body.errors[0].message, /acme\/checks could not check/);
  assert.equal((await stored("r1")).text, "was Row for key");
});

test("EXT-90 checks hold for objects that come back, from the trash and by an undo", async () => {
  await server.makeCollection({ id: "kept", schema: "note", history: "full" });
  const { id: writer, key } = await server.makeKey();
  for (const id of ["a", "b", "c"]) {
    await server.request("POST", "/api/collections/kept", { body: { id, title: "Bad twice soon" } });
    await server.request("PATCH", `/api/collections/kept/${id}`, {
      body: { title: id === "c" ? "Good" : "Bad thrice" },
    });
    await server.request("DELETE", `/api/collections/kept/${id}`, { key });
  }
  const { data } = (await server.request("GET", "/api/trash?collection=kept")).body;
  const { change } = data.find(({ id }: { id: string }) => id === "a");
  const back = await server.request("POST", `/api/trash/${change}/restore`);
  assert.deepEqual([back.status, back.body.error?.details.title], [400, ["Thrice."]]);
  const by = { key: writer };
  const { plan } = (await server.request("POST", "/api/undo", { body: { by } })).body.data;
  const { job } = (await server.request("POST", "/api/undo", { body: { by, apply: plan } })).body.data;
  const { body } = await until(
    () => server.request("GET", `/api/jobs/${job}`),
    (answer) => answer.body.data.status === "succeeded",
  );
  const { restored, failed } = body.data.result;
  assert.deepEqual([restored, failed.map(({ id }: { id: string }) => id).sort()], [1, ["a", "b"]]);
  assert.equal((await server.request("GET", "/api/collections/kept/a")).status, 404);
  assert.equal((await server.request("GET", "/api/collections/kept/c")).body.data.title, "Good");
});

const bad = {
  message: "Validation failed",
  details: { title: ["It is bad."], id: ["create r2"] },
};

test("EXT-92 a change that was overtaken while it was checked is checked again, or 412 with If-Match", async () => {
  await create("Start", "race");
  await server.request("POST", "/api/collections/other", { body: { id: "gate", title: "Gate", text: "wait" } });
  const etag = (await server.request("GET", `${notes}/race`)).headers.get("etag") as string;
  const overtaken = await patch("race", { title: "Count" }, { "if-match": etag });
  assert.equal(overtaken.status, 412);
  assert.deepEqual([(await stored("race")).title, (await stored("race")).number], ["Start", 1]);
  await server.request("PATCH", "/api/collections/other/gate", { body: { text: "" } });
  assert.equal((await patch("race", { title: "Count" })).status, 200);
  const all = await Promise.all([1, 2, 3].map((at) => patch("race", { title: `Race ${at}` })));
  assert.deepEqual(
    all.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.match((await stored("race")).text, /^was Race \d for key$/);
});

test("EXT-93 a closed check that fails is 503, an open one lets the change pass", async () => {
  for (const title of ["Throw", "Odd"]) {
    const answer = await patchOnce("race", { title });
    assert.equal(answer.status, 503);
    assert.match(answer.body.error.message, /^The extension acme\/checks could not check the change/);
  }
  await enableExtension(server, "acme/open");
  const open = await server.request("PATCH", "/api/collections/other/gate", { body: { title: "Open" } });
  assert.equal(open.status, 200);

  await until(async () => {
    await patchOnce("race", { title: "Throw" });
    return (await server.request("GET", "/api/extensions/acme/checks")).body.data.state === "quarantined";
  });
  assert.equal((await patchOnce("race", { title: "Fine" })).status, 503);
  assert.equal((await server.request("GET", `${notes}/race`)).status, 200);
  await server.request("POST", "/api/extensions/acme/checks/disable");
  assert.equal((await patch("race", { title: "Bad" })).status, 200);
});
