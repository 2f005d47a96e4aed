// The layout of a schema, drawn and as text, and renaming a property, in the browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, axeInBothThemes, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { isFull } from "../support/test-once.ts";

let server: Server;
let ann: Person;

const text = { type: "string", field: "text" };
const properties = {
  id: { type: "slug", field: "id" },
  title: { ...text, label: "Title", help: "What it is called." },
  start: { type: "date", field: "datetime", label: "Start" },
  place: { ...text, label: "Place" },
  seats: { type: "number", field: "number", label: "Seats" },
  image: { type: "image", field: "image", label: "Image" },
  note: { ...text, field: "textarea", label: "Note" },
};
const formgrid = "title title\nstart place\n--- Details\n[[ Room\nseats .\n]]";

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const base = { required: ["id", "title"], index: ["id", "title", "note"] };
  await server.makeSchema({ id: "event", title: "Event", ...base, formgrid, properties });
  await server.makeCollection({ id: "events", schema: "event" });
  const objects = Array.from({ length: 1_200 }, (_, n) => ({ id: `e-${n}`, title: `T${n}`, note: `N${n}` }));
  await server.request("POST", "/api/import/collections/events/json", { body: objects });
  await server.request("PUT", "/api/templates/pages/event", { body: { template: "<p>\n{{ page.note }}" } });
  await makeUser(server, "ann", ["admin"]);
  ann = await signIn(server, "ann");
});
after(() => server.stop());

async function openLayout(id: string, width = 1440): Promise<Page> {
  const page = await newPage(server, { as: ann, width });
  await page.goto(`/admin/schemas/${id}?tab=layout`);
  await page.getByRole("textbox", { name: "Layout text" }).waitFor();
  return page;
}

const gridOf = (page: Page) => page.getByRole("grid", { name: "Layout" });
const textOf = (page: Page) => page.getByRole("textbox", { name: "Layout text" });
const menuOf = (page: Page, name: string) => gridOf(page).getByRole("button", { name: `Actions for ${name}` });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await menuOf(page, name).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
}

async function shows(page: Page, expected: string): Promise<void> {
  const shown = `[...document.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\\n")`;
  await page.waitForFunction(`${shown} === ${JSON.stringify(expected)}`);
}

/** The button that has the focus. */
async function hasFocus(page: Page, label: string): Promise<void> {
  await page.waitForFunction(`document.activeElement?.getAttribute("aria-label") === ${JSON.stringify(label)}`);
}

async function cells(grid: Locator): Promise<(string | null)[]> {
  const found = await grid.locator("[data-named]").all();
  return Promise.all(found.map((cell) => cell.getAttribute("data-named")));
}

test("ADM-640 ADM-643 the drawn layout and its text change each other, by menu, keyboard and drag", async () => {
  const page = await openLayout("event");
  const grid = gridOf(page);
  await becomes(
    () => cells(grid),
    ["title", "start", "place", "heading Details", "fieldset Room", "seats", "empty cell", "end of fieldset Room"],
  );
  await choose(page, "start", "Move right");
  await shows(page, formgrid.replace("start place", "place start"));
  await hasFocus(page, "Actions for start");
  // The focus goes with the cell.
  await page.keyboard.press("Alt+ArrowUp");
  await shows(page, formgrid.replace("start place", "start start\nplace"));
  await page.keyboard.press("Alt+ArrowUp");
  await shows(page, formgrid.replace("title title\nstart place", "title start\nplace"));
  await hasFocus(page, "Actions for start");
  await choose(page, "place", "Wider");
  await shows(page, formgrid.replace("title title\nstart place", "title start\nplace place"));
  await menuOf(page, "title").click();
  await becomes(() => page.getByRole("menuitem", { name: "Narrower" }).getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Escape");
  await choose(page, "place", "Remove");
  await shows(page, formgrid.replace("title title\nstart place", "title start"));

  await grid.locator('[data-focus="title"]').dragTo(grid.locator('[data-focus="seats"]'), {
    targetPosition: { x: 6, y: 10 },
  });
  await shows(page, "start\n--- Details\n[[ Room\ntitle seats\n]]");
  await textOf(page).fill("title\nnote note");
  await menuOf(page, "note").waitFor();
  await becomes(() => cells(grid), ["title", "note"]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  const saved = await server.request("GET", "/api/schemas/event");
  assert.equal(saved.body.formgrid, "title\nnote note");
});

test("ADM-642 ADM-644 problems are at their line, and what is not placed is placed by a button", async () => {
  const page = await openLayout("event");
  await textOf(page).fill("title nowhere\nstart start");
  await page.getByText('Line 1: There is no property "nowhere".').waitFor();
  await becomes(() => textOf(page).getAttribute("aria-invalid"), "true");
  await gridOf(page).getByText("No such property").waitFor();
  await textOf(page).fill("title");
  const rest = page.getByRole("region", { name: "Not placed" });
  // What is drawn follows what is typed a moment later.
  await becomes(
    () => rest.getByRole("button").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label"))),
    ["id", "start", "place", "seats", "image", "note"].map((name) => `Place ${name}`),
  );
  await rest.getByRole("button", { name: "Place seats" }).click();
  await shows(page, "title\nseats");
  await menuOf(page, "seats").focus();
  await page.getByRole("button", { name: "Add heading" }).click();
  await page.getByRole("textbox", { name: "Title" }).last().fill("More");
  await page.getByRole("dialog", { name: "Heading" }).getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "Add row" }).click();
  await choose(page, "heading More", "Move up");
  await shows(page, "title\nseats\n--- More\n.");
  await choose(page, "heading More", "Change title…");
  await page.getByRole("dialog", { name: "Heading" }).getByRole("textbox", { name: "Title" }).fill("Else");
  await page.keyboard.press("Enter");
  await shows(page, "title\nseats\n--- Else\n.");
});

test("ADM-645 the form below is the one that the layout makes, at the chosen width; axe finds nothing", async () => {
  const page = await openLayout("event");
  await textOf(page).fill("title start\nseats .\n[[ Room\nplace 1st\nnote note\n]]");
  const preview = page.getByRole("region", { name: "Form preview" });
  await preview.getByRole("group", { name: "Room" }).getByRole("textbox", { name: "Note" }).waitFor();
  const at = (name: string) => `document.querySelector('[data-property="${name}"]').getBoundingClientRect().y`;
  await page.waitForFunction(`${at("start")} === ${at("title")}`);
  await preview.getByRole("radio", { name: "Phone" }).check({ force: true });
  await page.waitForFunction(`${at("start")} > ${at("title")}`);
  for (const width of [1440, 1024, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await screenshot(page, `schema-layout-${width}`);
    if (width === 360 || isFull) await becomes(() => axeInBothThemes(page, "main"), []);
    await page.waitForFunction("document.documentElement.scrollWidth <= innerWidth");
  }
  await page.goto("/admin/schemas/blog?tab=layout");
  await textOf(page).waitFor();
  await becomes(() => textOf(page).getAttribute("aria-readonly"), "true");
  assert.equal(await page.getByRole("button", { name: "Add row" }).count(), 0);
});

test("ADM-646 a property is renamed in a dialog that says what it concerns and what does not follow", async () => {
  const page = await newPage(server, { as: ann });
  await page.goto("/admin/schemas/event?property=note");
  await page.getByRole("button", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename property" });
  await dialog.getByText("1,200 objects in events will have it under the new name.").waitFor();
  await dialog.getByText("Template pages/event").waitFor();
  await becomes(() => axe(page, "[role=dialog]"), []);
  await screenshot(page, "schema-rename");
  const name = dialog.getByRole("textbox", { name: "New name" });
  for (const [typed, error] of [
    ["note", "That is its name now."],
    ["1st", "A name starts with a letter"],
    ["title", "There is a property title already."],
    ["draft", "means something to the service"],
  ] as const) {
    await name.fill(typed);
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.getByText(error).waitFor();
    await becomes(() => name.getAttribute("aria-invalid"), "true");
  }
  await name.fill("remark");
  await name.press("Enter");
  const moving = page.getByRole("dialog", { name: "note is now remark" });
  await moving.getByText("1,200 of 1,200 objects moved").waitFor();
  await moving.getByRole("button", { name: "Done" }).click();
  await page.getByRole("region", { name: "Notifications" }).getByText("note is now remark").waitFor();
  await page.getByRole("region", { name: "Property" }).getByText("remark").first().waitFor();
  const found = await server.request("GET", "/api/collections/events?filter[remark]=N7");
  assert.deepEqual([found.body.data.length, found.body.data[0].remark], [1, "N7"]);
});
