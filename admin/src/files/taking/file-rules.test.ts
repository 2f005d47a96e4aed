import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { files } from "#words/en/files.ts";
import { checkCount, checkFile, rulesInWords, type Taking } from "./file-rules.ts";

const taking = (rules: object, takes: Taking["takes"] = "pictures"): Taking => ({
  settings: { rules } as Taking["settings"],
  takes,
  maxSize: 5_000_000,
});

test("ADM-419 the rules of a field are given in words", () => {
  deepEqual(rulesInWords(taking({}), files), ["JPEG, PNG, GIF, WebP, AVIF, HEIC or SVG", "at most 5 MB"]);
  deepEqual(rulesInWords(taking({}, "files"), files), ["at most 5 MB"]);
  const rules = {
    size: { max: 2_000 },
    width: { min: 800, max: 1_200 },
    height: { min: 600, max: 600 },
    count: { max: 1 },
    orientation: ["landscape", "square"],
    aspectratio: "16:9",
    filetype: ["image/png", "image/svg+xml", ".jpg", "video/*"],
    filename: "hill-*",
  };
  deepEqual(rulesInWords(taking(rules), files), [
    "at most 2 MB",
    "800 px to 1,200 px wide",
    "exactly 600 px high",
    "at most 1 file",
    "landscape or square",
    "ratio 16:9",
    "PNG, SVG, JPG or video files",
    "named hill-*",
  ]);
});

test("ADM-414 what is wrong with a file is said before it is sent", async () => {
  const check = (name: string, type: string, rules: object = {}, takes: Taking["takes"] = "pictures") =>
    checkFile(new File(["abc"], name, { type }), taking(rules, takes), files);
  equal(await check("a.jpg", "image/jpeg"), undefined);
  equal(await check("a.heic", ""), undefined);
  equal(await check("a.heic", "image/heic", { filetype: ["image/jpeg"], size: { min: 5 } }), undefined);
  equal(await check("a.txt", "text/plain"), files.noPicture);
  equal(await check("a.txt", "text/plain", {}, "files"), undefined);
  equal(await check("a.txt", "text/plain", { filetype: [".pdf"] }, "files"), "This field takes files that are PDF.");
  equal(await checkFile(new File([], "a.jpg", { type: "image/jpeg" }), taking({}), files), files.isEmpty);
  const large = Object.defineProperty(new File(["a"], "a.jpg"), "size", { value: 6_000_000 });
  equal(await checkFile(large, taking({}), files), "The file has 6 MB. At most 5 MB can be uploaded.");
  equal(checkCount(taking({ count: { max: 2 } }), 2, files), undefined);
  equal(checkCount(taking({ count: { max: 2 } }), 3, files), "This field takes at most 2 files. Remove one first.");
});
