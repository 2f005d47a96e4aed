// Data views: what they work out, when they are rebuilt, who may read them, and how they fail.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let editor: Person;
let analyst: Person;
const views = "/api/dataviews";
const titles = `export default async (ctx) =>
  (await ctx.objects.all("news")).map(({ id, title, draft }) => ({ id, title, length: title.length, draft }))`;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 }, views: { maxSize: 20_000 } } });
  await server.makeCollection({ id: "news", schema: "blog" });
  await server.makeCollection({ id: "secret", schema: "blog" });
  const permissions = { collections: { operations: ["create", "read", "update"], allowed: ["dataviews", "news"] } };
  await server.request("PUT", "/api/access-groups/analyst", {
    body: { permissions: { ...permissions, dataviews: true } },
  });
  await makeUser(server, "ed", ["editor"]);
  await makeUser(server, "ana", ["analyst"]);
  editor = await signIn(server, "ed");
  analyst = await signIn(server, "ana");
});
after(() => server.stop());

const make = (id: string, definition: string, more: object = {}) =>
  server.request("POST", "/api/collections/dataviews", { body: { id, name: id, definition, ...more } });
const data = (id: string) => server.request("GET", `${views}/${id}/data`);
const state = async (id: string) => (await server.request("GET", `${views}/${id}`)).body.data;
const post = (id: string, title: string) => server.request("POST", "/api/collections/news", { body: { id, title } });
const jobsOf = async (id: string) =>
  (await server.request("GET", `/api/jobs?kind=view.build&subject=${id}&limit=100`)).body.data as unknown[];

test("VIEW-1 a view stores the result of its definition, built when it is first read", async () => {
  await post("stones", "Stones");
  const made = await make("titles", titles, { dependencies: ["news"] });
  assert.equal(made.status, 201, made.text);
  const read = await data("titles");
  assert.equal(read.status, 200, read.text);
  assert.deepEqual(read.body, [{ id: "stones", title: "Stones", length: 6, draft: false }]);
  const { lastBuilt, lastError, dependencies } = await state("titles");
  assert.ok(Date.parse(lastBuilt) > Date.now() - 60_000);
  assert.deepEqual([lastError, dependencies], [null, ["news"]]);
  const etag = read.headers.get("etag") ?? "";
  assert.equal(
    (await server.request("GET", `${views}/titles/data`, { headers: { "if-none-match": etag } })).status,
    304,
  );
  assert.equal((await data("none")).status, 404);
});

test("VIEW-2 a write to a dependency rebuilds it, once for many writes, and the object is not touched", async () => {
  const before = (await server.request("GET", "/api/collections/dataviews/titles")).body.data;
  await until(
    () => state("titles"),
    ({ lastBuilt }) => Date.parse(lastBuilt) > 0,
  );
  await sleep(700);
  const jobs = (await jobsOf("titles")).length;
  const started = Date.now();
  await Promise.all(Array.from({ length: 40 }, (_, at) => post(`many-${at}`, `Many ${at}`)));
  const read = await until(
    () => data("titles"),
    ({ body }) => body.length === 41,
  );
  assert.equal(read.status, 200);
  // One build for each half second of writing, however slow the machine is.
  const most = 2 + Math.ceil((Date.now() - started) / 500);
  assert.ok((await jobsOf("titles")).length - jobs <= most, "a burst of writes was built together");
  assert.deepEqual((await server.request("GET", "/api/collections/dataviews/titles")).body.data, before);
  await server.request("DELETE", "/api/collections/news/many-0");
  await until(
    () => data("titles"),
    ({ body }) => body.length === 40,
  );
  const rows = Array.from({ length: 5 }, (_, at) => ({ id: `imported-${at}`, title: "I" }));
  await server.request("POST", "/api/import/collections/news/json", { body: rows });
  await until(
    () => data("titles"),
    ({ body }) => body.length === 45,
  );
  const objects = rows.map(({ id, title }) => ({ collection: "news", id: `jumpstart-${id}`, data: { title } }));
  await server.request("POST", "/api/import/jumpstart", { body: { version: "1.0.0", objects } });
  await until(
    () => data("titles"),
    ({ body }) => body.length === 50,
  );
});

test("VIEW-2 a view follows the views it depends on, and circles come to rest", async () => {
  const count = `export default async (ctx) => ({ count: (await ctx.views.get("titles")).length })`;
  await make("count", count, { dependencies: ["titles"] });
  await make("round", `export default async (ctx) => ({ n: Math.random() })`, { dependencies: ["count", "round"] });
  await until(
    () => data("count"),
    ({ body }) => body.count === 50,
  );
  await post("one-more", "One more");
  await until(
    () => data("count"),
    ({ body }) => body.count === 51,
  );
  // As many as before for longer than a circle takes.
  await until(async () => {
    const jobs = (await jobsOf("round")).length;
    await sleep(1_500);
    return (await jobsOf("round")).length === jobs;
  });
});

test("VIEW-3 VIEW-18 a failing build keeps the last good result and reports the reason", async () => {
  const good = await make("fragile", "export default () => [{ id: 'a' }]");
  assert.equal(good.status, 201);
  await data("fragile");
  const { lastBuilt } = await state("fragile");
  for (const [definition, told] of [
    ["export default () => { throw new Error('broken') }", /broken/],
    ["export default () => 5", /list or an object/],
    ["export default () => ({ x: 'y'.repeat(30000) })", /larger than 20000 bytes/],
    ["export default () => { for (;;) ; }", /longer than 2 seconds/],
    ["export default (ctx) => ctx.objects.create('news', {})", /not a function|no function/],
  ] as const) {
    const isEndless = definition.includes("for (;;)");
    if (isEndless) await server.request("PUT", "/api/settings/views", { body: { timeLimit: 2 } });
    await server.request("PATCH", "/api/collections/dataviews/fragile", { body: { definition } });
    // A build that began earlier may end in between: then it is built again.
    const rebuilt = await until(
      () => server.request("POST", `${views}/fragile/rebuild`),
      ({ body }) => told.test(body.data.lastError ?? ""),
    );
    if (isEndless) await server.request("PUT", "/api/settings/views", { body: { timeLimit: null } });
    assert.equal(rebuilt.status, 200, rebuilt.text);
    assert.ok(rebuilt.body.data.lastBuilt >= lastBuilt);
    assert.deepEqual((await data("fragile")).body, [{ id: "a" }]);
  }
  await server.request("PATCH", "/api/collections/dataviews/fragile", {
    body: { definition: "export default () => []" },
  });
  await until(
    () => data("fragile"),
    ({ body }) => body.length === 0,
  );
  await becomes(async () => (await state("fragile")).lastError, null);
  const hopeless = await make("hopeless", "export default () => { throw new Error('inside') }");
  assert.equal(hopeless.status, 201);
  const read = await data("hopeless");
  assert.equal(read.status, 503);
  assert.equal(read.text.includes("inside"), false);
});

test("VIEW-19 a definition that is not a module is refused when it is saved", async () => {
  const bad = await make("bad", "export default (ctx => {");
  assert.equal(bad.status, 400);
  assert.ok(bad.body.error.details.definition);
});

test("VIEW-4 a view reads, and never users or automations", async () => {
  for (const collection of ["auth", "automations"]) {
    await make(`peek-${collection}`, `export default (ctx) => ctx.objects.all("${collection}")`);
    await server.request("POST", `${views}/peek-${collection}/rebuild`);
    assert.match((await state(`peek-${collection}`)).lastError, /cannot read the collection/);
  }
  const reach = `export default (ctx) => ({ keys: Object.keys(ctx.objects), more: Object.keys(ctx), process: typeof process })`;
  const { body } = await server.request("POST", `${views}/test`, { body: { definition: reach } });
  assert.deepEqual(body.data.keys.sort(), ["all", "get", "list", "query", "search"]);
  assert.equal(body.data.more.includes("fetch") || body.data.more.includes("mail"), false);
  assert.equal(body.data.process, "undefined");
});

test("VIEW-5 a test stores nothing and reads with the rights of its caller", async () => {
  const definition = `export default async (ctx) => { ctx.log("seen"); return ctx.objects.all("secret") }`;
  const full = await server.request("POST", `${views}/test`, { body: { definition } });
  assert.deepEqual([full.status, full.body.success, full.body.data], [200, true, []]);
  assert.deepEqual(full.body.logs, ["seen"]);
  const limited = await analyst.request("POST", `${views}/test`, { body: { definition } });
  assert.deepEqual([limited.status, limited.body.success], [200, false]);
  assert.match(limited.body.error, /Access denied/);
  const empty = await server.request("POST", `${views}/test`, { body: { definition: " " } });
  assert.equal(empty.status, 400);
  const { key } = (
    await server.request("POST", "/api/apikeys", {
      body: { name: "views", methods: ["GET", "POST"], endpoints: ["/dataviews"] },
    })
  ).body.data;
  assert.equal((await server.request("POST", `${views}/test`, { key, body: { definition } })).status, 401);
  assert.equal((await server.request("GET", `${views}/titles/data`, { key })).status, 200);
});

test("VIEW-6 the rows of a view are queried like a collection", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ id: `r${at}`, n: at, name: at % 2 ? "Äpfel" : "Birnen" }));
  await make("rows", `export default () => ${JSON.stringify(rows)}`);
  const query = (params: string) => server.request("GET", `${views}/rows/query?${params}`);
  const page = await query("include=n:gte:10&exclude=name:birnen&sort=-n&limit=3&offset=1");
  assert.deepEqual(
    page.body.data.map(({ n }: { n: number }) => n),
    [27, 25, 23],
  );
  const pagination = { total: 10, count: 3, per_page: 3, current_page: 1, total_pages: 4 };
  assert.deepEqual(page.body.meta, { pagination });
  assert.equal(page.headers.get("x-total-count"), "10");
  assert.equal((await query("search=apfel&limit=100")).body.data.length, 15);
  const csv = await query("format=csv&limit=1&include=name");
  assert.equal(csv.text.trim(), "id,name\r\nr0,Birnen".replace("\r\n", csv.text.includes("\r\n") ? "\r\n" : "\n"));
  for (const bad of ["limit=0", "sort=a:up", "format=xml"]) assert.equal((await query(bad)).status, 400, bad);
  assert.equal((await server.request("GET", `${views}/count/query`)).status, 400);
});

test("VIEW-7 reading asks for the right to read the view, building for the right to change it", async () => {
  assert.equal((await server.request("GET", `${views}/titles/data`, { key: null })).status, 401);
  assert.equal((await editor.request("GET", `${views}/titles/data`)).status, 403);
  assert.equal((await analyst.request("GET", `${views}/titles/data`)).status, 200);
  assert.equal((await analyst.request("POST", `${views}/titles/rebuild`)).status, 200);
  assert.equal((await editor.request("POST", `${views}/titles/rebuild`)).status, 403);
  await server.request("PATCH", "/api/collections/dataviews/settings", { body: { publicOperations: ["read"] } });
  assert.equal((await server.request("GET", `${views}/titles/data`, { key: null })).status, 200);
  assert.equal((await server.request("POST", `${views}/titles/rebuild`, { key: null })).status, 401);
  await make("telling", "export default () => { throw new Error('the price of Ada') }");
  await server.request("POST", `${views}/telling/rebuild`);
  assert.match((await state("telling")).lastError, /the price of Ada/);
  for (const path of [views, `${views}/telling`]) {
    const { status, text } = await server.request("GET", path, { key: null });
    assert.deepEqual([status, text.includes("Ada")], [200, false], path);
  }
  await server.request("PATCH", "/api/collections/dataviews/settings", { body: { publicOperations: [] } });
});

test("VIEW-8 a deleted view is gone with its result, and a new one of the same id starts empty", async () => {
  await make("gone", "export default () => [1]");
  assert.deepEqual((await data("gone")).body, [1]);
  await server.request("DELETE", "/api/collections/dataviews/gone");
  assert.equal((await data("gone")).status, 404);
  await make("gone", "export default () => [2]");
  assert.deepEqual((await data("gone")).body, [2]);
});

test("VIEW-9 below Pro views are closed", async () => {
  await server.setSetting("edition", "standard");
  const answer = await analyst.request("GET", `${views}/titles/data`);
  assert.equal(answer.status, 403);
  assert.match(answer.body.error.message, /Pro edition/);
  await server.cli(["settings:set", "edition", "pro"]);
});

test("VIEW-10 changes while no server ran are built at the next start", async () => {
  await server.terminate();
  const created = await server.cli(["object:create", "news", "--data-json", '{"id":"offline","title":"Offline"}']);
  assert.equal(created.code, 0, created.stderr);
  await server.restart();
  const has = (rows: { id: string }[]) => rows.some(({ id }) => id === "offline");
  await until(
    () => data("titles"),
    ({ body }) => has(body),
  );
});

test("FIL-22 FIL-28 definitions read by groups of conditions, and a misspelt parameter is an error", async () => {
  const posts = [
    { id: "g1", title: "Chalk", draft: true },
    { id: "g2", title: "Flint" },
    { id: "g3", title: "Slate" },
  ];
  for (const body of posts) await server.request("POST", "/api/collections/news", { body });
  const run = async (call: string) => {
    const definition = `export default async (ctx) => { const found = await ctx.objects.${call};
      return (found.data ?? found).map(({ id }) => id).filter((id) => id.startsWith("g")).sort(); }`;
    return (await server.request("POST", "/api/dataviews/test", { body: { definition } })).text;
  };
  const filter = `filter: { or: [{ title: "flint" }, { draft: true }], not: { title: "slate" } }`;
  for (const reader of ["all", "list", "query"])
    assert.match(await run(`${reader}("news", { ${filter} })`), /\["g1","g2"\]/);
  assert.match(await run(`all("news", { search: "slate", exclude: "draft:true" })`), /\["g3"\]/);
  assert.match(
    await run(`all("news", { fliter: {} })`),
    /objects\.all has no parameter .*fliter.*Did you mean .*filter/,
  );
  assert.match(await run(`list("news", { include: "draft:true" })`), /objects\.list has no parameter .*include/);
  assert.match(
    await run(`query("news", { where: 1 })`),
    /objects\.query has no parameter .*where.* It takes filter, search,/,
  );
  for (const { id } of posts) await server.request("DELETE", `/api/collections/news/${id}`);
});
