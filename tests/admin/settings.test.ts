// Settings of the installation in the admin.

import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, look, newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";

let server: Server;
let mailbox: Mailbox;
let ada: Person;

before(async () => {
  mailbox = await openMailbox();
  server = await startServer({ settings: { smtp: mailbox.smtp } });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

const smtp = async () => (await server.request("GET", "/api/settings/smtp")).body.data;

test("ADM-921 ADM-922 ADM-923 ADM-1000 ADM-1059 a setting is found, changed, refused, reset and tried", async () => {
  const page = await newPage(server, { as: ada });
  const control = (key: string) => page.locator(`[data-setting="${key}"]`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.goto("/admin/settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  const sections = page.getByRole("main").getByRole("link", { name: "Mail", exact: true });
  await sections.waitFor();
  await becomes(() => sections.count(), 1);
  await page.getByRole("searchbox", { name: "Find a setting" }).fill("smtp host");
  await page.getByRole("link", { name: "Host", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Mail" }).waitFor();
  await becomes(() => control("smtp.host").inputValue(), "127.0.0.1");
  await page.locator('[data-setting="smtp.host"]:focus').waitFor();

  // Wrong values stay, with the reason; nothing is stored.
  await control("smtp.fromName").fill("The guild");
  await control("smtp.maxPerHour").fill("many");
  await button("Save").click();
  await page.getByRole("alert").getByRole("link", { name: "Max per hour" }).waitFor();
  await becomes(() => control("smtp.maxPerHour").getAttribute("aria-invalid"), "true");
  await becomes(async () => (await smtp()).fromName, "Test site");
  await control("smtp.maxPerHour").fill("50");
  await control("smtp.password").fill("very-secret-2");
  await page.keyboard.press("Control+s");
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  const { fromName, maxPerHour } = await smtp();
  deepEqual([fromName, maxPerHour], ["The guild", 50]);
  await becomes(() => control("smtp.password").inputValue(), "");
  await becomes(async () => (await page.content()).includes("very-secret-2"), false);
  await look(page, "settings");
  await button("Reset Max per hour").click();
  await button("Reset Max per hour").waitFor({ state: "detached" });
  await becomes(async () => (await smtp()).maxPerHour, 0);

  // A password without a user is not used.
  await button("Send a test").click();
  const dialog = page.getByRole("dialog", { name: "Send a test" });
  await dialog.getByRole("textbox", { name: "To" }).fill("try@example.test");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The mail server has taken the mail to try@example.test.").waitFor();
  await mailbox.next("try@example.test");

  // What is typed is kept on this device, but no secret; somebody else's change to the same setting is asked about.
  await control("smtp.fromName").fill("Our guild");
  await control("smtp.password").fill("very-secret-3");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "MCP" }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Leave", exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name: "MCP" }).waitFor();
  await becomes(async () => (await page.evaluate(() => JSON.stringify(localStorage))).includes("very-secret-3"), false);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Mail", exact: true }).click();
  await page.getByText(/^Unsaved changes of .* were brought back$/).waitFor();
  await becomes(() => control("smtp.password").inputValue(), "");
  await server.request("PUT", "/api/settings/smtp", { body: { fromName: "Their guild" } });
  await button("Save").click();
  const conflict = page.getByRole("dialog", { name: "Changed by somebody else" });
  await conflict.getByText("Their guild").waitFor();
  await conflict.getByRole("button", { name: "Save choices" }).click();
  await conflict.waitFor({ state: "detached" });
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  await becomes(async () => (await smtp()).fromName, "Our guild");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "MCP" }).click();
  await page.getByRole("heading", { level: 1, name: "MCP" }).waitFor();
  await button("Test connection").waitFor();
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Sync" }).click();
  await page.getByRole("heading", { level: 1, name: "Sync" }).waitFor();
  await button("Test connection").click();
  await page.getByRole("dialog", { name: "Test connection" }).getByText("No remote is configured").waitFor();
});

test("REG-26 opening registration names what new users may do, and asks where they would read what is closed", async () => {
  await server.makeSchema({ id: "secret", properties: { id: { type: "slug" } }, required: ["id"] });
  await server.makeCollection({ id: "secrets", schema: "secret" });
  const page = await newPage(server, { as: ada });
  const auth = async () => (await server.request("GET", "/api/settings/auth")).body.data;
  await page.goto("/admin/settings/auth");
  const choose = async (list: string, name: string) => {
    const box = page.getByRole("combobox", { name: list, exact: true });
    await box.fill(name);
    await page.getByRole("option", { name, exact: true }).click();
  };
  await choose("Public registration", "auth");
  await page.getByText("New users are in the group member, which may do nothing beyond what is public.").waitFor();
  await choose("Registration groups", "viewer");
  await page.getByText("New users are in the groups member and viewer, which may do more than the public.").waitFor();

  const dialog = page.getByRole("alertdialog", { name: "Let everybody who registers read this?" });
  await page.keyboard.press("Control+s");
  await dialog.getByRole("listitem").filter({ hasText: "secrets" }).waitFor();
  await becomes(() => axe(page), []);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("alert").getByText("Nothing was saved: new users would read").waitFor();
  deepEqual((await auth()).publicRegistration, []);
  await page.keyboard.press("Control+s");
  await dialog.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await becomes(async () => (await auth()).registrationGroups, ["member", "viewer"]);

  await page.goto("/admin/utils/access-groups/member");
  await page.getByRole("textbox", { name: "Description" }).fill("Everybody");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved", { exact: true }).first().waitFor();
  equal((await server.request("GET", "/api/access-groups/member")).body.data.description, "Everybody");
});

test("ADM-1007 each setting has a label and a meaning in German, and each section a name", async () => {
  const { data } = (await server.request("GET", "/api/settings")).body as { data: { key: string; section: string }[] };
  const missing = (file: string, names: string[]) => {
    const text = readFileSync(join(import.meta.dirname, "../../admin/src/words", file), "utf8");
    const known = new Set([...text.matchAll(/^ +"?([\w.]+)"?: /gm)].map(([, name]) => name));
    return names.filter((name) => !known.has(name));
  };
  deepEqual(
    missing(
      "de/setting-texts.ts",
      data.map(({ key }) => key),
    ),
    [],
  );
  for (const language of ["en", "de"])
    deepEqual(
      missing(
        `${language}/site-settings.ts`,
        data.map(({ section }) => section),
      ),
      [],
    );
});
