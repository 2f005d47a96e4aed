// Finding a file that has just arrived.

import { equal } from "node:assert/strict";
import { test } from "node:test";
import { findRecent } from "./recent-file.ts";

const at = "2027-03-03T10:00:00.000Z";
const since = Date.parse(at) - 1_000;

test("ADM-417 a file is known again by its name and the time of its upload", () => {
  const value = [{ name: "hill-top-2.jpg", uploadDate: at }];
  equal(findRecent(value, "Hill top.heic", since), true);
  equal(findRecent(value, "valley.jpg", since), false);
  equal(findRecent(value, "Hill top.heic", Date.parse(at) + 60_000), false);
  const depot = {
    files: [{ name: "2026", mime: "folder", uploadDate: at, files: [{ name: "a.pdf", uploadDate: at }] }],
  };
  equal(findRecent(depot, "a.pdf", since), true);
  equal(findRecent(undefined, "a.pdf", since), false);
});
