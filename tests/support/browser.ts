// Chromium for the tests of the admin: one process per test file. Each page has cookies and storage of its own, and ends with
// the test that opened it; its process is used again. A script error, an error on the console (refusals by the content security policy among them) or an
// answer that says the server failed makes that test fail. Tests wait for states with Playwright's own waiting, never for times.
//   CAIRN_SCREENSHOTS=folder   keeps the pictures that tests take

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach } from "node:test";
import type { AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { browserPath } from "../../scripts/debian.ts";
import type { Server } from "../harness.ts";
import type { Person } from "./sign-in.ts";
import { isFull } from "./test-once.ts";

type Theme = "light" | "dark";

export interface PageOptions {
  /** Of the window, in pixels: 1440 unless set. */
  width?: number;
  theme?: Theme;
  language?: string;
  /** Whose session the page begins with; without one nobody is signed in. */
  as?: Person;
  /** For all tests of the file, until its end: what a test leaves is there in the next. */
  isKept?: boolean;
}

interface AxeOptions {
  /** These alone. */
  rules?: string[] | undefined;
  /** What is not looked at. */
  except?: string | undefined;
}

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // On a busy machine a process of the browser may take long to start; by default it ends itself after 15 s.
  "--ipc-connection-timeout=600",
  "--disable-gpu-watchdog",
];

const themes: Theme[] = ["light", "dark"];
const widths = [360, 1024, 1440];

/** Each theme and each width once: colours do not depend on the width, nor the layout on the theme. In a full run every pair. */
export const looks: { width: number; theme: Theme }[] = isFull
  ? widths.flatMap((width) => themes.map((theme) => ({ width, theme })))
  : [
      { width: 360, theme: "light" },
      { width: 1440, theme: "dark" },
    ];

/** For every wait: more than a busy machine needs. */
const timeout = 120_000;

let browser: Promise<Browser> | undefined;
/** Of this test, with the address and the language of their contexts. */
const pages = new Map<Page, string>();
/** At rest, by address and language. Without cookies and storage, but with the app in memory: that is most of the work of a page. */
const rested = new Map<string, Page[]>();
/** By a script or by the browser's own tools, for good. */
const changed = new WeakSet<Page>();
const problems: string[] = [];
const allowed: RegExp[] = [];

/** A page with cookies and storage of its own; addresses may be paths of this server. */
export async function newPage(server: Server, options: PageOptions = {}): Promise<Page> {
  const { width = 1440, theme = "light", language = "en-US", as, isKept = false } = options;
  const baseURL = addressOf(server);
  const kind = `${baseURL} ${language}`;
  const page = rested.get(kind)?.pop() ?? (await (await newContext(baseURL, language)).newPage());
  if (!isKept) pages.set(page, kind);
  if (as) await page.context().addCookies([sessionCookie(server, as)]);
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
  return page;
}

async function newContext(baseURL: string, locale: string): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: browserPath(), headless: true, args, timeout });
  const context = await (await browser).newContext({ baseURL, locale, reducedMotion: "reduce", timezoneId: "UTC" });
  context.setDefaultTimeout(timeout);
  context.on("weberror", (error) => problems.push(`script error: ${error.error().stack ?? error.error()}`));
  context.on("console", (message) => {
    if (isProblem(message)) problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  return context;
}

/** Nothing of the page is left but what the browser has in its cache and in its process. */
async function rest(page: Page, kind: string): Promise<void> {
  const [origin = ""] = kind.split(" ");
  const context = page.context();
  await context.setOffline(false);
  const next = (await cleared(page)) ? page : await context.newPage();
  const devtools = await context.newCDPSession(next);
  await Promise.all(context.pages().map((open) => open !== next && open.close()));
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage,indexeddb,cookies" });
  await devtools.send("Page.resetNavigationHistory");
  await devtools.detach();
  rested.set(kind, [...(rested.get(kind) ?? []), next]);
}

/** Leaves what the page showed for the shortest answer of its server; false where the page cannot be used again. */
async function cleared(page: Page): Promise<boolean> {
  if (page.isClosed() || changed.has(page)) return false;
  await page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  page.on("dialog", (dialog) => void dialog.accept());
  try {
    await page.evaluate("sessionStorage.clear()");
    await page.goto("/healthz");
    return true;
  } catch {
    return false;
  } finally {
    await page.removeAllListeners();
  }
}

/** Goes on within the admin as a link does, without loading it again. The caller waits for what only the next page has. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}

/** Keys that count as a pair for a short time alone. A busy machine may let that pass: they are pressed again. */
export async function pressPair(page: Page, keys: string, leadsTo: Locator): Promise<void> {
  await until(async () => {
    for (const key of keys) await page.keyboard.press(key);
    return leadsTo.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
}

/** For a test that changes its page in a way that nothing takes back: no other test gets that page. */
export function closeAfterwards(page: Page): void {
  changed.add(page);
}

/** For a test that provokes an error on the console: those that match do not fail it. */
export function allowProblems(pattern: RegExp): void {
  allowed.push(pattern);
}

/** The short form: the long one takes half as much again to load. */
const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let axeSource: string | undefined;
const axeSessions = new WeakMap<Page, CDPSession>();
/** What passes is not reported, and no page has style sheets of other sites. */
const axeOptions = { resultTypes: ["violations"], preload: false };

/** What axe finds against WCAG 2.2 AA and its best practices, one line for each element; a test expects none. */
export async function axe(page: Page, within = "html", { rules, except }: AxeOptions = {}): Promise<string[]> {
  if ((await page.locator(within).count()) === 0) return [`there is no ${within} to look at`];
  await bringAxe(page);
  const context = { include: [within], ...(except && { exclude: [except] }) };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify({ ...axeOptions, ...(rules && { runOnly: rules }) })})`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => [id, help, target.join(" "), ...any.map(({ message }) => message)].join(": ")),
  );
}

/** By the browser's own tools: a script that it has compiled for a page before is not compiled again. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(`"axe" in window`)) return;
  axeSource ??= readFileSync(axeFile, "utf8");
  // It stays: the end of one ends the virtual authenticator of another.
  const devtools = axeSessions.get(page) ?? (await page.context().newCDPSession(page));
  axeSessions.set(page, devtools);
  await devtools.send("Runtime.evaluate", { expression: axeSource });
}

/**
 * The same in both themes, on the page as it stands. A theme changes colours alone: the other rules are asked once, and in both
 * themes in a full run. Each call begins and ends with the light theme. With a name, pictures are kept.
 */
export async function axeInBothThemes(page: Page, within = "html", name?: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of themes) {
    await setTheme(page, theme);
    const rules = theme === "light" || isFull ? undefined : ["color-contrast"];
    const lines = await axe(page, within, { rules });
    found.push(...lines.map((line) => `${theme}: ${line}`));
    if (name) await pictures(page, name, theme);
  }
  await setTheme(page, "light");
  return found;
}

/** Waits until axe finds nothing in either theme. Pictures get the name. */
export const look = (page: Page, name: string): Promise<void> => becomes(() => axeInBothThemes(page, "html", name), []);

/** By the system, as pages without script follow it, and by what the admin makes of that, at once. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(
    `if (document.documentElement.dataset.theme) document.documentElement.dataset.theme = "${theme}"`,
  );
}

/** In every width. */
async function pictures(page: Page, name: string, theme: Theme): Promise<void> {
  const size = page.viewportSize();
  if (!process.env.CAIRN_SCREENSHOTS || !size) return;
  for (const width of widths) {
    await page.setViewportSize({ ...size, width });
    await screenshot(page, `${name}-${width}-${theme}`);
  }
  await page.setViewportSize(size);
}

/** The whole page as a picture, where pictures are kept. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.CAIRN_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** By the name that the server has for itself: passkeys work on no other. */
export function addressOf(server: Server): string {
  return server.url.replace("127.0.0.1", "localhost");
}

function sessionCookie(server: Server, { cookie }: Person) {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
  if (!name || !value) throw new Error(`no session cookie: ${cookie}`);
  return { name, value, url: addressOf(server), httpOnly: true, sameSite: "Lax" as const };
}

/** The browser itself reports every refused request, and the API refuses some in the regular course of things. */
function isProblem(message: ConsoleMessage): boolean {
  if (message.type() !== "error") return false;
  const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text());
  const path = URL.parse(message.location().url)?.pathname ?? "";
  // It asks for an icon of every answer that names none, such as the one that a page rests on.
  return !(isRefusal && (path.startsWith("/api/") || path === "/favicon.ico"));
}

afterEach(async () => {
  const open = [...pages];
  pages.clear();
  // What a page does last is reported before its end.
  await Promise.all(open.map(([page, kind]) => rest(page, kind)));
  const found = problems.splice(0).filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
  allowed.length = 0;
  if (found.length > 0) throw new Error(`the page has reported:\n${found.join("\n")}`);
});

after(async () => {
  await (await browser)?.close();
});
