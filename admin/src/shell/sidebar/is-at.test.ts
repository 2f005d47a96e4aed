import { equal } from "node:assert/strict";
import { test } from "node:test";
import { closestTo, isAt } from "./is-at.ts";

const collections = "/admin/collections";
const pages = "/admin/collections/builder-pages";

test("ADM-1304 an entry is marked for its page and those below it, Home for itself", () => {
  equal(isAt(pages, collections), true);
  equal(isAt("/admin/collections-x", collections), false);
  equal(isAt(pages, "/admin"), false);
});

test("ADM-1304 of two entries that fit, the closer one is marked", () => {
  const all = ["/admin", collections, pages];
  equal(closestTo(`${pages}/home`, all), pages);
  equal(closestTo("/admin/collections/posts", all), collections);
  equal(closestTo("/admin/", all), "/admin");
  equal(closestTo("/admin/jobs", all), undefined);
});
