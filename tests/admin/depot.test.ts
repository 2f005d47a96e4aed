// Depots and files in the form of an object: uploaded, sorted into folders, described, protected, linked, deleted.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, axeInBothThemes, newPage, type PageOptions } from "../support/browser.ts";
import { upload } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer();
  const rules = { rules: { size: { max: 1 }, filetype: [".txt", ".pdf"] } };
  await server.makeSchema({
    id: "sheet",
    properties: { file: { type: "file", label: "Sheet" } },
    required: [],
    index: [],
  });
  await server.makeSchema({
    id: "dossier",
    properties: {
      title: { type: "string", label: "Title" },
      papers: { type: "depot", label: "Papers" },
      handout: { type: "file", label: "Handout", settings: rules },
      extra: { type: "card", label: "Extra", schemaref: "/schemas/sheet.json" },
    },
    required: [],
    index: ["title"],
  });
  await server.makeCollection({ id: "dossiers", schema: "dossier", name: "Dossiers", labelSingular: "dossier" });
  await makeUser(server, "ada", ["admin"]);
  await makeUser(server, "vic", ["viewer"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/dossiers/${id}`)).body.data;
}

interface Entry {
  name: string;
  files?: Entry[];
}
/** By name, files first. */
const tree = (files: Entry[] = []): unknown[] => {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const folders = sorted.filter((entry) => entry.files);
  return [
    ...sorted.filter((entry) => !entry.files).map(({ name }) => name),
    ...folders.map(({ name, files: below }) => ({ [name]: tree(below) })),
  ];
};
const shown = async (id: string) => tree((await stored(id)).papers?.files);

async function make(id: string, files: Record<string, string> = {}): Promise<void> {
  const { status, text } = await server.request("POST", "/api/collections/dossiers", { body: { id, title: id } });
  equal(status, 201, text);
  for (const [path, bytes] of Object.entries(files)) {
    const [name = "", ...folders] = path.split("/").reverse();
    const folder = folders.reverse().join("/");
    await upload(server, `dossiers/${id}/papers?path=${folder}`, { field: "papers", name, bytes });
  }
}

async function open(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/dossiers/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

const grid = (page: Page) => page.getByRole("grid", { name: "Papers files" });
const row = (page: Page, name: string) => grid(page).getByRole("row", { name, exact: true });
const folder = (page: Page, name: string) =>
  page.getByRole("tree", { name: "Papers folders" }).getByRole("treeitem", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();

async function choose(page: Page, label: string, files: { name: string; text: string }[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page
    .getByRole("button", { name: `Upload ${label}` })
    .first()
    .click();
  await (await chooser).setFiles(
    files.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
  );
}

async function saved(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
}

test("ADM-454 files are uploaded into folders that are made there; moved, renamed and deleted", async () => {
  await make("work");
  const page = await open("work");
  await page.getByText("Drop files here").first().waitFor();
  await choose(page, "Papers", [
    { name: "report.txt", text: "Report" },
    { name: "plan.txt", text: "A plan" },
    { name: "old.txt", text: "Old" },
  ]);
  for (const name of ["report.txt", "plan.txt", "old.txt"]) await row(page, name).waitFor();

  await page.getByRole("button", { name: "New folder" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Write a name.").waitFor();
  await dialog.getByLabel("Name").fill("report.txt");
  await dialog.getByText("already").waitFor();
  await dialog.getByLabel("Name").fill("2026");
  await dialog.getByRole("button", { name: "Create" }).click();
  await folder(page, "2026").and(page.locator("[aria-selected=true]")).waitFor();
  await choose(page, "Papers", [{ name: "inside.txt", text: "In" }]);
  await row(page, "inside.txt").waitFor();
  await becomes(() => shown("work"), ["old.txt", "plan.txt", "report.txt", { "2026": ["inside.txt"] }]);

  // Two at once, by the dialog.
  await folder(page, "Papers").click();
  await row(page, "plan.txt").getByRole("checkbox").check();
  await row(page, "old.txt").getByRole("checkbox").check();
  await page.getByText("2 files selected").waitFor();
  await button(page, "Move to…").click();
  await page.getByRole("tree", { name: "Folders", exact: true }).getByRole("treeitem", { name: "2026" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
  await row(page, "plan.txt").waitFor({ state: "detached" });
  await page.getByText("2 moved to 2026").waitFor();
  await becomes(() => shown("work"), ["report.txt", { "2026": ["inside.txt", "old.txt", "plan.txt"] }]);

  // One by the mouse, and its name by F2.
  await row(page, "report.txt").dragTo(folder(page, "2026"));
  await page.getByText("Moved to 2026", { exact: true }).waitFor();
  await folder(page, "2026").click();
  await row(page, "report.txt").click();
  await page.keyboard.press("F2");
  await page.getByRole("dialog", { name: "Rename report.txt" }).getByLabel("Name").fill("Report 1.txt");
  await page.keyboard.press("Enter");
  await row(page, "Report 1.txt").waitFor();
  await folder(page, "2026").press("F2");
  await page.getByRole("dialog").getByLabel("Name").fill("archive");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await folder(page, "archive").waitFor();

  await row(page, "old.txt").click();
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog", { name: "Delete old.txt?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted", { exact: true }).waitFor();
  await becomes(() => shown("work"), [{ archive: ["Report 1.txt", "inside.txt", "plan.txt"] }]);

  // A refusal puts everything back.
  await server.request("PUT", "/api/collections/dossiers/work/papers/plan.txt/move?path=archive", {
    body: { destination: "" },
  });
  await row(page, "plan.txt").click();
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("There is no file or folder").waitFor();
  await row(page, "plan.txt").waitFor();
  // Nothing of it was left to Save.
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
});

test("ADM-455 the keyboard moves through folders and files, picks ranges, and returns", async () => {
  await make("keys", { "a.txt": "A", "b.txt": "B", "c.txt": "C", "2026/q1/d.txt": "D", "2026/q2/e.txt": "E" });
  const page = await open("keys");
  await folder(page, "Papers").focus();
  await page.keyboard.press("ArrowDown");
  await hasFocus(folder(page, "2026"));
  await page.keyboard.press("ArrowRight");
  await folder(page, "q1").waitFor();
  await page.keyboard.press("ArrowRight");
  await row(page, "d.txt").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await folder(page, "q1").waitFor({ state: "detached" });
  await page.keyboard.press("Home");
  await page.keyboard.press("Tab");
  await hasFocus(row(page, "a.txt"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("2 files selected").waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: "b.txt" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.getByText("3 files selected").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await grid(page).getByRole("columnheader", { name: "Size" }).and(page.locator("[aria-sort=descending]")).waitFor();
  await page.keyboard.press("ArrowDown");
  await hasFocus(row(page, "a.txt"));
  await page.getByLabel("Filter Papers").fill("d.t");
  await row(page, "d.txt").getByText("in 2026/q1").waitFor();
  await becomes(() => axe(page, "main"), []);
});

test("ADM-456 ADM-457 a file is described, protected and linked; the link ends with its password", async () => {
  await make("guarded", { "a.txt": "Secret" });
  const page = await open("guarded");
  await row(page, "a.txt").click();
  await page.getByLabel("Download name").fill("letter.txt");
  await page.getByLabel("Tags").fill("press, spring");
  await page.getByLabel("Comments").fill("For the press");
  const last = page.waitForResponse(
    (answer) => answer.request().method() === "PATCH" && answer.url().includes("a.txt"),
  );
  await page.getByLabel("Comments").blur();
  await last;
  await page.getByRole("region", { name: "Details" }).getByRole("button", { name: "Protection…" }).click();
  const dialog = page.getByRole("dialog", { name: "Protection of a.txt" });
  await dialog.getByText("No password is set.").waitFor();
  await dialog.getByLabel("New password").fill("lilac 42");
  await dialog.getByText("A password has no spaces.").waitFor();
  await dialog.getByLabel("New password").fill("lilac-42");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  // Each part is sent by itself when it is left.
  const described = async () => {
    const [file] = (await stored("guarded")).papers.files;
    return [file.download, file.tags, file.comments];
  };
  await becomes(described, ["letter.txt", ["press", "spring"], "For the press"]);

  await button(page, "Link…").click();
  const linking = page.getByRole("dialog", { name: "Link to a.txt" });
  await linking.getByLabel("Password").fill("wrong");
  await linking.getByRole("button", { name: "Make link" }).click();
  await linking.getByText("This is not the password of the file.").waitFor();
  await linking.getByLabel("Password").fill("lilac-42");
  await linking.getByRole("combobox", { name: "Ends" }).click();
  await page.getByRole("option", { name: "After 1 hour" }).click();
  const asked = page.waitForRequest((request) => request.url().endsWith("/api/file-links"));
  await linking.getByRole("button", { name: "Make link" }).click();
  await becomes(async () => (await asked).postDataJSON().expires, "PT1H");
  const link = new URL(await linking.getByRole("textbox", { name: "Link", exact: true }).inputValue());
  const fetched = async () => (await server.request("GET", link.pathname + link.search, { key: null })).status;
  await becomes(() => fetched(), 200);
  await linking.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Protection… Papers" }).click();
  const whole = page.getByRole("dialog", { name: "Protection of Papers" });
  await whole.getByRole("checkbox").uncheck();
  await whole.getByRole("button", { name: "Apply" }).click();
  await whole.waitFor({ state: "detached" });
  await becomes(async () => (await stored("guarded")).papers.protected, false);
  await page.getByRole("region", { name: "Details" }).getByRole("button", { name: "Protection…" }).click();
  await dialog.getByRole("button", { name: "Remove the password" }).click();
  await dialog.getByText("No password is set.").waitFor();
  await dialog.getByLabel("New password").fill("other-43");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await becomes(() => fetched(), 403);
});

test("ADM-458 a depot of thousands of files draws only the rows in sight", async () => {
  await make("large", { "first.txt": "1" });
  const one = (await stored("large")).papers.files[0];
  const files = Array.from({ length: 3_000 }, (_, at) => ({ ...one, name: `file-${at}.txt` }));
  const page = await newPage(server, { as: ada });
  // The files themselves are not needed for a look.
  await page.route("**/api/collections/dossiers/large", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { data: { ...body.data, papers: { ...body.data.papers, files } } } });
  });
  await page.goto("/admin/collections/dossiers/large");
  await row(page, "file-0.txt").click();
  await becomes(() => grid(page).getAttribute("aria-rowcount"), "3001");
  await page.keyboard.press("End");
  await hasFocus(row(page, "file-2999.txt"));
  await until(async () => (await grid(page).getByRole("row").count()) < 60);
  await page.getByLabel("Filter Papers").fill("file-1234");
  await row(page, "file-1234.txt").waitFor();
  await becomes(() => grid(page).getByRole("row").count(), 2);
});

test("ADM-460 ADM-461 ADM-462 a file is uploaded, described, protected, replaced and removed", async () => {
  await make("single");
  const page = await open("single");
  const group = page.getByRole("group", { name: "Handout" });
  await group.getByText(/at most 1(\.0)? kB/).waitFor();
  await choose(page, "Handout", [{ name: "big.txt", text: "x".repeat(2_000) }]);
  await page.getByText("This field takes files that are at most 1").first().waitFor();
  await choose(page, "Handout", [{ name: "map.txt", text: "A map" }]);
  await group.getByText("map.txt").waitFor();
  await becomes(async () => (await stored("single")).handout?.name, "map.txt");
  await group.getByText("0 downloads").waitFor();

  const menu = async (action: string) => {
    await group.getByRole("button", { name: "Actions for map.txt" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await menu("Details");
  const details = page.getByRole("dialog", { name: "map.txt" });
  await details.getByLabel("Download name").fill("The map.txt");
  await details.getByLabel("Tags").fill("maps");
  await details.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Undo change to Handout" }).waitFor();
  await menu("Protection…");
  const protection = page.getByRole("dialog", { name: "Protection of map.txt" });
  await protection.getByRole("checkbox", { name: "Only for members" }).uncheck();
  await protection.getByRole("button", { name: "Apply" }).click();
  await protection.waitFor({ state: "detached" });
  await saved(page);
  const { handout } = await stored("single");
  deepEqual([handout.download, handout.tags, handout.protected], ["The map.txt", ["maps"], false]);

  const sheet = page.getByRole("group", { name: "Sheet" });
  await choose(page, "Sheet", [{ name: "sheet.txt", text: "Sheet" }]);
  const download = sheet.getByRole("link", { name: "Download sheet.txt" });
  equal(await download.getAttribute("href"), "/download/dossiers/single/extra/file");
  await becomes(async () => (await stored("single")).extra?.file?.name, "sheet.txt");
  await sheet.getByRole("button", { name: "Actions for sheet.txt" }).click();
  await page.getByRole("menuitem", { name: "Protection…" }).click();
  const lock = page.getByRole("dialog", { name: "Protection of sheet.txt" });
  await lock.getByLabel("New password").fill("lilac-44");
  await lock.getByRole("button", { name: "Apply" }).click();
  await lock.waitFor({ state: "detached" });
  const asked = "/api/file-protection?collection=dossiers&id=single&path=extra/file";
  await becomes(async () => (await server.request("GET", asked)).body.data.hasPassword, true);

  await menu("Link…");
  const linking = page.getByRole("dialog", { name: "Link to map.txt" });
  await linking.getByRole("button", { name: "Make link" }).click();
  const link = new URL(await linking.getByRole("textbox", { name: "Link", exact: true }).inputValue());
  const answer = await server.request("GET", link.pathname + link.search, { key: null });
  deepEqual([answer.status, answer.text], [200, "A map"]);
  await linking.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Upload Handout from a URL" }).click();
  const url = page.getByRole("dialog", { name: "Upload Handout from a URL" });
  await url.getByLabel("Address").fill("ftp://x");
  await url.getByRole("button", { name: "Upload" }).click();
  await url.getByText("starts with http").waitFor();
  await page.keyboard.press("Escape");
  await choose(page, "Handout", [{ name: "next.txt", text: "Next" }]);
  await group.getByText("next.txt").waitFor();
  await group.getByRole("button", { name: "Actions for next.txt" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await group.getByText("Drop a file here").waitFor();
  await page.getByRole("button", { name: "Undo change to Handout" }).click();
  await group.getByText("next.txt").waitFor();
  await becomes(() => axe(page, "main"), []);
  await group.getByRole("button", { name: "Actions for next.txt" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await saved(page);
  await becomes(async () => (await stored("single")).handout, undefined);
});

test("ADM-463 files of a new object are sent after the Save that makes it", async () => {
  const page = await open("-new");
  await page.getByLabel("Title").fill("Later");
  await choose(page, "Handout", [{ name: "late.txt", text: "Late" }]);
  await choose(page, "Papers", [{ name: "one.txt", text: "One" }]);
  await page.getByText("1 file is sent when you save").first().waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await row(page, "one.txt").waitFor();
  await page.getByRole("group", { name: "Handout" }).getByText("late.txt").waitFor();
  const names = async () => {
    const { handout, papers } = await stored("later");
    return [handout?.name, papers?.files?.[0]?.name];
  };
  await becomes(names, ["late.txt", "one.txt"]);
});

test("ADM-464 readers see names and downloads, and nothing to change", async () => {
  await make("read", { "a.txt": "A" });
  await upload(server, "dossiers/read/handout", { field: "handout", name: "map.txt", bytes: "Map" });
  const page = await open("read", { as: vic });
  const link = page.getByRole("link", { name: "Download map.txt" });
  await becomes(() => link.getAttribute("href"), "/download/dossiers/read/handout");
  await row(page, "a.txt").click();
  const details = page.getByRole("region", { name: "Details" });
  await until(
    async () => (await details.getByRole("link", { name: "Download" }).getAttribute("href")) ?? "",
    (text) => /papers\/a\.txt$/.test(text),
  );
  for (const name of ["Upload", "New folder", "Rename", "Delete", "Move to…", "Protection…"])
    await becomes(() => page.getByRole("button", { name }).count(), 0);
});

test("ADM-465 depots and files in three widths and two themes", async () => {
  await make("look", {
    "2026/q1/report.txt": "Report ".repeat(300),
    "2026/q1/plan.txt": "Plan",
    "2026/q2/notes.txt": "Notes",
    "archive/a very long name of a file that does not fit into any column of the list.txt": "Long",
    "readme.txt": "Read me",
    "budget.csv": "a,b\n1,2",
  });
  await upload(server, "dossiers/look/handout", { field: "handout", name: "map.txt", bytes: "Map" });
  const page = await open("look");
  for (const width of [1440, 1024, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await row(page, "readme.txt").click();
    await page.waitForFunction("document.documentElement.scrollWidth <= innerWidth");
  }
  await becomes(() => axeInBothThemes(page, "main", "depot"), []);
});
