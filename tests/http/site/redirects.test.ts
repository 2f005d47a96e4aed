// Redirects of the website: managed, imported, made by moves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import type { Redirect } from "#contract/redirects.ts";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
const redirects = "/api/site/redirects";

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  const properties = { title: text, category: text, draft: { type: "boolean", field: "toggle" } };
  await server.makeSchema({ id: "story", properties, required: ["id"], index: ["id", "category"] });
  await server.makeCollection({ id: "news", schema: "story", url: "/news/{category}/{id}" });
  await server.makeCollection({ id: "posts", schema: "story", url: "/posts", prettyUrl: true });
});
after(() => server.stop());

const post = (path: string, body: unknown) => server.request("POST", path, { body });
async function list(search: string): Promise<Redirect[]> {
  const { status, body: json } = await server.request("GET", `${redirects}?search=${encodeURIComponent(search)}`);
  assert.equal(status, 200);
  return (json as { data: Redirect[] }).data;
}
const pairs = async (search: string) =>
  (await list(search)).map(({ source, target, status }) => [source, target, status]);
const detailsOf = (json: unknown) => (json as { error: { details: Record<string, string[]> } }).error.details;

test("RED-1 redirects are made, listed in pages, replaced and deleted", async () => {
  const made = await post(redirects, { source: "/one/", target: "/two", status: 302 });
  assert.equal(made.status, 201, made.text);
  const { data } = made.body as { data: Redirect };
  const { id, created, updated, ...rest } = data;
  assert.deepEqual(rest, { source: "/one", target: "/two", status: 302, origin: "manual", hits: 0, last: null });
  await post(redirects, { source: "/one/b", target: "https://example.com/" });
  const first = await server.request("GET", `${redirects}?search=/one&limit=1`);
  assert.equal(first.headers.get("x-total-count"), "2");
  const cursor = first.headers.get("x-next-cursor");
  const second = await server.request("GET", `${redirects}?search=/one&limit=1&cursor=${cursor}`);
  assert.deepEqual(
    (second.body as { data: Redirect[] }).data.map(({ source }) => source),
    ["/one/b"],
  );
  assert.equal(second.headers.get("x-next-cursor"), null);
  const replaced = await server.request("PUT", `${redirects}/${id}`, {
    body: { ...data, source: "/eins", status: 410, target: "" },
  });
  assert.equal(replaced.status, 200, replaced.text);
  assert.deepEqual(await pairs("/eins"), [["/eins", "", 410]]);
  assert.deepEqual(await pairs("/one"), [["/one/b", "https://example.com/", 301]]);
  assert.equal((await server.request("DELETE", `${redirects}/${id}`)).status, 204);
  assert.equal((await server.request("DELETE", `${redirects}/${id}`)).status, 404);
});

test("RED-1 wrong redirects are refused by property", async () => {
  await post(redirects, { source: "/taken", target: "/x" });
  for (const [body, property] of [
    [{ source: "taken", target: "/x" }, "source"],
    [{ source: "/taken", target: "/y" }, "source"],
    [{ source: "/a", target: "//evil.example" }, "target"],
    [{ source: "/a", target: "/\\evil.example" }, "target"],
    [{ source: "/a", target: "javascript:alert(1)" }, "target"],
    [{ source: "/x", target: "/taken" }, "target"],
    [{ source: "/a", target: "/b", status: 303 }, "status"],
    [{ source: 1, target: "/b" }, "source"],
    [{ source: "/a", target: "/b", more: 1 }, "more"],
  ] as const) {
    const { status, body: json } = await post(redirects, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(detailsOf(json)), [property]);
  }
  for (const body of [[], "text", null]) assert.equal((await post(redirects, body)).status, 400);
  assert.equal((await server.request("GET", `${redirects}?cursor=%00`)).status, 400);
});

test("RED-7 an import reads CSV and the _redirects form, and reports wrong lines", async () => {
  const csv = 'source,target,status\n/i/a,/i/b,302\n"/i/c",https://example.com/x,\n/i/gone,,410\n';
  const asCsv = { raw: csv, headers: { "content-type": "text/csv" } };
  const tried = await server.request("POST", `${redirects}/import?dryRun=true`, asCsv);
  assert.deepEqual((tried.body as { data: unknown }).data, {
    created: 3,
    updated: 0,
    unchanged: 0,
    isDryRun: true,
    errors: [],
  });
  assert.deepEqual(await list("/i/"), []);
  assert.equal((await server.request("POST", `${redirects}/import`, asCsv)).status, 200);
  assert.equal((await list("/i/")).length, 3);
  const text = "# moved\n/i/a /i/z 301!\n/i/old/* /i/new/:splat\nwrong /x\n/i/q //evil.example\n/i/z /i/a\n";
  const refused = await post(`${redirects}/import`, { text });
  assert.equal(refused.status, 400, refused.text);
  assert.deepEqual(Object.keys(detailsOf(refused.body)), ["line 4", "line 5", "line 6"]);
  assert.deepEqual((await pairs("/i/a"))[0], ["/i/a", "/i/b", 302]);
  const partly = await post(`${redirects}/import?skipErrors=true`, { text });
  const { errors, ...counts } = (partly.body as { data: { errors: { line: number }[] } }).data;
  assert.deepEqual(counts, { created: 1, updated: 1, unchanged: 0, isDryRun: false });
  assert.deepEqual(
    errors.map(({ line }) => line),
    [4, 5, 6],
  );
  assert.deepEqual(await pairs("/i/old"), [["/i/old/*", "/i/new/:splat", 301]]);
});

test("RED-7 10,000 lines are imported, listed and exported", async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `/many/${at} /many/${at + 10_000}`);
  const done = await post(`${redirects}/import`, { text: lines.join("\n") });
  assert.equal(done.status, 200, done.text.slice(0, 300));
  const first = await server.request("GET", `${redirects}?search=/many/&limit=5`);
  assert.equal(first.headers.get("x-total-count"), "10000");
});

test("RED-8 the old address of an object leads to the new one, from its transaction on", async () => {
  await post("/api/collections/news", { id: "a", category: "old" });
  await post("/api/collections/news", { id: "hidden", category: "old", draft: true });
  const patch = (id: string, body: unknown) => server.request("PATCH", `/api/collections/news/${id}`, { body });
  await patch("a", { title: "no move" });
  assert.deepEqual(await pairs("/news/"), []);
  await patch("a", { category: "new" });
  await patch("hidden", { category: "new" });
  await patch("hidden", { draft: false });
  assert.deepEqual(await pairs("/news/"), [["/news/old/a", "/news/new/a", 301]]);
  await patch("a", { category: "newest" });
  assert.deepEqual(await pairs("/news/"), [
    ["/news/new/a", "/news/newest/a", 301],
    ["/news/old/a", "/news/newest/a", 301],
  ]);
  await patch("a", { category: "old" });
  assert.deepEqual(await pairs("/news/"), [
    ["/news/new/a", "/news/old/a", 301],
    ["/news/newest/a", "/news/old/a", 301],
  ]);
  assert.deepEqual(
    (await list("/news/")).map(({ origin }) => origin),
    ["moved", "moved"],
  );
  // What is refused leaves none.
  const refused = await server.request("PATCH", "/api/collections/news/a", {
    body: { category: "x" },
    headers: { "if-match": '"0"' },
  });
  assert.equal(refused.status, 412);
  assert.equal((await list("/news/")).length, 2);
});

test("RED-8 a new pattern of a collection makes one redirect for all its objects", async () => {
  const change = (url: string) => server.request("PATCH", "/api/collections/posts/settings", { body: { url } });
  assert.equal((await change("/articles")).status, 200);
  assert.deepEqual(await pairs("/posts"), [["/posts/*", "/articles/:splat", 301]]);
  assert.equal((await change("/posts")).status, 200);
  assert.deepEqual(await pairs("/posts"), [["/articles/*", "/posts/:splat", 301]]);
  // Below itself it would lead deeper and deeper.
  assert.equal((await change("/posts/all")).status, 200);
  assert.deepEqual(await pairs("/posts"), [["/articles/*", "/posts/:splat", 301]]);
});

test("RED-8, RED-9 routes of pages leave redirects, and take away those from their own address", async () => {
  const pages = "/api/collections/builder-pages";
  await post("/api/templates", { id: "pages/moved", template: "x" });
  const made = await post(pages, { id: "moved", title: "Moved", route: "/p/one", template: "moved" });
  assert.equal(made.status, 201, made.text);
  const patch = (body: unknown) => server.request("PATCH", `${pages}/moved`, { body });
  assert.equal((await patch({ route: "/p/two" })).status, 200);
  assert.deepEqual(await pairs("/p/"), [["/p/one", "/p/two", 301]]);
  await post(redirects, { source: "/p/three", target: "/p/elsewhere" });
  assert.equal((await patch({ route: "/p/three" })).status, 200);
  assert.deepEqual(await pairs("/p/"), [
    ["/p/one", "/p/three", 301],
    ["/p/two", "/p/three", 301],
  ]);
  const again = await post(pages, { id: "again", title: "Again", route: "/p/one", template: "moved" });
  assert.equal(again.status, 201, again.text);
  assert.deepEqual(await pairs("/p/"), [["/p/two", "/p/three", 301]]);
});

test("RED-2, RED-3, RED-4, RED-11 visitors are sent on, and counted", async () => {
  const ask = (path: string, method = "GET") => server.request(method, path, { key: null });
  for (const status of [301, 302, 307, 308]) {
    const made = await post(redirects, { source: `/by/${status}`, target: `/to/${status}`, status });
    assert.equal(made.status, 201, made.text);
    const { status: got, headers } = await ask(`/by/${status}/?a=1&b=%2F`);
    assert.deepEqual([got, headers.get("location")], [status, `/to/${status}?a=1&b=%2F`]);
    const head = await ask(`/by/${status}`, "HEAD");
    assert.deepEqual([head.status, head.headers.get("location"), head.text], [status, `/to/${status}`, ""]);
  }
  await post(redirects, { source: "/by/gone", target: "", status: 410 });
  const gone = await ask("/by/gone");
  assert.deepEqual([gone.status, gone.headers.get("location")], [410, null]);
  await post(redirects, { source: "/by/all/*", target: "/deep/:splat?kept=1" });
  assert.equal((await ask("/by/all/a/b?dropped=1")).headers.get("location"), "/deep/a/b?kept=1");
  assert.equal((await ask("/by/all//evil.example/x")).status, 404);
  await post(redirects, { source: "/by/far", target: "https://example.org/x" });
  assert.equal((await ask("/by/far?q=1")).headers.get("location"), "https://example.org/x?q=1");
  // Each node writes what it has counted a moment later.
  const counted = await until(
    () => list("/by/301"),
    ([first]) => (first?.hits ?? 0) >= 2,
  );
  assert.deepEqual([counted[0]?.hits, typeof counted[0]?.last], [2, "string"]);
  // A deleted one leads nowhere, with the next request.
  assert.equal((await server.request("DELETE", `${redirects}/${counted[0]?.id}`)).status, 204);
  assert.equal((await ask("/by/301")).status, 404);
});

test("RED-8, RED-11 visitors follow an address that has moved", async () => {
  const ask = (path: string) => server.request("GET", path, { key: null });
  await post("/api/templates", { id: "pages/walks-moved", template: "{% layout none %}{{ object.title }}" });
  await server.makeCollection({ id: "walks-moved", schema: "story", url: "/moving/{category}/{id}" });
  const made = await post("/api/collections/walks-moved", { id: "w", category: "here", title: "Walk" });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([(await ask("/moving/here/w")).text.trim(), (await ask("/moving/here/w")).status], ["Walk", 200]);
  await server.request("PATCH", "/api/collections/walks-moved/w", { body: { category: "there" } });
  const moved = await ask("/moving/here/w?x=1");
  assert.deepEqual([moved.status, moved.headers.get("location")], [301, "/moving/there/w?x=1"]);
  assert.equal((await ask("/moving/there/w")).text.trim(), "Walk");
  await server.request("PATCH", "/api/collections/walks-moved/w", { body: { category: "here" } });
  assert.equal((await ask("/moving/here/w")).text.trim(), "Walk");
  assert.equal((await ask("/moving/there/w")).headers.get("location"), "/moving/here/w");
});

test("RED-10 the command line lists, imports and exports redirects", async () => {
  const tried = await server.cli(["site:redirects", "import", "-", "--dry-run"], { input: "/cli/a /cli/b\n/cli/c\n" });
  assert.equal(tried.code, 1);
  assert.match(tried.stderr, /line 2: target is required/);
  const done = await server.cli(["site:redirects", "import", "-"], { input: "/cli/a /cli/b\n" });
  assert.match(done.stdout, /1 created/);
  assert.match((await server.cli(["site:redirects", "list"])).stdout, /\/cli\/a +\/cli\/b +301 +import/);
  assert.match(
    (await server.cli(["site:redirects", "export"])).stdout,
    /^source,target,status\r\n[\s\S]*\/cli\/a,\/cli\/b,301/m,
  );
  assert.equal((await server.cli(["site:redirects", "other"])).code, 2);
});

test("JMP-37 redirects are part of a definition", async () => {
  const jumpstart = (more: object) => post("/api/import/jumpstart", { version: "1.0.0", name: "Redirects", ...more });
  const sent = [
    { source: "/tales-of-old/*", target: "/tales/:splat", status: 301 },
    { source: "/closed", target: "", status: 410 },
  ];
  const first = await jumpstart({ redirects: sent });
  assert.equal(first.status, 200, first.text);
  const refs = sent.map(({ source }) => ({ kind: "redirect", id: source }));
  assert.deepEqual(first.body.data.created, refs);
  const exported = (await server.request("GET", "/api/export/jumpstart?objects=false")).body;
  assert.deepEqual(
    exported.redirects.filter(({ source }: Redirect) => sent.some((one) => one.source === source)),
    sent.toSorted((a, b) => (a.source < b.source ? -1 : 1)),
  );
  assert.deepEqual((await server.request("GET", "/api/export/jumpstart?templates=false")).body.redirects, []);
  assert.deepEqual((await server.request("GET", "/api/sync/export")).body.data.redirects, []);
  const again = await jumpstart({ redirects: [{ source: "/closed", target: "/elsewhere" }] });
  assert.deepEqual([again.body.data.created, again.body.data.skipped], [[], refs.slice(1)]);
  for (const [wrong, place] of [
    [{ source: "closed", target: "/x" }, "redirects.closed"],
    [{ source: "/loop", target: "/loop" }, "redirects./loop"],
    [{ source: "/x", target: "/y", status: 200 }, "redirects./x"],
    [{ source: 1 }, "redirects.0"],
  ] as const) {
    const { status, body } = await jumpstart({
      redirects: [{ source: "/fine", target: "/z" }, wrong].slice(place === "redirects.0" ? 1 : 0),
    });
    assert.equal(status, 422, JSON.stringify(body));
    assert.ok(body.error.details[place], JSON.stringify(body));
  }
  assert.equal((await server.request("GET", "/fine", { key: null })).status, 404);
});
