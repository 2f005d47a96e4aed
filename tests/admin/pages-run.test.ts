// Each page of the admin that is about what runs, who may do what, and the site as a whole, visited once, as in pages.test.ts.

import { deepEqual, equal, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "#base/patience.fixture.ts";
import type { Server } from "../harness.ts";
import { runningPages } from "../support/admin-pages.ts";
import { newPage } from "../support/browser.ts";
import { expectIt, see, seeNone } from "../support/names.ts";
import { lookAtPage, walkThroughPage } from "../support/passport.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";
import { isFull } from "../support/test-once.ts";
import { article, create, type Pair, startPair } from "../sync/pair.ts";

let pair: Pair;
let server: Server;
let ada: Person;

before(async () => {
  pair = await startPair({ hasOAuth: true });
  server = pair.here;
  await server.makeSchema(article);
  await server.makeCollection({ id: "news", schema: "article", name: "News", history: "full" });
  await create(server, "news", { id: "first", title: "First" });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  await create(server, "automations", { id: "nightly", name: "Nightly", handler: "export default async () => 1" });
  await create(server, "dataviews", { id: "totals", name: "Totals", definition: "export default async () => 1" });
  await create(server, "mailer", { id: "welcome", name: "Welcome", to: "ada@example.test", subject: "Hello" });
  await server.request("POST", "/api/webhooks", {
    body: { name: "Shop", url: "http://127.0.0.1:9/", events: ["object.created"] },
  });
  await server.request("POST", "/api/collections/news/rebuild-index", {}).catch(() => undefined);
  ada = await signIn(server, "ada");
  await ada.request("DELETE", "/api/collections/news/first");
});
after(() => pair.stop());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();

/** What follows on a page, by its path. */
const steps: Record<string, (page: Page) => Promise<void>> = {
  "/automations/nightly": theAutomation,
  "/utils/api-keys": theKeys,
  "/utils/oauth-clients": theClients,
  "/utils/sync": thePush,
  "/utils/backups": theBackups,
  "/utils/mcp": (page) => seeNone(page, "MCP", { alert: "" }),
  "/settings/site": theSettings,
};

test("ADM-1300 each step belongs to a page", () => {
  const paths = new Set(runningPages.map(({ path }) => path));
  deepEqual(
    Object.keys(steps).filter((path) => !paths.has(path)),
    [],
  );
});

let english: Promise<Page> | undefined;
for (const entry of runningPages)
  test(`ADM-155 ADM-1300 ADM-1302 ADM-1340 ADM-1341 the page ${entry.path}`, async () => {
    english ??= newPage(server, { as: ada, isKept: true });
    equal((await lookAtPage(await english, entry, steps[entry.path])).join("\n"), "");
  });

let german: Promise<Page> | undefined;
for (const entry of runningPages.filter(({ isCrowded }) => isCrowded || isFull))
  test(`ADM-1302 the page ${entry.path} by keyboard, in German`, async () => {
    german ??= newPage(server, { as: ada, language: "de-DE", isKept: true });
    equal((await walkThroughPage(await german, entry)).join("\n"), "");
  });

async function theAutomation(page: Page): Promise<void> {
  await tab(page, "Triggers");
  const type = page.getByRole("combobox", { name: "Type", exact: true });
  for (const [kind, names] of [
    ["Schedule", { label: "Schedule" }],
    ["Webhook", { label: "Who may call", switch: "Wait for the result" }],
    ["Event", { combobox: ["Event", "Collection"] }],
  ] as const) {
    await button(page, "Add trigger").click();
    await see(page, "trigger", { combobox: "Type" });
    await type.fill(kind);
    await type.press("Enter");
    await see(page, `trigger ${kind}`, names as never);
  }
  await tab(page, "Handler");
  await button(page, "Run now").click();
  await see(page.getByRole("dialog"), "run", { textbox: "Arguments", button: ["Run"] });
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await see(page, "run", { region: "Run result" });
  await page.keyboard.press("Escape");
  await tab(page, "Runs");
  await see(page, "runs", { grid: "Runs", radiogroup: "Status" });
}

async function theKeys(page: Page): Promise<void> {
  await button(page, "New key").click();
  const made = dialog(page, "New key");
  await see(made, "new key", {
    textbox: "Name",
    group: "Methods",
    checkbox: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    radio: ["All endpoints", "Specific endpoints"],
    button: ["Create key", "Cancel"],
  });
  await made.getByRole("radio", { name: "Specific endpoints" }).check({ force: true });
  await see(made, "endpoints", {
    checkbox: [
      ...["Sync Manager", "Content Import (seeding)", "All Automations", "All collections", "News", "Schemas"],
      ...["Data views", "MCP", "Reports", "Cache", "Extensions"],
    ],
  });
  await made.getByRole("textbox", { name: "Name" }).fill("website");
  await made.getByRole("radio", { name: "All endpoints" }).check({ force: true });
  await button(page, "Create key").click();
  const shown = dialog(page, "Your new API key");
  await see(shown, "your key", { textbox: "API key", button: ["Copy", "Done"] });
  await button(page, "Done").click();
  await see(page, "keys", { grid: "API keys", button: ["Delete website", "Undo what it wrote…"] });
  await button(page, "Delete website").click();
  await see(page.getByRole("alertdialog", { name: "Delete website?" }), "delete key", { button: ["Delete", "Cancel"] });
}

async function theClients(page: Page): Promise<void> {
  await button(page, "New client").click();
  const form = page.getByRole("dialog");
  await see(form, "new client", {
    textbox: ["Name", "Redirect URIs"],
    group: "Scopes",
    checkbox: "Confidential",
    button: ["Create client", "Cancel"],
  });
  await form.getByRole("textbox", { name: "Name" }).fill("Agent");
  await form.getByRole("textbox", { name: "Redirect URIs" }).fill("https://example.test/back");
  await form.getByRole("checkbox", { name: "Confidential" }).check();
  await button(page, "Create client").click();
  await see(dialog(page, "Your new client"), "client", { textbox: ["Client ID", "Client secret"], button: "Done" });
  await button(page, "Done").click();
  await see(page, "clients", { grid: "Clients made here", button: "Remove stale clients" });
}

async function thePush(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "Select schema article" }).check();
  await button(page, "Push 1 item").click();
  const sure = page.getByRole("alertdialog");
  await see(sure, "push", { button: ["Push", "Cancel"] });
  await sure.getByRole("button", { name: "Push", exact: true }).click();
  await see(page, "push", { region: "Result" });
}

async function theBackups(page: Page): Promise<void> {
  await button(page, "Back up now").click();
  await see(page, "backups", { grid: "Backups" });
}

async function theSettings(page: Page): Promise<void> {
  expectIt((await page.locator("[data-setting='site.name']").count()) === 1, "data-setting of site.name");
  for (const section of ["general", "oauth", "mcp"])
    expectIt((await page.locator(`a[href="/admin/settings/${section}"]`).count()) > 0, `link of ${section}`);
}

test("ADM-1302 the sidebar is walked from the first entry to the user menu", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin");
  await page.locator("main[aria-busy=false]").waitFor();
  const names: string[] = [];
  const where =
    "document.activeElement.closest('nav, aside, header') ? document.activeElement.textContent || document.activeElement.getAttribute('aria-label') : ''";
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate<string>(where));
    if (await page.evaluate<boolean>("!!document.activeElement.closest('main')")) break;
  }
  for (const name of ["Home", "News", "Schemas", "Jobs", "Trash", "Settings", "Ada Stone"])
    ok(
      names.some((one) => one.includes(name)),
      `${name} in ${names.join(", ")}`,
    );
});

test("ADM-1300 signing in, and again", async () => {
  const page = await newPage(server);
  await page.goto("/admin/login");
  await see(page, "login", {
    textbox: "Email",
    label: "Password",
    checkbox: "Stay signed in",
    button: ["Sign in", "Sign in with a passkey"],
    link: "Forgot password?",
  });
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.test");
  await page.getByLabel("Password", { exact: true }).fill("wrong-password-1");
  await button(page, "Sign in").click();
  await until(() => page.getByRole("alert").count());
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign in").click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.context().clearCookies();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Jobs" }).click();
  await see(dialog(page, "Sign in again"), "sign in again", { label: "Password", button: ["Sign in", "Cancel"] });
});

test("ADM-1301 Pages and Prompts stand in the sidebar before their collections are made, and their pages make them", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Pages", exact: true }).waitFor();
  await button(page, "Add Pages").click();
  await see(page, "pages", { heading: "Pages", searchbox: "Search", status: "Result count" });
  await nav.getByRole("link", { name: "Prompts", exact: true }).click();
  await button(page, "Add Prompts").waitFor();
});
