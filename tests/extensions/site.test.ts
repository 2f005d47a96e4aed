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
  assert.equal(set.status, 200);
  assert.match((await see("/loud")).text, /^A!\. B\?\. \d+$/);
  await server.request("PUT", "/api/extensions/acme/words/settings", { body: {} });
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

const steps = `export function register(cairn) {
  cairn.pageStep("language", (visit) => ((visit.headers["accept-language"] ?? "").startsWith("de") ? { template: "pages/german" } : "go"));
  cairn.pageStep("variant", ({ cookies, query }) => (query.v ?? cookies.v ? { status: 410 } : "go"));
  cairn.pageStep("away", () => ({ redirect: "/else", status: 307 }));
  cairn.pageStep("broken", () => { throw new Error("no"); });
  cairn.pageStep("guard", () => ({ status: "none" }));
  cairn.pageStep("member", (visit) => (visit.user ? "go" : { status: 403 }));
}`;

test("EXT-130 EXT-131 EXT-132 page steps decide, and no visitor is shown what was decided for another", async () => {
  const names = ["language", "variant", "away", "broken", "guard", "member"];
  const pageSteps = names.map((name) => ({ name, title: name, protects: name === "guard" }));
  const folder = join(server.dataDir, "extensions");
  writeExtension(folder, { id: "acme/steps", manifest: { contributes: { pageSteps } }, files: { "index.ts": steps } });
  await enableExtension(server, "acme/steps");
  const middleware = (...chosen: string[]) => ({ middleware: chosen.map((name) => `acme/steps:${name}`) });
  await server.request("POST", "/api/templates", {
    body: { id: "pages/german", template: "{% layout none %}deutsch" },
  });
  await makePage("spoken", "{% layout none %}english", middleware("language", "variant", "broken-name"));
  const ask = (path: string, headers: Record<string, string> = {}) =>
    server.request("GET", path, { key: null, headers });
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await ask("/spoken")).text, "english");
    const german = await ask("/spoken", { "accept-language": "de" });
    assert.equal(german.text, "deutsch");
    assert.match(german.headers.get("vary") ?? "", /accept-language/i);
    assert.equal((await ask("/spoken", { cookie: "v=1" })).status, 410);
    assert.equal((await ask("/spoken?v=1")).status, 410);
    assert.equal((await ask("/spoken?other=1")).text, "english");
  }
  await makePage("moved", "x", middleware("away"));
  const moved = await fetch(`${server.url}/moved`, { redirect: "manual" });
  assert.deepEqual([moved.status, moved.headers.get("location")], [307, "/else"]);
  await makePage("shaky", "{% layout none %}shown", middleware("broken"));
  assert.equal((await ask("/shaky")).text, "shown");
  await makePage("guarded", "{% layout none %}secret", middleware("guard"));
  const guarded = await ask("/guarded");
  assert.equal(guarded.status, 503);
  assert.ok(!guarded.text.includes("secret"));
  await makePage("members", "{% layout none %}inside", middleware("member"));
  const refused = await ask("/members");
  assert.deepEqual([refused.status, refused.headers.get("cache-control")], [403, "private, no-store"]);
  await server.request("POST", "/api/extensions/acme/steps/disable");
  assert.equal((await ask("/members")).text, "inside");
});

test("EXT-134 scheduled pages are shown within their window", async () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const middleware = ["cairn/scheduled:window"];
  await makePage("soon", "{% layout none %}now", { middleware, data: { scheduledFrom: at(3_600) } });
  await makePage("over", "{% layout none %}now", {
    middleware,
    data: { scheduledUntil: at(-5), afterWindow: "pages/german" },
  });
  await makePage("within", "{% layout none %}now", {
    middleware,
    data: { scheduledFrom: at(-5), scheduledUntil: at(3_600) },
  });
  assert.equal((await see("/soon")).status, 404);
  assert.equal((await see("/over")).text, "deutsch");
  assert.equal((await see("/within")).text, "now");
  await server.request("PATCH", "/api/collections/builder-pages/soon", { body: { data: { scheduledFrom: at(-1) } } });
  assert.equal((await see("/soon")).text, "now");
});

test("EXT-133 EXT-135 maintenance closes pages at once, and opens them at once", async () => {
  await makePage("timed", "{% layout none %}kept", { cache: "3600" });
  for (const path of ["/within", "/timed", "/within", "/timed"]) assert.equal((await see(path)).status, 200);
  const enabled = await server.request("POST", "/api/extensions/cairn/maintenance/enable");
  assert.equal(enabled.status, 200, enabled.text);
  for (const path of ["/within", "/timed", "/nowhere"]) {
    const closed = await see(path);
    assert.deepEqual([closed.status, closed.headers.get("retry-after")], [503, "3600"], path);
    assert.match(closed.text, /We are working on the site/);
    assert.match(closed.headers.get("cache-control") ?? "", /no-store/);
  }
  assert.equal((await server.request("GET", "/api/collections")).status, 200);
  await server.request("POST", "/api/extensions/cairn/maintenance/disable");
  for (const path of ["/within", "/timed"]) assert.equal((await see(path)).status, 200);
  assert.equal((await see("/nowhere")).status, 404);
});

test("EXT-139 EXT-64 a page with a passcode is shown to visitors who have sent it, and stays closed otherwise", async () => {
  const enabled = await server.request("POST", "/api/extensions/cairn/protect/enable");
  assert.equal(enabled.status, 200, enabled.text);
  const middleware = ["cairn/protect:passcode"];
  await makePage("closed", "{% layout none %}inside", { middleware, data: { passcode: "open sesame" } });
  await makePage("other", "{% layout none %}other", { middleware, data: { passcode: "another" } });
  await makePage("without", "{% layout none %}without", { middleware });
  const asked = await see("/closed");
  assert.deepEqual([asked.status, /name="passcode"/.test(asked.text), /inside/.test(asked.text)], [401, true, false]);
  assert.equal((await see("/without")).status, 401);
  const unlock = (page: string, passcode: string, back: string) =>
    server.request("POST", `/unlock/${page}`, {
      key: null,
      raw: new URLSearchParams({ passcode, back }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const wrong = await unlock("closed", "sesame", "/closed");
  assert.deepEqual([wrong.status, wrong.headers.get("location")], [303, "/closed?unlock=wrong"]);
  assert.equal(wrong.headers.get("set-cookie"), null);
  assert.match((await see("/closed?unlock=wrong")).text, /not right/);
  const right = await unlock("closed", "open sesame", "/closed");
  const cookie = right.headers.get("set-cookie") ?? "";
  assert.deepEqual([right.status, right.headers.get("location")], [303, "/closed"]);
  assert.match(cookie, /^cx-pass-closed=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  const pair = cookie.split(";")[0] as string;
  const inside = async (path: string, sent: string) =>
    (await server.request("GET", path, { key: null, headers: { cookie: sent } })).text.includes("inside");
  assert.equal(await inside("/closed", pair), true);
  assert.equal((await see("/closed")).status, 401, "the page is kept for nobody else");
  assert.equal(
    await inside(
      "/closed",
      pair.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ),
    false,
  );
  const moved = pair.replace("cx-pass-closed", "cx-pass-other");
  assert.equal((await server.request("GET", "/other", { key: null, headers: { cookie: moved } })).status, 401);
  const away = await unlock("closed", "open sesame", "//evil.example/");
  assert.equal(away.headers.get("location"), "/");
  await server.request("PATCH", "/api/collections/builder-pages/closed", { body: { data: { passcode: "new" } } });
  assert.equal(await inside("/closed", pair), false, "another passcode ends all cookies");
  await server.request("POST", "/api/extensions/cairn/protect/disable");
});
