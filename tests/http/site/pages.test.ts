// Pages of the site: routes, records, status pages, access, JSON.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { http, type RequestOptions, type Server, startServer } from "../../harness.ts";
import { makeUser, signIn } from "../../support/sign-in.ts";

let server: Server;
const pages = "/api/collections/builder-pages";
const text = { type: "string", field: "text" };

before(async () => {
  server = await startServer({ env: { CAIRN_URL: "https://example.org" } });
});
after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request("GET", path, { key: null, headers: { accept: "text/html", ...headers } });
const put = (method: string, path: string, body?: unknown) => server.request(method, path, { body });
const page = (id: string, more: object) => put("POST", pages, { id, title: id, template: "plain", ...more });

async function made(id: string, more: object): Promise<void> {
  const { status, text: answer } = await page(id, more);
  assert.equal(status, 201, answer);
}

/** As sent: fetch would tidy the path. */
function raw(path: string, method = "GET"): Promise<{ status: number; location: string | undefined }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }));
    });
    request.on("error", reject).end();
  });
}

test("PAGE-30 without pages and templates, unknown addresses are answered as by a headless installation", async () => {
  const { status, headers } = await get("/about");
  assert.equal(status, 404);
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.equal((await get("/robots.txt")).status, 404);
  assert.equal((await server.request("POST", "/about", { key: null })).status, 404);
});

test("PAGE-3, PAGE-6, PAGE-7 pages, objects and routes for the rest answer in their order", async () => {
  const template = (id: string, body: string) => put("PUT", `/api/templates/pages/${id}`, { template: body });
  for (const [id, body] of [
    ["plain", "{{ page.id }} {{ object.id }} {{ params.id }}{{ params.path }}"],
    ["walks", "walk {{ object.title }}"],
    ["notes", "note {{ object.id }}"],
    ["broken", '{% render "nowhere" %}'],
    ["data", '{"id":{{ page.id | json }}}'],
  ] as const)
    assert.equal((await template(id, body)).status, 201, id);
  const properties = { title: text, region: text, slug: text, draft: { type: "boolean", field: "toggle" } };
  await server.makeSchema({ id: "walk", properties, required: ["id"], index: ["id", "slug", "region"] });
  await server.makeCollection({ id: "walks", schema: "walk", url: "/walks/{region}/{id}", publicOperations: ["read"] });
  await server.makeCollection({ id: "notes", schema: "walk", url: "/notes", prettyUrl: true });
  await server.makeCollection({ id: "closed", schema: "walk" });
  for (const [collection, body] of [
    ["walks", { id: "brocken", title: "Brocken", region: "Harz", slug: "b-1" }],
    ["walks", { id: "hidden", title: "Hidden", region: "Harz", draft: true, slug: "h-1" }],
    ["notes", { id: "one", title: "One" }],
    ["closed", { id: "secret", title: "Secret" }],
  ] as const)
    assert.equal((await put("POST", `/api/collections/${collection}`, body)).status, 201);
  await made("home", { route: "/" });
  await made("about", { route: "/about" });
  await made("by-slug", { route: "/w/{slug}", collection: "walks", lookup: "slug" });
  await made("shut", { route: "/shut/{id}", collection: "closed" });
  await made("shut-any", { route: "/shut/{x}" });
  await made("first", { route: "/first", collection: "walks" });
  await made("docs", { route: "/docs/{path:.*}" });
  const bodies: [path: string, status: number, body: string][] = [
    ["/", 200, "home  "],
    ["/about", 200, "about  "],
    ["/walks/harz/brocken", 200, "walk Brocken"],
    ["/notes/one", 200, "note one"],
    ["/w/b-1", 200, "by-slug brocken "],
    ["/first", 200, "first brocken "],
    ["/shut/secret", 200, "shut-any  "],
    ["/docs/a/b%20c", 200, "docs  a/b c"],
    ["/docs", 200, "docs  "],
  ];
  for (const [path, status, body] of bodies) {
    const answer = await get(path);
    assert.deepEqual([answer.status, answer.text.trim()], [status, body.trim()], path);
  }
  for (const path of ["/nothing", "/walks/harz/nothing", "/walks/harz/hidden", "/w/B-1", "/w/h-1", "/notes/none"])
    assert.equal((await get(path)).status, 404, path);
  assert.deepEqual(await raw("/walks/elsewhere/brocken?x=1"), { status: 301, location: "/walks/harz/brocken?x=1" });
});

test("PAGE-14 a collection with a plain address has its objects at ?id=", async () => {
  await server.makeCollection({ id: "flat", schema: "walk", url: "/flat", prettyUrl: false });
  await put("POST", "/api/collections/flat", { id: "x", title: "X" });
  await put("POST", "/api/collections/flat", { id: "y", title: "Y" });
  await made("flat", { route: "/flat", collection: "flat" });
  assert.equal((await get("/flat?id=y")).text.trim(), "flat y");
  assert.equal((await get("/flat?id=none")).status, 404);
});

test("PAGE-8 other methods on a page are 405 with Allow", async () => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const { status, headers } = await server.request(method, "/about", { key: null });
    assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"], method);
    assert.equal((await server.request(method, "/nothing", { key: null })).status, 404, method);
  }
  const head = await server.request("HEAD", "/about", { key: null });
  assert.deepEqual([head.status, head.text], [200, ""]);
});

test("PAGE-4, PAGE-10, PAGE-11, PAGE-12, PAGE-13 a page that could not answer is refused with the reason", async () => {
  const refused: [name: string, body: object, reason: RegExp][] = [
    ["route", { route: "no-slash" }, /begin with one/],
    ["route", { route: "/api/x" }, /service/],
    ["route", { route: "/about" }, /page "about" already/],
    ["redirectTo", { route: "/r", status: 301 }, /required/],
    ["redirectTo", { route: "/r", status: 302, redirectTo: "//evil.example" }, /one slash/],
    ["redirectTo", { route: "/r", status: 302, redirectTo: "/\\evil.example" }, /backslash/],
    ["redirectTo", { route: "/r", status: 302, redirectTo: "javascript:alert(1)" }, /http/],
    ["template", { route: "/r", template: "plian" }, /Did you mean "pages\/plain"/],
    ["cache", { route: "/r", cache: "sometimes" }, /seconds/],
    ["canonical", { route: "/r", canonical: "ftp://x" }, /http/],
  ];
  for (const [name, body, reason] of refused) {
    const answer = await page("refused", body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(String(answer.body.error.details[name]), reason, JSON.stringify(body));
  }
  assert.equal((await put("GET", `${pages}/refused`)).status, 404);
  assert.equal((await page("twin", { route: "/about", draft: true })).status, 201);
  assert.ok((await put("PATCH", `${pages}/twin`, { draft: false })).body.error.details.route);
  assert.equal((await put("PATCH", `${pages}/about`, { parent: "home" })).status, 200);
  const circle = await put("PATCH", `${pages}/home`, { parent: "about" });
  assert.match(String(circle.body.error.details.parent), /home, about, home/);
});

test("PAGE-20, PAGE-27 headers fit the kind of page", async () => {
  const html = await get("/about");
  assert.equal(html.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(html.headers.get("content-security-policy") ?? "", /^default-src 'self'; script-src 'self'/);
  assert.equal(html.headers.get("referrer-policy"), "strict-origin-when-cross-origin");
  assert.match(html.headers.get("permissions-policy") ?? "", /camera=\(\)/);
  assert.equal(html.headers.get("x-content-type-options"), "nosniff");
  assert.equal(html.headers.get("x-robots-tag"), null);
  assert.equal(html.headers.get("set-cookie"), null);
  await made("unlisted", { route: "/unlisted", noindex: true });
  assert.equal((await get("/unlisted")).headers.get("x-robots-tag"), "noindex");
  await made("json", { route: "/data.json", template: "data" });
  const json = await get("/data.json");
  assert.deepEqual([json.headers.get("content-type"), json.body], ["application/json; charset=utf-8", { id: "json" }]);
  await server.setSetting("site.csp", { "img-src": "https://img.example", "object-src": ["'self'"] });
  const policy = (await get("/about")).headers.get("content-security-policy") ?? "";
  assert.match(policy, /img-src https:\/\/img\.example;.*object-src 'self'/);
  for (const bad of [
    { "img src": "'self'" },
    { "img-src": "a; script-src *" },
    { "img-src": "a\nb" },
    { "img-src": 1 },
  ]) {
    const { status, body } = await put("PUT", "/api/settings/site", { csp: bad });
    assert.equal(status, 400, JSON.stringify(bad));
    assert.match(JSON.stringify(body.error.details), /site\.csp/);
  }
  await server.setSetting("site.csp", null);
});

test("PAGE-21, PAGE-23 drafts do not exist, and the page of status 404 answers for what is missing", async () => {
  assert.match((await get("/nothing")).text, /Page not found/);
  await made("missing-b", { status: 404, order: 2 });
  await made("missing-a", { status: 404, order: 2 });
  await made("missing-c", { status: 404, order: 1, draft: true });
  await made("draft", { route: "/draft", draft: true });
  for (const path of ["/nothing", "/draft"]) {
    const { status, text: body } = await get(path);
    assert.deepEqual([status, body.trim()], [404, "missing-a"], path);
  }
  const json = await get("/nothing", { accept: "application/json" });
  assert.deepEqual([json.status, json.body], [404, { error: { code: 404, message: "Not found" } }]);
  await made("gone", { route: "/gone", status: 410 });
  const gone = await get("/gone");
  assert.deepEqual([gone.status, gone.text.trim()], [410, "gone"]);
  await made("moved", { route: "/moved", status: 301, redirectTo: "/about" });
  assert.deepEqual(await raw("/moved?x=1"), { status: 301, location: "/about?x=1" });
  await put("DELETE", `${pages}/missing-a`);
  await put("DELETE", `${pages}/missing-b`);
});

test("PAGE-28 a template that fails shows visitors nothing but the id of their request", async () => {
  await made("broken", { route: "/broken", template: "broken" });
  const { status, text: body, headers } = await get("/broken");
  assert.equal(status, 500);
  assert.ok(body.includes(String(headers.get("x-request-id"))));
  assert.ok(!body.includes("nowhere"));
  await until(() => server.stderr.includes("nowhere") || server.stdout.includes("nowhere"));
});

test("PAGE-29 builders see the mistake in development", async () => {
  await server.setSetting("environment", "development");
  const { status, text: body, headers } = await get("/broken");
  assert.equal(status, 500);
  assert.match(body, /pages\/broken, line 1, column 1.*<mark[^>]*>1 {2}\{% render &quot;nowhere&quot; %\}/s);
  assert.match(headers.get("cache-control") ?? "", /no-store/);
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  await made("broken-data", { route: "/broken.json", template: "broken" });
  const { error } = (await get("/broken.json")).body;
  assert.deepEqual([error.code, error.template, error.line], [500, "pages/broken", 1]);
  assert.equal((await get("/robots.txt")).text, "User-agent: *\nDisallow: /\n");
  await server.setSetting("environment", null);
});

test("PAGE-36 errors of pages are listed with their place, counted", async () => {
  await put("PUT", "/api/templates/pages/curious", { template: '{% query all from "closed" %}{{ all.size }}' });
  await put("PUT", "/api/templates/pages/notes", {
    template: '{{ object.title }}{% get a from "closed", "x" %}{% render "gone" %}',
  });
  await made("curious", { route: "/curious", template: "curious" });
  await get("/broken");
  await get("/notes/one");
  assert.equal((await get("/curious")).status, 200);
  type Told = { template: string; kind: string; line: number; message: string; path: string; count: number };
  const told = async ({
    request,
  }: Pick<Server, "request"> = server): Promise<(template: string, kind: string) => Told | undefined> => {
    const { status, body } = await request("GET", "/api/site/errors");
    assert.equal(status, 200);
    const all = body.data as Told[];
    return (template: string, kind: string) => all.find((one) => one.template === template && one.kind === kind);
  };
  // Each node writes what it has counted a moment later.
  const find = await until(
    () => told(),
    (seen) =>
      (seen("pages/broken", "page")?.count ?? 0) >= 2 && seen("pages/notes", "page") && seen("pages/curious", "read"),
  );
  const { line, message, path } = find("pages/notes", "page") as Told;
  assert.deepEqual([line, path], [1, "/notes/one"]);
  assert.match(message, /There is no partial "gone"/);
  assert.match(find("pages/curious", "read")?.message ?? "", /"closed" is not on the site/);
  const collections = { operations: ["read"], allowed: ["builder-pages"] };
  await put("POST", "/api/access-groups", { id: "builders", permissions: { collections, builder: true } });
  await makeUser(server, "ben", ["builders"]);
  const seen = await told(await signIn(server, "ben"));
  assert.deepEqual([seen("pages/notes", "page")?.path, seen("pages/broken", "page")?.path], ["", "/broken"]);
});

test("PAGE-22 pages for groups are for their members", async () => {
  await put("POST", "/api/access-groups", { id: "members", permissions: {} });
  await makeUser(server, "ada", ["members"]);
  await makeUser(server, "bob");
  await makeUser(server, "eve", ["admin"]);
  await made("members", { route: "/members", accessGroups: ["members"] });
  assert.deepEqual(await raw("/members?x=1"), { status: 302, location: "/login?redirect=%2Fmembers%3Fx%3D1" });
  assert.equal((await get("/members", { accept: "application/json" })).status, 401);
  const seen: [string, number][] = [];
  for (const id of ["ada", "bob", "eve"]) {
    const { cookie } = await signIn(server, id);
    const { status, headers } = await get("/members", { cookie });
    assert.equal(headers.get("cache-control"), "private, no-store");
    seen.push([id, status]);
  }
  assert.deepEqual(seen, [
    ["ada", 200],
    ["bob", 403],
    ["eve", 200],
  ]);
});

test("PAGE-24 a page as JSON shows what the caller may read by the API", async () => {
  const open = await get("/walks/harz/brocken?_format=json");
  assert.equal(open.status, 200, open.text);
  assert.deepEqual(
    [open.body.params, open.body.template, open.body.collection, open.body.status, open.body.object.title],
    [{ region: "harz", id: "brocken" }, "pages/walks", "walks", 200, "Brocken"],
  );
  assert.match(open.headers.get("vary") ?? "", /Accept/);
  assert.equal((await get("/notes/one", { accept: "application/json" })).status, 401);
  const known: RequestOptions = { headers: { accept: "application/json" } };
  assert.equal((await server.request("GET", "/notes/one", known)).body.object.title, "One");
  const { body } = await get("/about?_format=json");
  assert.deepEqual([body.page.id, body.page.cache], ["about", undefined]);
  assert.equal((await server.request("GET", "/about?_format=json")).body.page.cache, "auto");
});

test("PAGE-25 one slash at the end is settled by a redirect, two in a row are nothing", async () => {
  assert.deepEqual(await raw("/about/?a=b"), { status: 301, location: "/about?a=b" });
  assert.equal((await raw("/nothing/")).status, 404);
  for (const path of ["//about", "/about//", "//evil.example/..", "/\\evil.example/", "/docs//x", "/%2F/evil.example"])
    assert.deepEqual(await raw(path), { status: 404, location: undefined }, path);
  await server.setSetting("site.trailingSlash", "always");
  assert.deepEqual(await raw("/about?a=b"), { status: 301, location: "/about/?a=b" });
  assert.equal((await raw("/about/")).status, 200);
  assert.equal((await raw("/data.json")).status, 200);
  await server.setSetting("site.trailingSlash", "ignore");
  assert.deepEqual([(await raw("/about")).status, (await raw("/about/")).status], [200, 200]);
  await server.setSetting("site.trailingSlash", null);
});

test("PAGE-26 robots.txt and favicon.ico answer by themselves", async () => {
  assert.equal((await get("/robots.txt")).text, "User-agent: *\nAllow: /\nSitemap: https://example.org/sitemap.xml\n");
  await server.setSetting("site.indexed", false);
  assert.equal((await get("/robots.txt")).text, "User-agent: *\nDisallow: /\n");
  assert.equal((await get("/about")).headers.get("x-robots-tag"), "noindex, nofollow");
  await server.setSetting("site.indexed", null);
  assert.equal((await get("/favicon.ico")).status, 204);
  await made("robots", { route: "/robots.txt" });
  const own = await get("/robots.txt");
  assert.deepEqual([own.text.trim(), own.headers.get("content-type")], ["robots", "text/plain; charset=utf-8"]);
});

test("PAGE-32, PAGE-34 routes are listed and explained", async () => {
  const { body, status } = await put("GET", "/api/site/routes");
  assert.equal(status, 200);
  const find = (kind: string, id: string) =>
    body.data.find((one: { kind: string; id: string }) => one.kind === kind && one.id === id);
  assert.deepEqual(find("page", "shut").clashes, ["page shut-any"]);
  assert.equal(find("object", "walks").route, "/walks/{region}/{id}");
  const resolve = async (path: string) =>
    (await put("GET", `/api/site/resolve?path=${encodeURIComponent(path)}`)).body.data;
  const told = await resolve("/walks/elsewhere/brocken");
  assert.deepEqual([told.kind, told.status, told.target], ["redirect", 301, "/walks/harz/brocken"]);
  const shut = await resolve("/shut/secret");
  assert.deepEqual([shut.kind, shut.page, shut.steps.length], ["page", "shut-any", 2]);
  assert.equal((await resolve("/api/x")).kind, "service");
  assert.equal((await put("GET", "/api/site/resolve?path=x")).status, 400);
  const cli = await server.cli(["site:resolve", "/about", "--json"]);
  assert.equal(JSON.parse(cli.stdout).page, "about", cli.stderr);
  assert.match((await server.cli(["site:routes"])).stdout, /\/walks\/\{region\}\/\{id\}/);
  const rendered = await server.cli(["site:render", "/walks/harz/brocken", "--explain"]);
  assert.deepEqual([rendered.code, rendered.stdout.trim()], [0, "walk Brocken"]);
  assert.match(rendered.stderr, /object walks\/brocken: .*title/);
  assert.equal((await server.cli(["site:render", "/nothing"])).code, 1);
});

test("PAGE-33 pages are ordered in one transaction", async () => {
  const order = (tree: unknown, headers: Record<string, string> = {}) =>
    server.request("PUT", "/api/site/order", { body: { tree }, headers });
  const etag = String((await put("GET", "/api/site/routes")).headers.get("etag"));
  const tree = [{ id: "about", children: [{ id: "docs" }, { id: "home" }] }];
  const done = await order(tree, { "if-match": etag });
  assert.equal(done.status, 200, done.text);
  const places = async () =>
    Promise.all(
      ["about", "docs", "home"].map(async (id) => {
        const { parent, order: place } = (await put("GET", `${pages}/${id}`)).body.data;
        return [parent, place];
      }),
    );
  const now = [
    ["", 1],
    ["about", 1],
    ["about", 2],
  ];
  assert.deepEqual(await places(), now);
  assert.equal((await order([{ id: "docs" }], { "if-match": etag })).status, 412);
  for (const bad of [undefined, "x", [{}], [{ id: "home" }, { id: "home" }], [{ id: "docs" }, { id: "nobody" }]]) {
    const { status, body } = await order(bad);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["tree"]], JSON.stringify(bad));
  }
  assert.deepEqual(await places(), now);
});

test("PAGE-35 the site is checked as a whole", async () => {
  const text = '{% query posts from "closed" %}\n<img src="/x.png">\n<a onclick="x()">y</a>';
  writeFileSync(join(server.dataDir, "builder", "pages", "poor.liquid"), text);
  // Nodes other than that of the file follow a moment later.
  const { body, status } = await until(
    () => put("GET", "/api/site/check"),
    ({ text: checked }) => checked.includes("pages/poor"),
  );
  assert.equal(status, 200);
  const found = (level: string, template: string) =>
    body.data
      .filter((one: { level: string; template: string }) => one.level === level && one.template === template)
      .map((one: { line: number; message: string }) => `${one.line} ${one.message}`);
  assert.match(String(found("error", "pages/broken")), /1 There is no template "partials\/nowhere"/);
  assert.deepEqual(found("warning", "pages/poor").sort(), [
    '1 The template reads the collection "closed", which is not on the site.',
    "2 An image has no alternative text.",
    "3 The content policy stops handlers in attributes.",
  ]);
  assert.match(String(found("warning", "")), /fits the same addresses as page shut-any/);
  assert.match(String(found("hint", "")), /404/);
  const cli = await server.cli(["site:check"]);
  assert.equal(cli.code, 1, cli.stderr);
  assert.match(cli.stdout, /pages\/poor:2/);
});

test("PAGE-37, PAGE-38 links of all pages and forms are checked", async () => {
  const links =
    '<a href="/about">a</a><a href="/lost?x=1&amp;y=2#top">b</a><a href="https://example.org/also-lost">c</a>';
  const others = '<a href="https://other.example/x">d</a><a href="mailto:a@b.c">e</a><a href="/api/none">f</a>';
  const shown = '{% form "orders/contact" %}{% endform %}\n{% form "walks/contact" %}{% endform %}';
  await put("PUT", "/api/templates/pages/linking", { template: `${links}${others}\n${shown}` });
  await made("linking", { route: "/linking", template: "linking" });
  const actions = [
    { type: "mailer", mailerId: "gone" },
    { type: "automation", id: "gone" },
  ];
  const forms = { contact: { enabled: true, fields: ["title"], actions } };
  await put("PATCH", "/api/collections/closed/settings", { forms });
  const cli = await server.cli(["site:check", "--links", "--json"]);
  assert.equal(cli.code, 1, cli.stderr);
  const findings = JSON.parse(cli.stdout) as { message: string; template: string; line: number }[];
  const told = (pattern: RegExp) => findings.filter(({ message }) => pattern.test(message));
  for (const lost of ["/lost\\?x=1&y=2", "/also-lost"])
    assert.equal(
      told(new RegExp(`^${lost} leads nowhere \\(status 404\\)\\. It is linked on /linking\\.$`)).length,
      1,
      lost,
    );
  assert.equal(told(/^\/broken cannot be shown \(status 500\)/).length, 1);
  assert.deepEqual(told(/^\/about|other\.example|mailto|\/api\/none/), []);
  assert.deepEqual(
    told(/The template shows/).map(({ template, line }) => [template, line]),
    [
      ["pages/linking", 2],
      ["pages/linking", 3],
    ],
  );
  assert.deepEqual(
    told(/^The form "closed\/contact" ends with/).map(({ message }) => message.split(" with ")[1]),
    ['the mail "gone", which does not exist.', 'the automation "gone", which does not exist.'],
  );
});

test("PAGE-30 site.enabled switches pages off", async () => {
  await server.setSetting("site.enabled", false);
  assert.equal((await get("/about")).status, 404);
  assert.equal((await get("/robots.txt")).status, 404);
  await server.setSetting("site.enabled", null);
  assert.equal((await get("/about")).status, 200);
});
