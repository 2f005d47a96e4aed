import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permissions, ResourcePermission } from "#contract/access-groups.ts";
import { type Operation, operations } from "#contract/collections.ts";
import { permissionsOf } from "./groups.ts";
import { isNothing, noPermissions, permits, shippedGroups } from "./permissions.ts";
import type { Subject } from "./subject.ts";

const objects = (collection: string): Subject => ({ kind: "objects", collection, publicOperations: [] });
const crud = operations;

function on(names: "*" | string[], ...granted: Operation[]): ResourcePermission {
  return { operations: granted, all: names === "*", allowed: names === "*" ? [] : names };
}

function group(parts: Partial<Permissions>): Permissions {
  return { ...noPermissions, ...parts };
}

function shipped(id: string): Permissions[] {
  return permissionsOf(new Map(shippedGroups.map((each) => [each.id, each])), [id]);
}

function granted(groups: Permissions[], subject: Subject): Operation[] {
  return crud.filter((operation) => permits(groups, operation, subject));
}

test("GRP-20 a group grants its operations on the collections it names, or on all", () => {
  const one = [group({ collections: on(["blog"], "read", "update") })];
  assert.deepEqual(granted(one, objects("blog")), ["read", "update"]);
  assert.deepEqual(granted(one, objects("blogs")), []);
  assert.deepEqual(granted(one, objects("")), []);
  assert.deepEqual(granted([group({ collections: on("*", "delete") })], objects("any")), ["delete"]);
  assert.deepEqual(granted([group({ collections: on([], ...crud) })], objects("blog")), []);
});

test("GRP-20 names are taken as they are, also those that every object has", () => {
  for (const name of ["constructor", "__proto__", "toString", "valueOf"]) {
    assert.deepEqual(granted([group({ collections: on("*", "read") })], objects(name)), ["read"]);
    assert.deepEqual(granted([group({ collections: on(["blog"], "read") })], objects(name)), []);
  }
});

test("GRP-21 several groups grant what any of them grants, each by its own operations", () => {
  const both = [group({ collections: on(["a"], "read") }), group({ collections: on(["b"], "update") })];
  assert.deepEqual(granted(both, objects("a")), ["read"]);
  assert.deepEqual(granted(both, objects("b")), ["update"]);
  // An operation of one group and a name of another do not add up.
  const split = [group({ collections: on([], "delete") }), group({ collections: on(["a"], "read") })];
  assert.deepEqual(granted(split, objects("a")), ["read"]);
});

test("GRP-22 an unknown group grants nothing, no group at all is the group default", () => {
  const groups = new Map(shippedGroups.map((each) => [each.id, each]));
  assert.deepEqual(permissionsOf(groups, ["nobody", "__proto__"]), []);
  assert.deepEqual(permissionsOf(groups, []), permissionsOf(groups, ["default"]));
  assert.deepEqual(permissionsOf(groups, ["nobody", "viewer"]), permissionsOf(groups, ["viewer"]));
  groups.delete("default");
  assert.deepEqual(permissionsOf(groups, []), []);
  for (const kind of ["collections", "schemas"] as const) assert.deepEqual(granted([], { kind }), []);
});

test("GRP-23 without a name, listing needs any grant and creating needs all", () => {
  for (const [part, kind] of [
    ["collectionsMeta", "collections"],
    ["schemas", "schemas"],
  ] as const) {
    assert.deepEqual(granted([group({ [part]: on(["a"], ...crud) })], { kind }), ["read"], kind);
    assert.deepEqual(granted([group({ [part]: on("*", "create", "read") })], { kind }), ["create", "read"], kind);
    assert.deepEqual(granted([group({ [part]: on([], ...crud) })], { kind }), [], kind);
  }
});

test("GRP-24 objects, settings of collections, and schemas are three grants", () => {
  const subjects: Subject[] = [
    objects("a"),
    { kind: "collections", collection: "a" },
    { kind: "schemas", schema: "a" },
  ];
  const parts = ["collections", "collectionsMeta", "schemas"] as const;
  for (const [at, part] of parts.entries()) {
    const opened = subjects.map((subject) => granted([group({ [part]: on(["a"], "update") })], subject).length);
    assert.deepEqual(
      opened,
      [0, 1, 2].map((other) => (other === at ? 1 : 0)),
    );
  }
});

test("GRP-25 users and automations are never a group's to give", () => {
  const everything = shipped("admin");
  for (const collection of ["auth", "automations"]) {
    assert.deepEqual(granted(everything, objects(collection)), []);
    assert.deepEqual(granted(everything, { kind: "collections", collection }), []);
    assert.deepEqual(granted([group({ collections: on([collection], ...crud) })], objects(collection)), []);
  }
});

test("GRP-26 the collection of a feature needs its switch in the same group", () => {
  for (const [collection, feature] of [
    ["mailer", "mailer"],
    ["playground", "playground"],
    ["dataviews", "dataviews"],
    ["builder-pages", "builder"],
  ] as const) {
    const all = on("*", ...crud);
    assert.deepEqual(granted([group({ collections: all })], objects(collection)), [], collection);
    assert.deepEqual(granted([group({ collections: all, [feature]: true })], objects(collection)), crud, collection);
    assert.deepEqual(granted([group({ [feature]: true })], objects(collection)), [], collection);
    const apart = [group({ collections: all }), group({ [feature]: true })];
    assert.deepEqual(granted(apart, objects(collection)), [], collection);
  }
});

test("GRP-27 utilities are granted by name or all; groups, keys, users, settings and metrics never", () => {
  const util: Subject = { kind: "util", util: "jumpstart" };
  assert.equal(permits([group({ utils: { all: false, allowed: ["jumpstart"] } })], "read", util), true);
  assert.equal(permits([group({ utils: { all: false, allowed: ["cache"] } })], "read", util), false);
  assert.equal(permits([group({ utils: { all: true, allowed: [] } })], "update", util), true);
  for (const kind of ["groups", "keys", "users", "settings", "metrics"] as const)
    assert.deepEqual(granted(shipped("admin"), { kind }), [], kind);
});

test("GRP-28 the shipped groups: an editor writes content, a viewer reads it, neither more", () => {
  assert.deepEqual(
    shippedGroups.map(({ id }) => id),
    ["admin", "editor", "viewer", "default", "member"],
  );
  assert.deepEqual(
    shippedGroups.filter(({ permissions }) => isNothing(permissions)).map(({ id }) => id),
    ["member"],
  );
  const editor = shipped("editor");
  assert.deepEqual(granted(editor, objects("blog")), crud);
  assert.deepEqual(granted(editor, objects("mailer")), crud);
  assert.deepEqual(granted(editor, objects("builder-pages")), []);
  assert.deepEqual(granted(editor, { kind: "templates" }), []);
  assert.deepEqual(granted(editor, objects("playground")), []);
  assert.deepEqual(granted(editor, objects("dataviews")), []);
  assert.deepEqual(granted(editor, { kind: "collections", collection: "blog" }), ["read"]);
  assert.deepEqual(granted(editor, { kind: "schemas", schema: "blog" }), ["read"]);
  for (const id of ["viewer", "default"]) {
    assert.deepEqual(granted(shipped(id), objects("blog")), ["read"], id);
    assert.deepEqual(granted(shipped(id), objects("mailer")), [], id);
  }
});

test("GRP-29 viewer and default hold nothing of schemas, settings of collections or utilities", () => {
  for (const id of ["viewer", "default"]) {
    const [permissions] = shipped(id);
    for (const part of ["schemas", "collectionsMeta"] as const) assert.deepEqual(permissions?.[part], on([]), id);
    assert.deepEqual(permissions?.utils, { all: false, allowed: [] }, id);
  }
});
