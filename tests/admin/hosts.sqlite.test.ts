// What runs on the admin's host, in Chromium: the app's own scripts, and neither uploaded files nor pages of the site.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, newPage } from "../support/browser.ts";
import { upload } from "../support/sample-files.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

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
  return page.evaluate(`new Promise((resolve) => {
    const script = document.createElement("script");
    script.onload = () => resolve("loaded");
    script.onerror = () => resolve("refused");
    script.src = ${JSON.stringify(src)};
    document.head.append(script);
  })`);
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

test("AHOST-16 on the admin's host no script of the site has the session; previews go on working", async () => {
  const { port } = new URL(server.url);
  const [site, cms] = [server.url, `http://localhost:${port}`];
  await server.makeSchema({
    id: "note",
    properties: { id: { type: "slug" }, title: { type: "string", field: "text", label: "Title" } },
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "notes", schema: "note", url: "/notes", prettyUrl: true, onSite: true });
  await server.request("POST", "/api/collections/notes", { body: { id: "a", title: "Anvil" } });
  const script =
    "fetch('/api/auth/session').then((answer) => (document.title = `answer ${answer.status}`), () => (document.title = 'refused'))";
  const template = `<!doctype html><html lang="en"><head><title>x</title></head><body><h1>{{ object.title }}</h1>{% script %}${script}{% endscript %}</body></html>`;
  await server.request("PUT", "/api/templates/pages/notes", { body: { template } });
  await makeUser(server, "ada", ["admin"]);
  const ada = await signIn(server, "ada");
  const page = await newPage(server);
  const [name = "", value = ""] = ada.cookie.split("=");
  await page.context().addCookies([cms, site].map((url) => ({ name, value, url })));
  const titleAt = async (host: string) => {
    await page.goto(`${host}/notes/a`);
    await page.getByRole("heading", { name: "Anvil" }).waitFor();
    return until(
      () => page.title(),
      (title) => title !== "x",
    );
  };
  allowProblems(/status of 40[134]|CORS|ERR_FAILED|Failed to load/);
  equal(await titleAt(cms), "answer 200");
  await server.setSetting("site.adminHost", `localhost:${port}`);
  equal(await titleAt(cms), "answer 401");
  equal(await titleAt(site), "answer 404");
  await page.goto(`${cms}/admin/collections/notes/a`);
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const shown = page.frameLocator('iframe[title="Preview of Anvil"]');
  await shown.getByRole("heading", { name: "Anvil" }).waitFor();
  await page.getByLabel("Title").fill("Anvils");
  await shown.getByRole("heading", { name: "Anvils" }).waitFor();
});
