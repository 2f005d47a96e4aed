// The rarer pages of the admin as somebody meets them who has read about them alone, by the keyboard from start to end: consent,
// passkeys, undo, sync, jumpstart, mails, webhooks, and the rename of a property with files.

import { deepEqual, equal, match } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, closeAfterwards, look, newPage } from "../support/browser.ts";
import { multipart, send } from "../support/forms.ts";
import { authorizePath, makeClient } from "../support/oauth-app.ts";
import { picture } from "../support/sample-files.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { openReceiver, type Receiver } from "../support/webhook-receiver.ts";
import { makeKey } from "../sync/pair.ts";

let server: Server;
let remote: Server;
let mailbox: Mailbox;
let receiver: Receiver;
let ada: Person;
let edith: Person;
const folder = mkdtempSync(join(tmpdir(), "cairn-admin-walk-"));

before(async () => {
  mailbox = await openMailbox();
  receiver = await openReceiver();
  remote = await startServer();
  await remote.makeSchema({ id: "note", description: "An older one", properties: { id: { type: "slug" } } });
  const sync = { url: `${remote.url}/api`, key: await makeKey(remote, "/sync,/import/jumpstart") };
  const webhooks = { allowPrivateHosts: true, retryDelays: [] };
  const settings = { smtp: mailbox.smtp, webhooks, sync, api: { rateLimit: 0 } };
  server = await startServer({ hasOAuth: true, settings });
  await server.makeSchema({
    id: "note",
    properties: {
      id: { type: "slug", field: "id", label: "Id" },
      title: { type: "string", field: "text", label: "Title" },
      email: { type: "string", field: "text", label: "Email" },
      cover: { type: "image", field: "image", label: "Cover" },
    },
    required: ["title"],
    index: ["title"],
    formgrid: "title email\ncover",
  });
  const mcp = { access: "authenticated", resource: true };
  await server.makeCollection({ id: "notes", name: "Notes", schema: "note", history: "full", mcp });
  await server.request("POST", "/api/collections/notes", {
    body: { id: "one", title: "One", email: "one@guild.test" },
  });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "edith", ["editor"], { name: "Edith Stone" });
  ada = await signIn(server, "ada");
  edith = await signIn(server, "edith");
});
after(async () => {
  await server.stop();
  await remote.stop();
  await mailbox.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

const button = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole("button", { name, exact: true }).first();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const notification = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByText(text).first();

async function open(path: string, as = ada): Promise<Page> {
  const page = await newPage(server, { as });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

/** Where the focus is: on the element, in its group, which arrows walk through, in an editor of code, or elsewhere. */
function focusFrom(target: Locator): Promise<string> {
  return target.evaluate((own) => {
    const now = own.ownerDocument.activeElement;
    if (now === own || own.contains(now)) return "there";
    if (now?.closest(".cm-content")) return "code";
    const composites = ["grid", "treegrid", "tree", "tablist", "radiogroup", "menu", "listbox"];
    const group = own.closest(composites.map((role) => `[role=${role}]`).join());
    if (!now || !group?.contains(now)) return "elsewhere";
    const lines = "[role=row], [role=menuitem], [role=option]";
    const [line, wanted] = [now.closest(lines), own.closest(lines)];
    // 4: it follows.
    if (line && wanted && line !== wanted) return line.compareDocumentPosition(wanted) & 4 ? "below" : "above";
    return now.compareDocumentPosition(own) & 4 ? "after" : "before";
  });
}
const keys: Record<string, string> = {
  below: "ArrowDown",
  above: "ArrowUp",
  after: "ArrowRight",
  before: "ArrowLeft",
};

/** By Tab and arrows alone. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const seen: string[] = [];
  for (let stops = 0; stops < 150; stops += 1) {
    const where = await focusFrom(target);
    if (where === "there") return;
    // An editor of code takes the Tab key; Esc gives it back, as its hint says.
    if (where === "code") await page.keyboard.press("Escape");
    await page.keyboard.press(keys[where] ?? "Tab");
    seen.push(where);
  }
  throw new Error(`${target} is not within reach: ${seen.slice(-5).join(" ")}`);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, label: string, text: string, where: Page | Locator = page): Promise<void> {
  await reach(page, where.getByLabel(label, { exact: true }).first());
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

test("ADM-1321 the consent page: what is asked is read, allowed or denied by keys", async () => {
  const redirectUri = `${server.url}/done`;
  const client = await makeClient(server, { name: "Desk", redirectUris: [redirectUri] });
  const page = await newPage(server, { as: edith });
  const asked = { response_type: "code", client_id: client.id, redirect_uri: redirectUri, scope: "cms:read mcp:tools" };
  const ask = authorizePath({ ...asked, code_challenge: "x".repeat(43), code_challenge_method: "S256" });
  allowProblems(/status of 404.*\/done/);
  for (const [answer, outcome] of [
    ["Deny", /error=access_denied/],
    ["Allow", /code=/],
  ] as const) {
    await page.goto(ask);
    await heading(page, "Desk wants access").waitFor();
    for (const list of ["What it may do", "What it reaches"]) await page.getByRole("list", { name: list }).waitFor();
    if (answer === "Deny") await look(page, "walk-consent");
    await press(page, button(page, answer));
    await page.waitForURL(/\/done\?/);
    match(page.url(), outcome);
  }
  const grants = await open("/admin/utils/oauth-grants");
  const region = grants.getByRole("region", { name: "Desk" });
  await press(grants, button(region, /^What it reaches/));
  await look(grants, "walk-reach");
  await grants.keyboard.press("Escape");
  await press(grants, button(region, /^Revoke/));
  const sure = grants.getByRole("alertdialog");
  await press(grants, button(sure, /^Revoke/));
  await region.waitFor({ state: "detached" });
});

test("ADM-1322 a passkey is added, used and removed by keys", async () => {
  await makeUser(server, "kim", ["viewer"], { name: "Kim Stone" });
  const page = await open("/admin/profile?tab=security", await signIn(server, "kim"));
  closeAfterwards(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const authenticator = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true, ...authenticator },
  });
  await press(page, button(page, "Add passkey"));
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await type(page, "Name", "Laptop", dialog);
  await look(page, "walk-passkey");
  await page.keyboard.press("Enter");
  const confirm = page.getByRole("dialog", { name: "Confirm your password" });
  await type(page, "Password", password, confirm);
  await look(page, "walk-confirm");
  await page.keyboard.press("Enter");
  await button(page, "Remove Laptop").waitFor();
  await look(page, "walk-passkeys");
  await page.context().clearCookies();
  await page.goto("/admin/profile?tab=security");
  await press(page, button(page, "Sign in with a passkey"));
  await press(page, button(page, "Remove Laptop"));
  await press(page, button(confirm, "Use a passkey"));
  await page.getByText("You have no passkey yet.").waitFor();
});

test("ADM-1323 what a key wrote is planned and taken back by keys", async () => {
  const body = { name: "Feed", methods: ["GET", "POST", "PATCH"], endpoints: ["*"] };
  const { key } = (await ada.request("POST", "/api/apikeys", { body })).body.data;
  await server.request("PATCH", "/api/collections/notes/one", { key, body: { title: "By the key" } });
  await server.request("POST", "/api/collections/notes", { key, body: { id: "shared", title: "By the key" } });
  await ada.request("PATCH", "/api/collections/notes/shared", { body: { title: "Edited by Ada" } });
  const page = await open("/admin/utils/api-keys");
  await press(page, button(page.getByRole("row", { name: "Feed", exact: true }), "Undo what it wrote…"));
  const dialog = page.getByRole("dialog", { name: "Undo" });
  const plan = dialog.getByRole("grid", { name: "Plan" });
  await plan.getByRole("row", { name: "notes/one" }).getByText("Put back").waitFor();
  await press(page, plan.getByRole("button", { name: "Properties of notes/one" }));
  await dialog.getByText("After the undo").first().waitFor();
  await look(page, "walk-undo");
  await press(page, plan.getByRole("checkbox", { name: "Undo shared anyway" }), "Space");
  await press(page, button(dialog, "Undo 2 changes"));
  await dialog.getByText("What it wrote was taken back").waitFor();
  await look(page, "walk-undone");
  await press(page, button(dialog, "Close"));
  await dialog.waitFor({ state: "detached" });
  equal((await server.request("GET", "/api/collections/notes/one")).body.data.title, "One");
  equal((await server.request("GET", "/api/collections/notes/shared")).status, 404);
});

test("ADM-1324 differences between two sites are seen, chosen and pushed by keys", async () => {
  const page = await open("/admin/utils/sync");
  const tree = page.getByRole("treegrid", { name: "Differences" });
  await press(page, tree.getByRole("checkbox", { name: "Select schema note" }), "Space");
  await press(page, tree.getByRole("row", { name: "schema note" }).getByRole("button", { name: "Show difference" }));
  const difference = page.getByRole("dialog", { name: "schema note" });
  await difference.waitFor();
  await look(page, "walk-difference");
  await page.keyboard.press("Escape");
  await difference.waitFor({ state: "detached" });
  await press(page, tree.getByRole("checkbox", { name: "Select collection notes" }), "Space");
  await look(page, "walk-sync");
  await press(page, button(page, "Push 2 items"));
  const sure = page.getByRole("alertdialog");
  await sure.getByText("Created (1)").waitFor();
  await sure.getByText("Replaced (1)").waitFor();
  await look(page, "walk-push");
  await press(page, button(sure, "Push"));
  await page.getByRole("region", { name: "Result" }).getByText("schema note").waitFor();
  await look(page, "walk-pushed");
  equal((await remote.request("GET", "/api/collections/notes/settings")).status, 200);
});

test("ADM-1325 a definition is exported, tried and imported by keys", async () => {
  const page = await open("/admin/utils/jumpstart");
  await type(page, "Name", "Notes");
  const exported = page.waitForEvent("download");
  await press(page, button(page, "Export"));
  const file = join(folder, "notes.json");
  await (await exported).saveAs(file);
  await server.request("DELETE", "/api/collections/notes/one");
  const chosen = page.waitForEvent("filechooser");
  await press(page, button(page, "Choose file"));
  await (await chosen).setFiles(file);
  await press(page, button(page, "Try it"));
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Nothing was stored.").waitFor();
  await look(page, "walk-jumpstart");
  await press(page, button(page, "Import"));
  await result.getByText("The import is done.").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/notes/one")).status, 200);
});

test("ADM-1326 a mail is written, looked at and sent by keys", async () => {
  const page = await open("/admin/mailer");
  await press(page, page.getByRole("link", { name: "New mail" }).first());
  await heading(page, "New mail").waitFor();
  for (const [label, value] of Object.entries({
    Name: "Welcome",
    To: "guest@guild.test",
    Subject: "Hello",
    "Text body": "Come in",
  }))
    await type(page, label, value);
  await look(page, "walk-mail");
  await press(page, button(page, "Save"));
  await heading(page, "Welcome").waitFor();
  await press(page, button(page, "Preview"));
  const preview = page.getByRole("dialog", { name: "Preview of Welcome" });
  await preview.getByText("guest@guild.test").first().waitFor();
  await look(page, "walk-mail-preview");
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "detached" });
  await press(page, button(page, "Send"));
  await press(page, page.getByRole("menuitem", { name: "Send to one recipient…" }));
  const sending = page.getByRole("dialog", { name: "Send Welcome" });
  await look(page, "walk-mail-send");
  await press(page, button(sending, "Send"));
  await notification(page, "The mail to guest@guild.test is on its way.").waitFor();
  await becomes(async () => (await mailbox.next("guest@guild.test")).parsed.text?.trim(), "Come in");
  await page.getByRole("grid", { name: "Mail log" }).getByText("Sent").first().waitFor();
  await look(page, "walk-mail-sent");
});

test("ADM-1327 a webhook is made, fails, is read and replayed by keys", async () => {
  const page = await open("/admin/webhooks");
  await press(page, page.getByRole("link", { name: "New webhook" }).first());
  await heading(page, "New webhook").waitFor();
  await type(page, "Name", "Site build");
  await type(page, "Address", `${receiver.url}/hook`);
  await look(page, "walk-webhook-new");
  await press(page, button(page, "Save"));
  const shown = page.getByRole("dialog", { name: "Your signing secret" });
  await look(page, "walk-webhook-secret");
  await press(page, button(shown, "Done"));
  await heading(page, "Site build").waitFor();
  receiver.answer = (_entry, response) => response.writeHead(500).end("no room here");
  await server.request("POST", "/api/collections/notes", { body: { id: "late", title: "Late" } });
  const deliveries = page.getByRole("grid", { name: "Deliveries" });
  const failed = deliveries.getByRole("row", { name: /^Object created/ });
  await failed.getByText("Failed").waitFor();
  await press(page, failed.getByRole("button", { name: /^Show Object created/ }));
  await deliveries.getByText("no room here").waitFor();
  await look(page, "walk-deliveries");
  receiver.answer = (_entry, response) => response.end("thanks");
  await press(page, failed.getByRole("button", { name: /^Replay Object created/ }));
  await failed.getByText("Delivered").waitFor();
});

test("ADM-1328 a property with files is renamed in the dialog by keys, and its form shows the picture under the new name", async () => {
  const bytes = await picture(60, 40);
  const sent = await send(
    server,
    "/api/collections/notes/one/cover",
    multipart([{ field: "file", name: "hill.jpg", bytes }]),
  );
  equal(sent.status, 200, sent.text);
  const page = await open("/admin/schemas/note?property=cover");
  await press(page, button(page, "Rename…"));
  const dialog = page.getByRole("dialog", { name: "Rename property" });
  await type(page, "New name", "front", dialog);
  await dialog.getByText("1 object in notes will have it under the new name.").waitFor();
  await dialog.getByText("Its files follow").waitFor();
  await look(page, "walk-rename");
  await page.keyboard.press("Enter");
  await notification(page, "cover is now front").waitFor();
  const form = await open("/admin/collections/notes/one");
  const image = form
    .getByRole("img", { name: /hill\.jpg/ })
    .or(form.locator("main img"))
    .first();
  await becomes(() => image.evaluate((one) => one.naturalWidth > 0), true);
  await look(form, "walk-renamed");
  const { front, cover } = (await server.request("GET", "/api/collections/notes/one")).body.data;
  deepEqual([front.name, cover], ["hill.jpg", undefined]);
  match(front.url, /\/notes\/one\/front\.jpg/);
});
