// What runs on the admin's host, in Chromium: the app's own scripts, and neither uploaded files nor pages of the site.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, newPage } from "../support/browser.ts";
import { upload } from "../support/sample-files.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({ id: "pad", properties: { id: { type: "slug" }, doc: { type: "file" } }, index: ["id"] });
  await server.makeCollection({ id: "pad", schema: "pad", publicOperations: ["read"], publicFiles: true });
  await server.request("POST", "/api/collections/pad", { body: { id: "a" } });
  await upload(server, "pad/a/doc", { name: "run.js", bytes: "document.title = 'ran'" });
});
after(() => server.stop());

/** Puts a script element into the page. */
function load(page: Page, src: string): Promise<string> {
  return page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const script = document.createElement("script");
        script.onload = () => resolve("loaded");
        script.onerror = () => resolve("refused");
        script.src = address;
        document.head.append(script);
      }),
    src,
  );
}

test("DL-43, DL-40 an uploaded script runs neither in the admin nor on a page without a policy", async () => {
  allowProblems(/Content Security Policy|status of 403|MIME type/);
  const page = await newPage(server);
  await page.goto("/admin");
  await page.getByLabel("Password").waitFor();
  equal(await load(page, "/stream/pad/a/doc"), "refused");
  equal(await load(page, "/stream/pad/a/doc?again"), "refused");
  equal(
    await load(page, (await page.locator("script[src*='/admin/assets/']").first().getAttribute("src")) as string),
    "loaded",
  );
  await page.goto("/healthz");
  equal(await load(page, "/stream/pad/a/doc"), "refused");
  equal(await page.title(), "");
});
