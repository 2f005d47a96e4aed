import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { placeOf, problemOf } from "./error-line.ts";

test("ADM-711 the line of an error is found in its text", () => {
  deepEqual(placeOf("TypeError: no (handler.js:14:3)"), { line: 14, column: 3 });
  deepEqual(placeOf("SyntaxError: unexpected token (line 2)"), { line: 2 });
  deepEqual(placeOf("SyntaxError: no JSON (line 1 column 2) (handler.js:3:15)"), { line: 3, column: 15 });
  equal(placeOf("The handler ran longer than 5 seconds."), undefined);
  equal(placeOf(null), undefined);
  deepEqual(problemOf("TypeError: no (handler.js:14:3)"), { line: 14, column: 3, message: "TypeError: no" });
});
