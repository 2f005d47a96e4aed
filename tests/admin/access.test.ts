// Users, access groups and API keys in the browser: made, changed, felt by others, and gone.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { addressOf, axe, look, newPage, pressPair } from "../support/browser.ts";
import { fetchBytes, picture, upload } from "../support/sample-files.ts";
import { logIn, makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
before(async () => {
  server = await startServer({ settings: { auth: { loginLimit: 0, addressLimit: 0 } } });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  await server.makeCollection({ id: "blog", name: "Blog", schema: "text" });
  await server.makeCollection({ id: "news", name: "News", schema: "text" });
  await server.request("POST", "/api/collections/blog", { body: { id: "stones" } });
  ada = await signIn(server, "ada");
});
after(() => server.stop());

const keysPath = "/admin/utils/api-keys";
const groupsPath = "/admin/utils/access-groups";
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const tick = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const status = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByText(text).first();

async function open(path: string, options: Parameters<typeof newPage>[1] = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

async function newKey(page: Page, name: string): Promise<void> {
  await button(page, "New key").click();
  await page.getByRole("dialog", { name: "New key" }).getByLabel("Name").fill(name);
}

const keyed = (key: string) => fetch(`${addressOf(server)}/api/collections/blog`, { headers: { "x-api-key": key } });

test("ADM-800 a key is shown once, works at once, and is refused once it is deleted", async () => {
  const page = await open(keysPath);
  await newKey(page, "website");
  const dialog = page.getByRole("dialog", { name: "New key" });
  await until(() => dialog.getByRole("group", { name: "Methods" }).getByRole("checkbox", { name: "GET" }).isChecked());
  await dialog.getByRole("radio", { name: "Specific endpoints" }).check();
  await tick(page, "Blog").check();
  await tick(page, "All Automations").check();
  await becomes(() => axe(page), []);
  await button(page, "Create key").click();
  const made = page.getByRole("dialog", { name: "Your new API key" });
  const key = await made.getByRole("textbox", { name: "API key" }).inputValue();
  match(key, /^cairn_/);
  await made.getByText(`curl -H "X-API-Key: ${key}"`).waitFor();
  await made.getByRole("button", { name: "Copy", exact: true }).waitFor();
  await becomes(() => axe(page), []);
  // By Done alone.
  await page.keyboard.press("Escape");
  await button(page, "Done").click();
  await made.waitFor({ state: "detached" });
  await becomes(async () => (await page.content()).includes(key), false);
  await becomes(
    () => page.evaluate<string>("JSON.stringify({ ...localStorage, ...sessionStorage })").then((t) => t.includes(key)),
    false,
  );

  await becomes(async () => (await keyed(key)).status, 200);
  await page.reload();
  const row = page.getByRole("grid", { name: "API keys" }).getByRole("row", { name: "website" });
  await row.getByText(/now|second/).waitFor();
  await row.getByText("Blog").waitFor();
  await row.getByText("All Automations").waitFor();
  await becomes(async () => (await row.textContent())?.includes(key), false);
  await look(page, "keys");
  await row.getByRole("button", { name: "Delete website" }).click();
  await page.getByRole("alertdialog", { name: "Delete website?" }).getByRole("button", { name: "Delete" }).click();
  await status(page, "The key website was deleted").waitFor();
  await row.waitFor({ state: "detached" });
  await becomes(async () => (await keyed(key)).status, 401);
});

test("ADM-801 a key without a name, a method or an endpoint is refused at the field", async () => {
  const page = await open(keysPath, { width: 360 });
  await button(page, "New key").click();
  await tick(page, "GET").uncheck();
  await page.getByRole("radio", { name: "Specific endpoints" }).check();
  await button(page, "Create key").click();
  for (const text of ["Give the key a name.", "Choose at least one method.", "Choose at least one endpoint."])
    await page.getByText(text).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog", { name: "Discard changes?" }).getByRole("button", { name: "Discard" }).click();
  await becomes(() => axe(page), []);
});

test("ADM-812, GRP-66 a group is made with its rights, the switch for templates has its warning, and an id that begins with a hyphen is refused", async () => {
  const page = await open(groupsPath);
  await page.getByRole("grid", { name: "Access groups" }).getByRole("row", { name: "viewer" }).waitFor();
  await page.getByRole("link", { name: "New group" }).click();
  await heading(page, "New group").waitFor();
  await page.getByLabel("Id").fill("-press");
  await button(page, "Save").click();
  await page.getByRole("alert").getByText("1 field needs attention").waitFor();
  await becomes(() => page.getByLabel("Id").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Id").fill("press");
  await page.getByLabel("Description").fill("Writes news");
  await page.getByRole("row", { name: "Templates" }).getByText("administrators included").waitFor();
  for (const name of ["Read: Collections", "Update: Collections", "Read: Templates"]) await tick(page, name).check();
  await until(() => tick(page, "Delete: Templates").isChecked());
  await page.getByRole("group", { name: "Which collections" }).getByRole("checkbox", { name: "Blog" }).check();
  await look(page, "new-group");
  await page.keyboard.press("Control+s");
  await page.waitForURL(`**${groupsPath}/press`);
  await heading(page, "press").waitFor();
  const { description, permissions } = (await server.request("GET", "/api/access-groups/press")).body.data;
  equal(description, "Writes news");
  deepEqual(permissions.collections, { operations: ["read", "update"], all: false, allowed: ["blog"] });
  equal(permissions.builder, true);
  // The page of a second new group begins empty.
  await page.getByRole("link", { name: "Access groups" }).first().click();
  await page.getByRole("link", { name: "New group" }).click();
  await heading(page, "New group").waitFor();
  await becomes(() => page.getByLabel("Id").inputValue(), "");
});

test("ADM-813, ADM-814 what members lose is shown before a group is saved, and feel it on their next click", async () => {
  await makeUser(server, "mia", [], { name: "Mia Stone" });
  await server.request("PUT", "/api/access-groups/crew", {
    body: { permissions: { collections: { operations: ["read", "update"], all: true, allowed: [] } } },
  });
  await server.request("PATCH", "/api/collections/auth/mia", { body: { groups: ["crew"] } });
  const theirs = await open("/admin/collections/blog", { as: await signIn(server, "mia") });
  await theirs.getByRole("row", { name: "stones" }).waitFor();
  await theirs.getByRole("link", { name: /^News/ }).waitFor();

  const page = await open(`${groupsPath}/crew`);
  await page.getByRole("list", { name: "Members" }).getByRole("link", { name: "Mia Stone" }).waitFor();
  await tick(page, "Update: Collections").uncheck();
  await tick(page, "Read: Mailer").check();
  await tick(page, "All collections").uncheck();
  await tick(page, "Blog").check();
  await button(page, "Save").click();
  const review = page.getByRole("dialog", { name: "Review changes" });
  const lost = review.getByRole("list", { name: "1 member loses" });
  await becomes(() => lost.getByRole("listitem").allTextContents(), ["Update: Collections", "All collections"]);
  await review.getByRole("list", { name: "1 member gains" }).getByText("Mailer").waitFor();
  await becomes(() => axe(page), []);
  await button(page, "Cancel").click();
  await page.getByRole("status", { name: "Save state" }).getByText("2 unsaved changes").waitFor();
  await button(page, "Save").click();
  await button(page, "Apply changes").click();
  await status(page, "Saved").waitFor();

  await theirs.getByRole("row", { name: "stones" }).getByRole("link", { name: "stones" }).click();
  await theirs.getByRole("link", { name: /^News/ }).waitFor({ state: "detached" });
  await heading(theirs, "stones").waitFor();
  await becomes(() => button(theirs, "Save").count(), 0);
});

test("ADM-815 what somebody else changed in a group is kept; the same part is asked about", async () => {
  await server.request("PUT", "/api/access-groups/shared", { body: { description: "One" } });
  const page = await open(`${groupsPath}/shared`);
  await tick(page, "Read: Schemas").check();
  await server.request("PUT", "/api/access-groups/shared", { body: { description: "Two" } });
  await button(page, "Save").click();
  await status(page, "Saved").waitFor();
  const stored = async () => (await server.request("GET", "/api/access-groups/shared")).body.data;
  await becomes(async () => (await stored()).description, "Two");
  await page.getByLabel("Description").fill("Mine");
  await server.request("PUT", "/api/access-groups/shared", { body: { description: "Theirs" } });
  await button(page, "Save").click();
  const question = page.getByRole("alertdialog", { name: "Changed by somebody else" });
  await question.getByRole("button", { name: "Save mine" }).click();
  await question.waitFor({ state: "detached" });
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  await becomes(async () => (await stored()).description, "Mine");
});

test("ADM-816 a group is deleted after a question, and the group of administrators stays as it is", async () => {
  await server.request("PUT", "/api/access-groups/passing", { body: {} });
  const page = await open(`${groupsPath}/passing`);
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog", { name: "Delete passing?" }).getByRole("button", { name: "Delete" }).click();
  await heading(page, "Access groups").waitFor();
  await becomes(async () => (await server.request("GET", "/api/access-groups/passing")).status, 404);
  const grid = page.getByRole("grid", { name: "Access groups" });
  await grid.getByRole("row", { name: "viewer" }).waitFor();
  await becomes(() => grid.getByRole("row", { name: "passing" }).count(), 0);
  await look(page, "groups");
  await grid.getByRole("link", { name: "admin" }).click();
  await page.getByText("This group cannot be changed").waitFor();
  await becomes(() => button(page, "Save").count(), 0);
});

test("ADM-820 a user is made by the form of the schema, and can sign in", async () => {
  const page = await open("/admin/collections/auth");
  await page.waitForURL("**/admin/users");
  await heading(page, "Users").waitFor();
  await page.getByRole("grid", { name: "Users" }).getByRole("row", { name: "Vic Stone" }).waitFor();
  await page.getByRole("link", { name: "New user" }).click();
  await heading(page, "New user").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("zoe@example.test");
  await page.getByLabel("Name", { exact: true }).fill("Zoe Stone");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(password);
  await page.getByLabel("Active", { exact: true }).check();
  const groups = page.getByRole("combobox", { name: "Groups" });
  await groups.fill("view");
  await page.getByRole("option", { name: "viewer" }).click();
  await page.keyboard.press("Escape");
  await look(page, "new-user");
  await button(page, "Save").click();
  await heading(page, "Zoe Stone").waitFor();
  match(page.url(), /\/admin\/users\/[^/-][^/]*$/);
  await becomes(async () => (await logIn(server, { email: "zoe@example.test", password })).status, 200);
});

test("ADM-821 the sessions of a user are ended on their page", async () => {
  await makeUser(server, "tim", ["viewer"], { name: "Tim Stone" });
  const [first, second] = [await signIn(server, "tim"), await signIn(server, "tim")];
  const page = await open("/admin/users/tim");
  const sessions = page.getByRole("grid", { name: "Sessions" });
  await sessions.getByRole("button", { name: "End session" }).first().click();
  await status(page, "The session was ended").waitFor();
  await sessions.getByRole("button", { name: "End session" }).nth(1).waitFor({ state: "detached" });
  await look(page, "user");
  await button(page, "End all sessions").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End all sessions" }).click();
  await page.getByText("This user is not signed in anywhere.").waitFor();
  for (const person of [first, second]) equal((await person.request("GET", "/api/auth/session")).status, 401);
  await page.getByText("No mail can be sent from this site yet").waitFor();
});

test("ADM-822 an administrator acts as a user, sees it on every page, and comes back", async () => {
  const page = await open("/admin/users/vic", { as: await signIn(server, "ada") });
  await button(page, "Act as Vic Stone").click();
  const bar = page.getByRole("region", { name: "Acting as another user" });
  await bar.getByText("You act as Vic Stone.").waitFor();
  await becomes(() => page.getByRole("link", { name: "Users" }).count(), 0);
  await page.getByRole("link", { name: /^Blog/ }).click();
  await heading(page, "Blog").waitFor();
  await bar.waitFor();
  await look(page, "acting");
  await bar.getByRole("button", { name: "Stop" }).click();
  await page.waitForURL("**/admin/users/vic");
  await heading(page, "Vic Stone").waitFor();
  await button(page, "Ada Stone").waitFor();
  await becomes(() => bar.count(), 0);
});

test("ADM-823 administrators cannot lock themselves out; the field says so", async () => {
  const page = await open("/admin/users/ada");
  await page.getByText("This is your own account.").waitFor();
  await becomes(() => page.getByRole("button", { name: /^Act as/ }).count(), 0);
  await page.getByLabel("Active", { exact: true }).uncheck();
  await button(page, "Save").click();
  await page.getByRole("alert").getByText("1 field needs attention").waitFor();
  await becomes(() => page.getByLabel("Active", { exact: true }).getAttribute("aria-invalid"), "true");
  await page.getByText("This is the last active administrator").first().waitFor();
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Discard changes" }).click();
});

test("ADM-824 keys, groups and users by the keyboard alone", async () => {
  const page = await open("/admin");
  await pressPair(page, "gu", heading(page, "Users"));
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("API keys");
  await page
    .getByRole("option", { name: /^API keys/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "API keys").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("main[aria-busy=false]").waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New key" }).locator("input:focus").waitFor();
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Your new API key" }).waitFor();
  for (const name of ["Copy", "Copy command", "Done"]) {
    await page.keyboard.press("Tab");
    await becomes(() => page.evaluate<string>("document.activeElement.textContent"), name);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: "typed" }).waitFor();
  await page.getByRole("button", { name: "Delete typed" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog", { name: "Delete typed?" }).locator("button:focus").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: "typed" }).waitFor({ state: "detached" });

  // One stop of the Tab key for the whole matrix; arrows go from tick to tick.
  await page.goto(`${groupsPath}/press`);
  await tick(page, "Create: All").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await becomes(() => page.evaluate<string>("document.activeElement.ariaLabel"), "Read: Collections");
  await page.keyboard.press("Space");
  await becomes(() => tick(page, "Read: Collections").isChecked(), false);
  await page.keyboard.press("Control+s");
  await status(page, "Saved").waitFor();
});

test("ADM-825 others than administrators see none of these pages", async () => {
  const page = await open("/admin/users", { as: await signIn(server, "vic") });
  for (const path of ["/admin/users/ada", groupsPath, `${groupsPath}/viewer`, keysPath, "/admin/utils/system"]) {
    await page.goto(path);
    await heading(page, "You may not see this page").waitFor();
  }
  await becomes(() => page.getByRole("link", { name: "API keys" }).count(), 0);
});

test("ADM-935 the page of the system shows checks with cures, and what the installation is made of", async () => {
  const page = await open("/admin/utils/system");
  const checks = page.getByRole("list", { name: "Checks" }).getByRole("listitem");
  const { data } = (await ada.request("GET", "/api/system")).body;
  await checks.nth(data.checks.length - 1).waitFor();
  const wrong = data.checks.filter(({ level }: { level: string }) => level !== "good");
  for (const { message, cure } of wrong) await checks.filter({ hasText: message }).getByText(cure).waitFor();
  if (wrong.length > 0) equal(await checks.first().getByText("Good", { exact: true }).count(), 0);
  await page.getByRole("definition").filter({ hasText: data.dataDir }).waitFor();
  await look(page, "system");
  await button(page, "Check again").click();
});

test("CACHE-15, ADM-940 ADM-941 ADM-1100 those with the utility see what the cache holds, and clear it, of one collection or of all", async () => {
  const properties = { id: { type: "slug" }, image: { type: "image" } };
  await server.makeSchema({ id: "photo", properties, required: ["id"], index: [] });
  for (const id of ["photos", "prints"]) {
    await server.makeCollection({ id, name: id === "photos" ? "Photos" : "Prints", schema: "photo" });
    await server.request("POST", `/api/collections/${id}`, { body: { id: "one" } });
    await upload(server, `${id}/one/image`, { name: "one.jpg", bytes: await picture(60, 40) });
    for (let time = 0; time < 2; time += 1) await fetchBytes(server, `/imageworks/${id}/one/image.webp?w=20`);
  }
  const permissions = { utils: { all: false, allowed: ["cache"] } };
  equal((await ada.request("POST", "/api/access-groups", { body: { id: "cleaners", permissions } })).status, 201);
  await makeUser(server, "cleo", ["cleaners", "editor"], { name: "Cleo Stone" });
  const cleo = await signIn(server, "cleo");
  const vic = await signIn(server, "vic");
  await becomes(async () => (await vic.request("GET", "/api/cache")).status, 403);
  await becomes(async () => (await server.request("GET", "/api/cache", { key: null })).status, 401);

  const page = await open("/admin/utils/cache", { as: cleo });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Cache", exact: true }).waitFor();
  const grid = page.getByRole("grid", { name: "Caches" });
  const cells = (name: string) => grid.getByRole("row", { name }).getByRole("gridcell");
  await cells("Images").getByText("2", { exact: true }).waitFor();
  await becomes(async () => (await cleo.request("GET", "/api/cache")).body.data.images.isCounting, false);
  const { caches, images } = (await cleo.request("GET", "/api/cache")).body.data;
  const kept = caches.find(({ name }: { name: string }) => name === "images");
  deepEqual([kept.place, kept.shared, kept.entries, kept.hits, kept.misses, kept.rate], ["files", true, 2, 2, 2, 0.5]);
  ok(kept.bytes > 0 && kept.bytes < kept.capacity && images.bytes === kept.bytes && images.files === 2);

  await button(page, "Clear images").click();
  const one = page.getByRole("alertdialog", { name: "Clear images?" });
  await one.getByRole("button", { name: "Cancel", exact: true }).click();
  await one.waitFor({ state: "detached" });
  await becomes(() => button(page, "Clear verdicts").count(), 0);
  await button(page, "Clear lists").click();
  await page
    .getByRole("alertdialog", { name: "Clear lists?" })
    .getByRole("button", { name: "Clear", exact: true })
    .click();
  await page.getByText(/^Lists: \d+ entr(y|ies) removed$/).waitFor();

  await button(page, "Clear cache").click();
  const dialog = page.getByRole("alertdialog", { name: "Clear the cache?" });
  await dialog.getByText(/^All caches are cleared in every process/).waitFor();
  await look(page, "cache");
  await dialog.getByRole("combobox", { name: "What to clear" }).click();
  await page.getByRole("option", { name: "Images of Photos", exact: true }).click();
  await dialog.getByText(/^The derived images of Photos are removed/).waitFor();
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await status(page, "1 derived image removed").waitFor();
  await cells("Images").getByText("1", { exact: true }).waitFor();
  await button(page, "Clear cache").click();
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await cells("Images").getByText("0", { exact: true }).first().waitFor();
  await look(page, "cache-empty");
});

test("ADM-802 below the Pro edition the page of keys has one line", async () => {
  equal((await ada.request("PUT", "/api/settings/general", { body: { edition: "lite" } })).status, 200);
  const page = await open(keysPath, { width: 360 });
  await page.getByText("API keys need the Pro edition; this site runs the edition lite.").waitFor();
  await becomes(() => button(page, "New key").count(), 0);
});
