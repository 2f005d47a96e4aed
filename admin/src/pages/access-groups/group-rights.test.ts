import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { Permissions } from "@contract/access-groups.ts";
import { differenceOf, isTicked, type Names, reachesNothing, thingsOf, tick } from "./group-rights.ts";

const nothing = { operations: [], all: false, allowed: [] };
const none: Permissions = {
  collectionsMeta: nothing,
  collections: nothing,
  schemas: nothing,
  builder: false,
  mailer: false,
  playground: false,
  dataviews: false,
  docs: false,
  utils: { all: false, allowed: [] },
  settings: { all: false, allowed: [] },
  extensions: { all: false, allowed: [] },
};
const names: Names = {
  operation: (operation) => operation,
  thing: (thing) => (thing.kind === "all" ? "all" : thing.name),
  right: (operation, thing) => `${operation}: ${thing}`,
  item: (resource, id) => `${resource} ${id}`,
  allItems: (resource) => `all ${resource}`,
};

test("ADM-810 a tick grants one operation of one row, the row of all that of every row with operations", () => {
  const read = { operation: "read", isOn: true } as const;
  deepEqual(tick(none, { kind: "resource", name: "schemas" }, read), { schemas: { ...nothing, operations: ["read"] } });
  const all = { ...none, ...tick(none, { kind: "all" }, read) };
  equal(isTicked(all, { kind: "all" }, "read"), true);
  equal(isTicked(all, { kind: "resource", name: "collectionsMeta" }, "read"), true);
  equal(isTicked(all, { kind: "switch", name: "mailer" }, "read"), false);
  deepEqual(tick(none, { kind: "switch", name: "builder" }, read), { builder: true });
});

test("ADM-810 a utility leaves those of a group that has all", () => {
  const every = { ...none, utils: { all: true, allowed: [] } };
  deepEqual(tick(every, { kind: "utility", name: "cache" }, { operation: "read", isOn: false }), {
    utils: { all: false, allowed: ["image-batcher", "jumpstart", "project-setup"] },
  });
  const own = { ...none, utils: { all: false, allowed: ["own"] } };
  equal(thingsOf(own).filter(({ kind }) => kind === "utility").length, 5);
});

test("ADM-811 a change in words: rights on nothing are none", () => {
  const blog = { operations: ["read", "update"], all: false, allowed: ["blog"] } as const;
  const before = { ...none, collections: { ...blog, operations: [...blog.operations], allowed: ["blog", "news"] } };
  const after = {
    ...none,
    collections: { ...nothing, operations: ["read" as const], allowed: ["blog"] },
    mailer: true,
  };
  deepEqual(differenceOf(before, after, names), {
    lost: ["update: collections", "collections news"],
    gained: ["mailer"],
  });
  const open = { ...none, collections: { ...nothing, operations: ["read" as const] } };
  equal(reachesNothing(open.collections), true);
  deepEqual(differenceOf(none, open, names), { lost: [], gained: [] });
});
