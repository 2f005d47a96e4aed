// Automations and jobs in a browser: written, failed, corrected, enabled again; runs and jobs while they go on.

import { deepEqual, match, ok } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { automate, runsOf, settledRuns } from "../automations/samples.ts";
import { type Server, startServer } from "../harness.ts";
import { look, newPage } from "../support/browser.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

before(async () => {
  const settings = {
    automations: { webhookLimit: 0, timeLimit: 600 },
    api: { rateLimit: 0 },
    timezone: "Europe/Berlin",
  };
  server = await startServer({ settings });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
});
after(() => server.stop());

const record = async (id: string) => (await server.request("GET", `/api/collections/automations/${id}`)).body.data;
const jobs = async (query: string) => (await server.request("GET", `/api/jobs?${query}`)).body.data;
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("ADM-711 ADM-712 ADM-713 ADM-714 ADM-1005 an automation is written, fails, is corrected and enabled again", async () => {
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/automations");
  await page.getByRole("main").getByRole("link", { name: "New automation" }).first().click();
  await page.getByRole("heading", { level: 1, name: "New automation" }).waitFor();
  await field(page, "Name").fill("Daily report");
  await field(page, "Handler").fill(
    "export default async (ctx) => {\n  const list = ctx.args.list\n  return { n: list.length +;\n}",
  );
  // As it is typed, before anything is saved.
  await page.getByText(/SyntaxError.*line 3/).waitFor();
  await page.locator(".cm-lintRange-error").waitFor();
  await button(page, "Save").click();
  const refusal = page.getByRole("alert").filter({ hasText: "1 field needs attention" });
  await refusal.getByText(/SyntaxError.*line 3/).waitFor();
  await page.locator(".cm-lintRange-error").waitFor();
  await becomes(() => field(page, "Handler").getAttribute("aria-invalid"), "true");

  await field(page, "Handler").fill(
    "export default async (ctx) => {\n  const list = ctx.args.list;\n  return { n: list.length };\n}",
  );
  await page.getByRole("tab", { name: "Triggers" }).click();
  await button(page, "Add trigger").click();
  await page.getByRole("combobox", { name: "Type" }).fill("sched");
  await page.getByRole("option", { name: /Schedule/ }).click();
  await field(page, "Schedule").fill("0 6 * *");
  await page.getByText("Must be five cron fields").waitFor();
  await becomes(() => field(page, "Schedule").getAttribute("aria-invalid"), "true");
  await field(page, "Schedule").fill("30 6 1 1 *");
  const times = page.getByRole("group", { name: "Trigger 1" }).getByRole("listitem");
  await becomes(() => times.count(), 5);
  await until(
    async () => (await times.first().textContent()) ?? "",
    (text) => /January 1, \d{4} at 06:30/.test(text),
  );
  await button(page, "Add trigger").click();
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: /Webhook/ }).click();
  await page.getByRole("combobox", { name: "Who may call" }).fill("Every");
  await page.getByRole("option", { name: /Everybody/ }).click();
  await page.getByText("The address is known after the first save.").waitFor();
  await button(page, "Add trigger").click();
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: /^Event/ }).click();
  await page.getByRole("combobox", { name: "Event" }).fill("user.login");
  await page.getByRole("option", { name: /user.login/ }).click();
  await page.keyboard.press("Control+s");
  await page.waitForURL("**/admin/automations/daily-report?tab=triggers");
  await page.getByRole("heading", { level: 1, name: "Daily report" }).waitFor();
  const stored = await record("daily-report");
  deepEqual(
    stored.triggers.map(({ id: _id, ...trigger }: { id: string }) => trigger),
    [
      { type: "schedule", cron: "30 6 1 1 *", auth: "none", sync: false },
      { type: "webhook", auth: "none", sync: false },
      { type: "event", event: "user.login", auth: "none", sync: false },
    ],
  );
  await page.getByText(`${server.url}/automations/daily-report`, { exact: true }).waitFor();
  await look(page, "automation-triggers");

  // It fails when it is called, five times in a row; the page hears of it.
  for (let n = 0; n < 5; n += 1) await server.request("POST", "/automations/daily-report", { key: null });
  await settledRuns(server, "daily-report", 5);
  await becomes(async () => (await record("daily-report")).autoDisabled, true);
  const off = page.getByRole("status").filter({ hasText: "Switched off after 5 failures in a row." });
  await page.goto("/admin/automations/daily-report");
  await off.waitFor();
  await page.locator(".cm-lintRange-error").waitFor();
  const enabled = page.getByRole("switch", { name: "Enabled" });
  await becomes(() => enabled.isChecked(), false);
  await look(page, "automation-off");

  // What is typed stays when it is enabled again.
  await field(page, "Handler").fill(
    "export default async (ctx) => {\n  const { list = [] } = ctx.args;\n  ctx.log('counted');\n  return { n: list.length };\n}",
  );
  await page.getByRole("button", { name: "Enable again" }).click();
  await off.waitFor({ state: "hidden" });
  await becomes(() => enabled.isChecked(), true);
  await page.getByRole("status", { name: "Save state" }).getByText("1 unsaved change").waitFor();
  await button(page, "Save").click();
  await page.getByRole("status", { name: "Save state" }).getByText("All changes saved").waitFor();
  const corrected = await record("daily-report");
  deepEqual([corrected.enabled, corrected.autoDisabled, corrected.consecutiveFailures], [true, false, 0]);
  match(corrected.handler, /counted/);

  await button(page, "Run now").click();
  const dialog = page.getByRole("dialog", { name: "Run Daily report" });
  await dialog.getByRole("textbox", { name: "Arguments" }).fill("[1]");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.getByText("Must be a JSON object").waitFor();
  await dialog.getByRole("textbox", { name: "Arguments" }).fill('{"list": ["a", "b"]}');
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  const result = dialog.getByRole("region", { name: "Run result" });
  await result.getByText("Succeeded").waitFor();
  await until(
    async () => (await result.textContent()) ?? "",
    (text) => /"n": 2.*info counted/s.test(text),
  );
  await look(page, "automation-run");
  await page.keyboard.press("Escape");
  await becomes(async () => (await runsOf(server, "daily-report"))[0]?.trigger, "manual");
});

test("ADM-710 ADM-717 the list shows how automations do, and switches them", async () => {
  await automate(server, "fine", {
    name: "Fine",
    body: "return 1",
    triggers: [{ type: "schedule", cron: "0 6 1 1 *" }],
  });
  await automate(server, "broken", { name: "Broken", body: "throw new Error('no')", triggers: [{ type: "webhook" }] });
  await automate(server, "other", { name: "Other", body: "throw new Error('no')" });
  for (let n = 0; n < 5; n += 1) await server.request("POST", "/automations/broken", { key: null });
  await until(
    () => record("broken"),
    ({ autoDisabled }) => autoDisabled === true,
  );
  await server.request("POST", "/api/automations/other/run", { body: {} });
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/automations");
  const grid = page.getByRole("grid", { name: "Automations" });
  const row = (name: string) => grid.getByRole("row", { name, exact: true });
  await row("Broken").getByText("Switched off").waitFor();
  await row("Broken").getByText("Webhook (open to everybody)").waitFor();
  await row("Broken").getByRole("img", { name: "The last 5 runs: 5 failed" }).waitFor();
  await row("Other").getByText("Failing").waitFor();
  await row("Fine").getByText("Not run yet").waitFor();
  await row("Fine")
    .getByText(/Jan 1, \d{4}, 5:00/)
    .waitFor();
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation
    .getByRole("listitem")
    .filter({ hasText: /Automations.*1 failed/ })
    .waitFor();
  await navigation
    .getByRole("listitem")
    .filter({ hasText: /Jobs.*\d+ failed/ })
    .waitFor();
  await look(page, "automations");
  await row("Broken").getByRole("switch", { name: "Enabled" }).click();
  await page.getByRole("status").filter({ hasText: "Broken is enabled" }).waitFor();
  await row("Broken").getByText("Switched off").waitFor({ state: "hidden" });
  await becomes(async () => (await record("broken")).enabled, true);
  await row("Fine").getByRole("button", { name: "Actions for Fine" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await page.getByRole("dialog", { name: "Duplicate Fine" }).getByLabel("New id").fill("finer");
  await page.getByRole("dialog").getByRole("button", { name: "Duplicate" }).click();
  await page.waitForURL("**/admin/automations/finer");
  await page.getByRole("heading", { level: 1, name: "Fine" }).waitFor();
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog", { name: "Delete Fine?" }).getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/admin/automations");
  await grid.locator("[data-row=finer]").waitFor({ state: "detached" });
  await row("Fine").waitFor();
  await becomes(async () => (await server.request("GET", "/api/collections/automations/finer")).status, 404);
});

test("ADM-715 ADM-718 runs are followed, filtered, repeated and cancelled, by the keyboard alone", async () => {
  const body =
    "ctx.log('begun'); while (ctx.args.wait) await ctx.sleep(60_000); if (ctx.args.fail) throw new Error('no'); return ctx.args";
  await automate(server, "live", { name: "Live", body, triggers: [{ type: "webhook" }] });
  await server.request("POST", "/automations/live?name=Ada", { key: null });
  await settledRuns(server, "live", 1);
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/automations/live?tab=runs");
  const grid = page.getByRole("grid", { name: "Runs" });
  await grid.getByRole("row", { name: /^Succeeded/ }).waitFor();
  // Started elsewhere, seen here.
  await server.request("POST", "/api/automations/live/run", { body: { fail: true } });
  await server.request("POST", "/automations/live?wait=1", { key: null });
  await page.getByRole("radiogroup", { name: "Status" }).getByRole("radio", { name: "All" }).focus();
  await page.keyboard.press("ArrowLeft");
  await grid.getByRole("row", { name: /^Failed/ }).waitFor();
  await grid.getByRole("row", { name: /^Succeeded/ }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  const running = grid.getByRole("row", { name: /^Running/ });
  await running.waitFor();
  // Into the grid, to the row, and open it.
  const show = running.getByRole("button", { name: /^Show Running/ });
  await show.focus();
  await page.keyboard.press("Enter");
  await grid.getByText("info begun").waitFor();
  const cancel = page.getByRole("button", { name: "Cancel run" });
  await cancel.focus();
  await page.keyboard.press("Enter");
  await grid.getByText("Cancelled while it ran.").first().waitFor();
  await grid.getByRole("button", { name: /^Show Succeeded/ }).focus();
  await page.keyboard.press("Enter");
  await look(page, "automation-runs");
  const again = page.getByRole("button", { name: "Run again with these arguments" });
  // The arguments of each run that is open are asked for by themselves.
  await becomes(() => again.count(), 2);
  await again.last().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Run Live" });
  await until(
    async () => (await dialog.getByRole("textbox", { name: "Arguments" }).textContent()) ?? "",
    (text) => /"name": "Ada"/.test(text),
  );
  await page.keyboard.press("Control+Enter");
  await dialog.getByRole("region", { name: "Run result" }).getByText("Succeeded").waitFor();
  await page.keyboard.press("Escape");
  await until(async () => (await grid.getByRole("row", { name: /^Succeeded/ }).count()) === 2);
  await becomes(async () => (await record("live")).enabled, true);
});

test("ADM-716 ADM-718 jobs are shown while they run, retried, cancelled and cleared", async () => {
  const body =
    "while (ctx.args.wait) await ctx.sleep(60_000); if (ctx.run.attempt < 2) throw new Error('not yet'); return 1";
  await automate(server, "worker", { name: "Worker", body, triggers: [{ type: "webhook" }] });
  await server.request("DELETE", "/api/jobs");
  await server.request("POST", "/automations/worker", { key: null });
  await settledRuns(server, "worker", 1);
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/jobs");
  const grid = page.getByRole("grid", { name: "Jobs" });
  const rows = grid.getByRole("row", { name: "Automation: worker", exact: true });
  await rows.getByText("Error: not yet").waitFor();
  const [failed] = await jobs("kind=automation&subject=worker");
  await becomes(
    () => rows.getByRole("link", { name: "worker" }).getAttribute("href"),
    "/admin/automations/worker?tab=runs",
  );
  await rows.getByRole("button", { name: "Show Automation: worker" }).click();
  await grid.getByText(failed.id).waitFor();
  await look(page, "jobs");
  await rows.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("status").filter({ hasText: "The job is queued again" }).waitFor();
  await until(async () => !["queued", "running"].includes((await jobs("kind=automation&subject=worker"))[0].status));

  await server.request("POST", "/automations/worker?wait=1", { key: null });
  await page.getByRole("radiogroup", { name: "Status" }).getByRole("radio", { name: "Running" }).check();
  // The list before may show it already: a press is lost when its row moves meanwhile.
  await becomes(async () => [await rows.count(), await rows.getByRole("progressbar").count()], [1, 1]);
  await rows.getByRole("button", { name: "Cancel job" }).click();
  await page.getByRole("status").filter({ hasText: "The job stops after the step" }).waitFor();
  await page.getByRole("radiogroup", { name: "Status" }).getByRole("radio", { name: "Failed" }).check();
  await rows.getByText("Cancelled while it ran.").waitFor();
  ok(page.url().endsWith("/admin/jobs?status=failed"));
  await page.getByRole("radiogroup", { name: "Status" }).getByRole("radio", { name: "All" }).check();
  await page.getByRole("combobox", { name: "Kind" }).fill("Import");
  await page.getByRole("option", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { name: "No such jobs" }).waitFor();
  await button(page, "Show all").click();
  await rows.first().waitFor();
  await button(page, "Clear finished").click();
  await page.getByRole("heading", { name: "No jobs" }).waitFor();
  await becomes(() => jobs("status=failed"), []);
});

test("ADM-710 below the Pro edition one line names the edition; others may not see the pages", async () => {
  // Keys need the Pro edition too.
  const setEdition = (edition: string) => ada.request("PUT", "/api/settings/general", { body: { edition } });
  await becomes(async () => (await setEdition("standard")).status, 200);
  const page = await newPage(server, { as: ada });
  await page.goto("/admin/automations");
  await page.getByText("Automations need the Pro edition. This installation runs standard.").waitFor();
  await becomes(() => page.getByRole("link", { name: "New automation" }).count(), 0);
  await becomes(async () => (await setEdition("pro")).status, 200);
  await makeUser(server, "ed", ["editor"]);
  const other = await newPage(server, { as: await signIn(server, "ed") });
  await other.goto("/admin/jobs");
  await other.getByRole("heading", { level: 1, name: "You may not see this page" }).waitFor();
  await becomes(
    () => other.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Automations" }).count(),
    0,
  );
});
