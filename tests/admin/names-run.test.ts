// The names that tests of others rely on, role by role: modelling, running and operating the site. As in names.test.ts.

import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "#base/patience.fixture.ts";
import type { Server } from "../harness.ts";
import { newPage, visit } from "../support/browser.ts";
import { expectIt, see, seeNone } from "../support/names.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";
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
  ada = await signIn(server, "ada");
});
after(() => pair.stop());

async function open(path: string): Promise<Page> {
  const page = await newPage(server, { as: ada });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();

test("ADM-1300 schemas", async () => {
  const page = await open("/admin/schemas");
  await see(page, "schemas", { grid: "Schemas", link: "New schema" });
  await visit(page, "/admin/schemas/-new");
  await see(page, "new schema", {
    textbox: ["Id", "Title", "Description"],
    label: ["Category"],
    combobox: "Inherit from",
    tab: ["Properties", "Layout", "JSON", "Check"],
    button: ["Add property", "Save"],
  });
  await visit(page, "/admin/schemas/article");
  await see(page, "schema", { list: "Properties", button: ["Add property", "Save"] });
  await button(page, "Add property").click();
  const add = dialog(page, "Add property");
  await see(add, "add property", {
    combobox: "Field kind",
    textbox: ["Name", "Label", "Help"],
    checkbox: ["Required", "Indexed", "Unique"],
    button: ["Add", "Cancel"],
  });
  await page.keyboard.press("Escape");
  const list = page.getByRole("list", { name: "Properties" });
  await see(list, "properties", { listitem: ["title", "body"] });
  await list.getByRole("listitem", { name: "title", exact: true }).getByRole("button").first().click();
  const region = page.getByRole("region", { name: "Property", exact: true });
  await see(region, "property", {
    combobox: "Field kind",
    textbox: ["Label", "Help"],
    checkbox: ["Required", "Indexed", "Unique"],
    button: ["Rename…", "Remove property"],
  });
  await region.getByRole("button", { name: "Rename…" }).click();
  await see(dialog(page, "Rename property"), "rename", { textbox: "New name", button: ["Rename", "Cancel"] });
  await page.keyboard.press("Escape");
  await tab(page, "Layout");
  await see(page, "layout", { textbox: "Layout text" });
  await page.getByRole("textbox", { name: "Layout text" }).fill("title body\npicture picture");
  await see(page, "layout", { grid: "Layout" });
  await button(page, "Actions for title").click();
  await see(page.getByRole("menu"), "layout cell", { menuitem: ["Move right", "Move down", "Wider", "Remove"] });
  await page.keyboard.press("Escape");
  await button(page, "Actions for picture").click();
  await see(page.getByRole("menu"), "layout cell", { menuitem: ["Move up", "Narrower"] });
  await page.keyboard.press("Escape");
  await tab(page, "Properties");
  await list.getByRole("listitem", { name: "body", exact: true }).getByRole("button").first().click();
  await region.getByRole("button", { name: "Remove property" }).click();
  await button(page, "Save").click();
  await see(dialog(page, "Review changes"), "review", { button: ["Apply changes", "Cancel"] });
});

test("ADM-1300 users, groups and API keys", async () => {
  const page = await open("/admin/users");
  await see(page, "users", { grid: "Users", link: "New user" });
  await visit(page, "/admin/users/-new");
  await see(page, "new user", {
    label: ["Email", "Name", "Password", "Confirm Password", "Groups", "Active"],
    button: "Save",
  });
  await visit(page, "/admin/users/vic");
  await see(page, "user", { button: "Act as Vic Stone", label: ["Email", "Name"] });
  await visit(page, "/admin/utils/access-groups");
  await see(page, "groups", { grid: "Access groups", link: "New group" });
  await visit(page, "/admin/utils/access-groups/-new");
  await see(page, "new group", { textbox: ["Id", "Description"], grid: "Permissions" });
  await see(page.getByRole("grid", { name: "Permissions" }), "permissions", {
    checkbox: ["Create: Collections", "Read: Collections", "Update: Collections", "Delete: Collections"],
  });
  await see(page, "permissions", { checkbox: "All collections" });
  await visit(page, "/admin/utils/api-keys");
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
});

test("ADM-1300 OAuth", async () => {
  const page = await open("/admin/utils/oauth-clients");
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
});

test("ADM-1300 automations", async () => {
  const page = await open("/admin/automations");
  await see(page, "automations", { grid: "Automations", link: "New automation" });
  await visit(page, "/admin/automations/-new");
  await see(page, "new automation", { textbox: ["Name", "Id"], tab: ["Handler", "Triggers"] });
  await visit(page, "/admin/automations/nightly");
  await see(page, "automation", {
    switch: "Enabled",
    textbox: ["Name", "Handler"],
    tab: ["Handler", "Triggers", "Runs"],
    button: ["Run now", "Save"],
  });
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
});

test("ADM-1300 sync and jumpstart", async () => {
  const page = await open("/admin/utils/sync");
  await see(page, "sync", {
    status: "Remote",
    radiogroup: "Direction",
    radio: ["Push", "Pull"],
    button: ["Compare", "Select changed", "Clear"],
    treegrid: "Differences",
    checkbox: "Select schema article",
  });
  await page.getByRole("checkbox", { name: "Select schema article" }).check();
  await button(page, "Push 1 item").click();
  const sure = page.getByRole("alertdialog");
  await see(sure, "push", { button: ["Push", "Cancel"] });
  await sure.getByRole("button", { name: "Push", exact: true }).click();
  await see(page, "push", { region: "Result" });
  await server.makeSchema({ ...article, description: "Others" }).catch(() => undefined);
  await page.goto("/admin/utils/jumpstart");
  await see(page, "jumpstart", {
    button: ["Export", "Import", "Choose file"],
    group: ["Schemas", "Collections", "Templates"],
  });
});

test("ADM-1300 settings and profile", async () => {
  const page = await open("/admin/settings/site");
  await see(page, "settings", { button: "Save" });
  expectIt((await page.locator("[data-setting='site.name']").count()) === 1, "data-setting of site.name");
  for (const section of ["general", "oauth", "mcp"])
    expectIt((await page.locator(`a[href="/admin/settings/${section}"]`).count()) > 0, `link of ${section}`);
  await page.goto("/admin/settings/smtp");
  await see(page, "mail settings", { button: "Send a test" });
  for (const section of ["sync", "mcp"]) {
    await page.goto(`/admin/settings/${section}`);
    await see(page, `${section} settings`, { button: "Test connection" });
  }
  await page.goto("/admin/profile");
  await see(page, "profile", { tab: ["Profile", "Security", "Connections", "Preferences"] });
  await tab(page, "Security");
  await see(page, "security", { button: ["Change Password", "Add passkey", "End session"], grid: "Sessions" });
  await tab(page, "Preferences");
  await see(page, "preferences", {
    switch: "Single-key shortcuts",
    radiogroup: ["Theme", "Density"],
    combobox: "Language",
  });
});

test("ADM-1300 jobs, webhooks, mails, data views, templates, backups, logs, cache, MCP", async () => {
  const page = await open("/admin/jobs");
  await server.request("POST", "/api/collections/news/rebuild-index", {}).catch(() => undefined);
  await see(page, "jobs", { button: "Clear finished" });
  await create(server, "dataviews", { id: "totals", name: "Totals", definition: "export default async () => 1" });
  await create(server, "mailer", { id: "welcome", name: "Welcome", to: "ada@example.test", subject: "Hello" });
  await page.goto("/admin/dataviews");
  await see(page, "data views", { grid: "Data views" });
  await page.goto("/admin/dataviews/totals");
  await see(page, "data view", { button: ["Test run", "Rebuild"] });
  await page.goto("/admin/mailer");
  await see(page, "mailer", { grid: "Mails" });
  await page.goto("/admin/mailer/welcome");
  await see(page, "mail", { button: ["Send test", "Preview"] });
  await server.request("PUT", "/api/templates/pages/home", { body: { template: "Hello" } });
  await page.goto("/admin/templates");
  expectIt(
    (await until(() =>
      page
        .getByRole("tree", { name: "Templates" })
        .or(page.getByRole("treegrid", { name: "Templates" }))
        .count(),
    ).catch(() => 0)) === 1,
    "tree of templates",
  );
  await server.request("POST", "/api/webhooks", {
    body: { name: "Shop", url: "http://127.0.0.1:9/", events: ["object.created"] },
  });
  await page.goto("/admin/webhooks");
  await see(page, "webhooks", { grid: "Webhooks" });
  await ada.request("DELETE", "/api/collections/news/first");
  await page.goto("/admin/utils/trash");
  await see(page, "trash", { grid: "Trash", button: "Restore" });
  await page.goto("/admin/utils/backups");
  await button(page, "Back up now").click();
  const asked = dialog(page, "Confirm your password");
  await see(asked, "backups", { label: "Password", button: ["Confirm", "Cancel"] });
  await asked.getByLabel("Password", { exact: true }).fill(password);
  await asked.getByRole("button", { name: "Confirm" }).click();
  await see(page, "backups", { grid: "Backups" });
  await page.goto("/admin/jobs");
  await see(page, "jobs", { grid: "Jobs" });
  await page.goto("/admin/utils/logs");
  await see(page, "logs", { grid: "Audit" });
  await page.goto("/admin/utils/cache");
  await see(page, "cache", { button: "Clear cache" });
  await page.goto("/admin/utils/mcp");
  await see(page, "MCP", { button: "Run doctor" });
  await seeNone(page, "MCP", { alert: "" });
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
  const page = await open("/admin");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Pages", exact: true }).waitFor();
  await button(page, "Add Pages").click();
  await see(page, "pages", { heading: "Pages", searchbox: "Search", status: "Result count" });
  await nav.getByRole("link", { name: "Prompts", exact: true }).click();
  await button(page, "Add Prompts").waitFor();
});
