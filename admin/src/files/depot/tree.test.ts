import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@contract/json.ts";
import { applyChange, filesIn, findFiles, findFolder, readFolders, sortFiles, visibleFolders } from "./tree.ts";

const file = (name: string, size: number, more: JsonObject = {}): JsonObject => ({
  name,
  size,
  mime: "text/plain",
  ...more,
});
const folder = (name: string, ...files: JsonObject[]): JsonObject => ({ name, mime: "folder", files });
const depot: JsonObject = {
  protected: true,
  files: [
    file("b10.txt", 10),
    folder("archive", file("old.txt", 5)),
    file("b9.txt", 9, { tags: ["plan"], comments: "of March" }),
    folder("2026", folder("q1", file("report.pdf", 100, { ext: "pdf" })), folder("q2")),
  ],
};
const names = (files: readonly { path: string }[]) => files.map(({ path }) => path);

test("ADM-450 folders are counted with all that is in them, and shown as far as they are open", () => {
  const root = readFolders(depot, "Papers");
  assert.deepEqual([root.name, root.count, root.size], ["Papers", 4, 124]);
  assert.deepEqual(names(visibleFolders(root, new Set([""]))), ["", "2026", "archive"]);
  assert.deepEqual(names(visibleFolders(root, new Set(["", "2026"]))), ["", "2026", "2026/q1", "2026/q2", "archive"]);
  assert.deepEqual(findFolder(root, "2026/q1")?.size, 100);
  assert.equal(findFolder(root, "2026/none"), undefined);
  assert.deepEqual(readFolders(undefined, "Papers").count, 0);
});

test("ADM-451 files of a folder are sorted by each column, and found in all folders below it", () => {
  const files = filesIn(depot, "");
  assert.deepEqual(names(sortFiles(files, "name", false)), ["b9.txt", "b10.txt"]);
  assert.deepEqual(names(sortFiles(files, "size", true)), ["b10.txt", "b9.txt"]);
  assert.deepEqual(names(filesIn(depot, "2026/q1")), ["2026/q1/report.pdf"]);
  assert.deepEqual(names(findFiles(depot, "", "PLAN march")), ["b9.txt"]);
  assert.deepEqual(names(findFiles(depot, "2026", "re")), ["2026/q1/report.pdf"]);
  assert.deepEqual(names(findFiles(depot, "archive", "report")), []);
});

test("ADM-453 a change is shown before the server has answered", () => {
  const moved = applyChange(depot, {
    operation: "move",
    paths: ["b9.txt", "2026/q1", "archive/old.txt"],
    destination: "archive",
  });
  const root = readFolders(moved, "Papers");
  assert.deepEqual(names(visibleFolders(root, new Set(["", "2026", "archive"]))), [
    "",
    "2026",
    "2026/q2",
    "archive",
    "archive/q1",
  ]);
  assert.deepEqual(names(filesIn(moved, "archive")), ["archive/old.txt", "archive/b9.txt"]);
  const deleted = applyChange(depot, { operation: "delete", paths: ["2026", "b10.txt"] });
  assert.equal(readFolders(deleted, "").count, 2);
  const renamed = applyChange(depot, { operation: "rename", paths: ["2026/q1"], name: "first" });
  assert.deepEqual(names(filesIn(renamed, "2026/first")), ["2026/first/report.pdf"]);
  assert.equal(readFolders(depot, "").count, 4);
});
