import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "./patience.fixture.ts";
import { compilePattern } from "./pattern.ts";

test("FLD-30 patterns match as they do in JSON Schema: anywhere unless anchored", () => {
  assert.equal(compilePattern("b+").test("abbc"), true);
  assert.equal(compilePattern("^b+$").test("abbc"), false);
  assert.equal(compilePattern("^\\u00e9\\p{L}+\\/$").test("éa/"), true);
  assert.equal(compilePattern("^[a-z][a-z0-9_]*$").test("find_posts"), true);
});

test("FLD-31 a pattern with nested repeats takes linear time (T11)", async () => {
  const pattern = compilePattern("^(a+)+$");
  pattern.test("warm");
  const poison = `${"a".repeat(50_000)}!`;
  assert.equal(pattern.test(poison), false);
  assert.ok((await leastTime(50, () => pattern.test(poison))) < 50);
});

test("FLD-31 look-around, back-references and oversized patterns are not supported (T11)", () => {
  for (const source of ["(?=a)", "(?<!a)b", "(a)\\1", "(", "a{1,5000}", "((a{100}){100}){100}", "a".repeat(1_001)])
    assert.throws(() => compilePattern(source), Error, source.slice(0, 20));
  for (const source of ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b"])
    assert.throws(() => compilePattern(source), /look-ahead and look-behind do not exist here/, source);
  assert.throws(() => compilePattern("(a)\\1"), /back-references do not exist here/);
  for (const source of ["", "^\\S+$", "\\d{3}-\\d{4}", "^.{1,500}$"]) compilePattern(source);
});

test("FLD-31 a text beyond the bound matches nothing (T11)", () => {
  assert.equal(compilePattern("a").test("a".repeat(100_001)), false);
});
