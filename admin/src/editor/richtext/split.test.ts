import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { splitHtml } from "./split.ts";

const sources = (html: string) => splitHtml(html).segments.map(({ source }) => source);

test("blocks keep their text, and what lies between them", () => {
  const { lead, segments } = splitHtml("\n<!-- a --><p>one</p>\n\n<h2 id='x'>two</h2><!-- b -->\n");
  equal(lead, "\n<!-- a -->");
  deepEqual(segments, [
    { source: "<p>one</p>", gap: "\n\n" },
    { source: "<h2 id='x'>two</h2>", gap: "<!-- b -->\n" },
  ]);
});

test("text outside of blocks is a block, with the elements in it", () => {
  deepEqual(sources("some <b>bold</b> text <p>para</p> tail"), ["some <b>bold</b> text", "<p>para</p>", "tail"]);
  deepEqual(sources("<img src='a>b'><br>x"), ["<img src='a>b'><br>x"]);
});

test("blocks in blocks stay together", () => {
  deepEqual(sources("<div><div>a</div><p>b</p></div><ul><li>a<li>b</ul><hr><table><tr><td>x</table>"), [
    "<div><div>a</div><p>b</p></div>",
    "<ul><li>a<li>b</ul>",
    "<hr>",
    "<table><tr><td>x</table>",
  ]);
});

test("a paragraph without an end tag ends at the next block", () => {
  deepEqual(sources("<p>one<p>two<ul><li>a</ul>"), ["<p>one", "<p>two", "<ul><li>a</ul>"]);
});

test("nothing is lost, whatever the text", () => {
  const parts = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<",
    ">",
    "text",
    "\n ",
    "<!--",
    "-->",
    "<br>",
    "<ul><li>",
    "<script>",
    "</div>",
    "&",
  ];
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let round = 0; round < 500; round++) {
    const html = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join("");
    const { lead, segments } = splitHtml(html);
    equal(lead + segments.map(({ source, gap }) => source + gap).join(""), html);
  }
});
