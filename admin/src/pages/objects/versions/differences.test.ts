import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { FieldProperty } from "#fields/property.ts";
import { canRestore, differencesOf, restoredValues } from "./differences.ts";

const property = (name: string, more: object = {}) => ({ name, label: name, type: "string", ...more }) as FieldProperty;

test("ADM-398 versions are compared by property, without what the server sets by itself", () => {
  const properties = [
    property("id"),
    property("title"),
    property("data", { type: "json" }),
    property("sum", { lock: "calc" }),
    property("secret", { type: "password" }),
    property("gone"),
  ];
  const from = { id: "a", title: "Old", data: { a: 1, b: 2 }, sum: 1, gone: "x" };
  const to = { id: "b", title: "New", data: { b: 2, a: 1 }, sum: 2, secret: "s" };
  deepEqual(
    differencesOf(properties, from, to).map(({ property: { name }, from: before, to: after }) => [name, before, after]),
    [
      ["title", "Old", "New"],
      ["gone", "x", undefined],
    ],
  );
});

test("ADM-399 restored properties are those of the version; one that it lacks is removed, and files stay", () => {
  deepEqual(restoredValues({ title: "Old", data: 1 }, ["title", "gone"]), { title: "Old", gone: undefined });
  deepEqual(
    ["string", "json", "image", "depot", "password"].map((type) => canRestore(property("x", { type }))),
    [true, true, false, false, false],
  );
  equal(canRestore(property("x", { type: "deck" })), true);
});
