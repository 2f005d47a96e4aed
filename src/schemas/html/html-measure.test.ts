import assert from "node:assert/strict";
import { test } from "node:test";
import { measureHtml } from "./html-measure.ts";

test("FLD-75 marks are tags, attributes, entities and signs that have to be escaped", () => {
  for (const [html, marks] of [
    ["plain", 0],
    ["<p>a</p>", 2],
    ["a > b &amp; c < d", 3],
    ['<a href="x" title="y">z</a>', 4],
    ["<a b c=d e>", 5],
    ["<br/><br />", 2],
    ['<a title="a > b">', 2],
    ['<a href="?a=1&b=2&c=3">', 4],
  ] as const)
    assert.equal(measureHtml(html).marks, marks, html);
});

test("FLD-75 no quote hides attributes from the count", () => {
  const attributes = Array.from({ length: 400 }, (_, at) => `a${at}`).join(" ");
  for (const html of [
    `<b ${attributes}>`,
    `<b x=">" ${attributes}>`,
    `<!-- =" --><b ${attributes} ">`,
    `<!x =" ><b ${attributes} ">`,
    `</i x="><b ${attributes} ">`,
    `< ="<b ${attributes} ">`,
    `<b x=y"z ${attributes} ">`,
  ])
    assert.ok(measureHtml(html).marks >= 400, html.slice(0, 20));
});

test("FLD-75 a tag with more than 500 attributes is too much, and counting ends at the limit", () => {
  const attributes = Array.from({ length: 501 }, (_, at) => `a${at}=1`).join(" ");
  assert.equal(measureHtml(`<b ${attributes}>`).marks, Number.POSITIVE_INFINITY);
  assert.equal(measureHtml("<".repeat(1_000), 10).marks, 11);
});
