// Each page of the admin that is about content, visited once: the names that tests of others rely on, axe, the keyboard, the console
// (tests/support/passport.ts). Steps then go on to what a click opens: menus, dialogs, tabs, kinds of fields.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Dialog, Page } from "playwright-core";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { contentPages } from "../support/admin-pages.ts";
import { newPage } from "../support/browser.ts";
import { event } from "../support/event-schema.ts";
import { expectIt, see, seeNone } from "../support/names.ts";
import { lookAtPage, walkThroughPage } from "../support/passport.ts";
import { picture, upload } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { isFull } from "../support/test-once.ts";
import { article, create } from "../sync/pair.ts";

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer({ hasOAuth: true });
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "stop",
    properties: { id: { type: "slug", field: "id", label: "Id" }, name: { ...text, label: "Name" } },
    required: ["name"],
  });
  await server.makeSchema({
    id: "post",
    title: "Post",
    properties: {
      id: { type: "slug", field: "id", label: "Id" },
      title: { ...text, label: "Title" },
      author: { ...text, label: "Author" },
      draft: { type: "boolean", field: "checkbox", label: "Draft" },
      day: { type: "date", field: "date", label: "Day" },
      body: { type: "string", field: "styledtext", label: "Body" },
      tags: { type: "list", field: "list", label: "Tags" },
      stops: { field: "deck", label: "Stops", schemaref: "stop", deckItemLabel: "${name}" },
      cover: { field: "image", label: "Cover" },
      pictures: { field: "gallery", label: "Pictures" },
      paper: { field: "file", label: "Paper" },
      papers: { field: "depot", label: "Papers" },
      price: { type: "number", field: "price", label: "Price" },
      pin: { type: "password", field: "password", label: "Pin" },
      token: { type: "string", field: "secret", label: "Token" },
      tint: { type: "color", field: "color", label: "Tint" },
      volume: { type: "number", field: "range", label: "Volume", settings: { min: 0, max: 10 } },
      code: { type: "string", field: "code", label: "Code" },
      name: { type: "localizedtext", field: "localizedtext", label: "Slogan" },
    },
    required: ["id", "title"],
    index: ["id", "title", "author", "draft", "day"],
  });
  await server.makeCollection({
    ...{ id: "blog", name: "Blog", schema: "post", labelSingular: "Post", labelPlural: "Posts", url: "/blog" },
    ...{ history: "full", category: "Writing" },
  });
  await server.makeCollection({ id: "plain", name: "Plain", schema: "post" });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  for (let n = 0; n < 12; n += 1)
    await create(server, "blog", {
      id: `p${n}`,
      title: `Post ${n}`,
      author: n % 2 ? "Ada" : "Mia",
      stops: [
        { id: "a", name: "Hut" },
        { id: "b", name: "Lake" },
      ],
    });
  await create(server, "plain", { id: "one", title: "One", tags: ["red"] });
  for (const [path, name] of [
    ["cover", "hill.jpg"],
    ["pictures", "lake.jpg"],
    ["papers", "plan.jpg"],
  ] as const)
    await upload(server, `blog/p1/${path}`, { name, bytes: await picture(60, 40) });
  await server.request("PATCH", "/api/collections/blog/p2", { body: { author: "Jon" } });
  await server.makeSchema(event);
  await server.makeSchema(article);
  await server.makeCollection({ id: "news", schema: "article", name: "News" });
  await create(server, "news", { id: "first", title: "First" });
  await server.makeCollection({
    ...{ id: "events", name: "Events", schema: "event", labelSingular: "event", history: "full" },
  });
  for (const n of [1, 2, 3]) await create(server, "events", { id: `e${n}`, title: `Event ${n}` });
  await create(server, "dataviews", { id: "totals", name: "Totals", definition: "export default async () => 1" });
  await server.request("PUT", "/api/templates/pages/home", { body: { template: "Hello" } });
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
  await ada.request("PATCH", "/api/collections/events/e1", { body: { title: "Event one" } });
  await ada.request("DELETE", "/api/collections/events/e3");
});
after(() => server.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const question = (page: Page, name: string) => page.getByRole("alertdialog", { name, exact: true });
const openTab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();

/** What follows on a page, by its path. */
const steps: Record<string, (page: Page) => Promise<void>> = {
  "": theShell,
  "/collections/blog": async (page) => {
    await theTable(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await theSelection(page);
  },
  "/collections/blog/p1": theFields,
  "/collections/blog/p2": theForm,
  "/collections/blog/-settings": theSettings,
  "/schemas/article": theSchema,
};

test("ADM-1300 each step belongs to a page", () => {
  const paths = new Set(contentPages.map(({ path }) => path));
  deepEqual(
    Object.keys(steps).filter((path) => !paths.has(path)),
    [],
  );
});

let english: Promise<Page> | undefined;
for (const entry of contentPages)
  test(`ADM-1300 ADM-1302 ADM-1340 ADM-1341 the page ${entry.path || "/"}`, async () => {
    english ??= newPage(server, { as: ada, isKept: true });
    equal((await lookAtPage(await english, entry, steps[entry.path])).join("\n"), "");
  });

let german: Promise<Page> | undefined;
for (const entry of contentPages.filter(({ isCrowded }) => isCrowded || isFull))
  test(`ADM-1302 the page ${entry.path || "/"} by keyboard, in German`, async () => {
    german ??= newPage(server, { as: ada, language: "de-DE", isKept: true });
    equal((await walkThroughPage(await german, entry)).join("\n"), "");
  });

async function theShell(page: Page): Promise<void> {
  const nav = page.getByRole("navigation", { name: "Main" });
  await see(nav, "sidebar", {
    link: [
      ...["Home", "Blog", "Plain", "Schemas", "Templates", "Pages", "Data views"],
      ...["Prompts", "Playground", "Automations", "Webhooks", "Mailer", "Jobs", "Users"],
      ...["Access groups", "API keys", "OAuth clients", "OAuth grants", "Sync", "Jumpstart", "Backups"],
      ...["Trash", "Logs", "Cache", "MCP", "System", "Settings"],
    ],
  });
  await see(page, "shell", {
    button: ["Search", "Ada Stone"],
  });
  await button(page, "Ada Stone").click();
  await see(page.getByRole("menu"), "user menu", {
    menuitem: ["Profile", "Keyboard shortcuts", "API reference", "Sign out"],
    menuitemradio: ["Light", "Dark", "System"],
    group: ["Theme", "Density", "Language"],
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await see(page, "palette", { dialog: "Command palette", combobox: "Search or run a command" });
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("schemas");
  await until(() => page.getByRole("option", { name: "Schemas" }).count());
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await see(page, "shortcuts", { dialog: "Keyboard shortcuts" });
}

async function theTable(page: Page): Promise<void> {
  const grid = page.getByRole("grid", { name: "Blog", exact: true });
  const count = page.getByRole("status", { name: "Result count" });
  await until(async () => (await count.textContent()) === "12 objects").catch(() => expectIt(false, "Result count"));
  expectIt((await grid.getAttribute("aria-rowcount")) !== null, "aria-rowcount of the table");
  expectIt((await grid.locator('[role=row][data-id="p1"], tr[data-id="p1"]').count()) === 1, "data-id of rows");
  expectIt((await grid.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort")) !== null, "aria-sort");
  await button(page, "Actions for Post 1").click();
  await see(page.getByRole("menu"), "row menu", { menuitem: ["Open", "Open page", "Duplicate", "Copy id", "Delete"] });
  await page.keyboard.press("Escape");
  await button(page, "Add filter").click();
  const filter = dialog(page, "Filter");
  await see(filter, "filter", { combobox: ["Property", "Condition"], button: ["Apply", "Cancel"] });
  await filter.getByRole("combobox", { name: "Property" }).fill("Author");
  await filter.getByRole("combobox", { name: "Property" }).press("Enter");
  await filter.getByLabel("Value", { exact: true }).fill("Ada");
  await button(page, "Apply").click();
  await see(page, "filtered", { button: ["Remove filter Author", "Clear filters"] });
  await button(page, "Views").click();
  await page.getByRole("menuitem", { name: "Save view", exact: true }).click();
  const view = dialog(page, "Save view");
  await see(view, "views", { textbox: "Name", checkbox: "For everyone", button: ["Save view", "Cancel"] });
  await view.getByRole("button", { name: "Cancel" }).click();
  await button(page, "Clear filters").click();
  await button(page, "Columns").click();
  await see(dialog(page, "Columns"), "columns", { checkbox: ["Title", "Author", "Draft"], button: "Done" });
  await button(page, "Done").click();
  await page.getByRole("radio", { name: "Cards", exact: true }).click({ force: true });
  await see(page, "cards", { list: "Blog", listitem: "Post 1" });
  await page.getByRole("radio", { name: "Table", exact: true }).click({ force: true });
  await page.setViewportSize({ width: 600, height: 900 });
  await see(page, "narrow", { list: "Blog", listitem: "Post 1" });
}

async function theSelection(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "Select Post 1", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select Post 2", exact: true }).check();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await see(bar, "selection", {
    text: "2 selected",
    button: ["Select all 12 matching", "Edit", "Export", "Delete", "Clear selection"],
  });
  await bar.getByRole("button", { name: "Edit" }).click();
  const edit = dialog(page, "Edit 2 objects");
  await see(edit, "bulk edit", { combobox: "Property", button: ["Apply to 2", "Cancel"] });
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Delete" }).click();
  await see(question(page, "Delete 2 objects?"), "bulk delete", { button: ["Delete", "Cancel"] });
  await seeNone(question(page, "Delete 2 objects?"), "bulk delete", { textbox: "Type 2 to confirm" });
  await page.keyboard.press("Escape");
  await button(page, "Select all 12 matching").click();
  await see(bar, "selection", { text: "12 selected" });
  await bar.getByRole("button", { name: "Delete" }).click();
  await see(question(page, "Delete 12 objects?"), "bulk delete", { textbox: "Type 12 to confirm" });
}

async function theForm(page: Page): Promise<void> {
  await button(page, "More ways to save").click();
  await see(page.getByRole("menu"), "ways to save", {
    menuitem: ["Save and close", "Save and new", "Save as copy", "Save as draft"],
  });
  await page.keyboard.press("Escape");
  await button(page, "More actions").click();
  await see(page.getByRole("menu"), "actions", {
    menuitem: ["Duplicate", "Open page", "Copy id", "Copy API address", "Discard changes", "Delete"],
  });
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await see(dialog(page, "Duplicate Post 2"), "duplicate", { textbox: "New id", button: ["Duplicate", "Cancel"] });
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("");
  await button(page, "Save").click();
  await see(page, "errors", { button: "Undo change to Title" });
  const alert = page.getByRole("alert").filter({ hasText: "1 field needs attention" });
  await see(alert, "errors", { link: "Title" });
  expectIt(
    (await page.getByRole("textbox", { name: "Title", exact: true }).getAttribute("aria-invalid")) === "true",
    "aria-invalid",
  );
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await see(dialog(page, "Leave without saving?"), "leave", { button: ["Save and leave", "Leave", "Stay"] });
  await button(page, "Stay").click();
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Other");
  await until(() => page.evaluate<boolean>("Object.values(localStorage).some((v) => v.includes('Other'))"));
  const leave = (asked: Dialog) => void asked.accept();
  page.on("dialog", leave);
  await page.reload();
  page.off("dialog", leave);
  const back = page.getByRole("status").filter({ hasText: /^Unsaved changes of .* were brought back/ });
  await see(back, "brought back", { button: "Discard changes" });
  await back.getByRole("button", { name: "Discard changes" }).click();
  await button(page, "More ways to save").click();
  await page.getByRole("menuitem", { name: "Save as copy" }).click();
  await see(dialog(page, "Save as copy"), "save as copy", { textbox: "New id", button: ["Save", "Cancel"] });
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "JSON" }).click();
  await see(page, "JSON tab", { textbox: "JSON" });
  await page.getByRole("tab", { name: "Versions" }).click();
  await see(page, "Versions tab", { list: "Versions" });
  await page.getByRole("list", { name: "Versions" }).getByRole("button").last().click();
  await see(page, "Versions tab", { button: "Restore" });
  await page.getByRole("tab", { name: "Form" }).click();
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  const sure = question(page, "Delete Post 2?");
  await see(sure, "delete", { button: ["Delete", "Cancel"] });
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/admin/collections/blog");
  const notices = page.getByRole("region", { name: "Notifications" });
  await see(notices, "deleted", { button: "Undo" });
  await until(() => notices.getByRole("status").filter({ hasText: "Deleted" }).count()).catch(() =>
    expectIt(false, 'status "Deleted"'),
  );
}

async function theFields(page: Page): Promise<void> {
  await see(page.getByRole("toolbar", { name: "Body formatting" }), "rich text", {
    button: [
      ...["Bold", "Italic", "Underline", "Heading", "Bulleted list", "Numbered list", "Quote"],
      ...["Link", "Image", "Table", "Clear formatting", "HTML", "Full screen"],
    ],
  });
  await page.getByRole("textbox", { name: "Body", exact: true }).fill("Some words");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await see(page.getByRole("dialog"), "link", { label: "Address", button: "Apply" });
  await page.keyboard.press("Escape");
  expectIt(
    (await page
      .getByRole("tree", { name: "Papers folders" })
      .or(page.getByRole("treegrid", { name: "Papers folders" }))
      .count()) === 1,
    "tree of folders",
  );
  expectIt(
    (await page.getByRole("group", { name: "Day", exact: true }).getByRole("spinbutton").count()) === 3,
    "parts of a date",
  );
  expectIt((await page.getByRole("button", { name: /^Calendar/ }).count()) === 1, "Calendar");
  await button(page, "Actions for Lake").click();
  await see(page.getByRole("menu"), "deck row", { menuitem: ["Duplicate", "Move to top", "Move up", "Delete"] });
  await page.keyboard.press("Escape");
  await button(page, "Actions for Hut").click();
  await see(page.getByRole("menu"), "deck row", { menuitem: ["Move down", "Move to bottom"] });
  await page.keyboard.press("Escape");
  await button(page, "Edit Hut").click();
  await see(dialog(page, "Hut"), "deck item", { textbox: "Name", button: ["Apply", "Cancel"] });
  await page.keyboard.press("Escape");
  await button(page, "Add item to Stops").click();
  await see(dialog(page, "New item"), "deck item", { button: ["Apply", "Cancel"] });
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Tags", exact: true }).fill("wet");
  await page.getByRole("combobox", { name: "Tags", exact: true }).press("Enter");
  await see(page, "list", { list: "Tags: chosen", button: "Remove wet" });
  await button(page, "Edit hill.jpg").click();
  const image = dialog(page, "hill.jpg");
  await see(image, "image", {
    textbox: ["Alt text", "Link"],
    label: "Tags",
    checkbox: "Featured",
    tab: ["Focal point", "Metadata", "Address"],
    button: ["Apply", "Cancel"],
  });
  await image.getByRole("tab", { name: "Focal point" }).click();
  await see(image, "image", { slider: ["Horizontal", "Vertical"] });
  await page.keyboard.press("Escape");
  await see(page, "by URL", { button: ["Upload Cover from a URL"] });
  await button(page, "Upload Cover from a URL").click();
  await see(page.getByRole("dialog"), "by URL", { textbox: "Address", button: "Upload" });
  await page.keyboard.press("Escape");
  await see(page.getByRole("grid", { name: "Pictures" }), "gallery", {
    row: "lake.jpg",
    button: "Actions for lake.jpg",
  });
  await button(page, "Actions for lake.jpg").click();
  await see(page.getByRole("menu"), "gallery", { menuitem: "Remove" });
  await page.keyboard.press("Escape");
  await button(page, "New folder in Papers").click();
  await see(page.getByRole("dialog", { name: /^New folder/ }), "depot", { textbox: "Name", button: "Create" });
  await page.keyboard.press("Escape");
  await page.getByRole("grid", { name: "Papers files" }).getByRole("row", { name: /plan/ }).first().click();
  await see(page, "depot", { button: ["Move to…", "Rename", "Delete"] });
  await button(page, "Move to…").first().click();
  const folders = page.getByRole("dialog");
  await see(folders, "depot", { button: "Move" });
  expectIt(
    (await folders
      .getByRole("tree", { name: "Folders" })
      .or(folders.getByRole("treegrid", { name: "Folders" }))
      .count()) === 1,
    'tree "Folders"',
  );
}

async function theSettings(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Access" }).click();
  await see(page.getByRole("group", { name: "Public operations" }), "access", {
    checkbox: ["Create", "Read", "Update", "Delete"],
  });
  await page.getByRole("tab", { name: "MCP" }).click();
  await see(page, "MCP", { combobox: "MCP access" });
  await page.getByRole("tab", { name: "Danger" }).click();
  await button(page, "Delete collection").click();
  await see(page.getByRole("alertdialog"), "danger", { textbox: "Type blog to confirm", button: "Cancel" });
}

async function theSchema(page: Page): Promise<void> {
  await button(page, "Add property").click();
  const add = dialog(page, "Add property");
  await see(add, "add property", {
    combobox: "Field kind",
    textbox: ["Name", "Label", "Help"],
    checkbox: ["Required", "Indexed", "Unique"],
    button: ["Add", "Cancel"],
  });
  await page.keyboard.press("Escape");
  const list = page.getByRole("list", { name: "Properties" });
  await list.getByRole("listitem", { name: "title", exact: true }).getByRole("button").first().click();
  const region = page.getByRole("region", { name: "Property", exact: true });
  await see(region, "property", {
    combobox: "Field kind",
    textbox: ["Label", "Help"],
    checkbox: ["Required", "Indexed", "Unique"],
    button: ["Rename…", "Remove property"],
  });
  await region.getByRole("button", { name: "Rename…" }).click();
  await see(dialog(page, "Rename property"), "rename", { textbox: "New name", button: ["Rename", "Cancel"] });
  await page.keyboard.press("Escape");
  await openTab(page, "Layout");
  await see(page, "layout", { textbox: "Layout text" });
  await page.getByRole("textbox", { name: "Layout text" }).fill("title body\npicture picture");
  await see(page, "layout", { grid: "Layout" });
  await button(page, "Actions for title").click();
  await see(page.getByRole("menu"), "layout cell", { menuitem: ["Move right", "Move down", "Wider", "Remove"] });
  await page.keyboard.press("Escape");
  await button(page, "Actions for picture").click();
  await see(page.getByRole("menu"), "layout cell", { menuitem: ["Move up", "Narrower"] });
  await page.keyboard.press("Escape");
  await openTab(page, "Properties");
  await list.getByRole("listitem", { name: "body", exact: true }).getByRole("button").first().click();
  await region.getByRole("button", { name: "Remove property" }).click();
  await button(page, "Save").click();
  await see(dialog(page, "Review changes"), "review", { button: ["Apply changes", "Cancel"] });
}

test("ADM-1300 one field of a kind has the short names; readers have no button Save", async () => {
  const page = await newPage(server, { as: vic });
  await page.goto("/admin/collections/blog/p3");
  await page.locator("main[aria-busy=false]").waitFor();
  await seeNone(page, "read-only", { button: ["Save", "More ways to save"] });
  await see(page, "read-only", { text: ["Post 3", "Title", "Author"] });
});
