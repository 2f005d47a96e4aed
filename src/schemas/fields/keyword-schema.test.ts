import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import { isKeywordSchema, keywordSchema } from "./keyword-schema.ts";
import { createAjv } from "./keywords.ts";

const keywords = (
  "const enum pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems " +
  "maxItems minProperties maxProperties minContains maxContains uniqueItems required type items contains " +
  "additionalProperties propertyNames not if then else unevaluatedItems unevaluatedProperties allOf anyOf oneOf " +
  "prefixItems properties patternProperties dependentSchemas"
).split(" ");
const values: Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, -0.5, "", "string", "a", "^a", "1; throw 1"],
  ...[[], ["a"], ["a", "b"], ["a", "a"], [1], [1, 1], [null], [[]], [{}], [true], ["string"], ["string", "null"]],
  ...[{}, { a: {} }, { a: true }, { a: 1 }, { a: null }, { minLength: 1 }, { minLength: -1 }, { minLength: "1" }],
  ...[{ items: { items: { maximum: "x" } } }, { items: { items: { maximum: 1 } } }],
  ...[[{ minLength: -1 }], [{ minLength: 1 }, {}], { a: { minLength: -1 } }, { a: { enum: [] } }],
];
const ajv = createAjv();

function isAccepted(schema: JsonObject): boolean {
  try {
    ajv.compile(schema);
    return true;
  } catch {
    return false;
  } finally {
    ajv.removeSchema(schema);
  }
}

for (const keyword of keywords)
  test(`FLD-33 the values of ${keyword} are taken that JSON Schema takes`, () => {
    for (const value of values) {
      const picked = keywordSchema({ x: { [keyword]: value }, items: { [keyword]: value } } as PropertyDefinition);
      assert.equal(isKeywordSchema(picked), isAccepted(picked), JSON.stringify(picked));
    }
  });

test("FLD-33 a keyword outside the subset is left out at every depth, and is not taken where it is not left out", () => {
  const definition = { $ref: "#", items: { $ref: "https://a.example", anyOf: [{ $id: "x", minLength: 1 }] } };
  assert.deepEqual(keywordSchema(definition as PropertyDefinition), { items: { anyOf: [{ minLength: 1 }] } });
  assert.equal(isKeywordSchema({ items: { $ref: "#" } }), false);
});
