import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { htmlMistakes } from "./check-html.ts";

const brief = (html: string) => htmlMistakes(html).map(({ kind, name, line }) => `${kind} ${name} ${line}`);

test("ADM-354 mistakes in written HTML are found with their lines, and none in HTML that is whole", () => {
  deepEqual(brief("<p>One<br>two</p>\n<ul><li>a<li>b</ul><img src='x>y'><!-- <b> -->"), []);
  deepEqual(brief("<p>One</p>\n<div><b>two</div>"), ["open b 2"]);
  deepEqual(brief("One</em>\n<section>"), ["end em 1", "open section 2"]);
  deepEqual(brief("<p>\n<a href='x"), ["tag a 2"]);
  deepEqual(brief("<i><b>a</i></b>"), ["open b 1", "end b 1"]);
  deepEqual(brief("1 < 2 and <svg/><custom-tag />"), []);
  deepEqual(brief(`<b>${"<b>".repeat(9)}`).length, 3);
});
