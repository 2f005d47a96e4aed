import assert from "node:assert/strict";
import { test } from "node:test";
import { depot as words } from "#words/en/depot.ts";
import { checkFile, readRules, rulesText } from "./file-rules.ts";

const rules = readRules({
  rules: { size: { min: 1, max: 2_000 }, filetype: [".pdf", "image/*"], filename: "report-*", count: { max: 3 } },
});
const file = (name: string, type: string, size: number) => ({ name, type, size });

test("ADM-461 the rules of a field are told in words and checked before a file is sent", () => {
  assert.equal(
    rulesText(rules, words),
    ".pdf and image/*, named report-*, at least 1 kB, at most 2 MB, at most 3 files",
  );
  assert.equal(rulesText(readRules({}), words), "Any file");
  assert.equal(checkFile(rules, file("report-1.PDF", "application/pdf", 5_000), words), undefined);
  assert.equal(checkFile(rules, file("report-1", "image/png", 5_000), words), undefined);
  assert.equal(checkFile(rules, file("report-1", "", 5_000), words), undefined);
  assert.match(checkFile(rules, file("report-1.pdf", "", 3_000_000), words) ?? "", /too large/);
  assert.match(checkFile(rules, file("report-1.pdf", "", 3), words) ?? "", /too small/);
  assert.match(checkFile(rules, file("report-1.txt", "text/plain", 5_000), words) ?? "", /must be \.pdf/);
  assert.match(checkFile(rules, file("a.pdf", "", 5_000), words) ?? "", /report-\*/);
});
