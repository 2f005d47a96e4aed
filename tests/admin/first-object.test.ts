// From an empty data directory to a published object, through the pages alone.

import { deepEqual, match } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { startServer } from "../harness.ts";
import { axe, newPage, screenshot } from "../support/browser.ts";
import { password } from "../support/sign-in.ts";

test("ADM-250 ADM-251 an empty installation is set up, gets a collection and a published object", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-first-"));
  const server = await startServer({ dataDir });
  try {
    const link = /\/setup\?token=\S+/.exec(`${server.stdout}\n${server.stderr}`)?.[0] ?? "";
    match(link, /^\/setup/);
    const page = await newPage(server);
    await page.goto(link);
    await page.getByLabel("Email").fill("ada@example.test");
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password again").fill(password);
    await page.getByRole("button", { name: "Create administrator" }).click();
    await page.getByRole("heading", { name: "Cairn is set up" }).waitFor();

    await page.goto("/admin/collections/-new");
    await page.getByRole("button", { name: "Create collection" }).click();
    await page.getByRole("alert").filter({ hasText: "3 fields need attention" }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Field notes");
    await becomes(() => page.getByRole("textbox", { name: "Id" }).inputValue(), "field-notes");
    const schema = page.getByRole("combobox", { name: "Schema" });
    await schema.fill("Blog");
    await page.getByRole("option", { name: /^Blog/ }).first().waitFor();
    await schema.press("Enter");
    await page.getByRole("textbox", { name: "Category" }).fill("Texts");
    await page.getByRole("textbox", { name: "Singular" }).fill("note");
    await page.getByRole("textbox", { name: "Plural" }).fill("notes");
    await screenshot(page, "new-collection");
    await page.getByRole("button", { name: "Create collection" }).click();
    await page.waitForURL("**/admin/collections/field-notes");

    await page.goto("/admin/collections/field-notes/-new");
    await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), "New note");
    await page.getByLabel("Title").fill("First stone");
    await page.getByRole("combobox", { name: "Author" }).fill("Ada");
    await page.getByRole("button", { name: "More ways to save" }).click();
    await page.getByRole("menuitem", { name: "Save and publish" }).click();
    await page.waitForURL("**/admin/collections/field-notes/first-stone");
    await page.getByRole("main").getByText("Published", { exact: true }).waitFor();
    const { title, author, draft } = (await server.request("GET", "/api/collections/field-notes/first-stone")).body
      .data;
    deepEqual([title, author, draft], ["First stone", "Ada", false]);
    await page.goto("/admin/collections/-new");
    await page.getByRole("button", { name: "Create collection" }).waitFor();
    await becomes(() => axe(page), []);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
