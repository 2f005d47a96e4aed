// Extensions in the admin: the page with review, settings and log; pages and fields that extensions draw, in the page itself and in
// frames.

import { deepEqual, equal, ok } from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { runCairn, type Server, startServer } from "../harness.ts";
import { allowProblems, look, newPage } from "../support/browser.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;

const element = `export default class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = '<label>City <input></label><output></output>';
    this.input = root.querySelector("input");
    this.input.addEventListener("input", () => {
      const city = this.input.value;
      if (city === "throw") throw new Error("as ordered");
      if (city === "wrong") this.tell("cairn-invalid", { message: "No such city." });
      else this.tell("cairn-change", { value: { city } });
    });
    this.draw();
  }
  tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail })); }
  set value(value) { this.held = value; this.draw(); }
  set field(field) { this.about = field; this.draw(); }
  draw() {
    if (!this.input) return;
    if (this.input.value !== "wrong") this.input.value = this.held?.city ?? "";
    this.shadowRoot.querySelector("output").textContent = "in " + this.about.collection;
  }
}`;

const cell = `export default class extends HTMLElement {
  set value(value) { this.textContent = "City of " + value.city; }
}`;

const page = `export default class extends HTMLElement {
  async connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [await this.cairn.styles()];
    root.innerHTML = '<h2>Places</h2><p></p><button type="button" class="primary">Ask</button>';
    const said = root.querySelector("p");
    said.textContent = [this.route.path, this.route.query.q, this.cairn.user.name, this.cairn.can("read", "towns")].join(" ");
    this.dispatchEvent(new CustomEvent("cairn-title", { bubbles: true, detail: { text: "Map of places" } }));
    root.querySelector("button").addEventListener("click", async () => {
      const answer = await this.cairn.fetch("/api/collections/towns/one");
      const { data } = await answer.json();
      const other = await this.cairn.fetch("/api/users").then(({ status }) => status, (error) => error.message);
      said.textContent = data.name + ", " + other;
    });
  }
}`;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await makeUser(server, "ada", ["admin"], { name: "Ada" });
  ada = await signIn(server, "ada");
  const folder = join(server.dataDir, "extensions");
  mkdirSync(folder, { recursive: true });
  writeExtension(folder, {
    id: "acme/map",
    manifest: {
      name: "Map",
      description: "Places on a map.",
      entrypoint: undefined,
      settings_schema: "settings.json",
      reviewNote: "Calls nobody.",
      permissions: { collections: { towns: ["read"] } },
      contributes: {
        fields: [{ kind: "place", title: "Place", type: "json", element: "admin/place.js", cell: "admin/cell.js" }],
        adminPages: [
          { name: "overview", title: "Map", path: "", element: "admin/page.js", icon: "map", nav: "content" },
          { name: "broken", title: "Broken", path: "broken", element: "admin/broken.js", nav: "content" },
        ],
      },
    },
    files: {
      "admin/place.js": element,
      "admin/cell.js": cell,
      "admin/page.js": page,
      "admin/broken.js": "export default 1;",
      "settings.json": JSON.stringify({
        type: "object",
        properties: {
          zoom: { type: "integer", title: "Zoom", minimum: 1, maximum: 20, default: 8 },
          isOn: { type: "boolean", title: "Show labels" },
          style: { enum: ["plain", "satellite"], title: "Style" },
          token: { type: "string", format: "secret", title: "Token" },
          from: { type: "string", title: "From", "x-control": "date" },
          home: { type: "object", title: "Home", "x-control": "acme/map:place" },
          hosts: { type: "array", items: { type: "string" }, title: "Hosts" },
        },
      }),
    },
  });
  writeExtension(folder, {
    id: "acme/framed",
    manifest: {
      name: "Framed",
      runtime: "sandbox",
      entrypoint: undefined,
      permissions: { collections: { towns: ["read"] } },
      contributes: {
        fields: [{ kind: "spot", title: "Spot", type: "json", element: "admin/place.js" }],
        adminPages: [{ name: "view", title: "Framed view", path: "view", element: "admin/page.js", nav: "run" }],
      },
    },
    files: { "admin/place.js": element, "admin/page.js": page },
  });
  await enableExtension(server, "acme/framed");
  await server.makeSchema({
    id: "town",
    properties: {
      id: { type: "string" },
      name: { type: "string", label: "Name" },
      place: { type: "json", field: "acme/map:place", label: "Place" },
      spot: { type: "json", field: "acme/framed:spot", label: "Spot" },
      lost: { type: "string", field: "acme/gone:kind", label: "Lost" },
    },
    index: ["id", "name", "place"],
  });
  await server.makeCollection({ id: "towns", name: "Towns", schema: "town" });
  const body = { id: "one", name: "First", place: { city: "Ulm" }, spot: { city: "Bonn" }, lost: "kept" };
  await server.request("POST", "/api/collections/towns", { body });
});
after(() => server.stop());

const button = (where: Page | Locator, name: string) => where.getByRole("button", { name, exact: true });
const heading = (where: Page, name: string) => where.getByRole("heading", { level: 1, name, exact: true });
const notification = (where: Page, text: string | RegExp) =>
  where.getByRole("region", { name: "Notifications" }).getByText(text).first();

test("ADM-1110 ADM-1111 ADM-1112 ADM-1113 an extension is reviewed, enabled, switched and set up", async () => {
  const shown = await newPage(server, { as: ada });
  await shown.goto("/admin/extensions");
  const grid = shown.getByRole("grid", { name: "Extensions", exact: true });
  const row = grid.getByRole("row", { name: "Map", exact: true });
  await row.getByText("Off", { exact: true }).waitFor();
  await row.getByText("Uploaded", { exact: true }).waitFor();
  await look(shown, "extensions");

  // It was never approved: the switch leads to the review.
  await row.getByRole("switch").click();
  const review = shown.getByRole("dialog", { name: "Review Map", exact: true });
  await review.getByText(/It runs with the rights of the server/).waitFor();
  await review.getByText("Calls nobody.").waitFor();
  const adds = review.getByRole("list", { name: "What it adds", exact: true });
  await adds.getByRole("switch", { name: 'The admin page "Broken"' }).waitFor();
  await review.getByRole("list", { name: "What it may do", exact: true }).getByRole("switch").waitFor();
  await look(shown, "extension-review");
  await button(review, "Approve and enable").click();
  await notification(shown, "Map is on").waitFor();
  await row.getByText("On", { exact: true }).waitFor();

  await row.getByRole("link", { name: "Map", exact: true }).click();
  await heading(shown, "Map").waitFor();
  await shown.getByRole("switch", { name: "Enabled", exact: true }).waitFor();
  const mayRead = shown.getByRole("switch", { name: 'May read objects of "towns"' });
  await mayRead.click();
  await notification(shown, "The capability was switched").waitFor();
  await becomes(() => mayRead.isChecked(), false);
  await mayRead.click();
  await becomes(() => mayRead.isChecked(), true);
  await look(shown, "extension");

  await shown.getByRole("tab", { name: "Settings", exact: true }).click();
  const zoom = shown.getByLabel("Zoom", { exact: true });
  await becomes(() => zoom.inputValue(), "8");
  await zoom.fill("99");
  await button(shown, "Save").click();
  await becomes(() => zoom.getAttribute("aria-invalid"), "true");
  await zoom.fill("5");
  await shown.getByRole("switch", { name: "Show labels" }).check();
  await shown.getByLabel("Token", { exact: true }).fill("s3cret");
  const home = shown.getByRole("group", { name: "Home", exact: true });
  await home.getByRole("textbox", { name: "City" }).fill("Ulm");
  await shown.getByRole("group", { name: "From", exact: true }).waitFor();
  await look(shown, "extension-settings");
  await button(shown, "Save").click();
  await notification(shown, "Saved").waitFor();
  await shown.getByText("It is set. Leave it empty to keep it.").waitFor();
  await becomes(() => shown.getByLabel("Token", { exact: true }).inputValue(), "");
  await becomes(async () => (await server.request("GET", "/api/extensions/acme/map/settings")).body.data, {
    ...{ zoom: 5, isOn: true, token: { set: true }, home: { city: "Ulm" } },
  });

  await shown.getByRole("tab", { name: "Log", exact: true }).click();
  await shown.getByRole("switch", { name: "Follow" }).waitFor();
  await button(shown, "Reload").click();
  await notification(shown, "The extension was loaded again").waitFor();
  await button(shown, "Remove").click();
  const removal = shown.getByRole("alertdialog", { name: "Remove Map?" });
  await button(removal, "Cancel").click();
  await removal.waitFor({ state: "detached" });
});

test("XADM-1 XADM-2 XADM-3 XADM-4 a field of an extension is edited, saved, and falls back to its base type", async () => {
  await enableExtension(server, "acme/map");
  const shown = await newPage(server, { as: ada });
  await shown.goto("/admin/collections/towns?columns=name,place");
  await shown.getByText("City of Ulm").waitFor();
  await shown.getByRole("grid", { name: "Towns" }).getByRole("link", { name: "First", exact: true }).click();

  const place = shown.getByRole("group", { name: "Place", exact: true });
  const city = place.getByRole("textbox", { name: "City" });
  await becomes(() => city.inputValue(), "Ulm");
  await place.getByText("in towns").waitFor();
  const spot = shown.frameLocator("iframe").getByRole("textbox", { name: "City" });
  await becomes(() => spot.inputValue(), "Bonn");
  await shown.getByText(/belongs to the extension acme\/gone, which is not on/).waitFor();
  await becomes(() => shown.getByRole("textbox", { name: "Lost" }).inputValue(), "kept");
  await look(shown, "extension-fields");

  // What the element refuses is not sent.
  await city.fill("wrong");
  await place.page().getByText("No such city.").first().waitFor();
  await button(shown, "Save").click();
  await shown.getByRole("alert").getByRole("link", { name: "Place" }).waitFor();
  await city.fill("Jena");
  await button(shown, "Undo change to Place").waitFor();
  await spot.fill("Kiel");
  await button(shown, "Undo change to Spot").waitFor();
  await button(shown, "Save").click();
  await notification(shown, "Saved").waitFor();
  const stored = async () => (await server.request("GET", "/api/collections/towns/one")).body.data;
  await becomes(async () => (await stored()).place.city, "Jena");
  await becomes(async () => (await stored()).spot.city, "Kiel");
  await city.fill("Gera");
  await button(shown, "Undo change to Place").click();
  await becomes(() => city.inputValue(), "Jena");

  // An error of the element ends it alone.
  allowProblems(/as ordered/);
  await city.fill("throw");
  await shown.getByText(/The field of the extension Map could not be loaded/).waitFor();
  await shown.getByRole("textbox", { name: "Name" }).fill("Second");
  await button(shown, "Save").click();
  await becomes(async () => (await stored()).name, "Second");
  await becomes(async () => {
    const { body } = await server.request("GET", "/api/extensions/acme/map/log");
    return body.data.filter(({ text }: { text: string }) => /as ordered/.test(text)).length;
  }, 1);
});

/** How its button is drawn: by `--on-accent` and `--control`. */
const lookOf = (where: Pick<Page, "getByRole">): Promise<string[]> =>
  where.getByRole("button", { name: "Ask" }).evaluate((element) => {
    const { color, minHeight } = Reflect.get(globalThis, "getComputedStyle")(element);
    return [color, minHeight];
  });
const dressed = ["rgb(255, 255, 255)", "36px"];

test("XADM-5 XADM-6 XADM-9 pages of extensions are in the sidebar, with the session or in a frame without it", async () => {
  await enableExtension(server, "acme/map");
  const shown = await newPage(server, { as: ada });
  await shown.goto("/admin/ext/acme/map/deep/er?q=x");
  await heading(shown, "Map of places").waitFor();
  await shown.getByText("deep/er x Ada true").waitFor();
  deepEqual(await lookOf(shown), dressed, "the page has the look of the admin");
  await button(shown, "Ask").click();
  await shown.getByText(/, \d{3}$/).waitFor();
  await look(shown, "extension-page");

  const main = shown.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Broken", exact: true }).click();
  await shown.getByRole("alert").getByText("Broken could not be shown").waitFor();
  await button(shown, "Disable for me").click();
  await button(shown, "Enable for me").waitFor();

  await main.getByRole("link", { name: "Framed view", exact: true }).click();
  const frame = shown.frameLocator("iframe");
  await frame.getByText("Ada true").waitFor();
  await heading(shown, "Map of places").waitFor();
  deepEqual(await lookOf(frame), dressed, "and so has the frame");
  await frame.getByRole("button", { name: "Ask" }).click();
  await frame.getByText(/A frame reaches its own routes and declared collections alone/).waitFor();
  await becomes(async () => (await shown.locator("iframe").getAttribute("sandbox")) ?? "", "allow-scripts allow-forms");
  await look(shown, "extension-frame");
  const [, framed] = shown.frames();
  ok(framed);
  equal(await framed.evaluate("origin"), "null");
});

test("EXT-73 the page and the field that extension:new writes work in the admin, in the page and in a frame", async () => {
  const project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  const made = [
    ["acme/fresh", "node", "field,page"],
    ["acme/boxed", "sandbox", "page"],
  ] as const;
  for (const [id, runtime, parts] of made) {
    const args = ["extension:new", id, "--runtime", runtime, "--with", parts];
    equal((await runCairn(args, { cwd: project, env: {} })).code, 0);
    cpSync(join(project, "extensions", id), join(server.dataDir, "extensions", id), { recursive: true });
    await enableExtension(server, id);
  }
  rmSync(project, { recursive: true });
  const properties = { id: { type: "string" }, stars: { field: "acme/fresh:stars", label: "Stars" } };
  await server.makeSchema({ id: "hotel", properties, index: ["id"] });
  await server.makeCollection({ id: "hotels", name: "Hotels", schema: "hotel" });
  await server.request("POST", "/api/collections/hotels", { body: { id: "inn" } });

  const shown = await newPage(server, { as: ada });
  await shown.goto("/admin/collections/hotels/inn");
  const stars = shown.getByRole("group", { name: "Stars", exact: true });
  await stars.getByText("Not set").waitFor();
  await stars.getByRole("slider", { name: "Stars" }).press("ArrowRight");
  await stars.getByText("1 of 5").waitFor();
  await look(shown, "new-extension-field");
  await button(shown, "Save").click();
  await becomes(async () => (await server.request("GET", "/api/collections/hotels/inn")).body.data.stars, 1);

  await shown.goto("/admin/ext/acme/fresh/");
  await heading(shown, "Fresh").waitFor();
  await shown.getByRole("row", { name: "Hotels 1 Open Hotels" }).waitFor();
  await look(shown, "new-extension-page");
  await button(shown, "Open Hotels").click();
  await heading(shown, "Hotels").waitFor();

  await shown.goto("/admin/ext/acme/boxed/");
  const frame = shown.frameLocator("iframe");
  await frame.getByText("Hello, Ada.").waitFor();
  await frame.getByRole("button", { name: "Say hello" }).click();
  await notification(shown, "Hello!").waitFor();
});
