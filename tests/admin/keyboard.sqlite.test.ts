// Every page by keyboard alone, some of them in German as well and all of them in a full run: the skip link, every control within reach of the Tab key or of the arrow keys
// of its group, the focus seen and not covered, no trap; and dialogs that give the focus back.

import { deepEqual, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { newPage } from "../support/browser.ts";
import { event } from "../support/event-schema.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { isFull } from "../support/test-once.ts";

let server: Server;
let ada: Person;

before(async () => {
  server = await startServer({ hasOAuth: true });
  await server.makeSchema(event);
  await server.makeCollection({
    id: "events",
    name: "Events",
    schema: "event",
    labelSingular: "event",
    history: "full",
  });
  for (const n of [1, 2, 3])
    await server.request("POST", "/api/collections/events", { body: { id: `e${n}`, title: `Event ${n}` } });
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  await makeUser(server, "vic", ["viewer"], { name: "Vic Stone" });
  const make = (collection: string, body: object) => server.request("POST", `/api/collections/${collection}`, { body });
  await make("automations", { id: "nightly", name: "Nightly", handler: "export default async () => 1" });
  await make("dataviews", { id: "totals", name: "Totals", definition: "export default async () => 1" });
  await make("mailer", { id: "welcome", name: "Welcome", to: "ada@example.test", subject: "Hello" });
  await server.request("PUT", "/api/templates/pages/home", { body: { template: "Hello" } });
  ada = await signIn(server, "ada");
  await ada.request("PATCH", "/api/collections/events/e1", { body: { title: "Event one" } });
  await ada.request("DELETE", "/api/collections/events/e3");
});
after(() => server.stop());

const pages = [
  ...["", "/collections", "/collections/-new", "/collections/events", "/collections/events?layout=cards"],
  ...["/collections/events/-new", "/collections/events/e1", "/collections/events/e1?tab=json"],
  ...["/collections/events/e1?tab=versions", "/collections/events/-import", "/collections/events/-export"],
  ...["/collections/events/-factory", "/schemas", "/schemas/-new", "/schemas/event", "/schemas/event?tab=layout"],
  ...["/schemas/event?tab=check", "/templates", "/templates/pages/home", "/site", "/dataviews", "/dataviews/totals"],
  ...["/playground", "/automations", "/automations/nightly", "/automations/nightly?tab=triggers"],
  ...["/automations/nightly?tab=runs", "/webhooks", "/webhooks/-new", "/mailer", "/mailer/welcome", "/mailer/-log"],
  ...["/jobs", "/users", "/users/-new", "/users/vic", "/utils/access-groups", "/utils/access-groups/-new"],
  ...["/utils/api-keys", "/utils/oauth-clients", "/utils/oauth-grants", "/utils/sync", "/utils/jumpstart"],
  ...["/utils/backups", "/utils/trash", "/utils/logs", "/utils/cache", "/utils/mcp", "/utils/system", "/extensions"],
  ...["/settings", "/settings/site", "/settings/smtp", "/profile", "/profile?tab=security", "/profile?tab=connections"],
  ...["/profile?tab=preferences", "/nowhere"],
  ...["general", "address", "access", "form", "sitemap", "mcp", "danger"].map(
    (tab) => `/collections/events/-settings?tab=${tab}`,
  ),
];

/** Those with the most controls: longer words can cover a control, or push it out of reach. */
const crowded = [
  ...["/collections/events", "/collections/events/e1", "/collections/events/-settings?tab=access", "/schemas/event"],
  ...["/automations/nightly?tab=triggers", "/settings/smtp", "/site"],
];

/** In the page: notes where the focus is, and tells what the walk did not reach. */
const walker = `
  globalThis.walk = { seen: new Set(), unseen: [] };
  const composites = "[role=grid], [role=treegrid], [role=tree], [role=toolbar], [role=tablist], [role=radiogroup], [role=listbox], table[role]";
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 && !element.closest("[inert]");
  const named = (element) => element.localName + (element.getAttribute("role") ? "[" + element.getAttribute("role") + "]" : "") + " " +
    JSON.stringify((element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim().slice(0, 40));
  const hasRing = (element) => {
    for (let one = element, at = 0; one && at < 5; one = one.parentElement, at += 1)
      for (const each of [one, ...(at === 0 && one.nextElementSibling ? [one.nextElementSibling] : [])]) {
        const style = getComputedStyle(each);
        if ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || (each !== one && style.boxShadow !== "none")) return true;
      }
    return false;
  };
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const places = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]];
    return places.every(([x, y]) => {
      const found = document.elementFromPoint(left + width * x, top + height * y);
      return !found || !(element.contains(found) || found.contains(element) || found.closest("label")?.contains(element));
    });
  };
  globalThis.note = () => {
    const now = document.activeElement;
    if (!now || now === document.body) return "out";
    const isIn = document.querySelector("main").contains(now);
    if (!isIn) return "out";
    const isNew = !walk.seen.has(now);
    walk.seen.add(now);
    if (isNew && now.localName !== "main" && !/^h1$/.test(now.localName)) {
      // What is in a frame has a ring of its own; the page around it is not told of the focus.
      if (!hasRing(now) && now.localName !== "iframe") walk.unseen.push("no ring: " + named(now));
      if (isCovered(now)) walk.unseen.push("covered: " + named(now));
    }
    return isNew ? (now.closest(".cm-content") ? "code" : "new") : "again";
  };
  globalThis.missed = () => {
    const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=textbox], [role=spinbutton]";
    const reached = [...walk.seen];
    const all = [...document.querySelector("main").querySelectorAll(wanted)].filter((one) => shown(one) && !one.disabled && one.getAttribute("aria-hidden") !== "true" && !one.closest("[aria-hidden=true]"));
    return all.filter((one) => {
      if (walk.seen.has(one)) return false;
      if (one.type === "radio" && reached.some((other) => other.type === "radio" && other.name === one.name)) return false;
      const group = one.closest(composites);
      if (group && reached.some((other) => group.contains(other))) return false;
      // The arrow of a combobox, the steps of a number, entries of a list of chosen values: their keys are those of the field.
      if (one.tabIndex < 0 && one.parentElement?.closest("[data-rac], ul, td, div")?.querySelector("input, [role=textbox], [tabindex='0']")) return false;
      return !reached.some((other) => other.contains(one));
    }).map(named);
  };
`;

/** More than any page has. */
const mostStops = 250;

/** Parts that are loaded by themselves are there too. */
async function settled(page: Page): Promise<void> {
  await page.locator("main[aria-busy=false]").waitFor();
  await page.waitForLoadState("networkidle");
  await becomes(() => page.locator("main [aria-busy=true]").count(), 0);
}

async function walk(page: Page): Promise<string[]> {
  await page.evaluate(walker);
  const found: string[] = [];
  let where = "";
  for (let at = 0; at < mostStops; at += 1) {
    // An editor of code takes the Tab key; Esc gives it back, as its hint says.
    if (where === "code") await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    where = await page.evaluate<string>("note()");
    if (where === "out") break;
    if (where === "again" || at === mostStops - 1) {
      found.push(
        `the Tab key does not leave ${await page.evaluate<string>("document.activeElement.outerHTML.slice(0, 120)")}`,
      );
      break;
    }
  }
  found.push(...(await page.evaluate<string[]>("[...walk.unseen, ...missed().map((one) => 'not reached: ' + one)]")));
  return found;
}

/** What is wrong with a page, from its skip link on. */
async function lookAt(page: Page, path: string): Promise<string[]> {
  await page.goto(`/admin${path}`);
  await settled(page);
  await page.keyboard.press("Tab");
  const skip = await page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''");
  await page.keyboard.press("Enter");
  await becomes(() => page.evaluate<string>("document.activeElement.id"), "main");
  const found = await walk(page);
  return skip === "#main" ? found : [`the first stop is ${skip || "no skip link"}`, ...found];
}

for (const [language, walked] of [
  ["en-US", pages],
  ["de-DE", isFull ? pages : crowded],
] as const)
  test(`ADM-1302 every control of every page is reached by keyboard, ${language}`, async () => {
    const page = await newPage(server, { as: ada, language });
    const wrong: string[] = [];
    page.on("dialog", (asked) => void asked.accept());
    for (const path of walked) {
      const look = () => lookAt(page, path);
      // A part that came while the focus was past it is reached by a second walk; what cannot be reached is missed again.
      const found = (await look()).length === 0 ? [] : await look();
      wrong.push(...found.map((one) => `${path}: ${one}`));
    }
    deepEqual(wrong, []);
  });

test("ADM-1302 dialogs take the focus and give it back to what opened them", async () => {
  const page = await newPage(server, { as: ada });
  const wrong: string[] = [];
  for (const [path, name] of [
    ["/collections/events", "Add filter"],
    ["/collections/events", "Columns"],
    ["/schemas/event", "Add property"],
    ["/utils/api-keys", "New key"],
    ["/utils/oauth-clients", "New client"],
    ["/automations/nightly", "Run now"],
    ["/utils/cache", "Clear cache"],
    ["/profile?tab=security", "Change Password"],
    ["/collections/events/-settings?tab=danger", "Delete collection"],
    ["/site", "New redirect"],
  ] as const) {
    await page.goto(`/admin${path}`);
    await settled(page);
    const opener = page.getByRole("main").getByRole("button", { name, exact: true });
    await opener.focus();
    await page.keyboard.press("Enter");
    const layer = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await layer.first().waitFor();
    const isInside = "!!document.activeElement.closest('[role=dialog], [role=alertdialog]')";
    await becomes(() => page.evaluate<boolean>(isInside), true);
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      // Between two rounds the browser's own frame has the focus.
      if (await page.evaluate<boolean>(`${isInside} || document.activeElement === document.body`)) continue;
      const at = await page.evaluate<string>("document.activeElement.outerHTML.slice(0, 120)");
      wrong.push(`${path} ${name}: Tab leaves the dialog for ${at}`);
      break;
    }
    await page.keyboard.press("Escape");
    await layer.first().waitFor({ state: "detached" });
    await becomes(() => opener.evaluate((element) => element.matches(":focus")), true).catch(() =>
      wrong.push(`${path} ${name}: the focus did not come back`),
    );
  }
  deepEqual(wrong, []);
});

test("ADM-1302 the sidebar is walked from the first entry to the user menu", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin");
  await page.locator("main[aria-busy=false]").waitFor();
  const names: string[] = [];
  const where =
    "document.activeElement.closest('nav, aside, header') ? document.activeElement.textContent || document.activeElement.getAttribute('aria-label') : ''";
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate<string>(where));
    if (await page.evaluate<boolean>("!!document.activeElement.closest('main')")) break;
  }
  for (const name of ["Home", "Events", "Schemas", "Jobs", "Trash", "Settings", "Ada Stone"])
    ok(
      names.some((one) => one.includes(name)),
      `${name} in ${names.join(", ")}`,
    );
});
