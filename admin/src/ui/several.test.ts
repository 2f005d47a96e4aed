import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { joinParts, sortOut, splitTyped } from "./several.ts";

test("ADM-271 text is split at commas, tabs and line ends; what is still being typed stays", () => {
  deepEqual(splitTyped("hiking"), { parts: [], rest: "hiking" });
  deepEqual(splitTyped("hiking,"), { parts: ["hiking"], rest: "" });
  deepEqual(splitTyped(" a , b\nc\td"), { parts: ["a", "b", "c"], rest: "d" });
  deepEqual(splitTyped("a,,\r\nb"), { parts: ["a"], rest: "b" });
  deepEqual(splitTyped("two words "), { parts: [], rest: "two words " });
  deepEqual(joinParts(["a", "", "b"]), "a, b");
});

test("ADM-271 a value is added once; options are found by label or value; other text only where it is allowed", () => {
  const options = [{ value: "a", label: "Alpha" }];
  const free = { values: ["x"], options, allowsCustomValue: true };
  deepEqual(sortOut(["alpha", "x", "new", "new", " "], free), { added: ["a", "new"], doubles: ["x"], unknown: [] });
  const several = { ...free, allowsDoubles: true };
  deepEqual(sortOut(["x", "new", "new"], several), { added: ["x", "new", "new"], doubles: [], unknown: [] });
  const bound = { ...free, allowsCustomValue: false };
  deepEqual(sortOut(["Alpha", "new"], bound), { added: ["a"], doubles: [], unknown: ["new"] });
});
