import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { markdownToHtml } from "./markdown-blocks.ts";
import { readHtml } from "./reading/html-reader.ts";

test("MCT-38 Markdown becomes HTML", () => {
  for (const [markdown, html] of [
    ["plain words", "<p>plain words</p>"],
    ["", ""],
    ["# A #\n\n### B\ntext", "<h1>A</h1><h3>B</h3><p>text</p>"],
    [
      "One **bold**, *soft*, ***both***, ~~gone~~.",
      "<p>One <strong>bold</strong>, <em>soft</em>, <strong><em>both</em></strong>, <del>gone</del>.</p>",
    ],
    ["__a__ _b_ snake_case_name 2 * 3 * 4", "<p><strong>a</strong> <em>b</em> snake_case_name 2 * 3 * 4</p>"],
    ["**never closed", "<p>**never closed</p>"],
    ["a \\*b\\* <b>c</b> & d", "<p>a *b* &lt;b&gt;c&lt;/b&gt; &amp; d</p>"],
    ["`a <b> *c*` and ``x`y``", "<p><code>a &lt;b&gt; *c*</code> and <code>x`y</code></p>"],
    [
      '[a *b*](/x?a=1&b=2 "t") ![cat](/i.jpg) [no] (x)',
      '<p><a href="/x?a=1&amp;b=2">a <em>b</em></a> <img src="/i.jpg" alt="cat"> [no] (x)</p>',
    ],
    ["[w](https://en.example/A_(b))", '<p><a href="https://en.example/A_(b)">w</a></p>'],
    ["[![a](/i.jpg)](/x)", '<p><a href="/x"><img src="/i.jpg" alt="a"></a></p>'],
    ["one\ntwo", "<p>one<br>two</p>"],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
    ["- a\n  - b\n    - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"],
    ["* a\n* b", "<ul><li>a</li><li>b</li></ul>"],
    ["1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"],
    ["3. x\n4. y", '<ol start="3"><li>x</li><li>y</li></ol>'],
    ["- a\n\n  more\n- b", "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></ul>"],
    ["text\n- a", "<p>text</p><ul><li>a</li></ul>"],
    ["> a\n>\n> b", "<blockquote><p>a</p><p>b</p></blockquote>"],
    ["```js\nif (a < b)\n\n  c()\n```\nx", "<pre><code>if (a &lt; b)\n\n  c()</code></pre><p>x</p>"],
    [
      "| A | B |\n| --- | :-: |\n| 1 | 2\\|3 |",
      "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2|3</td></tr></tbody></table>",
    ],
  ] as const)
    assert.equal(markdownToHtml(markdown), html, markdown);
});

test("MCT-38 what is read as Markdown comes back the same when it is written and read again", () => {
  for (const html of [
    "<h2>Head &amp; toe</h2><p>One <strong>bold</strong> and <em>soft</em>.</p>",
    '<p><a href="/x?a=1&amp;b=2">a link</a> and <img src="/i.jpg" alt="a cat"></p>',
    "<p>one<br>two</p><hr><p>three</p>",
    "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "<blockquote><p>a</p><p>b</p></blockquote>",
    "<pre><code>if (a &lt; b)\n\n\n  c()</code></pre>",
    "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>2|3</td></tr></tbody></table>",
  ]) {
    const markdown = readHtml(html, "markdown");
    assert.equal(readHtml(markdownToHtml(markdown), "markdown"), markdown);
  }
});

test("MCT-21 hostile Markdown costs no more than its length", async () => {
  for (const markdown of [
    ...[
      "*a ",
      "_a*",
      "**",
      "[",
      "![",
      "[a](",
      "![a](b",
      "](",
      "[a](b)",
      "`a``",
      "`",
      "~~a",
      "|",
      "&",
      "<a ",
      "> ",
      ">",
      "#",
      "\\",
      "- ",
    ].map((piece) => piece.repeat(Math.ceil(100_000 / piece.length))),
    ...["- a\n", "> a\n", "| a |\n| - |\n", "```\n", "1. a\n\n", "\n", "**a\n"].map((piece) =>
      piece.repeat(Math.ceil(100_000 / piece.length)),
    ),
    Array.from({ length: 600 }, (_, at) => `${" ".repeat(at)}- a`).join("\n"),
    `${" ".repeat(100_000)}a`,
    `[${"*a".repeat(50_000)}](b)`,
    `${"![".repeat(50_000)}a${"](b)".repeat(50_000)}`,
    Array.from({ length: 400 }, (_, at) => "`".repeat(at + 1)).join(" "),
  ]) {
    const took = await leastTime(2_000, () => markdownToHtml(markdown));
    assert.ok(took < 2_000, `${markdown.slice(0, 20)}: ${took} ms`);
  }
});
