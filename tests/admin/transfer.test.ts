// Sync, jumpstart and backups in the browser, between two real installations.

import { equal, match } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import type { Server } from "../harness.ts";
import { look, newPage } from "../support/browser.ts";
import { makeUser, type Person, password, signIn, signInAlone } from "../support/sign-in.ts";
import { article, create, type Pair, startPair } from "../sync/pair.ts";

let pair: Pair;
let here: Server;
let there: Server;
let ada: Person;
const folder = mkdtempSync(join(tmpdir(), "cairn-admin-transfer-"));

before(async () => {
  pair = await startPair();
  ({ here, there } = pair);
  await makeUser(here, "ada", ["admin"]);
  await makeUser(here, "eve", ["editor"]);
  ada = await signIn(here, "ada");
  await here.makeSchema(article);
  await here.makeSchema({ ...article, id: "event", description: "Events" });
  await here.makeCollection({ id: "news", schema: "article", name: "News" });
  await create(here, "news", { id: "first", title: "First" });
});
after(async () => {
  await pair.stop();
  rmSync(folder, { recursive: true });
});

async function open(path: string, as = ada, server = here): Promise<Page> {
  const page = await newPage(server, { as });
  await page.goto(path);
  await page.locator('main[aria-busy="false"]').waitFor();
  return page;
}

async function describe(server: Server, id: string, description: string): Promise<void> {
  const { status, text } = await server.request("PUT", `/api/schemas/${id}`, { body: { ...article, id, description } });
  equal(status, 200, text);
}

const descriptionOf = async (server: Server, id: string) =>
  (await server.request("GET", `/api/schemas/${id}?raw=true`)).body.description;

const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });

test("ADM-894 without a remote the page says how to name one", async () => {
  await makeUser(there, "bob", ["admin"]);
  const page = await open("/admin/utils/sync", await signIn(there, "bob"), there);
  await page.getByRole("heading", { name: "No remote yet" }).waitFor();
  await page.getByText("cairn settings:set sync.url").waitFor();
  await becomes(() => page.getByRole("treegrid").count(), 0);
  await look(page, "sync-unset");
});

test("ADM-895 ADM-897 ADM-898 the changes are compared on opening, chosen, and pushed", async () => {
  const page = await open("/admin/utils/sync");
  await until(
    async () => (await page.getByRole("status", { name: "Remote" }).textContent()) ?? "",
    (text) => /\/api.*answers/.test(text),
  );
  const tree = page.getByRole("treegrid", { name: "Differences" });
  await tree.getByRole("checkbox", { name: "Select schema event" }).waitFor();
  await page.getByRole("button", { name: "Select changed" }).click();
  await page.getByRole("button", { name: "Push 3 items" }).waitFor();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  // By keys alone: the tree is one stop, arrows go on, space chooses.
  await tree.getByRole("checkbox", { name: "Select all of Schemas" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await tree.getByRole("checkbox", { name: "Select collection news" }).press("Space");
  await tree.getByRole("button", { name: "Show Seed objects" }).press("Enter");
  await tree.getByRole("checkbox", { name: "Select objects of news" }).press("Space");
  await row(page, "objects of news").getByText("1 new").waitFor();
  await look(page, "sync");
  await page.getByRole("button", { name: "Push 4 items" }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText(`${there.url}/api`).waitFor();
  await dialog.getByText("Created (4)").waitFor();
  await becomes(() => dialog.getByRole("checkbox").count(), 0);
  await dialog.getByRole("button", { name: "Push", exact: true }).press("Enter");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("object news/first").waitFor();
  await becomes(() => result.getByRole("listitem").count(), 4);
  await becomes(() => descriptionOf(there, "event"), "Events");
  await becomes(async () => (await there.request("GET", "/api/collections/news/first")).status, 200);
  await page.getByRole("heading", { name: "Both sides are the same" }).waitFor();
  await page.getByRole("checkbox", { name: /^Show identical/ }).check();
  await row(page, "schema event").getByText("identical").waitFor();
});

test("ADM-896 ADM-897 an item that is newer on the other side is skipped, until it may be overwritten", async () => {
  await describe(here, "article", "From here");
  await describe(there, "article", "From there");
  const page = await open("/admin/utils/sync");
  const conflict = row(page, "schema article");
  await conflict.getByText("The older local copy would overwrite the newer remote one").waitFor();
  await conflict.getByRole("button", { name: "Show difference" }).click();
  const difference = page.getByRole("dialog", { name: "schema article" });
  await difference.getByRole("figure", { name: "Local" }).getByText("here").waitFor();
  await difference.getByRole("figure", { name: "Remote" }).getByText("there").waitFor();
  await look(page, "sync-difference");
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: "Select schema article" }).check();
  await page.getByRole("button", { name: "Push 1 item" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("Skipped (1)").waitFor();
  await until(() => dialog.getByRole("button", { name: "Push", exact: true }).isDisabled());
  await look(page, "sync-confirm");
  await dialog.getByRole("checkbox", { name: "Overwrite newer items" }).check();
  await dialog.getByText("Replaced (1)").waitFor();
  await dialog.getByRole("button", { name: "Push", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).getByText("schema article").waitFor();
  await becomes(() => descriptionOf(there, "article"), "From here");
});

test("ADM-898 ADM-899 a pull leads to the snapshot of what it replaced, which is compared and restored", async () => {
  await describe(there, "article", "Pulled from there");
  const page = await open("/admin/utils/sync?direction=pull");
  await page.getByRole("checkbox", { name: "Select schema article" }).check();
  await page.getByRole("button", { name: "Pull 1 item" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Pull", exact: true }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Replaced", { exact: true }).waitFor();
  await becomes(() => descriptionOf(here, "article"), "Pulled from there");
  await look(page, "sync-result");
  await result.getByRole("link", { name: "Snapshot of what was replaced" }).click();
  const grid = page.getByRole("grid", { name: "Snapshots" });
  await grid.getByRole("row", { name: "article" }).first().waitFor();
  await becomes(() => page.getByRole("searchbox", { name: "Search" }).inputValue(), "article");
  const first = grid.getByRole("row", { name: "article" }).first();
  await first.getByRole("button", { name: "Show difference" }).press("Enter");
  const difference = page.getByRole("dialog");
  await difference.getByRole("figure", { name: "Snapshot" }).first().getByText("here").waitFor();
  await difference.getByRole("figure", { name: "Now" }).first().getByText("Pulled").waitFor();
  await look(page, "snapshot-difference");
  await difference.getByRole("button", { name: "Restore" }).click();
  const question = page.getByRole("alertdialog", { name: "Restore schema article?" });
  await question.getByRole("button", { name: "Restore" }).click();
  await page.getByText("article is restored").waitFor();
  await becomes(() => descriptionOf(here, "article"), "From here");
  await page.getByRole("searchbox", { name: "Search" }).fill("zebra");
  await page.getByRole("heading", { name: "No snapshot matches" }).waitFor();
});

test("ADM-900 ADM-901 a whole backup is made after the password, downloaded, whole, and deleted", async () => {
  const page = await open("/admin/utils/backups", await signInAlone(here, "ada"));
  await page.getByRole("heading", { name: "Backups are behind your password" }).waitFor();
  await look(page, "backups-locked");
  await page.getByRole("button", { name: "Back up now" }).click();
  const question = page.getByRole("dialog", { name: "Confirm your password" });
  await question.getByLabel("Password", { exact: true }).fill("wrong-horse-1");
  await question.getByRole("button", { name: "Confirm", exact: true }).click();
  await question.getByText("not your present password").waitFor();
  await question.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  const grid = page.getByRole("grid", { name: "Backups" });
  const made = grid.getByRole("row", { name: /^backup-/ });
  // First what leaves by itself.
  await page.getByText(/is ready/).waitFor();
  await made.waitFor();
  await page.getByText(/free on the disk/).waitFor();
  await look(page, "backups");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    made.getByRole("button", { name: "Download" }).press("Enter"),
  ]);
  const file = join(folder, "site.zip");
  await download.saveAs(file);
  match(download.suggestedFilename(), /^backup-\d{8}-\d{6}\.zip$/);
  const verified = await here.cli(["backup:verify", file]);
  equal(verified.code, 0, verified.stderr);
  await made.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No backups yet" }).waitFor();
});

test("ADM-902 ADM-903 parts of the site are exported, tried and imported, by editors too", async () => {
  await here.makeCollection({ id: "diary", schema: "blog", name: "Diary" });
  const page = await open("/admin/utils/jumpstart");
  const all = page.getByRole("group", { name: "Collections" });
  await all.getByRole("checkbox", { name: "News" }).waitFor();
  await until(() => all.getByRole("checkbox", { name: "All collections" }).isChecked());
  await all.getByRole("checkbox", { name: "All collections" }).press("Space");
  await all.getByRole("checkbox", { name: "News" }).press("Space");
  const schemas = page.getByRole("group", { name: "Schemas" });
  await schemas.getByRole("checkbox", { name: "event" }).press("Space");
  await page.getByRole("textbox", { name: "Name" }).fill("News alone");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).press("Enter"),
  ]);
  match(download.suggestedFilename(), /^jumpstart-news-alone-.*\.json$/);
  const file = join(folder, "news.json");
  await download.saveAs(file);
  await here.request("DELETE", "/api/collections/news/first");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Choose file" }).press("Enter"),
  ]);
  await chooser.setFiles(file);
  await page.getByRole("button", { name: "Try it" }).press("Enter");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Nothing was stored.").waitFor();
  await result.getByText("1 object").waitFor();
  await becomes(async () => (await here.request("GET", "/api/collections/news/first")).status, 404);
  await look(page, "jumpstart");
  await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
  await result.getByText("The import is done.").waitFor();
  await becomes(async () => (await here.request("GET", "/api/collections/news/first")).status, 200);
  // Editors have jumpstart, and neither sync nor backups.
  const hers = await open("/admin/utils/jumpstart", await signIn(here, "eve"));
  await hers.getByRole("button", { name: "Export", exact: true }).waitFor();
  await becomes(() => hers.getByRole("link", { name: "Sync", exact: true }).count(), 0);
  await hers.goto("/admin/utils/backups");
  await hers.getByRole("heading", { name: "You may not see this page" }).waitFor();
});
