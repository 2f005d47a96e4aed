// The pages about a collection itself: settings, import, export, factory; and singletons.

import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Download, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "step",
    properties: { name: { ...text, label: "Name" } },
    required: ["name"],
    index: ["id"],
  });
  await server.makeSchema({
    id: "walk",
    properties: {
      id: { $ref: "slug", label: "Id" },
      title: { ...text, label: "Title", factory: "sentence(3)" },
      length: { type: "number", field: "number", label: "Length" },
      hard: { type: "boolean", field: "checkbox", label: "Hard" },
      steps: { type: "deck", field: "deck", schemaref: "step", label: "Steps" },
    },
    required: ["title"],
    index: ["id", "title", "length", "hard"],
  });
  await server.makeCollection({ id: "walks", schema: "walk", name: "Walks", labelSingular: "walk" });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

async function settingsOf(collection: string) {
  return (await server.request("GET", `/api/collections/${collection}/settings`)).body.data;
}

async function open(path: string, options: Parameters<typeof newPage>[1] = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

function notice(page: Page, text: string | RegExp) {
  return page.getByRole("region", { name: "Notifications" }).getByText(text);
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), "utf8");
}

test("ADM-480 ADM-481 ADM-482 settings are changed in tabs, saved together and read back", async () => {
  const page = await open("/admin/collections/walks/-settings");
  await page.getByRole("heading", { level: 1, name: "Settings of Walks", exact: true }).waitFor();
  await becomes(
    () => page.getByRole("tab").allTextContents(),
    ["General", "Address", "Access", "Form", "Forms", "Sitemap", "MCP", "Danger"],
  );
  await page.getByRole("textbox", { name: "Plural" }).fill("walks");
  await page.getByRole("textbox", { name: "Category" }).fill("Outdoors");
  await becomes(() => axe(page), []);
  await screenshot(page, "settings-general-1440");
  await page.getByRole("tab", { name: "Address" }).click();
  await page.getByRole("textbox", { name: "Address pattern" }).fill("/walks/{id}");
  await page.getByRole("tab", { name: "Access" }).click();
  const operations = page.getByRole("group", { name: "Public operations" });
  await operations.getByRole("checkbox", { name: "Read" }).check();
  await until(async () => !(await operations.getByRole("checkbox", { name: "Delete" }).isChecked()));
  await screenshot(page, "settings-access-1440");
  await page.getByRole("tab", { name: "Form", exact: true }).click();
  await page.getByRole("textbox", { name: "Label of title" }).fill("Name of the walk");
  await becomes(() => axe(page), []);
  await screenshot(page, "settings-form-1440");
  await page.getByRole("tab", { name: "Sitemap" }).click();
  await page.getByRole("checkbox", { name: "List the objects in the sitemap" }).check();
  await page.getByRole("textbox", { name: "Priority" }).fill("7");
  await page.getByRole("tab", { name: "MCP" }).click();
  const access = page.getByRole("combobox", { name: "MCP access" });
  await access.fill("Every");
  await access.press("Enter");
  await page.getByRole("textbox", { name: "Saved queries" }).fill("{ not json");
  await screenshot(page, "settings-mcp-1440");
  await becomes(() => page.getByRole("status", { name: "Save state" }).textContent(), "7 unsaved changes");
  // Broken JSON is told before anything is sent, and stays.
  await page.getByRole("tab", { name: "General" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByRole("link", { name: "Saved queries" }).click();
  const queries = page.getByRole("textbox", { name: "Saved queries" });
  await becomes(() => queries.getAttribute("aria-invalid"), "true");
  await becomes(() => queries.inputValue(), "{ not json");
  await queries.fill('{"easy": {"description": "Easy walks", "filters": {"hard": {"value": false}}}}');
  // What the server refuses leads to its field, on its tab.
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByRole("link", { name: "Priority" }).click();
  const priority = page.getByRole("textbox", { name: "Priority" });
  await becomes(() => priority.getAttribute("aria-invalid"), "true");
  await priority.fill("0.7");
  await page.keyboard.press("Control+s");
  await notice(page, "Saved").waitFor();
  await becomes(() => page.getByRole("status", { name: "Save state" }).textContent(), "All changes saved");
  const stored = await settingsOf("walks");
  deepEqual([stored.labelPlural, stored.category, stored.url], ["walks", "Outdoors", "/walks/{id}"]);
  deepEqual(stored.publicOperations, ["read"]);
  deepEqual(stored.properties, { title: { label: "Name of the walk" } });
  deepEqual(stored.sitemap, { enabled: true, priority: 0.7 });
  equal(stored.mcp.access, "public");
  equal(stored.mcp.tools.easy.description, "Easy walks");
});

const rows = [
  { id: "lake", title: "Round the lake", length: 7 },
  {
    id: "ridge",
    title: "Along the ridge",
    length: 14,
    hard: true,
    steps: [
      { id: "s1", name: "Up" },
      { id: "s2", name: "Down" },
    ],
  },
  { id: "bad", length: 3 },
];

async function chooseFile(page: Page, name: string, content: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
}

test("ADM-490 ADM-491 ADM-492 ADM-493 a file is tried, then imported; refused rows are named", async () => {
  const page = await open("/admin/collections/walks");
  await page.getByRole("link", { name: "Import" }).click();
  await page.getByRole("heading", { level: 1, name: "Import into Walks", exact: true }).waitFor();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("Choose a file first.").waitFor();
  await chooseFile(page, "walks.xlsx", "PK");
  await page.getByText("walks.xlsx is no JSON, NDJSON or CSV file", { exact: false }).waitFor();
  await chooseFile(page, "walks.json", JSON.stringify(rows));
  await page.getByText("walks.json").waitFor();
  await page.getByRole("button", { name: "Try it" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Nothing was stored.", { exact: false }).waitFor();
  await result.getByText("2 created").waitFor();
  await result.getByText("1 refused").waitFor();
  await result.getByRole("cell", { name: "Along the ridge" }).waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "import-1440");
  await becomes(async () => (await settingsOf("walks")).totalObjects, 0);

  await page.getByRole("button", { name: "Import", exact: true }).click();
  await result.getByText("The import is done.").waitFor();
  await notice(page, "2 objects imported into Walks").waitFor();
  await becomes(async () => (await settingsOf("walks")).totalObjects, 2);
  const download = page.waitForEvent("download");
  await result.getByRole("button", { name: "Download as CSV" }).click();
  match(await textOf(await download), /^Row,Id,Property,Problem\r\n3,bad,title,.*required/);

  await chooseFile(page, "lengths.csv", "id,length\nlake,8\nnone,1\n");
  await page.getByRole("checkbox", { name: "Change existing objects" }).check();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await result.getByText("1 changed").waitFor();
  await result.getByText("1 skipped").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/walks/lake")).body.data.length, 8);

  await chooseFile(page, "broken.json", '{"id": "x"}');
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("alert").getByText("must contain a JSON array", { exact: false }).waitFor();
});

test("ADM-483 ADM-484 settings that somebody else saved are merged, and those that are not saved are kept", async () => {
  const page = await open("/admin/collections/walks/-settings");
  const patch = (body: object) => server.request("PATCH", "/api/collections/walks/settings", { body });
  await patch({ description: "By somebody else" });
  await page.getByRole("textbox", { name: "Category" }).fill("Mine");
  await page.keyboard.press("Control+s");
  await notice(page, "Saved together with changes to Description").waitFor();
  await patch({ category: "Theirs" });
  await page.getByRole("textbox", { name: "Category" }).fill("Mine again");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Changed by somebody else" });
  await dialog.getByRole("group", { name: "Category" }).getByRole("radio", { name: "Theirs" }).check();
  await dialog.getByRole("button", { name: "Save choices" }).click();
  await dialog.waitFor({ state: "detached" });
  await becomes(async () => (await settingsOf("walks")).category, "Theirs");

  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Long walks");
  await page.getByRole("link", { name: "Home" }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave", exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("region", { name: "Continue" }).getByRole("link", { name: "Settings of Walks" }).click();
  await page.getByText(/Unsaved changes of .* were brought back/).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Long walks");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await becomes(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Walks");
});

test("ADM-495 ADM-496 an export has a format, a filter and, as a report, chosen properties", async () => {
  const page = await open("/admin/collections/walks?filter[hard]=true");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  await page.getByRole("heading", { level: 1, name: "Export Walks", exact: true }).waitFor();
  await page.getByRole("status", { name: "Result count" }).getByText("1 object").waitFor();
  const save = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    return download;
  };
  const json = await save();
  equal(json.suggestedFilename(), "collection-walks.json");
  await becomes(async () => JSON.parse(await textOf(json)).map(({ id }: { id: string }) => id), ["ridge"]);
  await page.getByRole("radio", { name: "CSV" }).check();
  await page.getByRole("radio", { name: "Chosen properties" }).check();
  await page.getByRole("group", { name: "Chosen properties" }).getByRole("checkbox", { name: "Title" }).check();
  await page.getByRole("checkbox", { name: "steps.name" }).check();
  await becomes(() => axe(page), []);
  await screenshot(page, "export-1440");
  await becomes(
    async () => await textOf(await save()),
    "title,steps.name\r\nAlong the ridge,Up\r\nAlong the ridge,Down\r\n",
  );
  // The address holds all of it.
  await page.reload();
  await until(() => page.getByRole("checkbox", { name: "steps.name" }).isChecked());
});

test("ADM-500 a collection is filled with objects as the sample shows them", async () => {
  await server.makeCollection({ id: "samples", schema: "walk", name: "Samples" });
  const page = await open("/admin/collections/samples/-factory");
  await page.getByRole("heading", { level: 1, name: "Fill Samples", exact: true }).waitFor();
  const rule = page.getByRole("combobox", { name: "Length" });
  await rule.fill("numberBetween(3,3)");
  await rule.press("Enter");
  await page.getByRole("textbox", { name: "Number of objects" }).fill("0");
  await page.getByRole("button", { name: "Show a sample" }).click();
  await page.getByText("Enter a whole number from 1 to 10,000.").waitFor();
  await page.getByRole("textbox", { name: "Number of objects" }).fill("5");
  await page.getByRole("button", { name: "Show a sample" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("5 created").waitFor();
  const first = await result.getByRole("row").nth(1).getByRole("cell").nth(2).textContent();
  await becomes(() => axe(page), []);
  await screenshot(page, "factory-1440");
  await becomes(async () => (await settingsOf("samples")).totalObjects, 0);
  await page.getByRole("button", { name: "Fill", exact: true }).click();
  await result.getByText("The objects are made.").waitFor();
  const { body } = await server.request("GET", `/api/collections/samples/${first}`);
  equal(body.data.length, 3);
  await rule.fill("nonsense(1)");
  await rule.press("Enter");
  await page.getByRole("button", { name: "Fill", exact: true }).click();
  await page.getByRole("alert").getByText("is not a generator rule", { exact: false }).waitFor();
});

test("ADM-485 ADM-486 the index is rebuilt, and a collection is deleted once its id was typed", async () => {
  const page = await open("/admin/collections/samples/-settings?tab=danger");
  await page.getByRole("button", { name: "Rebuild index" }).click();
  await notice(page, "The index was rebuilt").waitFor();
  await page.getByRole("button", { name: "Delete collection" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete Samples?" });
  await screenshot(page, "settings-delete-1440");
  await dialog.getByText("its 5 objects", { exact: false }).waitFor();
  const confirm = dialog.getByRole("button", { name: "Delete collection" });
  await dialog.getByRole("textbox", { name: "Type samples to confirm" }).fill("sample");
  await until(() => confirm.isDisabled());
  await dialog.getByRole("textbox", { name: "Type samples to confirm" }).fill("samples");
  await confirm.click();
  await page.getByRole("heading", { level: 1, name: "Collections" }).waitFor();
  await notice(page, "The collection Samples was deleted").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/samples/settings")).status, 404);
  await becomes(() => page.getByRole("link", { name: "Samples" }).count(), 0);
});

test("ADM-505 the palette leads to the pages of a collection, and only those see them who may", async () => {
  const page = await open("/admin/collections");
  for (const [typed, heading] of [
    ["settings of walks", "Settings of Walks"],
    ["import into walks", "Import into Walks"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).fill(typed);
    await page.getByRole("option", { name: heading }).click();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["walks"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  const reader = await open("/admin/collections/walks", { as: await signIn(server, "vic") });
  await becomes(() => reader.getByRole("link", { name: "Import" }).count(), 0);
  await reader.getByRole("button", { name: "More actions" }).click();
  await becomes(() => reader.getByRole("menuitem").allTextContents(), ["Export"]);
  for (const path of ["-settings", "-import", "-factory"]) {
    await reader.goto(`/admin/collections/walks/${path}`);
    await reader.getByRole("heading", { level: 1, name: "You may not see this page" }).waitFor();
  }
});

test("ADM-510 a singleton opens its one object, and offers neither a second nor a copy of it", async () => {
  await server.makeCollection({ id: "front", schema: "walk", name: "Front", singleton: true });
  const page = await open("/admin/collections/front");
  await page.getByRole("textbox", { name: "Title" }).fill("Welcome");
  await page.getByRole("button", { name: "More ways to save" }).click();
  await becomes(() => page.getByRole("menuitem").count(), 1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL("**/admin/collections/front/front");
  await page.getByRole("link", { name: "Home" }).click();
  await page.goto("/admin/collections/front");
  await page.waitForURL("**/admin/collections/front/front");
  await becomes(() => page.getByRole("textbox", { name: "Title" }).inputValue(), "Welcome");
  await page.getByRole("button", { name: "More actions" }).click();
  await becomes(
    () => page.getByRole("menuitem").allTextContents(),
    ["Copy id", "Copy API address", "Discard changes", "Settings", "Delete"],
  );
});

test("ADM-480 ADM-490 the pages fit a telephone, in both themes", async () => {
  const page = await open("/admin/collections/walks/-settings", { width: 360, theme: "dark" });
  for (const path of ["-settings", "-settings?tab=form", "-settings?tab=danger", "-import", "-export", "-factory"]) {
    await page.goto(`/admin/collections/walks/${path}`);
    await page.locator("main[aria-busy=false]").waitFor();
    await becomes(() => page.evaluate<number>("document.documentElement.scrollWidth"), 360);
    await screenshot(page, `${path.replace(/\W+/g, "-").slice(1)}-360-dark`);
  }
  await becomes(() => axe(page), []);
});

test("ADM-1080 ADM-1081 ADM-1082 relations are chosen, and what points to an object is named beside it and before it is deleted", async () => {
  const walk = { type: "string", field: "text", label: "Walk", reference: "walks" };
  await server.makeSchema({ id: "trip", properties: { walk }, required: [], index: ["walk"] });
  await server.makeCollection({ id: "trips", schema: "trip", name: "Trips" });
  await server.request("POST", "/api/collections/walks", { body: { id: "crag", title: "The crag" } });
  await server.request("POST", "/api/collections/trips", { body: { id: "spring", walk: "crag" } });
  const page = await open("/admin/collections/trips/spring");
  await becomes(() => page.getByRole("combobox", { name: "Walk" }).inputValue(), "The crag");
  await page.goto("/admin/collections/walks/crag");
  await page.getByRole("button", { name: "Show what points here" }).click();
  await page.getByRole("link", { name: "trips/spring" }).waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete The crag?" });
  await question.getByText("One reference points here").waitFor();
  await question.getByRole("link", { name: "trips/spring" }).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await becomes(async () => (await server.request("GET", "/api/collections/walks/crag")).status, 200);
});
