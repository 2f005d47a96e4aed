import assert from "node:assert/strict";
import { test } from "node:test";
import type { CairnError } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";
import { readArguments } from "./arguments.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 5 },
    count: { type: "integer", minimum: 1, maximum: 9 },
    ratio: { type: "number" },
    isOn: { type: "boolean" },
    data: { type: "object" },
    list: { type: "array", items: { type: "string" }, maxItems: 2 },
    word: { type: "string", enum: ["a", "b"] },
  },
  required: ["name"],
};

function problems(args: unknown): Record<string, string[]> {
  try {
    readArguments(schema, args as JsonObject);
    return {};
  } catch (error) {
    return (error as CairnError).details ?? {};
  }
}

test("MCT-5 right arguments pass, and null counts as left out", () => {
  const args = { name: "x", count: 9, ratio: 0.5, isOn: false, data: { a: 1 }, list: ["a"], word: "b" };
  assert.deepEqual(readArguments(schema, args), args);
  assert.deepEqual(readArguments(schema, { name: "x", count: null }), { name: "x" });
});

test("MCT-5 every wrong argument is named", () => {
  for (const [args, expected] of [
    [{}, { name: ["is required"] }],
    [{ name: null }, { name: ["is required"] }],
    [{ name: "" }, { name: ["must not be empty"] }],
    [{ name: "123456" }, { name: ["must not be longer than 5"] }],
    [{ name: "a\ud800" }, { name: ["holds characters that are not text"] }],
    [
      { name: 1, count: 1.5, ratio: "2", isOn: 1, data: [], list: {}, word: "c", other: 1 },
      {
        name: ["must be text"],
        count: ["must be a whole number"],
        ratio: ["must be a number"],
        isOn: ["must be true or false"],
        data: ["must be an object"],
        list: ["must be an array"],
        word: ["must be one of: a, b"],
        other: ["is not an argument of this tool"],
      },
    ],
    [
      { name: "x", count: 0, list: ["a", "b", "c"] },
      { count: ["must be at least 1"], list: ["must not have more than 2 entries"] },
    ],
    [
      { name: "x", count: 1e300, list: [1] },
      { count: ["must be a whole number"], list: ["has an entry that must be text"] },
    ],
    [{ name: "x", toString: 1, __proto__: {} }, { toString: ["is not an argument of this tool"] }],
  ] as [object, object][])
    assert.deepEqual(problems(args), expected, JSON.stringify(args));
});
