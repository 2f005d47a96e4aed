// The order in which routes answer, as a table of addresses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { objectAddress } from "./object-routes.ts";
import { routeProblem } from "./page-rules.ts";
import { encodePath, fillRoute, parseRoute, segmentsOf } from "./route-pattern.ts";
import { buildTable, type Routed, type RouteTable } from "./route-table.ts";

interface Named extends Routed {
  idsIn?(params: Readonly<Record<string, string>>): string[];
}

/** Pages by their route; collections by the URL pattern of their objects. */
function tableOf(routes: Record<string, string>, collections: Record<string, string> = {}): RouteTable<Named> {
  const table = buildTable<Named>();
  for (const [id, route] of Object.entries(routes)) table.add({ kind: "page", id, pattern: parseRoute(route) });
  for (const [id, url] of Object.entries(collections)) {
    const address = objectAddress({ url, prettyUrl: true });
    if (address) table.add({ kind: "object", id, ...address });
  }
  return table.finish();
}

/** All that fit, in order. */
function fitting(table: RouteTable<Named>, path: string): string[] {
  const segments = segmentsOf(path);
  if (!segments) return [];
  const open = [...table.findOpen(segments), ...table.findRest(segments)].map(({ route }) => route.id);
  return [...table.findStatic(segments).map(({ id }) => id), ...open];
}

const site = tableOf(
  {
    home: "/",
    about: "/about",
    team: "/about/team",
    umlaut: "/über uns",
    feed: "/feeds/all.xml",
    any: "/{slug}",
    anyJson: "/{slug}.json",
    author: "/authors/{id}",
    authorBooks: "/authors/{id}/books",
    authorBook: "/authors/{id}/books/{book}",
    bookOf: "/authors/{id}/{kind}/{book}",
    year: "/archive/{year:\\d{4}}",
    month: "/archive/{year:\\d{4}}/{month:\\d{2}}",
    archive: "/archive/{name}",
    two: "/{a}/{b}",
    news: "/{section}/news",
    blogPage: "/blog/{post}",
    zPage: "/shop/{z}",
    aPage: "/shop/{a}",
    docs: "/docs/{path:.*}",
    docsDeep: "/docs/api/{path:.*}",
    docsNamed: "/docs/{version:v\\d+}/{path:.+}",
    rest: "/{path:.*}",
  },
  { blog: "/blog", walks: "/walks/{region}/{id}", people: "/people/{id}", news: "/items/{category}-{id}" },
);

const words = ["alpha", "Beta", "gamma-1", "d_e", "2024", "x.y", "ünï", "a b", "50%", "-"];
const rows: [path: string, ...ids: string[]][] = [
  ["/", "home", "rest"],
  ["/about", "about", "any", "rest"],
  ["/about/team", "team", "two", "rest"],
  ["/%C3%BCber%20uns", "umlaut", "any", "rest"],
  ["/u%CC%88ber%20uns", "umlaut", "any", "rest"],
  ["/feeds/all.xml", "feed", "two", "rest"],
  ["/archive/2024", "archive", "year", "two", "rest"],
  ["/archive/24", "archive", "two", "rest"],
  ["/archive/2024/05", "month", "rest"],
  ["/archive/2024/5", "rest"],
  ["/authors/news", "author", "news", "two", "rest"],
  ["/docs", "any", "docs", "rest"],
  ["/docs/a", "two", "docs", "rest"],
  ["/docs/api", "two", "docsDeep", "docs", "rest"],
  ["/docs/api/x/y/z", "docsDeep", "docs", "rest"],
  ["/docs/v1", "two", "docs", "rest"],
  ["/docs/v1/start", "docs", "docsNamed", "rest"],
  ["/docs/a/b/c/d/e/f", "docs", "rest"],
  ["/walks/harz/brocken", "walks", "rest"],
  ["/items/tools-hammer", "news", "two", "rest"],
  ["/shop/x", "aPage", "zPage", "two", "rest"],
  ["/a%2Fb"],
  ["/a%5Cb"],
  ["/a\\b"],
  ["/a%00b"],
  ["/%0d%0aSet-Cookie:x"],
  ["//about"],
  ["/about//team"],
  ["/./about"],
  ["/%2e%2e/about"],
  ["/%E0%A4%A"],
];
for (const word of words) {
  const sent = encodeURIComponent(word);
  rows.push(
    [`/${sent}`, "any", "rest"],
    [`/${sent}.json`, "anyJson", "any", "rest"],
    [`/${sent}/news`, "news", "two", "rest"],
    [`/authors/${sent}`, "author", "two", "rest"],
    [`/authors/${sent}/books`, "authorBooks", "rest"],
    [`/authors/${sent}/books/1`, "authorBook", "bookOf", "rest"],
    [`/authors/${sent}/films/1`, "bookOf", "rest"],
    [`/authors/1/${sent}/1`, "bookOf", "rest"],
    [`/blog/${sent}`, "blogPage", "blog", "two", "rest"],
    [`/people/${sent}`, "people", "two", "rest"],
    [`/walks/${sent}/x`, "walks", "rest"],
    [`/walks/x/${sent}`, "walks", "rest"],
    [`/shop/${sent}`, "aPage", "zPage", "two", "rest"],
    [`/one/two/three/${sent}`, "rest"],
    [`/docs/${sent}/x`, "docs", "rest"],
    [`/docs/api/${sent}`, "docsDeep", "docs", "rest"],
    [`/docs/v2/${sent}`, "docs", "docsNamed", "rest"],
  );
}

test("PAGE-1 routes answer in the order of their specificity", () => {
  assert.ok(rows.length >= 200);
  for (const [path, ...ids] of rows) assert.deepEqual(fitting(site, path), ids, path);
});

test("PAGE-2 parameters arrive decoded once, and never hold a slash or a control character", () => {
  const paramsAt = (path: string) =>
    [...site.findOpen(segmentsOf(path) ?? ["", "", ""])].map(({ params }) => ({ ...params }));
  assert.deepEqual(paramsAt("/authors/a%20b%2525/books/%C3%BC")[0], { id: "a b%25", book: "ü" });
  assert.deepEqual(paramsAt("/x.json")[0], { slug: "x" });
  const [first] = site.findRest(segmentsOf("/docs/a%20b/c") as string[]);
  assert.equal(first?.params.path, "a b/c");
  assert.equal(segmentsOf("/docs/a%2Fb"), undefined);
  assert.equal(segmentsOf("/docs/%7f"), undefined);
});

test("PAGE-3 the id of an object is found in every form of URL pattern", () => {
  const ids = (url: string, path: string) => {
    const [found] = tableOf({}, { c: url }).findOpen(segmentsOf(path) as string[]);
    return found?.route.idsIn?.(found.params);
  };
  assert.deepEqual(ids("/blog", "/blog/x"), ["x"]);
  assert.deepEqual(ids("/news/{category}", "/news/a/x"), ["x"]);
  assert.deepEqual(ids("/news/{{ category | upper }}/{{id}}", "/news/A/x"), ["x"]);
  assert.deepEqual(ids("/n/{category}-{id}.html", "/n/a-b-c.html"), ["b-c", "c"]);
  assert.deepEqual(ids("/n/{id}-{title}", "/n/a-b-c"), ["a", "a-b"]);
  for (const url of ["//evil", "/\\evil", "https://other.example/{id}", "/x?id={id}", "x/{id}", ""])
    assert.equal(objectAddress({ url, prettyUrl: true }), undefined, url);
  assert.equal(objectAddress({ url: "/blog", prettyUrl: false }), undefined);
});

test("PAGE-4 a route that nothing could answer is refused with the reason", () => {
  const refused: [route: string, reason: RegExp][] = [
    ["about", /begin with one/],
    ["//about", /begin with one/],
    ["/\\about", /begin with one/],
    ["/a//b", /"\/\/"/],
    ["/a/../b", /"\.\."/],
    ["/a?b=1", /query/],
    ["/a#b", /fragment/],
    ["/a\nb", /control/],
    ["/a\\b", /backslash/],
    ["/a/", /end with/],
    ["/api/x", /service/],
    ["/login", /service/],
    ["/-/x", /service/],
    ["/{a", /without/],
    ["/a}", /without/],
    ["/{a b}", /name/],
    ["/{a}/{a}", /twice/],
    ["/{a}-{b}", /one segment/],
    ["/{a:(}", /pattern/],
    ["/{a:(?=x)}", /pattern/],
    ["/{a:x/y}", /slash/],
    [`/${"a".repeat(600)}`, /longer/],
  ];
  for (const [route, reason] of refused) assert.match(routeProblem(route) ?? "", reason, route);
  for (const route of ["/", "/a", "/über uns", "/{a}", "/{a:\\d{4}}.xml", "/x/{path:.*}", "/apis", "/{a:a|b?}"])
    assert.equal(routeProblem(route), undefined, route);
});

test("PAGE-2 the address of a page is its route with the values of the placeholders", () => {
  assert.equal(fillRoute(parseRoute("/a b/{id}"), { id: "x/y" }), "/a%20b/x/y");
  assert.equal(fillRoute(parseRoute("/{id}"), {}), undefined);
  assert.equal(fillRoute(parseRoute("/docs/{path:.*}"), { path: "a/b" }), "/docs/a/b");
  assert.equal(encodePath("/ü+@:x"), "/%C3%BC+@:x");
});

test("PAGE-5 ten thousand pages are resolved by a map and a tree", async () => {
  const routes: Record<string, string> = {};
  for (let n = 0; n < 5_000; n++) {
    routes[`s${n}`] = `/section-${n % 50}/page-${n}`;
    routes[`p${n}`] = `/section-${n % 50}/list-${n}/{id}`;
  }
  const table = tableOf(routes);
  // A walk through all routes would take minutes.
  const took = await leastTime(1_000, () => {
    for (let n = 0; n < 5_000; n++) {
      assert.equal(fitting(table, `/section-${n % 50}/page-${n}`)[0], `s${n}`);
      assert.deepEqual(fitting(table, `/section-${n % 50}/list-${n}/x`), [`p${n}`]);
    }
  });
  assert.ok(took < 1_000, `${took} ms`);
});
