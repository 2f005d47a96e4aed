// The history of content in the admin.

import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({
    id: "note",
    properties: {
      id: { $ref: "slug", label: "Id" },
      title: { ...text, label: "Title" },
      body: { type: "string", field: "textarea", label: "Body" },
      tags: { type: "list", field: "list", label: "Tags" },
    },
    required: ["title"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "notes", schema: "note", name: "Notes", labelSingular: "note", history: "full" });
  await server.makeCollection({ id: "plain", schema: "note", name: "Plain" });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

async function open(path: string): Promise<Page> {
  const page = await newPage(server, { as: ada });
  await page.goto(path);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

test("ADM-1200 the settings of a collection switch its history, and leave it to the installation", async () => {
  const historyOf = async () =>
    (await ada.request("GET", "/api/admin")).body.data.collections.find(({ id }: { id: string }) => id === "plain")
      .history;
  const page = await open("/admin/collections/plain/-settings");
  const box = page.getByRole("combobox", { name: "History", exact: true });
  await box.fill("everything");
  await box.press("Enter");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await becomes(historyOf, "full");
  await box.fill("");
  await box.press("Enter");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await becomes(historyOf, "off");
});
