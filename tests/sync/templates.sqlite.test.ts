// Templates as files: over HTTP, on the command line, on disk. Files are files, whatever the database.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const put = (id: string, template: string, headers = {}): Promise<Answer> =>
  server.request("PUT", `/api/templates/${id}`, { body: { template }, headers });
const fileOf = (id: string) => join(server.dataDir, "builder", `${id}.liquid`);

function place(id: string, text: string): void {
  mkdirSync(dirname(fileOf(id)), { recursive: true });
  writeFileSync(fileOf(id), text);
}

test("TPL-1 TPL-4 a template is a file that PUT creates and replaces", async () => {
  const made = await put("pages/home", "<h1>{{ page.title }}</h1>");
  assert.equal(made.status, 201);
  assert.deepEqual(
    [made.body.data.id, made.body.data.template, made.body.data.size],
    ["pages/home", "<h1>{{ page.title }}</h1>", 25],
  );
  assert.equal(readFileSync(fileOf("pages/home"), "utf8"), "<h1>{{ page.title }}</h1>");
  const replaced = await put("pages/home", "<h2>é</h2>");
  assert.equal(replaced.status, 200);
  assert.equal(readFileSync(fileOf("pages/home"), "utf8"), "<h2>é</h2>");
});

test("TPL-3 TPL-4 POST creates once, GET reads with an ETag, DELETE removes", async () => {
  const body = { id: "partials/card", template: "card" };
  const made = await server.request("POST", "/api/templates", { body });
  assert.equal(made.status, 201);
  assert.match(made.headers.get("location") ?? "", /\/api\/templates\/partials\/card$/);
  assert.equal((await server.request("POST", "/api/templates", { body })).status, 400);
  const read = await server.request("GET", "/api/templates/partials/card");
  assert.equal(read.body.data.template, "card");
  assert.match(read.body.data.updated, /^\d{4}-\d\d-\d\dT/);
  const etag = read.headers.get("etag") as string;
  const again = await server.request("GET", "/api/templates/partials/card", { headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);
  assert.equal((await server.request("DELETE", "/api/templates/partials/card")).status, 204);
  assert.equal((await server.request("GET", "/api/templates/partials/card")).status, 404);
  assert.equal(existsSync(fileOf("partials/card")), false);
});

test("TPL-2 TPL-6 the list follows the folder, files of other hands included", async () => {
  place("lists/b", "b");
  place("lists/sub/a", "a");
  writeFileSync(join(server.dataDir, "builder", "lists", "notes.txt"), "no template");
  const { body } = await server.request("GET", "/api/templates?folder=lists");
  assert.deepEqual(
    body.data.map(({ id, size }: { id: string; size: number }) => [id, size]),
    [
      ["lists/b", 1],
      ["lists/sub/a", 1],
    ],
  );
  assert.deepEqual(body.meta, { gitManaged: false });
  writeFileSync(fileOf("lists/b"), "changed by an editor");
  assert.equal((await server.request("GET", "/api/templates/lists/b")).body.data.template, "changed by an editor");
});

test("TPL-5 If-Match keeps one of two editors from losing the other's text", async () => {
  const first = await put("pages/shared", "one");
  const etag = first.headers.get("etag") as string;
  assert.equal((await put("pages/shared", "two", { "if-match": etag })).status, 200);
  assert.equal((await put("pages/shared", "three", { "if-match": etag })).status, 412);
  const headers = { "if-match": etag };
  assert.equal((await server.request("DELETE", "/api/templates/pages/shared", { headers })).status, 412);
  assert.equal((await put("pages/none", "x", { "if-match": "*" })).status, 412);
  assert.equal(readFileSync(fileOf("pages/shared"), "utf8"), "two");
});

test("TPL-10 no id leads out of the folder (T113)", async () => {
  const outside = join(server.dataDir, ".system", "site.liquid");
  writeFileSync(outside, "outside");
  const ids = [
    "../.system/site",
    "..%2f.system%2fsite",
    "pages/../../.system/site",
    "%2e%2e/.system/site",
    "/etc/passwd",
  ];
  const others = [".history/x", "a//b", "a/", "a\\b", "a%00b", "x.liquid", "a%20b", "%C3%BC", "a/./b", "x".repeat(201)];
  for (const id of [...ids, ...others, Array(12).fill("d").join("/")]) {
    const { status } = await put(id, "taken over");
    assert.ok(status >= 400 && status < 500, `${id}: ${status}`);
    const read = await server.request("GET", `/api/templates/${id}`);
    assert.ok(read.status >= 400 && read.status < 500 && !read.text.includes("outside"), `${id}: ${read.status}`);
  }
  assert.equal((await server.request("POST", "/api/templates", { body: { id: "../x", template: "" } })).status, 400);
  assert.equal(readFileSync(outside, "utf8"), "outside");
});

test("TPL-10 links in the folder are not followed", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "cairn-elsewhere-"));
  writeFileSync(join(elsewhere, "secret.liquid"), "secret");
  symlinkSync(elsewhere, join(server.dataDir, "builder", "linked"));
  symlinkSync(join(elsewhere, "secret.liquid"), join(server.dataDir, "builder", "link.liquid"));
  assert.equal((await server.request("GET", "/api/templates/linked/secret")).status, 404);
  assert.equal((await server.request("GET", "/api/templates/link")).status, 404);
  assert.equal((await put("linked/new", "x")).status, 400);
  assert.equal((await put("linked/secret", "x")).status, 400);
  const { body } = await server.request("GET", "/api/templates");
  assert.equal(
    body.data.some(({ id }: { id: string }) => id.startsWith("link")),
    false,
  );
  assert.deepEqual(readdirSync(elsewhere), ["secret.liquid"]);
  rmSync(elsewhere, { recursive: true });
});

test("TPL-11 invalid Liquid is refused with its line, a large template with 413", async () => {
  await put("pages/strict", "fine");
  const wrong = await put("pages/strict", "one\ntwo {% if x %}\nthree");
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error.details.template[0], /Line 2/);
  assert.equal((await put("pages/strict", "{{ a | ")).status, 400);
  assert.equal((await put("pages/strict", "x".repeat(500_001))).status, 413);
  assert.equal((await server.request("PUT", "/api/templates/pages/strict", { body: { template: 5 } })).status, 400);
  assert.equal((await server.request("PUT", "/api/templates/pages/strict", { body: { id: "other" } })).status, 400);
  const partials = await put("pages/strict", "{% layout 'base' %}{% block a %}{% render 'partials/x' %}{% endblock %}");
  assert.equal(partials.status, 200);
});

test("TPL-12 the group switch builder opens templates, nothing else does", async () => {
  const groups = [
    ["builders", { builder: true }],
    ["writers", { collections: { operations: ["create", "read", "update", "delete"], all: true } }],
  ] as const;
  for (const [id, permissions] of groups) {
    await server.request("PUT", `/api/access-groups/${id}`, { body: { permissions } });
    await makeUser(server, `${id}-user`, [id]);
  }
  const builder = await signIn(server, "builders-user");
  const writer = await signIn(server, "writers-user");
  const body = { template: "theirs" };
  assert.equal((await builder.request("PUT", "/api/templates/pages/theirs", { body })).status, 201);
  assert.equal((await writer.request("PUT", "/api/templates/pages/theirs", { body })).status, 403);
  assert.equal((await writer.request("GET", "/api/templates")).status, 403);
  assert.equal((await server.request("GET", "/api/templates", { key: null })).status, 401);
  const made = await server.cli([
    "key:create",
    "--name",
    "site",
    "--methods",
    "GET",
    "--endpoints",
    "/templates",
    "--json",
  ]);
  const { key } = JSON.parse(made.stdout);
  assert.equal((await server.request("GET", "/api/templates/pages/theirs", { key })).status, 200);
  assert.equal((await server.request("PUT", "/api/templates/pages/theirs", { key, body })).status, 401);
});

test("TPL-20 TPL-21 a replaced or deleted text can be restored", async () => {
  for (const text of ["one", "two", "two", "three"]) await put("pages/old", text);
  const list = await server.request("GET", "/api/template-history/pages/old");
  const versions: string[] = list.body.data.map(({ version }: { version: string }) => version);
  const texts = [];
  for (const version of versions) {
    const { body } = await server.request("GET", `/api/template-history/pages/old?version=${version}`);
    texts.push(body.data.template);
  }
  assert.deepEqual(texts, ["two", "one"]);
  const oldest = versions[1] as string;
  const back = await server.request("POST", "/api/template-history/pages/old", { body: { version: oldest } });
  assert.equal(back.body.data.template, "one");
  await server.request("DELETE", "/api/templates/pages/old");
  const after = (await server.request("GET", "/api/template-history/pages/old")).body.data;
  assert.equal(after.length, 4);
  for (const version of ["../../../.system/site", "20300101-000000", ""]) {
    const { status } = await server.request("POST", "/api/template-history/pages/old", { body: { version } });
    assert.equal(status, 404, version);
  }
});

test("TPL-20 fifty versions stay, the newest, however quickly they come (T115)", async () => {
  await Promise.all(Array.from({ length: 60 }, (_, number) => put("pages/busy", `text ${number}`)));
  const versions: { version: string }[] = (await server.request("GET", "/api/template-history/pages/busy")).body.data;
  assert.equal(versions.length, 50);
  const texts = new Set<string>();
  for (const { version } of versions) {
    const { body } = await server.request("GET", `/api/template-history/pages/busy?version=${version}`);
    texts.add(body.data.template);
  }
  texts.add(readFileSync(fileOf("pages/busy"), "utf8"));
  assert.equal(texts.size, 51);
});

test("TPL-40 the command line works on the same templates", async () => {
  const set = await server.cli(["template:set", "mail/hello", "-", "--json"], { input: "Hello {{ name }}" });
  assert.deepEqual([set.code, JSON.parse(set.stdout).created], [0, true]);
  assert.equal((await server.request("GET", "/api/templates/mail/hello")).body.data.template, "Hello {{ name }}");
  assert.equal((await server.cli(["template:get", "mail/hello"])).stdout, "Hello {{ name }}");
  await server.cli(["template:set", "mail/hello", "-"], { input: "Hi {{ name }}" });
  const history = JSON.parse((await server.cli(["template:history", "mail/hello", "--json"])).stdout);
  assert.equal(history.length, 1);
  const [{ version }] = history;
  assert.equal((await server.cli(["template:history", "mail/hello", "--show", version])).stdout, "Hello {{ name }}");
  assert.equal((await server.cli(["template:restore", "mail/hello", version])).code, 0);
  assert.equal((await server.request("GET", "/api/templates/mail/hello")).body.data.template, "Hello {{ name }}");
  const list = JSON.parse((await server.cli(["template:list", "mail", "--json"])).stdout);
  assert.deepEqual(
    list.map(({ id }: { id: string }) => id),
    ["mail/hello"],
  );
  const broken = await server.cli(["template:set", "mail/hello", "-"], { input: "{% if %}" });
  assert.deepEqual([broken.code, broken.stdout], [1, ""]);
  assert.match(broken.stderr, /^cairn: .*Line 1.*\n$/);
  assert.equal((await server.cli(["template:delete", "mail/hello"])).code, 2);
  assert.equal((await server.cli(["template:delete", "mail/hello", "--force"])).code, 0);
  assert.equal((await server.cli(["template:get", "mail/hello"])).code, 1);
});

const preview = (body: unknown, as: Pick<Server, "request"> = server) =>
  as.request("POST", "/api/template-preview", { body });
const htmlOf = async (body: unknown, as?: Pick<Server, "request">) => (await preview(body, as)).body.data.html;
const mistakeOf = async (template: string) => (await preview({ template })).body.data.errors[0];

test("ADM-567 a template is tried without being saved, and its mistakes have a line and a column", async () => {
  const plain = await preview({ template: "<b>{{ name }}</b>", data: { name: "<i>" } });
  assert.deepEqual([plain.status, plain.body.data], [200, { html: "<b>&lt;i&gt;</b>" }], plain.text);
  await server.makeSchema({ id: "tried", properties: { id: { type: "slug" }, title: { type: "string" } } });
  await server.makeCollection({ id: "tried", schema: "tried" });
  await server.request("POST", "/api/collections/tried", { body: { id: "a", title: "A" } });
  const aimed = { collection: "tried", object: "a" };
  assert.equal(await htmlOf({ template: "{{ collection }}: {{ object.title }}", ...aimed }), "tried: A");
  const { line, column, message, ...rest } = await mistakeOf("one\n  {{ name | nofilter }}");
  assert.deepEqual([line, column, rest], [2, 3, {}]);
  assert.match(message, /^undefined filter: nofilter$/);
  assert.equal((await mistakeOf("\n{% if %}")).line, 2);
  assert.match((await mistakeOf("{% for a in (1..2000000000) %}{% endfor %}")).message, /memory/);
  for (const body of [{}, [], { template: 1 }, { template: "", data: 1 }, { template: "", collection: "tried" }])
    assert.equal((await preview(body)).status, 400, JSON.stringify(body));
  assert.equal((await preview({ template: "", collection: "tried", object: "none" })).status, 404);
  assert.equal((await preview({ template: "a".repeat(500_001) })).status, 413);
});

test("ADM-670 a preview takes the stored partials and layouts, within the limits of one template", async () => {
  place("layouts/plain", "<main>{% block main %}{% endblock %}</main>");
  place("partials/card", "<i>{{ title }}</i>");
  place("partials/broken", "fine\n{{ title | nofilter }}");
  place("partials/self", "{% render 'partials/self' %}");
  const page = `{% layout "layouts/plain" %}{% block main %}{% render "partials/card", title: name %}{% endblock %}`;
  assert.equal(await htmlOf({ template: page, data: { name: "A & B" } }), "<main><i>A &amp; B</i></main>");
  assert.equal(await htmlOf({ template: "{% include 'partials/card.liquid' %}", data: { title: "C" } }), "<i>C</i>");
  assert.deepEqual(await mistakeOf("\n\n{% render 'partials/broken' %}"), {
    ...{ line: 2, column: 1, message: "undefined filter: nofilter", template: "partials/broken" },
  });
  const missing = await mistakeOf("\n{% render 'partials/none' %}");
  assert.deepEqual(missing, { line: 2, column: 1, message: 'There is no template "partials/none"' });
  for (const name of ["../secret", "/etc/passwd", ".history/x", "partials/self/../card"])
    assert.match((await mistakeOf(`{% render '${name}' %}`)).message, /There is no template/, name);
  assert.match((await mistakeOf("{% render 'partials/self' %}")).message, /too deeply/);
  assert.ok((await preview({ template: "still here" })).body.data.html);
});

test("ADM-671 a preview reads what its caller may read, and nothing more", async () => {
  const template = "{{ object.title }}{% render 'partials/card' %}";
  const aimed = { collection: "tried", object: "a" };
  const group = (id: string, permissions: object) =>
    server.request("PUT", `/api/access-groups/${id}`, { body: { permissions } });
  await group("plays", { playground: true, collections: { operations: ["read"], allowed: ["playground"] } });
  await group("builds", { builder: true });
  for (const id of ["plays", "builds", "viewer"]) await makeUser(server, `${id}-user`, [id]);
  const [plays, builds, viewer] = await Promise.all(
    ["plays", "builds", "viewer"].map((id) => signIn(server, `${id}-user`)),
  );
  assert.equal((await preview({ template }, viewer)).status, 403);
  assert.equal(await htmlOf({ template: "{{ 1 | plus: 1 }}" }, plays), "2");
  assert.match((await preview({ template }, plays)).body.data.errors[0].message, /There is no template/);
  assert.equal(await htmlOf({ template }, builds), "<i></i>");
  for (const person of [plays, builds]) assert.equal((await preview({ template, ...aimed }, person)).status, 403);
  const body = { name: "posts", methods: ["POST"], endpoints: ["*"] };
  const { key } = (await server.request("POST", "/api/apikeys", { body })).body.data;
  const byKey = (sent: object) => server.request("POST", "/api/template-preview", { key, body: { template, ...sent } });
  assert.equal((await byKey(aimed)).status, 401);
  assert.match((await byKey({})).body.data.errors[0].message, /There is no template/);
});

test("ADM-1056 a template of the site is tried in the language of the site, with what the site may show", async () => {
  const at = (id: string, template: string, more = {}) => preview({ id, template, ...more });
  const shown = async (id: string, template: string, more = {}) => (await at(id, template, more)).body.data.html;
  await server.makeSchema({
    id: "shown",
    properties: { id: { type: "slug" }, title: { type: "string" }, draft: { type: "boolean" } },
  });
  for (const [id, onSite] of [
    ["shown", true],
    ["hidden", false],
  ] as const) {
    await server.makeCollection({ id, name: id, schema: "shown", onSite });
    await server.request("POST", `/api/collections/${id}`, { body: { id: "a", title: "A & B" } });
    await server.request("POST", `/api/collections/${id}`, { body: { id: "d", title: "Draft", draft: true } });
  }
  place("layouts/shown", "<main>{% block main %}{% endblock %}</main>");
  place("partials/shown", "{{ title | nofilter }}");
  const query = `{% query all from "shown", sort: "id" %}{% for one in all %}{{ one.title }};{% endfor %}`;
  assert.equal(await shown("pages/x", `{% layout "shown" %}${query}`), "<main>A &amp; B;Draft;</main>");
  const object = { collection: "shown", object: "a" };
  assert.equal(
    await shown("pages/x", "{% layout none %}{{ collection.name }}: {{ object.title }}", object),
    "shown: A &amp; B",
  );
  assert.equal(
    await shown("partials/x", "{{ title }}{{ site.name }}", { data: { title: "<", site: { name: "!" } } }),
    "&lt;!",
  );
  assert.match(await shown("layouts/x", "<b>{% block main %}{% endblock %}</b>"), /^<b><h1>.*<\/h1><\/b>$/);
  assert.match(await shown("pages/x", `{% redirect "/a?b=<", 302 %}`), /leads to \/a\?b=&lt; with status 302/);

  const wrong = async (id: string, template: string, more = {}) => (await at(id, template, more)).body.data.errors[0];
  const unknown = await wrong("pages/x", "one\n  {{ a | upcas }}");
  assert.deepEqual(
    [unknown.line, unknown.column, unknown.message],
    [2, 3, 'There is no filter "upcas". Did you mean "upcase"?'],
  );
  const inside = await wrong("pages/x", `{% render "shown" %}`);
  assert.deepEqual([inside.template, inside.line], ["partials/shown", 1]);
  assert.match((await wrong("pages/x", "", { collection: "hidden", object: "a" })).message, /not on the site/);
  assert.match((await wrong("pages/x", `{% query all from "hidden" %}{{ all.total }}`)).message, /hidden/);
  assert.equal((await at("pages/../x", "")).status, 400);
  // Mails keep theirs.
  assert.equal(await shown("emails/x", "{{ title }}", { data: { title: "M" } }), "M");
});

test("TPL-30 JMP-12 a builder folder in the project makes templates git-managed", async () => {
  const project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  mkdirSync(join(project, "builder", "pages"), { recursive: true });
  writeFileSync(join(project, "builder", "pages", "home.liquid"), "from git");
  const managed = await startServer({ cwd: project });
  try {
    const { body } = await managed.request("GET", "/api/templates");
    assert.deepEqual([body.data[0].id, body.meta], ["pages/home", { gitManaged: true }]);
    assert.equal((await managed.request("GET", "/api/templates/pages/home")).body.data.template, "from git");
    const template = { template: "by API" };
    assert.equal((await managed.request("PUT", "/api/templates/pages/home", { body: template })).status, 403);
    assert.equal((await managed.request("POST", "/api/templates", { body: { id: "x", ...template } })).status, 403);
    assert.equal((await managed.request("DELETE", "/api/templates/pages/home")).status, 403);
    const set = await managed.cli(["template:set", "pages/home", "-"], { input: "by command" });
    assert.equal(set.code, 1);
    assert.deepEqual((await managed.request("GET", "/api/export/jumpstart")).body.templates, []);
    assert.equal(readFileSync(join(project, "builder", "pages", "home.liquid"), "utf8"), "from git");
    assert.equal(existsSync(join(managed.dataDir, "builder")), false);
  } finally {
    await managed.stop();
    rmSync(project, { recursive: true });
  }
});
