// Where the admin offers what extensions add to choose from: field kinds in the schema editor, actions of forms, steps of pages.

import { equal } from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { newPage } from "../support/browser.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

const code = `export function register(cairn) {
  cairn.formAction("crm", async () => {});
  cairn.pageStep("guard", async () => "go");
}`;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await makeUser(server, "ada", ["admin"], { name: "Ada" });
  ada = await signIn(server, "ada");
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/map",
    manifest: {
      name: "Map",
      contributes: {
        fields: [{ kind: "place", title: "Place", type: "json" }],
        formActions: [{ name: "crm", title: "Send to CRM" }],
        pageSteps: [{ name: "guard", title: "Guard the page" }],
        templates: "templates",
      },
    },
    files: { "index.ts": code, "templates/plain.liquid": "Hello" },
  });
  await enableExtension(server, "acme/map");
  const properties = { id: { field: "id" }, name: { field: "text" }, lost: { type: "json", field: "acme/gone:kind" } };
  await server.makeSchema({ id: "town", title: "Town", properties, index: ["id"] });
  const forms = { contact: { fields: ["name"], actions: [{ type: "webhook", url: "https://example.org/" }] } };
  await server.makeCollection({ id: "towns", name: "Towns", schema: "town", forms });
});
after(() => server.stop());

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

test("XADM-7 the schema editor offers kinds of extensions, and keeps one whose extension is not on", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/schemas/town");
  await page.getByRole("button", { name: "Add property" }).click();
  const dialog = page.getByRole("dialog", { name: "Add property" });
  await dialog.getByRole("combobox", { name: "Field kind" }).fill("Place");
  await page.getByRole("option", { name: /Place/ }).click();
  await dialog.getByRole("textbox", { name: "Label", exact: true }).fill("Where");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("list", { name: "Properties" }).getByRole("listitem", { name: "lost", exact: true }).click();
  const kind = page
    .getByRole("region", { name: "Property", exact: true })
    .getByRole("combobox", { name: "Field kind" });
  await becomes(() => kind.inputValue(), "acme/gone:kind");
  await save(page);
  const stored = async () => (await server.request("GET", "/api/schemas/town?raw=true")).body.properties;
  await becomes(async () => (await stored()).where?.field ?? "", "acme/map:place");
  equal((await stored()).lost.field, "acme/gone:kind");
  equal(/json/.test(JSON.stringify((await stored()).where)), true);
});

test("XADM-8 forms offer actions of extensions, and pages offer steps", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/towns/-settings");
  await page.getByRole("tab", { name: "Forms", exact: true }).click();
  const action = page.getByRole("group", { name: "Action 1" });
  await action.getByRole("combobox", { name: "Type" }).fill("extension");
  await page.getByRole("option", { name: /action of an extension/ }).click();
  await action.getByRole("combobox", { name: "Action of an extension" }).fill("CRM");
  await page.getByRole("option", { name: /Send to CRM/ }).click();
  await save(page);
  const stored = async () => (await server.request("GET", "/api/collections/towns/settings")).text;
  await becomes(async () => /"extension":"acme\/map","name":"crm"/.test(await stored()), true);

  const body = { id: "home", title: "Home", route: "/home", template: "ext/acme/map/plain" };
  equal((await server.request("POST", "/api/collections/builder-pages", { body })).status, 201);
  await page.goto("/admin/collections/builder-pages/home");
  await page.getByRole("checkbox", { name: /Guard the page/ }).check();
  await save(page);
  const steps = async () => (await server.request("GET", "/api/collections/builder-pages/home")).body.data.middleware;
  await becomes(async () => String(await steps()), "acme/map:guard");
});
