// OAuth clients and grants, the logs and the MCP page: from a new client over the consent page to a revoked grant.

import { equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { launch, root, type Server, send, startServer } from "../harness.ts";
import { allowProblems, axe, look, newPage, screenshot } from "../support/browser.ts";
import { askToken, authorizePath, connect, makeClient, register, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let boss: Person;
let edith: Person;

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 } } });
  await server.terminate();
  await registerTwoDaysAgo("Old agent");
  await server.restart();
  await server.makeSchema({ id: "note", properties: { id: { type: "slug" } }, required: ["id"] });
  const tools = { latest: { description: "The latest notes", params: {}, limit: 5 } };
  const mcp = { access: "authenticated", resource: true, tools };
  await server.makeCollection({ id: "news", schema: "note", name: "News", mcp });
  await server.makeCollection({ id: "vault", schema: "note", name: "Vault" });
  await server.request("POST", "/api/collections/news", { body: { id: "first" } });
  await makeUser(server, "boss", ["admin"], { name: "Boss" });
  await makeUser(server, "edith", ["editor"], { name: "Edith" });
  boss = await signIn(server, "boss");
  edith = await signIn(server, "edith");
});
after(() => server.stop());

/** Nothing to find in either theme, and nothing wider than a telephone. */
async function lookAndFit(page: Page, name: string): Promise<void> {
  await look(page, name);
  for (const width of [1024, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await becomes(() => page.evaluate<number>("document.documentElement.scrollWidth"), width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("ADM-850 ADM-851 ADM-852 ADM-853 ADM-854 ADM-1003 a client is made, let in, seen with its reach, and revoked", async () => {
  const page = await newPage(server, { as: boss });
  await page.goto("/admin/utils/oauth-clients");
  await page.getByRole("heading", { name: "No clients yet" }).waitFor();
  // Before any request to the OAuth server, which removes stale clients once a day by itself.
  await page.getByRole("button", { name: "Remove stale clients" }).click();
  const stale = page.getByRole("alertdialog", { name: "Remove stale clients?" });
  await stale.getByText("1 client registered itself more than a day ago").waitFor();
  await stale.getByRole("button", { name: "Remove 1 client" }).click();
  await page.getByText("No application has registered itself.").waitFor();
  // By the keyboard alone.
  await page.getByRole("button", { name: "New client" }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New client" });
  await dialog.locator("input:focus").waitFor();
  await page.keyboard.type("Desk");
  await page.keyboard.press("Tab");
  await page.keyboard.type("http://far.example.test/");
  await dialog.getByRole("button", { name: "Create client" }).press("Enter");
  const uris = dialog.getByRole("textbox", { name: "Redirect URIs" });
  await dialog.getByText("far.example.test").nth(1).waitFor();
  await becomes(() => uris.getAttribute("aria-invalid"), "true");
  const redirectUri = `${server.url}/done`;
  await uris.fill(`${redirectUri}\n`);
  await becomes(
    () => dialog.getByRole("group", { name: "Scopes" }).getByRole("checkbox", { checked: true }).count(),
    5,
  );
  await until(() => dialog.getByRole("checkbox", { name: "Confidential" }).isChecked());
  await dialog.getByRole("button", { name: "Create client" }).click();
  const made = page.getByRole("dialog", { name: "Your new client" });
  const id = await made.getByRole("textbox", { name: "Client ID" }).inputValue();
  const secret = await made.getByRole("textbox", { name: "Client secret" }).inputValue();
  await page.keyboard.press("Escape");
  await until(() => made.isVisible());
  await becomes(() => axe(page), []);
  await screenshot(page, "oauth-secret");
  await made.getByRole("button", { name: "Done" }).click();
  await made.waitFor({ state: "hidden" });
  await until(async () => !(await page.content()).includes(secret));
  const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
  ok(!kept.includes(secret));
  const clients = page.getByRole("grid", { name: "Clients made here" });
  await clients.getByRole("row", { name: "Desk" }).waitFor();

  const consent = await newPage(server, { as: edith });
  const asked = { response_type: "code", client_id: id, redirect_uri: redirectUri, scope: "cms:read mcp:tools" };
  await consent.goto(authorizePath(asked));
  await consent.getByRole("heading", { level: 1, name: "Desk wants access" }).waitFor();
  await becomes(() => consent.getByRole("list", { name: "What it may do" }).getByRole("listitem").count(), 2);
  await consent.getByRole("list", { name: "What it reaches" }).getByText("News").first().waitFor();
  allowProblems(/status of 404.*\/done/);
  await consent.getByRole("button", { name: "Allow" }).click();
  await consent.waitForURL(/\/done\?/);
  const code = new URL(consent.url()).searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", redirect_uri: redirectUri, code };
  const { access_token: token } = (await askToken(server, { id, secret }, form)).body;
  await becomes(async () => (await withToken(server, token, "GET", "/api/collections/news")).status, 200);

  await page.getByRole("link", { name: "OAuth grants" }).click();
  await page.getByRole("heading", { level: 1, name: "OAuth grants" }).waitFor();
  const region = page.getByRole("region", { name: "Desk" });
  const row = region.getByRole("row", { name: "Edith" });
  await row.getByText("Read content").waitFor();
  await becomes(() => row.getByRole("link", { name: "Edith" }).getAttribute("href"), "/admin/users/edith");
  await lookAndFit(page, "grants");
  await row.getByRole("button", { name: "What it reaches" }).click();
  const reach = page.getByRole("dialog", { name: "What Desk reaches for Edith" });
  const news = reach.getByRole("grid", { name: "Reach" }).getByRole("row", { name: "News" });
  await news.waitFor();
  await becomes(() => news.getByRole("gridcell").allTextContents(), ["News", "1", "Yes", "No"]);
  await becomes(() => axe(page), []);
  await screenshot(page, "reach");
  await reach.getByRole("button", { name: "Close" }).click();
  await row.getByRole("button", { name: "Revoke" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Revoke the grant of Edith?" });
  await question.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No application is connected").waitFor();
  await becomes(async () => (await withToken(server, token, "GET", "/api/collections/news")).status, 401);
});

/** By another process of the same site, whose clock is late. */
async function registerTwoDaysAgo(name: string): Promise<void> {
  const clock = pathToFileURL(join(root, "tests", "support", "shift-clock.ts")).href;
  const shift = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: String(-2 * 86_400_000) };
  const late = await launch(["serve", "--port", "0"], { ...server.env, ...shift });
  try {
    const request: Server["request"] = (method, path, { key: _, ...options } = {}) =>
      send(undefined, late.url, method, path, options);
    await becomes(async () => (await register({ request }, { client_name: name })).status, 201);
  } finally {
    await late.end("SIGTERM");
  }
}

test("ADM-850 ADM-852 clients and their grants go by one question, new keys are typed for", async () => {
  const client = await makeClient(server, { name: "Robot" });
  const tokens = [];
  for (const person of [boss, edith]) tokens.push(await connect(server, person, { client, scope: "cms:read" }));
  await register(server, { client_name: "Agent" });
  const page = await newPage(server, { as: boss });
  await page.goto("/admin/utils/oauth-clients");
  const registered = page.getByRole("grid", { name: "Self-registered clients" });
  await registered.getByRole("row", { name: "Agent" }).waitFor();
  await lookAndFit(page, "clients");
  await page.getByRole("button", { name: "Remove stale clients" }).click();
  await page.getByRole("status").getByText("There are no stale clients").waitFor();
  await registered.getByRole("button", { name: "Remove Agent" }).click();
  await page.getByRole("alertdialog", { name: "Remove Agent?" }).getByRole("button", { name: "Remove" }).click();
  await page.getByText("No application has registered itself.").waitFor();
  // The count leads to the grants of the client.
  await page.getByRole("row", { name: "Robot" }).getByRole("link", { name: "2 grants" }).click();
  const region = page.getByRole("region", { name: "Robot" });
  await region.getByRole("row", { name: "Boss" }).waitFor();
  match(page.url(), new RegExp(`client=${client.id}`));
  await region.getByRole("button", { name: "Revoke all" }).click();
  const all = page.getByRole("alertdialog", { name: "Revoke all grants of Robot?" });
  await all.getByText("2 grants end.").waitFor();
  await all.getByRole("button", { name: "Revoke all" }).click();
  await page.getByText("This client has no grant.").waitFor();
  for (const { accessToken } of tokens)
    await becomes(async () => (await withToken(server, accessToken, "GET", "/api/collections")).status, 401);

  const before = (await server.request("GET", "/api/oauth-keys")).body.data.kid as string;
  await page.goBack();
  await page.getByRole("button", { name: "New signing keys" }).click();
  const keys = page.getByRole("alertdialog", { name: "Make new signing keys?" });
  await until(() => keys.getByRole("button", { name: "New signing keys" }).isDisabled());
  await keys.getByRole("textbox", { name: `Type ${before.slice(0, 8)} to confirm` }).fill(before.slice(0, 8));
  await keys.getByRole("button", { name: "New signing keys" }).click();
  await page.getByRole("status").getByText("New signing keys").waitFor();
  await page.getByText(before).waitFor({ state: "hidden" });

  const setEdition = (edition: string) => boss.request("PUT", "/api/settings/general", { body: { edition } });
  await becomes(async () => (await setEdition("standard")).status, 200);
  await page.goto("/admin/utils/oauth-clients");
  await page.getByText("This site runs the standard edition").waitFor();
  await becomes(() => page.getByRole("button", { name: "New client" }).count(), 0);
  await becomes(async () => (await setEdition("pro")).status, 200);
});

test("ADM-855 ADM-856 the logs are filtered by the address, follow what happens, and are exported", async () => {
  await server.request("POST", "/api/auth/login", { key: null, body: { login: "edith", password: "wrong-password" } });
  const page = await newPage(server, { as: boss });
  await page.goto("/admin/utils/logs");
  const audit = page.getByRole("grid", { name: "Audit" });
  await audit.getByText("login.failed").first().waitFor();
  await audit
    .getByRole("button", { name: /^Details of/ })
    .first()
    .click();
  await lookAndFit(page, "logs");
  const type = page.getByRole("combobox", { name: "Type" });
  await type.fill("key.cr");
  await page.getByRole("option", { name: "key.created", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/type=key\.created/);
  await audit.getByText("login.failed").first().waitFor({ state: "hidden" });
  await audit.getByText("key.created").first().waitFor();
  const rows = audit.getByRole("row");
  const known = await rows.count();
  await server.makeKey({ name: "live" });
  await audit.getByText("live").waitFor();
  await becomes(() => rows.count(), known + 1);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const text = readFileSync(await (await saved).path(), "utf8");
  equal(text.trim().split("\r\n").length, known + 1);
  match(text, /^time,type,actor,/);
  await page.getByRole("switch", { name: "Live" }).click();
  await until(async () => !(await page.getByRole("switch", { name: "Live" }).isChecked()));
  await page.getByRole("radio", { name: "OAuth" }).click();
  await page.getByRole("grid", { name: "OAuth" }).getByText("consent.granted").first().waitFor();
  match(page.url(), /log=oauth$/);
  await page.goto("/admin/utils/logs?user=edith&type=login.failed");
  await audit.getByRole("row", { name: "login.failed" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await audit.getByText("key.created").first().waitFor();
  const viewer = await newPage(server, { as: edith });
  await viewer.goto("/admin/utils/logs");
  await viewer.getByRole("heading", { level: 1, name: "You may not see this page" }).waitFor();
  await becomes(() => viewer.getByRole("link", { name: "Logs" }).count(), 0);
});

test("ADM-857 the MCP page shows the endpoint, what collections open, how to connect, and what the doctor finds", async () => {
  const page = await newPage(server, { as: boss });
  await page.goto("/admin/utils/mcp");
  await becomes(() => page.getByRole("textbox", { name: "Endpoint" }).inputValue(), `${server.url}/mcp`);
  const news = page.getByRole("grid", { name: "Collections" }).getByRole("row", { name: "News" });
  await becomes(() => news.getByRole("gridcell").allTextContents(), ["News", "Signed in", "Yes", "latest"]);
  await page.getByRole("tab", { name: "Claude Code" }).press("End");
  await page.getByRole("tab", { name: "VS Code" }).click();
  await until(
    async () => (await page.getByRole("region", { name: "For VS Code", exact: true }).textContent()) ?? "",
    (text) => /"type": "http"/.test(text),
  );
  await page.getByRole("button", { name: "Run doctor" }).press("Enter");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Clients can connect.").waitFor();
  await lookAndFit(page, "mcp");
  await page.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:1/mcp");
  await page.keyboard.press("Enter");
  await result.getByText("The address could not be reached.").waitFor();
  await page.getByRole("textbox", { name: "Address" }).fill("nonsense");
  await page.keyboard.press("Enter");
  await page.getByText("must be an http or https URL").waitFor();
});
