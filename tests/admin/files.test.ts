// Pictures in forms: uploads by every way, through a line that breaks; the image dialog; the order of a gallery.

import { deepEqual, equal, ok } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, closeAfterwards, looks, newPage, screenshot } from "../support/browser.ts";
import { flakyLine } from "../support/flaky-line.ts";
import { picture, upload } from "../support/sample-files.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;
let jpeg: Buffer;

const leaf = {
  id: "leaf",
  properties: {
    id: { type: "string", field: "id" },
    name: { type: "string", field: "text", label: "Name" },
    picture: { type: "image", field: "image", label: "Picture" },
  },
  required: ["id"],
};
const album = {
  id: "album",
  properties: {
    id: { $ref: "/schemas/properties/slug.json", field: "id", label: "Id", settings: { autogen: "${title}" } },
    title: { type: "string", field: "text", label: "Title" },
    cover: {
      type: "image",
      field: "image",
      label: "Cover",
      settings: { rules: { width: { min: 60 }, orientation: "landscape", size: { max: 30_000 } } },
    },
    photos: { type: "gallery", field: "gallery", label: "Photos" },
    pages: {
      type: "deck",
      field: "deck",
      label: "Pages",
      schemaref: "/schemas/leaf.json",
      settings: { deckItemLabel: "${name}" },
    },
  },
  required: ["id", "title"],
  index: ["id", "title"],
};

before(async () => {
  server = await startServer({ settings: { files: { allowPrivateHosts: true } } });
  await server.makeSchema(leaf);
  await server.makeSchema(album);
  await server.makeCollection({ id: "albums", schema: "album", name: "Albums", labelSingular: "album" });
  await makeUser(server, "ada", ["admin"]);
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["albums"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
  jpeg = await picture(120, 80);
});
after(() => server.stop());

async function put(id: string, names: string[] = [], cover?: string): Promise<void> {
  const { status, text } = await server.request("POST", "/api/collections/albums", {
    body: { id, title: `The ${id}` },
  });
  equal(status, 201, text);
  if (cover) await upload(server, `albums/${id}/cover`, { name: cover, bytes: jpeg });
  for (const [at, name] of names.entries()) {
    const bytes = await picture(120 + at, 80, { isSplit: true });
    await upload(server, `albums/${id}/photos`, { name, bytes });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read objects of many shapes
async function stored(id: string): Promise<any> {
  return (await server.request("GET", `/api/collections/albums/${id}`)).body.data;
}

async function open(id: string, options: Parameters<typeof newPage>[1] & { by?: string } = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`${options.by ?? ""}/admin/collections/albums/${id}`);
  await page.getByRole("tab", { name: "Form" }).waitFor();
  return page;
}

const cover = (page: Page) => page.getByRole("group", { name: "Cover" });
const photos = (page: Page) => page.getByRole("grid", { name: "Photos" });
const uploads = (page: Page) => page.getByRole("region", { name: "Uploads" });
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const stateIs = (page: Page, text: string) =>
  page.getByRole("status", { name: "Save state" }).getByText(text, { exact: true }).waitFor();
const rows = (page: Page) =>
  photos(page)
    .getByRole("row")
    .evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
const file = (name: string, buffer: Buffer, mimeType = "image/jpeg") => ({ name, mimeType, buffer });

async function choose(page: Page, label: string, files: ReturnType<typeof file>[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: `Upload ${label}`, exact: true }).click();
  await (await chooser).setFiles(files);
}

/** Fires an event that carries a file, as dropping and pasting do. */
async function carry(target: Locator, type: "drop" | "paste", name: string, bytes: Buffer): Promise<void> {
  await target.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: the page's own classes
    (element: any, given) => {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const { DataTransfer, DragEvent, ClipboardEvent } = globalThis as any;
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(given.bytes), (sign) => sign.charCodeAt(0));
      data.items.add(new File([content], given.name, { type: "image/jpeg" }));
      const init = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        given.type === "drop"
          ? new DragEvent("drop", { ...init, dataTransfer: data })
          : new ClipboardEvent("paste", { ...init, clipboardData: data }),
      );
    },
    { type, name, bytes: bytes.toString("base64") },
  );
}

test("ADM-419 ADM-420 ADM-421 a picture is chosen, dropped, pasted or fetched, and replaced with its alt text kept", async (t) => {
  await put("ways");
  const source = createServer((_request, response) => response.end(jpeg));
  t.after(() => source.closeAllConnections());
  t.after(() => source.close());
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const page = await open("ways");
  await cover(page).getByText("at most 30.7 MB · at least 60 px wide · landscape").waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "image-empty-1440");
  await choose(page, "Cover", [file("hill.jpg", jpeg)]);
  await uploads(page).getByRole("listitem", { name: "hill.jpg" }).getByText("Uploaded").waitFor();
  await page.getByRole("button", { name: "Edit hill.jpg" }).waitFor();
  await stateIs(page, "All changes saved");
  await cover(page).getByText("No alt text").waitFor();
  await becomes(async () => (await stored("ways")).cover.name, "hill.jpg");

  await page.getByRole("textbox", { name: "Cover alt text" }).fill("A hill");
  await stateIs(page, "1 unsaved change");
  await carry(cover(page), "drop", "valley.jpg", jpeg);
  await page.getByRole("button", { name: "Edit valley.jpg" }).waitFor();
  await becomes(() => page.getByRole("textbox", { name: "Cover alt text" }).inputValue(), "A hill");
  await stateIs(page, "1 unsaved change");
  await save(page);
  await stateIs(page, "All changes saved");
  const { cover: image } = await stored("ways");
  deepEqual([image.name, image.alt], ["valley.jpg", "A hill"]);

  await page.getByRole("button", { name: "Edit valley.jpg" }).focus();
  await carry(cover(page), "paste", "pasted.jpg", jpeg);
  await page.getByRole("button", { name: "Edit pasted.jpg" }).waitFor();

  await page.getByRole("button", { name: "Upload Cover from a URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Upload Cover from a URL" });
  await dialog.getByRole("textbox", { name: "Address" }).fill("hills");
  await dialog.getByRole("button", { name: "Upload" }).click();
  await dialog.getByText("Write an address that starts with").waitFor();
  const { port } = source.address() as AddressInfo;
  await dialog.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${port}/fetched.jpg`);
  await dialog.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("button", { name: "Edit fetched.jpg" }).waitFor();
  const fetched = (await stored("ways")).cover;
  deepEqual([fetched.name, fetched.alt], ["fetched.jpg", "A hill"]);

  await page.getByRole("button", { name: "Remove fetched.jpg" }).click();
  await stateIs(page, "1 unsaved change");
  await page.getByRole("button", { name: "Undo change to Cover" }).click();
  await page.getByRole("button", { name: "Edit fetched.jpg" }).waitFor();
});

test("ADM-414 a file that breaks a rule is told before it is sent; what the server refuses can be tried again", async () => {
  await put("rules");
  const page = await open("rules");
  const sent: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
  await choose(page, "Cover", [file("tall.jpg", await picture(80, 120))]);
  const reason = "This field takes pictures that are landscape. This one is 80 × 120 px.";
  await cover(page).locator("..").getByText(`tall.jpg: ${reason}`).waitFor();
  await uploads(page).getByRole("button", { name: "Cancel tall.jpg" }).click();
  deepEqual(sent, []);
  await choose(page, "Photos", [
    file("notes.txt", Buffer.from("words"), "text/plain"),
    file("broken.jpg", Buffer.from("no picture at all")),
    file("hill.jpg", jpeg),
  ]);
  const entry = (name: string) => uploads(page).getByRole("listitem", { name });
  await entry("notes.txt").getByText("The file is not a picture that can be shown.").waitFor();
  await entry("broken.jpg").getByRole("button", { name: "Retry broken.jpg" }).waitFor();
  await entry("hill.jpg").getByText("Uploaded").waitFor();
  await becomes(() => rows(page), ["hill.jpg"]);
  await becomes(() => axe(page), []);
  await screenshot(page, "uploads-1440");
  await entry("broken.jpg").getByRole("button", { name: "Retry broken.jpg" }).click();
  await entry("broken.jpg").getByRole("button", { name: "Retry broken.jpg" }).waitFor();
  await becomes(() => sent.length, 3);
});

test("ADM-411 ADM-412 a large picture comes through a line that breaks, and goes on after the device was offline", async (t) => {
  await put("flaky");
  const { default: sharp } = await import("sharp");
  const side = 2_640;
  const raw = Buffer.alloc(side * (side - 20) * 3, 90);
  const big = await sharp(raw, { raw: { width: side, height: side - 20, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  ok(big.length > 20_000_000);
  allowProblems(/ERR_/);
  const line = await flakyLine(server, { cuts: 2, bytes: 8_000_000 });
  t.after(line.close);
  const page = await open("flaky", { by: line.url });
  await choose(page, "Cover", [file("big.png", big, "image/png")]);
  await uploads(page).getByRole("progressbar", { name: "Progress of big.png" }).waitFor();
  await uploads(page).getByRole("button", { name: "Pause big.png" }).click();
  await uploads(page).getByText("Paused").waitFor();
  await uploads(page).getByRole("button", { name: "Resume big.png" }).click();
  await page.getByRole("button", { name: "Edit big.png" }).waitFor();
  equal(line.cutsLeft(), 0);
  const { cover: image } = await stored("flaky");
  deepEqual([image.size, image.width], [big.length, side]);

  // Without a network it waits.
  await page.context().setOffline(true);
  await choose(page, "Photos", [file("late.jpg", jpeg)]);
  await uploads(page).getByText("You are offline. It goes on when you are connected.").waitFor();
  await page.context().setOffline(false);
  await photos(page).getByRole("row", { name: "late.jpg" }).waitFor();
});

test("ADM-413 an upload that is cancelled leaves nothing", async () => {
  await put("cancelled");
  const page = await open("cancelled");
  allowProblems(/ERR_/);
  await page.route("**/api/collections/albums/cancelled/cover", () => {});
  await choose(page, "Cover", [file("hill.jpg", jpeg)]);
  await uploads(page).getByRole("button", { name: "Cancel hill.jpg" }).click();
  await uploads(page).waitFor({ state: "detached" });
  await becomes(async () => (await stored("cancelled")).cover, undefined);
});

test("ADM-415 an upload that a reload has cut off goes on when the same file is chosen again", async () => {
  await put("reloaded");
  const page = await open("reloaded");
  allowProblems(/ERR_/);
  page.on("dialog", (dialog) => void dialog.accept());
  const { default: sharp } = await import("sharp");
  const raw = Buffer.alloc(2_000 * 1_900 * 3, 40);
  const big = await sharp(raw, { raw: { width: 2_000, height: 1_900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  let posts = 0;
  await page.route("**/api/collections/albums/reloaded/cover", (route) => {
    posts += 1;
    // The first chunk arrives, the second hangs.
    return posts === 2 ? undefined : route.continue();
  });
  const choice = file("big.png", big, "image/png");
  // Files of a test have the time at which they are chosen, so the file is made once, in the page.
  closeAfterwards(page);
  await page.addInitScript(() => {
    Object.defineProperty(File.prototype, "lastModified", { get: () => 1 });
  });
  await page.reload();
  await choose(page, "Cover", [choice]);
  await until(() => posts === 2);
  await page.reload();
  await page.getByText("The upload of big.png stopped at 33 %. Choose the file again to go on.").waitFor();
  await choose(page, "Cover", [choice]);
  await page.getByRole("button", { name: "Edit big.png" }).waitFor();
  equal(posts, 4);
  await becomes(async () => (await stored("reloaded")).cover.size, big.length);
});

test("ADM-416 a file of a new object waits for its first Save", async () => {
  const page = await open("-new");
  await choose(page, "Cover", [file("hill.jpg", jpeg)]);
  await choose(page, "Photos", [file("a.jpg", jpeg), file("b.jpg", jpeg)]);
  await cover(page).locator("..").getByText("hill.jpg: Sent when you save").waitFor();
  await screenshot(page, "image-waiting-1440");
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await page.getByLabel("Title").fill("Made later");
  await save(page);
  await page.waitForURL("**/albums/made-later");
  await page.getByRole("button", { name: "Edit hill.jpg" }).waitFor();
  await photos(page).getByRole("row", { name: "b.jpg" }).waitFor();
  await stateIs(page, "All changes saved");
  const object = await stored("made-later");
  // biome-ignore lint/suspicious/noExplicitAny: as above
  deepEqual([object.cover.name, object.photos.map(({ name }: any) => name)], ["hill.jpg", ["a.jpg", "b.jpg"]]);
});

test("ADM-416 ADM-430 a picture of a deck item goes to its item: at once where it is stored, else after Save", async () => {
  const pages = [{ id: "one", name: "One" }];
  await server.request("POST", "/api/collections/albums", { body: { id: "deck", title: "The deck", pages } });
  const page = await open("deck");
  await page.getByRole("button", { name: "Edit One" }).click();
  const dialog = page.getByRole("dialog", { name: "One" });
  await dialog.getByLabel("Name").fill("First");
  await choose(page, "Picture", [file("hill.jpg", jpeg)]);
  await dialog.getByRole("button", { name: "Edit hill.jpg" }).waitFor();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Add item" }).first().click();
  const added = page.getByRole("dialog", { name: "New item" });
  await added.getByLabel("Name").fill("Second");
  await choose(page, "Picture", [file("lake.jpg", jpeg)]);
  await added.getByText("lake.jpg: Sent when you save").waitFor();
  await added.getByRole("button", { name: "Apply" }).click();
  await save(page);
  await uploads(page).getByRole("listitem", { name: "lake.jpg" }).getByText("Uploaded").waitFor();
  await stateIs(page, "All changes saved");
  await becomes(
    async () =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      (await stored("deck")).pages.map((item: any) => [item.name, item.picture?.name]),
    [
      ["First", "hill.jpg"],
      ["Second", "lake.jpg"],
    ],
  );
});

test("ADM-422 ADM-423 ADM-424 ADM-425 the image dialog: details, focal point, metadata, addresses; Apply and Save store them", async () => {
  await put("dialog", [], "hill.jpg");
  const page = await open("dialog");
  await page.getByRole("button", { name: "Edit hill.jpg" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "hill.jpg" });
  await dialog.getByRole("textbox", { name: "Alt text" }).fill("A hill");
  await dialog.getByRole("textbox", { name: "Link" }).fill("javascript:alert(1)");
  await dialog.getByText("Write a web address or a path").waitFor();
  await dialog.getByRole("textbox", { name: "Link" }).fill("/hills");
  await dialog.getByRole("textbox", { name: "Tags" }).fill("hills, dawn");
  await dialog.getByRole("checkbox", { name: "Featured" }).check();
  await becomes(() => axe(page), []);
  await screenshot(page, "image-dialog-1440");
  await dialog.getByRole("tab", { name: "Focal point" }).click();
  await dialog.getByRole("slider", { name: "Horizontal" }).press("Home");
  await dialog.getByRole("slider", { name: "Vertical" }).fill("80");
  await becomes(() => axe(page), []);
  await screenshot(page, "image-focal-1440");
  await dialog.getByRole("tab", { name: "Metadata" }).click();
  await dialog.getByText("120 × 80 px").waitFor();
  await dialog
    .getByRole("button", { name: /^Copy #/ })
    .first()
    .waitFor();
  await screenshot(page, "image-metadata-1440");
  await dialog.getByRole("tab", { name: "Address" }).click();
  await dialog.getByRole("textbox", { name: "Width" }).fill("60");
  const shown = dialog.getByRole("img", { name: "Preview" });
  await dialog.locator('img[src*="w=60"]').waitFor();
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page
  await becomes(() => shown.evaluate((image: any) => image.decode().then(() => image.naturalWidth)), 60);
  await until(
    async () => await dialog.getByRole("textbox", { name: "URL" }).inputValue(),
    (text) => /\/imageworks\/albums\/dialog\/cover\.jpg\?v=\w{32}&w=60&format=webp$/.test(text),
  );
  const liquid = dialog.getByRole("textbox", { name: "Liquid" });
  await becomes(() => liquid.inputValue(), "{{ object.cover.url }}&w=60&format=webp");
  await becomes(() => axe(page), []);
  await screenshot(page, "image-address-1440");
  await page.keyboard.press("Escape");
  await page
    .getByRole("alertdialog", { name: "Discard changes?" })
    .getByRole("button", { name: "Keep editing" })
    .click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await stateIs(page, "1 unsaved change");
  await becomes(() => page.getByRole("textbox", { name: "Cover alt text" }).inputValue(), "A hill");
  await save(page);
  await stateIs(page, "All changes saved");
  const { alt, link, tags, featured, focalpoint } = (await stored("dialog")).cover;
  deepEqual([alt, link, tags, featured, focalpoint], ["A hill", "/hills", ["hills", "dawn"], true, { x: 0, y: 80 }]);
});

/** By the handle of one card, onto the far half of another. */
async function drag(from: Locator, to: Locator): Promise<void> {
  const { mouse } = from.page();
  const grip = await from.locator("[data-grip]").boundingBox();
  const place = await to.boundingBox();
  if (!grip || !place) throw new Error("a card is not shown");
  await mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await mouse.down();
  const isBack = place.x < grip.x - place.width;
  await mouse.move(place.x + place.width * (isBack ? 0.2 : 0.8), place.y + place.height / 2, { steps: 3 });
  await mouse.up();
}

test("ADM-426 ADM-427 a gallery is put in order by menu and keys, described and removed; an upload goes to the end", async () => {
  await put("gallery", ["a.jpg", "b.jpg", "c.jpg"]);
  const page = await open("gallery");
  const row = (name: string) => photos(page).getByRole("row", { name });
  const act = async (name: string, action: string) => {
    await row(name)
      .getByRole("button", { name: `Actions for ${name}` })
      .click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  await act("c.jpg", "Move to top");
  await page.locator('[role=row][aria-rowindex="1"][aria-label="c.jpg"]').waitFor();
  await row("c.jpg").focus();
  await page.keyboard.press("Alt+ArrowRight");
  await becomes(() => rows(page), ["a.jpg", "c.jpg", "b.jpg"]);
  await drag(row("b.jpg"), row("a.jpg"));
  await page.locator('[role=row][aria-rowindex="1"][aria-label="b.jpg"]').waitFor();
  await drag(row("b.jpg"), row("c.jpg"));
  await page.locator('[role=row][aria-rowindex="3"][aria-label="b.jpg"]').waitFor();
  await stateIs(page, "1 unsaved change");
  await choose(page, "Photos", [file("d.jpg", jpeg)]);
  await row("d.jpg").waitFor();
  await becomes(() => rows(page), ["a.jpg", "c.jpg", "b.jpg", "d.jpg"]);
  await stateIs(page, "1 unsaved change");
  await row("a.jpg").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByText("2 selected").waitFor();
  await becomes(() => axe(page), []);
  await screenshot(page, "gallery-selected-1440");
  await page.getByRole("button", { name: "Alt text and tags…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit 2 pictures" });
  await dialog.getByRole("textbox", { name: "Alt text" }).fill("Two hills");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await act("c.jpg", "Mark as featured");
  await act("b.jpg", "Remove");
  await save(page);
  await stateIs(page, "All changes saved");
  const { photos: images } = await stored("gallery");
  deepEqual(
    // biome-ignore lint/suspicious/noExplicitAny: as above
    images.map(({ name, alt, featured }: any) => [name, alt, featured]),
    [
      ["a.jpg", "Two hills", false],
      ["c.jpg", "Two hills", true],
      ["d.jpg", "", false],
    ],
  );
  await row("d.jpg").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "d.jpg" }).getByRole("button", { name: "Cancel" }).click();
});

test("ADM-428 callers that may only read see the pictures and no buttons", async () => {
  await put("read", ["a.jpg"], "hill.jpg");
  const page = await open("read", { as: vic });
  await page.getByText("hill.jpg").waitFor();
  await page.getByText("a.jpg").waitFor();
  await becomes(() => page.getByRole("button", { name: /Upload|Edit|Remove/ }).count(), 0);
  await becomes(() => axe(page), []);
});

for (const { width, theme } of looks)
  test(`ADM-429 axe finds nothing in fields of pictures, ${width} px, ${theme}`, async () => {
    const id = `look-${width}-${theme}`;
    await put(id, ["a.jpg", "hill-top-in-the-evening-sun.jpg", "c.jpg"], "hill.jpg");
    const page = await open(id, { width, theme });
    await page.getByRole("button", { name: "Edit c.jpg" }).waitFor();
    await becomes(() => axe(page), []);
    await screenshot(page, `pictures-${width}-${theme}`);
  });
