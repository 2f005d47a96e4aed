// Webhooks and mail in the admin, against a real receiver and a real mail server on this machine.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, look, newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { openReceiver, type Receiver } from "../support/webhook-receiver.ts";

let server: Server;
let mailbox: Mailbox;
let receiver: Receiver;
let ada: Person;

before(async () => {
  mailbox = await openMailbox();
  receiver = await openReceiver();
  const webhooks = { allowPrivateHosts: true, retryDelays: [] };
  server = await startServer({ settings: { smtp: mailbox.smtp, webhooks, api: { rateLimit: 0 } } });
  await makeUser(server, "ada", ["admin"], { name: "Ada" });
  ada = await signIn(server, "ada");
  await server.makeSchema({
    id: "member",
    properties: { id: { type: "string" }, name: { type: "string" }, email: { type: "string" } },
    index: ["id", "name"],
  });
  await server.makeCollection({ id: "members", name: "Members", schema: "member" });
  const members = Array.from({ length: 12 }, (_, at) => ({
    id: `m${at}`,
    name: `Member ${at}`,
    email: at === 11 ? "nowhere" : `m${at}@guild.test`,
  }));
  await server.request("POST", "/api/import/collections/members/json", { body: members });
});
after(async () => {
  await server.stop();
  await mailbox.close();
  await receiver.close();
});

const button = (where: Page | Locator, name: string | RegExp) => where.getByRole("button", { name, exact: true });
const grid = (page: Page, name: string) => page.getByRole("grid", { name, exact: true });
const notification = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByText(text).first();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

test("ADM-755 ADM-756 ADM-757 ADM-758 a webhook is made, delivered, failed and replayed", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/webhooks");
  await heading(page, "Webhooks").waitFor();
  await page.getByRole("link", { name: "New webhook" }).first().click();
  await heading(page, "New webhook").waitFor();

  // Wrong input stays, with the reason at its field.
  await page.getByRole("textbox", { name: "Name" }).fill("Site build");
  const address = page.getByRole("textbox", { name: "Address" });
  await address.fill("ftp://example.org");
  await button(page, "Save").click();
  await page.getByRole("alert").getByRole("link", { name: "Address" }).waitFor();
  await becomes(() => address.getAttribute("aria-invalid"), "true");
  await address.fill(`${receiver.url}/hook`);
  await page.getByText("inside your own network").waitFor();
  await page.getByRole("checkbox", { name: /^All events/ }).uncheck();
  for (const event of ["Object created", "Object deleted"]) await page.getByRole("checkbox", { name: event }).check();
  await page.getByRole("combobox", { name: "Collections" }).fill("Members");
  await page.getByRole("option", { name: /Members/ }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");

  // The secret is shown once, and leaves with its dialog.
  const shown = page.getByRole("dialog", { name: "Your signing secret" });
  const secret = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  match(secret, /^whsec_/);
  await page.keyboard.press("Escape");
  await shown.waitFor();
  await becomes(() => axe(page), []);
  await button(shown, "Done").click();
  await heading(page, "Site build").waitFor();
  match(page.url(), /\/admin\/webhooks\/[\w-]+$/);
  await becomes(async () => (await page.content()).includes(secret), false);
  const [hook] = (await server.request("GET", "/api/webhooks")).body.data;
  deepEqual([hook.events, hook.collections], [["object.created", "object.deleted"], ["members"]]);

  // Delivered; then the receiver refuses.
  await button(page, "Send test").click();
  await page.getByText(/^The receiver answered with 200 in/).waitFor();
  receiver.answer = (_entry, response) => response.writeHead(500).end("no room here");
  await server.request("POST", "/api/collections/members", { body: { id: "late", email: "late@guild.test" } });
  const deliveries = grid(page, "Deliveries");
  const failed = deliveries.getByRole("row", { name: /^Object created/ });
  await failed.getByText("Failed").waitFor();
  await becomes(() => failed.getByRole("gridcell", { name: "500" }).count(), 1);
  await failed.getByRole("button", { name: /^Show Object created/ }).click();
  await deliveries.getByText("no room here").waitFor();
  await deliveries.getByText('"type": "object.created"').waitFor();
  await look(page, "webhook");

  // The list marks it, and the sidebar counts it.
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  const row = grid(page, "Webhooks").getByRole("row", { name: "Site build" });
  await row.getByText("Failing").waitFor();
  await row.getByText("Failed").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByText("1 failed").waitFor();
  await look(page, "webhooks");

  // Replayed by keys alone.
  receiver.answer = (_entry, response) => response.end("thanks");
  await row.getByRole("link", { name: "Site build" }).focus();
  await page.keyboard.press("Enter");
  await heading(page, "Site build").waitFor();
  await deliveries.getByRole("button", { name: /^Replay Object created/ }).focus();
  await page.keyboard.press("Enter");
  await failed.getByText("Delivered").waitFor();
  const sent = receiver.received.filter(({ body }) => body.type === "object.created");
  equal(sent.length, 2);
  equal(sent[0]?.headers["webhook-id"], sent[1]?.headers["webhook-id"]);
});

test("ADM-757 ADM-759 ADM-1000 ADM-1001 a webhook that was switched off says why; its secret is rotated, and it is deleted", async () => {
  const { id, secret } = (
    await server.request("POST", "/api/webhooks", { body: { url: `${receiver.url}/gone`, name: "Gone" } })
  ).body.data;
  receiver.answer = (_entry, response) => response.writeHead(410).end();
  await server.request("POST", "/api/collections/members", { body: { id: "later", email: "later@guild.test" } });
  await until(async () => !(await server.request("GET", `/api/webhooks/${id}`)).body.data.active);
  receiver.answer = (_entry, response) => response.end();
  const page = await newPage(server, { as: ada });
  await page.goto(`/admin/webhooks/${id}`);
  await page.getByText("The receiver answered with status 410.").first().waitFor();
  await button(page, "Enable again").click();
  await notification(page, "Saved").waitFor();
  await page.getByText("This webhook was switched off").waitFor({ state: "detached" });
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "New secret" }).click();
  await button(page.getByRole("alertdialog", { name: "Make a new secret?" }), "New secret").click();
  const shown = page.getByRole("dialog", { name: "Your signing secret" });
  const changed = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
  ok(changed.startsWith("whsec_") && changed !== secret);
  await button(shown, "Done").click();

  // What is typed is kept on this device, but no secret; somebody else's change to the same part is asked about.
  await page.getByRole("textbox", { name: "Name" }).fill("Gone for good");
  await button(page, "Add header").click();
  await page.getByRole("textbox", { name: "Header name" }).fill("X-Token");
  await page.getByLabel("Value of X-Token").fill("whispered");
  await page.getByRole("status", { name: "Save state" }).getByText("2 unsaved changes").waitFor();
  await page.evaluate('dispatchEvent(new Event("pagehide"))');
  await becomes(async () => (await page.evaluate(() => JSON.stringify(localStorage))).includes("whispered"), false);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(/^Unsaved changes of .* were brought back$/).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Name" }).inputValue(), "Gone for good");
  await becomes(() => page.getByRole("textbox", { name: "Header name" }).count(), 0);
  await server.request("PATCH", `/api/webhooks/${id}`, { body: { name: "Gone far" } });
  await button(page, "Add header").click();
  await page.getByRole("textbox", { name: "Header name" }).fill("X-Token");
  await page.getByLabel("Value of X-Token").fill("whispered");
  await button(page, "Save").click();
  const conflict = page.getByRole("dialog", { name: "Changed by somebody else" });
  await conflict.getByRole("group", { name: "Name" }).getByRole("radio", { name: "Theirs" }).check();
  await button(conflict, "Save choices").click();
  await heading(page, "Gone far").waitFor();
  await becomes(() => page.getByLabel("Value of X-Token").inputValue(), "");
  await becomes(
    async () => (await server.request("GET", `/api/webhooks/${id}`)).body.data.headers,
    [{ name: "X-Token" }],
  );
  await button(page, "Send test").click();
  await page.getByText(/^The receiver answered with 200 in/).waitFor();
  equal(receiver.received.at(-1)?.headers["x-token"], "whispered");
  await page.getByRole("link", { name: "Webhooks" }).last().click();
  const row = grid(page, "Webhooks").getByRole("row", { name: "Gone far" });
  await row.getByRole("switch").click();
  await notification(page, "Switched off").waitFor();
  await button(row, "Actions for Gone far").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await button(page.getByRole("alertdialog", { name: "Delete Gone far?" }), "Delete").click();
  await row.waitFor({ state: "detached" });
});

test("ADM-765 ADM-766 ADM-767 a mail is written, looked at, tested and sent", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/mailer");
  await page.getByRole("link", { name: "New mail" }).first().click();
  await heading(page, "New mail").waitFor();
  const fields = {
    Name: "Welcome",
    To: "{{ data.email }}",
    Subject: "Hello {{ data.name }}",
    "HTML body": "<h1>Hello {{ data.name }}</h1><script>parent.document.title='taken'</script>",
    "Text body": "Hello {{ data.name }}",
    "Bulk collection": "members",
  };
  for (const [label, value] of Object.entries(fields))
    await page.getByRole("textbox", { name: label, exact: true }).fill(value);
  await button(page, "Save").click();
  await heading(page, "Welcome").waitFor();
  match(page.url(), /\/admin\/mailer\/welcome-[\w-]+$/);

  // What is typed is shown, saved or not.
  await page.getByRole("textbox", { name: "Subject", exact: true }).fill("Good morning {{ data.name }}");
  await button(page, "Preview").click();
  const preview = page.getByRole("dialog", { name: "Preview of Welcome" });
  await preview.getByText("This mail cannot be sent").waitFor();
  await preview.getByRole("combobox", { name: "Object" }).fill("Member 3");
  await page.getByRole("option", { name: /Member 3/ }).click();
  await preview.getByText("Good morning Member 3").waitFor();
  await preview.getByText("m3@guild.test").waitFor();
  const frame = preview.locator("iframe");
  await becomes(() => frame.getAttribute("sandbox"), "");
  await preview.frameLocator("iframe").getByRole("heading", { name: "Hello Member 3" }).waitFor();
  const widthOf = async () => (await frame.boundingBox())?.width ?? 0;
  // It begins as wide as the desktop.
  await preview.getByRole("radio", { name: "Phone" }).check();
  let width = await until(widthOf, (now) => now > 0 && now < 500);
  for (const name of ["Tablet", "Desktop"]) {
    const before = width;
    await preview.getByRole("radio", { name }).check();
    width = await until(widthOf, (now) => now > before);
  }
  match(page.url(), /about=members\/m3/);
  await look(page, "mail-preview");
  await preview.getByRole("tab", { name: "Text" }).click();
  await preview.getByText("Hello Member 3", { exact: true }).waitFor();
  await button(preview, "Close").last().click();
  await page.keyboard.press("Control+s");
  await notification(page, "Saved").waitFor();

  // A test goes to one address, and says what the mail server answered.
  await button(page, "Send test").click();
  const test = page.getByRole("dialog", { name: "Send test" });
  await becomes(() => test.getByRole("textbox", { name: "To" }).inputValue(), "ada@example.test");
  await test.getByRole("textbox", { name: "To" }).fill("try@example.test");
  await button(test, "Send").click();
  await notification(page, "The mail server has taken the test to try@example.test.").waitFor();
  await becomes(async () => (await mailbox.next("try@example.test")).parsed.subject, "Good morning Member 3");

  // To one recipient: who gets it is shown first.
  await button(page, "Send").click();
  await page.getByRole("menuitem", { name: "Send to one recipient…" }).click();
  const sending = page.getByRole("dialog", { name: "Send Welcome" });
  await sending.getByText("Member 3", { exact: false }).first().waitFor();
  await sending.getByText("Good morning Member 3").waitFor();
  await button(sending, "Send").click();
  await notification(page, "The mail to m3@guild.test is on its way.").waitFor();
  await becomes(async () => (await mailbox.next("m3@guild.test")).parsed.text?.trim(), "Hello Member 3");
  await grid(page, "Mail log")
    .getByRole("row", { name: /m3@guild\.test/ })
    .getByText("Sent")
    .waitFor();
  await look(page, "mail");
  await page.getByRole("link", { name: "Mailer" }).last().click();
  await grid(page, "Mails").getByRole("row", { name: "Welcome" }).getByRole("switch").waitFor();
  await look(page, "mailer");
});

test("ADM-768 ADM-769 a batch shows who gets it first, asks for the number, and what was left out is sent again", async () => {
  const body = {
    id: "summons",
    name: "Summons",
    to: "{{ data.email }}",
    subject: "Come",
    bodyText: "Come, {{ data.id }}",
  };
  const { id } = (await server.request("POST", "/api/collections/mailer", { body })).body.data;
  const page = await newPage(server, { as: ada });
  await page.goto(`/admin/mailer/${id}`);
  await button(page, "Send").click();
  await page.getByRole("menuitem", { name: "Send to a collection…" }).click();
  const bulk = page.getByRole("dialog", { name: "Send Summons to a collection" });
  await bulk.getByRole("combobox", { name: "Collection" }).fill("Members");
  await page.getByRole("option", { name: /Members/ }).click();
  await bulk.getByRole("textbox", { name: "Not objects that match" }).fill("id:late,id:later");
  await button(bulk, "Count recipients").click();
  await bulk.getByText("12 objects match. 11 get the mail, 1 is left out.").waitFor();
  await bulk.getByText(/m11: .*"nowhere" is not an e-mail address/).waitFor();
  await look(page, "mail-bulk");
  await button(bulk, "Send 11 mails").click();
  const sure = page.getByRole("alertdialog", { name: "Send 11 mails?" });
  await becomes(() => button(sure, "Send 11 mails").isDisabled(), true);
  await sure.getByRole("textbox", { name: "Type 11 to confirm" }).fill("11");
  await button(sure, "Send 11 mails").click();
  await notification(page, "The batch has begun").waitFor();
  const batch = grid(page, "Batches").getByRole("row", { name: /^summons/ });
  await batch.getByText("Finished").waitFor();
  await batch.getByText("12 of 12").waitFor();
  await becomes(() => mailbox.mails.filter(({ parsed }) => parsed.subject === "Come").length, 11);

  // By the log: the reason, a corrected address, once more.
  await batch.getByRole("link").click();
  await heading(page, "Mail log").waitFor();
  await page.getByRole("radio", { name: "Left out" }).check();
  const left = grid(page, "Mail log").getByRole("row", { name: /^summons/ });
  await left.getByText(/is not an e-mail address/).waitFor();
  match(page.url(), /state=skipped/);
  await look(page, "mail-log");
  await server.request("PATCH", "/api/collections/members/m11", { body: { email: "m11@guild.test" } });
  await left.getByRole("button", { name: /^Retry/ }).focus();
  await page.keyboard.press("Enter");
  await notification(page, "The mail is queued again").waitFor();
  await becomes(async () => (await mailbox.next("m11@guild.test")).parsed.text?.trim(), "Come, m11");
});

test("ADM-768 ADM-1008 a batch is scheduled, and stopped before its time", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/mailer/summons");
  await button(page, "Send").click();
  await page.getByRole("menuitem", { name: "Send to a collection…" }).click();
  const bulk = page.getByRole("dialog", { name: "Send Summons to a collection" });
  await bulk.getByRole("combobox", { name: "Collection" }).fill("Members");
  await page.getByRole("option", { name: /Members/ }).click();
  await bulk.getByRole("checkbox", { name: /^Also to objects/ }).check();
  const time = bulk.getByRole("group", { name: "Send at" });
  await time.getByRole("spinbutton").first().focus();
  await page.keyboard.type("123120990900AM");
  await button(bulk, "Count recipients").click();
  await button(bulk, /^Schedule \d+ mails$/).click();
  const sure = page.getByRole("alertdialog", { name: /^Send \d+ mails\?$/ });
  await sure.getByText(/They are sent at .*2099/).waitFor();
  const number = /\d+/.exec((await button(sure, /^Schedule/).textContent()) ?? "")?.[0] ?? "";
  await sure.getByRole("textbox", { name: `Type ${number} to confirm` }).fill(number);
  await button(sure, /^Schedule/).click();
  await notification(page, /The batch is sent at .*2099/).waitFor();
  const batch = grid(page, "Batches")
    .getByRole("row", { name: /^summons/ })
    .first();
  await batch.getByText(/^Scheduled for .*2099/).waitFor();
  await batch.getByRole("button", { name: /^Stop/ }).click();
  await button(page.getByRole("alertdialog", { name: "Stop this batch?" }), "Stop").click();
  await notification(page, /mails were cancelled/).waitFor();
  await batch.getByText("Stopped").waitFor();
});

test("ADM-770 where mail is not configured, one notice says so and leads to the settings", async () => {
  await server.request("PUT", "/api/settings/smtp", { body: { ...mailbox.smtp, host: "" } });
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/mailer");
  await page.getByText("Mail is not configured").waitFor();
  await becomes(() => page.getByRole("link", { name: "Mail settings" }).getAttribute("href"), "/admin/settings/smtp");
});
