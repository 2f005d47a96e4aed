import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { Comparison } from "@contract/transfer.ts";
import { canSeed, groupsOf, isOffered, nounOf, orderOf, outlookOf, seedOutlook } from "./sync-items.ts";

const article: Comparison = { kind: "schema", id: "article", status: "differs", newer: "remote" };
const event: Comparison = { kind: "schema", id: "event", status: "new" };
const home: Comparison = { kind: "object", collection: "builder-pages", id: "home", status: "identical" };
const old: Comparison = { kind: "template", id: "old", status: "receiver-only" };

test("ADM-895 compared items stand in groups, identical ones when they are asked for", () => {
  const named = (withIdentical: boolean) =>
    groupsOf([home, event, article, old], withIdentical).map(({ category, items }) => [
      category,
      ...items.map(({ id }) => id),
    ]);
  deepEqual(named(false), [
    ["schemas", "event", "article"],
    ["templates", "old"],
  ]);
  deepEqual(named(true).at(-1), ["pages", "home"]);
  deepEqual([article, event, home, old].map(isOffered), [true, true, false, false]);
  deepEqual(
    [nounOf(article), nounOf(home), nounOf({ kind: "object", collection: "news", id: "x" })],
    [...["schema", "pages", "object"]],
  );
  deepEqual([canSeed("news"), canSeed("auth"), canSeed("mailer")], [true, false, false]);
});

test("ADM-897 the outlook skips what is newer on the other side, until that may be overwritten", () => {
  const ids = (direction: "push" | "pull", overwritesNewer: boolean) => {
    const { created, replaced, skipped } = outlookOf([article, event], { direction, overwritesNewer });
    return [created, replaced, skipped].map((items) => items.map(({ id }) => id).join());
  };
  deepEqual(ids("push", false), ["event", "", "article"]);
  deepEqual(ids("push", true), ["event", "article", ""]);
  deepEqual(ids("pull", false), ["event", "article", ""]);
  equal(seedOutlook([article], false).skipped.length, 1);
  equal(seedOutlook([article], true).replaced.length, 1);
});

test("ADM-897 the order names the chosen items alone", () => {
  deepEqual(orderOf([article, home], { seeds: ["news"], overwrite: true, keepNewer: true }), {
    selection: { schemas: ["article"], pages: ["home"] },
    objects: ["news"],
    overwrite: true,
    keepNewer: true,
  });
  deepEqual(orderOf([event], { seeds: [], overwrite: false, keepNewer: false }), { selection: { schemas: ["event"] } });
  equal(orderOf([], { seeds: [], overwrite: true, keepNewer: true }), undefined);
});
