import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { leastTime } from "#base/patience.fixture.ts";
import { sniffType } from "./sniff.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffdb", "hex");
const webp = Buffer.from("524946461a000000574542505650384c0d0000002f00000010071011118888fe0700", "hex");
const avif = Buffer.from("0000001c66747970617669660000000061766966" + "6d6966316d696166", "hex");
const heic = Buffer.from("000000186674797068656963000000006d69663168656963", "hex");
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

describe("types", () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-sniff-"));
    path = join(folder, "upload");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const cases: [what: string, bytes: string | Buffer, name: string, mime: string, extension: string, marks?: string][] =
    [
      ["a PNG", png, "a.png", "image/png", "png", "image"],
      ["a PNG with another name", png, "a.html", "image/png", "png", "image"],
      ["a PNG without extension", png, "a", "image/png", "png", "image"],
      ["a JPEG", jpeg, "A.JPEG", "image/jpeg", "jpeg", "image"],
      ["a JPEG called png", jpeg, "a.png", "image/jpeg", "jpg", "image"],
      ["a GIF", gif, "a.gif", "image/gif", "gif", "image"],
      ["a WebP", webp, "a.webp", "image/webp", "webp", "image"],
      ["an AVIF", avif, "a.avif", "image/avif", "avif", "image"],
      ["a HEIC called jpg", heic, "a.jpg", "image/heic", "heic", "image"],
      ["a PDF of plain text", "%PDF-1.4\n1 0 obj", "a.pdf", "application/pdf", "pdf"],
      ["a gzip", gzipSync("x"), "a.svgz", "application/gzip", "gz"],
      ["an old office document", Buffer.from("d0cf11e0a1b11ae1", "hex"), "a.doc", "application/msword", "doc"],
      ["some compound file", Buffer.from("d0cf11e0a1b11ae1", "hex"), "a.jpg", "application/x-cfb", "cfb"],
      ["unknown bytes", Buffer.from([0, 1, 2, 3, 0, 200]), "a.dat", "application/octet-stream", "dat"],
      ["unknown bytes called jpg", Buffer.from([0, 1, 2, 3, 0, 200]), "a.jpg", "application/octet-stream", "jpg"],
      ["unknown bytes without extension", Buffer.from([0, 1, 2]), "a", "application/octet-stream", "bin"],
      ["nothing", "", "a.txt", "text/plain", "txt"],

      ["text", "hello world", "a.txt", "text/plain", "txt"],
      ["text called jpg", "hello world", "a.jpg", "text/plain", "txt"],
      ["text in Latin-1", Buffer.from("sch\xf6n", "latin1"), "a.txt", "text/plain", "txt"],
      ["text in UTF-16", utf16("hello"), "a.txt", "text/plain", "txt"],
      ["text that begins like a bitmap", "BM is a nice start for a text", "a.bmp", "text/plain", "txt"],
      ["text that begins like a program", "MZ is a nice start, too", "a.txt", "text/plain", "txt"],
      ["CSV", "a,b\n1,2\n", "a.csv", "text/csv", "csv"],
      ["Markdown", "# Hello <script>", "a.md", "text/markdown", "md"],
      ["JSON", '{"a": 1}', "a.json", "application/json", "json"],
      ["JSON without extension", '{"a": 1}', "a", "application/json", "json"],
      ["style", "a { color: red }", "a.css", "text/css", "css"],
      ["text called svg", "hello", "a.svg", "text/plain", "txt"],

      ["a script", "alert(1)", "a.js", "text/javascript", "js", "active"],
      ["HTML", "<!DOCTYPE html><title>x</title>", "a.html", "text/html", "html", "active"],
      ["HTML called jpg", "<html><script>alert(1)</script>", "a.jpg", "text/html", "html", "active"],
      ["HTML called txt", "\n\t <SCRIPT>alert(1)</SCRIPT>", "a.txt", "text/html", "html", "active"],
      ["HTML behind a byte order mark", "\ufeff<html>", "a.png", "text/html", "html", "active"],
      ["HTML behind comments", "<!-- a --><!-- b --> <body onload=x>", "a.png", "text/html", "html", "active"],
      ["HTML in UTF-16", utf16("<html>"), "a.png", "text/html", "html", "active"],
      ["HTML without a known start", "hi <img src=x onerror=alert(1)>", "a.html", "text/html", "html", "active"],
      [
        "XHTML",
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
        "a.x",
        "application/xhtml+xml",
        "xhtml",
        "active",
      ],
      ["XML", '<?xml version="1.0"?><note/>', "a.txt", "application/xml", "xml", "active"],
      [
        "XML with a style sheet",
        '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>',
        "a.jpg",
        "application/xml",
        "xml",
        "active",
      ],
      [
        "a comment that hides the rest",
        `<!-- ${"x".repeat(300_000)} --><script>`,
        "a.jpg",
        "application/xml",
        "xml",
        "active",
      ],

      ["SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg", "image/svg+xml", "svg", "image active"],
      ["SVG called png", "<svg onload='alert(1)'>", "a.png", "image/svg+xml", "svg", "image active"],
      [
        "SVG in XML",
        '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE svg PUBLIC "-//W3C" "x.dtd">\n<svg>',
        "a.svg",
        "image/svg+xml",
        "svg",
        "image active",
      ],
      ["SVG with entities", '<!DOCTYPE svg [<!ENTITY a "<b>">]><svg>', "a.jpg", "image/svg+xml", "svg", "image active"],
      [
        "SVG under a prefix",
        '<x:svg xmlns:x="http://www.w3.org/2000/svg">',
        "a.jpg",
        "image/svg+xml",
        "svg",
        "image active",
      ],
    ];
  for (const [what, bytes, name, mime, extension, marks = ""] of cases) {
    test(`FILE-31 (T32) ${what} is ${mime}`, async () => {
      await writeFile(path, bytes);
      const isImage = marks.includes("image");
      const isActive = marks.includes("active");
      assert.deepEqual(await sniffType(path, name), { mime, extension, isImage, isActive });
      assert.deepEqual(await sniffType({ path }, name), { mime, extension, isImage, isActive });
    });
  }

  test("FILE-31 hostile starts are judged quickly", async () => {
    for (const bytes of [
      "<!--".repeat(60_000),
      "<!doctype x [".repeat(20_000),
      "<html ".repeat(40_000),
      "[".repeat(250_000),
      "PK\u0003\u0004".repeat(60_000),
    ]) {
      await writeFile(path, bytes);
      assert.ok((await leastTime(500, () => sniffType(path, "a"))) < 500, bytes.slice(0, 20));
    }
  });
});
