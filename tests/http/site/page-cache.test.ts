// Pages from memory, over HTTP: what is sent, and that it is what a rendering would make. On PostgreSQL by two servers.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { until } from "#base/patience.fixture.ts";
import { freePort } from "../../../scripts/free-port.ts";
import { engine, repeats, type Server, startServer } from "../../harness.ts";
import { fetchBytes } from "../../support/sample-files.ts";
import { makeUser } from "../../support/sign-in.ts";
import { openReceiver } from "../../support/webhook-receiver.ts";

let first: Server;
/** Of one database. */
let servers: Server[] = [];
const list = "/api/collections/posts";
const long = `${list}/long`;
const pageCount = repeats(50, 500);
const objectCount = 40;
/** Pages that each server is asked for after 20 writes. */
const asked = repeats(12, 20);

before(async () => {
  first = await startServer({ settings: { webhooks: { allowPrivateHosts: true } } });
  const text = { type: "string", field: "text" };
  const properties = {
    ...{ title: text, status: text, body: text, count: { type: "number" } },
    draft: { type: "boolean", field: "toggle" },
  };
  await first.makeSchema({ id: "post", properties, required: ["id"], index: ["id", "title", "status"] });
  await first.makeCollection({ id: "posts", schema: "post", publicOperations: ["read"] });
  for (let n = 0; n < objectCount; n += 1) await create(first, n);
  saveTemplates();
  for (let n = 0; n < pageCount; n += 1) {
    const title = `a${n % objectCount}`;
    const template = `t${n % templates.length}`;
    // The same page twice: one that may be kept, and one that is rendered for each request.
    await makePage({ id: `kept-${n}`, route: `/kept/${n}`, title, template });
    await makePage({ id: `fresh-${n}`, route: `/fresh/${n}`, title, template, cache: "off" });
  }
  servers = [first];
  if (engine !== "postgres") return;
  const { CAIRN_DATABASE_URL = "" } = first.env;
  servers.push(await startServer({ dataDir: first.dataDir, env: { CAIRN_DATABASE_URL } }));
});
after(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

/** Each prints all that it reads. */
const templates = [
  '{% get o from "posts", page.title %}{{ o.id }} {{ o.title }}',
  '{% get o from "posts", page.title %}{{ o.id }} {{ o.count }} {{ o.body }}',
  '{% query l from "posts", include: "status:new", sort: "title", limit: 5 %}{% for p in l %}{{ p.id }} {{ p.title }};{% endfor %}{{ l.next }}',
  '{% query l from "posts", include: "status:old", sort: "id", limit: 3 %}{{ l.total }}{% for p in l %} {{ p.id }} {{ p.count }};{% endfor %}{{ l.next }}',
  '{% if request.query.more == "1" %}{% get o from "posts", page.title %}{{ o.status }}{% else %}less{% endif %}',
  '{% query l from "posts", sort: "-title", limit: 10 %}{% for p in l %}{{ p.id }}{{ p.title }}{{ p.body }};{% endfor %}{{ l.next }}',
];

function saveTemplates(): void {
  const folder = join(first.dataDir, "builder", "pages");
  mkdirSync(folder, { recursive: true });
  const headed = "<html><head>{% head %}</head><body>x</body></html>";
  const wide = "<p>Stones on a hill.</p>".repeat(200);
  for (const [name, text] of [...templates.entries(), ["wide", wide] as const, ["head", headed] as const])
    writeFileSync(
      join(folder, typeof name === "number" ? `t${name}.liquid` : `${name}.liquid`),
      `{% layout none %}${text}`,
    );
}

async function makePage(body: Record<string, unknown>): Promise<void> {
  const { status, text } = await first.request("POST", "/api/collections/builder-pages", { body });
  assert.equal(status, 201, text);
}

async function create(server: Server, n: number): Promise<void> {
  const body = { id: `a${n}`, title: `t${n % 7}`, status: n % 2 ? "new" : "old", body: "b", count: n % 5 };
  const { status, text } = await server.request("POST", list, { body });
  assert.equal(status, 201, text);
}

async function read(server: Server, path: string): Promise<string> {
  const { status, text } = await server.request("GET", path, { key: null });
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
}

async function renderings(server: Server): Promise<number> {
  const { text } = await server.request("GET", "/metrics");
  return Number(/^cairn_page_renderings(?:\{.*\})? (\d+)/m.exec(text)?.[1]);
}

const random = (most: number) => Math.trunc(Math.random() * most);
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;

test("CACHE-2 a page with a head is kept", async () => {
  await makePage({ id: "headed", route: "/headed", title: "Headed", template: "head" });
  const page = await first.request("GET", "/headed", { key: null });
  assert.match(page.text, /<link rel="canonical" href="[^"]*\/headed">/);
  assert.match(page.headers.get("cache-control") ?? "", /^public/);
});

test("CACHE-16 fragments are kept on their own, shared by pages, while what they have read is unchanged", async () => {
  const save = async (id: string, template: string) => {
    const { status, text } = await first.request("PUT", `/api/templates/${id}`, { body: { template } });
    assert.ok(status === 200 || status === 201, text);
  };
  const all = '{% query l from "posts", sort: "id", limit: 40 %}{% for p in l %}{{ p.id }} {{ p.count }};{% endfor %}';
  const style = "{% style %}.x{color:red}{% endstyle %}";
  await save("partials/shared", `{% fragment "all" %}${all}${style}{% endfragment %}`);
  await save("pages/shares", '{% layout none %}{% render "shared" %}|{{ page.id }}');
  await save("pages/own", '{% layout none %}{% fragment "own" %}{{ page.id }}{% endfragment %}');
  const named = '{% assign n = request.query.n %}{% fragment "n", vary: request.query.v %}[{{ n }}]{% endfragment %}';
  await save("pages/named", `{% layout none %}${named}`);
  for (const id of ["share-a", "share-b"])
    await makePage({ id, route: `/${id}`, title: id, template: "shares", cache: "off" });
  for (const id of ["own-a", "own-b"]) await makePage({ id, route: `/${id}`, title: id, template: "own" });
  await makePage({ id: "named", route: "/named", title: "named", template: "named", cache: "off" });
  await makePage({ id: "share-c", route: "/share-c", title: "c", template: "shares" });
  const parts = async (path: string, server = first) => (await read(server, path)).split("|");
  const [before, own] = await parts("/share-a");
  assert.equal(own, "share-a");
  assert.deepEqual(await parts("/share-b"), [before, "share-b"]);
  // The page that takes it from memory depends on what it has read, and on its styles.
  const third = await first.request("GET", "/share-c", { key: null });
  assert.equal(third.text, `${before}|share-c`);
  assert.match(third.headers.get("content-security-policy") ?? "", /style-src 'self' 'sha256-/);
  await first.request("PATCH", `${list}/a1`, { body: { body: "not printed" } });
  assert.deepEqual(await parts("/share-b"), [before, "share-b"]);
  await first.request("PATCH", `${list}/a1`, { body: { count: 99 } });
  for (const server of servers)
    for (const path of ["/share-a", "/share-b", "/share-c"])
      assert.match((await parts(path, server))[0] ?? "", /a1 99;/);
  assert.deepEqual([await read(first, "/own-a"), await read(first, "/own-b")], ["own-a", "own-b"]);
  for (const [query, shown] of [
    ["n=1", "[1]"],
    ["n=2", "[2]"],
    ["n=1&v=3", "[1]"],
    ["", "[]"],
    ["n=2", "[2]"],
  ] as const)
    assert.equal(await read(first, `/named?${query}`), shown);
});

test("HTTP-41 a page names listed origins, and says that it depends on them", async () => {
  await first.setSetting("api.corsOrigins", ["https://a.test"]);
  const ask = (headers: Record<string, string>) => first.request("GET", "/kept/0", { key: null, headers });
  const named = await ask({ origin: "https://a.test" });
  const foreign = await ask({ origin: "https://evil.test" });
  const none = await ask({});
  const unchanged = await ask({ "if-none-match": none.headers.get("etag") ?? "" });
  await first.setSetting("api.corsOrigins", null);
  const origins = [named, foreign, none].map(({ headers }) => headers.get("access-control-allow-origin"));
  assert.deepEqual(origins, ["https://a.test", null, null]);
  assert.equal(unchanged.status, 304);
  for (const { headers } of [named, foreign, none, unchanged])
    assert.equal(headers.get("vary"), "Accept, Accept-Encoding, Origin");
});

test("CACHE-11 a kept page has a tag, is not sent twice, and HEAD has its headers", async () => {
  const path = "/kept/0?utm_source=x";
  const page = await first.request("GET", path, { key: null });
  assert.equal(page.status, 200, page.text);
  const tag = page.headers.get("etag") as string;
  assert.match(tag, /^"[\w-]+"$/);
  assert.equal(page.headers.get("cache-control"), "public, max-age=0, must-revalidate");
  assert.equal(page.headers.get("set-cookie"), null);
  assert.equal(page.headers.get("x-robots-tag"), null);
  for (const known of [tag, `W/${tag}`, `"x", ${tag.slice(0, -1)}-br"`, `${tag.slice(0, -1)}-gzip"`]) {
    const again = await first.request("GET", path, { key: null, headers: { "if-none-match": known } });
    assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", tag], known);
    assert.equal(again.headers.get("cache-control"), page.headers.get("cache-control"));
    assert.equal(again.headers.get("vary"), page.headers.get("vary"));
    assert.equal(again.headers.get("content-security-policy"), null);
  }
  const head = await first.request("HEAD", path, { key: null });
  assert.deepEqual([head.status, head.text, head.headers.get("etag")], [200, "", tag]);
  assert.equal(head.headers.get("content-length"), page.headers.get("content-length"));
  const fresh = await first.request("GET", "/fresh/0", { key: null });
  assert.deepEqual([fresh.headers.get("cache-control"), fresh.headers.get("etag")], ["no-store", null]);
  const missing = await first.request("GET", "/none-such", { key: null });
  assert.equal(missing.status, 404);
  // What 304 does not repeat is part of the tag.
  await first.setSetting("site.csp", { "frame-src": "https://maps.example" });
  const changed = await first.request("GET", path, { key: null, headers: { "if-none-match": tag } });
  assert.deepEqual([changed.status, changed.text], [200, page.text]);
  assert.match(changed.headers.get("content-security-policy") ?? "", /frame-src https:\/\/maps\.example/);
  await first.setSetting("site.csp", {});
});

test("CACHE-17 site:warm asks the server for every page", async () => {
  await first.request("DELETE", "/api/cache/pages");
  const before = await renderings(first);
  const warmed = await first.cli(["site:warm", first.url, "--json"]);
  assert.equal(warmed.code, 0, warmed.stderr);
  const { pages, failed } = JSON.parse(warmed.stdout);
  assert.ok(pages >= 2 * pageCount && failed.length === 0, warmed.stdout);
  assert.ok((await renderings(first)) - before >= 2 * pageCount);
  const nobody = await first.cli(["site:warm", `http://127.0.0.1:${await freePort()}`]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /No server answers at http/);
  assert.equal((await first.cli(["site:warm", "example.org"])).code, 2);
});

test("CACHE-12 content is compressed for clients that take it, and its tags name the same content", async () => {
  const words = Array.from({ length: 400 }, (_, n) => `word${n % 17}`).join(" ");
  const created = await first.request("POST", list, { body: { id: "long", title: "Long", body: words } });
  assert.equal(created.status, 201, created.text);
  const plain = await first.request("GET", long);
  const etag = plain.headers.get("etag") as string;
  assert.equal(plain.headers.get("content-encoding"), null);
  const shrunk = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  for (const [encoding, expand] of Object.entries(shrunk)) {
    const headers = { "accept-encoding": encoding };
    const sent = await fetchBytes(first, long, { headers });
    assert.equal(sent.headers["content-encoding"], encoding);
    assert.match(String(sent.headers.vary), /accept-encoding/i);
    assert.equal(expand(sent.bytes).toString(), plain.text);
    const tag = String(sent.headers.etag);
    assert.equal(tag, `${etag.slice(0, -1)}-${encoding}"`);
    for (const known of [tag, `W/${tag}`, etag, `"x", ${etag.slice(0, -1)}-gzip"`]) {
      const again = await fetchBytes(first, long, { headers: { ...headers, "if-none-match": known } });
      assert.equal(again.status, 304, known);
    }
    const all = await fetchBytes(first, list, { headers });
    assert.equal(all.headers["content-encoding"], encoding);
    assert.equal(expand(all.bytes).toString(), (await first.request("GET", list)).text);
  }
  const small = await fetchBytes(first, `${list}/a0`, { headers: { "accept-encoding": "br" } });
  assert.equal(small.headers["content-encoding"], undefined);
  const start = await fetchBytes(first, "/api/admin", { headers: { "accept-encoding": "br" } });
  assert.equal(start.headers["content-encoding"], undefined);
  const wrong = { body: { count: 1 }, headers: { "if-match": `${etag.slice(0, -1)}x-br"` } };
  assert.equal((await first.request("PATCH", long, wrong)).status, 412);
  const right = { body: { count: 2 }, headers: { "if-match": `${etag.slice(0, -1)}-br"` } };
  assert.equal((await first.request("PATCH", long, right)).status, 200);
  assert.equal((await first.request("PATCH", long, right)).status, 412);
});

test("CACHE-12 pages are compressed once for each encoding", async () => {
  await makePage({ id: "wide", route: "/wide", title: "wide", template: "wide" });
  const plain = await first.request("GET", "/wide", { key: null });
  for (const [encoding, expand] of Object.entries({
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
    gzip: gunzipSync,
  })) {
    const headers = { "accept-encoding": encoding };
    for (const method of ["GET", "GET", "HEAD"]) {
      const sent = await fetchBytes(first, "/wide", { key: null, headers, method });
      assert.equal(sent.headers["content-encoding"], encoding);
      assert.match(String(sent.headers.vary), /Accept-Encoding/);
      assert.equal(sent.headers.etag, `${plain.headers.get("etag")?.slice(0, -1)}-${encoding}"`);
      if (method === "GET") assert.equal(expand(sent.bytes).toString(), plain.text);
      assert.ok(Number(sent.headers["content-length"]) < 500);
    }
  }
});

test("CACHE-1, CACHE-2, CACHE-15 pages from memory are what a rendering makes, by any server, while one of them is killed", {
  // A soak run makes 10,000 writes and asks for 40,000 pages.
  timeout: repeats(900_000, 7_200_000),
}, async () => {
  /** What each server has rendered last: all that the page has read. */
  const models = new Map(servers.map((server) => [server, new Map<string, string>()]));
  let [writes, same, changed, inVain] = [0, 0, 0, 0];
  async function write(server: Server): Promise<void> {
    writes += 1;
    const n = random(objectCount);
    const body = pick([
      { title: `t${random(7)}` },
      { status: pick(["new", "old"]) },
      { body: `b${writes}` },
      { count: writes },
      { draft: random(4) === 0 },
    ]);
    const { status, text } = await server.request("PATCH", `${list}/a${n}`, { body });
    if (status === 404) return create(server, n).catch(() => {});
    assert.equal(status, 200, text);
    if (random(25) === 0) await server.request("DELETE", `${list}/a${n}`);
  }
  async function check(server: Server): Promise<void> {
    const model = models.get(server) as Map<string, string>;
    const before = await renderings(server);
    let expected = 0;
    for (let n = 0; n < asked; n += 1) {
      const page = `${random(pageCount)}${pick(["", "?more=1", "?utm=x"])}`;
      const sent = await read(server, `/kept/${page}`);
      assert.equal(sent, await read(server, `/fresh/${page}`), `/kept/${page}`);
      const key = page.replace("?utm=x", "");
      const variant = Number(key.split("?")[0]) % templates.length === 4 ? key : (key.split("?")[0] as string);
      if (model.get(variant) === sent) same += 1;
      else changed += 1;
      expected += model.get(variant) === sent ? 1 : 2;
      model.set(variant, sent);
    }
    const more = (await renderings(server)) - before - expected;
    assert.ok(more >= 0, `${more}`);
    inVain += more;
  }
  for (const server of servers)
    for (let n = 0; n < pageCount; n += 1)
      for (const search of ["", "?more=1"]) {
        if (search !== "" && n % templates.length !== 4) continue;
        models.get(server)?.set(`${n}${search}`, await read(server, `/kept/${n}${search}`));
      }
  const rounds = repeats(25, 500);
  for (let round = 0; round < rounds; round += 1) {
    if (engine === "postgres" && round === Math.trunc(rounds / 2)) {
      const second = servers[1] as Server;
      await Promise.all([second.kill(), ...Array.from({ length: 10 }, () => write(first))]);
      await second.restart();
      models.set(second, new Map());
    }
    await Promise.all(Array.from({ length: 20 }, () => write(pick(servers))));
    for (const server of servers) await check(server);
  }
  // An index that is built meanwhile, or a lost connection to the database, moves all versions: every page is rendered once more.
  assert.ok(inVain <= same / 2, `${inVain} of ${same} pages were rendered in vain`);
  assert.ok(same > 0 && changed > 0, `${writes} writes, ${same} pages from memory, ${changed} rendered`);
  if (rounds > 25)
    console.log(
      `${writes} writes, ${pageCount} pages: ${same} answers from memory, ${changed} renderings, ${inVain} in vain`,
    );
});

test("CACHE-13, CACHE-14 writes announce the tags of the pages that a CDN must drop, also when the server dies", async () => {
  const receiver = await openReceiver();
  const announced = () => new Set(receiver.received.flatMap(({ body }) => body.data.tags as string[]));
  const untilTags = (...tags: string[]) => until(announced, (seen) => tags.every((tag) => seen.has(tag)));
  try {
    // The first user makes the collection.
    await makeUser(first, "early");
    const hook = { url: receiver.url, events: ["site.purge"] };
    assert.equal((await first.request("POST", "/api/webhooks", { body: hook })).status, 201);
    const saved = await first.request("PUT", "/api/settings/site", { body: { sharedMaxAge: 60 } });
    assert.equal(saved.status, 200, saved.text);
    // Every server knows of it before it writes.
    for (const server of servers)
      await until(
        async () => (await server.request("GET", "/kept/0", { key: null })).headers.get("cache-tag") !== null,
      );
    const page = await first.request("GET", "/kept/0", { key: null });
    assert.equal(page.headers.get("cache-control"), "public, max-age=0, s-maxage=60");
    assert.deepEqual(
      ["site", "o:posts/a0", "p:kept-0", "t:pages/t0"].filter(
        (tag) => !page.headers.get("cache-tag")?.split(",").includes(tag),
      ),
      [],
    );
    for (const n of [0, 1, 2]) await create(first, n).catch(() => {});
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        pick(servers).request("PATCH", `${list}/a${n % 3}`, { body: { body: `purge ${n}` } }),
      ),
    );
    await untilTags("c:posts", "o:posts/a0", "o:posts/a1", "o:posts/a2");
    assert.ok(receiver.received.length < 20, `${receiver.received.length} events`);
    const template = "{% layout none %}{{ page.id }}";
    await first.request("PUT", "/api/templates/pages/t0", { body: { template } });
    await makeUser(first, "purged");
    const page1 = await first.request("PATCH", "/api/collections/builder-pages/kept-1", { body: { title: "New" } });
    assert.equal(page1.status, 200, page1.text);
    await untilTags("t:pages/t0", "p:kept-1", "c:builder-pages");
    assert.deepEqual(
      [...announced()].filter((tag) => tag === "site" || tag.includes("auth")),
      [],
    );
    // The write is answered, and its event still waits.
    assert.equal((await first.request("PATCH", `${list}/a1`, { body: { draft: true } })).status, 200);
    assert.equal((await first.request("POST", list, { body: { id: "last", title: "L" } })).status, 201);
    await first.kill();
    await first.restart();
    await untilTags("o:posts/last");
    await first.request("POST", "/api/site/redirects", { body: { source: "/purged", target: "/kept/0" } });
    await untilTags("site");
  } finally {
    await receiver.close();
  }
});
