// The example page of the client in Chromium, built, from another origin than the server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { http, root, type Server, startServer } from "../harness.ts";
import { allowProblems, newPage } from "../support/browser.ts";

const dist = mkdtempSync(join(tmpdir(), "cairn-client-"));
const types: Record<string, string> = { html: "text/html", js: "text/javascript" };
const site = http.createServer(({ url = "/" }, answer) => {
  const path = url.split("?")[0] === "/" ? "/index.html" : (url.split("?")[0] as string);
  const folder = path.startsWith("/cairn/") ? dist : join(root, "examples", "static-page");
  try {
    const bytes = readFileSync(join(folder, path.replace(/^\/cairn\//, "/")));
    answer.setHeader("content-type", types[path.split(".").at(-1) ?? ""] ?? "text/plain").end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
});

let server: Server;
let origin: string;
before(async () => {
  server = await startServer();
  const tsc = join(root, "node_modules", ".bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "client"), "--outDir", dist]);
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await server.makeSchema(JSON.parse(readFileSync(join(root, "examples", "recipe.schema.json"), "utf8")));
  await server.makeCollection({ id: "recipes", schema: "recipe", publicOperations: ["read", "create"] });
  await server.request("POST", "/api/collections/recipes", { body: { title: "Bread", minutes: 90 } });
});
after(async () => {
  site.close();
  rmSync(dist, { recursive: true });
  await server.stop();
});

test("CLIENT-9, HTTP-44 a page of another origin reads at once, and writes once its origin is named", async () => {
  allowProblems(/CORS policy|ERR_FAILED/);
  const page = await newPage(server);
  await page.goto(`${origin}/?cairn=${encodeURIComponent(server.url)}`);
  await page.getByText("Bread (90 min)").waitFor();
  await page.getByLabel("Title").fill("Soup");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("There was no answer").waitFor();
  const stored = () => server.request("GET", "/api/collections/recipes?sort=title:asc");
  assert.equal((await stored()).body.data.length, 1);
  await server.setSetting("cors.origins", [origin]);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("Soup is stored.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Soup" }).waitFor();
  assert.equal((await stored()).body.data.length, 2);
});

test("HTTP-68 routes are tried out from the reference, with a key", async () => {
  allowProblems(/status of 401/);
  const page = await newPage(server);
  await page.goto("/api/docs");
  const route = page.locator("article", { hasText: "List schemas" }).first();
  await route.getByText("Try it").click();
  await route.getByRole("button", { name: "Send" }).click();
  await route.locator("output", { hasText: /^401/ }).waitFor();
  await page.getByLabel("API key for trying routes out").fill(server.key);
  await route.getByRole("button", { name: "Send" }).click();
  await route.locator("output", { hasText: '"schemas": [' }).waitFor();
  const create = page.locator("article", { hasText: "Create an object" }).first();
  await create.getByText("Try it").click();
  await create.getByLabel("collection").fill("recipes");
  await create.getByLabel("Body").fill('{"title": "From the page"}');
  await create.getByRole("button", { name: "Send" }).click();
  await create.locator("output", { hasText: /^201/ }).waitFor();
});
