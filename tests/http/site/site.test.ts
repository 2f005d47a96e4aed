// Sitemaps and feeds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
const base = "https://example.org";

before(async () => {
  server = await startServer({ env: { CAIRN_URL: base } });
  const text = { type: "string", field: "text" };
  const properties = {
    title: text,
    category: text,
    secret: { type: "password", field: "password" },
    sound: { type: "file" },
    draft: { type: "boolean", field: "toggle" },
    day: { type: "date", field: "date" },
    updated: { type: "date", field: "date" },
  };
  await server.makeSchema({ id: "story", properties, required: ["id"], index: ["id", "category"] });
  const sitemap = { enabled: true, frequency: "weekly", priority: 0.6, date: "day", exclude: "category:old" };
  await server.makeCollection({ id: "news", schema: "story", url: "/news/{category}/{id}", sitemap });
  await server.makeCollection({ id: "quiet", schema: "story", url: "/quiet", publicOperations: ["read"] });
  for (const [id, more] of [
    ["a", { category: "Big & small", day: "2026-01-02T00:00:00Z", updated: "2026-03-01T00:00:00Z", title: "A & B" }],
    ["b", { category: "plain", updated: "2026-04-01T00:00:00Z", title: "B" }],
    ["c", { title: "no category" }],
    ["d", { category: "plain", draft: true, title: "a draft" }],
    ["e", { category: "old", title: "E", updated: "2026-02-01T00:00:00Z" }],
  ] as const) {
    assert.equal((await server.request("POST", "/api/collections/news", { body: { id, ...more } })).status, 201);
  }
});
after(() => server.stop());

const anonymously = { key: null };
const get = (path: string, options: { key?: null; headers?: Record<string, string> } = anonymously) =>
  server.request("GET", path, options);
const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "g"))].map((m) => m[1]);

test("SITE-1, SITE-3 the index lists only collections with a sitemap", async () => {
  for (const path of ["/sitemap", "/sitemap.xml"]) {
    const { status, text, headers } = await get(path);
    assert.equal(status, 200, text);
    assert.equal(headers.get("content-type"), "application/xml; charset=utf-8");
    assert.deepEqual(all(text, "loc"), [`${base}/sitemap/news`]);
  }
  for (const path of ["/sitemap/quiet", "/sitemap/none", "/sitemap/quiet?include=id:a", "/sitemap/-pages"])
    for (const options of [anonymously, {}]) assert.equal((await get(path, options)).status, 404, path);
});

test("SITE-2, SITE-4, SITE-5 a sitemap lists addresses and dates of published objects, publicly", async () => {
  const { status, text } = await get("/sitemap/news");
  assert.equal(status, 200, text);
  assert.deepEqual(all(text, "loc"), [`${base}/news/big-small/a`, `${base}/news/plain/b`]);
  const [first, second] = all(text, "lastmod");
  assert.equal(first, "2026-01-02T00:00:00.000Z");
  assert.ok(Date.parse(second as string) > Date.now() - 3_600_000);
  assert.deepEqual(all(text, "changefreq"), ["weekly", "weekly"]);
  assert.deepEqual(all(text, "priority"), ["0.6", "0.6"]);
  assert.equal((await get("/api/collections/news/a")).status, 401);
  // With every right, too: a sitemap is for search engines.
  assert.equal((await get("/sitemap/news", {})).text, text);
});

test("SITE-6 other values are for callers that may read the collection", async () => {
  for (const query of [
    "include=category:plain",
    "exclude=id:a",
    "filter=id:a",
    "date=updated",
    "priority=1",
    "frequency=daily",
  ])
    assert.equal((await get(`/sitemap/news?${query}`)).status, 401, query);
  const asked = await get("/sitemap/news?filter=category:old&exclude=&date=updated&priority=1&frequency=daily", {});
  assert.deepEqual(all(asked.text, "loc"), []);
  const old = await get("/sitemap/news?include=category:old&exclude=id:x&date=updated&priority=1&frequency=daily", {});
  assert.deepEqual(all(old.text, "loc"), [`${base}/news/old/e`]);
  assert.equal(old.headers.get("cache-control"), "private, no-store");
  assert.match((await get("/sitemap/news")).headers.get("cache-control") ?? "", /^public/);
  assert.deepEqual(
    [all(old.text, "lastmod"), all(old.text, "changefreq"), all(old.text, "priority")],
    [["2026-02-01T00:00:00.000Z"], ["daily"], ["1"]],
  );
  for (const [query, name] of [
    ["priority=2", "priority"],
    ["frequency=often", "frequency"],
    ["include=nothing:1", "include"],
    ["page=0", "page"],
    ["page=x", "page"],
  ] as const) {
    const { status, body } = await get(`/sitemap/news?${query}`, {});
    assert.equal(status, 400, query);
    assert.ok(body.error.details[name], query);
  }
});

test("SITE-7 pages are listed by their own switches", async () => {
  const page = (id: string, more: object) =>
    server.request("POST", "/api/collections/builder-pages", { body: { id, title: id, template: "t", ...more } });
  assert.equal((await server.request("PUT", "/api/templates/pages/t", { body: { template: "t" } })).status, 201);
  await page("about", { route: "/about us", changeFrequency: "monthly", priority: 0.3 });
  await page("item", { route: "/items/{id}" });
  await page("gone", { route: "/gone", status: 410 });
  await page("draft", { route: "/draft", draft: true });
  await page("hidden", { route: "/hidden", sitemap: false });
  await page("unlisted", { route: "/unlisted", noindex: true });
  await page("members", { route: "/members", accessGroups: ["members"] });
  const { status, text } = await get("/sitemap/-pages");
  assert.equal(status, 200, text);
  assert.deepEqual(
    [all(text, "loc"), all(text, "changefreq"), all(text, "priority")],
    [[`${base}/about%20us`], ["monthly"], ["0.3"]],
  );
  assert.deepEqual(all((await get("/sitemap")).text, "loc"), [`${base}/sitemap/-pages`, `${base}/sitemap/news`]);
});

test("PAGE-31 the sitemap of a served site has no addresses that nothing answers", async () => {
  const stories = async () => all((await get("/sitemap/news")).text, "loc").length;
  assert.equal(await stories(), 0);
  const story = { id: "story", title: "Story", template: "t", route: "/news/{category}/{id}", collection: "news" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: story })).status, 201);
  assert.ok((await stories()) > 0);
  await server.setSetting("site.enabled", false);
  await server.request("DELETE", "/api/collections/builder-pages/story");
  assert.ok((await stories()) > 0, "the addresses are answered by another server");
  await server.setSetting("site.enabled", null);
  assert.equal((await server.request("PUT", "/api/templates/pages/news", { body: { template: "t" } })).status, 201);
  const quiet = { id: "quiet", title: "Quiet", template: "t", route: "/quiet", collection: "quiet" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: quiet })).status, 201);
  assert.ok((await stories()) > 0);
});

test("SITE-8 addresses beyond one file follow in the next", async () => {
  const limit = (maxAddresses: number | null) =>
    server.request("PUT", "/api/settings/sitemap", { body: { maxAddresses } });
  assert.equal((await get("/sitemap/news?page=2")).status, 404);
  assert.equal((await limit(2)).status, 200);
  const maps = all((await get("/sitemap")).text, "loc").filter((map) => map?.includes("news"));
  assert.deepEqual(maps, [`${base}/sitemap/news`, `${base}/sitemap/news?page=2`]);
  // The third has no address of its own.
  const listed = await Promise.all(["", "?page=2", "?page=3"].map((page) => get(`/sitemap/news${page}`)));
  assert.deepEqual(
    listed.map(({ status, text }) => [status, all(text, "loc").map((address) => address?.slice(-1))]),
    [
      [200, ["a", "b"]],
      [200, []],
      [404, []],
    ],
  );
  assert.equal((await limit(50_001)).status, 400);
  await limit(null);
});

test("SITE-15 a collection whose saved filter is wrong spoils only its own sitemap", async () => {
  const sitemap = { enabled: true, include: "nothing:1" };
  await server.makeCollection({ id: "wrong", schema: "story", url: "/wrong", sitemap });
  const index = await get("/sitemap");
  assert.equal(index.status, 200, index.text);
  assert.ok(all(index.text, "loc").includes(`${base}/sitemap/news`));
  assert.ok(!index.text.includes("/sitemap/wrong"));
  const own = await get("/sitemap/wrong");
  assert.deepEqual([own.status, Object.keys(own.body.error.details)], [400, ["include"]]);
});

test("SITE-10 a client with the ETag gets 304, until something changes", async () => {
  await server.request("PATCH", "/api/collections/quiet/settings", { body: { sitemap: { enabled: true } } });
  for (const path of ["/sitemap/quiet", "/feed/rss/quiet"]) {
    const etag = (await get(path)).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    assert.equal((await get(path, { ...anonymously, headers })).status, 304, path);
    await server.request("POST", "/api/collections/quiet", { body: { title: path, id: path.length.toString() } });
    const fresh = await get(path, { ...anonymously, headers });
    assert.equal(fresh.status, 200, path);
    assert.match(fresh.text, new RegExp(path.length.toString()));
  }
});

test("SITE-9, SITE-11, SITE-12, SITE-13 a feed has the newest objects, for callers that may read them", async () => {
  assert.equal((await get("/feed/rss/news")).status, 401);
  assert.equal((await get("/feed/rss/none", {})).status, 404);
  const { status, text, headers } = await get("/feed/rss/news?exclude=id:c", {});
  assert.equal(status, 200, text);
  assert.equal(headers.get("content-type"), "application/rss+xml; charset=utf-8");
  assert.match(headers.get("cache-control") ?? "", /^private/);
  assert.deepEqual(all(text.slice(text.indexOf("<item>")), "title"), ["B", "A &amp; B", "E"]);
  assert.deepEqual(all(text.slice(text.indexOf("<item>")), "link")[1], `${base}/news/big-small/a`);
  assert.match(text, /<guid isPermaLink="false">b<\/guid><pubDate>Wed, 01 Apr 2026 00:00:00 GMT<\/pubDate>/);
  assert.doesNotMatch(text, /draft/);
  const byDay = await get("/feed/rss/news?date=day&title=category&content=title&limit=1&include=day:gt:2026-01-01", {});
  assert.deepEqual(all(byDay.text.slice(byDay.text.indexOf("<item>")), "title"), ["Big &amp; small"]);
  assert.deepEqual(all(byDay.text, "description").at(-1), "A &amp; B");
  assert.equal(all((await get("/feed/rss/news?limit=-1", {})).text, "item").length, 4);
  for (const [query, name] of [
    ["title=nothing", "title"],
    ["content=secret", "content"],
    ["limit=x", "limit"],
    ["include=nothing:1", "include"],
    ["link=javascript:alert(1)", "link"],
    ["image=/x.png", "image"],
  ] as const) {
    const { status, body } = await get(`/feed/rss/news?${query}`, {});
    assert.equal(status, 400, query);
    assert.ok(body.error.details[name], query);
  }
});

/** The elements of a whole document; throws where one is not closed or a sign is not escaped. */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const rest = xml
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "")
    .replace(/<(\/?)([\w:]+)((?: [\w:]+="[^"<]*")*)(\/?)>/g, (_all, end, name, _attributes, isEmpty) => {
      if (end === "/") assert.equal(open.pop(), name);
      else {
        names.push([...open, name].join("/"));
        if (isEmpty === "") open.push(name);
      }
      return "";
    });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!(?:amp|lt|gt|quot);)/);
  return names;
}

test("SITE-9, SITE-10, SITE-16 the same feed as Atom and as JSON Feed", async () => {
  const query = "exclude=id:c&title=title&content=category&author=title&image=https://example.org/i.png";
  const name = encodeURIComponent("News </title>&\u0008");
  const kinds = { rss: "application/rss+xml", atom: "application/atom+xml", json: "application/feed+json" };
  const texts: Record<string, string> = {};
  for (const [format, type] of Object.entries(kinds)) {
    const path = `/feed/${format}/news?${query}&name=${name}`;
    const { status, text, headers } = await get(path, {});
    assert.deepEqual([status, headers.get("content-type")], [200, `${type}; charset=utf-8`], text);
    const again = await get(path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
    assert.equal((await get(`/feed/${format}/news`)).status, 401);
    assert.equal((await get(`/feed/${format}/none`, {})).status, 404);
    assert.equal((await get(`/feed/${format}/news?limit=x`, {})).status, 400);
    const one = await get(`/feed/${format}/quiet`);
    assert.deepEqual([one.status, one.headers.get("cache-control")], [200, "public, max-age=60"]);
    if (format !== "json") elementsOf(one.text);
    texts[format] = text;
  }
  elementsOf(texts.rss as string);
  const atom = texts.atom as string;
  const elements = elementsOf(atom);
  for (const needed of ["id", "title", "updated", "author/name", "link"])
    assert.ok(elements.includes(`feed/${needed}`));
  for (const needed of ["id", "title", "updated", "published", "content", "link", "author/name"])
    assert.equal(elements.filter((one) => one === `feed/entry/${needed}`).length, 3, needed);
  assert.deepEqual(all(atom.slice(atom.indexOf("<entry>")), "title"), ["B", "A &amp; B", "E"]);
  assert.match(atom, /<link rel="self" type="application\/atom\+xml" href="https:\/\/example\.org\/feed\/atom\/news\?/);
  assert.match(atom, /<published>2026-04-01T00:00:00.000Z<\/published><updated>20\d\d-/);
  const { items, ...feed } = JSON.parse(texts.json as string);
  assert.deepEqual([feed.version, feed.title], ["https://jsonfeed.org/version/1.1", "News </title>&\u0008"]);
  assert.deepEqual(
    [feed.home_page_url, feed.icon, feed.language],
    [`${base}/`, "https://example.org/i.png", undefined],
  );
  assert.match(feed.feed_url, /^https:\/\/example\.org\/feed\/json\/news\?/);
  const { date_modified, ...second } = items[1];
  assert.ok(date_modified > second.date_published);
  assert.deepEqual(second, {
    id: `${base}/api/collections/news/a`,
    url: `${base}/news/big-small/a`,
    ...{ title: "A & B", content_html: "Big & small", authors: [{ name: "A & B" }] },
    date_published: "2026-03-01T00:00:00.000Z",
  });
  assert.equal(new Set(items.map(({ id }: { id: string }) => id)).size, 3);
  const put = (locales: string[]) => server.request("PUT", "/api/settings/general", { body: { locales } });
  assert.equal((await put(["pt_BR", "en"])).status, 200);
  assert.equal((await get("/feed/json/news", {})).body.language, "pt-BR");
  assert.match((await get("/feed/atom/news", {})).text, /<feed [^>]*xml:lang="pt-BR">/);
  assert.deepEqual(all((await get("/feed/rss/news", {})).text, "language"), ["pt-BR"]);
  await put([]);
});

test("SITE-9, SITE-14 the feed is described by the query, and nothing in it can be more than text", async () => {
  const name = encodeURIComponent('News </title><script>&"\u0008');
  const path = `/feed/rss/news?name=${name}&description=All&link=https://example.org/n?a=1%26b=2&language=en-gb`;
  const { text } = await get(`${path}&image=https://example.org/i.png&api_key=${server.key}`);
  assert.equal(all(text, "title")[0], "News &lt;/title&gt;&lt;script&gt;&amp;&quot;");
  assert.equal(all(text, "link")[0], "https://example.org/n?a=1&amp;b=2");
  assert.deepEqual([all(text, "language"), all(text, "url")], [["en-gb"], ["https://example.org/i.png"]]);
  assert.match(text, /<description>All<\/description>/);
  // The feed names its own address, without the key.
  assert.match(text, /<atom:link href="https:\/\/example\.org\/feed\/rss\/news\?name=/);
  assert.doesNotMatch(text, new RegExp(server.key));
});

test("SITE-12 a file is an enclosure with its length and type", async () => {
  const form = new FormData();
  form.set("sound", new Blob([Buffer.from("ID3 not much of a song")]), "song.mp3");
  const uploaded = await fetch(`${server.url}/api/collections/news/b/sound`, {
    method: "POST",
    headers: { "x-api-key": server.key },
    body: form,
  });
  assert.equal(uploaded.status, 200, await uploaded.text());
  const { text } = await get("/feed/rss/news?media=sound&include=id:b", {});
  assert.match(
    text,
    /<enclosure url="https:\/\/example\.org\/stream\/news\/b\/sound" length="22" type="[a-z]+\/[a-z0-9.+-]+"\/>/,
  );
  const atom = await get("/feed/atom/news?media=sound&include=id:b", {});
  assert.match(atom.text, /<link rel="enclosure" href="https:\/\/example\.org\/stream\/news\/b\/sound" length="22" /);
  const { items } = JSON.parse((await get("/feed/json/news?media=sound&include=id:b", {})).text);
  const [{ mime_type, ...sound }] = items[0].attachments;
  assert.match(mime_type, /^[a-z]+\//);
  assert.deepEqual(sound, { url: `${base}/stream/news/b/sound`, size_in_bytes: 22 });
});
