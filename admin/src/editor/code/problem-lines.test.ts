import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { problemsInText } from "./problem-lines.ts";

test("ADM-672 the line is read from the text of a refusal", () => {
  const syntax = "SyntaxError: unexpected token (line 2)";
  deepEqual(problemsInText(syntax), [{ line: 2, message: syntax }]);
  deepEqual(problemsInText('Line 12: tag "x" not found.'), [{ line: 12, message: 'Line 12: tag "x" not found.' }]);
  const thrown = "Error: no (handler.js:3:7)";
  deepEqual(problemsInText(thrown), [{ line: 3, column: 7, message: thrown }]);
  for (const text of [undefined, "", "The module has no default export.", "deadline 3"])
    deepEqual(problemsInText(text), []);
});
