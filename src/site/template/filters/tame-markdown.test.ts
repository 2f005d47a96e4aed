import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "marked";
import { leastTime } from "#base/patience.fixture.ts";
import { tameMarkdown } from "./tame-markdown.ts";

test("TMPL-47 Markdown of usual texts is left as it is", () => {
  const text = "# A *title*\n\n> - **one** _two_\n>   1. three\n\n*****\n\n| a | b |\n|---|---|\n";
  assert.equal(tameMarkdown(text), text);
});

test("TMPL-47 no text takes the Markdown parser long", async () => {
  const long = (part: string) => part.repeat(Math.floor(200_000 / part.length));
  for (const part of ["*_a", "__a_", "**", "1. ", ">", "> - ", "*a\n\n", `${"*_a".repeat(80)}\n\n`]) {
    const text = tameMarkdown(long(part));
    assert.ok((await leastTime(1_500, () => marked.parse(text))) < 1_500, part);
  }
});
