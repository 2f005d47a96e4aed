// Forms inside of forms: cards, decks and tables of items, edited and read back over the API.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, looks, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { picture } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

const id = { $ref: "/schemas/properties/slug.json", field: "id", label: "Id" };

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "address",
    formgrid: "street street\ntown zip",
    properties: {
      street: { type: "string", field: "text", label: "Street" },
      town: { type: "string", field: "text", label: "Town" },
      zip: { type: "string", field: "text", label: "Zip", pattern: "^[0-9]{4}$" },
      hasDoor: { type: "boolean", field: "checkbox", label: "Has a door code" },
      door: {
        type: "string",
        field: "text",
        label: "Door code",
        settings: { required: true, visibility: { watch: "hasDoor", value: true } },
      },
    },
    required: ["town"],
  });
  await server.makeSchema({
    id: "stop",
    properties: {
      id,
      name: { type: "string", field: "text", label: "Name" },
      minutes: { type: "number", field: "number", label: "Minutes", maximum: 600 },
      place: { field: "card", label: "Place", schemaref: "spot" },
      picture: { field: "image", label: "Picture" },
    },
    required: ["name"],
  });
  await server.makeSchema({
    id: "spot",
    properties: { lake: { type: "string", field: "text", label: "Lake", pattern: "^L" } },
  });
  await server.makeSchema({
    id: "cost",
    properties: {
      id,
      what: { type: "string", field: "text", label: "What" },
      count: { type: "number", field: "number", label: "Count" },
      price: { type: "number", field: "number", label: "Price each" },
      sum: { type: "number", field: "number", label: "Sum", settings: { calc: "${count} * ${price}" } },
      isPaid: { type: "boolean", field: "checkbox", label: "Paid" },
    },
    required: ["what"],
  });
  await server.makeSchema({
    id: "tour",
    formgrid: "title title\n--- Where\naddress address\n--- Stops and costs\nstops stops\ncosts costs",
    properties: {
      id,
      title: { type: "string", field: "text", label: "Title" },
      address: { field: "card", label: "Address", schemaref: "address" },
      stops: { field: "deck", label: "Stops", schemaref: "stop", deckItemLabel: "${name}", maxItems: 4 },
      costs: { field: "deckTable", label: "Costs", schemaref: "cost", deckItemLabel: "${what}" },
    },
    required: ["id", "title"],
  });
  await server.makeCollection({ id: "tours", schema: "tour", name: "Tours", labelSingular: "tour" });
  await makeUser(server, "ada", ["admin"]);
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["tours"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

const full = {
  address: { street: "Main street 1", town: "Bern", zip: "3000" },
  stops: [
    { id: "a", name: "Hut", minutes: 10 },
    { id: "b", name: "Lake", minutes: 20 },
    { id: "c", name: "Peak", minutes: 30 },
  ],
  costs: [
    { id: "x", what: "Bus", count: 2, price: 4.5, isPaid: true },
    { id: "y", what: "Soup", count: 3, price: 10 },
  ],
};

async function open(object: string, values: object = full, options: PageOptions = {}): Promise<Page> {
  const body = { id: object, title: `The ${object}`, ...values };
  const { status, text } = await server.request("POST", "/api/collections/tours", { body });
  equal(status, 201, text);
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/tours/${object}`);
  // Each is loaded by itself.
  for (const name of ["Stops", "Costs"]) await page.getByRole("grid", { name }).waitFor();
  return page;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(object: string): Promise<any> {
  return (await server.request("GET", `/api/collections/tours/${object}`)).body.data;
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);
const rows = (page: Page, grid: string) =>
  page
    .getByRole("grid", { name: grid })
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => row.ariaLabel));

async function saved(page: Page): Promise<void> {
  await save(page);
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
}

test("ADM-313 a card is a group of its own fields; rules look at the fields beside them, and a hidden field is not asked for", async () => {
  const page = await open("carded");
  const card = page.getByRole("group", { name: "Address" });
  await card.getByRole("textbox", { name: "Street" }).fill("Side street 2");
  await becomes(() => card.getByRole("textbox", { name: "Door code" }).count(), 0);
  await page.getByRole("button", { name: "Undo change to Street" }).click();
  await becomes(() => card.getByRole("textbox", { name: "Street" }).inputValue(), "Main street 1");
  await card.getByRole("textbox", { name: "Town" }).fill("");
  await card.getByRole("checkbox", { name: "Has a door code" }).check();
  await save(page);
  const summary = page.getByRole("alert").filter({ hasText: "2 fields need attention" });
  await summary.getByRole("link", { name: "Address › Door code" }).click();
  await hasFocus(card.getByRole("textbox", { name: "Door code" }));
  await page.keyboard.type("12B");
  await card.getByRole("textbox", { name: "Town" }).fill("Thun");
  await saved(page);
  await becomes(async () => (await stored("carded")).address, {
    ...{ street: "Main street 1", town: "Thun", zip: "3000", hasDoor: true, door: "12B" },
  });
});

test("ADM-313 a card that was empty and is empty again is no change and is not asked for", async () => {
  const page = await open("uncarded", {});
  await page.getByRole("textbox", { name: "Street" }).fill("X");
  await page.getByRole("status", { name: "Save state" }).getByText("1 unsaved change").waitFor();
  await page.getByRole("textbox", { name: "Street" }).fill("");
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
});

test("ADM-314 items of a deck are added, edited, stepped through, duplicated, moved and deleted", async () => {
  const page = await open("decked");
  await becomes(() => rows(page, "Stops"), ["Hut", "Lake", "Peak"]);
  await page.getByRole("button", { name: "Edit Hut" }).click();
  const hut = page.getByRole("dialog", { name: "Hut" });
  await hasFocus(hut.getByRole("textbox", { name: "Name" }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Old hut");
  await hut.getByRole("button", { name: "Next item" }).click();
  const lake = page.getByRole("dialog", { name: "Lake" });
  await lake.getByRole("textbox", { name: "Minutes" }).fill("25");
  await lake.getByRole("group", { name: "Place" }).getByRole("textbox", { name: "Lake" }).fill("Long");
  await lake.getByRole("button", { name: "Apply" }).click();
  await becomes(() => rows(page, "Stops"), ["Old hut", "Lake", "Peak"]);

  await page.getByRole("button", { name: "Add item" }).first().click();
  const fresh = page.getByRole("dialog", { name: "New item" });
  await fresh.getByRole("button", { name: "Apply" }).click();
  await hasFocus(fresh.getByRole("textbox", { name: "Name" }));
  await becomes(() => fresh.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid"), "true");
  await page.keyboard.type("Inn");
  await page.keyboard.press("Enter");
  await fresh.waitFor({ state: "detached" });
  await becomes(() => rows(page, "Stops"), ["Old hut", "Lake", "Peak", "Inn"]);
  await becomes(() => page.getByRole("button", { name: "Add item to Stops" }).isDisabled(), true);
  await page.getByText("All 4 items are there.").waitFor();

  const act = async (item: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${item}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
    await page.getByRole("menu").waitFor({ state: "detached" });
  };
  await act("Inn", "Move to top");
  await act("Inn", "Move down");
  await act("Peak", "Delete");
  await becomes(() => rows(page, "Stops"), ["Old hut", "Inn", "Lake"]);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await becomes(() => rows(page, "Stops"), ["Old hut", "Inn", "Lake", "Peak"]);
  await act("Peak", "Delete");
  await act("Lake", "Duplicate");
  await saved(page);
  const { stops } = await stored("decked");
  deepEqual(namesOf(stops), ["Old hut", "Inn", "Lake", "Lake"]);
  deepEqual(stops[2], { id: "b", name: "Lake", minutes: 25, place: { lake: "Long" } });
  deepEqual({ ...stops[3], id: "b" }, stops[2]);
});

test("ADM-314 a picture that is uploaded into an item stays in it when the dialog is applied; in a new item it waits for Save", async () => {
  const page = await open("pictured");
  const choose = async (dialog: Locator) => {
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Upload Picture", exact: true }).click();
    const buffer = await picture(40, 30, { format: "png" });
    await (await chooser).setFiles([{ name: "hill.png", mimeType: "image/png", buffer }]);
  };
  await page.getByRole("button", { name: "Edit Hut" }).click();
  const dialog = page.getByRole("dialog", { name: "Hut" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("New hut");
  await choose(dialog);
  await dialog.getByRole("button", { name: "Edit hill.png" }).waitFor();
  await becomes(() => dialog.getByRole("textbox", { name: "Name" }).inputValue(), "New hut");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Add item to Stops" }).click();
  const fresh = page.getByRole("dialog", { name: "New item" });
  await fresh.getByRole("textbox", { name: "Name" }).fill("Inn");
  await choose(fresh);
  await fresh.getByRole("button", { name: "Apply" }).click();
  const sent = page.waitForResponse((answer) => /\/stops\/[^/]+\/picture/.test(answer.url()));
  await saved(page);
  await becomes(async () => (await sent).ok(), true);
  const { stops } = await stored("pictured");
  deepEqual(namesOf(stops), ["New hut", "Lake", "Peak", "Inn"]);
  deepEqual([stops[0].picture.name, stops[3].picture.name], ["hill.png", "hill.png"]);
});

test("ADM-314 a dialog with changes asks before it is closed", async () => {
  const page = await open("asked");
  await page.getByRole("button", { name: "Edit Hut" }).click();
  const dialog = page.getByRole("dialog", { name: "Hut" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Other");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await becomes(() => dialog.getByRole("textbox", { name: "Name" }).inputValue(), "Other");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "detached" });
  await becomes(() => rows(page, "Stops"), ["Hut", "Lake", "Peak"]);
});

test("ADM-310 ADM-314 by the keyboard alone: a deck is one stop of Tab, Enter edits, Alt with arrows moves, Ctrl+S applies", async () => {
  const page = await open("keyed");
  const row = (name: string) => page.getByRole("row", { name, exact: true });
  await row("Hut").focus();
  await page.keyboard.press("ArrowDown");
  await hasFocus(row("Lake"));
  await page.keyboard.press("Alt+ArrowDown");
  await becomes(() => rows(page, "Stops"), ["Hut", "Peak", "Lake"]);
  await hasFocus(row("Lake"));
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await becomes(() => rows(page, "Stops"), ["Lake", "Hut", "Peak"]);
  await page.keyboard.press("Enter");
  await hasFocus(page.getByRole("dialog").getByRole("textbox", { name: "Name" }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Sea");
  await page.keyboard.press("Control+s");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await hasFocus(row("Sea"));
  await page.keyboard.press("ArrowRight");
  await hasFocus(page.getByRole("button", { name: "Edit Sea" }));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await hasFocus(page.getByRole("button", { name: "Add item to Stops" }));
  await page.keyboard.press("Control+s");
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  await becomes(async () => namesOf((await stored("keyed")).stops), ["Sea", "Hut", "Peak"]);
});

test("ADM-310 items are dragged to another place", async () => {
  const page = await open("dragged");
  const grip = page.getByRole("row", { name: "Hut", exact: true }).locator("[data-tip='Drag to order']");
  await grip.scrollIntoViewIfNeeded();
  const from = await grip.boundingBox();
  const to = await page.getByRole("row", { name: "Peak", exact: true }).boundingBox();
  if (!from || !to) throw new Error("nothing to drag");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, to.y + 2, { steps: 3 });
  await page.mouse.move(from.x + 10, to.y + to.height - 4);
  await page.locator("[data-drop=after]").waitFor();
  await page.mouse.up();
  await becomes(() => rows(page, "Stops"), ["Lake", "Peak", "Hut"]);
});

test("ADM-315 what the server refuses inside of an item is counted at its row, and opens there", async () => {
  const page = await open("refused");
  await page.route("**/api/collections/tours/refused", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const details = {
      "stops.b.place.lake": ["No such lake"],
      "stops.b.minutes": ["Too long"],
      "address.zip": ["Unknown"],
    };
    return route.fulfill({ status: 400, json: { error: { code: 400, message: "Validation failed", details } } });
  });
  await page.getByLabel("Title").fill("Changed");
  await save(page);
  const summary = page.getByRole("alert").filter({ hasText: "3 fields need attention" });
  await summary.waitFor();
  await page.getByRole("textbox", { name: "Zip" }).and(page.locator("[aria-invalid=true]")).waitFor();
  await page.getByRole("row", { name: "Lake", exact: true }).getByText("2 errors").waitFor();
  await summary.getByRole("link", { name: "Stops › Lake › Place › Lake" }).click();
  const dialog = page.getByRole("dialog", { name: "Lake" });
  const lake = dialog.getByRole("textbox", { name: "Lake" });
  await hasFocus(lake);
  await becomes(() => lake.getAttribute("aria-invalid"), "true");
  await lake.fill("Long");
  await dialog.getByRole("textbox", { name: "Minutes" }).fill("3");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByText("2 errors").waitFor({ state: "detached" });
  await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
});

test("ADM-316 a table of items is edited cell by cell with the keyboard, and rows are pasted from a spreadsheet", async () => {
  const page = await open("tabled");
  const grid = page.getByRole("grid", { name: "Costs" });
  const cell = (row: number, column: number) => grid.locator("tbody tr").nth(row).getByRole("gridcell").nth(column);
  await cell(0, 0).focus();
  await page.keyboard.press("Enter");
  await hasFocus(grid.getByRole("textbox", { name: "What" }));
  await page.keyboard.type("Train");
  await page.keyboard.press("Tab");
  await hasFocus(grid.getByRole("textbox", { name: "Count" }));
  await page.keyboard.type("4");
  await page.keyboard.press("Escape");
  await hasFocus(cell(0, 1));
  await becomes(() => cell(0, 3).textContent(), "18");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  // The row after the last one waits for a new item.
  await hasFocus(cell(2, 1));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("Tea");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  await hasFocus(cell(3, 0));
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own names are not known to a test
    const { document, DataTransfer, ClipboardEvent } = globalThis as any;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Beds\t12\t30.5\t\tyes\nKeys\t2\t5\r\n");
    document.activeElement.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await becomes(() => rows(page, "Costs"), ["Train", "Soup", "Tea", "Beds", "Keys", "New row"]);
  await page.getByRole("button", { name: "Actions for Tea" }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
  // A row that was begun and left empty is none.
  await page.getByRole("button", { name: "Add row" }).click();
  await hasFocus(grid.getByRole("textbox", { name: "What" }));
  await page.getByLabel("Title").focus();
  await saved(page);
  const { costs } = await stored("tabled");
  deepEqual(
    costs.map(({ id: _, ...rest }: { id: string }) => rest),
    [
      { what: "Tea", sum: 0 },
      { what: "Train", count: 4, price: 4.5, sum: 18, isPaid: true },
      { what: "Soup", count: 5, price: 10, sum: 50 },
      { what: "Beds", count: 12, price: 30.5, sum: 366, isPaid: true },
      { what: "Keys", count: 2, price: 5, sum: 10 },
    ],
  );
});

test("ADM-317 unsaved changes of cards and items come back after a reload", async () => {
  const page = await open("kept");
  await page.getByRole("textbox", { name: "Town" }).fill("Thun");
  await page.getByRole("button", { name: "Actions for Peak" }).click();
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  await page.waitForFunction(() => Object.values({ ...localStorage }).some((text) => /Thun.*Peak/.test(String(text))));
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("status").filter({ hasText: "were brought back" }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Town" }).inputValue(), "Thun");
  await page.getByRole("row", { name: "Peak", exact: true }).waitFor();
  await becomes(() => rows(page, "Stops"), ["Peak", "Hut", "Lake"]);
});

test("ADM-317 what was typed into the dialog of an item comes back after a reload, and is checked before it is stored", async () => {
  const page = await open("drafted");
  await page.getByRole("button", { name: "Edit Lake" }).click();
  const dialog = page.getByRole("dialog", { name: "Lake" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Lake half typed");
  await dialog.getByRole("textbox", { name: "Minutes" }).fill("900");
  const isKept = (text: string) =>
    page.waitForFunction(
      (wanted) => Object.values({ ...localStorage }).some((one) => String(one).includes(wanted)),
      text,
    );
  await isKept("Lake half typed");
  page.on("dialog", (asked) => void asked.accept());
  await page.reload();
  await page.getByRole("status").filter({ hasText: "were brought back" }).waitFor();
  await becomes(() => rows(page, "Stops"), ["Hut", "Lake half typed", "Peak"]);
  await save(page);
  await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
  await page.getByRole("button", { name: "Edit Lake half typed" }).click();
  const again = page.getByRole("dialog", { name: "Lake half typed" });
  await again.getByRole("textbox", { name: "Minutes" }).fill("90");
  await again.getByRole("textbox", { name: "Name" }).fill("Not wanted");
  await isKept("Not wanted");
  // Cancel asks, and what was discarded is kept no longer.
  await again.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog", { name: "Discard changes?" }).getByRole("button", { name: "Discard" }).click();
  await page.waitForFunction(
    () => !Object.values({ ...localStorage }).some((one) => String(one).includes("Not wanted")),
  );
  await page.getByRole("button", { name: "Edit Lake half typed" }).click();
  await again.getByRole("textbox", { name: "Minutes" }).fill("90");
  await again.getByRole("button", { name: "Apply" }).click();
  await save(page);
  await becomes(async () => (await stored("drafted")).stops[1], { id: "b", name: "Lake half typed", minutes: 90 });
});

test("ADM-318 callers who may only read see cards and items as text", async () => {
  await open("read");
  const page = await newPage(server, { as: vic });
  await page.goto("/admin/collections/tours/read");
  await page.getByText("Main street 1").waitFor();
  await page.getByText("Lake", { exact: true }).first().click();
  await page.getByText("20", { exact: true }).waitFor();
  await becomes(() => page.getByRole("button", { name: "Add item" }).count(), 0);
  await becomes(() => page.getByRole("textbox").count(), 0);
  await becomes(() => axe(page), []);
  await screenshot(page, "structure-read");
});

for (const { width, theme } of looks)
  test(`ADM-319 axe finds nothing in cards, decks, tables and their dialog, ${width} px, ${theme}`, async () => {
    const page = await open(`shown-${width}-${theme}`, full, { width, theme });
    await page.getByRole("gridcell", { name: "Soup", exact: true }).click();
    await page.getByRole("grid", { name: "Costs" }).getByRole("textbox").fill("");
    await becomes(() => axe(page), []);
    await screenshot(page, `structure-${width}-${theme}`);
    await page.getByRole("button", { name: "Edit Lake" }).click();
    await page.getByRole("dialog", { name: "Lake" }).getByRole("textbox", { name: "Name" }).fill("");
    await page.getByRole("button", { name: "Apply" }).click();
    await becomes(() => axe(page), []);
    await screenshot(page, `structure-dialog-${width}-${theme}`);
  });
