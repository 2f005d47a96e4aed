import assert from "node:assert/strict";
import { test } from "node:test";
import { dispositionText } from "./file-answers.ts";

test("DL-5 names are offered by RFC 6266, in one line (T34)", () => {
  for (const [name, expected] of [
    ["plan.pdf", 'attachment; filename="plan.pdf"'],
    ["ü.txt", `attachment; filename="_.txt"; filename*=UTF-8''%C3%BC.txt`],
    ['a"\r\nX: 1.txt', `attachment; filename="a_X: 1.txt"; filename*=UTF-8''a%22X%3A%201.txt`],
    ["100%.txt", `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ["../../etc/passwd", 'attachment; filename="passwd"'],
    ["a\\b.txt", 'attachment; filename="b.txt"'],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
    ["é(1).txt", `attachment; filename="_(1).txt"; filename*=UTF-8''%C3%A9%281%29.txt`],
    ["\ud800.txt", `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
    ["\u0000\u0007", 'attachment; filename="file"'],
    ["", 'attachment; filename="file"'],
  ] as const) {
    assert.equal(dispositionText("attachment", name), expected);
  }
});
