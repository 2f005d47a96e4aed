import assert from "node:assert/strict";
import { test } from "node:test";
import { coreToolNames } from "#contract/core-names.ts";
import { plainLine, toolName, withNames } from "./names.ts";
import { coreTools } from "./tools/all.ts";

test("MCT-6 names of tools carry the prefix wherever they are named", () => {
  assert.equal(toolName("", "get_object"), "get_object");
  assert.equal(
    withNames("b", "Call get_object or my_get_objects, then get_object."),
    "Call b_get_object or my_get_objects, then b_get_object.",
  );
});

test("MCT-6 every tool of the service is known by name, and descriptions name only tools that exist", () => {
  const names = coreTools.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !(coreToolNames as readonly string[]).includes(name)),
    [],
  );
  for (const { name, description } of coreTools)
    for (const [word] of description.matchAll(/\b[a-z]+_[a-z_]+\b/g))
      assert.ok(names.includes(word), `${name}: ${word}`);
});

test("MCT-59 texts of users become one visible line (T24)", () => {
  assert.equal(plainLine(" a\n\nb\tc\u0000d "), "a b c d");
  assert.equal(plainLine("in\u200bvis\u202eible\ufeff \u{e0041}tag"), "invisible tag");
  assert.equal(plainLine("x".repeat(2_000)).length, 1_024);
  assert.equal(plainLine("日本語 ok 😀"), "日本語 ok 😀");
});
