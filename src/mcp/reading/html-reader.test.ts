import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { readHtml } from "./html-reader.ts";

const markdown = (html: string) => readHtml(html, "markdown");
const text = (html: string) => readHtml(html, "text");

test("MCT-20 rich text is given as Markdown", () => {
  for (const [html, expected] of [
    ["plain words", "plain words"],
    [
      "<h2>Head &amp; toe</h2><p>One <strong>bold </strong>and <em>soft</em>.</p>",
      "## Head & toe\n\nOne **bold** and *soft*.",
    ],
    [
      '<p><a href="/x?a=1&amp;b=2">a  link</a> and <img src="/i.jpg" alt="a cat"></p>',
      "[a link](/x?a=1&b=2) and ![a cat](/i.jpg)",
    ],
    ["<p>one<br>two</p><hr><p>three</p>", "one\ntwo\n\n---\n\nthree"],
    ["<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>", "- a\n  - b\n- c"],
    ['<ol start="3"><li>x</li><li>y</li></ol>', "3. x\n4. y"],
    ["<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"],
    ["<pre><code>if (a &lt; b)\n\n\n  c()</code></pre>", "```\nif (a < b)\n\n\n  c()\n```"],
    ["<p>use <code>x</code></p>", "use `x`"],
    [
      "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2|3</td></tr></tbody></table>",
      "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |",
    ],
    ['<iframe src="https://v.example/1"></iframe>', "[iframe](https://v.example/1)"],
    ["<p>a<!-- <b>no</b> -->b</p><script>x</script><style>y</style>", "ab"],
    ["<p>2 < 3 and &unknown; &#8364;&#x41;</p>", "2 < 3 and &unknown; €A"],
    ["<p>never closed <b>here", "never closed **here**"],
    ["</p></b>stray", "stray"],
    ["a <", "a <"],
  ] as const)
    assert.equal(markdown(html), expected, html);
});

test("MCT-20 rich text is given as plain text", () => {
  for (const [html, expected] of [
    ["<h2>Head</h2><p>One <strong>bold</strong> <a href='/x'>link</a></p>", "Head\n\nOne bold link"],
    ["<ul><li>a</li><li>b</li></ul>", "- a\n- b"],
    ["<p>x <img src='/i.jpg' alt='a cat'></p><hr>", "x a cat"],
    ["<table><tr><td>1</td><td>2</td></tr></table>", "1\t2"],
    ["<pre>a\n  b</pre>", "a\n  b"],
  ] as const)
    assert.equal(text(html), expected, html);
});

test("MCT-21 hostile markup costs no more than its length", async () => {
  for (const html of [
    "<b>".repeat(100_000),
    "<".repeat(300_000),
    '<a "'.repeat(100_000),
    `${"<blockquote>".repeat(5_000)}x`,
    "<!--".repeat(100_000),
    "&".repeat(300_000),
    `<p ${"a=".repeat(100_000)}>x</p>`,
    `${" \n".repeat(200_000)}<i></i>x`,
    `${"<i></i> ".repeat(50_000)}x`,
    `<p>${"<br> ".repeat(50_000)}x</p>`,
    `<p>${" <br>\t".repeat(50_000)}x</p>`,
  ]) {
    const took = await leastTime(2_000, () => markdown(html));
    assert.ok(took < 2_000, `${html.slice(0, 20)}: ${took} ms`);
  }
});
