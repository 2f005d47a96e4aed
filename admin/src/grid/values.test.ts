import assert from "node:assert/strict";
import { test } from "node:test";
import type { PropertyDefinition, PropertyType } from "@contract/schemas.ts";
import { controlOf, hasValue, splitValues } from "./values.ts";

const column = (type: PropertyType, field = "", definition: PropertyDefinition = {}) => ({
  property: "p",
  label: "P",
  isIndexed: true,
  type,
  field,
  definition,
});

test("simple kinds have a control, others take an editor of their own", () => {
  assert.equal(controlOf(column("string")), "text");
  assert.equal(controlOf(column("string", "select", { options: ["a"] })), "choice");
  assert.equal(controlOf(column("date", "date")), "date");
  assert.equal(controlOf(column("date")), "datetime");
  assert.equal(controlOf(column("string", "styledtext")), undefined);
  assert.equal(controlOf(column("image")), undefined);
  assert.equal(controlOf(column("password")), undefined);
});

test("text is split into values", () => {
  assert.deepEqual(splitValues(" , a\nb"), ["a", "b"]);
});

test("an empty value is the same as none", () => {
  assert.ok(hasValue(undefined, ""));
  assert.ok(!hasValue(undefined, false));
  assert.ok(hasValue(["a"], ["a"]));
  assert.ok(!hasValue("a", "b"));
});
