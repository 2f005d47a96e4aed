// The admin web app in Chromium: how soon a table can be used, how a form answers the keyboard, and what stays in memory. Apart from
// the other benchmarks, because it needs a browser.
//   node bench/admin.ts [--objects 100000] [--only preview]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { browserPath } from "../scripts/debian.ts";
import { collection } from "./data.ts";
import { finish, type Running, start } from "./processes.ts";
import { closeSite, openSite, type Site } from "./site.ts";
import { printTable, type Row, whole } from "./table.ts";

const { values } = parseArgs({
  options: { objects: { type: "string", default: "100000" }, only: { type: "string", default: "" } },
});
const rounds = 7;
const keys = 60;
const navigations = 200;
const password = "correct-horse-1";
const rows: Row[] = [];

/** Notes, by the clock of the page, when the first row of a table is there. */
const noteFirstRow = `new MutationObserver((_changes, observer) => {
  if (!document.querySelector("[role=row][data-id]")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstRow = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const browser = await chromium.launch({ executablePath: browserPath(), headless: true, args: ["--no-sandbox"] });
await benchPreview();
for (const objects of values.only === "preview" ? [] : [10_000, Number(values.objects)]) {
  const site = await openSite(objects);
  const cookie = await signIn(site);
  await benchTable(site, cookie, objects);
  if (objects === 10_000) {
    await benchForm(site, cookie);
    await benchPalette(site, cookie);
    await benchMemory(site, cookie);
  } else await benchScrolling(site, cookie);
  await closeSite(site);
}
await browser.close();
printTable(`the admin in Chromium ${browser.version()}`, rows);

async function benchTable(site: Site, cookie: string, objects: number): Promise<void> {
  const cold: number[] = [];
  const warm: number[] = [];
  let asked: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await open(browser, site, cookie);
    const page = await context.newPage();
    await page.addInitScript(noteFirstRow);
    await page.goto(`/admin/collections/${collection}`);
    const first = await noted(page, "firstRow");
    cold.push(first);
    asked = await page.evaluate<string[]>(
      `performance.getEntriesByType("resource").filter((e) => e.initiatorType === "fetch" && e.startTime < ${first}).map((e) => e.name)`,
    );
    await page.reload();
    warm.push(await noted(page, "firstRow"));
    await context.close();
  }
  add(`table of ${whole(objects)} objects, first visit`, `${whole(median(cold))} ms`, "1500 ms", median(cold) <= 1_500);
  add(`table of ${whole(objects)} objects, again`, `${whole(median(warm))} ms`, "400 ms", median(warm) <= 400);
  const paths = asked.map((address) => new URL(address).pathname).join(", ");
  add("- requests for data before it can be used", `${asked.length}: ${paths}`, "", true);
}

/** Once the page has noted it. */
async function noted(page: Page, name: string): Promise<number> {
  const found = await page.waitForFunction((wanted) => Reflect.get(globalThis, wanted), name, { timeout: 60_000 });
  return (await found.jsonValue()) as number;
}

/** Script of a key press: what the handlers of its events take. Shorter ones than the browser reports count as nothing. */
async function benchForm(site: Site, cookie: string): Promise<void> {
  const text = { type: "string", field: "text" };
  const names = Array.from({ length: 98 }, (_, n) => `text${n}`);
  const rich = { type: "string", field: "styledtext" };
  const properties = { ...Object.fromEntries(names.map((name) => [name, { ...text, label: name }])), rich, more: rich };
  await send(site, "/api/schemas", { id: "wide", properties, required: [] });
  await send(site, "/api/collections", { id: "wide", schema: "wide" });
  const texts = { rich: "<p>Stones on a hill.</p>".repeat(40), more: "<p>A river.</p>".repeat(40) };
  await send(site, "/api/collections/wide", { id: "one", text50: "a", ...texts });
  const context = await open(browser, site, cookie);
  const page = await context.newPage();
  await page.goto("/admin/collections/wide/one");
  const fields = [page.getByRole("textbox", { name: "text50", exact: true }), page.locator("[contenteditable=true]")];
  for (const [field, name] of [
    [fields[0], "a text"],
    [fields[1], "a rich text"],
  ] as const) {
    await field?.first().click();
    await page.evaluate(`window.times = [];
      new PerformanceObserver((list) => {
        for (const { name, processingStart, processingEnd } of list.getEntries())
          if (/^key|input$/.test(name)) window.times.push(processingEnd - processingStart);
      }).observe({ type: "event", durationThreshold: 16 })`);
    for (let n = 0; n < keys; n += 1) await page.keyboard.press("x", { delay: 20 });
    const times = await page.evaluate<number[]>("window.times");
    const longest = Math.max(0, ...times);
    const shown = `${longest.toFixed(1)} ms, the longest of ${keys} keys`;
    add(`script of a key in ${name} of a form of 100 fields with two rich texts`, shown, "16 ms", longest <= 16);
  }
  await context.close();
}

/** On a page of the starter: from a key in the form to the page in the pane that shows it, by the clock of the machine. */
async function benchPreview(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  await finish("src/main.ts", ["site:init", "walks"], env);
  const made = await finish("src/main.ts", ["key:create", "--name", "bench", "--json"], env);
  const cairn = await start("src/main.ts", ["serve", "--port", "0"], env);
  const site = { cairn, key: (JSON.parse(made) as { key: string }).key };
  const context = await open(browser, site, await signIn(site));
  const page = await context.newPage();
  await page.goto("/admin/collections/walks/raven-crag-round");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
  const pane = page.frames().find((frame) => frame !== page.mainFrame());
  if (!pane) throw new Error("there is no pane");
  const now = "performance.timeOrigin + performance.now()";
  await pane.evaluate(`new MutationObserver(() => { window.changed = ${now}; })
    .observe(document.querySelector("h1"), { childList: true, characterData: true, subtree: true })`);
  await page.evaluate(`addEventListener("keydown", () => { window.pressed = ${now}; }, { capture: true })`);
  await page.getByRole("textbox", { name: "Title", exact: true }).press("End");
  const times: number[] = [];
  for (let n = 0; n < keys; n += 1) {
    await page.keyboard.press(n % 2 === 0 ? "x" : "Backspace");
    const pressed = await page.evaluate<number>("window.pressed");
    await pane.waitForFunction((since) => Reflect.get(globalThis, "changed") > since, pressed, { timeout: 60_000 });
    times.push((await pane.evaluate<number>("window.changed")) - pressed);
  }
  times.sort((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)] as number) as [number, number];
  add(
    `live preview of a page of the starter, from a key to the changed pane, p50 and p95 of ${keys} keys`,
    `${whole(p50)}, ${whole(p95)} ms`,
    "p95 600 ms",
    p95 <= 600,
  );
  await context.close();
  await cairn.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function benchPalette(site: Site, cookie: string): Promise<void> {
  const context = await open(browser, site, cookie);
  const page = await context.newPage();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`/admin/collections/${collection}`);
    await page.locator("[role=row][data-id]").first().waitFor();
    await page.evaluate(`document.addEventListener("keydown", () => {
      const pressed = performance.now();
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector("[role=dialog] [role=combobox]")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.opened = performance.now() - pressed; }));
      }).observe(document, { childList: true, subtree: true });
    }, { capture: true, once: true })`);
    // The palette is fetched while the page is idle.
    await page.waitForLoadState("networkidle");
    await page.keyboard.press("Control+k");
    times.push(await noted(page, "opened"));
  }
  add("palette opens", `${whole(median(times))} ms`, "100 ms", median(times) <= 100);
  await context.close();
}

async function benchScrolling(site: Site, cookie: string): Promise<void> {
  const context = await open(browser, site, cookie);
  const page = await context.newPage();
  await page.goto(`/admin/collections/${collection}`);
  await page.locator("[role=row][data-id]").first().hover();
  await page.evaluate(`window.frames = []; let last = performance.now();
    const next = (now) => { window.frames.push(now - last); last = now; requestAnimationFrame(next); };
    requestAnimationFrame(next)`);
  for (let n = 0; n < 150; n += 1) {
    await page.mouse.wheel(0, 800);
    await page.waitForTimeout(16);
  }
  const frames = (await page.evaluate<number[]>("window.frames")).sort((a, b) => b - a);
  const long = frames.filter((ms) => ms > 50).length;
  add("scrolling, longest frame", `${whole(frames[0] as number)} ms, ${long} above 50 ms`, "50 ms", long === 0);
  await context.close();
}

async function benchMemory(site: Site, cookie: string): Promise<void> {
  const context = await open(browser, site, cookie);
  const page = await context.newPage();
  await page.goto(`/admin/collections/${collection}`);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1_000_000;
  };
  let early = 0;
  for (let n = 0; n < navigations; n += 1) {
    const link = n % 2 === 0 ? "Users" : "Home";
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link, exact: true }).click();
    await page.locator("main[aria-busy=false], main:not([aria-busy])").waitFor();
    if (n === 20) early = await heap();
  }
  const late = await heap();
  const shown = `${late.toFixed(1)} MB after ${navigations}, ${early.toFixed(1)} MB after 20`;
  add("memory of the page over navigations", shown, "x 1.2", late <= 1.2 * early);
  await context.close();
}

/** What a browser needs of an installation. */
type Visited = Pick<Site, "key"> & { cairn: Running };

async function open(from: Browser, site: Visited, cookie: string): Promise<BrowserContext> {
  const context = await from.newContext({ baseURL: site.cairn.url, viewport: { width: 1440, height: 900 } });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: site.cairn.url }]);
  return context;
}

/** The cookie of an administrator. */
async function signIn(site: Visited): Promise<string> {
  await send(site, "/api/collections/auth", {
    ...{ id: "ada", email: "ada@example.test", password, groups: ["admin"], active: true },
  });
  const body = JSON.stringify({ login: "ada", password });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${site.cairn.url}/api/auth/login`, { method: "POST", headers, body });
  return (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
}

async function send({ cairn, key }: Visited, path: string, body: object): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(cairn.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;
}

function add(workload: string, cairn: string, bar: string, isMet: boolean): void {
  rows.push({ workload, cairn, floor: "", ratio: "", bar, isMet });
  console.log(`${workload}: ${cairn}`);
}
