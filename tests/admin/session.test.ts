// Signing in, the end of a session while a page is open, and what happens when the server does not answer as it should.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { addressOf, allowProblems, newPage, screenshot } from "../support/browser.ts";
import { logIn, makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.setSetting("auth.loginLimit", 3);
  await server.makeCollection({ id: "notes", name: "Notes", schema: "text", labelSingular: "Note" });
  for (const [id, group] of Object.entries({ ada: "admin", vic: "viewer", mia: "editor", eve: "viewer" }))
    await makeUser(server, id, [group], { name: `${id[0]?.toUpperCase()}${id.slice(1)} Stone` });
});
after(() => server.stop());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });

async function fillIn(page: Page, id: string, secret = password): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(`${id}@example.test`);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await signInButton(page).click();
}

test("ADM-123 a page without a session leads to the sign-in page and back, with its query", async () => {
  const page = await newPage(server);
  await page.goto("/admin/profile?tab=security");
  await heading(page, "Sign in").waitFor();
  equal(new URL(page.url()).searchParams.get("redirect"), "/admin/profile?tab=security");
  await becomes(() => page.title(), "Sign in · Cairn");
  await fillIn(page, "ada");
  await heading(page, "Profile").waitFor();
  equal(new URL(page.url()).pathname + new URL(page.url()).search, "/admin/profile?tab=security");
});

test("ADM-123 signing in never leads to another site", async () => {
  const page = await newPage(server);
  await page.goto(`/admin/login?redirect=${encodeURIComponent("//evil.test/admin")}`);
  await fillIn(page, "ada");
  await heading(page, "Home").waitFor();
  equal(new URL(page.url()).origin, addressOf(server));
});

test("ADM-123 the sign-in page leads on when somebody is signed in already", async () => {
  const page = await newPage(server, { as: await signIn(server, "ada") });
  await page.goto("/admin/login?redirect=/admin/profile");
  await heading(page, "Profile").waitFor();
});

test("ADM-124 a refusal does not say which of the two was wrong; too many attempts count down", async () => {
  const page = await newPage(server);
  await page.goto("/admin/login");
  await signInButton(page).click();
  await page.getByText("Enter your email address.").waitFor();
  const texts = new Set<string>();
  for (const id of ["nobody", "eve"]) {
    // The words of the attempt before are still there.
    const answered = page.waitForResponse("**/api/auth/login");
    await fillIn(page, id, "wrong-horse-1");
    await answered;
    const alert = page.getByRole("alert").filter({ hasText: "This did not work" });
    await alert.waitFor();
    texts.add((await alert.textContent()) ?? "");
  }
  equal(texts.size, 1);
  for (let attempt = 0; attempt < 3; attempt++) await logIn(server, { login: "eve@example.test", password: "wrong" });
  await signInButton(page).click();
  await page.getByRole("alert").filter({ hasText: "Too many attempts" }).waitFor();
  await until(
    async () => (await page.getByRole("timer").textContent()) ?? "",
    (text) => /^Try again in \d+ seconds?$/.test(text),
  );
  await until(() => signInButton(page).isDisabled());
  await becomes(() => page.getByRole("textbox", { name: "Email" }).inputValue(), "eve@example.test");
});

test("ADM-125 Stay signed in begins a session that outlives the browser", async () => {
  const page = await newPage(server);
  const lifetime = async () => (await page.context().cookies()).find(({ name }) => name === "cairn_session")?.expires;
  await page.goto("/admin/login");
  await fillIn(page, "ada");
  await heading(page, "Home").waitFor();
  await becomes(() => lifetime(), -1);
  await page.context().clearCookies();
  await page.goto("/admin/login");
  await page.getByRole("checkbox", { name: "Stay signed in" }).check();
  await fillIn(page, "ada");
  await heading(page, "Home").waitFor();
  await until(async () => ((await lifetime()) ?? 0) > Date.now() / 1_000 + 86_400);
});

test("ADM-130 Sign out ends the session and leads to the sign-in page", async () => {
  const ada = await signIn(server, "ada");
  const page = await newPage(server, { as: ada });
  await page.goto("/admin");
  await page.getByRole("button", { name: "Ada Stone" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  await becomes(async () => (await ada.request("GET", "/api/auth/session")).status, 401);
});

/** The profile with a new name typed in, not saved yet. */
async function typeName(as: Person, name: string): Promise<Page> {
  const page = await newPage(server, { as });
  await page.goto("/admin/profile");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  return page;
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const saved = (page: Page) =>
  page.getByRole("region", { name: "Notifications" }).getByRole("status").filter({ hasText: "Saved" });
const nameOf = async (id: string) => (await server.request("GET", `/api/collections/auth/${id}`)).body.data.name;

test("ADM-127 a session that ends under a form is begun again over it, and the save goes out once", async () => {
  const mia = await signIn(server, "mia");
  const page = await typeName(mia, "Mia Pebble");
  await mia.request("POST", "/api/auth/logout");
  const writes: number[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "PATCH") writes.push(response.status());
  });
  await save(page).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await becomes(() => dialog.getByRole("textbox", { name: "Email" }).inputValue(), "mia@example.test");
  await screenshot(page, "sign-in-again");
  await dialog.getByLabel("Password", { exact: true }).fill("wrong-horse-1");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: "This did not work" }).waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await saved(page).waitFor();
  await dialog.waitFor({ state: "detached" });
  await becomes(() => [...writes], [401, 200]);
  await becomes(() => nameOf("mia"), "Mia Pebble");
});

test("ADM-127 Cancel refuses what waits and leaves the page as it is; the next attempt asks again", async () => {
  const mia = await signIn(server, "mia");
  const page = await typeName(mia, "Mia Slate");
  await mia.request("POST", "/api/auth/logout");
  await save(page).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alert").filter({ hasText: "Your session has ended" }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Mia Slate");
  await save(page).click();
  await dialog.waitFor();
});

test("ADM-129 a CSRF token that no longer holds is renewed, and the write goes out once more", async () => {
  const page = await typeName(await signIn(server, "mia"), "Mia Gravel");
  // Another tab has begun a new session of the same user.
  await page.request.post("/api/auth/login", { data: { email: "mia@example.test", password } });
  await save(page).click();
  await saved(page).waitFor();
  await becomes(() => nameOf("mia"), "Mia Gravel");
});

test("ADM-128 when another user has signed in, the page is loaded again and nothing is sent in their name", async () => {
  const page = await typeName(await signIn(server, "mia"), "Not Vic");
  await page.request.post("/api/auth/login", { data: { email: "vic@example.test", password } });
  await save(page).click();
  await page.getByRole("button", { name: "Vic Stone" }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Vic Stone");
  await becomes(() => nameOf("vic"), "Vic Stone");
});

test("ADM-131 a bar names the user that an administrator acts as, and stops it", async () => {
  const ada = await signIn(server, "ada");
  const page = await newPage(server, { as: ada });
  await page.request.post("/api/auth/impersonate/vic", { headers: { "x-csrf-token": ada.token } });
  await page.goto("/admin");
  await page.getByText("You act as Vic Stone.").waitFor();
  await page.getByRole("button", { name: "Vic Stone" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Ada Stone" }).waitFor();
  await becomes(() => page.getByText("You act as").count(), 0);
});

test("ADM-122 a viewer sees no action that they may not do", async () => {
  const page = await newPage(server, { as: await signIn(server, "vic") });
  await page.goto("/admin");
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Notes" }).click();
  await heading(page, "Notes").waitFor();
  await becomes(() => page.getByRole("link", { name: /^New/ }).count(), 0);
  await becomes(() => page.getByRole("button", { name: /^New/ }).count(), 0);
  await becomes(() => main.getByText(/^(Build|Run|Manage)$/).allTextContents(), []);
});

test("ADM-133 a save that fails says why in words, and what was typed stays", async () => {
  allowProblems(/Failed to load resource/);
  const page = await typeName(await signIn(server, "mia"), "Mia Marble");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const refusals: [status: number, said: RegExp][] = [
    [0, /The server cannot be reached\./],
    [500, /Something broke\..*Request abc-500/],
    [413, /Too large\..*Request abc-413/],
    [429, /Slow down\..*Request abc-429/],
  ];
  for (const [status, said] of refusals) {
    await page.route("**/api/collections/auth/**", (route) => {
      if (status === 0) return route.abort();
      const message = { 500: "Something broke.", 413: "Too large.", 429: "Slow down." }[status];
      const headers = { "x-request-id": `abc-${status}`, "content-type": "application/json" };
      return route.fulfill({ status, headers, body: JSON.stringify({ error: { code: status, message } }) });
    });
    await save(page).click();
    await page.getByRole("alert").filter({ hasText: said }).waitFor();
    await becomes(() => name.inputValue(), "Mia Marble");
    await page.unrouteAll();
  }
  await save(page).click();
  await saved(page).waitFor();
});

test("ADM-133 a slow answer is waited for, and a second press sends nothing", async () => {
  const page = await typeName(await signIn(server, "mia"), "Mia Quartz");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let writes = 0;
  await page.route("**/api/collections/auth/**", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    writes += 1;
    await released;
    await route.continue();
  });
  await save(page).click();
  await page.locator("button[aria-disabled=true]", { hasText: "Save" }).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
  release();
  await saved(page).waitFor();
  equal(writes, 1);
});

test("ADM-132 a bar says that the device is offline", async () => {
  const page = await typeName(await signIn(server, "mia"), "Mia Offline");
  await page.context().setOffline(true);
  await page.getByText("You are offline. What you type is kept.").waitFor();
  allowProblems(/ERR_INTERNET_DISCONNECTED/);
  await save(page).click();
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Mia Offline");
  await page.context().setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  await save(page).click();
  await saved(page).waitFor();
});

test("ADM-134 a start that fails says so, and works once the server is back", async () => {
  allowProblems(/Failed to load resource|The server cannot be reached/);
  const page = await newPage(server, { as: await signIn(server, "ada") });
  await page.route("**/api/admin", (route) => route.abort());
  await page.goto("/admin/profile");
  await heading(page, "The admin cannot be started").waitFor();
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await heading(page, "Profile").waitFor();
});

test("ADM-134 a page that cannot be loaded leaves the shell alive", async () => {
  allowProblems(/ProfilePage|Failed to (load|fetch)/);
  const page = await newPage(server, { as: await signIn(server, "ada") });
  await page.route("**/assets/ProfilePage*.js", (route) => route.abort());
  await page.goto("/admin/profile");
  await heading(page, "This page has stopped working").waitFor();
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Home" }).click();
  await heading(page, "Home").waitFor();
  await page.unrouteAll();
  await page.goto("/admin/profile");
  await heading(page, "Profile").waitFor();
});

test("ADM-134 a part of Home that fails says so alone", async () => {
  allowProblems(/status of 500/);
  const notes = await server.request("POST", "/api/collections/notes", { body: { id: "first" } });
  equal(notes.status, 201, notes.text);
  const page = await newPage(server, { as: await signIn(server, "ada") });
  await page.route("**/api/recent?*", (route) =>
    route.fulfill({ status: 500, headers: { "x-request-id": "r-1" }, json: { error: { message: "It broke." } } }),
  );
  await page.goto("/admin");
  const recent = page.getByRole("region", { name: "Recently changed" });
  await recent.getByText("It broke.").waitFor();
  await recent.getByText("Request r-1").waitFor();
  await page.unrouteAll();
  await recent.getByRole("button", { name: "Try again" }).click();
  await recent.getByRole("link", { name: "first" }).waitFor();
});
