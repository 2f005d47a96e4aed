// Several people and agents at one object: who is here, what they save, what is asked; and a server that is killed meanwhile.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { launch, type Server, startServer } from "../harness.ts";
import { connect } from "../mcp/tool-caller.ts";
import { allowProblems, axe, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let mia: Person;

before(async () => {
  server = await startServer({ settings: { mcp: { enabled: true } } });
  await server.makeSchema({
    id: "spot",
    properties: { town: { type: "string", field: "text", label: "Town" } },
  });
  await server.makeSchema({
    id: "note",
    formgrid: "title title\n--- Words\nbody body\n--- Place\nplace place",
    properties: {
      id: { $ref: "/schemas/properties/slug.json", field: "id", label: "Id" },
      title: { type: "string", field: "text", label: "Title" },
      body: { type: "string", field: "textarea", label: "Text" },
      place: { field: "card", label: "Place", schemaref: "spot" },
      tags: { type: "list", field: "list", label: "Tags" },
    },
    required: ["id", "title"],
    index: ["id", "title"],
  });
  await server.makeCollection({
    id: "notes",
    schema: "note",
    name: "Notes",
    labelSingular: "note",
    mcp: { access: "admin" },
  });
  await makeUser(server, "ada", ["admin"], { name: "Ada" });
  await makeUser(server, "mia", ["admin"], { name: "Mia Berg" });
  ada = await signIn(server, "ada");
  mia = await signIn(server, "mia");
});
after(() => server.stop());

async function put(id: string, more: object = {}): Promise<void> {
  const body = { id, title: `The ${id}`, body: "Some old words", place: { town: "Bern" }, ...more };
  const { status, text } = await server.request("POST", "/api/collections/notes", { body });
  equal(status, 201, text);
}

async function open(id: string, as = ada): Promise<Page> {
  const page = await newPage(server, { as });
  await page.goto(`/admin/collections/notes/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/notes/${id}`)).body.data;
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const stateIs = (page: Page, text: string) =>
  page.getByRole("status", { name: "Save state" }).getByText(text, { exact: true }).waitFor();
const notices = (page: Page) => page.getByRole("region", { name: "Notifications" });
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();
const change = (id: string, body: object) => mia.request("PATCH", `/api/collections/notes/${id}`, { body });

test("ADM-320 others that have the object open are named, also that they edit; what they save can be taken over", async () => {
  await put("shared");
  const here = (editing: boolean) => mia.request("PUT", "/api/presence/notes/shared", { body: { editing } });
  await here(true);
  const page = await open("shared");
  await page.getByRole("status", { name: "Others here" }).getByText("Mia Berg is editing").waitFor();
  await page.getByRole("complementary").getByText("Mia Berg, editing").waitFor();
  // Mia sees the same of Ada, from the first change on.
  const others = async () => (await here(true)).body.data.others;
  await becomes(async () => (await others())[0]?.name, "Ada");
  const told = page.waitForResponse((answer) => answer.url().includes("/api/presence/"));
  await page.getByLabel("Title").fill("Mine");
  await told;
  await becomes(async () => (await others())[0]?.editing, true);

  await change("shared", { body: "New words" });
  const asked = page.waitForResponse((answer) => answer.url().includes("/api/presence/"));
  await page.getByRole("button", { name: "Undo change to Title" }).click();
  await asked;
  const notice = page.getByRole("status").filter({ hasText: /Mia Berg saved this .+\./ });
  await notice.waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "together-newer");
  await page.getByLabel("Title").fill("Mine");
  await notice.getByRole("button", { name: "Take over changes" }).click();
  await notice.waitFor({ state: "detached" });
  await becomes(() => page.getByRole("textbox", { name: "Text" }).inputValue(), "New words");
  await becomes(() => page.getByLabel("Title").inputValue(), "Mine");
  await save(page);
  await stateIs(page, "All changes saved");
  await becomes(async () => [(await stored("shared")).title, (await stored("shared")).body], ["Mine", "New words"]);
  const left = page.waitForRequest((request) => request.method() === "DELETE");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Collections" }).click();
  await (await left).response();
  await becomes(() => others(), []);
});

test("ADM-321 a property that both have changed is asked for on Save, also after other changes were taken over", async () => {
  await put("both");
  const page = await open("both");
  await page.getByRole("textbox", { name: "Text" }).fill("My words");
  await change("both", { body: "Their new words", title: "Their title" });
  const asked = page.waitForResponse((answer) => answer.url().includes("/api/presence/"));
  await page.getByRole("button", { name: "Undo change to Text" }).click();
  await asked;
  await page.getByRole("textbox", { name: "Text" }).fill("Some my words");
  await page.getByRole("button", { name: "Take over changes" }).click();
  await notices(page).getByText("You both changed Text. Save asks which one stays.").waitFor();
  await becomes(() => page.getByLabel("Title").inputValue(), "Their title");
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Changed by somebody else" });
  const group = dialog.getByRole("group", { name: "Text" });
  await group.waitFor();
  await becomes(() => dialog.getByRole("group").count(), 1);
  await becomes(() => group.locator("ins").allTextContents(), ["added Their new", "added my"]);
  await becomes(() => group.locator("del").allTextContents(), ["removed Some old", "removed old"]);
  await group.getByRole("radio", { name: "Theirs" }).check();
  await group.getByRole("button", { name: "Edit Text" }).click();
  await group.getByRole("textbox", { name: "Text as it is saved" }).fill("Our words");
  await becomes(() => axe(page), []);
  await screenshot(page, "together-conflict");
  await dialog.getByRole("button", { name: "Save choices" }).click();
  await stateIs(page, "All changes saved");
  await becomes(async () => [(await stored("both")).title, (await stored("both")).body], ["Their title", "Our words"]);
});

test("ADM-322 an agent's save through MCP merges without a question, and Show leads to what it changed", async () => {
  await put("agent");
  const page = await open("agent");
  await page.getByLabel("Title").fill("By hand");
  const agent = await connect(server, { authorization: `Bearer ${server.key}` });
  await agent.ask("patch_object", { collection: "notes", id: "agent", data: { place: { town: "Thun" } } });
  await save(page);
  await notices(page).getByText("Saved together with changes to Place").waitFor();
  await notices(page).getByRole("button", { name: "Show" }).click();
  await hasFocus(page.getByRole("group", { name: "Place" }).getByRole("textbox", { name: "Town" }));
  await becomes(() => page.getByRole("textbox", { name: "Town" }).inputValue(), "Thun");
  const { title, place } = await stored("agent");
  deepEqual([title, place], ["By hand", { town: "Thun" }]);
});

test("ADM-323 in a second tab the same person's changes merge by property; cards that both have changed are shown readably", async () => {
  await put("tabs");
  const first = await open("tabs");
  const second = await first.context().newPage();
  await second.goto("/admin/collections/notes/tabs");
  await second.getByRole("textbox", { name: "Town" }).fill("Thun");
  await save(second);
  await stateIs(second, "All changes saved");
  await first.getByRole("textbox", { name: "Text" }).fill("From the first tab");
  await first.getByRole("textbox", { name: "Town" }).fill("Chur");
  await save(first);
  const dialog = first.getByRole("dialog", { name: "Changed by somebody else" });
  const group = dialog.getByRole("group", { name: "Place" });
  await group.getByText("Town: Bern").waitFor();
  await group.getByRole("radio", { name: "Theirs" }).check();
  await dialog.getByRole("button", { name: "Save choices" }).click();
  await stateIs(first, "All changes saved");
  const { body, place } = await stored("tabs");
  deepEqual([body, place], ["From the first tab", { town: "Thun" }]);
});

test("ADM-324 [ and ] lead to the previous and the next object of the list, and the outline to its headings", async () => {
  const page = await newPage(server, { as: ada });
  for (const id of ["list-1", "list-2", "list-3"]) await put(id, { title: id });
  await page.goto("/admin/collections/notes?search=list&sort=title");
  await page.getByRole("link", { name: "list-2" }).click();
  // The page knows its neighbours once its object is there.
  const isAt = async (name: string) => {
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.locator("main[aria-busy=false]").waitFor();
  };
  await isAt("list-2");
  const outline = page.getByRole("navigation", { name: "Outline" });
  await outline.getByRole("link", { name: "Place" }).click();
  await hasFocus(page.getByRole("heading", { name: "Place" }));
  await page.keyboard.press("]");
  await isAt("list-3");
  await page.keyboard.press("[");
  await isAt("list-2");
  await page.keyboard.press("[");
  await isAt("list-1");
});

test("ADM-325 a server that is killed while it saves: nothing typed is lost, and it is stored once", async () => {
  await put("killed");
  allowProblems(/ERR_FAILED|ERR_CONNECTION|ERR_EMPTY_RESPONSE/);
  const page = await open("killed");
  await page.getByLabel("Title").fill("Typed before");
  await page.getByRole("textbox", { name: "Town" }).fill("Thun");
  const { port } = new URL(server.url);
  // It stores the change and dies before it answers.
  await page.route("**/api/collections/notes/killed", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await becomes(async () => (await route.fetch()).status(), 200);
    await server.kill();
    return route.abort();
  });
  await save(page);
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
  await becomes(() => page.getByLabel("Title").inputValue(), "Typed before");
  await page.unroute("**/api/collections/notes/killed");
  const again = await launch(["serve", "--port", port], server.env);
  try {
    const { modified } = await stored("killed");
    await save(page);
    await stateIs(page, "All changes saved");
    const now = await stored("killed");
    deepEqual([now.title, now.place, now.modified], ["Typed before", { town: "Thun" }, modified]);
  } finally {
    await again.end("SIGTERM");
    await server.restart();
  }
});
