// The list of schemas and the schema editor, in a browser.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, look, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { isFull } from "../support/test-once.ts";

let server: Server;
let ada: Person;
before(async () => {
  server = await startServer();
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

const name = { exact: true } as const;
const rawSchema = async (id: string) => (await server.request("GET", `/api/schemas/${id}?raw=true`)).body;
const listOf = (page: Page) => page.getByRole("list", { name: "Properties" });
const regionOf = (page: Page) => page.getByRole("region", { name: "Property", ...name });
const saved = (page: Page) =>
  page.getByRole("status", { name: "Save state" }).filter({ hasText: "All changes saved" }).waitFor();
const save = (page: Page) => page.getByRole("button", { name: "Save", ...name }).click();

async function choose(page: Page, property: string): Promise<Locator> {
  await listOf(page)
    .getByRole("listitem", { name: property, ...name })
    .click();
  const region = regionOf(page);
  await region.getByRole("heading", { level: 2, name: property, ...name }).waitFor();
  return region;
}

/** A schema with a collection and objects in it. */
async function made(id: string, properties: object, objects: object[] = [], more: object = {}): Promise<void> {
  await server.makeSchema({ id, title: id, properties, required: ["id"], index: ["id"], ...more });
  await server.makeCollection({ id: `${id}s`, name: `All ${id}`, schema: id });
  for (const object of objects) await server.request("POST", `/api/collections/${id}s`, { body: object });
}

async function open(id: string, options: Parameters<typeof newPage>[1] = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/schemas/${id}`);
  await listOf(page).waitFor();
  return page;
}

/** Some of each sort, and many more in a full run: each takes the same keys. */
const kinds = [
  ...["text", "number", "date", "toggle", "list", "image", "localizedtext"],
  ...(isFull ? ["textarea", "styledtext", "email", "url", "phone", "code", "json", "price", "range", "time"] : []),
  ...(isFull ? ["datetime", "checkbox", "select", "radio", "multiselect", "color", "gallery"] : []),
  "deck",
];

test("ADM-610 a schema with many kinds is made by keyboard alone, and REST uses it", async () => {
  await server.makeSchema({ id: "line", properties: { product: { field: "text" } } });
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/schemas/-new");
  await page.getByRole("heading", { level: 1, name: "New schema" }).waitFor();
  const title = page.getByRole("textbox", { name: "Title", ...name });
  await title.focus();
  await page.keyboard.type("Every kind");
  await becomes(() => page.getByRole("textbox", { name: "Id", ...name }).inputValue(), "every-kind");
  for (const kind of kinds) {
    const button = page.getByRole("button", { name: "Add property" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add property" });
    await dialog.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(kind);
    await page.keyboard.press("Enter");
    await dialog.getByRole("combobox", { name: "Field kind", expanded: false }).waitFor();
    if (kind === "deck") {
      await page.keyboard.press("Tab");
      await page.keyboard.type("line");
      // Schemas are asked for; Enter takes none before they are there.
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("Enter");
      await dialog.locator("[role=combobox][aria-expanded=true]").waitFor({ state: "detached" });
    }
    await page.keyboard.press("Tab");
    await page.keyboard.type(`My ${kind}`);
    if (kind === "text") {
      for (const key of ["Tab", "Tab", "Tab", "Space", "Tab", "Space"]) await page.keyboard.press(key);
    }
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
  }
  await page.keyboard.press("ControlOrMeta+s");
  await page.waitForURL(/\/admin\/schemas\/every-kind/);
  await page.getByRole("heading", { level: 1, name: "Every kind" }).waitFor();
  await saved(page);

  const { properties, required, index } = await rawSchema("every-kind");
  const fields = Object.entries(properties as Record<string, { field: string }>).map(([key, { field }]) => [
    key,
    field,
  ]);
  const camel = (kind: string) => `my${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  deepEqual(fields, [["id", "id"], ...kinds.map((kind) => [camel(kind), kind])]);
  deepEqual(
    [required, index],
    [
      ["id", "myText"],
      ["id", "myText"],
    ],
  );
  equal(properties.myText.label, "My text");
  await server.makeCollection({ id: "every-kinds", schema: "every-kind" });
  const values = { id: "one", myText: "A", myNumber: 2.5, myToggle: true, myDate: "2027-03-01", myList: ["a", "b"] };
  const deck = [{ id: "x", product: "Tea" }];
  const { status, body } = await server.request("POST", "/api/collections/every-kinds", {
    body: { ...values, myDeck: deck },
  });
  equal(status, 201);
  deepEqual([body.data.myNumber, body.data.myToggle, body.data.myDeck[0].product], [2.5, true, "Tea"]);
});

test("ADM-611 ADM-1002 the review shows the server's numbers, and nothing is saved before Apply changes", async () => {
  const objects = [
    ...[1, 2, 3].map((number) => ({ id: `a${number}`, old: `text ${number}`, size: number === 3 ? "big" : "4" })),
    { id: "b1", note: "here" },
  ];
  await made("stone", { old: { field: "text" }, size: { field: "text" }, note: { field: "text" } }, objects);
  await server.makeSchema({ id: "gem", inheritFrom: ["stone"], properties: {} });
  const page = await open("stone");
  await (await choose(page, "old")).getByRole("button", { name: "Remove property" }).click();
  await becomes(
    () =>
      listOf(page)
        .getByRole("listitem", { name: "old", ...name })
        .count(),
    0,
  );
  const size = await choose(page, "size");
  await size.getByRole("combobox", { name: "Field kind" }).fill("number");
  await page.keyboard.press("Enter");
  const note = await choose(page, "note");
  await note.getByRole("checkbox", { name: "Required" }).check();
  await note.getByRole("checkbox", { name: "Indexed" }).check();

  const asked = page.waitForResponse((response) => response.url().endsWith("/api/schema-plan"));
  await save(page);
  const { data: plan } = await (await asked).json();
  const dialog = page.getByRole("dialog", { name: "Review changes" });
  await dialog.waitFor();
  const text = await until(
    async () => (await dialog.allInnerTexts()).join("").replace(/\s+/g, " "),
    (shown) => /objects are indexed again/.test(shown),
  );
  const [removed] = plan.removed;
  const [retyped] = plan.retyped;
  const [needed] = plan.newlyRequired;
  deepEqual([removed.filled, retyped.unfit, needed.lacking, plan.index.objects], [3, 1, 3, 4]);
  match(text, /All stone, 4 objects/);
  const link = dialog.getByRole("link", { name: /All stone/ });
  await becomes(
    async () => [await link.getAttribute("target"), await link.getAttribute("href")],
    ["_blank", "/admin/collections/stones"],
  );
  match(text, /old leaves 3 objects have a value/);
  match(text, /size changes from string to number 1 value does not fit/);
  match(text, /note becomes required 3 objects lack it/);
  match(text, /Added: note/);
  match(text, /4 objects are indexed again/);
  match(text, /These are made with it and change too: gem/);
  await screenshot(page, "schemas-review");
  await becomes(() => axe(page, "[role=dialog]"), []);

  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await until(async () => (await rawSchema("stone")).properties.old);
  await save(page);
  await dialog.getByRole("button", { name: "Apply changes" }).click();
  await saved(page);
  const stored = await rawSchema("stone");
  deepEqual(Object.keys(stored.properties), ["id", "size", "note"]);
  deepEqual([stored.properties.size.type, stored.required], ["number", ["id", "note"]]);
});

test("ADM-612 properties of a parent are shown, overridden and reset", async () => {
  await server.makeSchema({
    ...{ id: "base", title: "Base", index: ["title"], required: ["title"] },
    properties: { title: { field: "text", label: "Title", "x-own": { deep: [1] } }, image: { field: "image" } },
  });
  await server.makeSchema({ id: "review", title: "Review", properties: { score: { field: "number" } } });
  const page = await open("review");
  await page.getByRole("combobox", { name: "Inherit from" }).fill("Base");
  await page.getByRole("option", { name: /Base/ }).first().waitFor();
  await page.keyboard.press("Enter");
  const inherited = listOf(page).getByRole("listitem", { name: "title", ...name });
  await inherited.getByText("from Base").waitFor();
  const region = await choose(page, "title");
  await region.getByText("This property comes from Base").waitFor();
  await becomes(() => region.getByRole("textbox").count(), 0);
  await region.getByRole("button", { name: "Override" }).click();
  await region.getByRole("textbox", { name: "Label", ...name }).fill("Headline");
  await until(() => region.getByRole("checkbox", { name: "Required" }).isDisabled());
  await save(page);
  await saved(page);
  await becomes(async () => (await rawSchema("review")).properties.title, {
    ...{ type: "string", field: "text", label: "Headline", "x-own": { deep: [1] } },
  });
  const whole = (await server.request("GET", "/api/schemas/review")).body;
  deepEqual([whole.properties.title.label, whole.properties.image.field], ["Headline", "image"]);
  await region.getByRole("button", { name: "Reset override" }).click();
  await region.getByText("This property comes from Base").waitFor();
  await page.getByRole("button", { name: "Undo", ...name }).click();
  await region.getByRole("textbox", { name: "Label", ...name }).waitFor();
  await region.getByRole("button", { name: "Reset override" }).click();
  await save(page);
  await saved(page);
  await becomes(async () => Object.keys((await rawSchema("review")).properties), ["id", "score"]);
});

test("ADM-613 the schema as JSON and the editor show the same, both ways", async () => {
  await server.makeSchema({ id: "both", title: "Both", properties: { title: { field: "text", "x-own": 1 } } });
  const page = await open("both");
  await (await choose(page, "title")).getByRole("textbox", { name: "Help", ...name }).fill("What it is called.");
  await page.getByRole("tab", { name: "JSON" }).click();
  const json = page.getByRole("textbox", { name: "JSON" });
  await json.waitFor();
  const shown = JSON.parse((await json.allInnerTexts()).join(""));
  deepEqual(shown.properties.title, { type: "string", field: "text", "x-own": 1, help: "What it is called." });

  const changed = {
    ...shown,
    description: "Written as JSON",
    properties: { ...shown.properties, more: { field: "date" } },
  };
  await json.fill(JSON.stringify(changed, null, 2));
  const description = page.getByRole("textbox", { name: "Description", ...name });
  await becomes(() => description.inputValue(), "Written as JSON");
  const broken = JSON.stringify(changed, null, 2).replace('"description"', "description");
  await json.fill(broken);
  const line = broken.split("\n").findIndex((text) => text.includes(" description")) + 1;
  await page.getByText(new RegExp(`not valid JSON: line ${line},`)).waitFor();
  await save(page);
  await page.getByRole("alert").getByText("The JSON text is not valid").waitFor();
  await becomes(async () => (await rawSchema("both")).properties.more, undefined);
  await json.fill(JSON.stringify(changed, null, 2));
  await page.getByRole("tab", { name: "Properties" }).click();
  await choose(page, "more");
  await page.getByRole("tab", { name: "Check" }).click();
  const findings = page.getByRole("list", { name: "Findings" });
  await findings.getByText("more").first().waitFor();
  await until(async () => {
    const found = await findings.getByRole("listitem").count();
    const text = (await page.getByRole("tab", { name: "Check" }).allInnerTexts()).join("");
    return new RegExp(`\\b${found}\\b`).test(text);
  });
  await save(page);
  await saved(page);
  const { properties } = await rawSchema("both");
  deepEqual([properties.title["x-own"], properties.more.field], [1, "date"]);
});

test("ADM-614 properties are moved, removed and brought back by keyboard, and renamed with their values", async () => {
  await made("order", { one: { field: "text" }, two: { field: "text" } }, [{ id: "a", two: "kept" }]);
  const page = await open("order");
  const names = () =>
    listOf(page)
      .getByRole("listitem")
      .evaluateAll((items) => items.map((item) => item.ariaLabel));
  await listOf(page).getByRole("button", { name: /^id/ }).first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await regionOf(page).getByRole("heading", { level: 2, name: "two" }).waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await becomes(() => names(), ["id", "two", "one"]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Remove property" }).click();
  await becomes(() => names(), ["id", "one"]);
  await page.getByRole("button", { name: "Undo", ...name }).click();
  await becomes(() => names(), ["id", "two", "one"]);
  await save(page);
  await saved(page);
  await becomes(async () => Object.keys((await rawSchema("order")).properties), ["id", "two", "one"]);

  const region = await choose(page, "two");
  await region.getByRole("textbox", { name: "Label", ...name }).fill("Second");
  await region.getByRole("button", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename property" });
  await dialog.getByRole("textbox", { name: "New name" }).fill("second");
  await dialog.getByRole("button", { name: "Rename", ...name }).click();
  await regionOf(page).getByRole("heading", { level: 2, name: "second" }).waitFor();
  await becomes(
    () =>
      regionOf(page)
        .getByRole("textbox", { name: "Label", ...name })
        .inputValue(),
    "Second",
  );
  await save(page);
  await saved(page);
  const { second } = (await rawSchema("order")).properties;
  deepEqual([second.label, second.formerly], ["Second", ["two"]]);
  await becomes(async () => (await server.request("GET", "/api/collections/orders/a")).body.data.second, "kept");
});

test("ADM-615 rules, options and visibility reach the definition, and the preview is the real field", async () => {
  await made("form", { sort: { field: "select" }, amount: { field: "number" } });
  const page = await open("form");
  const sort = await choose(page, "sort");
  for (const part of ["Options", "Visibility", "Agents", "Preview"])
    await sort.getByRole("button", { name: part }).click();
  await sort.getByRole("textbox", { name: "Options" }).fill("a = An A\nb");
  await sort.getByRole("checkbox", { name: "The server refuses other values" }).check();
  await sort.getByRole("combobox", { name: "Show when" }).fill("amount");
  await page.keyboard.press("Enter");
  await sort.getByRole("combobox", { name: "Condition" }).fill("is more than");
  await page.keyboard.press("Enter");
  await sort.getByRole("textbox", { name: "Value" }).fill("3");
  await sort.getByRole("checkbox", { name: "Agents see this property" }).uncheck();
  await sort.getByRole("combobox", { name: "Sort", ...name }).click();
  await page.getByRole("option", { name: "An A" }).click();
  const amount = await choose(page, "amount");
  await amount.getByRole("button", { name: "Rules" }).click();
  await amount.getByRole("textbox", { name: "Highest number" }).fill("10");
  await amount.getByRole("textbox", { name: "Default" }).fill("4");
  await look(page, "schemas-editor");
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Review changes" });
  await saved(page);
  await becomes(() => dialog.count(), 0);
  const { properties } = await rawSchema("form");
  deepEqual(properties.sort.options, [{ value: "a", label: "An A" }, "b"]);
  deepEqual(properties.sort.enum, ["a", "b"]);
  deepEqual(properties.sort.settings.visibility, { watch: "amount", operator: ">", value: "3" });
  deepEqual(properties.sort.mcp, { expose: false });
  deepEqual([properties.amount.maximum, properties.amount.default], [10, 4]);
});

test("ADM-616 changes of two people are joined, and the same property asks", async () => {
  await server.makeSchema({
    id: "shared",
    title: "Shared",
    properties: { one: { field: "text" }, two: { field: "text" } },
  });
  const page = await open("shared");
  const { $schema: _, ...before } = await rawSchema("shared");
  const putAs = (change: object) =>
    server.request("PUT", "/api/schemas/shared", {
      body: { ...before, properties: { ...before.properties, ...change } },
    });
  await (await choose(page, "one")).getByRole("textbox", { name: "Label", ...name }).fill("Mine");
  await putAs({ two: { field: "text", label: "Theirs" } });
  await save(page);
  await page.getByText("Saved together with changes to Property two").waitFor();
  const joined = (await rawSchema("shared")).properties;
  deepEqual([joined.one.label, joined.two.label], ["Mine", "Theirs"]);

  const two = await choose(page, "two");
  await two.getByRole("textbox", { name: "Label", ...name }).fill("Again mine");
  await putAs({ one: joined.one, two: { field: "text", label: "Again theirs" } });
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Changed by somebody else" });
  await dialog.getByRole("group", { name: "Property two" }).getByRole("radio", { name: "Yours" }).check();
  await dialog.getByRole("button", { name: "Save choices" }).click();
  await saved(page);
  await becomes(async () => (await rawSchema("shared")).properties.two.label, "Again mine");

  await two.getByRole("textbox", { name: "Label", ...name }).fill("Typed and left");
  await page.getByRole("link", { name: "Schemas" }).first().click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave", ...name })
    .click();
  await page.getByRole("grid", { name: "Schemas" }).getByRole("link", { name: "Shared" }).click();
  await page.getByText(/Unsaved changes of .* were brought back/).waitFor();
  await choose(page, "two");
  await becomes(
    () =>
      regionOf(page)
        .getByRole("textbox", { name: "Label", ...name })
        .inputValue(),
    "Typed and left",
  );
});

test("ADM-609 the list shows every schema with what uses it; a used one is not deleted, a built-in one is copied", async () => {
  await made("used", { title: { field: "text" } }, [{ id: "a" }], { category: "Zoo", title: "Used" });
  await server.makeSchema({ id: "alone", title: "Alone", category: "Ants", properties: {} });
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/schemas");
  const grid = page.getByRole("grid", { name: "Schemas" });
  const used = grid.getByRole("row", { name: "Used" });
  await used.getByRole("link", { name: "All used (1)" }).waitFor();
  const rows = (await grid.getByRole("row").allInnerTexts()).map((text) => text.split("\n")[0]);
  const at = (title: string) => rows.findIndex((text) => text?.startsWith(title));
  ok(at("Alone") < at("Used") && at("Used") < at("Blog"), "by category, built-in ones last");
  await grid.getByRole("row", { name: "Blog" }).getByText("Built-in").waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "schemas-list");
  await used.getByRole("button", { name: "Actions for Used" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const refused = page.getByRole("dialog", { name: "Delete Used?" });
  await refused.getByText("It cannot be deleted while it is used by All used").waitFor();
  await refused.getByRole("button", { name: "Close" }).click();
  await grid.getByRole("row", { name: "Alone" }).getByRole("button", { name: "Actions for Alone" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const asked = page.getByRole("alertdialog", { name: "Delete Alone?" });
  await asked.getByRole("textbox", { name: "Type alone to confirm" }).fill("alone");
  await asked.getByRole("button", { name: "Delete" }).click();
  await grid.getByRole("row", { name: "Alone" }).waitFor({ state: "detached" });
  await becomes(async () => (await server.request("GET", "/api/schemas/alone")).status, 404);

  await grid.getByRole("link", { name: "Blog", ...name }).click();
  await page.getByText("A built-in schema cannot be changed").waitFor();
  await becomes(() => page.getByRole("button", { name: "Save", ...name }).count(), 0);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("heading", { level: 1, name: "New schema" }).waitFor();
  await save(page);
  await page.waitForURL(/\/admin\/schemas\/blog-copy/);
  await saved(page);
  const copy = await rawSchema("blog-copy");
  deepEqual(Object.keys(copy.properties), Object.keys((await rawSchema("blog")).properties));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "New collection with this schema" }).click();
  await page.getByRole("heading", { level: 1, name: "New collection" }).waitFor();
  await until(
    async () => await page.getByRole("combobox", { name: "Schema" }).inputValue(),
    (text) => /^blog.copy$/i.test(text),
  );
});

test("ADM-617 people who may only read schemas read them as text; others do not see them", async () => {
  await made("plain", { title: { field: "text", label: "Title" } });
  const permissions = { schemas: { operations: ["read"], all: true, allowed: [] } };
  await server.request("POST", "/api/access-groups", { body: { id: "readers", permissions } });
  await makeUser(server, "rita", ["readers"]);
  await makeUser(server, "vic", ["viewer"]);
  const page = await open("plain", { as: await signIn(server, "rita"), width: 360 });
  await page.getByText("You may read this schema, not change it.").waitFor();
  await becomes(() => page.getByRole("textbox").count(), 0);
  for (const button of ["Save", "Add property", "Remove property"])
    await becomes(() => page.getByRole("button", { name: button, ...name }).count(), 0);
  await becomes(() => axe(page), []);
  await screenshot(page, "schemas-read-360");
  const other = await newPage(server, { as: await signIn(server, "vic") });
  await other.goto("/admin/schemas");
  await other.getByRole("heading", { name: "You may not see this page" }).waitFor();
  await becomes(
    () => other.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Schemas" }).count(),
    0,
  );
});
