import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CairnError } from "#base/errors.ts";
import { cleanFileName, cleanFolder, freeName, readFolder } from "./file-names.ts";

describe("names of files", () => {
  for (const [sent, kept] of [
    ["photo.jpg", "photo.jpg"],
    ["Ein schönes Bild.JPG", "Ein schönes Bild.JPG"],
    ["山の写真 2024.png", "山の写真 2024.png"],
    ["e\u0301te\u0301.txt", "été.txt"],
    ["archive.tar.gz", "archive.tar.gz"],
    ["a&b (1).jpg", "a-b 1.jpg"],
    ["what?*.txt", "what.txt"],
    ["../../x.txt", "x.txt"],
    ["..%2fx", "2fx"],
    ["/etc/passwd", "passwd"],
    ["C:\\Users\\ada\\x.txt", "x.txt"],
    ["..\\..\\x.txt", "x.txt"],
    ["a\u0000.jpg", "a.jpg"],
    ['a"\r\nX: 1.txt', "a-X 1.txt"],
    ["a%22quoted%22%0D%0Aname%.txt", "a-quoted-name.txt"],
    [".htaccess", "htaccess"],
    ["...", "file"],
    ["..", "file"],
    ["", "file"],
    ["   ", "file"],
    ["folder/", "file"],
    ["name. . ", "name"],
    ["evil\u202egpj.exe", "evil-gpj.exe"],
    ["zero\u200bwidth.txt", "zero-width.txt"],
    ["<script>.html", "script.html"],
    ["😀.png", "file.png"],
  ] as const) {
    test(`FILE-23 (T29) ${JSON.stringify(sent)} is kept as ${JSON.stringify(kept)}`, () => {
      assert.equal(cleanFileName(sent), kept);
      assert.equal(cleanFileName(kept), kept);
    });
  }

  test("FILE-23 (T29) a long name is cut between characters and keeps its extension", () => {
    for (const letter of ["x", "ü", "山", "e\u0301\u0323"]) {
      const name = cleanFileName(`${letter.repeat(300)}.jpeg`);
      assert.ok(Buffer.byteLength(name) <= 200, name);
      assert.ok(Buffer.byteLength(name) > 190, name);
      assert.match(name, /\.jpeg$/);
      assert.equal(cleanFileName(name), name);
    }
    assert.equal(Buffer.byteLength(cleanFileName(`a.${"x".repeat(300)}`)), 200);
  });

  test("FILE-24 a name that is taken gets a number before the extension", () => {
    const taken = new Set(["a.jpg", "a-2.jpg", "b", "c.tar.gz"]);
    const free = (name: string) => freeName(name, (candidate) => taken.has(candidate));
    assert.deepEqual(["a.jpg", "b", "c.tar.gz", "d.txt"].map(free), ["a-3.jpg", "b-2", "c.tar-2.gz", "d.txt"]);
    const long = cleanFileName(`${"x".repeat(300)}.jpg`);
    const numbered = freeName(long, (candidate) => candidate === long);
    assert.match(numbered, /x-2\.jpg$/);
    assert.ok(Buffer.byteLength(numbered) <= 200);
  });

  test("FILE-25 a folder path is its cleaned names", () => {
    assert.deepEqual(cleanFolder(""), []);
    assert.deepEqual(cleanFolder("/"), []);
    assert.deepEqual(cleanFolder("a/b c/Übung"), ["a", "b c", "Übung"]);
    assert.deepEqual(cleanFolder("/a/b/"), ["a", "b"]);
    assert.deepEqual(cleanFolder("a&b"), ["a-b"]);
  });

  test("FILE-25 a folder that is there is found by its own names, composed; one of which nothing stays is not made", () => {
    assert.deepEqual(readFolder(""), []);
    assert.deepEqual(readFolder("/a&b/ c/😀/e\u0301/"), ["a&b", " c", "😀", "é"]);
    for (const path of ["😀", " ", "a/?/b"])
      assert.throws(
        () => cleanFolder(path, "to"),
        (error: CairnError) => Object.keys(error.details ?? {}).join() === "to",
      );
  });

  for (const path of [
    "..",
    "../x",
    "a/../b",
    "a/./b",
    "a//b",
    "../../",
    "a\\b",
    "..\\x",
    "a\u0000b",
    "a/\u0000",
    ".cache",
    "a/.hidden",
    "a\nb",
    Array(17).fill("a").join("/"),
  ]) {
    test(`FILE-25 (T30) the folder ${JSON.stringify(path).slice(0, 30)} is refused`, () => {
      assert.throws(() => cleanFolder(path), { word: "invalid" });
      assert.throws(() => readFolder(path), { word: "invalid" });
    });
  }
});
