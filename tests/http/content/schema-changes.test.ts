// What a change of the schema does to objects that exist.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type Server, startServer } from "../../harness.ts";
import { makeGroup } from "../../matrix/sessions.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";
import { isFull } from "../../support/test-once.ts";

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

const slug = { type: "slug", field: "id" };
const number = { type: "number", field: "number" };

/** Two collections, one of a child that has its own `note`; and a collection of cards in the shape of the schema. */
async function makeFamily(id: string): Promise<void> {
  const body = { type: "string", field: "textarea" };
  await server.makeSchema({ id, ...base, properties: { id: slug, title, note, body } });
  await server.makeSchema({ id: `${id}-child`, ...base, inheritFrom: [id], properties: { note } });
  const card = { type: "card", schemaref: `/schemas/${id}.json` };
  await server.makeSchema({ id: `${id}-box`, ...base, properties: { id: slug, title, card } });
  for (const end of ["", "-child", "-box"]) await server.makeCollection({ id: id + end, schema: id + end });
  const make = (collection: string, objects: object[]) =>
    server.request("POST", `/api/import/collections/${collection}/json`, { body: objects });
  await make(id, [
    { id: "a", title: "A", note: "12", body: "x" },
    { id: "b", title: "B", note: "no number" },
    { id: "c", title: "", note: "3" },
  ]);
  await make(`${id}-child`, [{ id: "d", title: "D", note: "no number", body: "x" }, { id: "e" }]);
  await make(`${id}-box`, [{ id: "f", title: "F", card: { title: "", note: "4", body: "x" } }]);
}

test("ADM-560 the plan of a schema counts values that leave, do not fit or are lacking, and saving does just that", async () => {
  await makeFamily("plan");
  const next = {
    id: "plan",
    required: ["id", "title"],
    index: ["id", "note"],
    properties: { id: slug, title, note: number, extra: title },
  };
  const before = await server.request("GET", "/api/schemas/plan?raw=true");
  const planned = await server.request("POST", "/api/schema-plan", { body: next });
  assert.equal(planned.status, 200, planned.text);
  const { collections, added, removed, renamed, retyped, newlyRequired, index, children, counted } = planned.body.data;
  assert.deepEqual(collections, [
    { id: "plan", objects: 3 },
    { id: "plan-box", objects: 1 },
    { id: "plan-child", objects: 2 },
  ]);
  assert.deepEqual([added, renamed], [["extra"], []]);
  const each = (...counts: number[]) =>
    Object.fromEntries(["plan", "plan-box", "plan-child"].map((id, at) => [id, counts[at]]).filter(([, n]) => n));
  assert.deepEqual(removed, [{ property: "body", filled: 3, collections: each(1, 1, 1) }]);
  // The child keeps its own note.
  assert.deepEqual(retyped, [{ property: "note", from: "string", to: "number", unfit: 1, collections: each(1, 0, 0) }]);
  assert.deepEqual(newlyRequired, [{ property: "title", lacking: 3, collections: each(1, 1, 1) }]);
  assert.deepEqual(index, { added: ["note"], removed: ["title"], objects: 6 });
  assert.deepEqual(children, ["plan-box", "plan-child"]);
  assert.deepEqual([counted.objects, counted.isComplete], [6, true]);
  assert.deepEqual((await server.request("GET", "/api/schemas/plan?raw=true")).body, before.body);

  assert.equal((await server.request("PUT", "/api/schemas/plan", { body: next })).status, 200);
  const stored = ["a", "b", "c"].map((id) => server.request("GET", `/api/collections/plan/${id}`));
  assert.deepEqual(
    (await Promise.all(stored)).map(({ body }) => [body.data.note, body.data.body]),
    [
      [12, undefined],
      [undefined, undefined],
      [3, undefined],
    ],
  );
});

/** Several batches of whatever reads them. */
const count = isFull ? 10_000 : 3_000;

test(`ADM-560 the numbers of a plan on ${count} objects are what the save then does`, async () => {
  const properties = { id: slug, title, note, body: note };
  await server.makeSchema({ id: "many", ...base, properties });
  await server.makeCollection({ id: "many", schema: "many" });
  const rows = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      ...{ id: `n-${n}`, title: n % 4 === 0 ? "" : `T${n}`, note: n % 3 === 0 ? "none" : String(n) },
      ...(n % 5 === 0 && { body: "text" }),
    }),
  );
  const importing = ["collection:import", "many", "-", "--format", "ndjson", "--json"];
  assert.equal((await server.cli(importing, { input: rows.join("\n") })).code, 0);
  const next = {
    ...{ id: "many", required: ["id", "title"], index: ["id", "title", "note"] },
    properties: { id: slug, title, note: number },
  };
  const total = async (query: string) => {
    const answer = await server.request("GET", `/api/collections/many/query?limit=1&${query}`);
    return answer.body.meta.pagination.total as number;
  };
  const filled = await total("filter[body][empty]=false");
  const { data } = (await server.request("POST", "/api/schema-plan", { body: next })).body;
  assert.deepEqual([data.collections, data.hasOthers], [[{ id: "many", objects: count }], false]);
  assert.deepEqual(data.removed, [{ property: "body", filled, collections: { many: filled } }]);
  assert.deepEqual([data.index.added, data.index.objects], [["note"], count]);
  assert.deepEqual([data.counted.objects, data.counted.isComplete], [count, true]);

  assert.equal((await server.request("PUT", "/api/schemas/many", { body: next })).status, 200);
  // However long a busy machine takes for so many.
  for (let state = ""; state !== "ready"; await setTimeout(100))
    state = (await server.request("GET", "/api/collections/many/settings")).body.data.index.state;
  const [unfit, lacking] = [await total("filter[note][empty]=true"), await total("filter[title][empty]=true")];
  assert.deepEqual([data.retyped[0].unfit, data.newlyRequired[0].lacking], [unfit, lacking]);
  assert.deepEqual([filled, unfit, lacking], [count / 5, Math.ceil(count / 3), count / 4]);
});

test("ADM-560 the plan names and counts only collections and schemas that the caller may read", async () => {
  await makeFamily("closed");
  const schemas = { operations: ["read", "update"], all: false, allowed: ["closed", "closed-child"] };
  const collections = { operations: ["read"], all: false, allowed: ["closed-child"] };
  await makeGroup(server, "shapers", { schemas, collections });
  await makeUser(server, "sue", ["shapers"]);
  const sue = await signIn(server, "sue");
  const body = { id: "closed", ...base, properties: { id: slug, title } };
  const { status, body: answer } = await sue.request("POST", "/api/schema-plan", { body });
  assert.equal(status, 200, JSON.stringify(answer));
  const { removed, index, counted, children, ...plan } = answer.data;
  assert.deepEqual([plan.collections, plan.hasOthers], [[{ id: "closed-child", objects: 2 }], true]);
  assert.deepEqual([index.objects, counted.objects, children], [2, 2, ["closed-child"]]);
  assert.deepEqual(removed, [
    { property: "note", filled: 0, collections: {} },
    { property: "body", filled: 1, collections: { "closed-child": 1 } },
  ]);
  // A rename writes all schemas of the family that name the property: each takes the right.
  const rename = (schema: string) =>
    sue.request("POST", `/api/schemas/${schema}/rename`, { body: { from: "title", to: "heading" } });
  assert.equal((await rename("closed-box")).status, 403);
  assert.equal((await rename("closed")).status, 200);
});

test("ADM-561 the plan names what mentions a property that leaves, and refuses what could not be saved", async () => {
  const properties = { id: slug, title, colour: title, note };
  await server.makeSchema({ id: "named", ...base, properties });
  await server.makeCollection({ id: "named", schema: "named", sortBy: "colour" });
  const template = "<p class=colour>\n{{ page.colour }} {{ page.colours }}";
  await server.request("PUT", "/api/templates/pages/named", { body: { template } });
  const { colour: _, ...others } = properties;
  const planned = await server.request("POST", "/api/schema-plan", {
    body: { id: "named", ...base, properties: others },
  });
  assert.deepEqual(planned.body.data.mentions, [
    { property: "colour", kind: "collection", id: "named" },
    { property: "colour", kind: "template", id: "pages/named", line: 2 },
  ]);
  const bad = await server.request("POST", "/api/schema-plan", {
    body: { id: "named", properties: { title: { type: "nonsense" } } },
  });
  assert.equal(bad.status, 400);
  assert.match(bad.text, /"title":\["type must be one of/);
  const fresh = await server.request("POST", "/api/schema-plan", { body: { id: "fresh", properties: { title } } });
  assert.deepEqual([fresh.body.data.added, fresh.body.data.collections], [["id", "title"], []]);
});

test("ADM-562 GET and POST /api/schema-lint find what schema:lint finds, in saved and in unsaved schemas", async () => {
  await server.makeSchema({ id: "linted", ...base, properties: { id: slug, title } });
  const command = await server.cli(["schema:lint", "linted", "--json"]);
  const saved = await server.request("GET", "/api/schema-lint?schema=linted");
  assert.deepEqual(saved.body.data, JSON.parse(command.stdout));
  const unsaved = await server.request("POST", "/api/schema-lint", {
    body: { id: "linted", required: ["gone"], properties: { title: { type: "nonsense" } } },
  });
  const found = unsaved.body.data.map(({ level, property }: Record<string, string>) => `${level} ${property}`);
  assert.ok(found.includes("error title") && found.includes("error gone"), found.join());
  assert.equal((await server.request("GET", "/api/schema-lint?schema=none")).status, 404);
  assert.equal((await server.request("POST", "/api/schema-lint", { body: [] })).status, 400);
});

test("ADM-563 ADM-1006 a renamed property keeps its values, its index, its place in forms, and all that names it in settings", async () => {
  await makeFamily("old");
  const formgrid = "--- note\ntitle note";
  const body = { type: "string", field: "textarea" };
  const parent = { id: "old", required: ["id", "note"], index: ["id", "note"], formgrid };
  const settings = {
    autogen: `\${note}-\${title}`,
    visibility: { watch: "note", operator: "==", value: "x", mode: "hide" },
  };
  const after = { type: "string", settings };
  const properties = { id: slug, title, note, body, after };
  await server.request("PUT", "/api/schemas/old", { body: { ...parent, properties } });
  const tool = { id: "by_note", description: "d", filters: { note: { value: "x" } }, sort: "-note,title" };
  const views = [{ name: "Mine", query: "sort=-note&filter[note][gt]=1&columns=title,note&search=note" }];
  const overrides = { sortBy: "note", properties: { note: { label: "Own" } }, views, url: "/x/{note}/{id}" };
  const mcp = { access: "admin", tools: { by_note: tool } };
  const patched = await server.request("PATCH", "/api/collections/old/settings", { body: { ...overrides, mcp } });
  assert.equal(patched.status, 200, patched.text);

  await makeUser(server, "pia", ["admin"]);
  const pia = await signIn(server, "pia");
  const table = (name: string, query: string) => ({
    ...{ columns: ["title", name], widths: { [name]: 200 }, layout: "table" },
    views: [{ name: "Own", query }],
  });
  const chosen = {
    tables: { old: table("note", "sort=-note&filter[note]=x"), gone: { columns: ["note"] } },
    theme: "dark",
  };
  assert.equal((await pia.request("PUT", "/api/auth/preferences", { body: chosen })).status, 200);

  const renamed = await server.request("POST", "/api/schemas/old/rename", { body: { from: "note", to: "remark" } });
  assert.equal(renamed.status, 200, renamed.text);
  const own = (await pia.request("GET", "/api/auth/preferences")).body.data;
  const query = new URLSearchParams([
    ["sort", "-remark"],
    ["filter[remark]", "x"],
  ]).toString();
  assert.deepEqual(own, { ...chosen, tables: { ...chosen.tables, old: table("remark", query) } });
  const { properties: all, required, index, formgrid: layout } = renamed.body;
  assert.deepEqual(Object.keys(all), ["id", "title", "remark", "body", "after"]);
  assert.deepEqual([required, index, layout], [["id", "remark"], ["id", "remark"], "--- note\ntitle remark"]);
  assert.deepEqual(
    [all.after.settings.autogen, all.after.settings.visibility.watch],
    [`\${remark}-\${title}`, "remark"],
  );
  const found = await server.request("GET", "/api/collections/old?filter[remark]=12");
  assert.deepEqual([found.body.data.length, found.body.data[0].remark, found.body.data[0].note], [1, "12", undefined]);
  assert.equal((await server.request("GET", "/api/collections/old-child/d")).body.data.remark, "no number");
  assert.equal((await server.request("GET", "/api/collections/old-box/f")).body.data.card.remark, "4");
  const kept = (await server.request("GET", "/api/collections/old/settings")).body.data;
  assert.deepEqual(
    [kept.sortBy, kept.properties, kept.url],
    ["remark", { remark: { label: "Own" } }, "/x/{remark}/{id}"],
  );
  const { filters, sort } = kept.mcp.tools.by_note;
  assert.deepEqual([Object.keys(filters), sort], [["remark"], "-remark,title"]);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(kept.views[0].query)), {
    sort: "-remark",
    "filter[remark][gt]": "1",
    columns: "title,remark",
    search: "note",
  });
  assert.equal((await server.cli(["schema:rename", "old", "body", "text"])).code, 0);
  assert.equal((await server.request("GET", "/api/collections/old/a")).body.data.text, "x");
});

test("ADM-563 former names stay with the schema: imports, editors and schemas from before the rename lose nothing", async () => {
  const card = { type: "deck", schemaref: "/schemas/was.json" };
  const was = { id: "was", ...base, properties: { id: slug, title, note } };
  await server.makeSchema(was);
  await server.makeSchema({ id: "was-box", ...base, properties: { id: slug, title, card } });
  for (const id of ["was", "was-box"]) await server.makeCollection({ id, schema: id });
  await server.request("POST", "/api/collections/was", { body: { id: "a", title: "A", note: "kept" } });
  await server.request("POST", "/api/schemas/was/rename", { body: { from: "note", to: "remark" } });

  // Rows from an export before the rename, in cards and items too.
  const rows = [{ id: "b", title: "B", note: "brought" }];
  await server.request("POST", "/api/import/collections/was/json", { body: rows });
  const boxes = [{ id: "c", title: "C", card: [{ id: "i", title: "I", note: "inside" }] }];
  await server.request("POST", "/api/import/collections/was-box/json", { body: boxes });
  assert.equal((await server.request("GET", "/api/collections/was/b")).body.data.remark, "brought");
  assert.equal((await server.request("GET", "/api/collections/was-box/c")).body.data.card[0].remark, "inside");

  // An editor that does not know the former name keeps it.
  const edited = { ...was, properties: { id: slug, title, remark: note } };
  const kept = await server.request("PUT", "/api/schemas/was", { body: edited });
  assert.deepEqual(kept.body.properties.remark.formerly, ["note"]);
  // A schema from before takes the values back, and the plan knows.
  const planned = await server.request("POST", "/api/schema-plan", { body: was });
  const renamed = [{ from: "remark", to: "note", filled: 3, collections: { was: 2, "was-box": 1 } }];
  assert.deepEqual([planned.body.data.renamed, planned.body.data.removed], [renamed, []]);
  const back = await server.request("PUT", "/api/schemas/was", { body: was });
  assert.deepEqual(back.body.properties.note.formerly, ["remark"]);
  assert.equal((await server.request("GET", "/api/collections/was/a")).body.data.note, "kept");
  // A property that takes the old name ends it.
  const both = { ...was, properties: { ...was.properties, remark: note } };
  const ended = await server.request("PUT", "/api/schemas/was", { body: both });
  assert.equal(ended.body.properties.note.formerly, undefined);
  assert.deepEqual((await server.request("GET", "/api/collections/was/a")).body.data.note, "kept");
});

test("ADM-564 names that are taken, inherited, invalid or fixed are refused", async () => {
  await server.makeSchema({ id: "kin", ...base, properties: { id: slug, title, note } });
  await server.makeSchema({ id: "kin-child", ...base, inheritFrom: ["kin"], properties: { own: title } });
  const before = await server.request("GET", "/api/schemas/kin?raw=true");
  const rename = (id: string, body: unknown) => server.request("POST", `/api/schemas/${id}/rename`, { body });
  for (const [id, from, to, named] of [
    ["kin", "title", "note", "to"],
    ["kin", "title", "own", "to"],
    ["kin", "title", "id", "to"],
    ["kin", "title", "0 bad", "0 bad"],
    ["kin", "none", "other", "from"],
    ["kin", "id", "other", "from"],
    ["kin", "title", "draft", "to"],
    ["kin-child", "title", "other", "from"],
    ["kin-child", "own", "title", "to"],
  ] as const) {
    const refused = await rename(id, { from, to });
    assert.deepEqual([refused.status, refused.text.includes(`"${named}":[`)], [400, true], `${from} ${refused.text}`);
  }
  // Written by hand: one name for two.
  const properties = { id: slug, title: { ...title, formerly: ["x"] }, note: { ...note, formerly: ["x"] } };
  const twice = await server.request("PUT", "/api/schemas/kin", { body: { id: "kin", ...base, properties } });
  assert.deepEqual([twice.status, twice.text.includes('"note":["formerly')], [400, true], twice.text);
  assert.equal((await rename("kin", { from: "title" })).status, 400);
  assert.equal((await rename("kin", [])).status, 400);
  assert.equal((await rename("blog", { from: "title", to: "name" })).status, 400);
  assert.equal((await rename("nothing", { from: "title", to: "name" })).status, 404);
  assert.deepEqual((await server.request("GET", "/api/schemas/kin?raw=true")).body, before.body);
});
