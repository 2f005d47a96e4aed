// What extensions add to the website: filters, templates, page steps and routes.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const filters = ["shout", "linked", "times_called", "throws", "sorted_names"].map((name) => ({ name }));
const code = `let calls = 0;
export function register(cairn) {
  cairn.filter("shout", (value, mark = "!") => String(value).toUpperCase() + mark + (cairn.settings.get("end") ?? ""));
  cairn.filter("linked", (value) => cairn.html('<a href="/x" onclick="bad()">' + value + "</a><script>bad()</script>"));
  cairn.filter("times_called", () => { calls += 1; return calls; });
  cairn.filter("throws", () => { throw new Error("a secret of the code"); });
  cairn.filter("sorted_names", (list) => list.map(({ name }) => name).sort());
}`;
const printing = `export function register(cairn) {
  cairn.filter("printed", (value) => cairn.html('<script type="x">' + value + "</script>"));
  cairn.filter("upcase", () => "no");
}`;

let server: Server;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const folder = join(server.dataDir, "extensions");
  writeExtension(folder, {
    id: "acme/words",
    manifest: { settings_schema: "settings.json", contributes: { filters, templates: "templates/" } },
    files: {
      "index.ts": code,
      "settings.json": JSON.stringify({ type: "object", properties: { end: { type: "string", default: "" } } }),
      "templates/card.liquid": "[{{ text | default: '' | shout }}]",
      "templates/frame.liquid": "<main>{% block main %}{% endblock %}</main>",
    },
  });
  writeExtension(folder, {
    id: "acme/printer",
    manifest: { permissions: { print: true }, contributes: { filters: [{ name: "printed" }, { name: "upcase" }] } },
    files: { "index.ts": printing },
  });
});
after(() => server.stop());

const see = (path: string) => server.request("GET", path, { key: null });

async function makePage(id: string, template: string, more: object = {}): Promise<void> {
  const saved = await server.request("POST", "/api/templates", { body: { id: `pages/${id}`, template } });
  assert.equal(saved.status, 201, saved.text);
  const body = { id, title: id, route: `/${id}`, template: `pages/${id}`, ...more };
  const made = await server.request("POST", "/api/collections/builder-pages", { body });
  assert.equal(made.status, 201, made.text);
}

test("EXT-125 EXT-128 filters are used like those of the service, and gone with their extension", async () => {
  const text = "{% layout none %}{{ 'a' | shout }} {{ 'b' | shout: '?' }} {{ 1 | times_called }}{{ 1 | times_called }}";
  const early = await server.request("POST", "/api/templates", { body: { id: "pages/early", template: text } });
  assert.equal(early.status, 400);
  assert.match(early.text, /There is no filter \\"shout\\"/);
  await enableExtension(server, "acme/words");
  await makePage("loud", text);
  assert.equal((await see("/loud")).text, "A! B? 11");
  assert.equal((await see("/loud?again=1")).text, "A! B? 11");
  const set = await server.request("PUT", "/api/extensions/acme/words/settings", { body: { end: "." } });
  if (set.status === 200) assert.match((await see("/loud")).text, /^A!\. B\?\. 11$/);
  await server.request("PATCH", "/api/extensions/acme/words", { body: { switches: { "filters:shout": false } } });
  assert.equal((await see("/loud")).status, 500);
  await server.request("PATCH", "/api/extensions/acme/words", { body: { switches: { "filters:shout": true } } });
  assert.match((await see("/loud")).text, /^A!/);
  await server.request("POST", "/api/extensions/acme/words/disable");
  assert.equal((await see("/loud")).status, 500);
  await enableExtension(server, "acme/words");
  assert.match((await see("/loud")).text, /^A!/);
});

test("EXT-126 EXT-123 HTML of a filter is cleaned, unless the extension may print", async () => {
  await enableExtension(server, "acme/printer");
  await makePage(
    "marked",
    "{% layout none %}{{ '<b>' | shout }} {{ 'go' | linked }} {{ 'x' | printed }} {{ 'up' | upcase }}",
  );
  const { text } = await see("/marked");
  assert.equal(text, '&lt;B&gt;! <a href="/x">go</a> <script type="x">x</script> UP');
  const { body } = await server.request("GET", "/api/extensions/acme/printer");
  assert.equal(body.data.error, "The filter upcase is taken by Cairn itself.");
});

test("EXT-127 a filter that fails prints nothing", async () => {
  await makePage("half", "{% layout none %}a{{ 'x' | throws }}b");
  const half = await see("/half");
  assert.deepEqual([half.status, half.text], [200, "ab"]);
});

test("EXT-129 templates of an extension are read, and not changed", async () => {
  await makePage("framed", '{% layout "ext/acme/words/frame" %}{% render "ext/acme/words/card", text: "in" %}');
  assert.match((await see("/framed")).text, /^<main>\[IN!\.?\]<\/main>$/);
  const own = { id: "direct", title: "d", route: "/direct", template: "ext/acme/words/card" };
  assert.equal((await server.request("POST", "/api/collections/builder-pages", { body: own })).status, 201);
  assert.match((await see("/direct")).text, /^\[!\.?\]$/);
  const mine = await server.request("POST", "/api/templates", {
    body: { id: "ext/acme/words/card", template: "mine" },
  });
  assert.equal(mine.status, 400);
  await server.request("POST", "/api/extensions/acme/words/disable");
  assert.equal((await see("/direct")).status, 500);
  await enableExtension(server, "acme/words");
});
