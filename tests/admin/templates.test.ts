// Templates, data views and the playground: written, tried, mended and kept, in Chromium.

import { equal } from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, axeInBothThemes, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
const put = (id: string, template: string) => server.request("PUT", `/api/templates/${id}`, { body: { template } });
const textOf = async (id: string) => (await server.request("GET", `/api/templates/${id}`)).body.data.template;

before(async () => {
  server = await startServer();
  const properties = { id: { type: "slug" }, title: { type: "string" }, author: { type: "string" } };
  await server.makeSchema({ id: "post", properties, index: ["id", "title", "author"] });
  await server.makeCollection({ id: "posts", name: "Posts", schema: "post", onSite: true });
  for (const [id, author] of [
    ["stones", "Ada"],
    ["huts", "Mia"],
    ["maps", "Ada"],
  ])
    await server.request("POST", "/api/collections/posts", { body: { id, title: `About ${id}`, author } });
  await put("layouts/plain", "{% style %}h1 { color: rgb(1, 2, 3) }{% endstyle %}{% block main %}{% endblock %}");
  await put("partials/card", "<i>{{ title }}</i>");
  await put("pages/post", `{% layout "layouts/plain" %}{% block main %}<h1>{{ object.title }}</h1>{% endblock %}`);
  await put("pages/list", `{% render "partials/card", title: "x" %}`);
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const frame = (page: Page, title = "Preview") => page.frameLocator(`iframe[title="${title}"]`);
const radio = (page: Page, name: string) => page.getByRole("radio", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("ADM-673 ADM-674 ADM-675 ADM-680 ADM-1057 a template is found by keys, tried on an object, mended at its line and saved", async () => {
  const page = await open("/admin/templates");
  await heading(page, "Templates").waitFor();
  const tree = page.getByRole("tree", { name: "Templates" });
  await tree.getByRole("treeitem").first().waitFor();
  await page.getByRole("searchbox", { name: "Filter templates" }).focus();
  await page.keyboard.press("Tab");
  await tree.locator(":focus").waitFor();
  for (const key of ["Home", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowDown", "Enter"])
    await page.keyboard.press(key);
  await heading(page, "pages/post").waitFor();
  await becomes(() => tree.getByRole("treeitem", { name: "post" }).getAttribute("aria-selected"), "true");

  await radio(page, "An object").check();
  await page.getByRole("combobox", { name: "Collection" }).fill("Posts");
  await page.getByRole("option", { name: /Posts/ }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Object" }).fill("huts");
  await page.getByRole("option", { name: "About huts" }).click();
  const title = frame(page).getByRole("heading", { name: "About huts" });
  await title.waitFor();
  equal(new URL(page.url()).search, "?from=object&collection=posts&object=huts");
  await becomes(
    () => title.evaluate((element) => Reflect.get(globalThis, "getComputedStyle")(element).color),
    "rgb(1, 2, 3)",
  );

  const code = page.getByRole("textbox", { name: "Template" });
  const before = await textOf("pages/post");
  await replaceText(code, `${before}\n<script>document.title = "ran"</script>\n{{ object.title | nofilter }}`);
  await page.getByText('Line 3, column 1: There is no filter "nofilter".').waitFor();
  await page.locator(".cm-lint-marker-error").waitFor();
  await page.getByText("The preview shows the last text without mistakes").waitFor();
  await becomes(() => title.isVisible(), true);
  const longer = before.replace("{% endblock %}", "<b>more</b>{% endblock %}");
  await replaceText(code, `${longer}\n<script>document.title = "ran"</script>`);
  await page.getByText("The preview is up to date").waitFor();
  await becomes(() => page.locator(".cm-lint-marker-error").count(), 0);
  await becomes(() => page.title(), "pages/post · Cairn");

  // As a page of the site, with the text that is not saved.
  const pageBody = { id: "about", title: "About", route: "/about", template: "post" };
  equal((await server.request("POST", "/api/collections/builder-pages", { body: pageBody })).status, 201);
  const [opened] = await Promise.all([page.waitForEvent("popup"), button(page, "Open as a page").click()]);
  await opened.getByText("more", { exact: true }).waitFor();
  equal(new URL(opened.url()).pathname, "/about");
  await opened.close();
  await becomes(() => axeInBothThemes(page, "main", "templates"), []);

  await replaceText(code, "{% if %}");
  await page.keyboard.press("Control+s");
  const refusal = page.getByRole("alert").filter({ hasText: "1 field needs attention" });
  await until(
    async () => (await refusal.textContent()) ?? "",
    (text) => /Line 1/.test(text),
  );
  await becomes(() => textOf("pages/post"), before);
  await replaceText(code, `${before}<p>new</p>`);
  await page.keyboard.press("Control+s");
  await page.getByRole("status", { name: "Save state" }).filter({ hasText: "All changes saved" }).waitFor();
  await becomes(() => textOf("pages/post"), `${before}<p>new</p>`);
});

test("ADM-675 JSON gives a template its data, and what is no JSON is marked", async () => {
  const page = await open("/admin/templates/partials/card", { width: 360 });
  await radio(page, "JSON").check();
  const data = page.getByRole("textbox", { name: "Data" });
  await data.fill('{"title": "by hand"');
  await becomes(() => data.getAttribute("aria-invalid"), "true");
  await data.fill('{"title": "by hand"}');
  await frame(page).getByText("by hand").waitFor();
  equal(new URL(page.url()).searchParams.get("data"), '{"title":"by hand"}');
  await radio(page, "Phone").check();
  await becomes(() => axe(page, "main"), []);
  await screenshot(page, "template-360-light");
});

test("ADM-679 earlier texts are compared line by line, and one is restored into the editor", async () => {
  for (const text of ["one\ntwo", "one\n2", "one\n2\nthree"]) await put("history", text);
  const page = await open("/admin/templates/history?tab=versions", { width: 1024 });
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("button");
  await versions.nth(1).click();
  await becomes(() => versions.count(), 2);
  const difference = page.getByRole("region", { name: "Difference" });
  await until(
    async () => (await difference.textContent()) ?? "",
    (text) => /removed two.*added 2.*added three/.test(text),
  );
  await becomes(() => axeInBothThemes(page, "main", "template-versions"), []);
  await button(page, "Restore").click();
  await page.getByRole("status", { name: "Save state" }).filter({ hasText: "1 unsaved change" }).waitFor();
  await button(page, "Save").click();
  await page.getByRole("status", { name: "Save state" }).filter({ hasText: "All changes saved" }).waitFor();
  await becomes(() => textOf("history"), "one\ntwo");
});

test("ADM-677 changes are kept on this device, and a text that somebody else saved is not lost", async () => {
  await put("shared", "first");
  const page = await open("/admin/templates/shared");
  const code = page.getByRole("textbox", { name: "Template" });
  await replaceText(code, "mine");
  await page.getByRole("treeitem", { name: "history" }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave", exact: true })
    .click();
  await heading(page, "history").waitFor();
  await page.getByRole("treeitem", { name: "shared" }).click();
  await page.getByText(/^Unsaved changes of .* were brought back/).waitFor();
  await put("shared", "theirs");
  await button(page, "Save").click();
  const conflict = page.getByRole("dialog", { name: "Changed by somebody else" });
  await conflict.getByRole("radio", { name: "Yours" }).waitFor();
  await becomes(() => textOf("shared"), "theirs");
  await conflict.getByRole("button", { name: "Save choices" }).click();
  await page.getByRole("status", { name: "Save state" }).filter({ hasText: "All changes saved" }).waitFor();
  await becomes(() => textOf("shared"), "mine");
});

/** By the editor's own keys: a selection that the browser makes is lost where the editor has just loaded. */
async function replaceText(code: Locator, text: string): Promise<void> {
  await code.press("ControlOrMeta+a");
  await code.page().keyboard.insertText(text);
}

/** The editor takes the focus away when it has loaded. */
async function pressUntil(item: Locator, key: string, shown: Locator): Promise<void> {
  await until(async () => {
    if (!(await shown.isVisible())) await item.press(key);
    return shown.isVisible();
  });
}

test("ADM-673 ADM-676 templates are made, renamed and deleted; the questions name those that include them", async () => {
  const page = await open("/admin/templates");
  await button(page, "New template").click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByRole("textbox", { name: "Id" }).fill("../up");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText(/must be a path/).waitFor();
  await dialog.getByRole("textbox", { name: "Id" }).fill("pages/new");
  await page.keyboard.press("Enter");
  await heading(page, "pages/new").waitFor();
  const renaming = page.getByRole("dialog", { name: "Rename pages/new" });
  await pressUntil(page.getByRole("treeitem", { name: "new" }), "F2", renaming);
  await renaming.getByText("No other template includes it.").waitFor();
  await renaming.getByRole("textbox", { name: "New id" }).fill("moved/new");
  await page.keyboard.press("Enter");
  await heading(page, "moved/new").waitFor();
  const question = page.getByRole("alertdialog", { name: "Delete partials/card?" });
  await pressUntil(page.getByRole("treeitem", { name: "card" }), "Delete", question);
  await question.getByText("1 template includes it:").waitFor();
  await question.getByText("pages/list").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await heading(page, "Templates").waitFor();
  const ids = (await server.request("GET", "/api/templates")).body.data.map(({ id }: { id: string }) => id);
  equal(ids.includes("pages/new") || ids.includes("moved/new"), false);
});

test("ADM-678 templates that git keeps are read and tried, and not changed", async () => {
  const project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  mkdirSync(join(project, "builder"), { recursive: true });
  writeFileSync(join(project, "builder", "home.liquid"), "<h1>From git</h1>");
  const managed = await startServer({ cwd: project });
  try {
    await makeUser(managed, "ada", ["admin"]);
    const page = await newPage(managed, { as: await signIn(managed, "ada") });
    await page.goto("/admin/templates/home");
    await page.getByText("Git keeps these templates").waitFor();
    await frame(page).getByRole("heading", { name: "From git" }).waitFor();
    await becomes(() => page.getByRole("textbox", { name: "Template" }).getAttribute("aria-readonly"), "true");
    await becomes(() => button(page, "Save").count(), 0);
  } finally {
    await managed.stop();
    rmSync(project, { recursive: true });
  }
});

test("ADM-681 ADM-682 ADM-683 ADM-686 ADM-1005 a data view is written, fails, is corrected, saved and built again", async () => {
  const page = await open("/admin/collections/dataviews");
  await heading(page, "Data views").waitFor();
  await page.getByText("No data views yet").waitFor();
  await page.getByRole("link", { name: "New data view" }).first().click();
  await heading(page, "New data view").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Authors");
  const code = page.getByRole("textbox", { name: "Definition" });
  const source = (body: string) => `export default async (ctx) => {\n  ${body}\n};`;
  await replaceText(code, source("return 1 +;"));
  await page.getByText(/SyntaxError.*line 2/).waitFor();
  await button(page, "Test run").click();
  const failure = page.getByRole("alert").filter({ hasText: "The definition failed" });
  await until(
    async () => (await failure.textContent()) ?? "",
    (text) => /SyntaxError.*line 2/.test(text),
  );
  await page.locator(".cm-lint-marker-error").waitFor();
  await becomes(() => code.getAttribute("aria-invalid"), "true");
  await code.fill(
    source(`ctx.log("read"); return (await ctx.objects.all("posts")).map(({ id, author }) => ({ id, author }));`),
  );
  await button(page, "Test run").click();
  const result = page.getByRole("grid", { name: "Result of the test run" });
  await result.waitFor();
  await becomes(() => result.getByRole("row").count(), 4);
  await page.getByText("read", { exact: true }).waitFor();
  await becomes(async () => (await server.request("GET", "/api/dataviews")).body.data.length, 0);
  await page.getByRole("combobox", { name: "Dependencies" }).fill("posts");
  await page.keyboard.press("Enter");
  await button(page, "Save").click();
  await page.waitForURL("**/admin/dataviews/authors");
  await button(page, "Rebuild").click();
  await page.getByRole("grid", { name: "Stored result" }).waitFor();
  await page.getByRole("region", { name: "Stored result" }).getByRole("radio", { name: "JSON" }).check();
  await page.getByRole("region", { name: "Stored result, JSON" }).getByText('"author": "Mia"').waitFor();
  await becomes(() => axeInBothThemes(page, "main", "data-view"), []);

  const body = { definition: source("return nothing;") };
  await server.request("PATCH", "/api/collections/dataviews/authors", { body });
  await page.getByRole("link", { name: "Data views" }).last().click();
  const grid = page.getByRole("grid", { name: "Data views" });
  await grid.getByRole("button", { name: "Actions for Authors" }).click();
  await page.getByRole("menuitem", { name: "Rebuild" }).click();
  await page.getByText("The build failed. The last good result stays.").waitFor();
  const row = grid.getByRole("row", { name: "Authors" });
  await row.getByText("Failed").waitFor();
  await row.getByText(/ReferenceError/).waitFor();
  await row.getByText("3", { exact: true }).waitFor();
  await becomes(() => axe(page, "main"), []);
});

test("ADM-685 a snippet is tried while it is written, saved and found again", async () => {
  const page = await open("/admin/playground");
  await heading(page, "Playground").waitFor();
  const code = page.getByRole("textbox", { name: "Snippet" });
  await replaceText(code, "<b>{{ 6 | times: 7 }}</b>{{ 1 | none }}");
  await page.getByText("Line 1, column 26: undefined filter: none").first().waitFor();
  await page.locator(".cm-lint-marker-error").waitFor();
  await replaceText(code, "<b>{{ 6 | times: 7 }}</b>");
  await frame(page, "Rendered result").getByText("42").waitFor();
  await radio(page, "HTML").check();
  await page.getByText("<b>42</b>", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Answer");
  await button(page, "Save").click();
  await page.waitForURL(/\/admin\/playground\/answer-/);
  await heading(page, "Answer").waitFor();
  await page.getByRole("region", { name: "Saved snippets" }).getByRole("link", { name: "Answer" }).waitFor();
  await becomes(() => axeInBothThemes(page, "main", "playground"), []);
});

test("ADM-684 the pages are for those who have the right to them", async () => {
  const permissions = { collections: { operations: ["read"], all: true }, builder: true };
  await server.request("POST", "/api/access-groups", { body: { id: "builders", permissions } });
  await makeUser(server, "eve", ["builders"]);
  const page = await newPage(server, { as: await signIn(server, "eve") });
  await page.goto("/admin/dataviews");
  await heading(page, "You may not see this page").waitFor();
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("tree", { name: "Templates" }).waitFor();
  for (const name of ["Data views", "Playground"]) equal(await main.getByRole("link", { name }).count(), 0);
});
