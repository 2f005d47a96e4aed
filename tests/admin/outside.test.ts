// The admin as somebody meets it who has read about it alone: a new installation whose lists are empty, names of messages, the
// palette, the last steps of the setup, a new user, an import with a column that nothing knows.

import { equal, match } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { look, newPage, type PageOptions, visit } from "../support/browser.ts";
import { see, seeNone } from "../support/names.ts";
import { logIn, makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "note",
    properties: {
      id: { type: "slug", field: "id", label: "Id" },
      title: { type: "string", field: "text", label: "Title" },
      colour: { type: "string", field: "text", label: "Colour" },
      weight: { type: "number", field: "number", label: "Weight" },
    },
    required: ["title"],
    index: ["title", "colour"],
  });
  await server.makeCollection({ id: "notes", name: "Notes", schema: "note", labelSingular: "Note", history: "full" });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

test("ADM-1310 a list without rows is the grid of its name, with its head and what the list is for", async () => {
  const page = await open("/admin/collections/notes");
  for (const [path, ...grids] of [
    ["/admin/collections/notes", "Notes"],
    ["/admin/automations", "Automations"],
    ["/admin/webhooks", "Webhooks"],
    ["/admin/mailer", "Mails"],
    ["/admin/mailer/-log", "Mail log"],
    ["/admin/dataviews", "Data views"],
    ["/admin/utils/trash", "Trash"],
    ["/admin/utils/backups", "Snapshots"],
    ["/admin/utils/api-keys", "API keys"],
    ["/admin/utils/oauth-clients", "Clients made here", "Self-registered clients"],
  ] as const) {
    await visit(page, path);
    await see(page, path, { grid: [...grids] });
  }
  await becomes(() => page.getByRole("grid", { name: "Clients made here" }).getByRole("columnheader").count(), 7);
  await look(page, "empty-clients");
  await visit(page, "/admin/collections/notes");
  await page.getByRole("heading", { name: "No objects yet" }).waitFor();
  await see(page, "empty table", { link: "Make the first one" });
  equal(await page.getByRole("grid", { name: "Notes" }).getAttribute("aria-rowcount"), "1");
  await look(page, "empty-table");
  const small = await open("/admin/utils/api-keys", { width: 360 });
  await see(small, "narrow", { grid: "API keys" });
  await look(small, "empty-keys-narrow");
});

test("ADM-1311 messages are named by their words: toasts, refusals, changes that were brought back", async () => {
  await server.request("POST", "/api/collections/notes", { body: { id: "old", title: "Old" } });
  const page = await open("/admin/collections/notes/-new");
  await page.getByLabel("Weight", { exact: true }).fill("3");
  await button(page, "Save").click();
  const refused = page.getByRole("alert", { name: "1 field needs attention", exact: true });
  await refused.getByRole("link", { name: "Title", exact: true }).waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Kept");
  await becomes(() => page.evaluate<number>("localStorage.length"), 1);
  page.on("dialog", (asked) => void asked.accept());
  await page.reload();
  const back = page.getByRole("status", { name: /^Unsaved changes of .* were brought back$/ });
  await back.getByRole("button", { name: "Discard changes", exact: true }).click();
  await visit(page, "/admin/collections/notes/old");
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  await page.getByRole("alertdialog", { name: "Delete Old?" }).getByRole("button", { name: "Delete" }).click();
  const gone = page
    .getByRole("region", { name: "Notifications" })
    .getByRole("status", { name: "Deleted", exact: true });
  await gone.getByRole("button", { name: "Undo", exact: true }).click();
  await becomes(async () => (await server.request("GET", "/api/collections/notes/old")).status, 200);
});

test("ADM-1312 the words that a choice has already open its list when they are put in again", async () => {
  const page = await open("/admin/schemas/-new");
  await button(page, "Add property").click();
  const kind = page.getByRole("dialog", { name: "Add property" }).getByRole("combobox", { name: "Field kind" });
  await becomes(() => kind.inputValue(), "Text");
  await kind.fill("Text");
  await page.getByRole("option", { name: "Text", exact: true }).click();
  await becomes(() => kind.inputValue(), "Text");
});

test("ADM-1313 the palette makes things, clears the cache, runs automations and finds settings", async () => {
  const handler = "export default async () => 1;";
  await server.request("POST", "/api/collections/automations", { body: { id: "tidy", name: "Tidy up", handler } });
  const page = await open("/admin");
  const field = page.getByRole("combobox", { name: "Search or run a command" });
  const choose = async (typed: string, name: string) => {
    await page.keyboard.press("Control+k");
    await field.fill(typed);
    await page.getByRole("option", { name, exact: true }).click();
  };
  await page.keyboard.press("Control+k");
  await field.fill(">new");
  await see(page.getByRole("group", { name: "Actions" }), "actions", {
    option: [
      ...["New collection", "New schema", "New data view", "New automation"],
      ...["New webhook", "New mail", "New user", "New group"],
    ],
  });
  await page.getByRole("option", { name: "New collection", exact: true }).click();
  await heading(page, "New collection").waitFor();
  await choose("clear", "Clear cache");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await page.waitForURL("**/admin/utils/cache");
  // The page offers the same: it is there once.
  await page.keyboard.press("Control+k");
  await field.fill("clear cache");
  await becomes(() => page.getByRole("option", { name: "Clear cache", exact: true }).count(), 1);
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await choose("tidy", "Run automation Tidy up");
  await page.getByRole("dialog").getByRole("textbox", { name: "Arguments" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForURL("**/admin/automations/tidy");
  await page.keyboard.press("Control+k");
  await field.fill("smtp.host");
  await page.getByRole("group", { name: "Settings" }).getByRole("option").first().click();
  await page.waitForURL("**/admin/settings/smtp?setting=smtp.host");

  const viewer = await open("/admin", { as: vic });
  await viewer.keyboard.press("Control+k");
  await viewer.getByRole("combobox").fill("theme");
  await viewer.getByRole("option", { name: "Toggle theme" }).waitFor();
  await viewer.getByRole("combobox").fill(">");
  await viewer.getByRole("option", { name: "Sign out" }).waitFor();
  await seeNone(viewer, "palette of a viewer", { option: ["New collection", "New user", "Clear cache"] });
});

test("ADM-1314 every step of the setup has the button Continue; the last leads into the admin", async () => {
  const page = await open("/setup/server-config");
  for (const name of ["nginx", "Apache", "Caddy", "systemd", "Container"])
    await page.getByRole("tab", { name, exact: true }).click();
  await page.getByText("docker run").first().waitFor();
  await button(page, "Continue").click();
  await heading(page, "Ready").waitFor();
  await see(page, "ready", { link: ["Open the admin", "Read the API reference"] });
  await look(page, "setup-ready");
  await button(page, "Continue").click();
  await heading(page, "Home").waitFor();
});

test("ADM-1315 a new user is active unless that is switched off; an id that is counted names no source", async () => {
  const page = await open("/admin/users/-new");
  await becomes(() => page.getByLabel("Active", { exact: true }).isChecked(), true);
  await becomes(() => page.getByLabel("Id", { exact: true }).getAttribute("placeholder"), "Made when saved");
  await page.getByLabel("Email", { exact: true }).fill("zoe@example.test");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(password);
  await button(page, "Save").click();
  // The page goes to the new user by itself; before that it must not be sent elsewhere.
  await page.waitForURL(/\/admin\/users\/[^/-][^/]*$/);
  await becomes(async () => (await logIn(server, { email: "zoe@example.test", password })).status, 200);
  await visit(page, "/admin/collections/notes/-new");
  await heading(page, "New Note").waitFor();
  await becomes(() => page.getByLabel("Id", { exact: true }).getAttribute("placeholder"), "Made from Title");
});

test("IMP-19 ADM-1316 the result of an import warns of the properties that were left out, and says first what is wrong", async () => {
  const csv = "id,title,color,weight,Shape\na,One,red,1,round\nb,Two,blue,heavy,flat\n";
  const page = await open("/admin/collections/notes/-import");
  const chosen = page.waitForEvent("filechooser");
  await button(page, "Choose file").click();
  await (await chosen).setFiles({ name: "in.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  for (const name of ["Try it", "Import"]) {
    await button(page, name).click();
    const result = page.getByRole("region", { name: "Result", exact: true });
    await result.getByText(name === "Import" ? "The import is done." : "Nothing was stored.").waitFor();
    await result.getByText("Left out: the schema does not have these properties").waitFor();
    await result.getByText("color (perhaps colour), Shape").waitFor();
    const problems = result.getByRole("region", { name: "Refused rows" }).getByRole("columnheader");
    await becomes(() => problems.allTextContents(), ["Row", "Problem", "Id", "Property"]);
    match((await result.textContent()) ?? "", /Weight must be a number/);
  }
  await look(page, "import-left-out");
  await page.setViewportSize({ width: 360, height: 900 });
  await look(page, "import-left-out-narrow");
});
