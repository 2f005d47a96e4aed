import assert from "node:assert/strict";
import { test } from "node:test";
import { build, now, schemaOf } from "#schemas/build.fixture.ts";
import { generate } from "./autogen.ts";

const made = (template: string) => generate(template, { title: "My Title", n: 5, list: ["a"] }, { now, counter: 7 });

const cases: [string, string | RegExp][] = [
  ["${title}-${n}", "My Title-5"],
  ["${list}${missing}${toString}", ""],
  ["${now}", String(Date.parse(now))],
  ["${timestamp}", "20260304T050607"],
  ["${uuid}", /^[0-9a-f-]{36}$/],
  ["${uid}", /^[0-9a-z]{7}$/],
  ["${uid-20}", /^[0-9a-z]{20}$/],
  ["${oid}/${oid-0000}", "7/0007"],
  ["${currentyear} ${currentyear2} ${currentmonth} ${currentday}", "2026 26 03 04"],
  ["plain $x {y}", "plain $x {y}"],
];

for (const [template, expected] of cases) {
  test(`FLD-41 the template ${template}`, () => {
    if (typeof expected === "string") assert.equal(made(template), expected);
    else assert.match(made(template), expected);
  });
}

test("FLD-41 autogen fills an empty property and leaves a filled one", () => {
  const schema = schemaOf({
    code: { type: "string", settings: { autogen: "INV-${oid-000}" } },
    title: { type: "string" },
  });
  assert.equal(build(schema, {}).document.code, "INV-007");
  assert.equal(build(schema, { code: "" }).document.code, "INV-007");
  assert.equal(build(schema, { code: "mine" }).document.code, "mine");
});
