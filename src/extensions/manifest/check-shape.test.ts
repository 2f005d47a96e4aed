import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { resetPatternBudget } from "#base/pattern.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { jsonCheck } from "#schemas/json-schema.ts";
import { checkShape } from "./check-shape.ts";

const schema = JSON.parse(readFileSync(join(import.meta.dirname, "extension.schema.json"), "utf8")) as JsonObject;
const root = join(import.meta.dirname, "..", "..", "..");
const whole = JSON.parse(
  readFileSync(join(root, "examples/extensions/everything/extension.json"), "utf8"),
) as JsonObject;

/** Every value in it, replaced by another, and every name left out or added. */
function* mutated(value: Json): Generator<Json> {
  const others: Json[] = [null, 5, -1, true, "", "x".repeat(5_000), "../up", [], {}, ["a", "a"], { a: 1 }];
  for (const other of others) yield other;
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries())
      for (const changed of mutated(one)) yield value.map((each, index) => (index === at ? changed : each));
    yield [...value, ...value];
  } else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) {
      const { [name]: _, ...rest } = value;
      yield rest;
      yield { ...value, [`${name}x`]: one };
      for (const changed of mutated(one)) yield { ...value, [name]: changed };
    }
}

test("EXT-1 the manifests that ship fit, and a changed one is refused exactly where JSON Schema refuses it", () => {
  for (const file of globSync("{examples,bundled}/extensions/**/extension.json", { cwd: root }))
    assert.deepEqual(checkShape(schema, JSON.parse(readFileSync(join(root, file), "utf8"))), {}, file);
  const judge = jsonCheck(schema);
  let count = 0;
  for (const changed of mutated(whole)) {
    resetPatternBudget();
    const [ours, theirs] = [checkShape(schema, changed), judge(changed)];
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort(), JSON.stringify(changed).slice(0, 300));
    count += 1;
  }
  assert.ok(count > 1_000);
});
