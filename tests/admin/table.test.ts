// The table of a collection in a browser: 100,000 objects by windows, search, filters, order, columns, views, selection, bulk
// changes, by pointer and by keyboard alone.

import { equal, match, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, looks, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const many = 100_000;
const authors = ["Ada", "Mia", "Jon", "Ute"];
const colours = ["amber", "basalt", "chalk", "dolomite", "flint"];

let server: Server;
let ada: Person;
let vera: Person;

const totalOf = async (query: string) =>
  (await server.request("GET", `/api/collections/${query}limit=1`)).headers.get("x-total-count");
const title = (n: number) => `Stone ${String(n).padStart(6, "0")}`;
const stone = (n: number) => ({
  id: `s${String(n).padStart(6, "0")}`,
  title: title(n),
  draft: n % 10 === 0,
  author: authors[n % 4],
  weight: n % 1_000,
  colours: colours.slice(0, n % 6),
  ...(n % 2 === 0 && { found: new Date(Date.UTC(2020, 0, 1 + (n % 700))).toISOString() }),
  notes: `Notes of ${n}`,
});

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "stone",
    properties: {
      id: { type: "slug", label: "Id" },
      title: { type: "string", label: "Title" },
      draft: { type: "boolean", label: "Draft", field: "checkbox" },
      author: { type: "string", label: "Author", options: authors },
      weight: { type: "number", label: "Weight" },
      colours: { type: "list", label: "Colours" },
      found: { type: "date", field: "date", label: "Found" },
      notes: { type: "string", label: "Notes" },
    },
    required: ["id", "title"],
    index: ["id", "title", "draft", "author", "weight", "colours", "found"],
  });
  const more = { schema: "stone", labelSingular: "Stone", labelPlural: "stones" };
  await server.makeCollection({ id: "stones", name: "Stones", ...more, category: "Field" });
  await server.makeCollection({ id: "few", name: "Few", ...more, url: "/few" });
  await server.makeCollection({ id: "none", name: "None", ...more });
  await server.makeCollection({ id: "only", name: "Only", ...more, singleton: true });
  await fill("stones", many);
  await fill("few", 150);
  await fill("only", 1);
  for (const [id, group] of [["ada", "admin"] as const, ["vera", "viewer"] as const])
    await makeUser(server, id, [group], { name: id });
  [ada, vera] = [await signIn(server, "ada"), await signIn(server, "vera")];
});
after(() => server.stop());

/** In parts: a client waits only so long for the answer to one request, and a busy machine is slow. */
const part = 10_000;

async function fill(collection: string, count: number): Promise<void> {
  const path = `${server.url}/api/import/collections/${collection}/json`;
  for (let from = 0; from < count; from += part) {
    const objects = Array.from({ length: Math.min(part, count - from) }, (_, n) => stone(from + n));
    const form = new FormData();
    form.append("json", new Blob([JSON.stringify(objects)]), "objects.json");
    const answer = await fetch(path, { method: "POST", headers: { "x-api-key": server.key }, body: form });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

async function open(path: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/${path}`);
  await page.locator("main[aria-busy=false]").waitFor();
  return page;
}

const grid = (page: Page, name = "Stones") => page.getByRole("grid", { name, exact: true });
const row = (page: Page, n: number) => page.locator(`[data-id="${stone(n).id}"]`);
const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });
const countOf = (page: Page) => page.getByRole("status", { name: "Result count" });
const isFocused = async (locator: Locator) => (await locator.and(locator.page().locator(":focus")).count()) === 1;
const query = (page: Page) => decodeURIComponent(new URL(page.url()).search);

async function waitForQuery(page: Page, text: string): Promise<void> {
  await page.waitForURL((url) => decodeURIComponent(url.search) === text);
}

/** To this share of the whole result. */
async function scrollTo(page: Page, share: number): Promise<void> {
  await grid(page)
    .locator("xpath=..")
    .evaluate((scroller, part) => {
      scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * part;
    }, share);
}

/** Types into a combobox and takes the option. */
async function choose(dialog: Locator, label: string, text: string): Promise<void> {
  await dialog.getByRole("combobox", { name: label, exact: true }).fill(text);
  await dialog.page().getByRole("option", { name: text, exact: true }).click();
}

test("ADM-160 the grid stands for all objects, and draws those in view", async () => {
  const page = await open("stones");
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), "Stones");
  await becomes(() => countOf(page).textContent(), "100,000 objects");
  await becomes(() => grid(page).getAttribute("aria-rowcount"), String(many + 1));
  const first = page.getByRole("row", { name: title(0), exact: true });
  await becomes(() => first.getAttribute("data-id"), "s000000");
  await becomes(() => first.getAttribute("aria-rowindex"), "2");
  await until(async () => (await page.getByRole("row").count()) < 60);
  const inRow = (role: "link" | "checkbox" | "button", name: string) => first.getByRole(role, { name, exact: true });
  await inRow("link", title(0)).waitFor();
  await inRow("checkbox", `Select ${title(0)}`).waitFor();
  await inRow("button", `Actions for ${title(0)}`).waitFor();
  await first.getByText("Draft").first().waitFor();
  await page.getByRole("link", { name: "New Stone", exact: true }).waitFor();
  await screenshot(page, "table");
});

test("ADM-530 a table asks for its form and the preferences before it knows who is signed in", async () => {
  const page = await newPage(server, { as: ada });
  const asked = ["forms/stones", "auth/preferences"].map((path) => page.waitForRequest(`**/api/${path}`));
  // Answered only when the others have been asked for.
  await page.route("**/api/admin", async (route) => {
    await Promise.all(asked);
    await route.continue();
  });
  await page.goto("/admin/collections/stones");
  await page.getByRole("row", { name: title(0), exact: true }).waitFor();
});

test("ADM-161 a jump asks for the pages of its place alone", async () => {
  const page = await newPage(server, { as: ada });
  const offsets: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/stones/query")) offsets.push(searchParams.get("offset") ?? "next");
  });
  await page.goto("/admin/collections/stones");
  // The first page and the one ahead.
  await until(async () => offsets.length === 2 && (await row(page, 0).isVisible()));
  offsets.length = 0;
  await scrollTo(page, 0.5);
  await row(page, many / 2).waitFor();
  ok(offsets.length <= 3, offsets.join(" "));
  ok(
    offsets.every((offset) => offset === "next" || Math.abs(Number(offset) - many / 2) <= 200),
    offsets.join(" "),
  );
  await scrollTo(page, 1);
  await row(page, many - 1).waitFor();
});

test("ADM-162 a click on a head sorts, with Shift it adds; the address says so", async () => {
  const page = await open("stones");
  const head = (name: string) => page.getByRole("columnheader", { name, exact: true });
  await head("Weight").click();
  await waitForQuery(page, "?sort=weight");
  await becomes(() => head("Weight").getAttribute("aria-sort"), "ascending");
  await head("Weight").click();
  await waitForQuery(page, "?sort=-weight");
  await becomes(() => head("Weight").getAttribute("aria-sort"), "descending");
  await row(page, 999).waitFor();
  await head("Title").click({ modifiers: ["Shift"] });
  await head("Title").click({ modifiers: ["Shift"] });
  await waitForQuery(page, "?sort=-weight,-title");
  await row(page, many - 1).waitFor();
  await becomes(() => page.locator("[data-row='0']").getAttribute("data-id"), stone(many - 1).id);
  await becomes(() => head("Author").getAttribute("aria-sort"), "none");
});

test("ADM-163 filters follow the type, are chips, and stand in the address", async () => {
  const page = await open("stones");
  const dialog = page.getByRole("dialog", { name: "Filter" });
  await button(page, "Add filter").click();
  await choose(dialog, "Property", "Author");
  await choose(dialog, "Condition", "is");
  await choose(dialog, "Value", "Ada");
  await button(dialog, "Apply").click();
  await page.getByText("25,000 objects").waitFor();
  equal(query(page), "?filter[author]=Ada");
  await button(page, "Add filter").click();
  await choose(dialog, "Property", "Weight");
  await choose(dialog, "Condition", "more than");
  await dialog.getByRole("textbox", { name: "Value" }).fill("994");
  await button(dialog, "Apply").click();
  await page.getByText("100 objects").waitFor();
  equal(query(page), "?filter[author]=Ada&filter[weight][gt]=994");
  await button(page, "Remove filter Author").click();
  await page.getByText("500 objects").waitFor();
  await page.goto("/admin/collections/stones?filter[found][empty]=true&filter[draft]=true");
  await page.getByText("0 objects").first().waitFor();
  await button(page, "Clear filters").click();
  await page.getByText("100,000 objects").waitFor();
});

test("ADM-164 a search keeps the focus, and one without a match offers to clear it", async () => {
  const page = await open("stones");
  const box = page.getByRole("searchbox", { name: "Search", exact: true });
  await box.pressSequentially("000777");
  await page.getByText("1 object", { exact: true }).waitFor();
  await until(() => isFocused(box));
  equal(query(page), "?search=000777");
  await box.fill("nothing like it");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await button(page, "Clear filters").click();
  await page.getByText("100,000 objects").waitFor();
  await becomes(() => box.inputValue(), "");
});

test("ADM-165 Back returns to the same row at the same place, and the row has the focus", async () => {
  const page = await open("stones?sort=-title");
  await scrollTo(page, 0.5);
  const middle = row(page, many / 2 + 3);
  await middle.waitFor();
  const { y } = (await middle.boundingBox()) ?? { y: 0 };
  const returns = async () => {
    await page.goBack();
    await middle.and(page.locator(":focus")).waitFor();
  };
  // Back before the next page is there, then after it was.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/assets\/Object/, (route) => held.then(() => route.continue()));
  await middle.getByRole("link").click();
  await page.locator("main[aria-busy=true]").waitFor({ state: "attached" });
  await returns();
  release();
  await middle.getByRole("link").click();
  await page
    .getByRole("heading", { level: 1, name: title(many / 2 + 3) })
    .and(page.locator(":focus"))
    .waitFor();
  await returns();
  await until(async () => Math.abs(((await middle.boundingBox())?.y ?? 0) - y) < 2);
});

test("ADM-166 the grid is one stop of the Tab key; keys move, select, open and close", async () => {
  const page = await open("stones");
  await button(page, "Views").focus();
  await page.keyboard.press("Tab");
  await until(() => isFocused(row(page, 0)));
  await page.keyboard.press("ArrowDown");
  await until(() => isFocused(row(page, 1)));
  await page.keyboard.press("End");
  await row(page, many - 1).waitFor();
  await until(() => isFocused(row(page, many - 1)));
  await page.keyboard.press("Control+Home");
  await until(() => isFocused(row(page, 0)));
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Home");
  await until(() => isFocused(row(page, 0)));
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("3 selected").waitFor();
  await page.keyboard.press("Shift+ArrowUp");
  await bar.getByText("2 selected").waitFor();
  await page.keyboard.press("x");
  await bar.getByText("1 selected").waitFor();
  await page.keyboard.press("Control+a");
  await bar.getByText(/^\d00 selected$/).waitFor();
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog", { name: /^Delete \d00 objects\?$/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await until(() => isFocused(row(page, 1)));
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  // To the heads: sort, move a column, the menu.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await waitForQuery(page, "?sort=title");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  await page.waitForURL(/columns=title,weight,author/);
  await page.locator("[role=columnheader][aria-colindex='4']:focus").waitFor();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Hide column" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[role=columnheader]:focus").waitFor();
  await page.locator("table[aria-busy=false]").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+Home");
  await row(page, 0).and(page.locator(":focus, :has(:focus)")).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/stones/s000000");
});

test("ADM-167 columns are chosen in a dialog, kept for the person, and slower ones come with whole objects", async () => {
  const page = await open("few");
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await button(page, "Columns").click();
  await dialog.getByRole("checkbox", { name: "Author", exact: true }).uncheck();
  await dialog.getByRole("checkbox", { name: "Notes", exact: true }).check();
  await button(dialog, "Done").click();
  await page.getByText("Notes of 0").waitFor();
  await becomes(() => page.getByRole("columnheader", { name: "Author" }).count(), 0);
  match(query(page), /^\?columns=title,.*,notes$/);
  await until(
    () => ada.request("GET", "/api/auth/preferences"),
    ({ body }) => body.data.tables?.few?.columns?.includes("notes"),
  );
  const again = await open("few");
  await again.getByText("Notes of 0").waitFor();
  equal(query(again), "");
});

test("ADM-168 a view is the address under a name, for oneself or for everybody", async () => {
  const page = await open("few?filter[author]=Mia&sort=-title");
  const dialog = page.getByRole("dialog", { name: "Save view" });
  for (const [name, isForAll] of [["Of Mia", false] as const, ["All of Mia", true] as const]) {
    await button(page, "Views").click();
    await page.getByRole("menuitem", { name: "Save view" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill(name);
    if (isForAll) await dialog.getByRole("checkbox", { name: "For everyone" }).check();
    await button(dialog, "Save view").click();
    await page.getByRole("status").getByText(`View ${name} saved`).waitFor();
  }
  const other = await open("few", { as: vera });
  await button(other, "Views").click();
  await becomes(() => other.getByRole("menuitem", { name: "Of Mia", exact: true }).count(), 0);
  await other.getByRole("menuitem", { name: "All of Mia", exact: true }).click();
  await waitForQuery(other, "?filter[author]=Mia&sort=-title");
  await other.getByText("38 objects").waitFor();
});

test("ADM-169, ADM-170 all that match are selected with their number, and one property is set in them", async () => {
  const page = await open("few?filter[author]=Jon");
  await page.getByRole("checkbox", { name: "Select all loaded" }).check();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("37 selected").waitFor();
  await button(bar, "Clear selection").click();
  await page.goto("/admin/collections/few");
  await row(page, 0).getByRole("checkbox").check();
  await row(page, 4)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await bar.getByText("5 selected").waitFor();
  await button(bar, "Edit").click();
  const dialog = page.getByRole("dialog", { name: "Edit 5 objects" });
  await choose(dialog, "Property", "Draft");
  await dialog.getByText("5 objects, 1 has another value").waitFor();
  await dialog.getByRole("checkbox", { name: "Draft" }).check();
  await dialog.getByText("5 objects, 4 have another value").waitFor();
  await button(dialog, "Apply to 5").click();
  await page.getByRole("status").getByText("5 objects changed").waitFor();
  await row(page, 4).getByText("Draft").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/few/s000003")).body.data.draft, true);
  await button(bar, "Select all 150 matching").click();
  await bar.getByText("150 selected").waitFor();
  await button(bar, "Edit").click();
  const all = page.getByRole("dialog", { name: "Edit 150 objects" });
  await choose(all, "Property", "Weight");
  await all.getByRole("textbox", { name: "Weight" }).fill("7");
  await all.getByText("150 objects, 149 have another value").waitFor();
  await button(all, "Apply to 150").click();
  await page.getByRole("status").getByText("150 objects changed").waitFor();
  await becomes(() => totalOf("few?filter[weight]=7&"), "150");
});

test("ADM-171 many are deleted only after their number was typed; another number is asked about again", async () => {
  const page = await open("few?filter[author]=Ute");
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await row(page, 3).getByRole("checkbox").check();
  await button(bar, "Select all 37 matching").click();
  await button(bar, "Delete").click();
  await button(page.getByRole("alertdialog", { name: "Delete 37 objects?" }), "Cancel").click();
  await becomes(() => totalOf("few?"), "150");
  await server.request("DELETE", "/api/collections/few/s000007");
  await button(bar, "Delete").click();
  const before = page.getByRole("alertdialog", { name: "Delete 37 objects?" });
  await until(() => button(before, "Delete").isDisabled());
  await before.getByRole("textbox", { name: "Type 37 to confirm" }).fill("37");
  await button(before, "Delete").click();
  const now = page.getByRole("alertdialog", { name: "Delete 36 objects?" });
  await now.getByText("36 objects match now, not 37").waitFor();
  await now.getByRole("textbox", { name: "Type 36 to confirm" }).fill("36");
  await button(now, "Delete").click();
  await page.getByRole("status").getByText("36 objects deleted").waitFor();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await becomes(() => totalOf("few?"), "113");
});

test("ADM-172 as cards and on narrow screens the table is a list of the same name", async () => {
  const page = await open("stones", { as: vera });
  await page.getByRole("radiogroup", { name: "Layout" }).getByRole("radio", { name: "Cards" }).check({ force: true });
  await waitForQuery(page, "?layout=cards");
  const list = page.getByRole("list", { name: "Stones", exact: true });
  await list
    .getByRole("listitem", { name: title(0), exact: true })
    .getByRole("link")
    .waitFor();
  await becomes(() => grid(page).count(), 0);
  await becomes(() => axe(page), []);
  const narrow = await open("stones?layout=table", { width: 360 });
  await narrow
    .getByRole("list", { name: "Stones", exact: true })
    .getByRole("listitem", { name: title(0) })
    .waitFor();
});

test("ADM-173 the menu of a row opens, copies and deletes the object", async () => {
  const page = await open("few");
  await button(row(page, 1), `Actions for ${title(1)}`).click();
  await becomes(
    () => page.getByRole("menuitem").allTextContents(),
    ["Open", "Open page", "Duplicate", "Copy id", "Delete"],
  );
  await becomes(() => page.getByRole("menuitem", { name: "Open page" }).getAttribute("href"), "/few?id=s000001");
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const copy = page.getByRole("dialog", { name: `Duplicate ${title(1)}` });
  await copy.getByRole("textbox", { name: "New id" }).fill("copied");
  await button(copy, "Duplicate").click();
  await page.waitForURL("**/few/copied");
  await page.goto("/admin/collections/few");
  await button(page.locator("[data-id=copied]"), `Actions for ${title(1)}`).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await button(page.getByRole("alertdialog", { name: `Delete ${title(1)}?` }), "Delete").click();
  await page.getByRole("region", { name: "Notifications" }).getByText("Deleted").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/few/copied")).status, 404);
});

test("ADM-174 viewers read the table and change nothing", async () => {
  const page = await open("stones", { as: vera });
  await becomes(() => page.getByRole("link", { name: "New Stone" }).count(), 0);
  await row(page, 0).getByRole("checkbox").check();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await button(bar, "Export").waitFor();
  await becomes(async () => (await button(bar, "Edit").count()) + (await button(bar, "Delete").count()), 0);
  await button(row(page, 0), `Actions for ${title(0)}`).click();
  await becomes(() => page.getByRole("menuitem").allTextContents(), ["Open", "Copy id"]);
});

test("ADM-175 what is selected is exported, with search and filters", async () => {
  const page = await open("stones?filter[weight]=5&filter[author]=Mia");
  await page.getByRole("checkbox", { name: "Select all loaded" }).check();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("100 selected").waitFor();
  await button(bar, "Export").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  equal(download.suggestedFilename(), "stones.csv");
});

test("ADM-176 the list of collections names all of them, and makes ready-made ones", async () => {
  const page = await open("");
  await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), "Collections");
  const field = page.getByRole("region", { name: "Field" });
  await field.getByRole("link", { name: "Stones" }).waitFor();
  await field.getByText("100,000 objects").waitFor();
  await page.getByRole("link", { name: "New collection" }).waitFor();
  await becomes(() => axe(page), []);
  await button(page, "Add Blog").click();
  await page.getByRole("main").getByRole("link", { name: "Blog" }).click();
  await page.getByRole("heading", { level: 1, name: "Blog" }).waitFor();
  const viewer = await open("", { as: vera });
  await becomes(() => viewer.getByRole("link", { name: "New collection" }).count(), 0);
  await becomes(() => viewer.getByRole("heading", { name: "Ready-made" }).count(), 0);
});

test("ADM-177 a singleton opens its object; an empty collection says what it is for; a bad address can be mended", async () => {
  const page = await open("only");
  await page.waitForURL("**/only/only");
  const empty = await open("none");
  await empty.getByRole("heading", { name: "No stones yet" }).waitFor();
  allowProblems(/status of 400/);
  const bad = await open("stones?filter[gone]=1");
  await bad.getByRole("alert").getByText("gone").waitFor();
  await button(bad, "Clear filters").click();
  await bad.getByText("100,000 objects").waitFor();
});

test("ADM-178 axe finds nothing, in both themes, wide and narrow, with rows selected and dialogs open", async () => {
  for (const { theme, width } of looks) {
    const page = await open("stones?filter[draft]=true&layout=table", { theme, width });
    await row(page, 0).getByRole("checkbox").check();
    await becomes(() => axe(page), []);
    await screenshot(page, `table-selected-${theme}-${width}`);
    await button(page, "Add filter").click();
    await choose(page.getByRole("dialog"), "Property", "Found");
    await becomes(() => axe(page), []);
  }
});
