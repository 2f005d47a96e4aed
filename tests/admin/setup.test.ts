// From an empty data directory to a site that runs: the server's form, then the steps of the app.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, looks, newPage, screenshot } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
/** The demo site brings files. */
let publicDir: string;
before(async () => {
  publicDir = mkdtempSync(join(tmpdir(), "cairn-public-"));
  server = await startServer({ env: { CAIRN_PUBLIC_DIR: publicDir } });
});
after(async () => {
  await server.stop();
  rmSync(publicDir, { recursive: true });
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const goOn = (page: Page) => page.getByRole("button", { name: "Continue", exact: true }).click();

test("ADM-260 the link of the console leads through every step into the admin", async () => {
  const page = await newPage(server);
  await page.goto(/(\/setup\?token=\S+)/.exec(server.stdout)?.[1] as string);
  await page.getByLabel("Email").fill("root@example.test");
  await page.getByLabel("Name").fill("Root");
  await page.getByLabel("Password", { exact: true }).fill("long-enough-1");
  await page.getByLabel("Password again").fill("long-enough-1");
  await page.getByRole("button", { name: "Create administrator" }).click();
  await heading(page, "Cairn is set up").waitFor();
  await page.getByRole("link", { name: "Continue" }).click();

  await heading(page, "Environment").waitFor();
  const checks = page.getByRole("list", { name: "Checks" }).getByRole("listitem");
  await checks.first().waitFor();
  await until(async () => (await checks.count()) >= 3);
  await goOn(page);

  await heading(page, "Starter content").waitFor();
  await page.getByRole("radio", { name: "Load the demo site" }).check();
  await goOn(page);

  await heading(page, "Server configuration").waitFor();
  await page.getByRole("tab", { name: "Caddy" }).click();
  await page.getByText("reverse_proxy").waitFor();
  await becomes(() => page.getByRole("button", { name: "Copy" }).count(), 1);
  await goOn(page);

  await heading(page, "Ready").waitFor();
  await page.getByRole("link", { name: "Open the admin" }).click();
  await heading(page, "Home").waitFor();
  await until(
    async () => await page.title(),
    (text) => /^Home · /.test(text),
  );
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /Journal/ })
    .waitFor();
});

test("ADM-261 the steps can be used by everyone, in both themes and at every width", async () => {
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
  const steps = {
    environment: "Environment",
    content: "Starter content",
    "server-config": "Server configuration",
    complete: "Ready",
  };
  for (const { width, theme } of looks) {
    const page = await newPage(server, { as: ada, width, theme });
    for (const [path, name] of Object.entries(steps)) {
      await page.goto(`/setup/${path}`);
      await heading(page, name).waitFor();
      await page.locator('main[aria-busy="false"]').waitFor();
      await becomes(() => axe(page), []);
      await screenshot(page, `setup-${path}-${width}-${theme}`);
    }
  }
});

test("ADM-262 only administrators see the steps, and a failure is said in words", async () => {
  await makeUser(server, "vera", ["viewer"]);
  const vera = await signIn(server, "vera");
  allowProblems(/status of (403|500)/);
  const page = await newPage(server, { as: vera });
  await becomes(async () => (await page.goto("/setup/environment"))?.status(), 403);

  const other = await newPage(server, { as: ada });
  await other.route("**/api/system", (route) =>
    route.fulfill({ status: 500, body: '{"error":{"code":500,"message":"No disk"}}' }),
  );
  await other.goto("/setup/environment");
  await other.getByRole("alert").getByText("No disk").waitFor();
  await other.unroute("**/api/system");
  await other.getByRole("button", { name: "Try again" }).click();
  await other.getByRole("list", { name: "Checks" }).waitFor();
});
