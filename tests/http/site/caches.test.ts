// What the caches hold, and clearing them: felt by every process, and never seen in an answer. On PostgreSQL by two servers.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { engine, repeats, type Server, startServer } from "../../harness.ts";
import { picture, upload } from "../../support/sample-files.ts";

let first: Server;
/** Of one database. */
let servers: Server[] = [];
const list = "/api/collections/posts";
/** Each prints all that it reads. */
const templates = [
  '{% get o from "posts", "a0" %}{{ o.id }} {{ o.title }}',
  '{% get o from "posts", "a1" %}{{ o.id }} {{ o.count }} {{ o.body }}',
  '{% query l from "posts", include: "status:new", sort: "title", limit: 5 %}{% for p in l %}{{ p.id }};{% endfor %}',
  '{% query l from "posts", sort: "id", limit: 3 %}{{ l.total }}{% for p in l %} {{ p.id }} {{ p.count }};{% endfor %}',
  '{% if request.query.more == "1" %}{% get o from "posts", "a2" %}{{ o.status }}{% else %}less{% endif %}',
  '{% fragment "all" %}{% query l from "posts", limit: 9 %}{% for p in l %}{{ p.body }};{% endfor %}{% endfragment %}',
];

const dataDir = mkdtempSync(join(tmpdir(), "cairn-caches-"));

before(async () => {
  // Before the server starts: it would notice new files within a second, and drop all pages for them.
  const folder = join(dataDir, "builder", "pages");
  mkdirSync(folder, { recursive: true });
  for (const [n, template] of templates.entries())
    writeFileSync(join(folder, `t${n}.liquid`), `{% layout none %}${template}`);
  first = await startServer({ dataDir });
  const text = { type: "string", field: "text" };
  const properties = { title: text, status: text, body: text, count: { type: "number" } };
  await first.makeSchema({ id: "post", properties, required: ["id"], index: ["id", "title", "status", "count"] });
  const sitemap = { enabled: true, frequency: "weekly", priority: 0.5, date: "", exclude: "" };
  await first.makeCollection({ id: "posts", schema: "post", publicOperations: ["read"], url: "/p/{id}", sitemap });
  await first.makeCollection({ id: "shots", schema: "image", publicOperations: ["read"] });
  for (let n = 0; n < 9; n += 1) {
    const body = { id: `a${n}`, title: `t${n % 7}`, status: n % 2 ? "new" : "old", body: "b", count: n % 5 };
    assert.equal((await first.request("POST", list, { body })).status, 201);
  }
  await first.request("POST", "/api/collections/shots", { body: { id: "one" } });
  await upload(first, "shots/one/image", { name: "one.png", bytes: await picture(40, 30, { format: "png" }) });
  for (const n of templates.keys()) {
    const body = { id: `kept-${n}`, route: `/kept/${n}`, title: `Page ${n}`, template: `t${n}` };
    assert.equal((await first.request("POST", "/api/collections/builder-pages", { body })).status, 201);
  }
  servers = [first];
  if (engine !== "postgres") return;
  const { CAIRN_DATABASE_URL = "" } = first.env;
  servers.push(await startServer({ dataDir, env: { CAIRN_DATABASE_URL } }));
});
after(async () => {
  for (const server of servers.toReversed()) await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function read(server: Server, path: string): Promise<string> {
  const { status, text } = await server.request("GET", path, { key: null });
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
}

async function renderings(server: Server): Promise<number> {
  const { text } = await server.request("GET", "/metrics");
  return Number(/^cairn_page_renderings(?:\{.*\})? (\d+)/m.exec(text)?.[1]);
}

const pick = <T>(values: readonly T[]): T => values[Math.trunc(Math.random() * values.length)] as T;

const kinds = [
  ...["pages", "fragments", "templates", "objects", "lists", "totals", "feeds", "views", "images", "filters"],
  "verdicts",
];

async function clear(server: Server, what: string): Promise<Record<string, unknown>> {
  const { status, body, text } = await server.request("DELETE", `/api/cache${what}`);
  assert.equal(status, 200, text);
  return body;
}

/** Addresses of what is answered from each kind of cache that this site fills. */
const paths = [
  ...templates.map((_template, n) => `/kept/${n}`),
  ...[
    "/kept/4?more=1",
    list,
    `${list}?include=status:new&sort=title&limit=5`,
    `${list}?limit=3&offset=2`,
    `${list}/a1`,
  ],
  ...["/sitemap", "/sitemap/posts", "/imageworks/shots/one/image.png?w=10"],
];

async function answerOf(server: Server, path: string): Promise<unknown[]> {
  const { status, text, headers } = await server.request("GET", path);
  return [path, status, text, headers.get("etag")];
}

test("CACHE-30 the report names every kind with its numbers, and all processes", async () => {
  for (let time = 0; time < 2; time += 1) for (const path of paths) await answerOf(first, path);
  const { caches, processes, images } = (await first.request("GET", "/api/cache")).body.data;
  assert.deepEqual(
    caches.map(({ name }: { name: string }) => name),
    kinds,
  );
  for (const name of ["pages", "objects", "lists", "templates", "images"]) {
    const { entries, bytes, capacity, hits, misses, rate, ...one } = caches[kinds.indexOf(name)];
    assert.ok(entries > 0 && bytes > 0 && bytes <= capacity && hits + misses > 0, JSON.stringify(caches));
    assert.ok(rate >= 0 && rate <= 1 && one.evictions >= 0 && one.about !== "", name);
    assert.deepEqual([one.place, one.shared], name === "images" ? ["files", true] : ["memory", false]);
    assert.ok(one.oldest === null || Date.parse(one.oldest) <= Date.now() + 60_000);
  }
  assert.ok(processes.length >= 1 && processes.every(({ bytes }: { bytes: number }) => bytes >= 0));
  assert.ok(images.files >= 1 && images.bytes > 0 && images.limit > 0);
  const shown = async () => JSON.parse((await first.cli(["cache:show", "--json"])).stdout);
  assert.equal((await shown()).caches.length, kinds.length);
  // Each server writes its numbers; a command has none of its own.
  await becomes(async () => (await shown()).processes.length, servers.length);
  assert.match((await first.cli(["cache:show"])).stdout, /^NAME +PLACE .*\npages +memory /);
});

test("CACHE-31 a cache is cleared by its name; unknown names, and verdicts alone, are refused", async () => {
  const { deleted, cleared } = (await clear(first, "")) as { deleted: number; cleared: Record<string, number> };
  assert.deepEqual(Object.keys(cleared), kinds);
  assert.equal(cleared.images, deleted);
  await read(first, "/kept/1");
  assert.ok(Number((await clear(first, "/pages")).deleted) >= 1);
  for (const [path, status, message] of [
    ["/page", 404, /There is no cache "page"\. Did you mean "pages"\? The caches are pages, fragments, .*filters\./],
    ["/verdicts", 400, /only together with all others/],
    ["/lists?path=/x", 400, /path does not go with the cache "lists"/],
    ["/pages?path=x", 400, /path must start with a slash/],
    ["/pages?path=", 400, /path must have/],
    ["/pages?path=/a*b", 400, /only at its end/],
    ["/pages?tag=a&tag=b", 400, /tag/],
  ] as const) {
    const answer = await first.request("DELETE", `/api/cache${path}`);
    assert.equal(answer.status, status, path);
    assert.match(answer.body.error.message, message);
  }
  const wrong = await first.cli(["cache:clear", "lists", "--path", "/x"]);
  assert.deepEqual([wrong.code === 0, /--path goes with pages alone/.test(wrong.stderr)], [false, true]);
  assert.match((await first.cli(["cache:clear", "lists"])).stdout, /^The cache "lists" is cleared in every process\./);
  assert.match((await first.cli(["cache:clear", "--collection", "shots"])).stdout, /^\d derived images? w/);
});

test("CACHE-32, CACHE-33 clearing is felt by another process at once, and of its pages those go that are meant", async () => {
  const observed = servers.at(-1) as Server;
  const wanted = ["/kept/1", "/kept/2", "/kept/3"];
  const rendered = async (paths: readonly string[]) => {
    const before = await renderings(observed);
    for (const path of paths) await read(observed, path);
    return (await renderings(observed)) - before;
  };
  await rendered(wanted);
  assert.equal(await rendered(wanted), 0);
  const command = (...args: string[]) => first.cli(["cache:clear", ...args]);
  const ways: [clear: () => Promise<unknown>, rendered: number][] = [
    [() => command("pages", "--path", "/kept/2"), 1],
    [() => clear(first, "/pages?path=/kept/*"), 3],
    [() => clear(first, "/pages?path=/other/*"), 0],
    // Both print a list of posts.
    [() => clear(first, "/pages?tag=c:posts"), 2],
    [() => clear(first, "/pages?tag=t:pages/t1"), 1],
    [() => clear(first, "/lists"), 0],
    [() => command("pages"), 3],
    [() => clear(first, ""), 3],
    [() => command(), 3],
  ];
  for (const [at, [act, count]] of ways.entries()) {
    await act();
    assert.equal(await rendered(wanted), count, `way ${at}`);
    assert.equal(await rendered(wanted), 0, `way ${at}, again`);
  }
});

test("CACHE-34, CACHE-35 clearing any cache at any time changes no answer, and fails no request", async () => {
  // Addresses in sitemaps name their server.
  const expected = new Map<Server, Map<string, unknown[]>>();
  for (const server of servers) {
    const answers = new Map<string, unknown[]>();
    for (const path of paths) answers.set(path, await answerOf(server, path));
    for (const [path, status] of answers.values()) assert.equal(status, 200, String(path));
    expected.set(server, answers);
  }
  const compare = async () => {
    const [server, path] = [pick(servers), pick(paths)];
    assert.deepEqual(await answerOf(server, path), expected.get(server)?.get(path));
  };
  const clearable = [
    "",
    "/images/all",
    ...kinds
      .slice(0, -1)
      .filter((name) => name !== "images")
      .map((name) => `/${name}`),
  ];
  for (let round = 0; round < repeats(30, 300); round += 1) {
    await clear(pick(servers), pick(clearable));
    await compare();
  }
  let isOver = false;
  const readers = Array.from({ length: 8 }, async () => {
    while (!isOver) await compare();
  });
  for (let round = 0; round < repeats(10, 100); round += 1) await clear(pick(servers), "");
  isOver = true;
  await Promise.all(readers);
});

test("CACHE-38 no server answers older than a write that was acknowledged, whatever is cleared meanwhile", async () => {
  for (let round = 1; round <= repeats(15, 150); round += 1) {
    const count = 1_000 + round;
    const [writer, reader] = [pick(servers), pick(servers)];
    const clearing = round % 3 === 0 ? clear(pick(servers), pick(["", "/objects", "/lists", "/pages"])) : undefined;
    assert.equal((await writer.request("PATCH", `${list}/a1`, { body: { count } })).status, 200);
    const [object, all, page] = await Promise.all([
      reader.request("GET", `${list}/a1`),
      reader.request("GET", `${list}?include=id:a1&properties=count`),
      read(reader, "/kept/1"),
    ]);
    assert.equal(object.body.data.count, count);
    assert.ok(all.text.includes(`"count":${count}`), all.text);
    assert.match(page, new RegExp(`^a1 ${count} `));
    await clearing;
  }
});
