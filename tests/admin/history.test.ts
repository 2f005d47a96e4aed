// The history of content in the admin: its switch, versions, the trash, and undoing what somebody wrote.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, newPage, screenshot } from "../support/browser.ts";
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

/** Axe in both themes, and pictures where they are kept. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"]) {
    await page.locator("html").evaluate((html: { setAttribute(name: string, value: string): void }, wanted) => {
      html.setAttribute("data-theme", wanted);
    }, theme);
    await becomes(() => axe(page), []);
    if (process.env.CAIRN_SCREENSHOTS)
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await screenshot(page, `${name}-${theme}-${width}`);
      }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const make = (body: object) => ada.request("POST", "/api/collections/notes", { body });
const stored = async (id: string) => (await server.request("GET", `/api/collections/notes/${id}`)).body.data;

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

test("ADM-1206 ADM-1207 what a key wrote is planned with its conflicts, and taken back by a job", async () => {
  const made = (
    await ada.request("POST", "/api/apikeys", {
      body: { name: "Feed", methods: ["GET", "POST", "PATCH"], endpoints: ["*"] },
    })
  ).body.data;
  const byKey = (method: string, path: string, body: object) => server.request(method, path, { key: made.key, body });
  await make({ id: "mine", title: "Mine", body: "By ada" });
  await byKey("PATCH", "/api/collections/notes/mine", { title: "Changed", body: "By the key" });
  await byKey("POST", "/api/collections/notes", { id: "shared", title: "By the key" });
  await ada.request("PATCH", "/api/collections/notes/shared", { body: { body: "Edited by ada" } });
  const page = await open("/admin/utils/api-keys");
  const row = page.getByRole("row", { name: "Feed", exact: true });
  await row.getByRole("button", { name: "Undo what it wrote…" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo" });
  const plan = dialog.getByRole("grid", { name: "Plan" });
  await plan.getByRole("row", { name: "notes/shared" }).getByText("Others changed it").waitFor();
  await plan.getByRole("row", { name: "notes/mine" }).getByText("Put back").waitFor();
  await dialog.getByRole("button", { name: "Undo 1 change", exact: true }).waitFor();
  await plan.getByRole("button", { name: "Properties of notes/mine" }).click();
  await dialog.getByText("After the undo").first().waitFor();
  await look(page, "history-undo");
  await plan.getByRole("checkbox", { name: "Undo shared anyway" }).check();
  await dialog.getByRole("button", { name: "Undo 2 changes" }).click();
  await dialog.getByText("What it wrote was taken back").waitFor();
  const { title, body } = await stored("mine");
  deepEqual([title, body], ["Mine", "By ada"]);
  equal((await server.request("GET", "/api/collections/notes/shared")).status, 404);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});
