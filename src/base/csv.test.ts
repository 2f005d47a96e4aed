import assert from "node:assert/strict";
import { test } from "node:test";
import { csvRow } from "./csv.ts";

test("QRY-10 booleans are words, lists and objects are JSON, missing values are empty", () => {
  assert.equal(csvRow([true, false, null, undefined]), "true,false,,\r\n");
  assert.equal(csvRow([["a", "b"], { x: 1 }]), '"[""a"",""b""]","{""x"":1}"\r\n');
});

test("QRY-11 cells with commas, quotes and line breaks are quoted, and quotes doubled (T22)", () => {
  assert.equal(csvRow(["a,b", 'say "hi"', "one\ntwo", "plain"]), '"a,b","say ""hi""","one\ntwo",plain\r\n');
});

test("QRY-12 text that would run as a formula gets a leading quote; numbers stay (T22)", () => {
  assert.equal(csvRow(['=HYPERLINK("x")']), '"\'=HYPERLINK(""x"")"\r\n');
  assert.equal(csvRow(["+1", "-1", "@a", "\tb"]), "'+1,'-1,'@a,'\tb\r\n");
  assert.equal(csvRow(["\rc"]), '"\'\rc"\r\n');
  assert.equal(csvRow([-5, "5-", 0.5]), "-5,5-,0.5\r\n");
});
