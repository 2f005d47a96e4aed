// The question for the password before a power change, over the page that makes it.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, looks, newPage, screenshot, setTheme } from "../support/browser.ts";
import { makeUser, type Person, password, signInAlone } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
before(async () => {
  server = await startServer();
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  ada = await signInAlone(server, "ada");
  // The refusals that the question answers.
  allowProblems(/status of 403/);
});
after(() => server.stop());

const question = (page: Page) => page.getByRole("dialog", { name: "Confirm your password" });
const keys = async () => (await server.request("GET", "/api/apikeys")).body.data.length;

test("PWR-16 PWR-17 making a key asks in place, and once in ten minutes; Cancel leaves the form", async () => {
  const page = await newPage(server, { as: ada, width: 360 });
  await page.goto("/admin/utils/api-keys");
  const before = await keys();
  const ask = async (name: string) => {
    await page.getByRole("button", { name: "New key", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("radio", { name: /^All endpoints/ }).check();
    await page.getByRole("button", { name: "Create key", exact: true }).click();
  };
  await ask("website");
  await question(page).waitFor();
  await becomes(() => axe(page), []);
  for (const { width, theme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await setTheme(page, theme);
    await screenshot(page, `confirm-power-${width}-${theme}`);
  }
  await page.keyboard.press("Escape");
  await page.getByText("Nothing was changed: this needs your password.").waitFor();
  await becomes(() => page.getByLabel("Name", { exact: true }).inputValue(), "website");
  equal(await keys(), before);

  await page.getByRole("button", { name: "Create key", exact: true }).click();
  const input = question(page).getByLabel("Password", { exact: true });
  await input.fill("wrong-horse-1");
  await page.keyboard.press("Enter");
  await question(page).getByText("not your present password").waitFor();
  await input.fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await becomes(keys, before + 1);

  await ask("second");
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await becomes(keys, before + 2);
  equal(await question(page).count(), 0);
});
