// The passport of a page of the admin: one visit, in which everything is asked that every page promises. Heading and title,
// names by role, axe, the keyboard, the dialogs that its buttons open, and that nothing is fetched elsewhere; the
// console is watched by browser.ts. Findings are lines `check: element`; an empty list is a page as promised.

import type { Dialog, Page, Request } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import type { AdminPage } from "./admin-pages.ts";
import { axe, axeInBothThemes, screenshot, visit } from "./browser.ts";
import { tryDialog, walkByKeyboard } from "./keyboard-walk.ts";
import { missing } from "./names.ts";
import { isFull } from "./test-once.ts";

/** The heading that a visit has left: the next one goes on from there, without loading the admin again. */
const shown = new WeakMap<Page, string>();
/** The frame of all pages is looked at once. */
const frameSeen = new WeakSet<Page>();
const frame = "nav[aria-label=Main]";

/** In English; `then` goes on from the page as it stands. */
export async function lookAtPage(
  page: Page,
  entry: AdminPage,
  then?: (page: Page) => Promise<void>,
): Promise<string[]> {
  const { path, name, names = {} } = entry;
  const before = shown.get(page);
  shown.delete(page);
  const found = await watchingRequests(page, async () => {
    // Two headings of the same name, as of the tabs of a page, could not be told apart while the page changes.
    if (before === undefined || before === name) await load(page, path);
    else await visit(page, `/admin${path}`);
    const heading = await headingAndTitle(page, name);
    await settled(page);
    return [
      ...heading,
      ...say("name", await missing(page.getByRole("main"), names)),
      ...say("axe", await axeOnce(page, path)),
      ...say("keyboard", await keyboard(page, path)),
      ...(await dialogs(page, entry)),
    ];
  });
  if (found.length > 0) return found;
  if (then) await then(page);
  else shown.set(page, name);
  return [];
}

/** By keyboard alone, for other languages: longer words can cover a control, or push it out of reach. */
export async function walkThroughPage(page: Page, { path }: AdminPage): Promise<string[]> {
  await load(page, path);
  await settled(page);
  return say("keyboard", await keyboard(page, path));
}

/** The findings, and what was asked of others meanwhile. */
async function watchingRequests(page: Page, check: () => Promise<string[]>): Promise<string[]> {
  const asked: string[] = [];
  const note = (request: Request) => void asked.push(request.url());
  page.on("request", note);
  try {
    const found = await check();
    const { origin } = new URL(page.url());
    const elsewhere = asked.filter((url) => url.startsWith("http") && new URL(url).origin !== origin);
    return [...found, ...say("fetched elsewhere", elsewhere)];
  } finally {
    page.off("request", note);
  }
}

async function load(page: Page, path: string): Promise<void> {
  // Leaving a form that a step has changed.
  const leave = (asked: Dialog) => void asked.accept();
  page.on("dialog", leave);
  await page.goto(`/admin${path}`);
  page.off("dialog", leave);
}

/** Parts that are loaded by themselves are there too. */
async function settled(page: Page): Promise<void> {
  await page.locator("main[aria-busy=false]").waitFor();
  await page.waitForLoadState("networkidle");
  await becomes(() => page.locator("main [aria-busy=true]").count(), 0);
}

async function headingAndTitle(page: Page, name: string): Promise<string[]> {
  const known = async () => [await page.locator("main h1").allTextContents(), await page.title()];
  return becomes(known, [[name], `${name} · Cairn`]).then(
    () => [],
    async () => [`heading and title: ${await known()}, not ${name}`],
  );
}

/** In the light theme, and in both themes and two widths in a full run. */
async function axeOnce(page: Page, path: string): Promise<string[]> {
  await screenshot(page, `page${path.replace(/\W+/g, "-")}`);
  if (isFull) return axeInFull(page);
  const except = frameSeen.has(page) ? frame : undefined;
  frameSeen.add(page);
  return atLast(() => axe(page, "html", { except }));
}

async function axeInFull(page: Page): Promise<string[]> {
  const found: string[] = [];
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const width of [360, size.width]) {
    await page.setViewportSize({ ...size, width });
    found.push(...(await atLast(() => axeInBothThemes(page))).map((one) => `${width} px: ${one}`));
  }
  return found;
}

async function keyboard(page: Page, path: string): Promise<string[]> {
  if ((await walkByKeyboard(page)).length === 0) return [];
  // A part that came while the focus was past it is reached by a second walk; what cannot be reached is missed again.
  await load(page, path);
  await settled(page);
  return walkByKeyboard(page);
}

async function dialogs(page: Page, { dialogs = [] }: AdminPage): Promise<string[]> {
  const found: string[] = [];
  for (const name of dialogs) {
    const opener = page.getByRole("main").getByRole("button", { name, exact: true });
    found.push(...say(`dialog ${name}`, await tryDialog(page, opener)));
  }
  return found;
}

/** The answer, once it is empty; what is still in it when patience ends. */
async function atLast(ask: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [];
  await becomes(async () => (last = await ask()), []).catch(() => undefined);
  return last;
}

const say = (check: string, found: string[]): string[] => found.map((one) => `${check}: ${one}`);
