// The catalogue and its page are one list.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CairnError, type ErrorWord, errorCatalogue, fail } from "./errors.ts";

test("docs/errors.md lists every error with its status and message, and no other", () => {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (.*?) \|/gm)].map(([, word, status, message]) => [
    word,
    Number(status),
    message,
  ]);
  const known = Object.entries(errorCatalogue).map(([word, { status, message }]) => [word, status, message]);
  assert.deepEqual(listed, known);
});

test("an error carries the status and the message of its code by default", () => {
  const plain = new CairnError("not-found");
  assert.deepEqual([plain.status, plain.message, plain.details], [404, "Not found", undefined]);
  assert.throws(() => fail("invalid", "limit must be a number.", { limit: ["must be a number"] }), {
    word: "invalid" satisfies ErrorWord,
    status: 400,
    message: "limit must be a number.",
    details: { limit: ["must be a number"] },
  });
});
