// The history of content in the admin: its switch, versions, the trash, and undoing what somebody wrote.

import { deepEqual, equal, match } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { look, newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "note",
    properties: {
      id: { $ref: "slug", label: "Id" },
      title: { ...text, label: "Title" },
      body: { type: "string", field: "textarea", label: "Body" },
      tags: { type: "list", field: "list", label: "Tags" },
    },
    required: ["title"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "notes", schema: "note", name: "Notes", labelSingular: "note", history: "full" });
  await server.makeCollection({ id: "plain", schema: "note", name: "Plain", history: "off" });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

async function open(path: string): Promise<Page> {
  const page = await newPage(server, { as: ada });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByText(text);
const make = (body: object) => ada.request("POST", "/api/collections/notes", { body });
const patch = (id: string, body: object, headers = {}) =>
  server.request("PATCH", `/api/collections/notes/${id}`, { body, headers });
const stored = async (id: string) => (await server.request("GET", `/api/collections/notes/${id}`)).body.data;

test("ADM-1200 the settings of a collection switch its history, and leave it to the installation", async () => {
  const historyOf = async () =>
    (await ada.request("GET", "/api/admin")).body.data.collections.find(({ id }: { id: string }) => id === "plain")
      .history;
  const page = await open("/admin/collections/plain/-settings");
  const box = page.getByRole("combobox", { name: "History", exact: true });
  await box.fill("everything");
  await box.press("Enter");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  await becomes(historyOf, "full");
  await box.fill("");
  await box.press("Enter");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await becomes(historyOf, "off");
});

test("ADM-1201 ADM-1202 versions name who made them, are compared, and come back into the form or at once", async () => {
  await make({ id: "first", title: "One", body: "The first text", tags: ["a"] });
  await patch("first", { title: "Two", body: "The second text" }, { "x-cairn-note": "Better words" });
  await patch("first", { title: "Three", tags: ["a", "b"] });
  const page = await open("/admin/collections/notes/first?tab=versions");
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("button");
  await versions.first().waitFor();
  await becomes(() => versions.count(), 3);
  match((await versions.nth(1).textContent()) ?? "", /Changed · .*API.*Title and Body.*Better words/);
  match((await versions.last().textContent()) ?? "", /Created · ada · Admin/);
  // The newest one shows what it changed.
  const shown = page.getByRole("region", { name: /^Version of/ });
  await shown.getByText("Two").first().waitFor();
  await look(page, "history-versions");
  await versions.last().press("Enter");
  await shown.getByRole("checkbox", { name: "Tags" }).uncheck();
  await shown.getByRole("checkbox", { name: "Body" }).uncheck();
  await shown.getByRole("button", { name: "Restore", exact: true }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await becomes(() => title.inputValue(), "One");
  equal((await stored("first")).title, "Three");
  await page.getByRole("button", { name: "Undo change to Title" }).click();
  await page.getByRole("tab", { name: "Versions" }).click();
  await versions.last().click();
  await shown.getByRole("checkbox", { name: "Tags" }).uncheck();
  await shown.getByRole("button", { name: "Restore and save…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox", { name: "Note" }).fill("Back to the start");
  await dialog.getByRole("button", { name: "Restore and save" }).click();
  await notice(page, "The version was restored").waitFor();
  const { title: back, body, tags } = await stored("first");
  deepEqual([back, body, tags], ["One", "The first text", ["a", "b"]]);
  await becomes(() => versions.count(), 4);
  match((await versions.first().textContent()) ?? "", /Restored · ada · Admin.*Back to the start/);
  await page.getByRole("tab", { name: "Form" }).click();
  await becomes(() => title.inputValue(), "One");
});

test("ADM-1203 each label tells who last changed the property", async () => {
  await make({ id: "origins", title: "One", body: "Text" });
  await patch("origins", { body: "Other" });
  const page = await open("/admin/collections/notes/origins");
  const body = page.locator("[data-property=body]");
  await body.getByText(/API, .*ago|API, now/).waitFor();
  match((await page.locator("[data-property=title]").textContent()) ?? "", /ada · Admin/);
  await body.hover();
  await look(page, "history-origins");
});

test("ADM-1204 ADM-1205 what was deleted comes back by Undo, or from the trash, until it is gone for good", async () => {
  for (const id of ["gone", "taken", "old"]) await make({ id, title: `Title of ${id}` });
  const page = await open("/admin/collections/notes/gone");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByText("It goes to the trash").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await notice(page, "Title of gone is back").waitFor();
  equal((await stored("gone")).title, "Title of gone");
  for (const id of ["gone", "taken", "old"]) await ada.request("DELETE", `/api/collections/notes/${id}`);
  await make({ id: "taken", title: "Another" });
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  const grid = page.getByRole("grid", { name: "Trash" });
  const row = (name: string) => grid.getByRole("row", { name, exact: true });
  await row("Title of gone").getByText("ada · Admin").waitFor();
  await look(page, "history-trash");
  await row("Title of gone").getByRole("button", { name: "Restore" }).click();
  await notice(page, "Title of gone is back").first().waitFor();
  await row("Title of gone").waitFor({ state: "detached" });
  await row("Title of taken").getByRole("button", { name: "Restore" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore Title of taken" });
  await dialog.getByRole("textbox", { name: "New id" }).fill("taken-2");
  await dialog.getByRole("button", { name: "Restore" }).click();
  await becomes(async () => (await stored("taken-2"))?.title, "Title of taken");
  await row("Title of old").getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await ada.request("DELETE", "/api/collections/notes/taken");
  await page.goto("/admin/utils/trash?collection=notes");
  await page.getByRole("button", { name: "Empty trash" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox", { name: "Type notes to confirm" }).fill("notes");
  await question.getByRole("button", { name: "Empty trash" }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
});

test("ADM-1206 ADM-1207 what a key wrote is planned with its conflicts, and taken back by a job", async () => {
  const made = (
    await ada.request("POST", "/api/apikeys", {
      body: { name: "Feed", methods: ["GET", "POST", "PATCH"], endpoints: ["*"] },
    })
  ).body.data;
  const byKey = (method: string, path: string, body: object) => server.request(method, path, { key: made.key, body });
  await make({ id: "mine", title: "Mine", body: "By ada" });
  await byKey("PATCH", "/api/collections/notes/mine", { title: "Changed", body: "By the key" });
  await byKey("POST", "/api/collections/notes", { id: "shared", title: "By the key" });
  await ada.request("PATCH", "/api/collections/notes/shared", { body: { body: "Edited by ada" } });
  const page = await open("/admin/utils/api-keys");
  const row = page.getByRole("row", { name: "Feed", exact: true });
  await row.getByRole("button", { name: "Undo what it wrote…" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo" });
  const plan = dialog.getByRole("grid", { name: "Plan" });
  await plan.getByRole("row", { name: "notes/shared" }).getByText("Others changed it").waitFor();
  await plan.getByRole("row", { name: "notes/mine" }).getByText("Put back").waitFor();
  await dialog.getByRole("button", { name: "Undo 1 change", exact: true }).waitFor();
  await plan.getByRole("button", { name: "Properties of notes/mine" }).click();
  await dialog.getByText("After the undo").first().waitFor();
  await look(page, "history-undo");
  await plan.getByRole("checkbox", { name: "Undo shared anyway" }).check();
  await dialog.getByRole("button", { name: "Undo 2 changes" }).click();
  await dialog.getByText("What it wrote was taken back").waitFor();
  const { title, body } = await stored("mine");
  deepEqual([title, body], ["Mine", "By ada"]);
  equal((await server.request("GET", "/api/collections/notes/shared")).status, 404);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("ADM-1209 what was deleted or changed in bulk comes back by the Undo of its message", async () => {
  for (const id of ["bulk-1", "bulk-2", "bulk-3"]) await make({ id, title: `Bulk ${id}` });
  const page = await open("/admin/collections/notes?search=bulk");
  await page.locator("[data-row='2']").waitFor();
  await page.getByRole("checkbox", { name: "Select all loaded" }).check();
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click();
  await notice(page, /deleted/).waitFor();
  equal((await server.request("GET", "/api/collections/notes/bulk-1")).status, 404);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await notice(page, "The change was undone").waitFor();
  for (const id of ["bulk-1", "bulk-2", "bulk-3"]) equal((await stored(id)).title, `Bulk ${id}`);
  await page.locator("[data-row='2']").waitFor();
});

test("ADM-1206 ADM-1210 an import is undone from its result and from its job; the plan shows as many objects as are asked for", async () => {
  const rows = Array.from({ length: 130 }, (_, n) => ({ id: `row-${String(n).padStart(3, "0")}`, title: `Row ${n}` }));
  const page = await open("/admin/collections/notes/-import");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Choose file" }).click(),
  ]);
  const buffer = Buffer.from(JSON.stringify(rows));
  await chooser.setFiles({ name: "rows.json", mimeType: "application/json", buffer });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).getByRole("button", { name: "Undo this import…" }).waitFor();
  // The last by its id, and still the first of the plan: somebody else has edited it.
  await patch("row-129", { body: "Edited" });
  await page.goto("/admin/jobs");
  const job = page.getByRole("grid", { name: "Jobs" }).getByRole("row").filter({ hasText: "Import" }).first();
  await job.getByRole("button", { name: /^Show / }).click();
  await page.getByRole("button", { name: "Undo this import…" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo" });
  const plan = dialog.getByRole("grid", { name: "Plan" });
  await plan.getByRole("row", { name: "notes/row-129" }).getByText("Others changed it").waitFor();
  await dialog.getByText("and 30 more objects").waitFor();
  await dialog.getByRole("button", { name: "Show more" }).click();
  await plan.getByRole("row", { name: "notes/row-128" }).waitFor();
  await dialog.getByText("more objects").waitFor({ state: "detached" });
  await look(page, "history-undo-import");
  await dialog.getByRole("button", { name: "Undo 129 changes" }).click();
  await dialog.getByText("What it wrote was taken back").waitFor();
  equal((await server.request("GET", "/api/collections/notes/row-000")).status, 404);
  equal((await stored("row-129")).body, "Edited");
});

test("ADM-1208 Recently changed says who made the last change", async () => {
  await make({ id: "fresh", title: "Fresh" });
  const page = await open("/admin");
  const recent = page.getByRole("region", { name: "Recently changed" });
  await recent.getByRole("listitem").filter({ hasText: "Fresh" }).getByText("ada · Admin").waitFor();
});
