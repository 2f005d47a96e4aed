import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanHtml } from "./html.ts";
import { isCleanHtml } from "./html-scan.ts";

const rules = { enabled: true, allowedIframeDomains: [], allowedCssProperties: [], allowedTags: [] };

test("FLD-82 HTML that is already clean is recognised without a parser", () => {
  for (const html of [
    "",
    "plain text",
    "<p>Hello <strong>world</strong></p>",
    '<p class="lead">A &amp; B &nbsp;<br></p><ul><li>x</li></ul>',
    '<a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener">x</a>',
    '<img src="/a.jpg" alt="A" width="10" />',
  ]) {
    assert.equal(isCleanHtml(html), true, html);
  }
});

test("FLD-83 whatever the scan lets pass, the cleaner would leave harmless too (T23)", () => {
  for (const html of [
    "<script>1</script>",
    '<p onclick="x">y</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href=" https://x">x</a>',
    '<a href="//evil.test">x</a>',
    '<img src="data:text/html,x">',
    "<img src=x onerror=alert(1)>",
    '<p style="x">y</p>',
    "<p>unclosed",
    "</p>",
    "<b><i></b></i>",
    "<P>upper</P>",
    "a < b",
    "a > b",
    "a & b",
    "<!-- comment -->",
    "<p/>x",
    '<p id="a" id="b">x</p>',
    "<svg><p>x</p></svg>",
    `${"<div>".repeat(60)}${"</div>".repeat(60)}`,
  ]) {
    assert.equal(isCleanHtml(html), false, html);
  }
});

test("FLD-84 the scan and the cleaner agree on clean text, but for the spelling of empty tags", () => {
  const html = '<h2 id="a">T</h2><p>One <em>two</em> <a href="/x">three</a></p><blockquote>q</blockquote>';
  assert.equal(isCleanHtml(html), true);
  assert.equal(cleanHtml(html, rules), html);
});
