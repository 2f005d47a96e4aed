// The parts of the admin's ui/ as a person with a keyboard, a finger or a screen reader meets them. No engine changes them.

import { deepEqual, equal, notEqual } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, closeAfterwards, looks, newPage, type PageOptions, screenshot } from "../support/browser.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

/** `part`: that one alone, which is quicker. */
async function open(options: PageOptions = {}, part = ""): Promise<Page> {
  const page = await newPage(server, options);
  await page.goto(part === "" ? "/admin/-specimen" : `/admin/-specimen?part=${part}`);
  await page.getByRole("heading", { name: "Specimen", level: 1 }).waitFor();
  return page;
}

/** Waits until the element has the focus: layers move it when they have opened. */
async function expectFocus(element: Locator): Promise<void> {
  await element.and(element.page().locator(":focus")).waitFor();
}

for (const look of looks) {
  test(`ADM-100 axe finds nothing in any part and state, ${look.theme}, ${look.width} px`, async () => {
    const page = await open(look);
    await screenshot(page, `specimen-${look.width}-${look.theme}`);
    await becomes(() => axe(page), []);
  });
}

for (const look of looks) {
  test(`ADM-279 ADM-281 every field kind has a widget, and axe finds nothing in any state, ${look.theme}, ${look.width} px`, async () => {
    const page = await newPage(server, look);
    await page.goto("/admin/-specimen/fields");
    await page.getByRole("heading", { name: "Field kinds", level: 1 }).waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    const kinds = page.locator("[data-kind]");
    await until(async () => (await kinds.count()) > 30);
    const without = await page
      .locator("[data-widget=none]")
      .evaluateAll((all) => all.map(({ dataset }) => dataset.kind));
    deepEqual(without, []);
    await screenshot(page, `fields-${look.width}-${look.theme}`);
    await becomes(() => axe(page), []);
  });
}

const layers = [
  ["Look", "menu"],
  ["Open dialog", "dialog"],
  ["Open question", "alertdialog"],
  ["Open popover", "dialog"],
  ["Open sheet", "dialog"],
] as const;
/** Layers stand beside the page. */
const besidePage = "body > :not(#app)";

for (const look of looks) {
  test(`ADM-100 axe finds nothing in open layers, ${look.theme}, ${look.width} px`, async () => {
    const page = await open(look, "layers");
    for (const [button, role] of layers) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await page.getByRole(role).first().waitFor();
      await becomes(() => axe(page, besidePage), []);
      await page.keyboard.press("Escape");
      await page.getByRole(role).first().waitFor({ state: "hidden" });
    }
    const choices = await open(look, "choices");
    await choices.getByRole("button", { name: "Calendar Date, filled", exact: true }).click();
    await choices.getByRole("dialog").waitFor();
    await becomes(() => axe(choices, besidePage), []);
    await choices.keyboard.press("Escape");
    await choices.getByRole("dialog").waitFor({ state: "hidden" });
    await choices.getByRole("combobox", { name: "Select, grouped" }).click();
    await choices.getByRole("listbox").waitFor();
    await becomes(() => axe(choices, besidePage), []);
  });
}

test("ADM-101 a select is a combobox found by its label alone", async () => {
  const page = await open({}, "choices");
  const select = page.getByLabel("Select, empty");
  await becomes(() => select.getAttribute("role"), "combobox");
  await select.press("ArrowDown");
  await page.getByRole("option", { name: "Basalt" }).waitFor();
  await select.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "hidden" });
});

test("ADM-102 typing narrows a select; arrows and Enter choose; Esc and other words leave the choice", async () => {
  const page = await open({}, "choices");
  const select = page.getByRole("combobox", { name: "Select, empty" });
  await select.fill("s");
  await page.getByRole("option", { name: "Slate" }).waitFor();
  await becomes(() => page.getByRole("option", { name: "Granite" }).count(), 0);
  await select.press("ArrowDown");
  await select.press("ArrowDown");
  await select.press("Enter");
  await becomes(() => select.inputValue(), "Limestone");
  await select.fill("xyz");
  await page.getByText("Nothing matches").waitFor();
  await select.press("Tab");
  await becomes(() => select.inputValue(), "Limestone");
  await select.fill("gran");
  await select.press("Escape");
  await select.press("Tab");
  await becomes(() => select.inputValue(), "Limestone");
});

test("ADM-102 Enter takes the first match, leaving the field takes an exact one", async () => {
  const page = await open({}, "choices");
  const select = page.getByRole("combobox", { name: "Select, filled" });
  await becomes(() => select.inputValue(), "Granite");
  await select.fill("sla");
  await page.getByRole("option", { name: "Slate" }).waitFor();
  await select.press("Enter");
  await becomes(() => select.inputValue(), "Slate");
  await select.fill("marble");
  await select.press("Tab");
  await becomes(() => select.inputValue(), "Marble");
  await select.click();
  await page.getByRole("option", { name: "Basalt" }).click();
  await becomes(() => select.inputValue(), "Basalt");
  await page.getByRole("option").first().waitFor({ state: "hidden" });
});

test("ADM-103 a select is cleared only where that is allowed, shows a value that is gone and takes free text where asked", async () => {
  const page = await open();
  const clearable = page.getByRole("combobox", { name: "Select, clearable" });
  await page.getByRole("button", { name: "Clear choice" }).click();
  await becomes(() => clearable.inputValue(), "");
  await expectFocus(clearable);
  const filled = page.getByRole("combobox", { name: "Select, filled" });
  await filled.fill("");
  await filled.press("Tab");
  await becomes(() => filled.inputValue(), "Granite");
  await becomes(() => page.getByRole("combobox", { name: "Select, value gone" }).inputValue(), "flint");
  const free = page.getByRole("combobox", { name: "Select, free text" });
  await free.fill("S");
  await page.getByRole("option", { name: "Slate" }).waitFor();
  // The page stays in reach while a list is open.
  await page.getByRole("tab", { name: "JSON" }).click();
  await becomes(() => free.inputValue(), "S");
  const searched = page.getByRole("combobox", { name: "Select, searched" });
  await searched.fill("ma");
  await page.getByRole("option", { name: "Marble" }).click();
  await becomes(() => searched.inputValue(), "Marble");
});

test("ADM-104 a menu opens by its button, is walked by arrows, acts on Enter and gives the focus back", async () => {
  const page = await open({}, "layers");
  const button = page.getByRole("button", { name: "Actions for Hut rules" });
  await button.press("Enter");
  await page.getByRole("menu", { name: "Actions for Hut rules" }).waitFor();
  await expectFocus(page.getByRole("menuitem", { name: "Open page" }));
  await page.keyboard.press("ArrowDown");
  await expectFocus(page.getByRole("menuitem", { name: "Duplicate", exact: true }));
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "hidden" });
  await expectFocus(button);
  await button.click();
  await page.getByRole("menuitem", { name: "Duplicate", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Duplicated" }).waitFor();
  await page.getByRole("menu").waitFor({ state: "hidden" });
});

test("ADM-104 a choice in a menu is a group of menuitemradio", async () => {
  const page = await open({}, "layers");
  await page.getByRole("button", { name: "Look" }).click();
  await becomes(() => page.getByRole("menuitemradio", { name: "Light" }).getAttribute("aria-checked"), "true");
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.getByRole("menuitemradio", { name: "Dark", checked: true }).waitFor();
});

test("ADM-105 tabs are one stop of the Tab key; arrows, Home and End choose", async () => {
  const page = await open({}, "layers");
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await tab("Form").focus();
  await page.keyboard.press("ArrowRight");
  await expectFocus(tab("JSON"));
  await becomes(() => tab("JSON").getAttribute("aria-selected"), "true");
  await page.getByRole("tabpanel", { name: "JSON" }).getByText("The panel of json.").waitFor();
  await page.keyboard.press("End");
  await expectFocus(tab("Versions"));
  await page.keyboard.press("ArrowRight");
  await expectFocus(tab("Form"));
  await page.keyboard.press("Tab");
  await becomes(() => page.getByRole("tablist").locator(":focus").count(), 0);
});

test("ADM-106 a dialog is named by its heading, keeps the focus inside and gives it back; Esc is Cancel", async () => {
  const page = await open({}, "layers");
  const button = page.getByRole("button", { name: "Open dialog" });
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await dialog.waitFor();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    await becomes(() => dialog.locator(":focus").count(), 1);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expectFocus(button);
});

test("ADM-106 a changed dialog asks before it closes", async () => {
  const page = await open({}, "layers");
  await page.getByRole("button", { name: "Open dialog" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  const name = dialog.getByLabel("Name");
  await name.fill("Mine");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await expectFocus(question.getByRole("button", { name: "Keep editing" }));
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await becomes(() => name.inputValue(), "Mine");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "hidden" });
});

test("ADM-106 Esc closes the list of a select in a dialog, not the dialog", async () => {
  const page = await open({}, "layers");
  await page.getByRole("button", { name: "Open dialog" }).click();
  const stone = page.getByRole("combobox", { name: "Stone" });
  await stone.press("ArrowDown");
  await page.getByRole("option", { name: "Slate" }).waitFor();
  await stone.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "hidden" });
  await becomes(() => page.getByRole("dialog", { name: "Save view" }).isVisible(), true);
});

test("ADM-107 a question is an alertdialog with the focus on Cancel; what is for good has to be typed", async () => {
  const page = await open({}, "layers");
  await page.getByRole("button", { name: "Open typed question" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 12 objects?" });
  await expectFocus(question.getByRole("button", { name: "Cancel" }));
  const remove = question.getByRole("button", { name: "Delete" });
  await becomes(() => remove.isDisabled(), true);
  await question.getByLabel("Type 12 to confirm").fill("12");
  await becomes(() => remove.isDisabled(), false);
  await remove.click();
  await question.waitFor({ state: "hidden" });
});

test("ADM-108 a date is a group of spinbuttons; digits flow through month, day and year", async () => {
  const page = await open({}, "choices");
  const date = page.getByRole("group", { name: "Date, empty" });
  const parts = date.getByRole("spinbutton");
  await parts.first().waitFor();
  await becomes(() => parts.allTextContents(), ["––", "––", "––––"]);
  await parts.first().focus();
  await page.keyboard.type("3142027");
  await becomes(() => parts.allTextContents(), ["3", "14", "2027"]);
  await page.getByText("2027-03-14").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByText("2028-03-14").waitFor();
});

test("ADM-108 the calendar opens by its button and by Alt with Down, and has Today and Clear", async () => {
  const page = await open({}, "choices");
  const date = page.getByRole("group", { name: "Date, filled" });
  await date.getByRole("button", { name: /^Calendar/ }).click();
  await page.getByRole("button", { name: /March 16, 2027/ }).click();
  await page.getByText("2027-03-16").waitFor();
  await date.getByRole("spinbutton").first().press("Alt+ArrowDown");
  const calendar = page.getByRole("dialog", { name: "Calendar" });
  await calendar.getByRole("button", { name: "Clear" }).click();
  await calendar.waitFor({ state: "hidden" });
  await becomes(() => date.getByRole("spinbutton").allTextContents(), ["––", "––", "––––"]);
});

test("ADM-109 toasts are announced in the region Notifications: good ones as status, bad ones as alert that stays", async () => {
  const page = await open();
  const region = page.getByRole("region", { name: "Notifications" });
  await page.getByRole("button", { name: "Bad toast" }).click();
  await until(
    async () => (await region.getByRole("alert").textContent()) ?? "",
    (text) => /The server refused the change\.Request 9f2c1b/.test(text),
  );
  await page.getByRole("button", { name: "Toast with action" }).click();
  await region.getByRole("status").filter({ hasText: "Deleted" }).waitFor();
  await region.getByRole("button", { name: "Undo" }).click();
  await region.getByRole("status").filter({ hasText: "Undone" }).waitFor();
  await becomes(() => region.getByText("Deleted").count(), 0);
  // Under an open dialog they stay within reach.
  await page.getByRole("button", { name: "Open question" }).click();
  await page.getByRole("alertdialog").waitFor();
  await region.getByRole("button", { name: "Dismiss" }).first().click();
  await region.getByRole("alert").waitFor({ state: "hidden" });
  await becomes(() => page.getByRole("alertdialog").isVisible(), true);
});

test("ADM-110 a field is found by its label alone; help and error describe it, the star is not in its name", async () => {
  const page = await open();
  for (const label of ["Text, wrong", "Number, wrong", "Password, wrong", "Text area, wrong", "Select, wrong"]) {
    const field = page.getByLabel(label);
    await becomes(() => field.getAttribute("aria-invalid"), "true");
    notEqual(await descriptionOf(field), "", label);
  }
  const required = page.getByRole("textbox", { name: "Required text", exact: true });
  await becomes(() => required.getAttribute("aria-required"), "true");
  await becomes(() => descriptionOf(required), "Help stands under the label.");
  await becomes(() => page.getByRole("group", { name: "Date, wrong" }).getAttribute("aria-invalid"), "true");
});

async function descriptionOf(field: Locator): Promise<string> {
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const parts = await Promise.all(ids.map((id) => field.page().locator(`[id="${id}"]`).textContent()));
  return parts.join(" ");
}

test("ADM-111 a number keeps what was typed; arrows step; the wheel changes nothing", async () => {
  const page = await open({}, "texts");
  const number = page.getByRole("textbox", { name: "Number, filled" });
  await number.press("ArrowUp");
  await becomes(() => number.inputValue(), "13.5");
  await number.press("PageDown");
  await becomes(() => number.inputValue(), "3.5");
  await number.hover();
  await page.mouse.wheel(0, 100);
  await number.fill("12 stones");
  await number.press("Tab");
  await becomes(() => number.inputValue(), "12 stones");
});

test("ADM-112 what is pressed is 24 px at least, and 44 px with a finger", async () => {
  const page = await open({ width: 360 });
  await becomes(() => targetsBelow(page, 24), []);
  closeAfterwards(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.waitForFunction(`matchMedia("(pointer: coarse)").matches`);
  await becomes(() => targetsBelow(page, 44), []);
});

/** Controls that are smaller, and whose label is too. What runs in the browser is text: its world is not that of the tests. */
function targetsBelow(page: Page, size: number): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll("button, input, textarea, [role=tab]")]
      .filter((element) => !element.closest("[aria-hidden=true]") && element.checkVisibility())
      .filter((element) =>
        [element, element.closest("label")].every((target) => {
          const { width = 0, height = 0 } = target?.getBoundingClientRect() ?? {};
          return Math.round(width) < ${size} || Math.round(height) < ${size};
        }),
      )
      .map((element) => element.outerHTML)`);
}

test("ADM-113 nothing scrolls sideways at 320 px, and nothing moves where less motion is asked for", async () => {
  const page = await open({ width: 320 });
  await until(() => page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"));
  const moving = await page.evaluate<number>(`
    [...document.querySelectorAll("button, input, [role=tab]")].filter((element) =>
      getComputedStyle(element).transitionDuration.split(", ").some((time) => time !== "0s"),
    ).length`);
  equal(moving, 0);
});

test("ADM-114 the tooltip of an icon comes with keyboard focus and goes with Esc", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Disabled too" }).waitFor();
  const icon = page.getByRole("button", { name: "More actions" });
  await page.keyboard.press("Tab");
  await icon.focus();
  const tip = page.locator("[popover]", { hasText: "More actions" });
  await tip.waitFor();
  await page.keyboard.press("Escape");
  await tip.waitFor({ state: "hidden" });
});

test("ADM-115 Copy works on plain http, where there is no clipboard", async () => {
  const page = await newPage(server);
  closeAfterwards(page);
  await page.addInitScript(`Object.defineProperty(navigator, "clipboard", { value: undefined })`);
  await page.goto("/admin/-specimen");
  const button = page.getByRole("button", { name: "Copy", exact: true });
  await button.click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  await expectFocus(button);
  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  await search.focus();
  await page.keyboard.press("Control+V");
  await becomes(() => search.inputValue(), "cairn");
  await search.press("Escape");
  await becomes(() => search.inputValue(), "");
});
