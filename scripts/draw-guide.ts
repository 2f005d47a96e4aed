// Draws the pictures of docs/guides/admin.md: starts a server of its own with the demo site, opens pages in Chromium and keeps
// what is seen as docs/guides/pictures/*.webp. Run it when pages look different: bin/with-node node scripts/draw-guide.ts

import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { startServer } from "../tests/harness.ts";
import { makeUser, signIn } from "../tests/support/sign-in.ts";
import { browserPath, ensureChromium } from "./debian.ts";

interface Picture {
  name: string;
  path: string;
  /** What is done before, and what must be there. */
  prepare?: (page: Page) => Promise<unknown>;
  theme?: "dark";
}

const folder = resolve(import.meta.dirname, "..", "docs", "guides", "pictures");
const size = { width: 1280, height: 800 };

const pictures: Picture[] = [
  { name: "home", path: "/admin" },
  { name: "table", path: "/admin/collections/products" },
  { name: "form", path: "/admin/collections/blog", prepare: openFirst },
  { name: "schema", path: "/admin/schemas/product-variant", theme: "dark" },
  { name: "groups", path: "/admin/utils/access-groups/editor" },
  { name: "palette", path: "/admin", prepare: (page) => page.keyboard.press("Control+K"), theme: "dark" },
];

async function openFirst(page: Page): Promise<void> {
  await page.getByRole("grid").getByRole("link").first().click();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
}

ensureChromium();
const server = await startServer();
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  const demo = await server.request("GET", "/api/export/jumpstart/demo");
  const { status, text } = await server.request("POST", "/api/import/jumpstart", { body: demo.body });
  if (status !== 200 && status !== 201) throw new Error(`The demo was not loaded: ${status} ${text}`);
  await makeUser(server, "ada", ["admin"], { name: "Ada Stone" });
  const { cookie } = await signIn(server, "ada");
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
  const url = server.url.replace("127.0.0.1", "localhost");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name: file, path, prepare, theme = "light" } of pictures) {
    const context = await browser.newContext({
      ...{ baseURL: url, viewport: size, colorScheme: theme, reducedMotion: "reduce", locale: "en-GB" },
      timezoneId: "UTC",
    });
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    await page.goto(path);
    await page.locator("main[aria-busy=false] h1").waitFor();
    await prepare?.(page);
    await page.waitForLoadState("networkidle");
    await sharp(await page.screenshot())
      .webp({ quality: 82 })
      .toFile(resolve(folder, `${file}.webp`));
    console.log(`${file}.webp`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
