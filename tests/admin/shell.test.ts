// The frame around the pages: sidebar, palette, shortcuts, look; Home and Profile; by keyboard alone, and as axe sees it.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, closeAfterwards, looks, newPage, pressPair, screenshot } from "../support/browser.ts";
import { connect, makeClient } from "../support/oauth-app.ts";
import { logIn, makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
before(async () => {
  server = await startServer({ hasOAuth: true });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  ada = await signIn(server, "ada");
});
after(() => server.stop());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const nav = (page: Page) => page.getByRole("navigation", { name: "Main" });
const rootData = (page: Page, name: "theme" | "density") =>
  page.evaluate<string>(`document.documentElement.dataset.${name}`);
/** What has the focus, as an expression in the page tells. */
const focused = (page: Page, what: string) => page.evaluate<unknown>(`document.activeElement?.${what}`);

/** What was chosen last has reached the server. */
const stored = (name: string, value: unknown) =>
  until(
    () => ada.request("GET", "/api/auth/preferences"),
    ({ body }) => body.data[name] === value,
  );

async function open(path: string, options: Parameters<typeof newPage>[1] = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

test("ADM-146 an empty site shows the first steps, and each ticks itself", async () => {
  const page = await open("/admin");
  const steps = page.getByRole("list", { name: "First steps" });
  await steps.waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "first-steps");
  // The key of these tests is the one for the API.
  await becomes(() => steps.getByText("(Done)").count(), 1);
  await server.makeCollection({ id: "blog", name: "Blog", schema: "text", labelSingular: "Post", category: "News" });
  await page.reload();
  await steps.getByText("(Done)").first().waitFor();
  await becomes(() => steps.getByText("(Done)").count(), 3);
  await steps.getByRole("link", { name: "New Post" }).waitFor();
});

test("ADM-145 Home has its four regions, and what was changed last leads to its page", async () => {
  await server.request("POST", "/api/collections/blog", { body: { id: "stones" } });
  const page = await open("/admin");
  for (const name of ["Continue", "Needs attention", "Recently changed", "This site"])
    await page.getByRole("region", { name }).waitFor();
  await becomes(() => page.title(), "Home · Cairn");
  await page.getByRole("region", { name: "Recently changed" }).getByRole("link", { name: "stones" }).waitFor();
  await until(
    async () => (await page.getByRole("region", { name: "This site" }).textContent()) ?? "",
    (text) => /1 collection, 1 object/.test(text),
  );
});

test("ADM-145 Home counts errors of pages", async () => {
  await server.request("POST", "/api/templates", { body: { id: "pages/broken", template: "{% render 'missing' %}" } });
  const broken = { id: "broken", title: "Broken", route: "/broken", template: "broken" };
  await server.request("POST", "/api/collections/builder-pages", { body: broken });
  equal((await server.request("GET", "/broken", { key: null })).status, 500);
  equal((await server.request("GET", "/api/site/errors")).body.data.length, 1);
  const page = await open("/admin");
  await page.getByRole("region", { name: "Needs attention" }).getByText("1 error in pages of the site today").waitFor();
  for (const path of ["collections/builder-pages/broken", "templates/pages/broken"])
    await server.request("DELETE", `/api/${path}`);
});

test("ADM-121 the sidebar lists collections by category, with counts and, from eight on, a filter", async () => {
  const page = await open("/admin");
  await nav(page).getByRole("button", { name: "News" }).click();
  await nav(page).getByRole("link", { name: "Blog" }).waitFor({ state: "hidden" });
  await nav(page).getByRole("button", { name: "News" }).click();
  await until(
    async () => (await nav(page).getByRole("listitem").filter({ hasText: "Blog" }).textContent()) ?? "",
    (text) => /Blog.*1$/.test(text),
  );
  await becomes(() => nav(page).getByRole("searchbox").count(), 0);
  for (let at = 1; at < 8; at++) await server.makeCollection({ id: `c${at}`, name: `Kind ${at}`, schema: "text" });
  await page.reload();
  await nav(page).getByRole("searchbox", { name: "Filter collections" }).fill("kind 3");
  await nav(page).getByRole("link", { name: "Kind 2" }).waitFor({ state: "detached" });
  await becomes(
    () =>
      nav(page)
        .getByRole("link", { name: /Kind|Blog/ })
        .allTextContents(),
    ["Kind 3"],
  );
});

test("ADM-121 a collection's entry offers a new object to those who may make one", async () => {
  const page = await open("/admin");
  await nav(page).getByRole("link", { name: "Blog" }).focus();
  await page.keyboard.press("Tab");
  await becomes(() => focused(page, "ariaLabel"), "New Post");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/collections/blog/-new");
});

test("ADM-122 a viewer has neither Build nor a + in the sidebar", async () => {
  const page = await open("/admin", { as: await signIn(server, "vic") });
  await nav(page).getByRole("link", { name: "Blog" }).hover();
  await becomes(() => nav(page).getByRole("button", { name: "New Post" }).count(), 0);
  await becomes(() => nav(page).getByText("Build").count(), 0);
});

test("ADM-120 narrower windows have icons, the narrowest a bar; Menu opens the column over the page", async () => {
  for (const width of [1024, 360]) {
    const page = await open("/admin/profile", { width });
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.getByRole("link", { name: "Blog" }).waitFor();
    await screenshot(page, `menu-${width}`);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Menu" }).click();
    await menu.getByRole("link", { name: "Home" }).click();
    await heading(page, "Home").waitFor();
    await menu.waitFor({ state: "detached" });
    await page.waitForFunction("document.documentElement.scrollWidth <= innerWidth");
  }
});

test("ADM-135 theme and density hold at once, after a reload and on another device", async () => {
  const page = await open("/admin");
  await becomes(() => rootData(page, "theme"), "light");
  await page.getByRole("button", { name: "Ada Stone" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await becomes(() => rootData(page, "theme"), "dark");
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await becomes(() => rootData(page, "density"), "compact");
  await stored("density", "compact");
  await page.reload();
  await becomes(() => rootData(page, "theme"), "dark");
  const other = await newPage(server, { as: ada });
  await other.goto("/admin");
  await other.locator("html[data-theme=dark][data-density=compact]").waitFor({ state: "attached" });
  await ada.request("PUT", "/api/auth/preferences", { body: {} });
});

test("ADM-135 the profile's preferences are the same ones", async () => {
  const page = await open("/admin/profile?tab=preferences");
  // The radio shows the choice a moment after the click: `check` would ask for it at once.
  await page.getByRole("radiogroup", { name: "Theme" }).getByRole("radio", { name: "Dark" }).click({ force: true });
  await becomes(() => rootData(page, "theme"), "dark");
  await page
    .getByRole("radiogroup", { name: "Density" })
    .getByRole("radio", { name: "Compact" })
    .click({ force: true });
  await becomes(() => rootData(page, "density"), "compact");
  await becomes(() => page.getByRole("combobox", { name: "Language" }).inputValue(), "English");
  await stored("density", "compact");
  await ada.request("PUT", "/api/auth/preferences", { body: {} });
});

test("ADM-136 another page takes the focus to its heading and has its own title", async () => {
  const page = await open("/admin");
  await page.keyboard.press("Tab");
  await becomes(() => focused(page, "textContent"), "Skip to content");
  await nav(page).getByRole("link", { name: "Collections" }).click();
  await heading(page, "Collections").waitFor();
  await page.waitForFunction("document.activeElement?.tagName === 'H1'");
  await becomes(() => page.title(), "Collections · Cairn");
});

test("ADM-137 the palette finds pages, collections, objects and actions, by keyboard alone", async () => {
  const page = await open("/admin/profile");
  await page.getByRole("textbox", { name: "Name", exact: true }).focus();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  const field = palette.getByRole("combobox", { name: "Search or run a command" });
  await field.waitFor();
  await becomes(() => focused(page, "role"), "combobox");
  await page.keyboard.type("ston");
  await palette.getByRole("group", { name: "Objects" }).getByRole("option", { name: "stones" }).waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "palette");
  await field.fill(">theme");
  await palette.getByRole("option", { name: "Toggle theme" }).waitFor();
  await becomes(() => palette.getByRole("option").count(), 1);
  await field.fill("#blog stones");
  await palette.getByRole("option", { name: "stones" }).waitFor();
  await field.fill("colle");
  await palette.getByRole("option", { name: "Collections" }).waitFor();
  const [tab] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Control+Enter")]);
  await heading(tab, "Collections").waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("#blog");
  await palette.getByRole("option", { name: "Blog" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Blog").waitFor();
  await palette.waitFor({ state: "detached" });
  await page.locator("main[aria-busy=false]").waitFor();
  await page.keyboard.press("Control+k");
  await palette.getByRole("group", { name: "Recent" }).getByRole("option", { name: "Blog" }).waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
});

test("ADM-138 the palette of a viewer makes nothing", async () => {
  const page = await open("/admin", { as: await signIn(server, "vic") });
  await page.getByRole("button", { name: "Search" }).click();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill(">");
  await palette.getByRole("option", { name: "Sign out" }).waitFor();
  await becomes(() => palette.getByRole("option", { name: /New/ }).count(), 0);
});

test("ADM-141 single keys go, list and search, but not while typing", async () => {
  const page = await open("/admin");
  await pressPair(page, "gc", heading(page, "Collections"));
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.getByText("Go to Home").waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.goto("/admin/profile");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("");
  await page.keyboard.type("g h ?");
  await becomes(() => name.inputValue(), "g h ?");
  await heading(page, "Profile").waitFor();
});

test("ADM-141 F6 goes from part to part", async () => {
  const page = await open("/admin/profile");
  await page.keyboard.press("F6");
  await becomes(() => focused(page, "closest('nav')?.ariaLabel"), "Main");
  await page.keyboard.press("F6");
  await becomes(() => focused(page, "tagName"), "H1");
});

test("ADM-142 single keys can be switched off", async () => {
  const page = await open("/admin/profile?tab=preferences");
  await page.getByRole("switch", { name: "Single-key shortcuts" }).uncheck();
  await stored("shortcuts", false);
  await heading(page, "Profile").focus();
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  await becomes(() => page.getByRole("dialog", { name: "Keyboard shortcuts" }).count(), 0);
  await ada.request("PUT", "/api/auth/preferences", { body: {} });
});

test("ADM-149 an address without a page says so and leads on", async () => {
  const page = await open("/admin/nowhere/at-all");
  await heading(page, "Page not found").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Home" }).click();
  await heading(page, "Home").waitFor();
});

test("ADM-150 a new address needs the present password and waits for its link", async () => {
  await makeUser(server, "mia", ["admin"], { name: "Mia Stone" });
  const page = await open("/admin/profile", { as: await signIn(server, "mia") });
  await page.getByRole("textbox", { name: "Email", exact: true }).fill("mia@other.test");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm your password" });
  await dialog.getByLabel("Password", { exact: true }).fill("wrong-horse-1");
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await dialog.getByText("This is not your present password.").waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  // An administrator's counts at once where no mail can be sent.
  await page.getByRole("region", { name: "Notifications" }).getByText("Saved").waitFor();
  await becomes(
    async () => (await server.request("GET", "/api/collections/auth/mia")).body.data.email,
    "mia@other.test",
  );
});

test("ADM-151 a new password is typed twice, and the session goes on", async () => {
  await makeUser(server, "pia", ["viewer"]);
  const page = await open("/admin/profile?tab=security", { as: await signIn(server, "pia") });
  await page.getByRole("button", { name: "Change Password" }).click();
  const first = page.getByRole("dialog", { name: "Change Password" });
  await first.getByLabel("Password", { exact: true }).fill("new-horse-22");
  await first.getByLabel("Confirm Password").fill("new-horse-23");
  await first.getByRole("button", { name: "Save" }).click();
  await first.getByText("The two passwords differ.").waitFor();
  await first.getByLabel("Confirm Password").fill("new-horse-22");
  await first.getByRole("button", { name: "Save" }).click();
  const second = page.getByRole("dialog", { name: "Confirm your password" });
  await second.getByLabel("Password", { exact: true }).fill(password);
  await second.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByRole("region", { name: "Notifications" }).getByText("Your password was changed").waitFor();
  await page.reload();
  await heading(page, "Profile").waitFor();
  await becomes(async () => (await logIn(server, { login: "pia", password: "new-horse-22" })).status, 200);
});

test("ADM-152 ADM-990 sessions are named and can be ended, by keys too", async () => {
  await makeUser(server, "joe", ["viewer"]);
  const other = await signIn(server, "joe");
  await signIn(server, "joe");
  const joe = await signIn(server, "joe");
  const page = await open("/admin/profile?tab=security", { as: joe });
  const grid = page.getByRole("grid", { name: "Sessions" });
  await grid.getByText("This session").waitFor();
  const row = grid
    .getByRole("row")
    .filter({ has: page.getByRole("button") })
    .filter({ hasNotText: "This session" });
  const buttons = grid.getByRole("button", { name: "End session" });
  const stops = () => buttons.evaluateAll((found) => found.map((button) => button.getAttribute("tabindex")));
  await becomes(() => stops(), ["0", "-1", "-1"]);
  await buttons.first().focus();
  await page.keyboard.press("Control+End");
  await becomes(() => stops(), ["-1", "-1", "0"]);
  await page.keyboard.press("Enter");
  await row.nth(1).waitFor({ state: "detached" });
  // Its row is gone; the focus went to the row that is last now.
  await grid.locator("button:focus").waitFor();
  await page.keyboard.press("Enter");
  await row.waitFor({ state: "detached" });
  await becomes(async () => (await other.request("GET", "/api/auth/session")).status, 401);
  await grid.getByRole("button", { name: "End session" }).click();
  await heading(page, "Sign in").waitFor();
});

test("ADM-153 ADM-126 a passkey is added, signs in and is removed", async () => {
  await makeUser(server, "kim", ["viewer"], { name: "Kim Stone" });
  const page = await open("/admin/profile?tab=security", { as: await signIn(server, "kim") });
  closeAfterwards(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Laptop");
  await dialog.getByRole("button", { name: "Add passkey" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm your password" });
  await confirm.getByLabel("Password", { exact: true }).fill(password);
  await confirm.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByRole("button", { name: "Remove Laptop" }).waitFor();
  await page.context().clearCookies();
  await page.goto("/admin/profile?tab=security");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await confirm.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("You have no passkey yet.").waitFor();
});

test("ADM-154 a connected application is listed, and can be disconnected", async () => {
  const client = await makeClient(server, { name: "Reader" });
  await connect(server, ada, { client, scope: "cms:read" });
  const page = await open("/admin/profile?tab=connections");
  const entry = page.getByRole("listitem").filter({ hasText: "Reader" });
  await entry.getByText("Read content").waitFor();
  await entry.getByRole("button", { name: "Disconnect" }).click();
  const question = page.getByRole("alertdialog", { name: "Disconnect Reader?" });
  await question.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("No application is connected to your account.").waitFor();
  await becomes(async () => (await ada.request("GET", "/api/auth/connections")).body.data, []);
});

test("ADM-155 axe finds nothing on the sign-in page, Home and Profile", async () => {
  for (const { theme, width } of looks) {
    const out = await newPage(server, { theme, width });
    await out.goto("/admin/login");
    await heading(out, "Sign in").waitFor();
    await becomes(() => axe(out), []);
    await screenshot(out, `login-${width}-${theme}`);
    const page = await open("/admin", { theme, width });
    await page.getByRole("region", { name: "Recently changed" }).getByRole("link").first().waitFor();
    await becomes(() => axe(page), []);
    await screenshot(page, `home-${width}-${theme}`);
    await page.goto("/admin/profile?tab=security");
    await page.getByRole("grid", { name: "Sessions" }).waitFor();
    await becomes(() => axe(page), []);
    await screenshot(page, `profile-${width}-${theme}`);
  }
});

test("ADM-950 ADM-951 the admin speaks German where the browser does, and another language by choice", async () => {
  await makeUser(server, "greta", ["viewer"]);
  const page = await newPage(server, { language: "de-DE" });
  await page.goto("/admin/login");
  await heading(page, "Anmelden").waitFor();
  await becomes(() => page.locator("html").getAttribute("lang"), "de");
  await page.getByLabel("E-Mail").fill("greta");
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await heading(page, "Start").waitFor();
  await becomes(() => axe(page), []);
  await page.goto("/admin/profile?tab=preferences");
  const choice = page.getByRole("combobox", { name: "Sprache" });
  await choice.fill("English");
  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("option", { name: "English" }).click();
  await page.getByRole("combobox", { name: "Language" }).waitFor();
  await becomes(async () => (await saved).status(), 200);
  // The choice holds from the first sentence on.
  await page.goto("/admin");
  await heading(page, "Home").waitFor();
  await becomes(() => page.locator("html").getAttribute("lang"), "en");
});
