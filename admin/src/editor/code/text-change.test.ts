import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { changeBetween, lineBreakOf } from "./text-change.ts";

test("ADM-384 a text from outside changes no more of the editor than differs", () => {
  equal(changeBetween("same", "same"), undefined);
  deepEqual(changeBetween("a stone path", "a stony path"), { from: 6, to: 7, insert: "y" });
  deepEqual(changeBetween("aa", "aaa"), { from: 2, to: 2, insert: "a" });
  deepEqual(changeBetween("abc", ""), { from: 0, to: 3, insert: "" });
  const texts = ["", "x", "xx", "axb", "xab", "abxab", "line\nline\n"];
  for (const before of texts) {
    for (const after of texts) {
      const { from, to, insert } = changeBetween(before, after) ?? { from: 0, to: 0, insert: "" };
      equal(before.slice(0, from) + insert + before.slice(to), after);
    }
  }
});

test("ADM-384 a text keeps the line breaks that it has", () => {
  equal(lineBreakOf("a\nb"), undefined);
  equal(lineBreakOf("a\r\nb\r\n"), "\r\n");
  for (const mixed of ["a\r\nb\nc", "a\rb", "a\r\nb\r"]) equal(lineBreakOf(mixed), "\n", JSON.stringify(mixed));
});
