// The guard must be able to bark.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkEvidence, withTable } from "./check-evidence.ts";

const rules = "- **OBJ-1** An object has an id.\n- **OBJ-2** Ids are unique. See **OBJ-1**.\n";

function problems(documents: string, tests: string, baseline: string[] = []): string[] {
  return checkEvidence(new Map([["docs/spec/objects.md", documents]]), new Map([["a.test.ts", tests]]), baseline)
    .problems;
}

test("rules that tests name are proven", () => {
  assert.deepEqual(problems(rules, 'test("OBJ-1 has an id", ...); it(`OBJ-2 OBJ-1 too`);'), []);
});

test("a rule that no test names is found", () => {
  assert.deepEqual(problems(rules, 'test("OBJ-1 has an id"); // OBJ-2 is for later'), [
    "OBJ-2: no test names this rule",
  ]);
});

test("a rule of the baseline may stay unproven, but not once it is proven", () => {
  assert.deepEqual(problems(rules, 'test("OBJ-1 has an id")', ["OBJ-2"]), []);
  assert.match(problems(rules, 'test("OBJ-1 x"); test("OBJ-2 y")', ["OBJ-2"]).join(), /out of the baseline/);
});

test("a test that names no rule of an area is found, other texts are not", () => {
  assert.match(problems(rules, 'test("OBJ-1 OBJ-2 x"); test("OBJ-9 y")').join(), /OBJ-9, which is no rule/);
  assert.deepEqual(problems(rules, 'test("OBJ-1 OBJ-2 x"); const a = "UTF-8 text"'), []);
});

test("a number used twice is found", () => {
  assert.match(problems(`${rules}- **OBJ-1** Again.\n`, 'test("OBJ-1 OBJ-2 x")').join(), /numbered twice/);
});

test("the table has each prefix with its page, and nothing else of the page changes", () => {
  const page = (table: string) => `# Rules\n\n<!-- table: x -->\n${table}\n<!-- end -->\n\nThe end.\n`;
  const documents = new Map([
    ["docs/spec/README.md", page("")],
    ["docs/spec/objects.md", `# Objects\n\n${rules}- **AREA-7** An area.\n`],
  ]);
  const table = "| Prefix | Page |\n|---|---|\n| `AREA` | [Objects](objects.md) |\n| `OBJ` | [Objects](objects.md) |";
  assert.equal(withTable(page("old"), documents), page(table));
});
