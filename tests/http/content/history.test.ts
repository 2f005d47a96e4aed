// The history of objects over HTTP: changes, versions, differences, who changed what, restore, and the object at a time.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;
const text = { type: "string", field: "text" };

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({
    ...{ id: "note", properties: { title: text, body: text, count: { type: "number", field: "number" } } },
    ...{ index: ["title"], required: ["title"] },
  });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

type Body = Record<string, unknown>;
const send = (method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<Answer> =>
  server.request(method, `/api${path}`, { ...(body && { body }), ...(headers && { headers }) });
const create = (body: Body, collection = "notes") => send("POST", `/collections/${collection}`, body);
const patch = (id: string, body: Body) => send("PATCH", `/collections/notes/${id}`, body);
const changesOf = async (id: string, more = "") => (await send("GET", `/history/notes/${id}${more}`)).body;

test("HIS-11 the changes of an object are listed newest first, in pages, with author, properties and note", async () => {
  await create({ id: "one", title: "A" });
  await patch("one", { title: "B", body: "x" });
  await send("PATCH", "/collections/notes/one", { body: "y" }, { "x-cairn-note": "Gr\u00fc\u00dfe" });
  const { data, meta } = await changesOf("one");
  assert.deepEqual(
    data.map(({ kind, rev, properties, note, hasContent }: Body) => [kind, rev, properties, note, hasContent]),
    [
      ["update", 3, ["body"], "Gr\u00fc\u00dfe", true],
      ["update", 2, ["title", "body"], undefined, true],
      ["create", 1, [], undefined, false],
    ],
  );
  assert.deepEqual(
    [meta, data[0].by.door, typeof data[0].by.key.id, data[0].collection],
    [{}, "api", "string", "notes"],
  );
  const first = await changesOf("one", "?limit=2");
  const second = await changesOf("one", `?limit=2&cursor=${first.meta.cursor}`);
  assert.deepEqual([...first.data, ...second.data], data);
  assert.equal(second.meta.cursor, undefined);
  const titles = await changesOf("one", "?property=title");
  assert.deepEqual(
    titles.data.map(({ rev }: Body) => rev),
    [2, 1],
  );
  const long = await send("PATCH", "/collections/notes/one", { body: "z" }, { "x-cairn-note": "x".repeat(501) });
  assert.equal(long.status, 400);
  for (const [path, status] of [
    ["/history/notes/none", 404],
    ["/history/none/one", 404],
    ["/history/notes/one?cursor=x", 400],
    ["/history/notes/one?limit=0", 400],
    ["/history/notes/one/999999", 404],
    ["/history/notes/one/x", 404],
    [`/history/notes/one/${data[0].change}?diff=x`, 400],
  ] as const)
    assert.equal((await send("GET", path)).status, status, path);
});

test("HIS-12 each version is the object as it was answered then, also after the object is deleted and came back", async () => {
  const answers = [(await create({ id: "two", title: "A", body: "x", count: 1 })).body.data];
  for (const body of [{ title: "B" }, { body: null, count: 2 }, { title: "B" }, { count: 3 }])
    answers.push((await patch("two", body)).body.data);
  const check = async () => {
    const versions = (await changesOf("two")).data.filter(({ kind }: Body) => kind === "create" || kind === "update");
    for (const [at, { change }] of versions.reverse().entries())
      assert.deepEqual((await send("GET", `/history/notes/two/${change}`)).body.data, answers[at]);
    assert.equal(versions.length, answers.length);
  };
  await check();
  assert.equal((await send("DELETE", "/collections/notes/two")).status, 204);
  await check();
  const [deletion] = (await changesOf("two")).data;
  assert.equal((await send("POST", `/trash/${deletion.change}/restore`)).status, 200);
  await check();
});

test("HIS-13 differences are told against the version before, the present object and another version", async () => {
  await create({ id: "three", title: "A", body: "x" });
  await patch("three", { title: "B" });
  await patch("three", { title: "C", body: "y" });
  const [last, middle, first] = (await changesOf("three")).data.map(({ change }: Body) => change);
  const diff = async (change: string, other: string) =>
    (await send("GET", `/history/notes/three/${change}?diff=${other}`)).body.data.map(
      ({ property, from, to }: Body) => [property, from, to],
    );
  assert.deepEqual(await diff(middle, "previous"), [["title", "A", "B"]]);
  assert.deepEqual(await diff(middle, "current"), [
    ["title", "B", "C"],
    ["body", "x", "y"],
  ]);
  assert.deepEqual(await diff(last, first), await diff(first, last));
  assert.deepEqual((await diff(last, first))[0], ["title", "A", "C"]);
});

test("HIS-14 for each property it is known who changed it last, or that nobody did since the log began", async () => {
  await create({ id: "four", title: "A", body: "x" });
  await patch("four", { title: "B" });
  const [update, creation] = (await changesOf("four")).data;
  const { data } = (await send("GET", "/history/notes/four/properties")).body;
  assert.deepEqual(
    [data.title.change, data.body.change, data.count.change],
    [update.change, creation.change, creation.change],
  );
  assert.deepEqual(data.title.by, update.by);
  await server.makeCollection({ id: "late", schema: "note", history: "off" });
  await create({ id: "a", title: "A" }, "late");
  await send("PATCH", "/collections/late/settings", { history: "full" });
  await send("PATCH", "/collections/late/a", { title: "B" });
  const late = (await send("GET", "/history/late/a/properties")).body.data;
  assert.deepEqual([typeof late.title.change, typeof late.body.before], ["string", "string"]);
});

test("HIS-15 a restore is an ordinary change: all or some properties, with If-Match, rules and a record of its own", async () => {
  await create({ id: "five", title: "A", body: "x", count: 1 });
  const { headers } = await patch("five", { title: "B", body: "y", count: 2 });
  const change = (await changesOf("five")).data[1].change;
  const restore = (body?: Body, more?: Record<string, string>) =>
    send("POST", `/history/notes/five/${change}/restore`, body, more);
  assert.equal((await restore({ properties: ["none"] })).status, 400);
  assert.equal((await restore({ properties: "title" })).status, 400);
  assert.equal((await restore({}, { "if-match": '"1-1-x"' })).status, 412);
  const some = await restore({ properties: ["title"], note: "why" }, { "if-match": headers.get("etag") ?? "" });
  assert.deepEqual([some.status, some.body.data.title, some.body.data.body], [200, "A", "y"]);
  const [record] = (await changesOf("five")).data;
  assert.deepEqual([record.kind, record.note, record.properties, record.rev], ["restore", "why", ["title"], 3]);
  const all = await restore();
  assert.deepEqual([all.body.data.body, all.body.data.count], ["x", 1]);
  assert.equal((await send("DELETE", "/collections/notes/five")).status, 204);
  assert.equal((await restore()).status, 404);
});

test("HIS-16 as_of shows one object as it was at a time; a write refuses it, and without a full history it means nothing", async () => {
  const created = (await create({ id: "six", title: "A" })).body.data;
  const updated = (await patch("six", { title: "B" })).body.data;
  const at = (time: string) => send("GET", `/collections/notes/six?as_of=${encodeURIComponent(time)}`);
  assert.deepEqual((await at(created.modified)).body.data, created);
  assert.deepEqual((await at(updated.modified)).body.data, updated);
  assert.deepEqual((await at("2999-01-01T00:00:00Z")).body.data, updated);
  assert.equal((await at("2001-01-01T00:00:00Z")).status, 404);
  assert.equal((await at("yesterday")).status, 400);
  await send("DELETE", "/collections/notes/six");
  assert.deepEqual((await at(updated.modified)).body.data, updated);
  assert.equal((await at("2999-01-01T00:00:00Z")).status, 404);
  assert.equal((await send("PATCH", "/collections/notes/six?as_of=2026-01-01T00:00:00Z", { title: "C" })).status, 400);
  await server.makeCollection({ id: "plain", schema: "note", history: "off" });
  await create({ id: "a", title: "A" }, "plain");
  assert.equal((await send("GET", "/collections/plain/a?as_of=nothing")).status, 200);
});

test("HIS-26 a new collection keeps its history in full unless it or the settings say otherwise, and goes on with it", async () => {
  const historyIn = async (id: string) => (await send("GET", `/collections/${id}/settings`)).body.data.history;
  const make = async (id: string, more: Body = {}) => {
    await server.makeCollection({ id, schema: "note", ...more });
    return historyIn(id);
  };
  assert.deepEqual(
    [await make("new-1"), await make("new-2", { history: "trail" }), await make("new-3", { history: null })],
    ["full", "trail", undefined],
  );
  await create({ id: "a", title: "A" }, "new-1");
  await send("DELETE", "/collections/new-1/a");
  const [gone] = (await send("GET", "/trash?collection=new-1")).body.data;
  assert.equal((await send("POST", `/trash/${gone.change}/restore`)).status, 200);
  assert.equal((await send("GET", "/history/new-3/a")).status, 404);
  await send("PUT", "/collections/new-1/settings", { name: "Other" });
  const collections = {
    reserved: [],
    custom: [
      { id: "new-1", schema: "note", name: "Third" },
      { id: "new-4", schema: "note" },
    ],
  };
  const jumpstart = { version: "1.0.0", name: "x", collections };
  assert.equal((await send("POST", "/import/jumpstart?overwrite=1", jumpstart)).status, 200);
  const { name, history } = (await send("GET", "/collections/new-1/settings")).body.data;
  assert.deepEqual([name, history, await historyIn("new-4")], ["Third", "full", undefined]);
  await send("PUT", "/collections/new-1/settings", { history: null });
  assert.equal(await historyIn("new-1"), undefined);
  for (const [mode, written] of [
    ["trail", "trail"],
    ["off", "off"],
    ["default", undefined],
  ] as const) {
    await server.setSetting("history.new", mode);
    assert.equal(await make(`mode-${mode}`), written);
  }
  await server.setSetting("history.new", null);
});

test("HIS-28 the collection of the users has trail at most, and refuses full", async () => {
  for (const history of ["full", { mode: "full" }]) {
    const refused = await send("POST", "/collections", { id: "auth", history });
    assert.equal(refused.status, 400);
    assert.match(refused.body.error.details.history[0], /trail/);
  }
  const made = await send("POST", "/collections", { id: "auth" });
  assert.deepEqual([made.status, made.body.data.history], [201, "trail"], made.text);
  for (const method of ["PATCH", "PUT"]) {
    const refused = await send(method, "/collections/auth/settings", { history: "full" });
    assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [400, ["history"]]);
  }
  assert.equal((await send("PATCH", "/collections/auth/settings", { history: "off" })).body.data.history, "off");
});

test("HIS-17 what is a password now is in no version, and values from before a rename have the present name", async () => {
  await server.makeSchema({ id: "safe", properties: { title: text, code: text } });
  await server.makeCollection({ id: "safes", schema: "safe", history: "full" });
  await create({ id: "a", title: "A", code: "sesame" }, "safes");
  await send("PATCH", "/collections/safes/a", { title: "B", code: "other" });
  await send("PUT", "/schemas/safe", {
    properties: { name: { ...text, formerly: ["title"] }, code: { type: "string", field: "password" } },
  });
  const { data } = (await send("GET", "/history/safes/a")).body;
  for (const path of data.flatMap(({ change }: Body) => [`/${change}`, `/${change}?diff=previous`])) {
    const answer = await send("GET", `/history/safes/a${path}`);
    assert.ok(!answer.text.includes("sesame") && !answer.text.includes("other"), answer.text);
  }
  assert.equal((await send("GET", `/history/safes/a/${data[1].change}`)).body.data.name, "A");
});

test("HIS-18 a gap in the revisions ends what can be read, and what is newer stays readable", async () => {
  await create({ id: "seven", title: "A" });
  await patch("seven", { title: "B" });
  await send("PATCH", "/collections/notes/settings", { history: "off" });
  await patch("seven", { title: "C" });
  await send("PATCH", "/collections/notes/settings", { history: "full" });
  await patch("seven", { title: "D" });
  const { data } = await changesOf("seven");
  assert.deepEqual(
    data.map(({ rev }: Body) => rev),
    [4, 2, 1],
  );
  assert.equal((await send("GET", `/history/notes/seven/${data[0].change}`)).body.data.title, "D");
  assert.equal((await send("GET", `/history/notes/seven/${data[1].change}`)).status, 404);
  const lost = await send("GET", `/history/notes/seven/${data[0].change}?diff=previous`);
  assert.deepEqual(lost.body.data, [{ property: "title", label: lost.body.data[0].label, from: "C", to: "D" }]);
});
