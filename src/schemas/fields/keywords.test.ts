import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import type { Json } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { build, refusal, refused, schemaOf, stored } from "#schemas/build.fixture.ts";

const failing: [PropertyDefinition, Json, string][] = [
  [{ type: "string", minLength: 3 }, "ab", "String must be at least 3 characters"],
  [{ type: "string", minLength: 3 }, "", "String must be at least 3 characters"],
  [{ type: "string", maxLength: 3 }, "abcd", "String exceeds maximum length of 3"],
  [{ type: "string", pattern: "^[A-Z]+$" }, "abc", "Value does not match required format"],
  [{ type: "string", format: "email" }, "nope", "Invalid email format"],
  [{ type: "string", format: "date" }, "2024-02-30", "Value does not match required format"],
  [{ type: "string", format: "date-time" }, "2024", "Value does not match required format"],
  [{ type: "string", format: "time" }, "25:00", "Value does not match required format"],
  [{ type: "string", format: "uri" }, "no uri", "Value does not match required format"],
  [{ type: "string", format: "url" }, "ftp://x", "Value does not match required format"],
  [{ type: "string", format: "ipv4" }, "1.2.3.999", "Value does not match required format"],
  [{ type: "string", format: "ipv6" }, "::zz", "Value does not match required format"],
  [{ type: "string", enum: ["a", "b"] }, "c", "Value must be one of: a, b"],
  [{ type: "number", enum: [1, 2] }, "3", "Value must be one of: 1, 2"],
  [{ type: "string", const: "x" }, "y", "Value must be x"],
  [{ type: "number", minimum: 1 }, 0, "Value must be at least 1"],
  [{ type: "number", maximum: 1 }, "1.5", "Value must not exceed 1"],
  [{ type: "number", exclusiveMinimum: 1 }, 1, "Value must be greater than 1"],
  [{ type: "number", exclusiveMaximum: 1 }, 1, "Value must be less than 1"],
  [{ type: "number", multipleOf: 0.1 }, 0.25, "Value must be a multiple of 0.1"],
  [{ type: "list", minItems: 2 }, ["a"], "Array must contain at least 2 items"],
  [{ type: "list", maxItems: 1 }, "a,b", "Array exceeds maximum of 1 items"],
  [{ type: "array", uniqueItems: true }, [{ a: 1 }, { a: 1 }], "Array items must be unique"],
  [{ field: "deck", minItems: 1 }, [], "Array must contain at least 1 items"],
  [{ type: "gallery", maxItems: 1 }, [{ name: "a" }, { name: "b" }], "Array exceeds maximum of 1 items"],
];

for (const [definition, value, message] of failing) {
  const { type: _, ...keywords } = definition;
  test(`FLD-33 ${JSON.stringify(keywords)} refuses ${JSON.stringify(value)}`, () => {
    assert.deepEqual(refused(definition, value), [message]);
  });
}

const passing: [PropertyDefinition, Json][] = [
  [{ type: "string", minLength: 3, maxLength: 3, pattern: "b" }, "äbc"],
  [{ type: "string", format: "email" }, ""],
  [{ type: "string", format: "html" }, "anything"],
  [{ type: "string", format: "date" }, "2024-02-29"],
  [{ type: "string", format: "time" }, "09:30"],
  [{ type: "email", pattern: "@example.com$" }, ""],
  [{ type: "number", multipleOf: 0.1 }, 0.3],
  [{ type: "date", format: "date" }, "2024-02-29"],
  [{ type: "image", required: false, properties: { alt: { type: "number" } } }, { alt: "x" }],
];

for (const [definition, value] of passing) {
  test(`FLD-33 ${JSON.stringify(definition)} accepts ${JSON.stringify(value)}`, () => {
    assert.notEqual(stored(definition, value), undefined);
  });
}

test("FLD-33 several rules of one property are all reported", () => {
  assert.deepEqual(refused({ type: "string", minLength: 5, pattern: "^[A-Z]+$" }, "ab"), [
    "String must be at least 5 characters",
    "Value does not match required format",
  ]);
});

test("FLD-33 enum names the entries of a list", () => {
  assert.deepEqual(stored({ type: "list", enum: ["a", "b"] }, ["b"]), ["b"]);
  assert.deepEqual(
    refusal(() => stored({ type: "list", enum: ["a", "b"] }, ["a", "c"])),
    {
      "it.1": ["Value must be one of: a, b"],
    },
  );
});

test("FLD-34 settings.min and settings.max bound a number", () => {
  const definition = { type: "number", settings: { min: 1, max: 5 } };
  assert.deepEqual(refused(definition, 0), ["Value must be at least 1"]);
  assert.deepEqual(refused(definition, 6), ["Value must not exceed 5"]);
  assert.equal(stored(definition, 5), 5);
});

test("FLD-35 objects and arrays are checked inside, with dotted paths", () => {
  const definition = {
    type: "object",
    properties: { name: { type: "string", minLength: 2 }, tags: { type: "array", items: { type: "string" } } },
    required: ["name"] as never,
    additionalProperties: false,
  };
  assert.deepEqual(stored(definition, { name: "ok", tags: ["a"] }), { name: "ok", tags: ["a"] });
  assert.deepEqual(Object.keys(refusal(() => stored(definition, { name: "x", tags: [1], more: 1 }))).sort(), [
    "it",
    "it.name",
    "it.tags.0",
  ]);
});

test("FLD-35 types of this service and references inside are ignored (T25)", () => {
  const definition = {
    type: "json",
    properties: { a: { type: "image" }, b: { $ref: "file:///etc/passwd" }, c: { $ref: "#" } },
    allOf: [{ $ref: "#" }],
  };
  assert.deepEqual(stored(definition, { a: 1, b: 2, c: 3 }), { a: 1, b: 2, c: 3 });
});

test("FLD-31 a pattern with nested repeats cannot stop the service (T11)", async () => {
  const schema = schemaOf({
    s: { type: "string", pattern: "^(a+)+$" },
    p: { type: "object", patternProperties: { "^(a+)+$": { type: "string" } } },
  });
  const poison = `${"a".repeat(50_000)}!`;
  const refuse = () => refusal(() => build(schema, { s: poison, p: { [poison]: 1 } }));
  assert.deepEqual(Object.keys(refuse()), ["s"]);
  assert.ok((await leastTime(500, refuse)) < 500);
});

test("FLD-31 formats and uniqueItems take no longer for hostile values (T11)", async () => {
  const work = () => {
    for (const format of ["email", "uri", "url", "hostname", "ipv6", "date-time", "duration"]) {
      refused({ type: "string", format }, `a@${"a.".repeat(100_000)}!`);
      refused({ type: "string", format }, `http://${"a-".repeat(990)} !`);
    }
    stored(
      { type: "array", uniqueItems: true },
      Array.from({ length: 10_000 }, (_, i) => ({ i })),
    );
  };
  assert.ok((await leastTime(2_000, work)) < 2_000);
});
