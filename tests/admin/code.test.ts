// Code, JSON and drawings in the form of an object, its JSON tab, and its versions.

import { deepEqual, equal, match } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, looks, newPage, type PageOptions, screenshot, setTheme } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const widget = {
  id: "widget",
  title: "Widget",
  formgrid: "title title\nscript script\nstyles styles\ndata data\nlist map\ndrawing drawing\nlegacy legacy",
  properties: {
    id: { $ref: "/schemas/properties/slug.json", field: "id", label: "Id", settings: { autogen: "${title}" } },
    title: { type: "string", field: "text", label: "Title" },
    script: { type: "code", field: "code", label: "Script", help: "Runs on the page.", settings: { mode: "js" } },
    styles: { type: "code", field: "code", label: "Styles", settings: { mode: "css" } },
    data: { type: "json", field: "json", label: "Data" },
    list: { type: "array", label: "Entries" },
    map: { type: "object", label: "Map" },
    drawing: { type: "svg", field: "svg", label: "Drawing" },
    legacy: { type: "code", field: "code", label: "Legacy", settings: { mode: "html", readonly: true } },
  },
  required: ["id", "title"],
  index: ["id", "title"],
};
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"></circle></svg>';

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer();
  await server.makeSchema(widget);
  await server.makeCollection({
    ...{ id: "widgets", schema: "widget", name: "Widgets", labelSingular: "widget" },
    // Versions are then what imports have replaced.
    history: "off",
  });
  await makeUser(server, "ada", ["admin"]);
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["widgets"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

async function put(id: string, more: object = {}): Promise<void> {
  const body = { id, title: `The ${id}`, ...more };
  const { status, text } = await server.request("POST", "/api/collections/widgets", { body });
  equal(status, 201, text);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/widgets/${id}`)).body.data;
}

async function open(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/widgets/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

const box = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const stateIs = (page: Page, text: string) =>
  page.getByRole("status", { name: "Save state" }).getByText(text, { exact: true }).waitFor();
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();
/** Lines are elements of their own. */
async function textOf(editor: Locator): Promise<string> {
  await editor.waitFor();
  return (await editor.locator(".cm-line").allTextContents()).join("\n");
}

/** The error may come later than the key press. */
async function isDescribedBy(control: Locator, text: string): Promise<void> {
  const describes = `(control) => (control.getAttribute("aria-describedby") ?? "").split(" ")
    .some((id) => document.getElementById(id)?.textContent.includes(${JSON.stringify(text)}))`;
  await control.page().waitForFunction(describes, await control.elementHandle());
}

test("ADM-380 ADM-386 ADM-388 code, JSON and drawings are edited, saved and read back", async () => {
  await put("kinds", { script: "one();\r\ntwo();\r\n", data: { a: 1 }, list: [1], map: { x: 1 } });
  const page = await open("kinds");
  await becomes(() => textOf(box(page, "Script")), "one();\ntwo();\n");
  await stateIs(page, "All changes saved");
  await box(page, "Script").press("Control+End");
  await page.keyboard.type("three();");
  await box(page, "Styles").fill("a {\n  color: red;\n}");
  await box(page, "Data").fill('{"b": [1, 2, {"c": null}]}');
  await page.getByRole("button", { name: "Format Data" }).click();
  await becomes(() => textOf(box(page, "Data")), JSON.stringify({ b: [1, 2, { c: null }] }, null, 2));
  await box(page, "Entries").fill('["x", 2]');
  await box(page, "Map").fill('{"y": {"z": true}}');
  await box(page, "Drawing").fill(drawing);
  await page.getByRole("img", { name: "Preview of Drawing" }).waitFor();
  await stateIs(page, "6 unsaved changes");
  await page.keyboard.press("Control+s");
  await stateIs(page, "All changes saved");
  await hasFocus(box(page, "Drawing"));
  const { script, styles, data, list, map, drawing: shown } = await stored("kinds");
  equal(script, "one();\r\ntwo();\r\nthree();", "line breaks stay as they are");
  deepEqual(
    [styles, data, list, map],
    ["a {\n  color: red;\n}", { b: [1, 2, { c: null }] }, ["x", 2], { y: { z: true } }],
  );
  match(shown, /<circle/);
  await box(page, "Data").fill("");
  await save(page);
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("kinds")).data ?? null, null);
});

test("ADM-381 ADM-382 ADM-389 the editor is a textbox named by its label; Tab indents, after Esc it leaves; the page has its keys", async () => {
  await put("keys", { script: "if (x) {\n  y();\n}", data: { a: 1 } });
  const page = await open("keys");
  const script = page.getByLabel("Script", { exact: true });
  await becomes(
    () => Promise.all(["role", "aria-multiline", "aria-invalid"].map((name) => script.getAttribute(name))),
    ["textbox", "true", null],
  );
  await isDescribedBy(script, "Runs on the page.");
  await isDescribedBy(script, "Esc, then Tab leaves");
  await script.press("Control+Home");
  await page.keyboard.press("Tab");
  await page.keyboard.type("z();");
  await becomes(() => textOf(script), "  z();if (x) {\n  y();\n}");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await hasFocus(page.getByRole("button", { name: "Undo change to Script" }));
  await page.keyboard.press("Tab");
  await hasFocus(script);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await hasFocus(box(page, "Styles"));
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find" }).waitFor();
  await page.keyboard.press("Escape");
  await hasFocus(box(page, "Styles"));
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await page.keyboard.press("Escape");
  await hasFocus(box(page, "Styles"));
  await page.getByRole("button", { name: "Undo change to Script" }).click();
  await becomes(() => textOf(script), "if (x) {\n  y();\n}");
  await hasFocus(script);
  await stateIs(page, "All changes saved");
});

test("ADM-1303 text that replaces other text has the colours of the editor, in both themes", async () => {
  await put("replaced", { script: "/* first */ x;" });
  const page = await open("replaced");
  const script = box(page, "Script");
  const looksOf = (elements: unknown[]): string[] =>
    elements.map((element) => {
      const { color, fontStyle, fontWeight } = Reflect.get(globalThis, "getComputedStyle")(element);
      return `${color} ${fontStyle} ${fontWeight}`;
    });
  for (let round = 0; round < 16; round += 1) {
    const text = `/* first */ ${"x".repeat(1 + (round % 3))};${"\ny;".repeat(round % 2)}`;
    await script.fill(text);
    await becomes(() => textOf(script), text);
    await setTheme(page, round % 2 ? "light" : "dark");
    const lines = await script.locator(".cm-line").evaluateAll(looksOf);
    deepEqual([...new Set(lines)], await script.evaluateAll(looksOf), text);
  }
});

test("ADM-385 ADM-387 what is no JSON stays, is kept on the device, is marked at its line and is not stored", async () => {
  await put("wrong", { data: { a: 1 } });
  const page = await open("wrong");
  const wrong = '{\n  "a": 1,\n  b\n}';
  await box(page, "Data").fill(wrong);
  await page.locator(".cm-lint-marker-error").waitFor();
  await box(page, "Entries").fill('{"no": "list"}');
  await box(page, "Map").fill("[]");
  await box(page, "Drawing").fill("no drawing");
  await save(page);
  await page.getByRole("alert").filter({ hasText: "4 fields need attention" }).waitFor();
  await isDescribedBy(box(page, "Data"), "This is not valid JSON: line 3, column 3");
  await becomes(() => box(page, "Data").getAttribute("aria-invalid"), "true");
  await isDescribedBy(box(page, "Entries"), "Write a list");
  await isDescribedBy(box(page, "Map"), "Write an object");
  await isDescribedBy(box(page, "Drawing"), "Write an SVG drawing");
  await becomes(() => axe(page), []);
  await screenshot(page, "code-wrong");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(/were brought back/).waitFor();
  await becomes(() => textOf(box(page, "Data")), wrong);
  await page
    .getByRole("alert")
    .or(page.getByRole("button", { name: "Discard changes" }))
    .first()
    .waitFor();
  await box(page, "Data").fill('{"a": 2}');
  await box(page, "Entries").fill("[]");
  await box(page, "Map").fill("{}");
  await box(page, "Drawing").fill("");
  await save(page);
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("wrong")).data, { a: 2 });
});

test("ADM-388 a file that is dropped or chosen becomes the drawing; another file is refused", async () => {
  await put("files");
  const page = await open("files");
  await page.getByText("Paste or drop an SVG").waitFor();
  const choose = async (name: string, text: string) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file for Drawing" }).click();
    await (await chooser).setFiles({ name, mimeType: "image/svg+xml", buffer: Buffer.from(text) });
  };
  await choose("notes.svg", "words");
  await page.getByRole("alert").filter({ hasText: "notes.svg is no SVG drawing" }).waitFor();
  await choose("dot.svg", drawing);
  await page.getByRole("img", { name: "Preview of Drawing" }).waitFor();
  const square = drawing.replace(/<circle.*circle>/, '<rect width="4" height="4"></rect>');
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(square)}], "square.svg", { type: "image/svg+xml" }));
    return transfer;
  })()`);
  await box(page, "Drawing").dispatchEvent("drop", { dataTransfer: data });
  await box(page, "Drawing").getByText("rect").first().waitFor();
  await save(page);
  await stateIs(page, "All changes saved");
  await until(
    async () => (await stored("files")).drawing,
    (text) => /<rect/.test(text),
  );
});

for (const { width, theme } of looks)
  test(`ADM-380 ADM-390 axe finds nothing in editors and in what is only read, ${width} px, ${theme}`, async () => {
    const id = `shown-${width}-${theme}`;
    const script = '// Counts\nexport function count(n) {\n  return n > 1 ? `${n} stones` : "one stone";\n}';
    const data = { stones: [1, 2.5, true, null], name: "Cairn" };
    await put(id, { script, styles: "a:hover { color: #a8480c; }", data, drawing, legacy: '<p class="x">Old</p>' });
    const page = await open(id, { width, theme });
    await box(page, "Script").waitFor();
    await page.getByRole("img", { name: "Preview of Drawing" }).waitFor();
    await page.locator("dl").filter({ hasText: "Legacy" }).getByText('<p class="x">Old</p>').waitFor();
    await becomes(() => page.getByRole("textbox", { name: "Legacy" }).count(), 0);
    await box(page, "Script").getByText("export", { exact: true }).waitFor();
    await becomes(() => axe(page), []);
    await screenshot(page, `code-${width}-${theme}`);
  });

test("ADM-390 callers that may only read see code as text and drawings as pictures; the JSON tab is read-only", async () => {
  await put("read", { script: "go();", data: { a: 1 }, drawing });
  const page = await open("read", { as: vic });
  await page.locator("dl").filter({ hasText: "Script" }).getByText("go();").waitFor();
  await page.getByRole("img", { name: "Drawing" }).waitFor();
  await becomes(() => page.getByRole("textbox").count(), 0);
  await page.getByRole("tab", { name: "JSON" }).click();
  const json = box(page, "JSON");
  await becomes(() => json.getAttribute("aria-readonly"), "true");
  await json.focus();
  await page.keyboard.type("x");
  await becomes(async () => JSON.parse(await textOf(json)).script, "go();");
  await becomes(() => page.getByRole("button", { name: "Format" }).count(), 0);
  await becomes(() => axe(page), []);
});

test("ADM-243 ADM-391 the JSON tab marks mistakes at their line, formats, and its changes are the form's", async () => {
  await put("text", { data: { a: 1 } });
  const page = await open("text?tab=json");
  const json = box(page, "JSON");
  const value = JSON.parse(await textOf(json));
  await json.fill('{\n  "id": "text",\n  title\n}');
  await isDescribedBy(json, "line 3, column 3");
  await page.locator(".cm-lint-marker-error").waitFor();
  await save(page);
  await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
  await page.getByRole("alert").getByRole("link", { name: /JSON/ }).click();
  await hasFocus(json);
  await json.fill(JSON.stringify({ ...value, data: { b: [2] } }));
  await page.getByRole("button", { name: "Format" }).click();
  await becomes(() => textOf(json), JSON.stringify({ ...value, data: { b: [2] } }, null, 2));
  await stateIs(page, "1 unsaved change");
  await becomes(() => axe(page), []);
  await screenshot(page, "json-tab");
  await page.getByRole("tab", { name: "Form" }).click();
  await becomes(() => textOf(box(page, "Data")), JSON.stringify({ b: [2] }, null, 2));
  await page.keyboard.press("Control+s");
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("text")).data, { b: [2] });
});

test("ADM-397 ADM-398 ADM-399 a version is compared by property, and chosen properties go back into the form", async () => {
  const old = { id: "aged", title: "A path of stones", data: { a: 1 }, script: "old();" };
  await put("aged", old);
  const replace = async (data: object) => {
    const body = { objects: [{ collection: "widgets", id: "aged", data }] };
    const { status, text } = await server.request("POST", "/api/import/jumpstart?overwrite=1", { body });
    equal(status, 200, text);
  };
  await replace({ ...old, title: "A path of old stones" });
  await replace({ ...old, title: "A way of old stones", data: { a: 2 } });
  const page = await open("aged?tab=versions");
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("button");
  await versions.first().waitFor();
  await becomes(() => versions.count(), 2);
  const marks = () => page.getByRole("listitem").locator("ins, del").allTextContents();
  await page.getByRole("checkbox", { name: "Title" }).waitFor();
  await becomes(() => marks(), ["removed way", "added path", "removed 2", "added 1"]);
  await becomes(() => axe(page), []);
  await screenshot(page, "versions");
  await page.getByRole("radio", { name: "The one before" }).click();
  await page.getByRole("listitem").locator("ins").filter({ hasText: "old" }).waitFor();
  await becomes(() => page.getByRole("button", { name: "Restore" }).count(), 0);
  await versions.last().click();
  await page.getByRole("checkbox", { name: "Data" }).uncheck();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("status").filter({ hasText: "1 property is in the form again" }).waitFor();
  await hasFocus(box(page, "Title"));
  await becomes(() => box(page, "Title").inputValue(), "A path of stones");
  await stateIs(page, "1 unsaved change");
  await becomes(async () => (await stored("aged")).title, "A way of old stones");
  await page.keyboard.press("Control+s");
  await stateIs(page, "All changes saved");
  await becomes(
    async () => [(await stored("aged")).title, (await stored("aged")).data],
    ["A path of stones", { a: 2 }],
  );
  await put("young");
  await page.goto("/admin/collections/widgets/young?tab=versions");
  await page.getByRole("heading", { name: "No versions yet" }).waitFor();
  await becomes(() => axe(page), []);
  const reader = await open("aged?tab=versions", { as: vic });
  await becomes(() => reader.getByRole("tab", { name: "Versions" }).count(), 0);
});
