// Undo by writer, over HTTP: what a key, a user or an import wrote, taken back with a preview.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { asKey } from "../../mcp/tool-caller.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

type Doc = Record<string, unknown>;
type Asker = Pick<Server, "request">;
interface Writer {
  id: string;
  request: Server["request"];
}

const names = ["a", "b", "c"];
let server: Server;
let editor: Person;
let other: Person;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "note",
    properties: {
      a: text,
      b: text,
      c: text,
      n: { type: "number", field: "number" },
      draft: { type: "boolean", field: "toggle" },
    },
    index: ["id", "a"],
  });
  for (const id of ["ed", "ot"]) await makeUser(server, id, ["editor"]);
  [editor, other] = [await signIn(server, "ed"), await signIn(server, "ot")];
});
after(() => server.stop());

async function makeNotes(id: string, history: unknown = "full"): Promise<void> {
  assert.equal((await server.makeCollection({ id, schema: "note", history })).status, 201);
}

async function makeWriter(): Promise<Writer> {
  const { id, key } = await server.makeKey();
  return { id, request: (method, path, options) => server.request(method, path, { ...options, key }) };
}

const at = (collection: string, id = "") => `/api/collections/${collection}${id && `/${id}`}`;
const patch = (who: Asker, collection: string, id: string, body: Doc) =>
  who.request("PATCH", at(collection, id), { body });
const add = (who: Asker, collection: string, body: Doc) => who.request("POST", at(collection), { body });
const find = async (collection: string, id: string): Promise<Doc | undefined> => {
  const { status, body } = await server.request("GET", at(collection, id));
  return status === 404 ? undefined : body.data;
};
const ask = (body: Doc, who: Asker = server): Promise<Answer> => who.request("POST", "/api/undo", { body });

/** Applies it and waits for its end. */
async function finish(answer: Answer, who: Asker = server): Promise<Doc> {
  assert.equal(answer.status, 202, answer.text);
  const { job } = answer.body.data;
  const { body } = await until(
    () => who.request("GET", `/api/jobs/${job}`),
    (got) => ["succeeded", "failed"].includes(got.body.data?.status),
  );
  assert.equal(body.data.status, "succeeded", body.data.error);
  return body.data.result;
}

async function undoAll(body: Doc, who: Asker = server): Promise<{ preview: Doc; result: Doc }> {
  const preview = await ask(body, who);
  assert.equal(preview.status, 200, preview.text);
  const result = await finish(await ask({ ...body, apply: preview.body.data.plan }, who), who);
  return { preview: preview.body.data, result };
}

test("UND-2 what others wrote after or between stays; the rest goes back, as the preview says", async () => {
  await makeNotes("between");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  await add(good, "between", { id: "x", a: "a0", b: "b0", c: "c0" });
  await patch(bad, "between", "x", { a: "bad1", b: "bad1", c: "bad1" });
  await patch(good, "between", "x", { a: "mine", b: "good" });
  await patch(bad, "between", "x", { b: "bad2", c: "bad2" });
  const { preview, result } = await undoAll({ by: { key: bad.id } });
  const [item] = (preview as { items: Doc[] }).items;
  assert.deepEqual(
    { ...item, properties: undefined },
    { collection: "between", id: "x", action: "revert", properties: undefined },
  );
  const properties = (item as { properties: Doc[] }).properties.map(({ name, from, to, status }) => [
    name,
    from,
    to,
    status,
  ]);
  assert.deepEqual(properties, [
    ["a", "mine", "mine", "superseded"],
    ["b", "bad2", "good", "clean"],
    ["c", "bad2", "c0", "clean"],
  ]);
  const by = (item as { properties: { by?: { key?: { id: string } } }[] }).properties[0]?.by;
  assert.equal(by?.key?.id, good.id);
  assert.equal(result.reverted, 1);
  const now = await find("between", "x");
  assert.deepEqual([now?.a, now?.b, now?.c], ["mine", "good", "c0"]);
});

test("COL-18 the undo of a deletion moves the total and not the count", async () => {
  await makeNotes("counted");
  const bad = await makeWriter();
  await add(server, "counted", { id: "old", a: "kept" });
  await bad.request("DELETE", at("counted", "old"));
  await undoAll({ by: { key: bad.id } });
  const { count, totalObjects } = (await server.request("GET", "/api/collections/counted/settings")).body.data;
  assert.deepEqual([count, totalObjects], [1, 1]);
});

test("UND-3 what was made is deleted, what was deleted comes back with its number, and an undo can be undone", async () => {
  await makeNotes("rows");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  await add(good, "rows", { id: "old", a: "kept" });
  const tag = (await server.request("GET", at("rows", "old"))).headers.get("etag");
  await patch(bad, "rows", "old", { a: "bad" });
  await bad.request("DELETE", at("rows", "old"));
  await add(bad, "rows", { id: "old", a: "false" });
  await add(bad, "rows", { id: "made", a: "x" });
  await add(bad, "rows", { id: "edited", a: "x" });
  await patch(good, "rows", "edited", { b: "mine" });
  const { preview, result } = await undoAll({ by: { key: bad.id } });
  const { summary, items } = preview as { summary: Doc; items: { id: string; action: string; conflict?: string }[] };
  assert.deepEqual(
    items.map(({ id, action, conflict }) => [id, action, conflict]),
    [
      ["edited", "keep", "edited"],
      ["made", "delete", undefined],
      ["old", "delete", undefined],
      ["old", "restore", undefined],
    ],
  );
  assert.deepEqual([summary.deleted, summary.restored, summary.conflicts], [2, 1, 1]);
  assert.deepEqual([result.deleted, result.restored, result.failed], [2, 1, []]);
  assert.equal((await find("rows", "old"))?.a, "kept");
  const back = (await server.request("GET", at("rows", "old"))).headers.get("etag");
  assert.equal(back?.split("-")[0], tag?.split("-")[0]);
  assert.notEqual(back, tag);
  assert.equal(await find("rows", "made"), undefined);
  assert.equal((await find("rows", "edited"))?.b, "mine");
  await undoAll({ by: { writer: result.writer } });
  assert.equal((await find("rows", "old"))?.a, "false");
  assert.equal((await find("rows", "made"))?.a, "x");
});

test("UND-14 one that is refused when it is written is named, and those that were written with it are undone", async () => {
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "place",
    properties: { code: { ...text, unique: true }, a: text },
    index: ["id", "code"],
  });
  await server.makeCollection({ id: "places", schema: "place", history: "full" });
  const [bad, good] = [await makeWriter(), await makeWriter()];
  for (const n of [1, 2, 3, 4]) await add(good, "places", { id: `p${n}`, code: `c${n}`, a: "old" });
  await patch(bad, "places", "p2", { code: "moved" });
  for (const n of [1, 3]) await patch(bad, "places", `p${n}`, { a: "bad" });
  await bad.request("DELETE", at("places", "p4"));
  await add(bad, "places", { id: "p5", code: "c5" });
  await add(good, "places", { id: "p6", code: "c2" });
  const { result } = await undoAll({ by: { key: bad.id } });
  const { reverted, deleted, restored, failed } = result as Doc & { failed: { id: string }[] };
  assert.deepEqual([reverted, deleted, restored, failed.map(({ id }) => id)], [2, 1, 1, ["p2"]]);
  assert.equal((await find("places", "p2"))?.code, "moved");
  for (const id of ["p1", "p3", "p4"]) assert.equal((await find("places", id))?.a, "old", id);
  assert.equal(await find("places", "p5"), undefined);
  const settings = await server.request("GET", "/api/collections/places/settings");
  assert.equal(settings.body.data.totalObjects, 5);
});

test("UND-4 an object that others have edited is deleted only when the caller forces it", async () => {
  await makeNotes("forced");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  for (const id of ["one", "two"]) await add(bad, "forced", { id, a: "x" });
  for (const id of ["one", "two"]) await patch(good, "forced", id, { a: "mine" });
  const by = { key: bad.id };
  const { plan } = (await ask({ by })).body.data;
  await finish(await ask({ by, apply: plan, force: ["forced/one"] }));
  assert.equal(await find("forced", "one"), undefined);
  assert.equal((await find("forced", "two"))?.a, "mine");
});

test("UND-5 when the content has moved since the preview nothing is undone: 412 names the new plan", async () => {
  await makeNotes("moved");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  await add(good, "moved", { id: "x", a: "a0" });
  await patch(bad, "moved", "x", { a: "bad" });
  const by = { key: bad.id };
  const { plan } = (await ask({ by })).body.data;
  await patch(good, "moved", "x", { b: "new" });
  const refused = await ask({ by, apply: plan });
  assert.equal(refused.status, 412);
  const [next] = refused.body.error.details.plan;
  assert.notEqual(next, plan);
  assert.equal((await find("moved", "x"))?.a, "bad");
  await finish(await ask({ by, apply: next }));
  assert.deepEqual([(await find("moved", "x"))?.a, (await find("moved", "x"))?.b], ["a0", "new"]);
});

test("UND-6 times and collections narrow an undo, and an import is undone by its job", async () => {
  for (const id of ["here", "there"]) await makeNotes(id);
  const bad = await makeWriter();
  for (const id of ["here", "there"]) await add(bad, id, { id: "x", a: "x" });
  const by = { key: bad.id };
  const count = async (more: Doc) => (await ask({ by, ...more })).body.data.summary.objects;
  assert.deepEqual(
    [await count({}), await count({ collections: ["here"] }), await count({ since: "2999-01-01" })],
    [2, 1, 0],
  );
  assert.deepEqual([await count({ until: "2001-01-01" }), await count({ since: "P1D" })], [0, 2]);
  const body = [
    { id: "i1", a: "1" },
    { id: "i2", a: "2" },
  ];
  assert.equal((await server.request("POST", "/api/import/collections/here/json", { body })).status, 200);
  const { data: jobs } = (await server.request("GET", "/api/jobs?kind=import&limit=1")).body;
  await undoAll({ by: { import: jobs[0].id } });
  assert.equal(await find("here", "i1"), undefined);
  assert.equal((await find("here", "x"))?.a, "x");
});

test("UND-7 what does not fit the schema any more, or is not kept, is a conflict and stays", async () => {
  await server.makeSchema({
    id: "strict",
    properties: { a: { type: "string", field: "text" }, n: { type: "number", field: "number" } },
  });
  assert.equal((await server.makeCollection({ id: "strict", schema: "strict", history: "full" })).status, 201);
  await makeNotes("trail", "trail");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  await add(good, "strict", { id: "x", n: 50 });
  await patch(bad, "strict", "x", { n: 5 });
  await add(good, "trail", { id: "x", a: "a0" });
  await patch(bad, "trail", "x", { a: "bad" });
  await add(good, "trail", { id: "y", a: "a0" });
  await bad.request("DELETE", at("trail", "y"));
  const changed = {
    id: "strict",
    properties: { a: { type: "string", field: "text" }, n: { type: "number", field: "number", maximum: 10 } },
  };
  assert.equal((await server.request("PUT", "/api/schemas/strict", { body: changed })).status, 200);
  const { preview } = await undoAll({ by: { key: bad.id } });
  const { items, summary } = preview as { summary: Doc; items: Doc[] };
  assert.deepEqual(
    items.map(({ collection, id, action, conflict }) => [collection, id, action, conflict]),
    [
      ["strict", "x", "keep", "invalid"],
      ["trail", "y", "keep", "lost"],
      ["trail", "x", "keep", undefined],
    ],
  );
  assert.ok((items[0] as { details: Doc }).details.n);
  assert.deepEqual([summary.lost, summary.conflicts], [2, 2]);
  assert.equal((await find("strict", "x"))?.n, 5);
});

test("UND-8 users undo their own writes by the rights that they have now, and nobody else's", async () => {
  await makeNotes("own");
  await add(server, "own", { id: "x", a: "a0", b: "b0" });
  await patch(editor, "own", "x", { a: "ed" });
  await patch(other, "own", "x", { b: "ot" });
  assert.equal((await ask({ by: { user: "ot" } }, editor)).status, 403);
  assert.equal(
    (
      await ask(
        { by: { user: "ed" } },
        { request: (method, path, options) => server.request(method, path, { ...options, key: null }) },
      )
    ).status,
    401,
  );
  await undoAll({ by: { user: "ed" }, collections: ["own"] }, editor);
  const now = await find("own", "x");
  assert.deepEqual([now?.a, now?.b], ["a0", "ot"]);
  // Writers of others are passed over.
  const foreign = (await ask({ by: { user: "ot" }, collections: ["own"] })).body.data;
  const writer = foreign.items[0];
  assert.equal(writer.properties[0].name, "b");
  const bad = await makeWriter();
  await patch(bad, "own", "x", { c: "key" });
  assert.equal((await ask({ by: { key: bad.id } }, editor)).body.data.summary.objects, 0);
});

test("UND-9 requests that say nothing clear are refused with the name of the property", async () => {
  const bodies: [Doc | unknown[], string | undefined][] = [
    [[], undefined],
    [{}, "by"],
    [{ by: "x" }, "by"],
    [{ by: { grant: "a", key: "b" } }, "by"],
    [{ by: { nobody: "a" } }, "by"],
    [{ by: { grant: "" } }, "by"],
    [{ by: { writer: "x" } }, "by"],
    [{ by: { key: "x" }, since: "soon" }, "since"],
    [{ by: { key: "x" }, until: 5 }, "until"],
    [{ by: { key: "x" }, collections: "news" }, "collections"],
    [{ by: { key: "x" }, limit: -1 }, "limit"],
    [{ by: { key: "x" }, apply: 7 }, "apply"],
    [{ by: { key: "x" }, force: [1] }, "force"],
  ];
  for (const [body, name] of bodies) {
    const { status, body: answer, text } = await ask(body as Doc);
    assert.equal(status, 400, text);
    if (name) assert.ok(answer.error.details[name], text);
  }
});

/** What one object went through, as the test saw it. */
interface Life {
  id: string;
  isThere: boolean;
  doc: Doc;
  log: { by: Writer; what: "made" | "deleted" | "changed"; name?: string; before?: unknown }[];
}

/** A second opinion about the rule: what shall be of this object when everything of `bad` is undone. */
function expectedOf({ isThere, doc, log }: Life, bad: Writer): { isThere: boolean; doc: Doc } {
  const isOwn = log.every(({ by }) => by === bad);
  const isMade = log[0]?.by === bad;
  if (isThere && isMade && isOwn) return { isThere: false, doc };
  if (!isThere && (log.at(-1)?.by !== bad || isOwn)) return { isThere, doc };
  const result = { ...doc };
  for (const name of names) {
    const changes = log.filter((change) => change.name === name);
    let from = changes.length;
    while (from > 0 && changes[from - 1]?.by === bad) from -= 1;
    const reachesCreation = from === 0 && isMade && isThere;
    if (from < changes.length && !reachesCreation) result[name] = changes[from]?.before;
  }
  return { isThere: true, doc: result };
}

test("UND-10 against a model with interleaved writers exactly the clean properties return, and undo of undo is the state before", async () => {
  await makeNotes("model");
  const writers = [await makeWriter(), await makeWriter(), await makeWriter()];
  const [bad] = writers as [Writer];
  let seed = 20_261_117;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const lives = new Map<string, Life>();
  for (let step = 0; step < 160; step += 1) {
    const by = writers[random(3)] as Writer;
    const id = `o${random(14)}`;
    const life = lives.get(id);
    if (!life) {
      const { body, status } = await add(by, "model", { id, a: `a${step}`, b: `b${step}`, c: `c${step}` });
      assert.equal(status, 201);
      lives.set(id, { id, isThere: true, doc: body.data, log: [{ by, what: "made" }] });
    } else if (life.isThere && random(12) === 0) {
      assert.equal((await by.request("DELETE", at("model", id))).status, 204);
      life.isThere = false;
      life.log.push({ by, what: "deleted" });
    } else if (life.isThere) {
      const sent = Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, `${name}${step}`]));
      const { body } = await patch(by, "model", id, sent);
      for (const name of Object.keys(sent)) life.log.push({ by, what: "changed", name, before: life.doc[name] });
      life.doc = body.data;
    }
  }
  const shown = (doc: Doc | undefined) => doc && Object.fromEntries(names.map((name) => [name, doc[name]]));
  const state = async () => {
    const all: Record<string, unknown> = {};
    for (const id of lives.keys()) all[id] = shown(await find("model", id));
    return all;
  };
  const before = await state();
  const { preview, result } = await undoAll({ by: { key: bad.id }, limit: 100 });
  const expected: Record<string, unknown> = {};
  for (const [id, life] of lives) {
    const { isThere, doc } = expectedOf(life, bad);
    expected[id] = isThere ? shown(doc) : undefined;
  }
  const undone = await state();
  assert.deepEqual(undone, expected);
  assert.notDeepEqual(undone, before);
  const { summary, items } = preview as { summary: Doc; items: { id: string; action: string; properties: Doc[] }[] };
  assert.deepEqual(
    [result.reverted, result.deleted, result.restored, result.failed],
    [summary.reverted, summary.deleted, summary.restored, []],
  );
  for (const { id, properties } of items)
    for (const { name, to, status } of properties)
      if (status === "clean") assert.equal((undone[id] as Doc)[name as string], to);
  await undoAll({ by: { writer: result.writer }, limit: 100 });
  assert.deepEqual(await state(), before);
});

test("UND-11 the command line shows the preview, and applies it", async () => {
  await makeNotes("line");
  const [bad, good] = [await makeWriter(), await makeWriter()];
  await add(good, "line", { id: "x", a: "a0" });
  await patch(bad, "line", "x", { a: "bad" });
  const preview = await server.cli(["undo", "--key", bad.id]);
  assert.match(preview.stdout, /line\/x\s+revert\s+a/);
  assert.equal((await find("line", "x"))?.a, "bad");
  const { stdout, stderr } = await server.cli(["undo", "--key", bad.id, "--apply", "--json"]);
  assert.equal(JSON.parse(stdout).reverted, 1, stderr);
  assert.equal((await find("line", "x"))?.a, "a0");
  assert.equal((await server.cli(["undo"])).code, 2);
});

test("UND-13 an agent takes back its own writes and no others", async () => {
  await makeNotes("agents");
  const [agent, good] = [await asKey(server), await makeWriter()];
  await add(good, "agents", { id: "x", a: "a0", b: "b0" });
  await agent.ask("patch_object", { collection: "agents", id: "x", data: { a: "agent" } });
  await patch(good, "agents", "x", { b: "good" });
  const { plan, items } = await agent.ask("undo_my_changes", { collections: ["agents"] });
  assert.deepEqual(items, [{ collection: "agents", id: "x", action: "revert" }]);
  await agent.ask("undo_my_changes", { collections: ["agents"], apply: plan });
  const now = await until(
    () => find("agents", "x"),
    (doc) => doc?.a === "a0",
  );
  assert.equal(now?.b, "good");
});
