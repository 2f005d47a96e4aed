// The page of an object beside its form, live, and an address of it for others; in Chromium.

import { equal, match } from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer();
  const properties = {
    id: { type: "slug" },
    title: { type: "string" },
    draft: { type: "boolean", field: "toggle" },
  };
  await server.makeSchema({ id: "story", properties, index: ["id", "title"] });
  const shown = { url: "/stories", prettyUrl: true, publicOperations: ["read"] };
  await server.makeCollection({ id: "stories", name: "Stories", schema: "story", ...shown });
  await server.makeCollection({ id: "notes", name: "Notes", schema: "story" });
  for (const collection of ["stories", "notes"])
    await server.request("POST", `/api/collections/${collection}`, {
      body: { id: "hut", title: "A hut", draft: true },
    });
  const template =
    "<!doctype html><html lang='en'><head><title>{{ object.title }}</title></head><body><h1>{{ object.title }}</h1>" +
    "<details><summary>More</summary><p>Old stones</p></details></body></html>";
  await server.request("PUT", "/api/templates/pages/stories", { body: { template } });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

test("ADM-1040, ADM-1041, ADM-1042, PREV-6, PREV-7 what is typed is seen in the page beside the form, and an address of it can be shared", async () => {
  await becomes(async () => (await server.request("GET", "/stories/hut", { key: null })).status, 404);
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/notes/hut");
  await page.locator("main[aria-busy=false]").waitFor();
  await becomes(() => page.getByRole("button", { name: "Preview", exact: true }).count(), 0);

  await page.goto("/admin/collections/stories/hut");
  await page.locator("main[aria-busy=false]").waitFor();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const pane = page.getByRole("region", { name: "Preview", exact: true });
  const shown = page.frameLocator('iframe[title="Preview of A hut"]');
  await shown.getByRole("heading", { name: "A hut" }).waitFor();
  await shown.getByText("More").click();
  await page.getByRole("textbox", { name: "Title" }).fill("A hut & stones");
  await shown.getByRole("heading", { name: "A hut & stones" }).waitFor();
  // The first key is shown at once; the last state wins, however many follow.
  await page.getByRole("textbox", { name: "Title" }).press("End");
  await page.keyboard.type(" on a hill");
  await shown.getByRole("heading", { name: "A hut & stones on a hill" }).waitFor();
  // What was opened in the page stays open, and nothing was saved.
  await shown.getByText("Old stones").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/stories/hut")).body.data.title, "A hut");

  const frame = page.locator("iframe");
  await becomes(() => frame.getAttribute("sandbox"), "allow-scripts allow-forms allow-popups");
  await pane.getByRole("radiogroup", { name: "Width" }).getByRole("radio", { name: "Phone" }).click();
  await becomes(() => frame.evaluate((element) => Math.round(element.getBoundingClientRect().width)), 390);
  await screenshot(page, "preview-pane");
  await becomes(async () => (await axe(page, "main")).join("\n"), "");

  await pane.getByRole("button", { name: "Share preview" }).click();
  const dialog = page.getByRole("dialog", { name: "Share preview" });
  await dialog.getByRole("combobox", { name: "Valid for" }).waitFor();
  await dialog.getByRole("button", { name: "Make address" }).click();
  const address = await dialog.getByRole("textbox", { name: "Address" }).inputValue();
  match(address, /\/stories\/hut\?_preview=[\w-]{43}$/);
  const path = address.slice(server.url.length);
  const stranger = await server.request("GET", path, { key: null });
  equal(stranger.status, 200);
  // The address shows what is saved, not what its maker is typing.
  match(stranger.text, /<h1>A hut<\/h1>/);
  equal(stranger.headers.get("cache-control"), "no-store");
  equal(stranger.headers.get("x-robots-tag"), "noindex, nofollow");
  await dialog.getByRole("button", { name: "End sharing" }).click();
  await dialog.getByRole("button", { name: "Make address" }).waitFor();
  await becomes(async () => (await server.request("GET", path, { key: null })).status, 404);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await pane.getByRole("button", { name: "Close preview" }).click();
  await becomes(() => page.locator("iframe").count(), 0);
});
