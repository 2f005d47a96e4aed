// Rich text: what is not touched stays byte for byte; writing, the toolbar, pasting, pictures, HTML.

import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page, Response } from "playwright-core";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, looks, newPage, type PageOptions, screenshot } from "../support/browser.ts";
import { oddHtml } from "../support/odd-html.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let ada: Person;
let vic: Person;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "story",
    title: "Story",
    properties: {
      id: { $ref: "/schemas/properties/slug.json", field: "id", label: "Id", settings: { autogen: "${title}" } },
      title: { type: "string", field: "text", label: "Title" },
      content: { type: "string", field: "styledtext", label: "Content", help: "The story." },
      note: {
        ...{ type: "string", field: "styledtext", label: "Note" },
        settings: {
          toolbarConfig: [
            ["bold", "superscript"],
            ["heading", "codeBlock"],
            ["blockClasses", "htmlSnippets"],
            ["undo"],
          ],
          headingLevels: [3],
          blockClasses: { Lead: "lead" },
          htmlSnippets: { Box: '<div class="box"><p>{content}</p></div>' },
          wordCounterMax: 3,
        },
      },
    },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "stories", schema: "story", name: "Stories" });
  await makeUser(server, "ada", ["admin"]);
  await server.request("POST", "/api/access-groups", {
    body: { id: "readers", permissions: { collections: { operations: ["read"], allowed: ["stories"] } } },
  });
  await makeUser(server, "vic", ["readers"]);
  ada = await signIn(server, "ada");
  vic = await signIn(server, "vic");
});
after(() => server.stop());

async function put(id: string, content: string, more: object = {}): Promise<void> {
  const body = { id, title: id, content, ...more };
  const { status, text } = await server.request("POST", "/api/collections/stories", { body });
  equal(status, 201, text);
}

async function stored(id: string, property = "content"): Promise<string> {
  return (await server.request("GET", `/api/collections/stories/${id}`)).body.data[property] ?? "";
}

const textbox = (page: Page, name = "Content") => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string, of = "Content") =>
  page.getByRole("toolbar", { name: `${of} formatting` }).getByRole("button", { name, exact: true });
const choose = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true }).click();
const hasFocus = (control: Locator) => control.and(control.page().locator(":focus")).waitFor();
const stateIs = (page: Page, text: string) =>
  page.getByRole("status", { name: "Save state" }).getByText(text, { exact: true }).waitFor();

async function open(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(server, { as: ada, ...options });
  await page.goto(`/admin/collections/stories/${id}`);
  if (options.as === undefined) await textbox(page).waitFor();
  return page;
}

/** By keys: a selection that is set from outside the page reaches the editor only with the next event. */
async function write(text: Locator, words: string): Promise<void> {
  const { keyboard } = text.page();
  await text.focus();
  await keyboard.press("Control+a");
  if (words === "") await keyboard.press("Delete");
  else await keyboard.insertText(words);
}

async function save(page: Page): Promise<void> {
  await stateIs(page, "1 unsaved change");
  const isPatch = (response: Response) => response.request().method() === "PATCH";
  await Promise.all([page.waitForResponse(isPatch), page.keyboard.press("Control+s")]);
  await stateIs(page, "All changes saved");
}

test("ADM-350 ADM-351 odd and old HTML stays byte for byte when a form is opened, and when one paragraph is changed", async () => {
  const cleaned: string[] = [];
  for (const [at, html] of oddHtml.entries()) {
    await put(`odd-${at}`, html);
    cleaned.push(await stored(`odd-${at}`));
  }
  await put("odd", `${cleaned.join("\n")}<p>The last one</p>`);
  const all = await stored("odd");
  const page = await open("odd");
  await stateIs(page, "All changes saved");
  await textbox(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await save(page);
  await becomes(() => stored("odd"), all.replace("The last one", "The last one!"));
  // Back as it was: also the block that was touched has its own text again.
  await page.keyboard.press("Backspace");
  await save(page);
  await becomes(() => stored("odd"), all);
  for (const name of ["iframe", "video", "table"])
    await becomes(async () => (await page.getByText(`HTML: ${name}`, { exact: true }).count()) > 0, true);
  await becomes(() => page.locator("[role=textbox] iframe, [role=textbox] video").count(), 0);
});

test("ADM-352 a text is filled in, saved and emptied; kept on the device; undo sets the stored text again", async () => {
  await put("plain", '<p class="lead">One</p>\n<p>Two</p>');
  const page = await open("plain");
  const text = textbox(page);
  await write(text, "Quite new\nwords");
  await stateIs(page, "1 unsaved change");
  await page.reload();
  await page.getByText(/were brought back/).waitFor();
  await text.getByText("Quite new").waitFor();
  await page.getByRole("button", { name: "Undo change to Content" }).click();
  await text.getByText("One", { exact: true }).waitFor();
  await stateIs(page, "All changes saved");
  await becomes(() => stored("plain"), '<p class="lead">One</p>\n<p>Two</p>');
  await write(text, "Quite new");
  await save(page);
  await becomes(() => stored("plain"), '<p class="lead">Quite new</p>');
  await write(text, "");
  await becomes(() => text.getAttribute("aria-placeholder"), "Write something");
  await text.and(page.locator("[data-empty]")).waitFor();
  await save(page);
  await becomes(() => stored("plain"), "");
});

test("ADM-353 the toolbar has its buttons, is one tab stop, and is reached by Alt+F10 and left by Esc", async () => {
  const page = await open("plain");
  const text = textbox(page);
  const names = await page
    .getByRole("toolbar", { name: "Content formatting" })
    .getByRole("button")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  for (const name of [
    ...["Bold", "Italic", "Underline", "Heading", "Bulleted list", "Numbered list", "Quote", "Link", "Image", "Table"],
    ...["Clear formatting", "HTML", "Full screen"],
  ])
    equal(names.includes(name), true, name);
  await text.fill("some words");
  await page.keyboard.press("Alt+F10");
  await hasFocus(button(page, "Bold"));
  await page.keyboard.press("ArrowRight");
  await hasFocus(button(page, "Italic"));
  await page.keyboard.press("End");
  await hasFocus(button(page, "Full screen"));
  await page.keyboard.press("Shift+Tab");
  await hasFocus(page.getByRole("button", { name: "Undo change to Content" }));
  await page.keyboard.press("Tab");
  await hasFocus(button(page, "Full screen"));
  await page.keyboard.press("Escape");
  await hasFocus(text);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+b");
  await page.keyboard.press("Control+i");
  await page.keyboard.press("Control+u");
  await button(page, "Bold").and(page.locator("[aria-pressed=true]")).waitFor();
  await button(page, "Heading").click();
  await choose(page, "Heading 3");
  await save(page);
  await becomes(() => stored("plain"), "<h3><strong><em><u>some words</u></em></strong></h3>");
  await button(page, "Clear formatting").click();
  await button(page, "Bulleted list").click();
  await save(page);
  await becomes(() => stored("plain"), "<ul><li>some words</li></ul>");
  await button(page, "Numbered list").click();
  await save(page);
  await becomes(() => stored("plain"), "<ol><li>some words</li></ol>");
  await button(page, "Numbered list").click();
  await button(page, "Quote").click();
  await button(page, "Alignment").click();
  await choose(page, "Centre");
  await save(page);
  await becomes(() => stored("plain"), '<blockquote><p align="center">some words</p></blockquote>');
});

test("ADM-354 the HTML can be edited as text, blocks of it moved and deleted; the full screen ends with Esc", async () => {
  await put("html", '<p>First</p><iframe src="https://www.youtube.com/embed/x"></iframe><p>Last</p>');
  const page = await open("html");
  await page.getByRole("button", { name: "Move up", exact: true }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "HTML block" });
  await dialog.getByRole("textbox", { name: "HTML" }).fill('<iframe src="https://player.vimeo.com/video/1"></iframe>');
  await dialog.getByRole("button", { name: "Apply" }).click();
  await save(page);
  await becomes(
    () => stored("html"),
    '<iframe src="https://player.vimeo.com/video/1"></iframe><p>First</p><p>Last</p>',
  );
  await button(page, "HTML").click();
  await becomes(() => textbox(page).inputValue(), await stored("html"));
  await textbox(page).fill("<p>One</p>\n<p>Two <b>three</p>");
  await page.getByText("Line 2: <b> has no end.").waitFor();
  await textbox(page).fill('<p id="a" data-b="c">New <small>words</small></p>');
  await page.getByText("has no end").waitFor({ state: "detached" });
  await button(page, "HTML").click();
  await button(page, "Full screen").click();
  await textbox(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await page.locator("[inert]").getByLabel("Title").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[inert]").getByLabel("Title").waitFor({ state: "detached" });
  await save(page);
  await becomes(() => stored("html"), '<p id="a" data-b="c">New <small>words!</small></p>');
});

test("ADM-355 settings choose the buttons, headings, classes, snippets and limits", async () => {
  await put("set", "", { note: "<p>four words are many</p>" });
  const page = await open("set");
  await becomes(() => button(page, "Italic", "Note").count(), 0);
  await page.getByText("4 / 3 words", { exact: true }).waitFor();
  await textbox(page, "Note").fill("Words");
  await page.keyboard.press("Control+a");
  await button(page, "Superscript", "Note").click();
  await button(page, "Paragraph classes", "Note").click();
  await choose(page, "Lead");
  await save(page);
  await becomes(() => stored("set", "note"), '<p class="lead"><sup>Words</sup></p>');
  await button(page, "Heading", "Note").click();
  await becomes(() => page.getByRole("menuitem").allTextContents(), ["ParagraphCtrl+Alt+0", "Heading 3Ctrl+Alt+3"]);
  await page.keyboard.press("Escape");
  await textbox(page, "Note").focus();
  await page.keyboard.press("Control+a");
  await button(page, "Snippets", "Note").click();
  await choose(page, "Box");
  await save(page);
  await becomes(() => stored("set", "note"), '<div class="box"><p>Words</p></div>');
});

const shown =
  "<h2>A path of stones</h2><p>Some <strong>bold</strong> and <em>quiet</em> words with <a href='https://example.org'>a link</a>.</p>" +
  "<ul><li>one</li><li>two</li></ul><blockquote><p>Quoted</p></blockquote><pre><code>let a = 1;</code></pre>" +
  '<p><img src="https://example.org/hill.jpg" alt="A hill" /></p>' +
  "<table><tbody><tr><th>Hut</th><th>Beds</th></tr><tr><td>Upper</td><td>12</td></tr></tbody></table>" +
  '<iframe src="https://www.youtube.com/embed/x"></iframe><p>With <my-tag></my-tag>an end.</p>';

for (const { width, theme } of looks)
  test(`ADM-356 axe finds nothing in a rich text, ${width} px, ${theme}`, async () => {
    const id = `shown-${width}-${theme}`;
    await put(id, shown);
    const page = await open(id, { width, theme });
    await becomes(() => axe(page), []);
    await screenshot(page, `richtext-${width}-${theme}`);
  });

test("ADM-357 callers that may only read see the words; no HTML is put into the page", async () => {
  await put("read", '<p>Read <b>me</b></p><p id="content">Too</p>');
  const page = await open("read", { as: vic });
  await page.getByText("Read me").waitFor();
  await becomes(() => page.getByRole("textbox").count(), 0);
  await becomes(() => page.locator("#content").count(), 0);
});

test("ADM-357 a rich text that is only read has its structure, and nothing in it runs or loads", async () => {
  const html =
    '<h2>Hut rules</h2><ul><li>Be <em>quiet</em></li><li>Close the door</li></ul><p><a href="https://example.test/x">More</a></p>' +
    '<table><tbody><tr><td>Bed</td><td>12</td></tr></tbody></table><p><img src="/nowhere.png" alt="A hut"></p>';
  await put("structure", html);
  const page = await open("structure", { as: vic });
  await page.getByRole("listitem").filter({ hasText: "Close the door" }).waitFor();
  equal(await page.getByRole("link", { name: "More" }).getAttribute("href"), "https://example.test/x");
  await page.getByRole("cell", { name: "12" }).waitFor();
  await page.getByText("[Image: A hut]").waitFor();
  await becomes(() => page.locator("main img[src*=nowhere]").count(), 0);
  await becomes(() => axe(page), []);
  await screenshot(page, "richtext-read");
});

/** As a browser hands over what was copied elsewhere. */
async function paste(text: Locator, data: { html?: string; plain?: string; file?: { name: string; base64: string } }) {
  await text.evaluate((target, { html, plain, file }) => {
    // biome-ignore lint/suspicious/noExplicitAny: the page has them, the types of Node do not
    const { DataTransfer, ClipboardEvent } = globalThis as any;
    const clipboardData = new DataTransfer();
    if (html) clipboardData.setData("text/html", html);
    if (plain) clipboardData.setData("text/plain", plain);
    if (file) {
      const bytes = Uint8Array.from(atob(file.base64), (sign) => sign.charCodeAt(0));
      clipboardData.items.add(new File([bytes], file.name, { type: "image/png" }));
    }
    target.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

const word =
  "<html xmlns:o='urn:x'><head><style>p.MsoNormal{margin:0}</style></head><body><!--StartFragment-->" +
  "<h1 style='color:navy'>Report</h1><p class=MsoNormal style='margin:0cm'><b><span style='font-size:12pt'>Bold</span></b> and " +
  "<span style='font-style:italic'>quiet</span><o:p></o:p></p><p class=MsoNormal>&nbsp;</p>" +
  "<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·&nbsp; </span>one</p>" +
  "<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·&nbsp; </span>two</p>" +
  "<!--EndFragment--></body></html>";
const docs =
  '<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.4">' +
  '<span style="font-weight:700">Bold</span><span style="font-weight:400"> plain </span>' +
  '<a href="https://example.org/"><span style="text-decoration:underline">link</span></a></p></b>';

test("ADM-358 pasted text is cleaned: Word and Docs leave words, structure and links", async () => {
  await put("paste", "");
  const page = await open("paste");
  const text = textbox(page);
  await text.focus();
  await paste(text, { html: docs });
  await save(page);
  const link = '<a href="https://example.org/">link</a>';
  await becomes(() => stored("paste"), `<p><strong>Bold</strong> plain ${link}</p>`);
  await text.fill("");
  await paste(text, { html: word });
  await save(page);
  const list = "<ul><li>one</li><li>two</li></ul>";
  await becomes(() => stored("paste"), `<h2>Report</h2><p><strong>Bold</strong> and <em>quiet</em></p>${list}`);
  await text.fill("words");
  await page.keyboard.press("Control+a");
  await paste(text, { plain: "https://example.com/a" });
  await save(page);
  await becomes(() => stored("paste"), '<h2><a href="https://example.com/a">words</a></h2>');
});

test("ADM-359 links by Ctrl+Shift+K, tables with rows and columns, and what / inserts", async () => {
  await put("parts", "");
  const page = await open("parts");
  const text = textbox(page);
  await text.fill("a link");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+Shift+K");
  const dialog = page.getByRole("dialog", { name: "Link" });
  await dialog.getByRole("textbox", { name: "Address" }).fill("javascript:alert(1)");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.getByText(/Write an address/).waitFor();
  await dialog.getByRole("textbox", { name: "Address" }).fill("example.org/x");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await hasFocus(text);
  await save(page);
  await becomes(() => stored("parts"), '<p><a href="https://example.org/x">a link</a></p>');
  await text.fill("");
  await page.keyboard.type("/head");
  await page.getByRole("listbox", { name: "Insert" }).getByRole("option", { name: "Heading 3" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Huts");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/tab");
  await page.getByRole("listbox", { name: "Insert" }).getByRole("option", { name: "Table" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Name");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Beds");
  await button(page, "Table").click();
  await choose(page, "Delete column");
  await button(page, "Table").click();
  await choose(page, "Delete row");
  await save(page);
  const rows = "<tr><td></td><td></td></tr>".repeat(2);
  await becomes(() => stored("parts"), `<h3>Huts</h3><table><tbody>${rows}</tbody></table>`);
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";

test("ADM-360 pasted images are stored beside the text; a failed one keeps its place with Retry, and a new object's wait", async () => {
  allowProblems(/ERR_FAILED/);
  const page = await open("-new");
  await page.getByRole("textbox", { name: "Title" }).fill("Pictures");
  const text = textbox(page);
  await text.fill("Before");
  await paste(text, { file: { name: "dot.png", base64: pixel } });
  await text.getByText("dot.png is uploaded once the object is saved").waitFor();
  let isBroken = true;
  await page.route("**/api/upload/**", (route) => (isBroken ? route.abort() : route.fallback()));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL("**/stories/pictures");
  await text.getByText(/dot.png was not uploaded/).waitFor();
  await becomes(() => stored("pictures"), "<p>Before</p>");
  isBroken = false;
  await text.getByRole("button", { name: "Retry" }).click();
  await text.locator("img[src*='/imageworks/upload/stories/pictures/content/dot.png']").waitFor();
  await stateIs(page, "1 unsaved change");
  await save(page);
  await becomes(
    () => stored("pictures"),
    '<p>Before<img src="/imageworks/upload/stories/pictures/content/dot.png" alt="" /></p>',
  );
  await button(page, "Image").click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("dialog", { name: "Image" }).getByRole("button", { name: "Upload an image" }).click(),
  ]);
  await chooser.setFiles({ name: "two.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") });
  await text.locator("img[src*='two.png']").waitFor();
});

test("ADM-361 what a colleague saved is taken over while the own text stays, with its cursor", async () => {
  await put("merge", "<p>One</p><p>Two</p>", { note: "<p>Note</p>" });
  const page = await open("merge");
  const text = textbox(page);
  await text.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and more");
  await server.request("PATCH", "/api/collections/stories/merge", { body: { note: "<p>Theirs</p>" } });
  await page.keyboard.press("Control+s");
  await textbox(page, "Note").getByText("Theirs").waitFor();
  await stateIs(page, "All changes saved");
  await page.keyboard.type("!");
  await save(page);
  await becomes(() => stored("merge"), "<p>One</p><p>Two and more!</p>");
  await becomes(() => stored("merge", "note"), "<p>Theirs</p>");
});
