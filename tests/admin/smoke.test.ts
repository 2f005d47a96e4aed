// The pages open in a browser at all, on both engines.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
before(async () => {
  server = await startServer();
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

test("OAU-37 a visitor without a session signs in and comes back to the page they asked for", async () => {
  const page = await newPage(server);
  await page.goto("/account/connections");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("textbox", { name: "mail" }).fill("ada@example.test");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/account/connections");
});

test("ADM-3 a page of the admin leads to the login, and back after signing in", async () => {
  const page = await newPage(server);
  await page.goto("/admin/collections");
  await page.waitForURL(/\/admin\/login\?/);
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.test");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await becomes(() => axe(page), []);
  await screenshot(page, "smoke-login");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/admin/collections");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
});

test("ADM-3 a visitor with a session sees the page at once", async () => {
  const page = await newPage(server, { as: ada, width: 1440, theme: "dark" });
  await page.goto("/admin");
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  equal(new URL(page.url()).pathname, "/admin");
});
