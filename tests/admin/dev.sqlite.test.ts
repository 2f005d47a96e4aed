// `cairn dev`: pages follow what changes, and show what their builder should know.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, newPage } from "../support/browser.ts";

let server: Server;
let publicDir: string;
const list = "/api/collections/posts";

before(async () => {
  publicDir = mkdtempSync(join(tmpdir(), "cairn-dev-"));
  writeFileSync(join(publicDir, "site.css"), "h1 { color: rgb(1, 2, 3) }");
  server = await startServer({ command: "dev", env: { CAIRN_PUBLIC_DIR: publicDir } });
  const properties = { title: { type: "string", field: "text" } };
  await server.makeSchema({ id: "post", properties, required: ["id"], index: ["id", "title"] });
  await server.makeCollection({ id: "posts", schema: "post", publicOperations: ["read"] });
  await server.request("POST", list, { body: { id: "a", title: "First" } });
  saveTemplate("Hello");
  const record = { id: "home", title: "Home", route: "/", template: "home" };
  const made = await server.request("POST", "/api/collections/builder-pages", { body: record });
  equal(made.status, 201, made.text);
});
after(async () => {
  await server.stop();
  rmSync(publicDir, { recursive: true });
});

function saveTemplate(heading: string): void {
  const folder = join(server.dataDir, "builder", "pages");
  mkdirSync(folder, { recursive: true });
  const head = '<html lang="en"><head><title>Home</title><link rel="stylesheet" href="/site.css"></head>';
  const body = `<h1>${heading}</h1>\n{% get post from "posts", "a" %}\n<p id="post">{{ post.title }}</p>{{ post.titel }}`;
  writeFileSync(join(folder, "home.liquid"), `${head}<body>\n${body}<input aria-label="Note"></body></html>`);
}

const open = (path: string) => server.request("GET", path, { key: null, headers: { accept: "text/html" } });
const reportOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="cairn-dev">(.*?)<\/script>/.exec(html)?.[1] ?? "{}");

test("PAGE-41 a page of cairn dev has a report: warnings with their line, queries, and whether it is kept", async () => {
  const { text, headers } = await open("/");
  const { warnings, queries, kept, templates } = reportOf(text);
  match(warnings[0].text, /"titel" is not a property .* Did you mean "title"/);
  deepEqual([warnings.length, warnings[0].template, warnings[0].line], [1, "pages/home", 4]);
  deepEqual([queries[0].what, templates], ["1 by id of posts", ["pages/home"]]);
  match(kept, /kept until something that it has read changes/);
  equal(headers.get("cache-control"), "no-store");
  match(headers.get("content-security-policy") ?? "", /report-uri \/-\/csp/);
  equal((await open("/-/dev.js")).status, 200);
});

test("PAGE-43 cairn dev is development on one process, and says what is missing", async () => {
  const settings = (await server.request("GET", "/api/settings/general")).body.data;
  deepEqual([settings.environment, settings.workers], ["development", 1]);
  match(server.stdout, /Site +http:\/\/127\.0\.0\.1:\d+\//);
  match(server.stdout, /Admin +http/);
});

test("PAGE-40, PAGE-42 an open page follows templates, content and style sheets without losing what was typed", async () => {
  allowProblems(/status of 500/);
  const page = await newPage(server);
  await page.goto("/");
  await page.getByRole("heading", { name: "Hello" }).waitFor();
  const panel = page.getByRole("region", { name: "Development" });
  await panel.getByText(/1 warning, 1 query/).click();
  await panel.getByRole("link", { name: "pages/home, line 4" }).waitFor();
  await page.getByLabel("Note").fill("typed");
  saveTemplate("Good day");
  await page.getByRole("heading", { name: "Good day" }).waitFor();
  await server.request("PATCH", `${list}/a`, { body: { title: "Second" } });
  await page.locator("#post", { hasText: "Second" }).waitFor();
  const { code, stderr } = await server.cli(["object:patch", "posts", "a", "--property", "title=Third"]);
  equal(code, 0, stderr);
  await page.locator("#post", { hasText: "Third" }).waitFor();
  const color = () => page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color");
  writeFileSync(join(publicDir, "site.css"), "h1 { color: rgb(4, 5, 6) }");
  await becomes(color, "rgb(4, 5, 6)");
  await becomes(() => page.getByLabel("Note").inputValue(), "typed");
  // A mistake is shown in place of the page, and goes with its cure.
  saveTemplate('{% render "nowhere" %}');
  await page.getByRole("heading", { name: /There is no partial "nowhere"/ }).waitFor();
  saveTemplate("Mended");
  await page.getByRole("heading", { name: "Mended" }).waitFor();
});

test("PAGE-40 a page that was asked for before a style sheet changed does not bring the former one back", async () => {
  const page = await newPage(server);
  await page.goto("/");
  await page.locator("#post").waitFor();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: mayGo, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      const response = await route.fetch();
      hold();
      await mayGo;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const styles = () => page.evaluate<string[]>("[...document.styleSheets].map(({ href }) => href)");
  const [former] = await styles();
  await server.request("PATCH", `${list}/a`, { body: { title: "Held" } });
  await isHeld;
  writeFileSync(join(publicDir, "site.css"), "h1 { color: rgb(7, 8, 9) }");
  await becomes(async () => {
    const now = await styles();
    return now.length === 1 && now[0] !== former;
  }, true);
  const exchanged = await styles();
  release();
  await page.locator("#post", { hasText: "Held" }).waitFor();
  deepEqual(await styles(), exchanged);
  equal(await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color"), "rgb(7, 8, 9)");
});

test("PAGE-44 cairn serve has no panel, no script and no events, in development neither", async () => {
  const plain = await startServer({ settings: { environment: "development" } });
  try {
    const folder = join(plain.dataDir, "builder", "pages");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "home.liquid"), "<body>Home</body>");
    await plain.request("POST", "/api/collections/builder-pages", {
      body: { id: "home", title: "Home", route: "/", template: "home" },
    });
    const ask = (path: string) => plain.request("GET", path, { key: null, headers: { accept: "text/html" } });
    const home = await ask("/");
    equal(home.text.trim(), "<body>Home</body>");
    ok(!home.headers.get("content-security-policy")?.includes("report-uri"));
    for (const path of ["/-/dev.js", "/-/dev/events"]) equal((await ask(path)).status, 404, path);
    equal((await plain.request("POST", "/-/csp", { key: null, body: {} })).status, 404);
  } finally {
    await plain.stop();
  }
});
