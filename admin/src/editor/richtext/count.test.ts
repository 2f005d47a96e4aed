import { equal } from "node:assert/strict";
import { test } from "node:test";
import { countWords } from "./count.ts";

test("words are counted, signs are not", () => {
  equal(countWords(""), 0);
  equal(countWords("One two – three, it's 4.5 & so-so!"), 6);
  equal(countWords("今日は良い天気です") > 2, true);
});
