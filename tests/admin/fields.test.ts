// The field kinds that hold single values and lists: edited by keyboard and mouse, saved, read back over the API.

import { deepEqual, equal, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { kindsSchema, peopleSchema } from "../support/kinds-schema.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

const filled = {
  ...{ title: "Full", tags: ["hiking", "maps", "huts"], friends: ["ada", "gone"], size: "l", colours: ["red", "blue"] },
  ...{ price: 12.5, volume: 4, opens: "09:30", tint: "#a8480c", author: "lost", plan: "basic", pin: "secret-1" },
  ...{ key: "sk-123", name: { en: "Stone", de: "Stein" }, story: { de: "Es war" }, odd: "text" },
  rating: { counts: [1, 2], max: 5, total: 3, rating: 4.2 },
};

before(async () => {
  server = await startServer();
  await server.makeSchema(peopleSchema);
  await server.makeSchema(kindsSchema);
  await server.makeCollection({ id: "people", schema: "person", name: "People" });
  await server.makeCollection({ id: "kinds", schema: "kinds", name: "Kinds", formSettings: { helpStyle: "tooltip" } });
  for (const [id, name] of Object.entries({ ada: "Ada Lovelace", mia: "Mia", bob: "Bob" }))
    await server.request("POST", "/api/collections/people", { body: { id, name } });
  await server.setSetting("locales", ["en", "de"]);
  await makeUser(server, "ada", ["admin"]);
  await makeUser(server, "vic", ["viewer"]);
  [ada, vic] = await Promise.all([signIn(server, "ada"), signIn(server, "vic")]);
});
after(() => server.stop());

async function open(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/kinds/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

async function put(id: string, more: object = {}): Promise<void> {
  const { status, text } = await server.request("POST", "/api/collections/kinds", { body: { id, ...filled, ...more } });
  equal(status, 201, text);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/kinds/${id}`)).body.data;
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const stateIs = (page: Page, text: string) =>
  page.getByRole("status", { name: "Save state" }).getByText(text, { exact: true }).waitFor();
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();
/** What scripts of a page use of it. */
interface PageScope {
  document: { getElementById(id: string): { textContent: string } | null };
  DataTransfer: new () => { setData(type: string, data: string): void };
  ClipboardEvent: new (type: string, options: object) => object;
}
const descriptionOf = (control: Locator): Promise<string> =>
  control.evaluate((element) => {
    const { document } = globalThis as unknown as PageScope;
    const ids: string[] = (element.getAttribute("aria-describedby") ?? "").split(" ");
    return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  });
const paste = (control: Locator, text: string): Promise<void> =>
  control.evaluate((element, pasted) => {
    const page = globalThis as unknown as PageScope;
    const clipboardData = new page.DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new page.ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
const chosen = (page: Page, label: string) =>
  page
    .getByRole("list", { name: `${label}: chosen` })
    .getByRole("listitem")
    .allTextContents();

test("ADM-271 ADM-272 ADM-273 ADM-274 ADM-275 ADM-276 ADM-277 every kind is filled in by keyboard and read back", async () => {
  const page = await open("-new");
  await page.getByRole("textbox", { name: "Title" }).fill("New one");
  const tags = page.getByRole("combobox", { name: "Tags" });
  await tags.fill("hiking");
  await tags.press("Enter");
  await tags.pressSequentially("maps,");
  await tags.fill("huts");
  const friends = page.getByRole("combobox", { name: "Friends" });
  await friends.click();
  await becomes(() => chosen(page, "Tags"), ["hiking", "maps", "huts"]);
  await friends.fill("mi");
  await page.getByRole("option", { name: "Mia" }).waitFor();
  await page.getByRole("option", { name: "Bob" }).waitFor({ state: "hidden" });
  await friends.press("Enter");
  await page.getByRole("list", { name: "Friends: chosen" }).getByRole("link", { name: "Mia" }).waitFor();
  await friends.press("Escape");
  await page.getByRole("radiogroup", { name: "Size" }).getByRole("radio", { name: "Small" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("group", { name: "Colours" }).getByRole("checkbox", { name: "green" }).press("Space");
  await page.getByRole("textbox", { name: "Price" }).fill("1.234,50 €");
  const volume = page.getByRole("slider", { name: "Volume" });
  await becomes(() => volume.getAttribute("aria-valuetext"), "not set");
  await volume.press("ArrowRight");
  await becomes(() => page.getByRole("textbox", { name: "Volume value" }).inputValue(), "1");
  await page.getByRole("group", { name: "Opens" }).getByRole("spinbutton").first().focus();
  await page.keyboard.type("1845");
  await page.getByRole("textbox", { name: "Tint" }).fill("rgb(168 72 12)");
  const author = page.getByRole("combobox", { name: "Author" });
  await author.fill("ada");
  await page.getByRole("option", { name: "Ada Lovelace" }).click();
  const plan = page.getByRole("combobox", { name: "Plan" });
  await plan.fill("ful");
  await plan.press("Enter");
  await page.getByLabel("Pin", { exact: true }).fill("secret-2");
  await page.getByLabel("Confirm Pin").fill("secret-2");
  await page.getByLabel("Key", { exact: true }).fill("sk-9");
  await page.getByRole("textbox", { name: "Name (English)" }).fill("Stone");
  await page.getByRole("tablist", { name: "Name languages" }).getByRole("tab", { name: "Deutsch" }).click();
  await page.getByRole("textbox", { name: "Name (Deutsch)" }).fill("Stein");
  await page.getByRole("textbox", { name: "Story (Deutsch)" }).fill("Es war\neinmal");
  await save(page);
  await page.waitForURL("**/kinds/new-one");
  await stateIs(page, "All changes saved");
  const { id: _, created: _c, modified: _m, ...rest } = await stored("new-one");
  deepEqual(rest, {
    ...{ title: "New one", tags: ["hiking", "maps", "huts"], friends: ["mia"], size: "l", colours: ["green"] },
    ...{ price: 1234.5, volume: 1, opens: "18:45", author: "ada", plan: "full", key: "sk-9" },
    tint: { hex: "#a8480c", oklch: { l: 52.019, c: 0.14151, h: 45.655 } },
    ...{ name: { en: "Stone", de: "Stein" }, story: { de: "Es war\neinmal" } },
  });
  await page.getByRole("button", { name: "Change Pin" }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  for (const secret of ["secret-2", "sk-9"]) ok(!kept.includes(secret), kept);
});

test("ADM-231 ADM-271 ADM-272 ADM-273 ADM-275 ADM-276 ADM-277 ADM-278 ADM-280 what is stored is changed by keyboard and mouse; opening changes nothing", async () => {
  await put("full");
  const page = await open("full");
  await stateIs(page, "All changes saved");
  await becomes(() => axe(page), []);
  await screenshot(page, "kinds-1440-light");

  // Lists: no doubles, order, removal.
  const tags = page.getByRole("combobox", { name: "Tags" });
  await tags.fill("maps");
  await tags.press("Enter");
  await page.getByText("maps is already chosen").waitFor();
  await becomes(() => tags.inputValue(), "maps");
  await until(
    async () => await descriptionOf(tags),
    (text) => /maps is already chosen/.test(text),
  );
  await becomes(() => page.getByRole("listitem").filter({ hasText: "maps" }).getAttribute("data-double"), "true");
  await tags.fill("");
  await paste(tags, "lakes, hiking\npaths\tlakes");
  await becomes(() => chosen(page, "Tags"), ["hiking", "maps", "huts", "lakes", "paths"]);
  const remove = (value: string) => page.getByRole("button", { name: `Remove ${value}` });
  await remove("paths").press("Alt+ArrowLeft");
  await hasFocus(remove("paths"));
  await remove("hiking").click();
  await hasFocus(remove("maps"));
  await page.getByText("huts", { exact: true }).dragTo(page.getByText("maps", { exact: true }), {
    targetPosition: { x: 2, y: 10 },
  });
  await becomes(() => chosen(page, "Tags"), ["huts", "maps", "paths", "lakes"]);
  await tags.focus();
  await page.keyboard.press("Backspace");
  await becomes(() => chosen(page, "Tags"), ["huts", "maps", "paths"]);

  // Relations: labels, links to a new tab, values that are gone.
  const friends = page.getByRole("list", { name: "Friends: chosen" });
  const link = friends.getByRole("link", { name: "Ada Lovelace" });
  await becomes(
    async () => [await link.getAttribute("href"), await link.getAttribute("target")],
    ["/admin/collections/people/ada", "_blank"],
  );
  await remove("gone").click();
  const author = page.getByRole("combobox", { name: "Author" });
  await page.getByText("lost no longer there.").waitFor();
  await page.getByRole("button", { name: "Remove lost" }).click();
  await becomes(() => author.inputValue(), "");

  // All, of a few.
  const colours = page.getByRole("group", { name: "Colours" });
  await colours.getByRole("checkbox", { name: "All" }).click();
  await becomes(() => colours.getByRole("checkbox", { name: "green" }).isChecked(), true);
  await colours.getByRole("checkbox", { name: "All" }).click();
  await page.getByRole("textbox", { name: "Volume value" }).fill("");
  await page.getByRole("button", { name: "Clear time" }).click();

  // Colours by swatch.
  await page.getByRole("button", { name: "Choose Tint" }).click();
  const panel = page.getByRole("dialog", { name: "Choose Tint" });
  await panel.getByRole("slider", { name: "Lightness (OKLCH)" }).waitFor();
  await becomes(() => axe(page, "[role=dialog]"), []);
  await screenshot(page, "kinds-colour");
  await panel.getByRole("button", { name: "#1e2322" }).click();
  await page.keyboard.press("Escape");
  await becomes(() => page.getByRole("textbox", { name: "Tint" }).inputValue(), "#1e2322");

  // Languages switch together.
  const german = page.getByRole("tablist", { name: "Name languages" }).getByRole("tab", { name: "Deutsch" });
  await page.getByRole("tablist", { name: "Name languages" }).getByRole("tab", { name: "English" }).focus();
  await page.keyboard.press("ArrowRight");
  await hasFocus(german);
  const story = page.getByRole("textbox", { name: "Story (Deutsch)" });
  await becomes(async () => [await story.getAttribute("lang"), await story.getAttribute("dir")], ["de", "ltr"]);
  await page.getByRole("textbox", { name: "Name (Deutsch)" }).fill("");

  // Passwords and secrets.
  await page.getByRole("button", { name: "Change Pin" }).click();
  await hasFocus(page.getByLabel("Pin", { exact: true }));
  await page.getByRole("button", { name: "Keep the present one" }).click();
  await hasFocus(page.getByRole("button", { name: "Change Pin" }));
  const key = page.getByLabel("Key", { exact: true });
  await becomes(() => key.getAttribute("type"), "password");
  await page.getByRole("button", { name: "Show Key" }).click();
  await becomes(() => key.getAttribute("type"), "text");

  // Shown, not edited.
  await page.getByText("4.2 of 5, 3 ratings").waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Odd" }).count(), 0);
  // Help as a tooltip still describes the control.
  await becomes(() => descriptionOf(page.getByRole("textbox", { name: "Title" })), "What it is called.");
  await page.getByRole("button", { name: "Help on Title" }).focus();

  await save(page);
  await stateIs(page, "All changes saved");
  const { tags: t, friends: f, author: a, colours: c, volume: v, opens, tint, name, price } = await stored("full");
  deepEqual([t, f, a, c, v, opens], [["huts", "maps", "paths"], ["ada"], "", [], undefined, ""]);
  deepEqual([tint.hex, name, price], ["#1e2322", { en: "Stone" }, 12.5]);
});

test("ADM-224 ADM-271 ADM-275 ADM-276 ADM-277 what is wrong stays as it was typed and is said in words", async () => {
  await put("wrong");
  const page = await open("wrong", { theme: "dark", width: 360 });
  const says = async (control: Locator, text: string) => {
    await becomes(() => control.getAttribute("aria-invalid"), "true");
    await until(async () => (await descriptionOf(control)).includes(text));
  };
  const tint = page.getByRole("textbox", { name: "Tint" });
  await tint.fill("reddish");
  const price = page.getByRole("textbox", { name: "Price" });
  await price.fill("0.5");
  await page.getByRole("textbox", { name: "Volume value" }).fill("12");
  const tags = page.getByRole("combobox", { name: "Tags" });
  await tags.fill("a,b,c,d,");
  await page.getByRole("button", { name: "Change Pin" }).click();
  const pin = page.getByLabel("Pin", { exact: true });
  await pin.fill("secret-3");
  await page.getByLabel("Confirm Pin").fill("secret-4");
  await page.getByRole("textbox", { name: "Title" }).focus();
  await says(pin, "The two passwords differ");
  await pin.fill("abc");
  await page.getByLabel("Confirm Pin").fill("abc");
  await save(page);
  await page.getByRole("alert").filter({ hasText: "5 fields need attention" }).waitFor();
  await says(tint, "Write a colour like");
  await becomes(() => tint.inputValue(), "reddish");
  await says(price, "The least is 1");
  await says(page.getByRole("slider", { name: "Volume" }), "The most is 10");
  await says(tags, "Choose at most 6");
  await says(pin, "Write at least 6 characters");
  await becomes(() => axe(page), []);
  await screenshot(page, "kinds-wrong-360-dark");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  for (const secret of ["secret-3", "secret-4", "abc"]) ok(!kept.includes(`"${secret}"`), kept);
  await becomes(async () => (await stored("wrong")).tags, filled.tags);
});

test("ADM-241 ADM-277 callers that may only read see every kind as text", async () => {
  await put("read");
  const page = await open("read", { as: vic });
  await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
  const text = (await page.getByRole("tabpanel").textContent()) ?? "";
  for (const part of ["hiking, maps, huts", "Large", "red, blue", "€12.50", "09:30", "#a8480c", "Deutsch: Stein"])
    ok(text.includes(part), `${part} in ${text}`);
  ok(!text.includes("sk-123") && !text.includes("secret-1"));
  await page.getByRole("button", { name: "Show Key" }).click();
  await page.getByText("sk-123").waitFor();
  await becomes(() => page.getByRole("combobox", { name: "Tags" }).count(), 0);
  await screenshot(page, "kinds-read");
});

test("ADM-271 a list that allows it holds a value several times", async () => {
  await put("doubles", { steps: ["left", "right", "left"] });
  const page = await open("doubles");
  const chosen = page.getByRole("list", { name: "Steps: chosen" }).getByRole("listitem");
  await becomes(() => chosen.allTextContents(), ["left", "right", "left"]);
  const box = page.getByRole("combobox", { name: "Steps" });
  await box.fill("right");
  await box.press("Enter");
  await becomes(() => chosen.count(), 4);
  await chosen.first().getByRole("button", { name: "Remove left" }).click();
  await save(page);
  await becomes(async () => (await stored("doubles")).steps, ["right", "left", "right"]);
});

test("ADM-272 the rows of a data view are options", async () => {
  const definition = `export default async () => [{ code: "n1", name: "North hut" }, { code: "s1", name: "South hut" }]`;
  await server.request("POST", "/api/collections/dataviews", { body: { id: "huts", name: "Huts", definition } });
  await put("hutted", { hut: "n1" });
  const page = await open("hutted");
  const box = page.getByRole("combobox", { name: "Hut", exact: true });
  await becomes(() => box.inputValue(), "North hut");
  await box.fill("south");
  await page.getByRole("option", { name: "South hut" }).click();
  await save(page);
  await becomes(async () => (await stored("hutted")).hut, "s1");
});

test("ADM-282 a bulk edit sets a property by the widget of the form", async () => {
  await Promise.all([put("bulk-1"), put("bulk-2")]);
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/kinds?search=bulk");
  // Before the rows are there, nothing is selected.
  await page.locator("[data-row='1']").waitFor();
  await page.getByRole("checkbox", { name: "Select all loaded" }).check();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  const edit = async (property: string, fill: (dialog: Locator) => Promise<void>) => {
    await bar.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /^Edit \d+ objects?$/ });
    const select = dialog.getByRole("combobox", { name: "Property" });
    await select.fill(property);
    await page.getByRole("option", { name: property, exact: true }).click();
    await fill(dialog);
    await dialog.getByRole("button", { name: /^Apply to/ }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await edit("Tags", async (dialog) => {
    await dialog.getByRole("combobox", { name: "Tags" }).fill("one,two,");
  });
  await edit("Tint", async (dialog) => {
    await dialog.getByRole("textbox", { name: "Tint" }).fill("#fff");
  });
  await edit("Name", async (dialog) => {
    await dialog.getByRole("textbox", { name: "Name (English)" }).fill("Both");
  });
  await bar.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("dialog").getByRole("combobox", { name: "Property" }).press("ArrowDown");
  await page.getByRole("option").first().waitFor();
  const offered = await page.getByRole("option").allTextContents();
  deepEqual(
    ["Id", "Pin", "Rating", "Odd", "Created"].filter((label) => offered.includes(label)),
    [],
  );
  for (const id of ["bulk-1", "bulk-2"]) {
    const now = async () => {
      const { tags, tint, name } = await stored(id);
      return [tags, tint.hex, name];
    };
    await becomes(now, [["one", "two"], "#ffffff", { en: "Both" }]);
  }
});
