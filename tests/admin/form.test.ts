// The form of an object: made, changed, refused, kept, brought back, merged, read.

import { deepEqual, equal, match } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page, Request } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, looks, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { event } from "../support/event-schema.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer();
  await server.makeSchema(event);
  await server.makeCollection({
    id: "events",
    schema: "event",
    name: "Events",
    labelSingular: "event",
    url: "/events",
  });
  await makeUser(server, "ada", ["admin"]);
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["events"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

async function put(id: string, more: object = {}): Promise<void> {
  const { status, text } = await server.request("POST", "/api/collections/events", {
    body: { id, title: `The ${id}`, ...more },
  });
  equal(status, 201, text);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/events/${id}`)).body.data;
}

async function open(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/events/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

const state = (page: Page) => page.getByRole("status", { name: "Save state" });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();

async function stateIs(page: Page, text: string): Promise<void> {
  await state(page).getByText(text, { exact: true }).waitFor();
}

test("ADM-230 a new object is written, stored with Save and opened under its id, and the focus stays", async () => {
  const page = await open("-new");
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), "New event");
  await becomes(() => page.title(), "New event · Cairn");
  await page.getByLabel("Title").fill("First steps");
  await stateIs(page, "1 unsaved change");
  await page.getByLabel("Text").fill("One\nTwo");
  await stateIs(page, "2 unsaved changes");
  await save(page);
  await page.waitForURL("**/admin/collections/events/first-steps");
  await stateIs(page, "All changes saved");
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), "First steps");
  await hasFocus(page.getByRole("button", { name: "Save", exact: true }));
  const { title, body, draft } = await stored("first-steps");
  deepEqual([title, body, draft], ["First steps", "One\nTwo", false]);
});

for (const { width, theme } of looks)
  test(`ADM-231 axe finds nothing in a form, ${width} px, ${theme}`, async () => {
    const id = `shown-${width}-${theme}`;
    await put(id, {
      kind: "talk",
      seats: 12,
      price: 2.5,
      day: "2027-03-03",
      start: "2027-03-03T18:30:00Z",
      body: "Some text",
      content: "<p>Bold <b>words</b></p>",
      tags: ["a", "b"],
      site: "https://example.org",
      isOnline: true,
    });
    const page = await open(id, { width, theme });
    await becomes(() => axe(page), []);
    await screenshot(page, `form-${width}-${theme}`);
    await page.getByLabel("Title").fill("");
    await page.getByLabel("Seats").fill("500");
    await save(page);
    await page.getByRole("alert").filter({ hasText: "2 fields need attention" }).waitFor();
    await becomes(() => axe(page), []);
    await screenshot(page, `form-errors-${width}-${theme}`);
  });

/** What the page sends while `work` is done. */
async function sentBy(page: Page, method: string, work: () => Promise<void>): Promise<Request[]> {
  const sent: Request[] = [];
  const note = (request: Request) => void (request.method() === method && sent.push(request));
  page.on("request", note);
  await work();
  page.off("request", note);
  return sent;
}

test("ADM-225 ADM-228 ADM-232 a change is a PATCH of the changed properties with If-Match; every kind is edited and read back", async () => {
  const more = { content: "<p>Kept</p>", tags: ["x"], place: { lat: 1 }, secret: "s", price: 2 };
  await put("kinds", { kind: "walk", ...more });
  const page = await open("kinds");
  await page.getByLabel("Title").fill("Changed title");
  await page.getByRole("textbox", { name: "Text" }).fill("Line 1\nLine 2");
  await page.getByRole("textbox", { name: "Seats" }).fill("7");
  await becomes(() => page.getByText("14", { exact: true }).count(), 1);
  await page.getByRole("combobox", { name: "Kind" }).fill("A t");
  await becomes(() => page.getByLabel("Room").count(), 0);
  await page.getByRole("option", { name: "A talk" }).waitFor();
  await page.getByRole("combobox", { name: "Kind" }).press("Enter");
  await page.getByRole("textbox", { name: "Room" }).fill("Hall");
  await page.getByRole("checkbox", { name: "Open" }).check();
  await page.getByRole("switch", { name: "Online" }).check();
  await page.getByRole("textbox", { name: "Mail" }).fill("ada@example.org");
  await page.getByRole("textbox", { name: "Site" }).fill("https://example.org/");
  await page.getByRole("group", { name: "Day" }).getByRole("spinbutton").first().focus();
  await page.keyboard.type("3152027");
  await page.getByRole("group", { name: "Start" }).getByRole("spinbutton").first().focus();
  await page.keyboard.type("3162027630PM");
  await stateIs(page, "11 unsaved changes");
  await becomes(() => page.getByLabel("Hidden").count(), 0);
  const [patch] = await sentBy(page, "PATCH", async () => {
    await save(page);
    await stateIs(page, "All changes saved");
  });
  const changed = {
    ...{ title: "Changed title", body: "Line 1\nLine 2", seats: 7, kind: "talk", room: "Hall", isOpen: true },
    ...{ isOnline: true, mail: "ada@example.org", site: "https://example.org/" },
    ...{ day: "2027-03-15T00:00:00.000Z", start: "2027-03-16T18:30:00.000Z" },
  };
  deepEqual(patch?.postDataJSON(), changed);
  match((await patch?.allHeaders())?.["if-match"] ?? "", /^"/);
  const { id, created, modified, updated, total, draft, ...rest } = await stored("kinds");
  deepEqual(rest, { ...changed, ...more });
  equal(total, 14);
  await page.getByRole("textbox", { name: "Seats" }).fill("");
  await page
    .getByRole("group", { name: "Day" })
    .getByRole("button", { name: /^Calendar/ })
    .click();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByRole("checkbox", { name: "Open" }).uncheck();
  await save(page);
  await stateIs(page, "All changes saved");
  const emptied = await stored("kinds");
  deepEqual([emptied.seats, emptied.day, emptied.isOpen], [undefined, "", false]);
});

test("ADM-233 opening and saving a form does not touch what it cannot edit", async () => {
  const more = { content: '<p class="x">Kept</p>', tags: ["b", "a"], place: { deep: [1, { two: null }] }, secret: "s" };
  await put("untouched", more);
  const before = await stored("untouched");
  const page = await open("untouched");
  await page.getByRole("textbox", { name: "Content" }).getByText("Kept").waitFor();
  const idle = await sentBy(page, "PATCH", async () => {
    await save(page);
    await page.getByRole("region", { name: "Notifications" }).getByText("There is nothing to save").waitFor();
  });
  equal(idle.length, 0);
  await page.getByLabel("Title").fill("New title");
  await save(page);
  await stateIs(page, "All changes saved");
  const { title: _t, modified: _m, updated: _u, ...now } = await stored("untouched");
  const { title: _t2, modified: _m2, updated: _u2, ...then } = before;
  deepEqual(now, then);
});

test("ADM-224 ADM-234 what is wrong is named above the form with a link to each field; the server's words land on theirs", async () => {
  await put("taken", { title: "Taken" });
  const page = await open("-new");
  await page.getByRole("textbox", { name: "Site" }).fill("nowhere");
  await page.getByRole("textbox", { name: "Seats" }).fill("a few");
  const none = await sentBy(page, "POST", async () => {
    await save(page);
    await page.getByRole("alert").filter({ hasText: "3 fields need attention" }).waitFor();
  });
  equal(none.filter((request) => request.url().includes("/collections/")).length, 0);
  await stateIs(page, "Not saved: 3 fields need attention");
  await hasFocus(page.getByRole("alert").filter({ hasText: "attention" }));
  await page.getByRole("alert").getByRole("link", { name: "Seats" }).click();
  const seats = page.getByRole("textbox", { name: "Seats" });
  await hasFocus(seats);
  await becomes(() => seats.getAttribute("aria-invalid"), "true");
  await becomes(() => seats.inputValue(), "a few");
  await seats.fill("5");
  await page.getByRole("textbox", { name: "Site" }).fill("https://example.org");
  await page.getByLabel("Title").fill("New");
  await page.getByRole("textbox", { name: "Id" }).fill("taken");
  await save(page);
  await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Id" }).getAttribute("aria-invalid"), "true");
  await becomes(() => page.getByLabel("Title").inputValue(), "New");
});

test("ADM-222 ADM-235 a change can be undone alone, and all can be discarded", async () => {
  await put("undone");
  const page = await open("undone");
  await page.getByLabel("Title").fill("Other");
  await page.getByRole("textbox", { name: "Text" }).fill("Words");
  await page.getByRole("button", { name: "Undo change to Title" }).click();
  await stateIs(page, "1 unsaved change");
  await becomes(() => page.getByLabel("Title").inputValue(), "The undone");
  await hasFocus(page.getByLabel("Title"));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Discard changes" }).click();
  await stateIs(page, "All changes saved");
  await becomes(() => page.getByRole("textbox", { name: "Text" }).inputValue(), "");
});

test("ADM-226 ADM-236 unsaved changes come back after a reload and after a crash of the tab, and can be discarded", async () => {
  await put("kept");
  const page = await open("kept");
  await page.getByLabel("Title").fill("Half written");
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("cairn:kept:")));
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page
    .getByRole("status")
    .filter({ hasText: /Unsaved changes of .+ were brought back/ })
    .waitFor();
  await becomes(() => page.getByLabel("Title").inputValue(), "Half written");
  await stateIs(page, "1 unsaved change");

  // A second tab leaves what the first has open alone.
  const second = await page.context().newPage();
  await second.goto("/admin/collections/events/kept");
  await becomes(() => second.getByLabel("Title").inputValue(), "The kept");
  await page.close({ runBeforeUnload: false });

  const third = await page.context().newPage();
  await third.goto("/admin/collections/events/kept");
  await third.getByRole("status").filter({ hasText: "were brought back" }).waitFor();
  await becomes(() => third.getByLabel("Title").inputValue(), "Half written");
  await screenshot(third, "kept");
  await third.getByRole("button", { name: "Discard changes" }).click();
  await stateIs(third, "All changes saved");
  await becomes(() => third.getByLabel("Title").inputValue(), "The kept");
  const keptOf = () => Object.keys(localStorage).filter((key) => key.startsWith("cairn:kept:")).length;
  await becomes(() => third.evaluate(keptOf), 0);
});

test("ADM-237 a page with unsaved changes asks before it is left", async () => {
  await put("left");
  const page = await open("left");
  await page.getByLabel("Title").fill("Not yet");
  const leave = () => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Collections" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await leave();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await dialog.waitFor({ state: "detached" });
  equal(new URL(page.url()).pathname, "/admin/collections/events/left");
  await leave();
  await dialog.getByRole("button", { name: "Leave", exact: true }).click();
  // The address comes before the page: who goes back in between has not left the form.
  await page.getByRole("heading", { level: 1, name: "Collections" }).waitFor();
  await becomes(async () => (await stored("left")).title, "The left");
  await page.goBack();
  await page.getByRole("status").filter({ hasText: "were brought back" }).waitFor();
  await becomes(() => page.getByLabel("Title").inputValue(), "Not yet");
  await leave();
  await dialog.getByRole("button", { name: "Save and leave" }).click();
  await page.waitForURL("**/admin/collections");
  await becomes(async () => (await stored("left")).title, "Not yet");
});

test("ADM-227 ADM-238 somebody else's changes of other properties are kept; of the same one a dialog asks", async () => {
  await put("shared", { body: "Before" });
  const page = await open("shared");
  const patch = (body: object) => server.request("PATCH", "/api/collections/events/shared", { body });
  await page.getByLabel("Title").fill("Mine");
  await patch({ body: "Theirs" });
  await save(page);
  await page.getByRole("region", { name: "Notifications" }).getByText("Saved together with changes to Text").waitFor();
  const { title, body } = await stored("shared");
  deepEqual([title, body], ["Mine", "Theirs"]);
  await becomes(() => page.getByRole("textbox", { name: "Text" }).inputValue(), "Theirs");

  await page.getByLabel("Title").fill("Mine again");
  await page.getByRole("textbox", { name: "Text" }).fill("My words");
  await patch({ title: "Their title", body: "Their words" });
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Changed by somebody else" });
  await dialog.getByRole("group", { name: "Title" }).getByRole("radio", { name: "Theirs" }).check();
  await dialog.getByRole("group", { name: "Text" }).getByRole("radio", { name: "Yours" }).check();
  await becomes(() => axe(page), []);
  await screenshot(page, "conflict");
  await dialog.getByRole("button", { name: "Save choices" }).click();
  await stateIs(page, "All changes saved");
  const merged = await stored("shared");
  deepEqual([merged.title, merged.body], ["Their title", "My words"]);
});

test("ADM-239 changes that were brought back over a newer object do not overwrite it", async () => {
  await put("older", { body: "Before" });
  const page = await open("older");
  await page.getByLabel("Title").fill("Mine");
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("cairn:kept:")));
  page.on("dialog", (dialog) => void dialog.accept());
  await server.request("PATCH", "/api/collections/events/older", { body: { title: "Theirs" } });
  await page.reload();
  await page.getByRole("status").filter({ hasText: "were brought back" }).waitFor();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Changed by somebody else" });
  await dialog.getByRole("button", { name: "Discard mine" }).click();
  await stateIs(page, "All changes saved");
  await becomes(() => page.getByLabel("Title").inputValue(), "Theirs");
});

test("ADM-240 a session that ends over a half-filled form: signing in again sends what was typed, once", async () => {
  await put("away");
  const eve = await signIn(server, "ada");
  const page = await open("away", { as: eve });
  await page.getByLabel("Title").fill("Typed before");
  await eve.request("POST", "/api/auth/logout");
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("away")).title, "Typed before");
});

test("ADM-241 callers who may only read see values as text beside their labels, and nothing to save", async () => {
  await put("read", { body: "Words to read", isOpen: true, content: "<p>Rich</p>" });
  const page = await open("read", { as: vic });
  await page.getByText("Words to read").waitFor();
  await becomes(() => page.getByRole("button", { name: "Save" }).count(), 0);
  await becomes(() => page.getByRole("textbox").count(), 0);
  await becomes(() => page.getByRole("status", { name: "Save state" }).count(), 0);
  await page.getByRole("button", { name: "More actions" }).click();
  await becomes(() => page.getByRole("menuitem").allTextContents(), ["Open page", "Copy id", "Copy API address"]);
  await page.keyboard.press("Escape");
  await becomes(() => axe(page), []);
  await screenshot(page, "read-only");
  await page.goto("/admin/collections/events/-new");
  await page.getByRole("heading", { level: 1, name: "You may not see this page" }).waitFor();
});

test("ADM-242 an object is deleted, duplicated and saved as a copy", async () => {
  await put("origin", { body: "Words" });
  const page = await open("origin");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const dialog = page.getByRole("dialog", { name: "Duplicate The origin" });
  await dialog.getByRole("textbox", { name: "New id" }).fill("origin");
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await dialog.getByRole("textbox", { name: "New id" }).and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog.getByRole("textbox", { name: "New id" }).fill("twin");
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await page.waitForURL("**/admin/collections/events/twin");
  await becomes(async () => (await stored("twin")).body, "Words");

  await page.getByLabel("Title").fill("A copy");
  await page.getByRole("button", { name: "More ways to save" }).click();
  await page.getByRole("menuitem", { name: "Save as copy" }).click();
  const copy = page.getByRole("dialog", { name: "Save as copy" });
  await copy.getByRole("textbox", { name: "New id" }).fill("third");
  await copy.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/admin/collections/events/third");
  await becomes(async () => [(await stored("twin")).title, (await stored("third")).title], ["The origin", "A copy"]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete A copy?" });
  await question.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/admin/collections/events");
  await page.getByRole("status").filter({ hasText: "Deleted" }).waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/events/third")).status, 404);
});

test("ADM-229 ADM-243 the JSON tab edits the object; what is not JSON stays and is not stored", async () => {
  await put("text", { tags: ["a"] });
  const page = await open("text?tab=json");
  const json = page.getByRole("textbox", { name: "JSON" });
  const value = JSON.parse((await json.textContent()) ?? "");
  deepEqual([value.id, value.tags], ["text", ["a"]]);
  await json.fill("{ nothing");
  await save(page);
  await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
  await becomes(() => json.getAttribute("aria-invalid"), "true");
  await page.getByRole("tab", { name: "Form" }).click();
  await becomes(() => json.textContent(), "{ nothing");
  await json.fill(JSON.stringify({ ...value, title: "By hand", tags: ["b", "c"] }));
  await save(page);
  await stateIs(page, "All changes saved");
  const { title, tags } = await stored("text");
  deepEqual([title, tags], ["By hand", ["b", "c"]]);
  await page.getByRole("tab", { name: "Form" }).click();
  await becomes(() => page.getByLabel("Title").inputValue(), "By hand");
  equal(new URL(page.url()).search, "");
});

test("ADM-244 by the keyboard alone: drafts, Ctrl+S, Ctrl+Enter and the ways to save", async () => {
  const page = await open("-new");
  await page.getByLabel("Title").focus();
  await page.keyboard.type("Typed");
  await page.keyboard.press("Control+s");
  await page.waitForURL("**/admin/collections/events/typed");
  await stateIs(page, "All changes saved");
  await page.getByText("Published", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More ways to save" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Save as draft" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByText("Draft", { exact: true }).first().waitFor();
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("typed")).draft, true);
  await page.getByRole("textbox", { name: "Text" }).focus();
  await page.keyboard.type("More");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL("**/admin/collections/events");
  await becomes(async () => (await stored("typed")).body, "More");
});

test("ADM-245 a server that is away: the reason is said, nothing is lost, and Save works when it is back", async () => {
  await put("lost");
  allowProblems(/ERR_FAILED/);
  const page = await open("lost");
  await page.getByLabel("Title").fill("Still here");
  await page.route("**/api/collections/events/lost", (route) => route.abort());
  await save(page);
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
  await stateIs(page, "Not saved");
  await page.unroute("**/api/collections/events/lost");
  await page.route("**/api/collections/events/lost", (route) =>
    route.fulfill({ status: 413, json: { error: { code: 413, message: "The body is too large." } } }),
  );
  await save(page);
  await page.getByRole("alert").filter({ hasText: "too large for the server" }).waitFor();
  await becomes(() => page.getByLabel("Title").inputValue(), "Still here");
  await page.unroute("**/api/collections/events/lost");
  await save(page);
  await stateIs(page, "All changes saved");
  await becomes(async () => (await stored("lost")).title, "Still here");
});

test("ADM-1009 a new object whose answer was lost is not made twice", async () => {
  allowProblems(/ERR_FAILED/);
  const page = await open("-new");
  await page.getByLabel("Title").fill("Once only");
  const posts = "**/api/collections/events";
  await page.route(posts, async (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await save(page);
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
  await save(page);
  await stateIs(page, "All changes saved");
  const { body } = await server.request("GET", "/api/collections/events?filter[title]=Once%20only");
  equal(body.data.length, 1);
});

test("ADM-223 a key press in a form of 100 fields changes that field alone", async () => {
  const names = Array.from({ length: 100 }, (_, at) => `f${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", field: "text", label: name }]));
  await server.makeSchema({ id: "wide", properties: { id: event.properties.id, ...properties }, required: ["id"] });
  await server.makeCollection({ id: "wide", schema: "wide", name: "Wide" });
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/wide/-new");
  const field = page.getByRole("textbox", { name: "f50", exact: true });
  await field.fill("a");
  const touch = () =>
    page.evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own names are not known to a test
      const { document, MutationObserver, requestAnimationFrame } = globalThis as any;
      const found = new Set<string>();
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const observer = new MutationObserver((changes: any[]) => {
        for (const { target } of changes)
          found.add(
            (target.closest?.("[data-property]") ?? target.parentElement?.closest("[data-property]"))?.dataset
              .property ?? "page",
          );
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      document.execCommand("insertText", false, "b");
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return [...found];
    });
  // Something else of the page may still be loading when the first key is pressed.
  await becomes(touch, ["f50"]);
});
