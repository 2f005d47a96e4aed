// The tree of pages: read, moved by keys and by drag, and saved.

import { deepEqual, equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { axe, axeInBothThemes, newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer();
  await server.request("POST", "/api/templates", { body: { id: "pages/plain", template: "{{ page.title }}" } });
  for (const [id, title, order] of [
    ["home", "Home page", 1],
    ["walks", "Walks", 2],
    ["contact", "Contact", 3],
  ]) {
    const body = { id, title, order, route: `/${id}`, template: "plain" };
    equal((await server.request("POST", "/api/collections/builder-pages", { body })).status, 201);
  }
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

const items = (page: Page) => page.getByRole("tree", { name: "Pages" }).getByRole("treeitem");
const shown = (page: Page) =>
  items(page).evaluateAll((found) => found.map((item) => `${item.getAttribute("aria-level")} ${item.textContent}`));
async function stored(): Promise<string[]> {
  const { body } = await server.request("GET", "/api/collections/builder-pages?limit=10");
  const rows = body.data as { id: string; parent?: string; order: number }[];
  return rows.map(({ id, parent = "", order }) => `${parent}/${id} ${order}`).sort();
}

test("ADM-1061 pages are moved by keys, and each move is saved", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/builder-pages");
  await becomes(() => shown(page), ["1 Home page", "1 Walks", "1 Contact"]);
  await becomes(() => axe(page), []);
  await items(page).nth(0).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const focused = () => page.evaluate<string>("document.activeElement?.textContent");
  await becomes(focused, "Contact");
  await page.keyboard.press("Alt+ArrowRight");
  await becomes(() => stored(), ["/home 1", "/walks 2", "walks/contact 1"]);
  await becomes(() => shown(page), ["1 Home page", "1 Walks", "2 Contact"]);
  await becomes(focused, "Contact");
  await page.keyboard.press("ArrowUp");
  await becomes(focused, "Walks");
  await page.keyboard.press("Alt+ArrowUp");
  await becomes(() => stored(), ["/home 2", "/walks 1", "walks/contact 1"]);
  await becomes(() => shown(page), ["1 Walks", "2 Contact", "1 Home page"]);
  await becomes(focused, "Walks");
});

test("ADM-1061 a page is dragged between others and aside, and a newer order is not overwritten", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/collections/builder-pages");
  await becomes(() => shown(page), ["1 Walks", "2 Contact", "1 Home page"]);
  const row = (at: number) => page.getByRole("tree", { name: "Pages" }).locator("[role=none]").nth(at);
  const drag = async (from: number, to: number, aside = 0) => {
    await row(from).locator("[aria-hidden=true]").first().hover();
    const [begin, end] = [await row(from).boundingBox(), await row(to).boundingBox()];
    if (!begin || !end) throw new Error("the row is not shown");
    await page.mouse.down();
    const y = end.y + (to > from ? end.height - 2 : 2);
    await page.mouse.move(begin.x + 12 + aside, y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(2, 0);
  await becomes(() => stored(), ["/home 1", "/walks 2", "walks/contact 1"]);
  await becomes(() => shown(page), ["1 Home page", "1 Walks", "2 Contact"]);
  await drag(1, 1, 40);
  await becomes(() => stored(), ["/home 1", "home/walks 1", "walks/contact 1"]);
  await becomes(() => shown(page), ["1 Home page", "2 Walks", "3 Contact"]);
  await drag(2, 2, -80);
  await becomes(() => stored(), ["/contact 2", "/home 1", "home/walks 1"]);
  await becomes(() => shown(page), ["1 Home page", "2 Walks", "1 Contact"]);
  // After the page has read the order, and before it sends its own.
  await page.route(
    "**/api/site/order",
    async (route) => {
      await server.request("PATCH", "/api/collections/builder-pages/contact", { body: { order: 9 } });
      await route.continue();
    },
    { times: 1 },
  );
  await items(page).nth(2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("status").getByText("somebody else has changed the pages").waitFor();
  deepEqual(await stored(), ["/contact 9", "/home 1", "home/walks 1"]);
  await page.keyboard.press("Alt+ArrowUp");
  await becomes(() => shown(page), ["1 Contact", "1 Home page", "2 Walks"]);
  // Shown before it is stored.
  await becomes(() => stored(), ["/contact 1", "/home 2", "home/walks 1"]);
  await becomes(() => axeInBothThemes(page, "html", "page-tree"), []);
});

test("ADM-1061 callers that may not change pages see their order and have no handles", async () => {
  await server.request("PUT", "/api/access-groups/readers", {
    body: { permissions: { collections: { operations: ["read"], all: true, allowed: [] }, builder: true } },
  });
  await makeUser(server, "mia", ["readers"]);
  const page = await newPage(server, { as: await signIn(server, "mia") });
  await page.goto("/admin/collections/builder-pages");
  await becomes(() => shown(page), ["1 Contact", "1 Home page", "2 Walks"]);
  equal(await page.getByRole("tree", { name: "Pages" }).locator("[style*=touch-action]").count(), 0);
  await items(page).nth(0).focus();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Home page" }).waitFor();
  deepEqual(await stored(), ["/contact 1", "/home 2", "home/walks 1"]);
});
